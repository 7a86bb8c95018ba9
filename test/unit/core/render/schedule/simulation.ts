/** Runs the scheduler on a virtual machine with a virtual clock, and records what becomes of each task. */
import { ImageError } from '../../../../../src/core/image/model/errors.ts';
import { type RefusalReason, Scheduler } from '../../../../../src/core/render/schedule/scheduler.ts';
import type { ScheduleRules, Task, TaskSize } from '../../../../../src/core/render/schedule/task.ts';

/** A task to come; times in ms from the beginning. */
export interface Order {
  readonly atMs: number;
  readonly size: TaskSize;
  /** The processor time that it really takes; estimated as `estimatedMs`, or right. */
  readonly ms: number;
  readonly estimatedMs?: number;
  readonly bytes: number;
  readonly client: string;
  readonly groups?: readonly string[];
  readonly weight?: number;
  readonly folder?: string;
  readonly root?: string;
  /** How long after its arrival it has to be done; never by default. */
  readonly withinMs?: number;
  /** How long after its arrival the client goes away, if it does. */
  readonly leavesAfterMs?: number;
}

export interface Fate {
  readonly order: Order;
  outcome: 'done' | 'refused' | 'abandoned' | 'waiting' | 'running';
  retryAfterS?: number;
  startedAtMs?: number;
  /** When it was done, refused or abandoned. */
  endedAtMs?: number;
  /** Whether it was refused when it came; several tasks may come at the same time. */
  refusedOnArrival?: boolean;
}

/** What runs and waits between two events. */
export interface Moment {
  readonly nowMs: number;
  readonly running: readonly Order[];
  readonly waiting: readonly Order[];
}

interface Running {
  readonly fate: Fate;
  msLeft: number;
  readonly end: () => void;
}

/** Lets all promises that are resolved take effect. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

class Machine {
  nowMs = 0;
  /** Number of events until now. */
  events = 0;
  readonly running = new Set<Running>();
  readonly #cores: number;

  constructor(cores: number) {
    this.#cores = cores;
  }

  get speed(): number {
    return Math.min(1, this.#cores / Math.max(1, this.running.size));
  }

  get first(): Running | undefined {
    return [...this.running].sort((one, other) => one.msLeft - other.msLeft)[0];
  }

  advanceTo(nowMs: number): void {
    const done = (nowMs - this.nowMs) * this.speed;
    for (const each of this.running) each.msLeft -= done;
    this.nowMs = nowMs;
  }
}

/** Brings a task to the scheduler, and records its fate. */
function bring(order: Order, scheduler: Scheduler, machine: Machine, signal: AbortSignal): Fate {
  const fate: Fate = { order, outcome: 'waiting' };
  const arrival = machine.events;
  const { atMs, size, ms, estimatedMs = ms, bytes, client, groups = [], weight = 1, withinMs = Infinity } = order;
  const { folder = 'a', root = '' } = order;
  const task: Task = {
    ...{ size, ms: estimatedMs, bytes, client, groups, weight, folder, root },
    arrivedAtMs: atMs,
    deadlineAtMs: () => atMs + withinMs,
  };
  const work = (): Promise<void> => {
    fate.outcome = 'running';
    fate.startedAtMs = machine.nowMs;
    return new Promise((resolve) => {
      const running: Running = {
        fate,
        msLeft: ms,
        end: () => {
          machine.running.delete(running);
          fate.endedAtMs = machine.nowMs;
          resolve();
        },
      };
      machine.running.add(running);
    });
  };
  scheduler.run(task, signal, work).then(
    () => {
      fate.outcome = 'done';
    },
    (error: unknown) => {
      if (!(error instanceof ImageError)) throw error;
      fate.outcome = error.code === 'overloaded' ? 'refused' : 'abandoned';
      fate.endedAtMs = machine.nowMs;
      fate.refusedOnArrival = machine.events === arrival;
      if (error.retryAfterS !== undefined) fate.retryAfterS = error.retryAfterS;
    },
  );
  return fate;
}

export interface Simulated {
  readonly fates: readonly Fate[];
  readonly refusals: Readonly<Record<RefusalReason, number>>;
}

interface Event {
  readonly atMs: number;
  run(): void;
}

/** Runs all orders to their ends. `onMoment` is called after each event. */
export async function simulate(
  orders: readonly Order[],
  rules: ScheduleRules,
  onMoment: (moment: Moment) => void = () => undefined,
  maxWaiting = 1000,
): Promise<Simulated> {
  const machine = new Machine(rules.cores);
  const scheduler = new Scheduler({ rules, maxWaiting, now: () => machine.nowMs });
  const fates: Fate[] = [];
  const leave = (order: Order, controller: AbortController): readonly Event[] =>
    [order.withinMs, order.leavesAfterMs]
      .filter((ms) => ms !== undefined && Number.isFinite(ms))
      .map((ms) => ({ atMs: order.atMs + (ms ?? 0), run: () => controller.abort() }));
  const events = orders
    .flatMap((order): readonly Event[] => {
      const controller = new AbortController();
      const arrival = {
        atMs: order.atMs,
        run: () => void fates.push(bring(order, scheduler, machine, controller.signal)),
      };
      return [arrival, ...leave(order, controller)];
    })
    .sort((one, other) => one.atMs - other.atMs);
  for (;;) {
    const first = machine.first;
    const endAtMs = first === undefined ? Infinity : machine.nowMs + first.msLeft / machine.speed;
    const [event] = events;
    machine.events++;
    if (event === undefined && first === undefined) break;
    if (event !== undefined && event.atMs < endAtMs) {
      machine.advanceTo(event.atMs);
      event.run();
      events.shift();
    } else {
      machine.advanceTo(endAtMs);
      first?.end();
    }
    await settle();
    const of = (outcome: Fate['outcome']) => fates.filter((fate) => fate.outcome === outcome).map(({ order }) => order);
    onMoment({ nowMs: machine.nowMs, running: of('running'), waiting: of('waiting') });
  }
  return { fates, refusals: scheduler.refusals() };
}
