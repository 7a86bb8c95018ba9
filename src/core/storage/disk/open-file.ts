/** Opens a file of a disk: in a thread, or at once where only its bytes can have to be waited for. */
import { type BigIntStats, closeSync, constants, fstatSync, openSync, read, readlinkSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { SyncReads } from '../read-steps.ts';
import type { StoredFile } from '../storage.ts';
import { descriptorPath, pinPath, unlessDeleted } from './pinned-path.ts';

const readInThread = promisify(read);

/** A named pipe in place of a file must not be waited for. */
export const openFlags = constants.O_RDONLY | constants.O_NONBLOCK;

/** A descriptor of an open file. */
export interface OpenHandle {
  /** Reads into a buffer from `offset` on; resolves to the number of bytes that were read. */
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<number>;
  stat(): Promise<BigIntStats>;
  close(): void;
}

const handleOf = (handle: FileHandle): OpenHandle => ({
  read: async (...part) => (await handle.read(...part)).bytesRead,
  stat: () => handle.stat({ bigint: true }),
  close: () => void handle.close().catch(() => undefined),
});

const closedBefore = (): Error => new Error('The file was closed before this read.');

export const openInThread = async (path: string): Promise<OpenHandle> => handleOf(await open(path, openFlags));

/**
 * For a file on a disk of this machine whose name and stats the system has in memory. After `close` all else fails, also where its caller
 * waited for a turn meanwhile: the number of the descriptor may be that of another file or of a connection.
 */
export function openAtOnce(path: string): OpenHandle & { readonly fd: number } {
  const fd = openSync(path, openFlags);
  let reading = 0;
  let isClosed = false;
  const openFd = (): number => {
    if (isClosed) throw closedBefore();
    return fd;
  };
  return {
    get fd() {
      return openFd();
    },
    async read(...part) {
      const open = openFd();
      reading++;
      try {
        return (await readInThread(open, ...part)).bytesRead;
      } finally {
        if (--reading === 0 && isClosed) closeSync(fd);
      }
    },
    stat: async () => fstatSync(openFd(), { bigint: true }),
    close() {
      if (isClosed) return;
      isClosed = true;
      // A thread may be reading: it has to find the same file.
      if (reading === 0) closeSync(fd);
    },
  };
}

/** A longer part is not read without a thread: 256 KiB take 0.1 ms where the system has them in memory. */
const maxSyncBytes = 256 * 1024;

/** Fills a buffer as far as the file goes. */
async function readAt(handle: Pick<OpenHandle, 'read'>, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const bytesRead = await handle.read(buffer, filled, length - filled, at + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** The result of `work` on a file that the system most likely has in memory, which is opened and read without a thread. */
export async function useAtOnce<T>(path: string, reads: SyncReads, work: (file: StoredFile) => Promise<T>): Promise<T> {
  const handle = openAtOnce(path);
  try {
    return await work({
      realPath: async () => unlessDeleted(readlinkSync(descriptorPath(handle))),
      stats: () => handle.stat(),
      async read(at, length) {
        if (length > maxSyncBytes) return readAt(handle, at, length);
        const buffer = Buffer.allocUnsafe(length);
        return buffer.subarray(0, reads.read(handle.fd, buffer, 0, length, at));
      },
    });
  } finally {
    handle.close();
  }
}

/** The same with threads. Nothing is opened that can be read from before something is read. */
export async function useInThreads<T>(path: string, work: (file: StoredFile) => Promise<T>): Promise<T> {
  const pinned = await pinPath(path);
  let opening: Promise<OpenHandle> | undefined;
  let isOver = false;
  try {
    return await work({
      realPath: async () => pinned.real,
      stats: async () => (opening === undefined ? pinned.stats : (await opening).stat()),
      async read(at, length) {
        if (isOver) throw closedBefore();
        opening ??= openInThread(pinned.readPath);
        return readAt(await opening, at, length);
      },
    });
  } finally {
    isOver = true;
    await Promise.all([pinned.close(), opening?.then((handle) => handle.close()).catch(() => undefined)]);
  }
}
