/** Derived pyramids in a bucket that servers share: made on a local disk, put there whole, and read by parts. */
import { stat } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { ImageError } from '../image/model/errors.ts';
import { Backoff, FaultReporter, type OnFault } from '../storage/fault-reporter.ts';
import { ifFound } from '../storage/file-errors.ts';
import { fingerprintOf, type Storage, type StorageWriting } from '../storage/storage.ts';
import { contentOf, type PyramidStore } from './pyramid-store.ts';
import { LocalPyramidStore, megabytes } from './store.ts';

interface BucketPyramidOptions {
  /** The storage that has them, and the path of all of them. */
  readonly storage: WritableStorage;
  readonly rootPath: string;
  /** The local folder for temporary files. */
  readonly directory: string;
  /** The bound for the temporary files of a pyramid, in bytes. */
  readonly maxBytes: number;
  readonly onFault?: OnFault | undefined;
}

type Kind = 'reading' | 'writing' | 'removing';

/** Names that are remembered: with their bytes, or as damaged. */
const maxRemembered = 10_000;

type WritableStorage = Storage & { readonly writing: StorageWriting };

export const isWritable = (storage: Storage): storage is WritableStorage => storage.writing !== undefined;

/** A pyramid is a name with one content for ever, so two that make the same one do no harm. */
export class BucketPyramidStore implements PyramidStore {
  readonly #options: BucketPyramidOptions;
  /** Its folders for temporary files and locks. */
  readonly #work: LocalPyramidStore;
  readonly #faults: FaultReporter<Kind>;
  readonly #reading = new Backoff();
  readonly #used = new LRUCache<string, { readonly bytes: number }>({ max: maxRemembered });
  /** Damaged ones by the version that is; deleting them may have failed. */
  readonly #damaged = new LRUCache<string, string>({ max: maxRemembered });
  #state = 0;
  #wasPaused = false;

  constructor(options: BucketPyramidOptions) {
    const { directory, maxBytes, onFault = () => undefined } = options;
    this.#options = options;
    this.#work = new LocalPyramidStore({ directory, maxBytes, onFault });
    this.#faults = new FaultReporter(onFault);
  }

  get maxBytes(): number {
    return this.#options.maxBytes;
  }

  load() {
    let bytes = 0;
    for (const used of this.#used.values()) bytes += used.bytes;
    return { count: this.#used.size, bytes };
  }

  get state(): number {
    const isPaused = this.#reading.isPaused;
    if (isPaused !== this.#wasPaused) this.#state++;
    this.#wasPaused = isPaused;
    return this.#state;
  }

  /** For a while after the bucket has failed, nothing is asked of it. */
  get isEmpty(): boolean {
    return this.#reading.isPaused;
  }

  /** A request for each small image would cost more than it could gain. */
  mayHave(_content: string, isSlow: boolean): boolean {
    return isSlow;
  }

  /** A bucket has no bound here, and is never listed. */
  freeBytes(): undefined {}

  async has(name: string, atLeisure?: 'atLeisure'): Promise<boolean> {
    const { storage } = this.#options;
    const path = this.pathOf(name);
    const stats = await (atLeisure ? storage.writing.find(path) : ifFound(storage.lstat(path)));
    if (stats === undefined) return false;
    this.#reading.succeed();
    this.#faults.recover('reading');
    if (this.#damaged.get(name) === fingerprintOf(stats)) return false;
    this.#used.set(name, { bytes: Number(stats.size) });
    return true;
  }

  async canOpen(name: string): Promise<boolean> {
    try {
      return await this.has(name);
    } catch (error) {
      this.readFailed(error);
      return false;
    }
  }

  readFailed(error: unknown): void {
    this.#reading.fail();
    const message = 'Derived pyramids can’t be read from their bucket; images are read instead.';
    this.#faults.report('reading', message, error);
  }

  pathOf(name: string): string {
    return `${this.#options.rootPath}/${name}`;
  }

  workPathOf(workName: string): string {
    return this.#work.workPathOf(workName);
  }

  prepare(): Promise<void> {
    return this.#work.prepare();
  }

  async refresh(): Promise<void> {
    this.#options.storage.writing.forgetAbsent();
    this.#state++;
  }

  /** Each name is asked for by itself. */
  refreshIfOld(): void {}

  use(): void {}

  async drop(name: string): Promise<void> {
    if (contentOf(name) === undefined) return;
    this.#used.delete(name);
    this.#state++;
    try {
      const { storage } = this.#options;
      const stats = storage.knownStats(this.pathOf(name));
      if (stats !== undefined) this.#damaged.set(name, fingerprintOf(stats));
      await storage.writing.remove(this.pathOf(name));
      this.#faults.recover('removing');
    } catch (error) {
      this.#faults.report('removing', `The pyramid ${name} can’t be deleted from its bucket.`, error);
    }
  }

  async commit(name: string, workPath: string): Promise<void> {
    const { size } = await stat(workPath);
    const { writing } = this.#options.storage;
    const path = this.pathOf(name);
    // One that is damaged could not be deleted before.
    if (this.#damaged.has(name)) await writing.remove(path);
    await writing.putNew(path, workPath);
    const written = await writing.find(path);
    if (Number(written?.size) !== size) {
      await this.drop(name);
      throw new ImageError('store-failed', 'The bucket has another file than the pyramid that was put there.');
    }
    this.#used.set(name, { bytes: size });
    this.#state++;
  }

  async makeSpace(bytes: number, workBytes: number, keep?: ReadonlySet<string>): Promise<string | undefined> {
    if (bytes + workBytes > this.maxBytes)
      return `Its temporary files take about ${megabytes(bytes + workBytes)}, and may take ${megabytes(this.maxBytes)} (pyramids.maxBytes).`;
    return this.#work.makeSpace(bytes, workBytes, keep);
  }

  lock(name: string) {
    return this.#work.lock(name);
  }

  sweep(): Promise<void> {
    return this.#work.sweep();
  }
}
