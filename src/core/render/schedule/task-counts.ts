/** Counts the tasks that run, by size, client, folder and root, and their bytes. */
import { sizes, type Task, type TaskSize } from './task.ts';

export const ownerKinds = ['client', 'folder', 'root'] as const;

export type OwnerKind = (typeof ownerKinds)[number];

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

export class TaskCounts {
  readonly #counts: Readonly<Record<TaskSize, SizeCounts>>;

  constructor(small = new SizeCounts(), large = new SizeCounts()) {
    this.#counts = { small, large };
  }

  copy(): TaskCounts {
    return new TaskCounts(new SizeCounts(this.#counts.small), new SizeCounts(this.#counts.large));
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
    for (const kind of ownerKinds) {
      const count = (counts.owned[kind].get(task[kind]) ?? 0) + sign;
      if (count === 0) counts.owned[kind].delete(task[kind]);
      else counts.owned[kind].set(task[kind], count);
    }
  }
}
