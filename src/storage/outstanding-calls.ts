/** Detects file operations that hang: measures how long the calls of a file system have been outstanding. */
import type { FileSystem, OpenFile } from './file-system.ts';

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

/** The same operations, each of them watched until it returns. */
export function watched(files: FileSystem, calls: OutstandingCalls): FileSystem {
  const watchedFile = (file: OpenFile): OpenFile => ({
    stat: () => calls.watch(file.stat()),
    read: (buffers) => calls.watch(file.read(buffers)),
    write: (bytes) => calls.watch(file.write(bytes)),
    close: () => calls.watch(file.close()),
  });
  return {
    isAbsent: (path) => files.isAbsent(path),
    openToRead: async (path) => watchedFile(await calls.watch(files.openToRead(path))),
    create: async (path) => watchedFile(await calls.watch(files.create(path))),
    createText: (path, text) => calls.watch(files.createText(path, text)),
    append: (path, bytes) => calls.watch(files.append(path, bytes)),
    makeFolder: (path) => calls.watch(files.makeFolder(path)),
    list: (directory) => calls.watch(files.list(directory)),
    lstat: (path) => calls.watch(files.lstat(path)),
    stat: (path) => calls.watch(files.stat(path)),
    rename: (from, to) => calls.watch(files.rename(from, to)),
    unlink: (path) => calls.watch(files.unlink(path)),
    setModified: (path, modifiedMs) => calls.watch(files.setModified(path, modifiedMs)),
  };
}
