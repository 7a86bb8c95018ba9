/** Synchronous reads and stats of a local disk, which need no thread: only as long as the system has in memory what is read. */
import { readSync } from 'node:fs';

/** The system copies a tile from memory in some 20 µs; a read that takes longer, in ms, has most likely waited for the disk. */
const slowMs = 1;

/** After a slow read there are none for this time in ms, at first and at most: all others wait as long as one takes. */
const firstPauseMs = 20;
const longestPauseMs = 5000;

/** By each read that is not slow the next pause becomes shorter by this factor. */
const recovery = 0.9;

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
