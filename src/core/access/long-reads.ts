/** Reads of many files for one answer: they go on behind it where they take longer than a request has. */
import { setTimeout as pause } from 'node:timers/promises';
import { ImageError, isStoreFailure } from '../image/model/errors.ts';
import { isTimeBounded, withoutStoreTime } from '../storage/store-time.ts';

/** What a read tells of itself. */
export interface Reading {
  /** Says of how many pages the headers or the texts are read next. */
  begin(what: 'pages' | 'texts', total: number): void;
  /** Counts one that was read. Throws ImageError `abandoned` where nobody has asked for long. */
  step(): void;
}

export interface LongReadsOptions {
  /** A request waits for this time, in ms, where there are object stores; for disks it waits as long as it takes. */
  readonly deadlineMs: number;
  /** A read goes on for this time after the last request for it, in ms: 60 s by default. */
  readonly idleMs?: number;
}

/** Reads that go on although no request waits for them. */
const maxBehind = 4;

const [shortestRetryS, longestRetryS] = [1, 30];

/** A read goes on after a failure of the store after this time, in ms. */
const retryMs = 1000;

/** Failures in a row without anything that was read between them, after which it has failed. */
const maxFailures = 3;

const numberText = (count: number): string => count.toLocaleString('en-US');

const givenUp = (): ImageError => new ImageError('abandoned', 'The request was given up.');

/** Of a request that has waited long enough. */
const late = new Error('the time of the request is over');

interface Part {
  readonly what: 'pages' | 'texts';
  readonly total: number;
  readonly before: number;
}

class RunningRead implements Reading {
  readonly #idleMs: number;
  readonly #sinceMs = performance.now();
  /** What is being read now; `before` is what was read of the pages before their texts. */
  #part: Part = { what: 'pages', total: 0, before: 0 };
  #done = 0;
  /** As far as it came, however often it was begun. */
  #furthest = { ...this.#part, done: 0 };
  #isStopped = false;
  /** How much was read, of pages and of texts. */
  most = 0;
  /** Requests that wait for it. */
  waiting = 0;
  /** Whether a request was told to ask again. */
  isPromised = false;
  askedMs = performance.now();
  /** Settled when it has ended. */
  ended: Promise<unknown> = Promise.resolve();

  constructor(idleMs: number) {
    this.#idleMs = idleMs;
  }

  begin(what: 'pages' | 'texts', total: number): void {
    this.#part = { what, total, before: what === 'pages' ? 0 : this.#part.total };
    this.#done = 0;
    if (this.#part.before >= this.most) this.#furthest = { ...this.#part, done: 0 };
  }

  step(): void {
    const isForgotten = this.waiting === 0 && performance.now() - this.askedMs > this.#idleMs;
    if (this.#isStopped || isForgotten) throw givenUp();
    this.#done += 1;
    if (this.#part.before + this.#done <= this.most) return;
    this.most = this.#part.before + this.#done;
    this.#furthest = { ...this.#part, done: Math.min(this.#done, this.#part.total) };
  }

  /** Has it end with its next step. */
  stop(): void {
    this.#isStopped = true;
  }

  /** How far it is, for a request that has waited long enough. */
  error(): ImageError {
    const perStepS = (performance.now() - this.#sinceMs) / 1000 / Math.max(1, this.most);
    const { what, total, done } = this.#furthest;
    const leftS = Math.ceil((total - done) * perStepS);
    const retryAfterS = Math.min(longestRetryS, Math.max(shortestRetryS, leftS));
    const pages = `${numberText(done)} of ${numberText(total)} pages`;
    const read = what === 'pages' ? pages : `The texts of ${pages}`;
    return new ImageError('being-read', `${read} have been read; ask again in ${retryAfterS} s.`, { retryAfterS });
  }
}

/** A promise that rejects when the time is over or the client has gone, and what ends it. */
function limitOf(endMs: number, abandoned: AbortSignal): { readonly over: Promise<never>; readonly end: () => void } {
  let end = (): void => undefined;
  const over = new Promise<never>((_resolve, reject) => {
    const give = (): void => reject(givenUp());
    const timer =
      endMs === Infinity ? undefined : setTimeout(() => reject(late), Math.max(0, endMs - performance.now()));
    if (abandoned.aborted) give();
    abandoned.addEventListener('abort', give, { once: true });
    end = () => {
      clearTimeout(timer);
      abandoned.removeEventListener('abort', give);
    };
  });
  return { over, end };
}

/** Where the store fails, it goes on from what was read, as long as it gets further now and then. */
async function readAll<T>(reading: RunningRead, work: (reading: Reading) => Promise<T>): Promise<T> {
  for (let [failures, before] = [0, 0]; ; before = reading.most) {
    try {
      return await work(reading);
    } catch (error) {
      failures = reading.most > before ? 0 : failures + 1;
      if (!isStoreFailure(error) || reading.most === 0 || failures === maxFailures) throw error;
      await pause(retryMs);
    }
  }
}

export class LongReads {
  readonly #options: LongReadsOptions;
  readonly #running = new Map<string, RunningRead>();

  constructor(options: LongReadsOptions) {
    this.#options = options;
  }

  /**
   * What the work reads, which should keep what was read, since it may be called again to go on. Works with the same key run one
   * after the other. Rejects with ImageError `being-read` where it takes longer than a request has, and with `abandoned` when the
   * client has gone, which stops it unless others wait.
   */
  async run<T>(key: string, abandoned: AbortSignal, work: (reading: Reading) => Promise<T>): Promise<T> {
    const endMs = isTimeBounded() ? performance.now() + this.#options.deadlineMs : Infinity;
    for (let other = this.#running.get(key); other !== undefined; other = this.#running.get(key))
      await this.#wait(other, other.ended, endMs, abandoned);
    const reading = new RunningRead(this.#options.idleMs ?? 60_000);
    this.#running.set(key, reading);
    const result = withoutStoreTime(() => readAll(reading, work)).finally(() => this.#running.delete(key));
    reading.ended = result.catch(() => undefined);
    return this.#wait(reading, result, endMs, abandoned);
  }

  async #wait<T>(reading: RunningRead, work: Promise<T>, endMs: number, abandoned: AbortSignal): Promise<T> {
    const limit = limitOf(endMs, abandoned);
    reading.waiting += 1;
    try {
      return await Promise.race([work, limit.over]);
    } catch (error) {
      if (error !== late) throw error;
      reading.isPromised = true;
      throw reading.error();
    } finally {
      limit.end();
      reading.waiting -= 1;
      reading.askedMs = performance.now();
      if (abandoned.aborted && reading.waiting === 0 && !reading.isPromised) reading.stop();
      this.#boundBehind(reading);
    }
  }

  /** Stops a read that would be one too many of those that nobody waits for. */
  #boundBehind(reading: RunningRead): void {
    const behind = [...this.#running.values()].filter(({ waiting }) => waiting === 0);
    if (behind.includes(reading) && behind.length > maxBehind) reading.stop();
  }
}
