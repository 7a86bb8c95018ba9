/** A source file on a disk, which is the file that a plan was made for until its last byte is read. */
import type { BigIntStats } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { fileChanged } from '../../image/model/errors.ts';
import { ifFound } from '../file-errors.ts';
import { FileStream, requireCurrent } from '../part-handle.ts';
import { type ReadSteps, type ReadUse, readInTurns } from '../read-steps.ts';
import { type FileVersion, fingerprintOf, type OpenedFile, type SourceHandle, type Storage } from '../storage.ts';
import { type OpenHandle, openAtOnce, openFlags, openInThread } from './open-file.ts';
import type { OpenFiles } from './open-files.ts';

/** How a handle reaches the disk of its file. */
export interface DiskAccess {
  readonly storage: Storage;
  readonly openFiles: OpenFiles;
  /** Whether stats of the file, and opening it, wait for nothing, so that they need no thread. */
  isAtHand(path: string): boolean;
  /** Runs an operation within the limits of the disk that has a path. */
  run<T>(path: string, operation: () => Promise<T>): Promise<T>;
  /** The same for an operation that takes no longer than 5 s where the disk answers. */
  runBriefly<T>(path: string, operation: () => Promise<T>): Promise<T>;
  /** The same for one of the many reads of a file that is sent. */
  runInTurn<T>(path: string, operation: () => Promise<T>): Promise<T>;
}

const chunkBytes = 64 * 1024;

/** The most that a stream of a file and the socket that it is sent to have in memory, in bytes. */
export const bufferedBytes = 2 * chunkBytes;

/** A file that is read as a whole is read in steps of this length, so that other requests have their turn between them. */
const wholeStepBytes = 4 * 2 ** 20;

function throwChanged(cause: unknown): never {
  throw fileChanged(cause);
}

export class DiskHandle<File extends FileVersion> implements SourceHandle<File> {
  readonly #file: File;
  readonly #disk: DiskAccess;

  constructor(file: File, disk: DiskAccess) {
    this.#file = file;
    this.#disk = disk;
  }

  get localPath(): string {
    return this.#file.path;
  }

  realPath(): Promise<string | undefined> {
    return ifFound(realpath(this.#file.path));
  }

  withLocalCopy<T>(work: (copy: File) => Promise<T>): Promise<T> {
    return work(this.#file);
  }

  async hasLocalCopy(): Promise<boolean> {
    return true;
  }

  requireCurrent(): Promise<void> {
    return requireCurrent(this.#disk.storage, this.#file);
  }

  async requireAnswer(): Promise<void> {
    const { path } = this.#file;
    if (!this.#disk.isAtHand(path)) await this.#disk.runBriefly(path, () => readOneByte(this.#file));
  }

  /** On a disk that may hang, steps get their share of the threads. */
  readSteps<T>(steps: () => ReadSteps<T>): Promise<T> {
    const file = this.#file;
    const read = () => this.#disk.openFiles.read(file, ({ handle }) => readInTurns(handle, steps()));
    return this.#disk.isAtHand(file.path) ? read() : this.#disk.run(file.path, read);
  }

  readStepsAtOnce<T>(steps: () => ReadSteps<T>): T | undefined {
    const file = this.#file;
    return this.#disk.isAtHand(file.path) ? this.#disk.openFiles.readAtOnce(file, steps) : undefined;
  }

  async readRange(at: number, length: number, _use: ReadUse): Promise<Buffer> {
    const bytes = await this.readSteps(function* (): ReadSteps<Buffer | undefined> {
      return yield { at, bytes: length };
    });
    if (bytes === undefined) throw fileChanged();
    return bytes;
  }

  async read(): Promise<OpenedFile> {
    const { path, bytes } = this.#file;
    const disk = this.#disk;
    const isAtHand = disk.isAtHand(path);
    const briefly = <T>(operation: () => Promise<T>): Promise<T> =>
      isAtHand ? operation() : disk.run(path, operation);
    const inTurn = <T>(operation: () => Promise<T>): Promise<T> => disk.runInTurn(path, operation);
    const { handle, stats } = await briefly(() => openChecked(this.#file, isAtHand));
    let isOpen = true;
    const close = (): void => {
      if (isOpen) handle.close();
      isOpen = false;
    };
    const requireUnchanged = async (): Promise<void> => {
      if (isWrittenTo(stats, await handle.stat())) throw fileChanged();
    };
    return {
      bytes,
      close,
      stream(first, last) {
        const read = (position: number, length: number): Promise<Buffer> =>
          inTurn(async () => {
            const chunk = await readAt(handle, position, length);
            if (position + chunk.length > last) await requireUnchanged();
            return chunk;
          });
        return new FileStream({ first, last, chunkBytes: () => chunkBytes, close, read });
      },
      async readWhole() {
        try {
          const whole = Buffer.allocUnsafeSlow(bytes);
          for (let at = 0; at < bytes; ) {
            const length = Math.min(wholeStepBytes, bytes - at);
            const bytesRead = await inTurn(() => handle.read(whole, at, length, at));
            if (bytesRead === 0) throw fileChanged();
            at += bytesRead;
          }
          await briefly(requireUnchanged);
          return whole;
        } finally {
          close();
        }
      },
    };
  }
}

/** Reads a byte at a random place of a file, which the kernel rather does not have in memory. */
async function readOneByte({ path, bytes }: FileVersion): Promise<void> {
  const handle = await open(path, openFlags).catch(throwChanged);
  try {
    await handle.read(Buffer.allocUnsafe(1), 0, 1, Math.floor(Math.random() * bytes));
  } finally {
    await handle.close();
  }
}

async function openChecked(
  { path, fingerprint }: FileVersion,
  isAtHand: boolean,
): Promise<{ handle: OpenHandle; stats: BigIntStats }> {
  const handle = await (isAtHand ? (async () => openAtOnce(path))() : openInThread(path)).catch(throwChanged);
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
