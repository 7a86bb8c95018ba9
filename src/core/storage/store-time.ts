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

/** What follows such work, where it took as long itself, has this time at least, in ms. */
const afterwardsMs = 2000;

/** The error where a storage takes too long. */
export const storeLate = (options?: ImageErrorOptions): ImageError =>
  new ImageError('store-late', 'The object store does not answer in time; ask again later.', options);

/** What a request waits for. Times are on the clock of `performance.now()`. */
interface Operation {
  readonly startMs: number;
  /** When the latest part arrived; undefined for work that has no parts. */
  readonly lastPartMs: (() => number) | undefined;
}

/** The time in which a request waits; operations that run at the same time count once. */
class WaitedTime {
  readonly #hasBegun: () => boolean;
  readonly #running = new Set<Operation>();
  #spentMs = 0;
  /** Until when the time is counted, while operations run. */
  #countedMs = 0;

  constructor(hasBegun: () => boolean) {
    this.#hasBegun = hasBegun;
  }

  /** An operation that begins now. */
  begin(lastPartMs: Operation['lastPartMs']): Operation {
    const operation = { startMs: this.#count(), lastPartMs };
    this.#running.add(operation);
    return operation;
  }

  end(operation: Operation): void {
    this.#count();
    this.#running.delete(operation);
  }

  /** Leaves a while for what follows work of many parts, which is done now, where it took as long itself. */
  leaveTime({ startMs, lastPartMs }: Operation): void {
    if (lastPartMs !== undefined && this.#count() - startMs > afterwardsMs)
      this.#spentMs = Math.min(this.#spentMs, maxWaitMs - afterwardsMs);
  }

  /**
   * For an operation, in ms; not positive where it is over. While parts of any operation arrive, the request waits for all of
   * them, since its answer needs them all.
   */
  leftMs({ startMs }: Operation): number {
    const nowMs = this.#count();
    const leftMs = maxWaitMs - (this.#hasBegun() ? nowMs - startMs : this.#spentMs);
    const lastMs = Math.max(...[...this.#running].map(({ lastPartMs }) => lastPartMs?.() ?? -Infinity));
    return Math.max(leftMs, lastMs + headwayMs - nowMs);
  }

  /** Counts the time until now, which it gives. */
  #count(): number {
    const nowMs = performance.now();
    if (this.#running.size > 0) this.#spentMs += nowMs - this.#countedMs;
    this.#countedMs = nowMs;
    return nowMs;
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
 * latest part of longer work arrived, on the clock of `performance.now()`: such work, and what runs beside it, is awaited for 1 s
 * more after each part, and what follows it for 2 s where it took as long.
 */
export async function waitForStore<T>(work: Promise<T>, lastPartMs?: () => number): Promise<T> {
  const waited = current.getStore();
  if (waited === undefined) return work;
  const operation = waited.begin(lastPartMs);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const check = (): void => {
      const leftMs = waited.leftMs(operation);
      if (leftMs <= 0) reject(storeLate());
      else timer = setTimeout(check, Math.ceil(leftMs));
    };
    timer = setTimeout(check, Math.max(0, Math.ceil(waited.leftMs(operation))));
  });
  try {
    const result = await Promise.race([work, late]);
    waited.leaveTime(operation);
    return result;
  } finally {
    clearTimeout(timer);
    waited.end(operation);
  }
}
