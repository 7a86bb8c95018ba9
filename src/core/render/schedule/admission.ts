/** Decides whether a task may wait: whether it and those that wait already would be done before their deadlines. */
import { forecast, type MsOf, type RunningTask, type Span, speedOf } from './render-durations.ts';
import { outermostOf, type Task } from './task.ts';
import type { TaskQueue } from './task-queue.ts';

/** A new task has to end this many times as early as its deadline would allow: estimates are rough, and others may come. */
export const caution = 1.2;

const tolerance = 1e-6;

/** What is known when a task comes. */
export interface Situation {
  readonly queue: TaskQueue;
  readonly running: readonly RunningTask[];
  readonly msOf: MsOf;
  readonly nowMs: number;
}

/** A task that would start too late, and the time in ms after which it would. */
export interface Refused {
  readonly task: Task;
  readonly waitMs: number;
}

export type Admission =
  /** `displaced` are tasks that waited, and that would be too late because of the new one, which is more entitled to the slot. */
  | { readonly kind: 'admitted'; readonly displaced: readonly Refused[] }
  | { readonly kind: 'refused'; readonly waitMs: number };

export const noneDisplaced: Admission = { kind: 'admitted', displaced: [] };

/**
 * Whether all tasks would be in time even one after the other, whatever their order: then nothing has to be forecast. Those that yield
 * make none of the others late.
 */
function hasPlentyOfTime({ queue, running, msOf, nowMs }: Situation, added: Task): boolean {
  let totalMs = msOf(added);
  let firstDeadlineMs = added.deadlineAtMs();
  for (const { msLeft } of running) totalMs += msLeft;
  for (const task of queue.waitingTasks()) {
    if (queue.yields(task)) continue;
    totalMs += msOf(task);
    firstDeadlineMs = Math.min(firstDeadlineMs, task.deadlineAtMs());
  }
  return nowMs + totalMs * caution <= firstDeadlineMs;
}

/** The tasks that wait and would end past their deadlines. */
function lateOnes(spans: ReadonlyMap<Task, Span>, { queue, nowMs }: Situation): readonly Refused[] {
  return [...queue.waitingTasks()].flatMap((task): readonly Refused[] => {
    const span = spans.get(task);
    const isLate = span === undefined || nowMs + span.endMs > task.deadlineAtMs() + tolerance;
    return isLate ? [{ task, waitMs: span?.startMs ?? 0 }] : [];
  });
}

/** The tasks that have to give way so that no other is late because of the new one; undefined where it would be late itself. */
function displacedBy(
  added: Task,
  situation: Situation,
  spans: ReadonlyMap<Task, Span>,
): readonly Refused[] | undefined {
  const late = lateOnes(spans, situation);
  if (late.length === 0) return [];
  const { queue, running, msOf } = situation;
  const without = queue.copy();
  without.remove(added);
  // Those that are late anyway, because estimates were wrong, are not displaced: they may still be in time.
  const lateAnyway = new Set(
    lateOnes(forecast(without, running, msOf), { ...situation, queue: without }).map(({ task }) => task),
  );
  const displaced: Refused[] = [];
  const rest = queue.copy();
  for (let found = late; ; found = lateOnes(forecast(rest, running, msOf), { ...situation, queue: rest })) {
    if (found.some(({ task, waitMs }) => task === added && waitMs > 0)) return undefined;
    const more = found.filter(({ task }) => task !== added && !lateAnyway.has(task));
    if (more.length === 0) return displaced;
    for (const { task } of more) rest.remove(task);
    displaced.push(...more);
  }
}

/** Decides about a new task, which is not in the queue. */
export function admit(added: Task, situation: Situation): Admission {
  const { nowMs, running, msOf } = situation;
  if (hasPlentyOfTime(situation, added)) return noneDisplaced;
  const queue = situation.queue.copy();
  queue.add(added);
  const spans = forecast(queue, running, msOf);
  const span = spans.get(added);
  if (span === undefined) return { kind: 'refused', waitMs: 0 };
  // What starts at once is tried, whatever the estimate says: it would not be faster later.
  const isInTime = span.startMs === 0 || nowMs + span.endMs * caution <= added.deadlineAtMs();
  const displaced = isInTime ? displacedBy(added, { ...situation, queue }, spans) : undefined;
  return displaced === undefined ? { kind: 'refused', waitMs: span.startMs } : { kind: 'admitted', displaced };
}

/** The work in ms of the tasks of a size that wait, and the weights, by client or group. */
function waitingWork({ queue, msOf }: Situation, size: Task['size']): Map<string, { ms: number; weight: number }> {
  const work = new Map<string, { ms: number; weight: number }>();
  for (const task of queue.waitingTasks()) {
    if (task.size !== size) continue;
    const owner = outermostOf(task);
    const found = work.get(owner);
    if (found === undefined) work.set(owner, { ms: msOf(task), weight: task.weight });
    else found.ms += msOf(task);
  }
  return work;
}

/**
 * Decides about a new task by the work before it alone: all of its own client or group that waits, and of each other one as much
 * as that gets meanwhile by its weight. Takes much less time than `admit`, and displaces none.
 */
export function admitRoughly(added: Task, situation: Situation): Admission {
  const { queue, running, msOf, nowMs } = situation;
  const others = waitingWork(situation, added.size);
  const ownMs = others.get(outermostOf(added))?.ms ?? 0;
  others.delete(outermostOf(added));
  const turnMs = (ownMs + msOf(added)) / added.weight;
  let workMs = ownMs;
  for (const { msLeft } of running) workMs += msLeft;
  for (const { ms, weight } of others.values()) workMs += Math.min(ms, turnMs * weight);
  const waitMs = workMs / queue.rules.cores;
  const isInTime = nowMs + (waitMs + msOf(added)) * caution <= added.deadlineAtMs();
  return isInTime ? noneDisplaced : { kind: 'refused', waitMs };
}

/** The tasks that wait and could not be done in time any more, even if they started now beside those that run. */
export function hopelessOnes({ queue, running, msOf, nowMs }: Situation): readonly Task[] {
  const speed = speedOf(running.length + 1, queue.rules.cores);
  return [...queue.waitingTasks()].filter((task) => nowMs + msOf(task) / speed > task.deadlineAtMs() + tolerance);
}
