/** One bounded queue in front of libvips: memory follows the number of running jobs, so the others wait here. */
import PQueue from 'p-queue';
import { ImageError } from '../image/model/errors.ts';
import { decodedPixels } from '../image/plan/plan-facts.ts';
import type { Render } from '../image/plan/plan-types.ts';
import type { Derivative } from './execute.ts';
import type { Executor } from './processes.ts';

export interface RendererOptions {
  readonly executor: Executor;
  /** How many renderings run at once. */
  readonly concurrency: number;
  /** How many of them may be long. */
  readonly maxLong: number;
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
  /** Ends what renders. */
  close(): Promise<void>;
}

/** Above so many pixels that are decoded or written, a rendering is long, and takes much memory: a quarter of a second of work. */
const shortWork = 16_000_000;

const isShort = (plan: Render): boolean =>
  decodedPixels(plan) <= shortWork && plan.scaled.width * plan.scaled.height <= shortWork;

/** Long renderings never take all places; short ones go first where they wait. */
export function createRenderer({ executor, concurrency, maxLong, maxWaiting }: RendererOptions): Renderer {
  const queue = new PQueue({ concurrency });
  const long = new PQueue({ concurrency: maxLong });
  const waiting = (): number => queue.size + long.size;
  return {
    load: () => ({ running: queue.pending, waiting: waiting() }),
    close: () => executor.close(),
    async render(plan, signal) {
      if (waiting() >= maxWaiting) {
        throw new ImageError('overloaded', 'The server is busy with other pictures; try again in a few seconds.');
      }
      const run = (): Promise<Derivative> => {
        if (signal.aborted) throw new ImageError('abandoned', 'The request was given up.');
        return executor.execute(plan);
      };
      if (isShort(plan)) return queue.add(run, { priority: 1 });
      return long.add(() => queue.add(run));
    },
  };
}
