/** Files of a storage that is asked for each part of them: the form in which such a storage fulfills the contract. */

import { Readable } from 'node:stream';
import { fileChanged, isNoAnswer } from '../image/model/errors.ts';
import { type ReadUse, readByParts } from './read-steps.ts';
import { type FileVersion, fingerprintOf, type SourceHandle, type Storage, type StoredFile } from './storage.ts';

interface StreamedPart {
  /** What is read at a time, in bytes. */
  readonly chunkBytes: () => number;
  readonly first: number;
  readonly last: number;
  read(position: number, length: number): Promise<Buffer>;
  close(): void;
}

export class FileStream extends Readable {
  readonly #part: StreamedPart;
  #position: number;

  constructor(part: StreamedPart) {
    super({ highWaterMark: part.chunkBytes() });
    this.#part = part;
    this.#position = part.first;
  }

  override _read(): void {
    const { last, read, chunkBytes } = this.#part;
    if (this.#position > last) {
      this.push(null);
      return;
    }
    read(this.#position, Math.min(chunkBytes(), last + 1 - this.#position)).then(
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

/**
 * What is read at a time of a file that is sent, in bytes: each is a request. Files that are sent at the same time share what they may hold, so
 * that clients that read slowly do not fill the memory.
 */
const longestChunkBytes = 4 * 2 ** 20;
const shortestChunkBytes = 2 ** 20;
const sharedChunkBytes = 64 * 2 ** 20;

let openFiles = 0;

const chunkBytes = (): number =>
  Math.max(shortestChunkBytes, Math.min(longestChunkBytes, Math.floor(sharedChunkBytes / Math.max(1, openFiles))));

/** How a storage reads its files. Both throw ImageError `changed` where the path has another version. */
export interface PartReader {
  /** A part that lies within the file, exactly. */
  readRange(file: FileVersion, at: number, length: number, use: ReadUse): Promise<Buffer>;
  withLocalCopy<File extends FileVersion, T>(file: File, work: (copy: File) => Promise<T>): Promise<T>;
  /** Whether there is such a copy. */
  hasLocalCopy(file: FileVersion): Promise<boolean>;
}

/** Throws ImageError `changed` where a path has another version than this one, or none. */
export async function requireCurrent(storage: Storage, { path, fingerprint }: FileVersion): Promise<void> {
  const known = storage.knownStats(path, 'now');
  if (known !== undefined && fingerprintOf(known) === fingerprint) return;
  const { stats } = await storage.follow(path).catch((cause: unknown) => {
    throw isNoAnswer(cause) ? cause : fileChanged(cause);
  });
  if (fingerprintOf(stats) !== fingerprint) throw fileChanged();
}

export function partHandle<File extends FileVersion>(
  storage: Storage,
  file: File,
  reader: PartReader,
): SourceHandle<File> {
  const readRange: SourceHandle['readRange'] = (at, length, use) => reader.readRange(file, at, length, use);
  return {
    localPath: undefined,
    realPath: async () => file.path,
    readRange,
    readSteps: (steps) => readByParts(file.bytes, readRange, steps()),
    readStepsAtOnce: () => undefined,
    withLocalCopy: (work) => reader.withLocalCopy(file, work),
    hasLocalCopy: () => reader.hasLocalCopy(file),
    requireCurrent: () => requireCurrent(storage, file),
    requireAnswer: async () => undefined,
    /** The first bytes are read at once, so that a storage that fails is noticed while the answer can still be an error. */
    async read() {
      const { bytes } = file;
      const start = await readRange(0, bytes > longestChunkBytes ? shortestChunkBytes : bytes, 'pixels');
      let isOpen = true;
      openFiles++;
      const read = async (at: number, length: number): Promise<Buffer> =>
        at < start.length ? start.subarray(at, at + length) : readRange(at, length, 'pixels');
      const close = (): void => {
        if (isOpen) openFiles--;
        isOpen = false;
      };
      return {
        bytes,
        stream: (first, last) => new FileStream({ first, last, chunkBytes, close, read }),
        async readWhole() {
          try {
            const whole = Buffer.allocUnsafeSlow(bytes);
            for (let at = 0; at < bytes; )
              at += (await read(at, Math.min(longestChunkBytes, bytes - at))).copy(whole, at);
            return whole;
          } finally {
            close();
          }
        },
        close,
      };
    },
  };
}

/** `use` of such a storage. */
export async function useByParts<T>(
  storage: Storage,
  path: string,
  work: (file: StoredFile) => Promise<T>,
): Promise<T> {
  const stats = await storage.lstat(path);
  const bytes = Number(stats.size);
  const handle = storage.handle({ path, bytes, fingerprint: fingerprintOf(stats) });
  return work({
    realPath: async () => path,
    stats: async () => stats,
    read: (at, length) => handle.readRange(at, Math.max(0, Math.min(length, bytes - at)), 'directory'),
  });
}
