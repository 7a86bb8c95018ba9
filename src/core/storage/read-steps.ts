/** Reading in steps: each asks for bytes of a file, from a thread, at once, or from a storage elsewhere. */

import { readSync } from 'node:fs';
import type { StoredBytes } from '../image/model/image-set.ts';

/** The system copies a tile from memory in some 20 µs; a read that takes longer, in ms, has most likely waited for the disk. */
const slowMs = 1;

/** After a slow read there are none for this time in ms, at first and at most: all others wait as long as one takes. */
const firstPauseMs = 20;
const longestPauseMs = 5000;

/** By each read that is not slow the next pause becomes shorter by this factor. */
const recovery = 0.9;

/** Synchronous reads and stats of a local disk, which need no thread: only as long as the system has in memory what is read. */
export class SyncReads {
  readonly #now: () => number;
  #pauseMs = firstPauseMs;
  #pausedUntilMs = Number.NEGATIVE_INFINITY;

  /** `now` is the time in ms. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether the disk may be read without a thread now. */
  get areAllowed(): boolean {
    return this.#now() >= this.#pausedUntilMs;
  }

  /** Reads `length` bytes from `position` of a file into a buffer from `offset` on; the number of bytes that were read. */
  read(fd: number, buffer: Buffer, offset: number, length: number, position: number): number {
    return this.run(() => readSync(fd, buffer, offset, length, position));
  }

  /** The result of a synchronous operation; whether it was slow is remembered, also where it throws. */
  run<T>(operation: () => T): T {
    const startMs = this.#now();
    try {
      return operation();
    } finally {
      this.#observe(this.#now() - startMs);
    }
  }

  #observe(ms: number): void {
    if (ms < slowMs) {
      this.#pauseMs = Math.max(firstPauseMs, this.#pauseMs * recovery);
      return;
    }
    this.#pausedUntilMs = this.#now() + this.#pauseMs;
    this.#pauseMs = Math.min(longestPauseMs, this.#pauseMs * 2);
  }
}

/** What bytes are read for: pixels once; those that say where pixels lie again and again. */
export type ReadUse = 'directory' | 'pixels';

/** Bytes of a file that are needed next. */
interface ReadStep extends StoredBytes {
  /** Number of bytes in the buffer that stay free before them. */
  readonly room?: number;
  /** Whether these are pixels, which are read once; other bytes say where pixels lie, and are needed again. */
  readonly arePixels?: true;
}

/** Asks for bytes, and gets a buffer with them, or undefined where the file ends before. */
export type ReadSteps<T> = Generator<ReadStep, T, Buffer | undefined>;

/** As `FileHandle` of Node has it. */
export interface ReadHandle {
  /** The number of the open file; -1 for parts, which have none. */
  readonly fd: number;
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
}

/** Exactly the bytes of a step, which threads read; undefined where the file ends before. */
export async function readBytes(handle: ReadHandle, { at, bytes, room = 0 }: ReadStep): Promise<Buffer | undefined> {
  const buffer = Buffer.allocUnsafe(room + bytes);
  const { bytesRead } = await handle.read(buffer, room, bytes, at);
  return bytesRead === bytes ? buffer : undefined;
}

/** The result of steps that are taken by threads. Rejects where the disk fails. */
export async function readInTurns<T>(handle: ReadHandle, steps: ReadSteps<T>): Promise<T> {
  let step = steps.next();
  while (!step.done) step = steps.next(await readBytes(handle, step.value));
  return step.value;
}

/** The result of steps on a file of this length, whose parts are read one by one. */
export async function readByParts<T>(
  fileBytes: number,
  readRange: (at: number, length: number, use: ReadUse) => Promise<Buffer>,
  steps: ReadSteps<T>,
): Promise<T> {
  let step = steps.next();
  while (!step.done) {
    const { at, bytes, room = 0, arePixels } = step.value;
    if (at + bytes > fileBytes) {
      step = steps.next(undefined);
      continue;
    }
    const part = await readRange(at, bytes, arePixels ? 'pixels' : 'directory');
    step = steps.next(room === 0 ? part : Buffer.concat([Buffer.allocUnsafe(room), part]));
  }
  return step.value;
}

/** The result of steps that are taken at once. Throws where the disk fails. */
export function readAtOnce<T>(fd: number, steps: ReadSteps<T>, reads: SyncReads): T {
  let step = steps.next();
  while (!step.done) {
    const { at, bytes, room = 0 } = step.value;
    const buffer = Buffer.allocUnsafe(room + bytes);
    step = steps.next(reads.read(fd, buffer, room, bytes, at) === bytes ? buffer : undefined);
  }
  return step.value;
}
