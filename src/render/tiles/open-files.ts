/** Caches open files that tiles are read from: a bounded number, for a while, and only as long as they are unchanged. */
import { type BigIntStats, constants, fstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { fileChanged, renderingFailed } from '../../image/model/errors.ts';
import type { SourceFile } from '../../image/model/image-set.ts';
import { isNotFound } from '../../storage/file-errors.ts';

/** A text that changes with every write to a file. */
export type Fingerprint = (stats: BigIntStats) => string;

export interface OpenFilesOptions {
  readonly fingerprintOf: Fingerprint;
  /** The devices of local disks, on which a synchronous fstat of an open file takes no time. */
  readonly localDevices?: ReadonlySet<bigint>;
  /** Maximum number of open files that are not being read; more are open only while they are read. */
  readonly maxFiles?: number;
  /** A file that is not read is closed after once or twice this time. */
  readonly idleMs?: number;
}

export interface OpenFile<Cache> {
  readonly handle: FileHandle;
  readonly isLocal: boolean;
  /** What is cached of the file until it is closed. */
  readonly cache: Cache;
}

/** A file that is open or being opened. */
interface Entry<Cache> {
  readonly fingerprint: string;
  readonly opening: Promise<OpenFile<Cache>>;
  readers: number;
  /** Whether it was read since idle files were last closed. */
  wasRead: boolean;
  /** Whether it was evicted, so that its last reader closes it. */
  isEvicted: boolean;
}

/** Open files by their paths, the least recently read first. */
export class OpenFiles<Cache> {
  readonly #entries = new Map<string, Entry<Cache>>();
  readonly #fingerprintOf: Fingerprint;
  readonly #localDevices: ReadonlySet<bigint>;
  readonly #maxFiles: number;
  readonly #idleMs: number;
  readonly #createCache: () => Cache;
  #timer: NodeJS.Timeout | undefined;

  /** `createCache` is called for each file that is opened. */
  constructor(options: OpenFilesOptions, createCache: () => Cache) {
    const { fingerprintOf, localDevices = new Set(), maxFiles = 128, idleMs = 10_000 } = options;
    this.#fingerprintOf = fingerprintOf;
    this.#localDevices = localDevices;
    this.#maxFiles = maxFiles;
    this.#idleMs = idleMs;
    this.#createCache = createCache;
  }

  /** Number of open files. */
  get size(): number {
    return this.#entries.size;
  }

  /**
   * The result of `read` on the file of the plan, which is checked before and after. Throws ImageError `changed` where the
   * file is another one or gone, `failed` where it can't be opened.
   */
  async read<T>(file: SourceFile, read: (opened: OpenFile<Cache>) => Promise<T>): Promise<T> {
    const entry = this.#entryOf(file);
    entry.readers++;
    entry.wasRead = true;
    try {
      const opened = await entry.opening;
      const result = await read(opened);
      await this.#requireSame(file, opened);
      return result;
    } catch (error) {
      // After any error the next reader opens the file again.
      this.#evict(file.path, entry);
      throw error;
    } finally {
      entry.readers--;
      this.#closeIfUnused(entry);
    }
  }

  /** Closes all files that are not being read, and the others after it. */
  close(): void {
    for (const [path, entry] of this.#entries) this.#evict(path, entry);
  }

  /** Closes the files that were not read since the last call. */
  closeIdle(): void {
    for (const [path, entry] of this.#entries) {
      if (entry.readers === 0 && !entry.wasRead) this.#evict(path, entry);
      entry.wasRead = false;
    }
  }

  #entryOf(file: SourceFile): Entry<Cache> {
    const { path, fingerprint } = file;
    const cached = this.#entries.get(path);
    if (cached?.fingerprint === fingerprint) {
      this.#entries.delete(path);
      this.#entries.set(path, cached);
      return cached;
    }
    if (cached !== undefined) this.#evict(path, cached);
    const opening = this.#open(file);
    // Each reader sees the failure; this keeps it from being reported when the entry is evicted meanwhile.
    opening.catch(() => undefined);
    const entry: Entry<Cache> = { fingerprint, opening, readers: 0, wasRead: true, isEvicted: false };
    this.#entries.set(path, entry);
    this.#evictOldest();
    this.#timer ??= setInterval(() => this.closeIdle(), this.#idleMs).unref();
    return entry;
  }

  async #open(file: SourceFile): Promise<OpenFile<Cache>> {
    const handle = await open(file.path, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause: unknown) => {
      throw isNotFound(cause) ? fileChanged(cause) : renderingFailed(cause);
    });
    try {
      const stats = await handle.stat({ bigint: true });
      this.#requireFingerprint(file, stats);
      return { handle, isLocal: this.#localDevices.has(stats.dev), cache: this.#createCache() };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  async #requireSame(file: SourceFile, { handle, isLocal }: OpenFile<Cache>): Promise<void> {
    this.#requireFingerprint(
      file,
      isLocal ? fstatSync(handle.fd, { bigint: true }) : await handle.stat({ bigint: true }),
    );
  }

  #requireFingerprint(file: SourceFile, stats: BigIntStats): void {
    if (this.#fingerprintOf(stats) !== file.fingerprint) throw fileChanged();
  }

  #evictOldest(): void {
    const [oldest] = this.#entries;
    if (this.#entries.size > this.#maxFiles && oldest !== undefined) this.#evict(...oldest);
  }

  #evict(path: string, entry: Entry<Cache>): void {
    if (this.#entries.get(path) === entry) this.#entries.delete(path);
    entry.isEvicted = true;
    this.#closeIfUnused(entry);
    if (this.#entries.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #closeIfUnused(entry: Entry<Cache>): void {
    if (!entry.isEvicted || entry.readers > 0) return;
    // A second call is harmless, and closing a file that was only read loses nothing.
    entry.opening.then(({ handle }) => handle.close()).catch(() => undefined);
  }
}
