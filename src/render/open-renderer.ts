/** Opens the renderer with as many render processes as there are processors, or as the settings say. */
import { availableParallelism } from 'node:os';
import { createInProcessExecutor, createProcessPool } from './process-pool.ts';
import { createRenderer, type Renderer } from './renderer.ts';

export interface RenderSettings {
  /** Number of render processes; 0 renders in this process. */
  readonly processes: number;
  readonly maxWaiting: number;
  readonly timeoutMs: number;
  /** Bytes of decoded tiles that each render process caches. */
  readonly decodedBytes: number;
}

/** Renderings that one process runs at once: with a single one, its core is idle for a quarter of the time. */
const jobsEach = 3;

/** How many of those may be long, on average: each takes about 30 MB. */
const longEach = 2;

export function openRenderer({ processes: count, timeoutMs, maxWaiting, decodedBytes }: RenderSettings): Renderer {
  const executor =
    count === 0
      ? createInProcessExecutor({ decodedBytes })
      : createProcessPool({ count, jobsEach, deadlineMs: timeoutMs, decodedBytes });
  const processes = count || availableParallelism();
  return createRenderer({
    executor,
    concurrency: processes * jobsEach,
    maxLong: processes * longEach,
    maxWaiting,
  });
}
