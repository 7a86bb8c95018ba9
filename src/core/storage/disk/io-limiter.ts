/** Limits the concurrent file operations of each directory, so that a disk that hangs leaves threads for the others. */
import path from 'node:path';
import { ImageError } from '../../image/model/errors.ts';
import type { IoLoad } from '../storage.ts';

const maxWaitMs = 5000;

/** More concurrent operations than this make no disk faster. */
const maxConcurrency = 64;

/**
 * Reads of files at the same time: enough for any disk. Where a disk hangs, Linux lets no process end, not even by SIGKILL, that opens a
 * file of which a page is being read, so that many reads would keep the server from ending.
 */
const maxReads = 8;

/** What an operation does: asks for the facts of a path, or reads a file or a directory. */
export type IoKind = 'stat' | 'read';

interface Operation {
  readonly kind: IoKind;
  readonly startedMs: number;
}

/** The running and waiting operations of one directory. A set keeps its order, so the first is the oldest. */
interface Queue {
  readonly running: Set<Operation>;
  /** How many of these are reads. */
  reads: number;
  /** Functions that start the waiting operations. */
  readonly waiting: Readonly<Record<IoKind, Set<() => void>>>;
}

const createQueue = (): Queue => ({ running: new Set(), reads: 0, waiting: { read: new Set(), stat: new Set() } });

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
  async run<T>(file: string, operation: () => Promise<T>, deadlineMs: number, kind: IoKind = 'read'): Promise<T> {
    const queue = this.#limitedOf(file)?.queue ?? this.#elsewhere;
    const canStart = queue.waiting[kind].size === 0 && this.#hasCapacity(queue, kind);
    const running = canStart ? this.#start(queue, kind) : await this.#wait(queue, kind);
    return withDeadline(operation, {
      deadlineMs,
      onLate: () => this.#noAnswer(),
      onEnd: () => this.#end(queue, running),
    });
  }

  /** The directory that holds a path; undefined for everything outside of the directories. */
  directoryOf(file: string): string | undefined {
    return this.#limitedOf(file)?.directory;
  }

  load(): readonly IoLoad[] {
    const loadOf = (queue: Queue) => ({
      running: queue.running.size,
      waiting: queue.waiting.read.size + queue.waiting.stat.size,
      isHanging: this.#isHanging(queue, 'read'),
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
  #hasCapacity(queue: Queue, kind: IoKind): boolean {
    const running = queue.running.size;
    const available = this.#threads - (this.#running - running);
    if (kind === 'read' && queue.reads >= maxReads) return false;
    return running < Math.max(1, Math.min(maxConcurrency, Math.floor(available / 2)));
  }

  #isHanging(queue: Queue, kind: IoKind): boolean {
    const [oldest] = queue.running;
    if (oldest === undefined || performance.now() - oldest.startedMs < maxWaitMs) return false;
    return !this.#hasCapacity(queue, kind);
  }

  #noAnswer(): ImageError {
    this.#onNoAnswer();
    return new ImageError('disk-late', 'The disk that holds this does not answer at the moment; ask again later.');
  }

  #start(queue: Queue, kind: IoKind): Operation {
    const operation = { kind, startedMs: performance.now() };
    queue.running.add(operation);
    if (kind === 'read') queue.reads++;
    this.#running++;
    return operation;
  }

  #end(queue: Queue, operation: Operation): void {
    queue.running.delete(operation);
    if (operation.kind === 'read') queue.reads--;
    this.#running--;
    this.#startWaiting(this.#elsewhere);
    for (const { queue: other } of this.#directories) this.#startWaiting(other);
  }

  #startWaiting(queue: Queue): void {
    for (const kind of ['read', 'stat'] as const) {
      for (const start of queue.waiting[kind]) {
        if (!this.#hasCapacity(queue, kind)) break;
        start();
      }
    }
  }

  #wait(queue: Queue, kind: IoKind): Promise<Operation> {
    if (this.#isHanging(queue, kind)) return Promise.reject(this.#noAnswer());
    const waiting = queue.waiting[kind];
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(start);
        reject(this.#noAnswer());
      }, maxWaitMs);
      const start = (): void => {
        clearTimeout(timer);
        waiting.delete(start);
        resolve(this.#start(queue, kind));
      };
      waiting.add(start);
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
