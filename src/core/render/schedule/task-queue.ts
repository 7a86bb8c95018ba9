/**
 * Decides which task runs next: reserved slots, a budget of memory, and fairness among clients, folders and roots. It has no
 * effects and no clock, so that the same decisions can be made ahead, on a copy.
 */
import { isOfCrowd } from '../../image/model/share.ts';
import { compareTurns, FairTurns, type Turn } from './fair-turns.ts';
import { outermostOf, type ScheduleRules, sizes, slotsFor, type Task, type TaskSize } from './task.ts';

/** Of whom tasks are counted: of clients those that are in no group, and groups as a whole. */
export const ownerKinds = ['client', 'folder', 'root'] as const;

export type OwnerKind = (typeof ownerKinds)[number];

const ownerOf = (task: Task, kind: OwnerKind): string => (kind === 'client' ? outermostOf(task) : task[kind]);

const sharesOf = ({ groups, client }: Task): readonly string[] => [...groups, client];

/** The tasks of one size. */
class SizeCounts {
  tasks = 0;
  bytes = 0;
  readonly owned: Readonly<Record<OwnerKind, Map<string, number>>>;

  constructor(other?: SizeCounts) {
    this.tasks = other?.tasks ?? 0;
    this.bytes = other?.bytes ?? 0;
    const { client, folder, root } = other?.owned ?? {};
    this.owned = { client: new Map(client), folder: new Map(folder), root: new Map(root) };
  }
}

/** For so long after the last task of anyone else, in ms, the crowd leaves room for the next one: readers look at what they got. */
const othersStayMs = 10_000;

/** When clients that are not of the crowd were last seen: the latest one, and the latest other one, since nobody yields to themselves. */
class OthersSeen {
  #latest = { client: '', atMs: Number.NEGATIVE_INFINITY };
  #beforeAtMs = Number.NEGATIVE_INFINITY;

  copy(): OthersSeen {
    const copy = new OthersSeen();
    copy.#latest = this.#latest;
    copy.#beforeAtMs = this.#beforeAtMs;
    return copy;
  }

  note({ client, arrivedAtMs: atMs }: Task): void {
    const isLatest = atMs >= this.#latest.atMs;
    if (client !== this.#latest.client)
      this.#beforeAtMs = Math.max(this.#beforeAtMs, isLatest ? this.#latest.atMs : atMs);
    if (isLatest) this.#latest = { client, atMs };
  }

  /** When someone else than a client was last seen, in ms on the clock of the tasks. */
  lastBeside(client: string): number {
    return client === this.#latest.client ? this.#beforeAtMs : this.#latest.atMs;
  }
}

export class TaskCounts {
  /** Those of the crowd. */
  crowd: readonly Task[] = [];
  readonly #counts: Readonly<Record<TaskSize, SizeCounts>>;

  constructor(small = new SizeCounts(), large = new SizeCounts()) {
    this.#counts = { small, large };
  }

