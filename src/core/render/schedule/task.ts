/** A rendering as the queue sees it: what it costs, for whom it is made, and until when. */

/** Small tasks, such as tiles and thumbnails, have slots of their own, so that large ones never make them wait. */
export type TaskSize = 'small' | 'large';

export interface Task {
  readonly size: TaskSize;
  /** Bytes of memory that it needs at most. */
  readonly bytes: number;
  /** Estimated processor time in ms, on one core. */
  readonly ms: number;
  readonly client: string;
  /** The groups of clients that it is in, the outermost first; empty where it is a group of its own. */
  readonly groups: readonly string[];
  /** How much its outermost group, or its client where that is in none, gets beside others: 1 as much as these, 0.5 half of it. */
  readonly weight: number;
  /** The path of the image's folder in the library. */
  readonly folder: string;
  /** The base directory that its file is in; empty where it is in none. */
  readonly root: string;
  /** When it arrived, in ms on the clock of `performance.now()`. */
  readonly arrivedAtMs: number;
  /** On the same clock, in ms; it may become later. */
  deadlineAtMs(): number;
}

export interface ScheduleRules {
  /** Number of tasks that run at once. */
  readonly slots: number;
  /** Of these, the slots that only small tasks take. */
  readonly smallSlots: number;
  /** The slots that small tasks leave to large ones that wait. */
  readonly largeSlots: number;
  /** Bytes of memory of all tasks that run. */
  readonly maxBytes: number;
  /** The part of these, in bytes, that is reserved for small tasks. */
  readonly smallBytes: number;
  /** Processor cores that the tasks share. */
  readonly cores: number;
  /** The roots whose disks may hang, so that none of them takes the last slot. */
  readonly limitedRoots: ReadonlySet<string>;
}

/** The outermost group of a task’s client, or the client where it is in none. */
export const outermostOf = ({ groups: [group], client }: Pick<Task, 'groups' | 'client'>): string => group ?? client;

export const sizes: readonly TaskSize[] = ['small', 'large'];

/** The number of slots that tasks of a size can take at most. */
export const slotsFor = (size: TaskSize, { slots, smallSlots }: ScheduleRules): number =>
  size === 'small' ? slots : slots - smallSlots;
