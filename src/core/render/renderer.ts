/** Renders plans in render processes, a bounded number at a time, in an order that is fair to all who request them. */
import { availableParallelism } from 'node:os';
import { type Cost, costOf } from '../image/plan/cost.ts';
import type { Render } from '../image/plan/plan-types.ts';
import type { Derivative } from './execute.ts';
import { createInProcessExecutor, createProcessPool, type PoolStats } from './process/process-pool.ts';
import { type RenderBudget, renderBudget } from './render-budget.ts';
import { type RefusalReason, type ScheduleLoad, Scheduler } from './schedule/scheduler.ts';
import type { ScheduleRules, Task } from './schedule/task.ts';

export interface RenderSettings {
  /** Number of render processes; 0 renders in this process. */
  readonly processes: number;
  /** Maximum number of renderings that wait; a further one is rejected with `overloaded`. */
  readonly maxWaiting: number;
  /** Bytes of memory of all render processes together. */
  readonly memoryBytes: number;
  /** Time without a rendering after which the render processes end, in ms. */
  readonly idleMs: number;
}

export interface RendererOptions extends RenderSettings {
  /** The base directory or virtual folder that a file is in; empty where it is in none. */
  readonly rootOf?: (path: string) => string;
  /** Those of these whose disks may hang while others answer. */
  readonly limitedRoots?: ReadonlySet<string>;
  /** The time that a request has, in ms: a decoder that computes about as long is to blame for missing a deadline. */
  readonly requestMs?: number;
}

/** For whom a rendering is made: these share the render processes fairly. */
export interface RenderOrigin {
  /** Equal for all requests of one client. */
  readonly client: string;
  /** The groups of clients that it is in, the outermost first; a group gets as much as a client that is in none, times its weight. */
  readonly groups?: readonly string[] | undefined;
  /** Of the outermost group, or of the client where it is in none: 1 by default. */
  readonly weight?: number | undefined;
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

/** A derivative, and the time in ms that it waited and was rendered. */
export interface Rendered extends Derivative {
  readonly queueMs: number;
  readonly renderMs: number;
}

export interface RendererStats {
  /** Renderings that were refused since the start. */
  readonly refusals: Readonly<Record<RefusalReason, number>>;
  readonly processes: PoolStats;
}

/** Renders plans, a bounded number at a time. */
export interface Renderer {
  /**
   * The plan's derivative. Throws ImageError `overloaded` at once where it would not be done before the deadline, `abandoned`
   * where no request waits for it any longer before it starts, and `too-slow` soon after the deadline.
   */
  render(plan: Render, origin: RenderOrigin, waiters: RenderWaiters): Promise<Rendered>;
  /** Throws ImageError `overloaded` where the plan would be refused now, since it is of those who get what others leave. */
  requireRoom(plan: Render, origin: RenderOrigin, waiters: RenderWaiters): void;
  /** Starts the render processes, where none are alive, so that pictures that will be requested soon need not wait for that. */
  startAhead(): void;
  /** Number of renderings that run and that wait. */
  load(): ScheduleLoad;
  stats(): RendererStats;
  /** Ends the render processes. */
  close(): Promise<void>;
}

/** Renderings that one process runs at once: with a single one, its core is idle for a quarter of the time. */
const jobsEach = 3;

/** The part of a request’s time that a decoder has to compute before its file is blamed for the deadline. */
const blamedShare = 0.8;

/** How many of those only small renderings take, and how many these leave to large ones, on average. */
const smallEach = 1;
const largeEach = 1;

/** A small rendering, such as a tile or a thumbnail, takes no more processor time in ms. */
const maxSmallMs = 250;

/**
 * A rendering that yields is not ended at its deadline, in ms: others have kept it waiting. Whoever waits for it is told that the server
 * is busy, as where it had not started, and finds it in the cache the next time.
 */
const yieldingMs = 30_000;

/** How the renderings of some processes share their slots, cores and memory. */
function rulesFor(
  processes: number,
  { bytes: maxBytes, smallBytes }: RenderBudget,
  { limitedRoots = new Set() }: RendererOptions,
): ScheduleRules {
  const smallSlots = processes * smallEach;
  return {
    slots: processes * jobsEach,
    smallSlots,
    largeSlots: processes * largeEach,
    maxBytes,
    smallBytes,
    cores: Math.min(processes, availableParallelism()),
    limitedRoots,
  };
}

const sizeOf = ({ ms, bytes }: Cost, { smallBytes, smallSlots }: ScheduleRules): Task['size'] =>
  ms <= maxSmallMs && bytes <= smallBytes / smallSlots ? 'small' : 'large';

/** The render processes are started when they are needed. */
export function openRenderer(options: RendererOptions): Renderer {
  const { processes: count, maxWaiting, idleMs: restAfterMs, requestMs, rootOf = () => '' } = options;
  const processes = count || availableParallelism();
  const budget = renderBudget({ ...options, processes, more: count === 0 ? 0 : 1 });
  const { processBytes: maxBytes, totalBytes } = budget;
  const blameMs = requestMs === undefined ? {} : { blameMs: requestMs * blamedShare };
  const executor =
    count === 0
      ? createInProcessExecutor()
      : createProcessPool({
          count,
          jobsEach,
          maxBytes,
          totalBytes,
          restAfterMs,
          ...blameMs,
        });
  const rules = rulesFor(processes, budget, options);
  const scheduler = new Scheduler({ rules, maxWaiting });

  function taskOf(
    plan: Render,
    { client, groups = [], weight = 1, folder }: RenderOrigin,
    waiters: RenderWaiters,
  ): Task {
    const cost = costOf(plan);
    return {
      size: sizeOf(cost, rules),
      // One that is estimated to take more than there is runs beside no other large one.
      bytes: Math.min(cost.bytes, rules.maxBytes - rules.smallBytes),
      ms: cost.ms,
      client,
      groups,
      weight,
      folder,
      root: rootOf(plan.file.path),
      arrivedAtMs: performance.now(),
      deadlineAtMs: () => waiters.deadlineAtMs(),
    };
  }

  return {
    startAhead: () => executor.startAhead(),
    load: () => scheduler.load(),
    stats: () => ({ refusals: scheduler.refusals(), processes: executor.stats() }),
    close: () => executor.close(),
    requireRoom: (plan, origin, waiters) => scheduler.requireRoom(taskOf(plan, origin, waiters)),
    async render(plan, origin, waiters) {
      const task = taskOf(plan, origin, waiters);
      const { result, queueMs, runMs } = await scheduler.run(task, waiters.signal, () => {
        if (scheduler.yields(task)) return executor.execute(plan, () => task.deadlineAtMs() + yieldingMs, 'yields');
        waiters.start();
        return executor.execute(plan, task.deadlineAtMs);
      });
      return { ...result, queueMs, renderMs: runMs };
    },
  };
}
