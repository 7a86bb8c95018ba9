/** Reads each version of a file or folder once: for all requests that need it at the same time, and for later ones. */
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import type { MetadataFault } from '../../image/folder/folder-metadata.ts';

export class SharedReads<Result> {
  readonly #running = new Map<string, { readonly version: string; readonly result: Promise<Result> }>();

  async run(path: string, version: string, read: () => Promise<Result>): Promise<Result> {
    const running = this.#running.get(path);
    if (running?.version === version) return running.result;
    const started = { version, result: read() };
    this.#running.set(path, started);
    try {
      return await started.result;
    } finally {
      if (this.#running.get(path) === started) this.#running.delete(path);
    }
  }
}

/** What a cached value has to be of. */
interface Wanted<Value> {
  readonly version: string;
  /** While a change may leave the same version, nothing is cached, and no request gets what was read before it came. */
  readonly isSettled: boolean;
  /** What the cache bounds, where it does not compute it. */
  readonly size?: number;
  /** Whether a value of the version is still right. */
  readonly isCurrent?: (value: Value) => boolean;
}

interface Cached<Value> {
  readonly version: string;
  readonly value: Value;
}

/** What came of reading the latest version of each file. */
export class VersionCache<Value> {
  readonly #cache: LRUCache<string, Cached<Value>>;
  readonly #reads = new SharedReads<Value>();

  constructor(options: LRUCache.Options<string, Cached<Value>, unknown>) {
    this.#cache = new LRUCache(options);
  }

  get size(): number {
    return this.#cache.size;
  }

  get calculatedSize(): number {
    return this.#cache.calculatedSize;
  }

  /** What came of this version, else of reading it now. Undefined is not cached. */
  async get(path: string, wanted: Wanted<Value>, read: () => Promise<Value>): Promise<Value> {
    const { version, isSettled, size, isCurrent = () => true } = wanted;
    const cached = this.#cache.get(path);
    if (cached?.version === version && isCurrent(cached.value)) return cached.value;
    if (!isSettled) return read();
    return this.#reads.run(path, version, async () => {
      const value = await read();
      if (value !== undefined) this.#cache.set(path, { version, value }, size === undefined ? {} : { size });
      return value;
    });
  }
}

/** Called with the absolute path of a file and its fault. */
export type OnFault = (path: string, fault: MetadataFault) => void;

/** Reports the faults of each version of a file once. */
export class FaultReports {
  readonly #onFault: OnFault;
  /** The last report by path. */
  readonly #reported = new LRUCache<string, string>({ max: 5000 });

  constructor(onFault: OnFault) {
    this.#onFault = onFault;
  }

  /** Reports faults of files in a directory, if they are others than those that were reported last under this name. */
  report(directory: string, name: string, version: string, faults: readonly MetadataFault[]): void {
    const key = path.join(directory, name);
    if (faults.length === 0 && !this.#reported.has(key)) return;
    const report = `${version} ${JSON.stringify(faults)}`;
    if (this.#reported.get(key) === report) return;
    this.#reported.set(key, report);
    for (const fault of faults) this.#onFault(path.join(directory, fault.file), fault);
  }
}
