/** Synchronous reads and stats of a local disk, which need no thread: only as long as the system has in memory what is read. */
import { readSync } from 'node:fs';

/** The system copies a tile from memory in some 20 µs; a read that takes longer, in ms, has most likely waited for the disk. */
const slowMs = 1;

/** The same for a process that may wait: one at low priority waits as often for a processor. */
const slowMsOfWaiting = 5;

/** After a slow read there are none for this time in ms, at first and at most: all others wait as long as one takes. */
const firstPauseMs = 20;
const longestPauseMs = 5000;

/** By each read that is not slow the next pause becomes shorter by this factor. */
const recovery = 0.9;

export interface SyncReadOptions {
  /** The time in ms. */
  readonly now?: () => number;
  /**
   * Whether a slow read makes only this process wait, which answers no requests. Then the pause never becomes longer: most
   * slow reads of a process at low priority are slow since others run, and threads would take more processor time.
   */
  readonly mayWait?: boolean;
}

export class SyncReads {
  readonly #now: () => number;
  readonly #slowMs: number;
  readonly #longestPauseMs: number;
  #pauseMs = firstPauseMs;
  #pausedUntilMs = Number.NEGATIVE_INFINITY;

  constructor({ now = () => performance.now(), mayWait = false }: SyncReadOptions = {}) {
    this.#now = now;
    this.#slowMs = mayWait ? slowMsOfWaiting : slowMs;
    this.#longestPauseMs = mayWait ? firstPauseMs : longestPauseMs;
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
    if (ms < this.#slowMs) {
      this.#pauseMs = Math.max(firstPauseMs, this.#pauseMs * recovery);
      return;
    }
    this.#pausedUntilMs = this.#now() + this.#pauseMs;
    this.#pauseMs = Math.min(this.#longestPauseMs, this.#pauseMs * 2);
  }
}

/** The reads of each of these devices. */
export const syncReadsOf = (
  devices: ReadonlySet<bigint>,
  options: SyncReadOptions = {},
): ReadonlyMap<bigint, SyncReads> => new Map([...devices].map((device) => [device, new SyncReads(options)]));
