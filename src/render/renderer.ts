/** A bounded queue in front of libvips: memory depends on the number of running renderings, so the others wait here. */
import { availableParallelism } from 'node:os';
import PQueue from 'p-queue';
import { ImageError } from '../image/model/errors.ts';
import { decodedPixels } from '../image/plan/plan-facts.ts';
import type { Render } from '../image/plan/plan-types.ts';
import type { Derivative } from './execute.ts';
import { createInProcessExecutor, createProcessPool } from './process-pool.ts';

export interface RenderSettings {
  /** Number of render processes; 0 renders in this process. */
  readonly processes: number;
  /** Maximum number of renderings that wait; a further one is rejected with `overloaded`. */
  readonly maxWaiting: number;
  /** Bytes of decoded tiles that each render process caches. */
  readonly decodedBytes: number;
}

/** For whom a rendering is made: these share the render processes fairly. */
export interface RenderOrigin {
  /** Equal for all requests of one client. */
  readonly client: string;
  /** The path of the image's folder in the library. */
  readonly folder: string;
}

/** The requests that wait for a rendering. */
export interface RenderWaiters {
  /** Aborted when none of them waits any longer. */
  readonly signal: AbortSignal;
  /** The latest of their deadlines, in ms on the clock of `performance.now()`; it may become later. */
  deadlineAtMs(): number;
  /** Called when the rendering starts. */
  start(): void;
}

/** Renders plans, a bounded number at a time. */
export interface Renderer {
  /**
   * The plan's derivative. Throws ImageError `overloaded` where too many wait already, `abandoned` where no request waits
   * for it any longer before it starts, and `too-slow` soon after the deadline.
   */
  render(plan: Render, origin: RenderOrigin, waiters: RenderWaiters): Promise<Derivative>;
  /** Number of renderings that run and that wait. */
  load(): { readonly running: number; readonly waiting: number };
  /** Ends the render processes. */
  close(): Promise<void>;
}

/** Renderings that one process runs at once: with a single one, its core is idle for a quarter of the time. */
const jobsEach = 3;

/** How many of those may be long, on average: each takes about 30 MB. */
const longEach = 2;

/** A rendering that decodes or writes more pixels is long: it takes a quarter of a second and much memory. */
const maxShortPixels = 16_000_000;

const isShort = (plan: Render): boolean =>
  decodedPixels(plan) <= maxShortPixels && plan.scaled.width * plan.scaled.height <= maxShortPixels;

/** Long renderings never use the whole concurrency; short ones that wait have priority. */
export function openRenderer(settings: RenderSettings): Renderer {
  const { processes: count, maxWaiting, decodedBytes } = settings;
  const executor =
    count === 0 ? createInProcessExecutor({ decodedBytes }) : createProcessPool({ count, jobsEach, decodedBytes });
  const processes = count || availableParallelism();
  const queue = new PQueue({ concurrency: processes * jobsEach });
  const long = new PQueue({ concurrency: processes * longEach });
  const waiting = (): number => queue.size + long.size;
  return {
    load: () => ({ running: queue.pending, waiting: waiting() }),
    close: () => executor.close(),
    async render(plan, _origin, waiters) {
      const { signal } = waiters;
      if (waiting() >= maxWaiting) {
        throw new ImageError('overloaded', 'The server is busy with other pictures; try again in a few seconds.');
      }
      const run = (): Promise<Derivative> => {
        if (signal.aborted) throw new ImageError('abandoned', 'The request was given up.');
        waiters.start();
        return executor.execute(plan, () => waiters.deadlineAtMs());
      };
      if (isShort(plan)) return queue.add(run, { priority: 1 });
      return long.add(() => queue.add(run));
    },
  };
}
