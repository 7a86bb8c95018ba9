/** How long tasks take on this machine, and when each would start and end: learned, and forecast. */
import type { Task, TaskSize } from './task.ts';
import type { TaskQueue } from './task-queue.ts';

/** A task that runs, and the processor time in ms that it still needs. */
export interface RunningTask {
  readonly task: Task;
  readonly msLeft: number;
}

/** When a task starts and ends, in ms from now; 0 for the start of one that runs. */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** The processor time of a task in ms, as the server's experience corrects it. */
export type MsOf = (task: Task) => number;

/** The part of a core that each of some running tasks gets. */
export const speedOf = (running: number, cores: number): number => Math.min(1, cores / Math.max(1, running));

interface Ahead {
  readonly task: Task;
  readonly startMs: number;
  msLeft: number;
}

/** Lets the first of the running tasks end, and returns the time in ms that this takes. */
function advance(running: Set<Ahead>, cores: number): { readonly ended: Ahead; readonly tookMs: number } | undefined {
  let ended: Ahead | undefined;
  for (const each of running) if (ended === undefined || each.msLeft < ended.msLeft) ended = each;
  if (ended === undefined) return undefined;
  const { msLeft } = ended;
  const tookMs = msLeft / speedOf(running.size, cores);
  running.delete(ended);
  for (const each of running) each.msLeft -= msLeft;
  return { ended, tookMs };
}

/** Spans of all tasks that run or wait. A task that can never start has none. */
export function forecast(queue: TaskQueue, running: readonly RunningTask[], msOf: MsOf): ReadonlyMap<Task, Span> {
  const ahead = queue.copy();
  const spans = new Map<Task, Span>();
  const busy = new Set<Ahead>(running.map(({ task, msLeft }) => ({ task, startMs: 0, msLeft })));
  for (let nowMs = 0; ; ) {
    for (let task = ahead.startNext(); task !== undefined; task = ahead.startNext()) {
      busy.add({ task, startMs: nowMs, msLeft: msOf(task) });
    }
    const step = advance(busy, queue.rules.cores);
    if (step === undefined) return spans;
    nowMs += step.tookMs;
    ahead.finish(step.ended.task);
    spans.set(step.ended.task, { startMs: step.ended.startMs, endMs: nowMs });
  }
}

/** What was observed counts this much less after each further task. */
const decay = 0.97;

/** The weight of the assumption that estimates are right, before anything was observed: estimated time in ms. */
const priorMs: Readonly<Record<TaskSize, number>> = { small: 200, large: 2000 };

const minFactor = 0.1;
const maxFactor = 10;

/** How much was observed for what was estimated, of which the latest counts most. */
class ObservedRatio {
  #estimatedMs: number;
  #observedMs: number;

  constructor(estimatedMs: number, ratio = 1) {
    this.#estimatedMs = estimatedMs;
    this.#observedMs = estimatedMs * ratio;
  }

  get value(): number {
    return this.#observedMs / this.#estimatedMs;
  }

  add(estimatedMs: number, observedMs: number): void {
    this.#estimatedMs = this.#estimatedMs * decay + estimatedMs;
    this.#observedMs = this.#observedMs * decay + observedMs;
  }
}

export class RenderDurations {
  readonly #ratios: Readonly<Record<TaskSize, ObservedRatio>> = {
    small: new ObservedRatio(priorMs.small),
    large: new ObservedRatio(priorMs.large),
  };

  /** The factor by which estimated times are multiplied. */
  factorOf(size: TaskSize): number {
    return Math.min(maxFactor, Math.max(minFactor, this.#ratios[size].value));
  }

  msOf(task: Task): number {
    return task.ms * this.factorOf(task.size);
  }

  /** Records the processor time in ms that a task took. */
  observe({ size, ms }: Task, observedMs: number): void {
    this.#ratios[size].add(ms, observedMs);
  }
}

/** How long those of the crowd take beside others, one after the other: time on the clock for each ms that they were estimated to need. */
export class CrowdPace {
  readonly #ratio = new ObservedRatio(priorMs.small, 2);
  #lastEndMs = 0;

  /** Records a task that ended. */
  observe({ ms, arrivedAtMs }: Task, nowMs: number): void {
    this.#ratio.add(ms, nowMs - Math.max(this.#lastEndMs, arrivedAtMs));
    this.#lastEndMs = nowMs;
  }

  /** The time in ms in which tasks of an estimated time are done. */
  msFor(estimatedMs: number): number {
    return estimatedMs * this.#ratio.value;
  }
}

/**
 * Counts the processor time that each running task gets: tasks share the cores, so that it advances more slowly than the clock
 * while more tasks run than there are cores.
 */
export class SharedClock {
  readonly #cores: number;
  #sharedMs = 0;
  #readAtMs = 0;

  constructor(cores: number) {
    this.#cores = cores;
  }

  /** The processor time in ms up to now; `running` tasks ran since the last call. */
  read(nowMs: number, running: number): number {
    this.#sharedMs += (nowMs - this.#readAtMs) * speedOf(running, this.#cores);
    this.#readAtMs = nowMs;
    return this.#sharedMs;
  }
}
