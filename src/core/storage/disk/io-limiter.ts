/** Limits the concurrent file operations of each directory, so that a disk that hangs leaves threads for the others. */
import path from 'node:path';
import { ImageError } from '../../image/model/errors.ts';
import type { IoLoad } from '../storage.ts';

const maxWaitMs = 5000;

/** More concurrent operations than this make no disk faster. */
const maxConcurrency = 64;

/** The running and waiting operations of one directory. */
interface Queue {
  /** Start times in ms by operation. A map keeps its order, so the first is the oldest. */
  readonly startedMs: Map<object, number>;
  /** Functions that start the waiting operations, the oldest first. */
  readonly waiting: Set<() => void>;
}

const createQueue = (): Queue => ({ startedMs: new Map(), waiting: new Set() });

interface LimitedDirectory {
  readonly directory: string;
  /** The directory with a separator at its end. */
  readonly prefix: string;
  readonly queue: Queue;
}

interface IoLimiterOptions {
  /** The size of libuv’s thread pool, which all file operations share. */
  readonly threads?: number;
  /** Called whenever an operation fails because its disk does not answer. */
  readonly onNoAnswer?: (() => void) | undefined;
}

export class IoLimiter {
  readonly #threads: number;
  readonly #onNoAnswer: () => void;
  readonly #directories: readonly LimitedDirectory[];
  readonly #elsewhere = createQueue();
  #running = 0;

  /** `directories` are absolute paths without links. */
  constructor(directories: readonly string[], { threads, onNoAnswer }: IoLimiterOptions = {}) {
    this.#threads = threads ?? Number(process.env['UV_THREADPOOL_SIZE'] ?? 4);
    this.#onNoAnswer = onNoAnswer ?? (() => undefined);
    const longestFirst = [...new Set(directories)].sort((a, b) => b.length - a.length);
    this.#directories = longestFirst.map((directory) => ({
      directory,
      prefix: directory.endsWith(path.sep) ? directory : directory + path.sep,
      queue: createQueue(),
    }));
  }

  /**
   * Runs an operation on a path as soon as there is capacity. Throws ImageError `disk-late` if there is none within 5 s, or
   * if the operation takes longer than `deadlineMs`; it keeps its share of the capacity until it really ends.
   */
  async run<T>(file: string, operation: () => Promise<T>, deadlineMs: number): Promise<T> {
    const queue = this.#limitedOf(file)?.queue ?? this.#elsewhere;
    const canStart = queue.waiting.size === 0 && this.#hasCapacity(queue);
    const token = canStart ? this.#start(queue) : await this.#wait(queue);
    return withDeadline(operation, {
      deadlineMs,
      onLate: () => this.#noAnswer(),
      onEnd: () => this.#end(queue, token),
    });
  }

  /** The directory that holds a path; undefined for everything outside of the directories. */
  directoryOf(file: string): string | undefined {
    return this.#limitedOf(file)?.directory;
  }

  load(): readonly IoLoad[] {
    const loadOf = (queue: Queue) => ({
      running: queue.startedMs.size,
      waiting: queue.waiting.size,
      isHanging: this.#isHanging(queue),
    });
    return [
      ...this.#directories.map(({ directory, queue }) => ({ directory, ...loadOf(queue) })),
      loadOf(this.#elsewhere),
    ];
  }

  #limitedOf(file: string): LimitedDirectory | undefined {
    return this.#directories.find(({ directory, prefix }) => file.startsWith(prefix) || file === directory);
  }

  /** A directory may use half of the threads that the others leave, so that one thread stays free as long as possible. */
  #hasCapacity(queue: Queue): boolean {
    const running = queue.startedMs.size;
    const available = this.#threads - (this.#running - running);
    return running < Math.max(1, Math.min(maxConcurrency, Math.floor(available / 2)));
  }

  #isHanging(queue: Queue): boolean {
    const oldest = queue.startedMs.values().next();
    return !oldest.done && performance.now() - oldest.value >= maxWaitMs && !this.#hasCapacity(queue);
  }

  #noAnswer(): ImageError {
    this.#onNoAnswer();
    return new ImageError('disk-late', 'The disk that holds this does not answer at the moment; ask again later.');
  }

  #start(queue: Queue): object {
    const token = {};
    queue.startedMs.set(token, performance.now());
    this.#running++;
    return token;
  }

  #end(queue: Queue, token: object): void {
    queue.startedMs.delete(token);
    this.#running--;
    this.#startWaiting(this.#elsewhere);
    for (const { queue: other } of this.#directories) this.#startWaiting(other);
  }

  #startWaiting(queue: Queue): void {
    for (const start of queue.waiting) {
      if (!this.#hasCapacity(queue)) return;
      start();
    }
  }

  #wait(queue: Queue): Promise<object> {
    if (this.#isHanging(queue)) return Promise.reject(this.#noAnswer());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.waiting.delete(start);
        reject(this.#noAnswer());
      }, maxWaitMs);
      const start = (): void => {
        clearTimeout(timer);
        queue.waiting.delete(start);
        resolve(this.#start(queue));
      };
      queue.waiting.add(start);
    });
  }
}

interface Deadline {
  readonly deadlineMs: number;
  /** The error of an operation that takes longer. */
  readonly onLate: () => ImageError;
  /** Called when the operation itself ends. */
  readonly onEnd: () => void;
}

/** The result of an operation, or an error if it takes too long. */
function withDeadline<T>(operation: () => Promise<T>, { deadlineMs, onLate, onEnd }: Deadline): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(onLate()), deadlineMs);
    const end = (): void => {
      clearTimeout(timer);
      onEnd();
    };
    operation().finally(end).then(resolve, reject);
  });
}
