/** Runs tasks in the order that the queue decides, and refuses at once those that could not be done in time. */
import { ImageError } from '../../image/model/errors.ts';
import {
  type Admission,
  admit,
  admitRoughly,
  caution,
  hopelessOnes,
  noneDisplaced,
  type Refused,
  type Situation,
} from './admission.ts';
import { CrowdPace, RenderDurations, type RunningTask, SharedClock } from './render-durations.ts';
import { type ScheduleRules, sizes, type Task, type TaskSize } from './task.ts';
import { TaskQueue } from './task-queue.ts';

/** Why tasks are refused: too many wait; the wait would be too long; others were more entitled; it became too late. */
export type RefusalReason = 'queue-full' | 'long-wait' | 'displaced' | 'too-late';

export interface SizeLoad {
  readonly running: number;
  readonly waiting: number;
}

export type ScheduleLoad = Readonly<Record<TaskSize, SizeLoad>>;

/** The result of a task, and the time in ms that it waited and ran. */
export interface Outcome<T> {
  readonly result: T;
  readonly queueMs: number;
  readonly runMs: number;
}

export interface SchedulerOptions {
  readonly rules: ScheduleRules;
  /** Number of tasks that may wait. */
  readonly maxWaiting: number;
  /** The present time in ms, on the clock of the deadlines. */
  readonly now?: () => number;
}

interface Pending {
  readonly start: () => void;
  readonly reject: (error: ImageError) => void;
}

/** What runs, since which time in ms of the shared clock. */
type Started = Map<Task, number>;

const refusal = (waitMs: number): ImageError =>
  new ImageError('overloaded', 'The server is busy with other pictures; try again in a few seconds.', {
    retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)),
  });

const abandoned = (): ImageError => new ImageError('abandoned', 'The request was given up.');

/**
 * The part of this process's time that forecasts may take, and how many ms of it at once: with hundreds of clients in the
 * queue one takes many ms. Beyond it, decisions are rough.
 */
const forecastShare = 0.1;
const maxForecastMs = 50;

/** With more that wait, a single forecast would keep all other requests waiting: its time grows with the square of their number. */
const maxForecastTasks = 64;

/** A task that has run for longer than estimated is assumed to take this part of the estimate more. */
const overtime = 0.25;

export class Scheduler {
  readonly #queue: TaskQueue;
  readonly #maxWaiting: number;
  readonly #now: () => number;
  readonly #clock: SharedClock;
  readonly #durations = new RenderDurations();
  readonly #crowdPace = new CrowdPace();
  readonly #pending = new Map<Task, Pending>();
  readonly #started: Started = new Map();
  /** The time in ms that forecasts may take, as of a moment. */
  #forecastMs = maxForecastMs;
  #forecastAtMs = 0;
  readonly #refusals: Record<RefusalReason, number> = { 'queue-full': 0, 'long-wait': 0, displaced: 0, 'too-late': 0 };

  constructor({ rules, maxWaiting, now = () => performance.now() }: SchedulerOptions) {
    this.#queue = new TaskQueue(rules);
    this.#maxWaiting = maxWaiting;
    this.#now = now;
    this.#clock = new SharedClock(rules.cores);
  }

  /** Number of tasks that run and that wait. */
  load(): ScheduleLoad {
    const of = (size: TaskSize): SizeLoad => ({
      running: this.#queue.running(size),
      waiting: this.#queue.waiting(size),
    });
    return { small: of('small'), large: of('large') };
  }

  /** Whether a task gets the processor time that others leave: it is of the crowd, and others were there within seconds. */
  yields(task: Task): boolean {
    return this.#queue.yields(task);
  }

  /**
   * Throws ImageError `overloaded` where a task yields and would be refused now: asked first, it saves all that is read for a task
   * before it is run.
   */
  requireRoom(task: Task): void {
    if (!this.#queue.yields(task)) return;
    const admission = this.#decideForCrowd(task, this.#now());
    if (admission.kind === 'refused') throw this.#count('long-wait', admission.waitMs);
  }

  /** Numbers of tasks that were refused since the start. */
  refusals(): Readonly<Record<RefusalReason, number>> {
    return { ...this.#refusals };
  }

  /**
   * Runs a task when it is its turn. Throws as `work` does; ImageError `overloaded`, with the estimated wait, where it would
   * not be done in time, and `abandoned` where the signal is aborted before it starts.
   */
  async run<T>(task: Task, signal: AbortSignal, work: () => Promise<T>): Promise<Outcome<T>> {
    if (signal.aborted) throw abandoned();
    this.#admit(task);
    const cancel = (): void => this.#cancel(task);
    signal.addEventListener('abort', cancel, { once: true });
    const started = new Promise<void>((resolve, reject) => {
      this.#pending.set(task, { start: resolve, reject });
    });
    this.#queue.add(task);
    this.#startAll();
    await started.finally(() => signal.removeEventListener('abort', cancel));
    const startedAtMs = this.#now();
    try {
      const result = await work();
      const endedAtMs = this.#now();
      this.#observe(task);
      return { result, queueMs: startedAtMs - task.arrivedAtMs, runMs: endedAtMs - startedAtMs };
    } finally {
      this.#finish(task);
    }
  }

  #readClock(): number {
    return this.#clock.read(this.#now(), this.#started.size);
  }

  #situation(): Situation {
    const sharedMs = this.#readClock();
    const running = [...this.#started].map(([task, sinceMs]): RunningTask => {
      const estimatedMs = this.#durations.msOf(task);
      const msLeft = estimatedMs - (sharedMs - sinceMs);
      return { task, msLeft: msLeft >= -estimatedMs / 100 ? Math.max(0, msLeft) : estimatedMs * overtime };
    });
    return { queue: this.#queue, running, msOf: (task) => this.#durations.msOf(task), nowMs: this.#now() };
  }

