/** Opens source files, and makes sure that each is the file that a plan was made for until its last byte is read. */
import type { BigIntStats } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { fileChanged, isNoAnswer } from '../image/model/errors.ts';
import type { SourceFile } from '../image/model/image-set.ts';
import { fingerprintOf } from '../storage/fingerprint.ts';
import { storageOf } from '../storage/local-storage.ts';
import type { FileStats, RemoteStorage } from '../storage/storage.ts';
import { type OpenHandle, openFlags, openHandleAtOnce, openInThread } from './open-handle.ts';

function requireSame(file: SourceFile, stats: FileStats): void {
  if (fingerprintOf(stats) !== file.fingerprint) throw fileChanged();
}

function throwChanged(cause: unknown): never {
  throw fileChanged(cause);
}

function throwIfGone(cause: unknown): never {
  if (isNoAnswer(cause)) throw cause;
  throw fileChanged(cause);
}

/** Throws ImageError `changed` where the file is no longer the one that was planned with. */
export async function requireCurrent(file: SourceFile): Promise<void> {
  requireSame(file, await storageOf(file.path).stat(file.path).catch(throwIfGone));
}

/** Reads a byte at a random place of a file, which the kernel rather does not have in memory. Throws ImageError `changed` where the file is gone. */
export async function readOneByte({ path, bytes }: SourceFile): Promise<void> {
  const handle = await open(path, openFlags).catch(throwChanged);
  try {
    await handle.read(Buffer.allocUnsafe(1), 0, 1, Math.floor(Math.random() * bytes));
  } finally {
    await handle.close();
  }
}

/** Runs operations on the disk that holds a file, within the limits of that disk. */
interface Disk {
  /** Whether stats of the file, and opening it, wait for nothing, so that they need no thread. */
  readonly isAtHand: boolean;
  run<T>(operation: () => Promise<T>): Promise<T>;
  /** The same for one of the many reads of a file that is sent. */
  read<T>(operation: () => Promise<T>): Promise<T>;
}

/** A source file that is open; it has to be closed, or its stream read or destroyed. */
export interface OpenedFile {
  /** Its length in bytes. */
  readonly bytes: number;
  /**
   * The bytes from `first` to `last`, read as they are consumed, at most `bufferedBytes` ahead. The stream closes the file.
   * It fails before the last chunk where the file was written to or truncated meanwhile, so that no mixture is complete; a
   * file that another one replaced under its name is read to its end.
   */
  stream(first: number, last: number): Readable;
  /** All of its bytes, which the caller has room for. Closes the file; fails as the stream does. */
  readWhole(): Promise<Buffer>;
  close(): void;
}

const chunkBytes = 64 * 1024;

/** A file that is read as a whole is read in steps of this length, so that other requests have their turn between them. */
const wholeStepBytes = 4 * 2 ** 20;

/** The most that a stream of a file and the socket that it is sent to have in memory, in bytes. */
export const bufferedBytes = 2 * chunkBytes;

/** Opens a file that is still the one that was planned with. Throws ImageError `changed` where it is not. */
export async function openCurrent(file: SourceFile, disk: Disk): Promise<OpenedFile> {
  const atOnce = <T>(operation: () => Promise<T>): Promise<T> => operation();
  const briefly = disk.isAtHand ? atOnce : disk.run;
  const { handle, stats } = await briefly(() => openChecked(file, disk.isAtHand));
  let isOpen = true;
  const close = (): void => {
    if (isOpen) handle.close();
    isOpen = false;
  };
  const requireUnchanged = async (): Promise<void> => {
    if (isWrittenTo(stats, await handle.stat())) throw fileChanged();
  };
  return {
    bytes: file.bytes,
    stream: (first, last) =>
      new FileStream({
        first,
        last,
        chunkBytes,
        close,
        read: (position, length) =>
          disk.read(async () => {
            const bytes = await readAt(handle, position, length);
            if (position + bytes.length > last) await requireUnchanged();
            return bytes;
          }),
      }),
    async readWhole() {
      try {
        const whole = Buffer.allocUnsafeSlow(file.bytes);
        for (let at = 0; at < whole.length; ) {
          const length = Math.min(wholeStepBytes, whole.length - at);
          const bytesRead = await disk.read(() => handle.read(whole, at, length, at));
          if (bytesRead === 0) throw fileChanged();
          at += bytesRead;
        }
        await briefly(requireUnchanged);
        return whole;
      } finally {
        close();
      }
    },
    close,
  };
}

/** What is read of a remote file at a time, in bytes: fewer requests than for chunks of a disk. */
const remoteChunkBytes = 2 ** 20;

/**
 * The same of a file in an object store. Its first bytes are read before it is open, so that a store that fails is noticed
 * while the answer can still be an error.
 */
export async function openRemote(file: SourceFile, storage: RemoteStorage): Promise<OpenedFile> {
  const part = (at: number, length: number) => storage.readPart(file, at, length, 'pixels');
  const start = await part(0, Math.min(remoteChunkBytes, file.bytes));
  const read = async (at: number, length: number): Promise<Buffer> =>
    at + length <= start.length ? start.subarray(at, at + length) : part(at, length);
  const close = (): void => undefined;
  return {
    bytes: file.bytes,
    stream: (first, last) => new FileStream({ first, last, chunkBytes: remoteChunkBytes, close, read }),
    async readWhole() {
      const whole = Buffer.allocUnsafeSlow(file.bytes);
      for (let at = 0; at < whole.length; at += remoteChunkBytes)
        (await read(at, Math.min(remoteChunkBytes, whole.length - at))).copy(whole, at);
      return whole;
    },
    close,
  };
}

async function openChecked(
  { path, fingerprint }: SourceFile,
  isAtHand: boolean,
): Promise<{ handle: OpenHandle; stats: BigIntStats }> {
  const handle = await (isAtHand ? (async () => openHandleAtOnce(path))() : openInThread(path)).catch(throwChanged);
  try {
    const stats = await handle.stat();
    if (fingerprintOf(stats) !== fingerprint) throw fileChanged();
    return { handle, stats };
  } catch (error) {
    handle.close();
    throw error;
  }
}

/** Whether the content of an opened file was changed. To replace it or to delete its name changes only the number of its names. */
function isWrittenTo(before: BigIntStats, after: BigIntStats): boolean {
  if (after.size !== before.size || after.mtimeNs !== before.mtimeNs) return true;
  return after.ctimeNs !== before.ctimeNs && after.nlink >= before.nlink;
}

/** Throws ImageError `changed` at the end of the file. */
async function readAt(handle: OpenHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(length);
  const bytesRead = await handle.read(buffer, 0, length, position);
  if (bytesRead === 0) throw fileChanged();
  return buffer.subarray(0, bytesRead);
}

interface StreamedPart {
  /** What is read at a time, in bytes. */
  readonly chunkBytes: number;
  readonly first: number;
  readonly last: number;
  read(position: number, length: number): Promise<Buffer>;
  close(): void;
}

class FileStream extends Readable {
  readonly #part: StreamedPart;
  #position: number;

  constructor(part: StreamedPart) {
    super({ highWaterMark: part.chunkBytes });
    this.#part = part;
    this.#position = part.first;
  }

  override _read(): void {
    const { last, read, chunkBytes } = this.#part;
    if (this.#position > last) {
      this.push(null);
      return;
    }
    read(this.#position, Math.min(chunkBytes, last + 1 - this.#position)).then(
      (bytes) => {
        this.#position += bytes.length;
        this.push(bytes);
      },
      (error: Error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#part.close();
    callback(error);
  }
}
