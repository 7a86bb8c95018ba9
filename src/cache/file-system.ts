/** The few file operations that the cache needs, so that a test can make them fail, and a watch over those that hang. */
import { constants, type Dirent, lstatSync, type Stats } from 'node:fs';
import { lstat, lutimes, mkdir, open, readdir, rename, unlink, writeFile } from 'node:fs/promises';

/** An open file. Positions are those of the file itself: each call goes on where the last one ended. */
export interface OpenFile {
  stat(): Promise<Stats>;
  /** Fills the buffers in their order; resolves to the number of bytes, 0 at the file’s end. */
  read(buffers: readonly Buffer[]): Promise<number>;
  /** Resolves to the number of bytes written, which may be fewer than were given. */
  write(bytes: Buffer): Promise<number>;
  close(): Promise<void>;
}

/** File operations by absolute path; each rejects with the error of node:fs. */
export interface FileSystem {
  /** Whether it is certain, and seen at once, that nothing is at a path; false also where it can't be told. */
  isAbsent(path: string): boolean;
  /** Opens what is there, never through a symbolic link and without waiting for the other end of a pipe. */
  openToRead(path: string): Promise<OpenFile>;
  /** Makes a file that must not be there yet. */
  create(path: string): Promise<OpenFile>;
  /** Writes a small text file that must not be there yet. */
  createText(path: string, text: string): Promise<void>;
  /** Makes a folder and those above it; none of them needs to be missing. */
  makeFolder(path: string): Promise<void>;
  list(directory: string): Promise<readonly Dirent[]>;
  lstat(path: string): Promise<Stats>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Sets the modification time, in milliseconds since 1970. */
  setModified(path: string, modifiedMs: number): Promise<void>;
}

async function openFile(path: string, flags: number): Promise<OpenFile> {
  // Pictures that only some may see are kept here too, so nobody but the server’s own user reads them.
  const handle = await open(path, flags, 0o600);
  return {
    stat: () => handle.stat(),
    read: async (buffers) => (await handle.readv(buffers)).bytesRead,
    write: async (bytes) => (await handle.write(bytes)).bytesWritten,
    close: () => handle.close(),
  };
}

function isAbsent(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

export const nodeFileSystem: FileSystem = {
  isAbsent,
  openToRead: (path) => openFile(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK),
  create: (path) => openFile(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL),
  createText: (path, text) => writeFile(path, text, { flag: 'wx' }),
  makeFolder: async (path) => {
    await mkdir(path, { recursive: true, mode: 0o700 });
  },
  list: (directory) => readdir(directory, { withFileTypes: true }),
  lstat: (path) => lstat(path),
  rename: (from, to) => rename(from, to),
  unlink: (path) => unlink(path),
  setModified: (path, modifiedMs) => lutimes(path, modifiedMs / 1000, modifiedMs / 1000),
};

/** The calls that have not returned yet. */
export class OutstandingCalls {
  /** Start times by call; a map keeps its order, so the first is the oldest. */
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
    makeFolder: (path) => calls.watch(files.makeFolder(path)),
    list: (directory) => calls.watch(files.list(directory)),
    lstat: (path) => calls.watch(files.lstat(path)),
    rename: (from, to) => calls.watch(files.rename(from, to)),
    unlink: (path) => calls.watch(files.unlink(path)),
    setModified: (path, modifiedMs) => calls.watch(files.setModified(path, modifiedMs)),
  };
}

/** The code of a file operation’s error, such as `ENOENT`. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;
