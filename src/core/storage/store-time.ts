/** How long one HTTP request waits for remote storages, all of its operations together. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { ImageError, type ImageErrorOptions } from '../image/model/errors.ts';

/**
 * A request that waits for a storage for longer than this, in ms, is answered without it. Once its answer is being sent, which
 * may take any time, each operation has this time.
 */
const maxWaitMs = 4000;

/** Work that consists of many parts is awaited further while one of them arrived within this time, in ms. */
const headwayMs = 1000;

/** What follows such work has this time, in ms. */
const afterwardsMs = 2000;

/** The error where a storage takes too long. */
export const storeLate = (options?: ImageErrorOptions): ImageError =>
  new ImageError('store-late', 'The object store does not answer in time; ask again later.', options);

/** The time in which a request waits; operations that run at the same time count once. */
class WaitedTime {
  readonly #hasBegun: () => boolean;
  #spentMs = 0;
  #running = 0;
  #sinceMs = 0;

  constructor(hasBegun: () => boolean) {
    this.#hasBegun = hasBegun;
  }

  begin(): void {
    if (this.#running++ === 0) this.#sinceMs = performance.now();
  }

  end(): void {
    if (--this.#running === 0) this.#spentMs += performance.now() - this.#sinceMs;
  }

  /** Leaves a while for what follows work that was done after all the time, since its parts kept arriving. */
  leaveTime(): void {
    if (this.#spentMs > maxWaitMs) this.#spentMs = maxWaitMs - afterwardsMs;
  }

  /** For an operation that began at this time, in ms; negative where it is over. To be asked between `begin` and `end`. */
  leftMs(startMs: number): number {
    const nowMs = performance.now();
    return maxWaitMs - (this.#hasBegun() ? nowMs - startMs : this.#spentMs + nowMs - this.#sinceMs);
  }
}

const current = new AsyncLocalStorage<WaitedTime>();

/** Runs the work for a request, which shares one time for all that it waits for until its answer has begun. */
export const withStoreTime = (run: () => void, hasBegun: () => boolean): void =>
  current.run(new WaitedTime(hasBegun), run);

/** Runs work that no request waits for, such as building a pyramid, without the bound of the request that began it. */
export const withoutStoreTime = <T>(run: () => T): T => current.exit(run);

/** Whether there is a request that waits for storages for a bounded time. */
export const isTimeBounded = (): boolean => current.getStore() !== undefined;

/**
 * The result of an operation on a storage, for a request. Rejects with ImageError `store-late` when the request has waited for
 * all of its operations for 4 s, or for this one while its answer is being sent; the operation itself goes on, since others may wait for it too. `lastPartMs` says when the
 * latest part of longer work arrived, on the clock of `performance.now()`: such work is awaited for 1 s more after each part.
 */
export async function waitForStore<T>(work: Promise<T>, lastPartMs: () => number = () => -Infinity): Promise<T> {
  const waited = current.getStore();
  if (waited === undefined) return work;
  waited.begin();
  const startMs = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let isDone = false;
  const late = new Promise<never>((_resolve, reject) => {
    const check = (): void => {
      const leftMs = Math.max(waited.leftMs(startMs), lastPartMs() + headwayMs - performance.now());
      if (leftMs <= 0) reject(storeLate());
      else timer = setTimeout(check, Math.ceil(leftMs));
    };
    timer = setTimeout(check, Math.max(0, Math.ceil(waited.leftMs(startMs))));
  });
  try {
    const result = await Promise.race([work, late]);
    isDone = true;
    return result;
  } finally {
    clearTimeout(timer);
    waited.end();
    if (isDone) waited.leaveTime();
  }
}
