/** One bounded queue in front of libvips: memory follows the number of running jobs, so the others wait here. */
import PQueue from 'p-queue';
import { ImageError } from '../image/errors.ts';
import type { Render } from '../image/plan.ts';
import { type Derivative, execute } from './execute.ts';

export interface RendererOptions {
  /** How many renderings run at once. */
  readonly concurrency: number;
  /** How many may wait; a further one is refused with `overloaded`. */
  readonly maxWaiting: number;
  /** After how many milliseconds of rendering a caller is told to give up. */
  readonly timeoutMs: number;
}

/** Renders plans, a few at a time. */
export interface Renderer {
  /**
   * The plan's derivative. Throws ImageError `overloaded` where too many wait already or the rendering takes too long,
   * and `abandoned` when `signal` says that nobody waits for the result any more and the work has not begun.
   */
  render(plan: Render, signal: AbortSignal): Promise<Derivative>;
  /** How many renderings run and how many wait. */
  load(): { readonly running: number; readonly waiting: number };
}

const tooSlow = (): ImageError =>
  new ImageError('overloaded', 'Making this picture took too long; ask for a smaller one, or try again later.');

export function createRenderer({ concurrency, maxWaiting, timeoutMs }: RendererOptions): Renderer {
  const queue = new PQueue({ concurrency });

  /** Settles what the caller waits for at the latest in time; ends itself when libvips does, so that its place stays taken. */
  async function renderInTime(
    plan: Render,
    resolve: (derivative: Derivative) => void,
    reject: (reason: unknown) => void,
  ): Promise<void> {
    const timer = setTimeout(() => reject(tooSlow()), timeoutMs);
    await execute(plan).then(resolve, reject);
    clearTimeout(timer);
  }

  return {
    load: () => ({ running: queue.pending, waiting: queue.size }),
    async render(plan, signal) {
      if (queue.size >= maxWaiting) {
        throw new ImageError('overloaded', 'The server is busy with other pictures; try again in a few seconds.');
      }
      return new Promise((resolve, reject) => {
        void queue.add(async () => {
          if (signal.aborted) return reject(new ImageError('abandoned', 'The request was given up.'));
          return renderInTime(plan, resolve, reject);
        });
      });
    },
  };
}
