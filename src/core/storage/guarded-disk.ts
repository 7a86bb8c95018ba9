/** A disk that may fail or hang without failing a request: reads have a deadline, failed writes a pause, and both are reported. */
import PQueue from 'p-queue';
import { Backoff, FaultReporter, type OnFault } from './fault-reporter.ts';
import { type FileSystem, nodeFileSystem } from './file-system.ts';

export interface DiskOptions {
  /** Called on disk errors: at most once a minute for each kind, and once while an error lasts. */
  readonly onFault: OnFault;
  /** The file operations; those of Node by default. */
  readonly fileSystem?: FileSystem | undefined;
}

/** `damaged` is a single event; each other kind lasts until an operation of that kind succeeds. */
type DiskFault = 'damaged' | 'reading' | 'writing' | 'removing' | 'hanging';

/** A read that takes longer counts as one that found nothing. */
const readDeadlineMs = 2000;

/** Hanging reads occupy at most this many threads of libuv's pool; background work may occupy one more. */
const concurrentReads = 2;

type Operation = (...values: readonly unknown[]) => Promise<unknown>;

export class GuardedDisk {
  /** File operations, watched so that one that hangs is noticed. */
  readonly files: FileSystem;
  readonly faults: FaultReporter<DiskFault>;
  readonly #label: string;
  /** Start times of operations that have not returned; a map keeps insertion order, so the first is the oldest. */
  readonly #startedMs = new Map<object, number>();
  readonly #reads = new PQueue({ concurrency: concurrentReads });
  readonly #writing = new Backoff();

  /** `label` says what is stored there, with the path of its folder, such as `cache directory /var/cache`. */
  constructor(label: string, { onFault, fileSystem = nodeFileSystem }: DiskOptions) {
    this.#label = label;
    this.files = this.#watchFileSystem(fileSystem);
    this.faults = new FaultReporter(onFault);
  }

  get isHanging(): boolean {
    const oldest = this.#startedMs.values().next();
    return !oldest.done && performance.now() - oldest.value >= readDeadlineMs;
  }

  /** Whether writing has just failed. */
  get isPaused(): boolean {
    return this.#writing.isPaused;
  }

  get isWritable(): boolean {
    return !this.isPaused && !this.isHanging;
  }

  /** The result of `work`; undefined where the disk fails, hangs, or takes longer than 2 s. Never rejects. */
  async read<T>(work: () => Promise<T>): Promise<T | undefined> {
    if (!this.isHanging) return this.#readInTime(work);
    // The operation that hangs may be one in the background.
    if (!this.faults.isOngoing('hanging')) this.#reportHanging();
    return undefined;
  }

  readFailed(cause: unknown): void {
    this.faults.report('reading', `The ${this.#label} can’t be read.`, cause);
  }

  writeFailed(cause: unknown): void {
    this.#writing.fail();
    this.faults.report('writing', `Nothing can be written to the ${this.#label} at the moment.`, cause);
  }

  writeSucceeded(): void {
    this.#writing.succeed();
    this.faults.recover('writing');
  }

  #reportHanging(): void {
    this.faults.report('hanging', `The ${this.#label} does not answer; it is left out until it does.`);
  }

  #readInTime<T>(work: () => Promise<T>): Promise<T | undefined> {
    return new Promise((resolve) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        this.#reportHanging();
        resolve(undefined);
      }, readDeadlineMs);
      void this.#reads.add(async () => {
        if (isLate) return;
        try {
          resolve(await work());
          this.faults.recover('reading');
        } catch (error) {
          this.readFailed(error);
          resolve(undefined);
        }
        clearTimeout(timer);
        if (!isLate) this.faults.recover('hanging');
      });
    });
  }

  #watch<T>(call: Promise<T>): Promise<T> {
    const token = {};
    this.#startedMs.set(token, performance.now());
    return call.finally(() => this.#startedMs.delete(token));
  }

  #watchAll<T extends object>(operations: T): T {
    const entries = Object.entries(operations).map(([name, operation]: [string, Operation]) => [
      name,
      (...values: readonly unknown[]) => this.#watch(operation(...values)),
    ]);
    return Object.fromEntries(entries) as T;
  }

  #watchFileSystem(files: FileSystem): FileSystem {
    return {
      ...this.#watchAll(files),
      isAbsent: files.isAbsent,
      openToRead: async (path) => this.#watchAll(await this.#watch(files.openToRead(path))),
      create: async (path) => this.#watchAll(await this.#watch(files.create(path))),
    };
  }
}
