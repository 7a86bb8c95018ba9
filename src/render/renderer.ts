/** A bounded queue in front of libvips: memory depends on the number of running renderings, so the others wait here. */
import PQueue from 'p-queue';
import { ImageError } from '../image/model/errors.ts';
import { decodedPixels } from '../image/plan/plan-facts.ts';
import type { Render } from '../image/plan/plan-types.ts';
import type { Derivative } from './execute.ts';
import type { Executor } from './process-pool.ts';

export interface RendererOptions {
  readonly executor: Executor;
  /** Maximum number of concurrent renderings. */
  readonly concurrency: number;
  /** Maximum number of them that are long. */
  readonly maxLong: number;
  /** Maximum number that wait; a further one is rejected with `overloaded`. */
  readonly maxWaiting: number;
}

/** Renders plans, a bounded number at a time. */
export interface Renderer {
  /**
   * The plan's derivative. Throws ImageError `overloaded` where too many wait already, and `abandoned` where `signal` is
   * aborted before the rendering starts.
   */
  render(plan: Render, signal: AbortSignal): Promise<Derivative>;
  /** Number of renderings that run and that wait. */
  load(): { readonly running: number; readonly waiting: number };
  /** Closes the executor. */
  close(): Promise<void>;
}

/** A rendering that decodes or writes more pixels is long: it takes a quarter of a second and much memory. */
const maxShortPixels = 16_000_000;

const isShort = (plan: Render): boolean =>
  decodedPixels(plan) <= maxShortPixels && plan.scaled.width * plan.scaled.height <= maxShortPixels;

/** Long renderings never use the whole concurrency; short ones that wait have priority. */
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
