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
}

/** Renders plans, a few at a time. */
export interface Renderer {
  /**
   * The plan's derivative. Throws ImageError `overloaded` where too many wait already, and `abandoned` when `signal`
   * says that nobody waits for the result any more and the work has not begun.
   */
  render(plan: Render, signal: AbortSignal): Promise<Derivative>;
  /** How many renderings run and how many wait. */
  load(): { readonly running: number; readonly waiting: number };
}

export function createRenderer({ concurrency, maxWaiting }: RendererOptions): Renderer {
  const queue = new PQueue({ concurrency });
  return {
    load: () => ({ running: queue.pending, waiting: queue.size }),
    async render(plan, signal) {
      if (queue.size >= maxWaiting) {
        throw new ImageError('overloaded', 'The server is busy with other pictures; try again in a few seconds.');
      }
      return queue.add(() => {
        if (signal.aborted) throw new ImageError('abandoned', 'The request was given up.');
        return execute(plan);
      });
    },
  };
}
