/** Runs the queue ahead, with estimated times, to tell when each task would start and end. */
import type { Task } from './task.ts';
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