  /** Makes way for a new task. Throws ImageError `overloaded` where there is none. */
  #admit(task: Task): void {
    const situation = this.#situation();
    const isFull = this.#waiting() >= this.#maxWaiting;
    if (isFull && !this.#queue.wouldStart(task)) {
      const last = this.#queue.givingWayTo(task);
      if (last === undefined) throw this.#count('queue-full', this.#backlogMs(situation));
      this.#drop({ task: last, waitMs: this.#backlogMs(situation) }, 'displaced');
    }
    const admission = this.#decide(task, situation);
    if (admission.kind === 'refused') throw this.#count('long-wait', admission.waitMs);
    for (const each of admission.displaced) this.#drop(each, 'displaced');
  }

  #waiting(): number {
    return this.#queue.waiting('small') + this.#queue.waiting('large');
  }

  /** Nobody knows what others will leave, so what they left lately decides; where none waits, one is tried, so that this becomes known. */
  #decideForCrowd(task: Task, nowMs: number): Admission {
    if (!this.#queue.crowdWaits) return noneDisplaced;
    const waitMs = this.#crowdPace.msFor(this.#queue.crowdWaitingMs);
    const isInTime = nowMs + (waitMs + this.#crowdPace.msFor(task.ms)) * caution <= task.deadlineAtMs();
    return isInTime ? noneDisplaced : { kind: 'refused', waitMs };
  }

  #decide(task: Task, situation: Situation): Admission {
    const { nowMs } = situation;
    if (this.#queue.yields(task)) return this.#decideForCrowd(task, nowMs);
    const earnedMs = (nowMs - this.#forecastAtMs) * forecastShare;
    this.#forecastMs = Math.min(maxForecastMs, this.#forecastMs + earnedMs);
    this.#forecastAtMs = nowMs;
    if (this.#waiting() > maxForecastTasks)
      return this.#queue.wouldStart(task) ? noneDisplaced : admitRoughly(task, situation);
    if (this.#forecastMs <= 0 && !this.#queue.wouldStart(task)) return admitRoughly(task, situation);
    const admission = admit(task, situation);
    this.#forecastMs -= this.#now() - nowMs;
    return admission;
  }

  /** The time in ms until all that runs and waits is done, if no core is idle. */
  #backlogMs({ queue, running, msOf }: Situation): number {
    let totalMs = 0;
    for (const { msLeft } of running) totalMs += msLeft;
    for (const task of queue.waitingTasks()) totalMs += msOf(task);
    return totalMs / queue.rules.cores;
  }

  #count(reason: RefusalReason, waitMs: number): ImageError {
    this.#refusals[reason]++;
    return refusal(waitMs);
  }

  #drop({ task, waitMs }: Refused, reason: RefusalReason): void {
    if (this.#queue.remove(task)) this.#take(task)?.reject(this.#count(reason, waitMs));
  }

  #cancel(task: Task): void {
    if (!this.#queue.remove(task)) return;
    this.#take(task)?.reject(abandoned());
    // Others may have waited for its memory.
    this.#startAll();
  }

  #take(task: Task): Pending | undefined {
    const pending = this.#pending.get(task);
    this.#pending.delete(task);
    return pending;
  }

  #startAll(): void {
    for (let task = this.#queue.startNext(); task !== undefined; task = this.#queue.startNext()) {
      this.#started.set(task, this.#readClock());
      this.#take(task)?.start();
    }
  }

  /** How long a task took that yielded says nothing of others. */
  #observe(task: Task): void {
    if (this.#queue.yields(task)) {
      this.#crowdPace.observe(task, this.#now());
      return;
    }
    const sinceMs = this.#started.get(task);
    if (sinceMs !== undefined) this.#durations.observe(task, this.#readClock() - sinceMs);
  }

  #finish(task: Task): void {
    this.#readClock();
    this.#started.delete(task);
    this.#queue.finish(task);
    const situation = this.#situation();
    const hopeless = hopelessOnes(situation);
    const waitMs = hopeless.length === 0 ? 0 : this.#backlogMs(situation);
    for (const each of hopeless) this.#drop({ task: each, waitMs }, 'too-late');
    this.#startAll();
  }
}

/** The number of all tasks of a load. */
export const totalOf = (load: ScheduleLoad): SizeLoad => ({
  running: sizes.reduce((sum, size) => sum + load[size].running, 0),
  waiting: sizes.reduce((sum, size) => sum + load[size].waiting, 0),
});