  copy(): TaskCounts {
    const copy = new TaskCounts(new SizeCounts(this.#counts.small), new SizeCounts(this.#counts.large));
    copy.crowd = this.crowd;
    return copy;
  }

  get total(): number {
    return sizes.reduce((total, size) => total + this.#counts[size].tasks, 0);
  }

  of(size: TaskSize): number {
    return this.#counts[size].tasks;
  }

  bytesOf(size: TaskSize): number {
    return this.#counts[size].bytes;
  }

  /** The number of tasks of a size that belong to a client, folder or root. */
  ownedBy(kind: OwnerKind, owner: string, size: TaskSize): number {
    return this.#counts[size].owned[kind].get(owner) ?? 0;
  }

  add(task: Task): void {
    this.#count(task, 1);
  }

  remove(task: Task): void {
    this.#count(task, -1);
  }

  #count(task: Task, sign: 1 | -1): void {
    const counts = this.#counts[task.size];
    counts.tasks += sign;
    counts.bytes += sign * task.bytes;
    if (isOfCrowd(task)) this.crowd = sign === 1 ? [...this.crowd, task] : this.crowd.filter((one) => one !== task);
    for (const kind of ownerKinds) {
      const owner = ownerOf(task, kind);
      const count = (counts.owned[kind].get(owner) ?? 0) + sign;
      if (count === 0) counts.owned[kind].delete(owner);
      else counts.owned[kind].set(owner, count);
    }
  }
}

/** Tasks that wait, in the order of their arrival, by client, root and folder. */
type Waiting = Map<string, Task[]>;

const groupOf = ({ groups, client, root, folder }: Task): string => JSON.stringify([groups, client, root, folder]);

/** A task that may be next. */
interface Candidate {
  readonly excess: number;
  readonly turn: Turn;
  readonly task: Task;
}

function isBefore(one: Candidate, other: Candidate): boolean {
  if (one.excess !== other.excess) return one.excess < other.excess;
  const order = compareTurns(one.turn, other.turn);
  return order !== 0 ? order < 0 : one.task.arrivedAtMs < other.task.arrivedAtMs;
}

const copyOf = (waiting: Waiting): Waiting => new Map([...waiting].map(([group, tasks]) => [group, [...tasks]]));

export class TaskQueue {
  readonly rules: ScheduleRules;
  #waiting: Record<TaskSize, Waiting> = { small: new Map(), large: new Map() };
  #waitingCounts: Record<TaskSize, number> = { small: 0, large: 0 };
  /** How many of those that wait are not of the crowd, and the estimated time in ms of those that are. */
  #othersWaiting = 0;
  #crowdMs = 0;
  /** When the last task came, in ms on the clock of the tasks, and those that are not of the crowd. */
  #lastAtMs = 0;
  #others = new OthersSeen();
  #counts = new TaskCounts();
  #turns: Record<TaskSize, FairTurns> = { small: new FairTurns(), large: new FairTurns() };

  constructor(rules: ScheduleRules) {
    this.rules = rules;
  }

  copy(): TaskQueue {
    const copy = new TaskQueue(this.rules);
    copy.#waiting = { small: copyOf(this.#waiting.small), large: copyOf(this.#waiting.large) };
    copy.#waitingCounts = { ...this.#waitingCounts };
    copy.#othersWaiting = this.#othersWaiting;
    copy.#crowdMs = this.#crowdMs;
    copy.#lastAtMs = this.#lastAtMs;
    copy.#others = this.#others.copy();
    copy.#counts = this.#counts.copy();
    copy.#turns = { small: this.#turns.small.copy(), large: this.#turns.large.copy() };
    return copy;
  }

  running(size: TaskSize): number {
    return this.#counts.of(size);
  }

  waiting(size: TaskSize): number {
    return this.#waitingCounts[size];
  }

  /** Whether tasks of the crowd wait. */
  get crowdWaits(): boolean {
    return this.#waitingCounts.small + this.#waitingCounts.large > this.#othersWaiting;
  }

  /** The estimated time in ms of all tasks of the crowd that wait. */
  get crowdWaitingMs(): number {
    return this.#crowdMs;
  }

  /** Whether a task is of the crowd, and other clients that are not had tasks within seconds before it, or before the last task. */
  yields(task: Task): boolean {
    const nowMs = Math.max(this.#lastAtMs, task.arrivedAtMs);
    return isOfCrowd(task) && nowMs - this.#others.lastBeside(task.client) <= othersStayMs;
  }

  /** The tasks that wait, in no particular order. */
  *waitingTasks(): Generator<Task> {
    for (const size of sizes) for (const tasks of this.#waiting[size].values()) yield* tasks;
  }

  /**
   * The task that gives way to a new one where no more can wait: the last of those who have the most tasks that wait; undefined
   * where these are those of the new one, or have hardly more than these.
   */
  givingWayTo(added: Task): Task | undefined {
    const waiting = new Map<string, Task[]>();
    for (const task of this.waitingTasks()) {
      const owner = outermostOf(task);
      const tasks = waiting.get(owner);
      if (tasks === undefined) waiting.set(owner, [task]);
      else tasks.push(task);
    }
    const own = waiting.get(outermostOf(added))?.length ?? 0;
    const most = [...waiting.values()].reduce((one, other) => (other.length > one.length ? other : one), []);
    if (most.length <= own + 1) return undefined;
    return most.reduce((one, other) => (other.arrivedAtMs >= one.arrivedAtMs ? other : one));
  }

  add(task: Task): void {
    const waiting = this.#waiting[task.size];
    const group = groupOf(task);
    const tasks = waiting.get(group);
    if (tasks === undefined) waiting.set(group, [task]);
    else tasks.push(task);
    this.#waitingCounts[task.size]++;
    this.#lastAtMs = Math.max(this.#lastAtMs, task.arrivedAtMs);
    if (isOfCrowd(task)) {
      this.#crowdMs += task.ms;
      return;
    }
    this.#othersWaiting++;
    this.#others.note(task);
  }

  /** Removes a task that waits; false where it does not. */
  remove(task: Task): boolean {
    const waiting = this.#waiting[task.size];
    const group = groupOf(task);
    const tasks = waiting.get(group) ?? [];
    const index = tasks.indexOf(task);
    if (index === -1) return false;
    tasks.splice(index, 1);
    if (tasks.length === 0) waiting.delete(group);
    this.#waitingCounts[task.size]--;
    if (isOfCrowd(task)) this.#crowdMs -= task.ms;
    else this.#othersWaiting--;
    return true;
  }

  /** Takes the task that starts now from those that wait; undefined where none can start. */
  startNext(): Task | undefined {
    const task = this.#next();
    if (task === undefined) return undefined;
    this.remove(task);
    this.#counts.add(task);
    this.#turns[task.size].start(sharesOf(task), task.ms, task.weight);
    return task;
  }

  /** Whether a task that does not wait yet would be the next to start. */
  wouldStart(task: Task): boolean {
    this.add(task);
    const isNext = this.#next() === task;
    this.remove(task);
    return isNext;
  }

  #next(): Task | undefined {
    if (this.#counts.total >= this.rules.slots) return undefined;
    const large = this.#choose('large');
    return this.#chooseSmall(large) ?? (this.#canStartLarge(large) ? large : undefined);
  }

  /** Ends a task that was started. */
  finish(task: Task): void {
    const { size } = task;
    this.#counts.remove(task);
    if (this.#counts.of(size) + this.#waitingCounts[size] === 0) this.#turns[size].reset();
  }

  /** Small tasks have priority, but leave some slots to large ones that wait, and most to one that waits for memory. */
  #chooseSmall(large: Task | undefined): Task | undefined {
    const { slots, smallSlots, largeSlots } = this.rules;
    const running = this.#counts.of('small');
    if (running >= smallSlots && large !== undefined) {
      const isFree = this.#canStartLarge(large) ? running < slots - largeSlots : this.#hasMemoryFor(large);
      if (!isFree) return undefined;
    }
    const task = this.#choose('small');
    return task !== undefined && this.#hasMemoryFor(task) ? task : undefined;
  }

  #canStartLarge(task: Task | undefined): boolean {
    const isFree = this.#counts.of('large') < slotsFor('large', this.rules);
    return task !== undefined && isFree && this.#hasMemoryFor(task);
  }

  /** Whether all tasks fit into memory with this one, and the part that is reserved for small ones stays free. */
  #hasMemoryFor({ size, bytes }: Task): boolean {
    const { maxBytes, smallBytes } = this.rules;
    const small = this.#counts.bytesOf('small') + (size === 'small' ? bytes : 0);
    const large = this.#counts.bytesOf('large') + (size === 'large' ? bytes : 0);
    return Math.max(small, smallBytes) + large <= maxBytes;
  }

  /** The next task of a size: of the client whose turn it is, but first of those with no more than their share of slots. */
  #choose(size: TaskSize): Task | undefined {
    let best: Candidate | undefined;
    for (const [task] of this.#waiting[size].values()) {
      if (task === undefined || this.#isRootFull(task) || (this.yields(task) && !this.#isIdleFor(task))) continue;
      const turn = this.#turns[size].turnOf(sharesOf(task));
      const candidate = { task, excess: this.#excessOf(task), turn };
      if (best === undefined || isBefore(candidate, best)) best = candidate;
    }
    return best?.task;
  }

  /**
   * Whether a core is idle for a task that yields. A slot that is taken is not given back before its picture is made, so beside others
   * the crowd has half of the cores at most, and no more than the tasks of others leave idle. Those of less weight don’t count: a document
   * for a partner does not wait for the picture of a stranger.
   */
  #isIdleFor({ weight }: Task): boolean {
    if (this.#othersWaiting > 0) return false;
    const { cores } = this.rules;
    const { total, crowd } = this.#counts;
    const lesser = crowd.filter((one) => one.weight < weight).length;
    return total - lesser < cores && crowd.length - lesser < Math.max(1, cores / 2);
  }

  #halfOf({ size }: Task): number {
    return Math.ceil(slotsFor(size, this.rules) / 2);
  }

  /** In how many ways a task is of someone who has half of the slots already. */
  #excessOf(task: Task): number {
    const { size } = task;
    const share = this.#halfOf(task);
    let excess = 0;
    for (const kind of ownerKinds) if (this.#counts.ownedBy(kind, ownerOf(task, kind), size) >= share) excess++;
    return excess;
  }

  /** Whether a root whose disk may hang has all slots but one: then the others go on. */
  #isRootFull({ root, size }: Task): boolean {
    if (!this.rules.limitedRoots.has(root)) return false;
    const small = this.#counts.ownedBy('root', root, 'small');
    const large = this.#counts.ownedBy('root', root, 'large');
    if (small + large >= this.rules.slots - 1) return true;
    return size === 'large' && large >= Math.max(1, slotsFor('large', this.rules) - 1);
  }
}
