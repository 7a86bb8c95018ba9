/** Caches open files that tiles are read from: a bounded number, for a while, and only as long as they are unchanged. */
import { type BigIntStats, constants, fstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { fileChanged, renderingFailed } from '../../image/model/errors.ts';
import { isNotFound } from '../file-errors.ts';
import { type ReadSteps, readAtOnce, type SyncReads } from '../read-steps.ts';
import { type FileVersion, fingerprintOf } from '../storage.ts';
import type { LocalDisks } from './known-stats.ts';

export interface OpenFilesOptions {
  /** Local disks, on which a synchronous fstat of an open file takes no time, and reads are measured. */
  readonly disks?: LocalDisks;
  /** Maximum number of open files that are not being read; more are open only while they are read. */
  readonly maxFiles?: number;
  /** A file that is not read for this time is closed. */
  readonly idleMs?: number;
}

export interface OpenFile {
  readonly handle: FileHandle;
  /** Of a file on a local disk. */
  readonly syncReads: SyncReads | undefined;
}

/** A file that is open or being opened. */
interface Entry {
  readonly fingerprint: string;
  readonly opening: Promise<OpenFile>;
  /** The file once it is open. */
  opened: OpenFile | undefined;
  readers: number;
  /** Whether it was evicted, so that its last reader closes it. */
  isEvicted: boolean;
}

function closeIfUnused({ isEvicted, readers, opening }: Entry): void {
  if (!isEvicted || readers > 0) return;
  // A second call is harmless, and closing a file that was only read loses nothing.
  opening.then(({ handle }) => handle.close()).catch(() => undefined);
}

export class OpenFiles {
  readonly #disks: LocalDisks | undefined;
  /** By path. */
  readonly #entries: LRUCache<string, Entry>;

  constructor({ disks, maxFiles = 128, idleMs = 10_000 }: OpenFilesOptions = {}) {
    this.#disks = disks;
    const dispose = (entry: Entry): void => {
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
  read<T>(file: FileVersion, read: (opened: OpenFile) => Promise<T>): Promise<T> {
    return this.use(file, async (opened) => {
      const result = await read(opened);
      const { handle, syncReads } = opened;
      const stats = syncReads ? fstatSync(handle.fd, { bigint: true }) : await handle.stat({ bigint: true });
      requireSame(file, stats);
      return result;
    });
  }

  /** The same where the file is checked afterwards elsewhere: here it is checked only when it is opened. */
  async use<T>(file: FileVersion, read: (opened: OpenFile) => Promise<T>): Promise<T> {
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
      if (file.isCopy && entry.readers === 0 && this.#entries.peek(file.path) === entry)
        this.#entries.delete(file.path);
      closeIfUnused(entry);
    }
  }

  /**
   * The result of steps that are taken without waiting; undefined where that is not possible: the file is not open yet, is
   * not on a local disk or has changed, the disk was slow just now, or fails.
   */
  readAtOnce<T>(file: FileVersion, steps: () => ReadSteps<T>): T | undefined {
    const entry = this.#entries.get(file.path);
    const opened = entry?.fingerprint === file.fingerprint ? entry.opened : undefined;
    if (!opened?.syncReads?.areAllowed) return undefined;
    const { fd } = opened.handle;
    try {
      const result = readAtOnce(fd, steps(), opened.syncReads);
      return fingerprintOf(fstatSync(fd, { bigint: true })) === file.fingerprint ? result : undefined;
    } catch {
      return undefined;
    }
  }

  /** Closes all files that are not being read, and the others after it. */
  close(): void {
    this.#entries.clear();
  }

  #entryOf(file: FileVersion): Entry {
    const { path, fingerprint } = file;
    const cached = this.#entries.get(path);
    if (cached?.fingerprint === fingerprint) return cached;
    const opening = this.#open(file);
    const entry: Entry = { fingerprint, opening, opened: undefined, readers: 0, isEvicted: false };
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

  async #open(file: FileVersion): Promise<OpenFile> {
    const handle = await open(file.path, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause: unknown) => {
      throw isNotFound(cause) ? fileChanged(cause) : renderingFailed(cause);
    });
    try {
      const stats = await handle.stat({ bigint: true });
      requireSame(file, stats);
      return { handle, syncReads: this.#disks?.readsOf(file.path, stats) };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }
}

function requireSame(file: FileVersion, stats: BigIntStats): void {
  if (fingerprintOf(stats) !== file.fingerprint) throw fileChanged();
}
