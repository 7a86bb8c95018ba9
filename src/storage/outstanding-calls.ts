/** Detects file operations that hang: measures how long the calls of a file system have been outstanding. */
import type { FileSystem } from './file-system.ts';

export class OutstandingCalls {
  /** Start times by call; a map keeps insertion order, so the first is the oldest. */
  readonly #startedMs = new Map<object, number>();

  async watch<T>(call: Promise<T>): Promise<T> {
    const token = {};
    this.#startedMs.set(token, performance.now());
    try {
      return await call;
    } finally {
      this.#startedMs.delete(token);
    }
  }

  /** Whether a call has been outstanding for at least this time. */
  isAnyOlderThan(milliseconds: number): boolean {
    const oldest = this.#startedMs.values().next();
    return !oldest.done && performance.now() - oldest.value >= milliseconds;
  }
}

type Operation = (...values: readonly unknown[]) => Promise<unknown>;

/** The same operations, each of them watched until it returns. */
export function watched(files: FileSystem, calls: OutstandingCalls): FileSystem {
  function watchAll<T extends object>(operations: T): T {
    const entries = Object.entries(operations).map(([name, operation]: [string, Operation]) => [
      name,
      (...values: readonly unknown[]) => calls.watch(operation(...values)),
    ]);
    return Object.fromEntries(entries) as T;
  }
  return {
    ...watchAll(files),
    isAbsent: files.isAbsent,
    openToRead: async (path) => watchAll(await calls.watch(files.openToRead(path))),
    create: async (path) => watchAll(await calls.watch(files.create(path))),
  };
}
