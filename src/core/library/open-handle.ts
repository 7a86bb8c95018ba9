/** Opens a file of a disk: in a thread, or at once where only its bytes can have to be waited for. */
import { type BigIntStats, closeSync, constants, fstatSync, openSync, read } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';

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

export const openInThread = async (path: string): Promise<OpenHandle> => handleOf(await open(path, openFlags));

/** For a file on a disk of this machine whose name and stats the system has in memory. */
export function openHandleAtOnce(path: string): OpenHandle {
  const descriptor = openSync(path, openFlags);
  let reading = 0;
  let isClosed = false;
  return {
    async read(...part) {
      reading++;
      try {
        return (await readInThread(descriptor, ...part)).bytesRead;
      } finally {
        if (--reading === 0 && isClosed) closeSync(descriptor);
      }
    },
    stat: async () => fstatSync(descriptor, { bigint: true }),
    close() {
      isClosed = true;
      // A number that is closed may be that of another file before a thread has read from it.
      if (reading === 0) closeSync(descriptor);
    },
  };
}
