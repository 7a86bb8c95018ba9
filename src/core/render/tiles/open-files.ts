/** Caches open files that tiles are read from: a bounded number, for a while, and only as long as they are unchanged. */
import { type BigIntStats, constants, fstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { fileChanged, renderingFailed } from '../../image/model/errors.ts';
import type { SourceFile } from '../../image/model/image-set.ts';
import { isNotFound } from '../../storage/file-errors.ts';
import { type SyncReads, syncReadsOf } from '../../storage/sync-reads.ts';
import { type ReadSteps, readAtOnce } from './read-steps.ts';

export interface OpenFilesOptions {
  /** A text that changes with every write to a file. */
  readonly fingerprintOf: (stats: BigIntStats) => string;
  /** The devices of local disks, on which a synchronous fstat of an open file takes no time, and reads are measured. */
  readonly localDevices?: ReadonlySet<bigint>;
  /** Maximum number of open files that are not being read; more are open only while they are read. */
  readonly maxFiles?: number;
  /** A file that is not read for this time is closed. */
  readonly idleMs?: number;
}

export interface OpenFile<Cache> {
  readonly handle: FileHandle;
  /** Of a file on a local disk. */
  readonly syncReads: SyncReads | undefined;
  /** What is cached of the file until it is closed. */
  readonly cache: Cache;
}

/** A file that is open or being opened. */
interface Entry<Cache> {
  readonly fingerprint: string;
  readonly opening: Promise<OpenFile<Cache>>;
  /** The file once it is open. */
  opened: OpenFile<Cache> | undefined;
  readers: number;
  /** Whether it was evicted, so that its last reader closes it. */
  isEvicted: boolean;
}

function closeIfUnused({ isEvicted, readers, opening }: Entry<unknown>): void {
  if (!isEvicted || readers > 0) return;
  // A second call is harmless, and closing a file that was only read loses nothing.
  opening.then(({ handle }) => handle.close()).catch(() => undefined);
}

export class OpenFiles<Cache> {
  readonly #fingerprintOf: OpenFilesOptions['fingerprintOf'];
  /** By device, of local disks. */
  readonly #syncReads: ReadonlyMap<bigint, SyncReads>;
  readonly #createCache: () => Cache;
  /** By path. */
  readonly #entries: LRUCache<string, Entry<Cache>>;

  /** `createCache` is called for each file that is opened. */
  constructor(options: OpenFilesOptions, createCache: () => Cache) {
    const { fingerprintOf, localDevices = new Set(), maxFiles = 128, idleMs = 10_000 } = options;
    this.#fingerprintOf = fingerprintOf;
    this.#syncReads = syncReadsOf(localDevices);
    this.#createCache = createCache;
    const dispose = (entry: Entry<Cache>): void => {
      entry.isEvicted = true;
      closeIfUnused(entry);
    };
    this.#entries = new LRUCache({ max: maxFiles, ttl: idleMs, ttlAutopurge: true, updateAgeOnGet: true, dispose });
  }

  /** Number of open files. */
  get size(): number {
    return this.#entries.size;
  }

  /**
   * The result of `read` on the file of the plan, which is checked before and after. Throws ImageError `changed` where the
   * file is another one or gone, `failed` where it can't be opened.
   */
  read<T>(file: SourceFile, read: (opened: OpenFile<Cache>) => Promise<T>): Promise<T> {
    return this.use(file, async (opened) => {
      const result = await read(opened);
      const { handle, syncReads } = opened;
      const stats = syncReads ? fstatSync(handle.fd, { bigint: true }) : await handle.stat({ bigint: true });
      this.#requireSame(file, stats);
      return result;
    });
  }

  /** The same where the file is checked afterwards elsewhere: here it is checked only when it is opened. */
  async use<T>(file: SourceFile, read: (opened: OpenFile<Cache>) => Promise<T>): Promise<T> {
    const entry = this.#entryOf(file);
    entry.readers++;
    try {
      return await read(await entry.opening);
    } catch (error) {
      // After any error the next reader opens the file again.
      if (this.#entries.peek(file.path, { allowStale: true }) === entry) this.#entries.delete(file.path);
      throw error;
    } finally {
      entry.readers--;
      closeIfUnused(entry);
    }
  }

  /**
   * The result of steps that are taken without waiting; undefined where that is not possible: the file is not open yet, is
   * not on a local disk or has changed, the disk was slow just now, or fails.
   */
  readAtOnce<T>(file: SourceFile, stepsOf: (opened: OpenFile<Cache>) => ReadSteps<T>): T | undefined {
    const entry = this.#entries.get(file.path);
    const opened = entry?.fingerprint === file.fingerprint ? entry.opened : undefined;
    if (!opened?.syncReads?.areAllowed) return undefined;
    const { fd } = opened.handle;
    try {
      const result = readAtOnce(fd, stepsOf(opened), opened.syncReads);
      return this.#fingerprintOf(fstatSync(fd, { bigint: true })) === file.fingerprint ? result : undefined;
    } catch {
      return undefined;
    }
  }

  /** Closes all files that are not being read, and the others after it. */
  close(): void {
    this.#entries.clear();
  }

  #entryOf(file: SourceFile): Entry<Cache> {
    const { path, fingerprint } = file;
    const cached = this.#entries.get(path);
    if (cached?.fingerprint === fingerprint) return cached;
    const opening = this.#open(file);
    const entry: Entry<Cache> = { fingerprint, opening, opened: undefined, readers: 0, isEvicted: false };
    // Each reader sees a failure; without the second function it would be reported when the entry is evicted meanwhile.
    opening.then(
      (opened) => {
        entry.opened = opened;
      },
      () => undefined,
    );
    this.#entries.set(path, entry);
    return entry;
  }

  async #open(file: SourceFile): Promise<OpenFile<Cache>> {
    const handle = await open(file.path, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause: unknown) => {
      throw isNotFound(cause) ? fileChanged(cause) : renderingFailed(cause);
    });
    try {
      const stats = await handle.stat({ bigint: true });
      this.#requireSame(file, stats);
      return { handle, syncReads: this.#syncReads.get(stats.dev), cache: this.#createCache() };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  #requireSame(file: SourceFile, stats: BigIntStats): void {
    if (this.#fingerprintOf(stats) !== file.fingerprint) throw fileChanged();
  }
}
