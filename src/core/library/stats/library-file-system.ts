/** The library's access to the disk: limited for each root, and with one operation for all simultaneous equal requests. */
import { fstatSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { ifReadable } from '../../storage/file-errors.ts';
import { fingerprintOf } from '../../storage/fingerprint.ts';
import { storageOf } from '../../storage/local-storage.ts';
import { withPinnedPath } from '../../storage/pinned-path.ts';
import { type FileStats, isRemotePath, remoteStorageOf } from '../../storage/storage.ts';
import type { SyncReads } from '../../storage/sync-reads.ts';
import { IoLimiter, type IoLoad } from './io-limiter.ts';
import { RequestCoalescer } from './request-coalescer.ts';
import { SyncStatCache, type SyncStatOptions } from './sync-stat-cache.ts';

export interface PathStats {
  readonly stats: FileStats;
  readonly fingerprint: string;
  /** The time just before the stat, in ms since 1970. */
  readonly requestedMs: number;
}

/** What a symbolic link leads to. */
export interface LinkTarget extends PathStats {
  /** Absolute, without links. */
  readonly real: string;
}

const pathStatsOf = (stats: FileStats, requestedMs: number): PathStats => ({
  stats,
  fingerprint: fingerprintOf(stats),
  requestedMs,
});

/** How stats treat a link. */
type Stat = 'lstat' | 'stat';

const statDeadlineMs = 10_000;

/** Reading a folder or a header may take longer than a stat. */
const readDeadlineMs = 30_000;

/** Reading a single byte takes no longer, in ms, on a disk that answers. */
const briefDeadlineMs = 5000;

/** Longer files are not read without a thread: 256 KiB take 0.1 ms where the system has them in memory. */
const maxSyncBytes = 256 * 1024;

/** The longest time of a timer, in ms: 24 days. */
const noDeadlineMs = 2 ** 31 - 1;

/**
 * All methods return undefined where nothing can be read at a path, reject where the disk fails, and reject with ImageError
 * `overloaded` where it hangs.
 */
export class LibraryFileSystem {
  readonly #limiter: IoLimiter;
  readonly #syncStats: SyncStatCache;
  readonly #lstats: RequestCoalescer<PathStats | undefined>;
  readonly #stats: RequestCoalescer<PathStats | undefined>;

  /**
   * `directories` are absolute paths without links, each of which may lie on a disk of its own. `onNoAnswer` is called
   * whenever a disk does not answer.
   */
  constructor(directories: readonly string[] = [], onNoAnswer?: () => void, options: SyncStatOptions = {}) {
    this.#limiter = new IoLimiter(directories, { onNoAnswer });
    this.#syncStats = new SyncStatCache(
      directories.filter((directory) => !isRemotePath(directory)),
      options,
    );
    this.#lstats = new RequestCoalescer((path) => this.#pathStats(path, 'lstat'));
    this.#stats = new RequestCoalescer((path) => this.#pathStats(path, 'stat'));
  }

  /** The stats of a path now, without following a link. */
  async lstat(path: string): Promise<PathStats | undefined> {
    const requestedMs = Date.now();
    const stats = this.cachedLstatSync(path);
    return stats ? pathStatsOf(stats, requestedMs) : this.#lstats.run(path);
  }

  /** The same at once, for paths that the kernel most likely has in memory; undefined for every other path. */
  cachedLstatSync(path: string): FileStats | undefined {
    return remoteStorageOf(path)?.knownStats(path) ?? this.#syncStats.lstat(path);
  }

  /** The same, by a stat of its own even where another request has just made one. */
  freshLstatSync(path: string): FileStats | undefined {
    return remoteStorageOf(path)?.knownStats(path) ?? this.#syncStats.freshLstat(path);
  }

  /** The stats of the file or folder that a path leads to now. */
  stat(path: string): Promise<PathStats | undefined> {
    return this.#stats.run(path);
  }

  resolve(path: string): Promise<string | undefined> {
    return this.#runStat(path, () => storageOf(path).realPath(path));
  }

  /** The same, however long the disk takes. */
  resolveAtLeisure(path: string): Promise<string | undefined> {
    return ifReadable(this.#limited(path, () => storageOf(path).realPath(path), noDeadlineMs));
  }

  /** Whether a path, which is no link, surely lies on a disk of this machine, where no read waits for others. */
  isSurelyLocal(path: string): boolean {
    return this.#syncStats.lstat(path)?.isSymbolicLink() === false;
  }

  /** The current stats of a file that is open; `stats` were those of its path. */
  async openStats(handle: FileHandle, stats: FileStats): Promise<FileStats> {
    return this.#syncStats.isLocal(stats) ? fstatSync(handle.fd, { bigint: true }) : handle.stat({ bigint: true });
  }

  /** What may read a file with these stats without a thread; undefined where its disk is none of this machine. */
  syncReadsOf(stats: FileStats): SyncReads | undefined {
    return this.#syncStats.syncReadsOf(stats);
  }

  /**
   * What may read the file at a path without a thread; undefined where it is a link, long, on no disk of this machine, or its
   * stats are most likely not in memory.
   */
  syncReadsAt(path: string): SyncReads | undefined {
    const stats = this.#syncStats.lstat(path);
    return stats?.isFile() && stats.size <= maxSyncBytes ? this.#syncStats.syncReadsOf(stats) : undefined;
  }

  /** The directory that holds a path; undefined elsewhere. */
  directoryOf(path: string): string | undefined {
    return this.#limiter.directoryOf(path);
  }

  /** Runs an operation on a path that takes 5 s at most. See `run`. */
  runBriefly<T>(path: string, operation: () => Promise<T>): Promise<T> {
    return this.#limited(path, operation, briefDeadlineMs);
  }

  /** The real path and the stats of what a link leads to now, which belong together. */
  follow(path: string): Promise<LinkTarget | undefined> {
    const requestedMs = Date.now();
    return this.#runStat(path, () =>
      isRemotePath(path)
        ? storageOf(path)
            .stat(path)
            .then((stats) => ({ real: path, ...pathStatsOf(stats, requestedMs) }))
        : withPinnedPath(path, async ({ real, stats }) => ({ real, ...pathStatsOf(stats, requestedMs) })),
    );
  }

  /** Runs a longer operation on a path. It may not call this file system again, since it occupies capacity already. */
  run<T>(path: string, operation: () => Promise<T>): Promise<T> {
    return this.#limited(path, operation, readDeadlineMs);
  }

  load(): readonly IoLoad[] {
    return this.#limiter.load();
  }

  async #pathStats(path: string, statOf: Stat): Promise<PathStats | undefined> {
    let requestedMs = 0;
    const stats = await this.#runStat(path, () => {
      requestedMs = Date.now();
      return storageOf(path)[statOf](path);
    });
    if (stats === undefined) return undefined;
    if (statOf === 'lstat') this.#syncStats.remember(path, stats);
    return pathStatsOf(stats, requestedMs);
  }

  #runStat<T>(path: string, operation: () => Promise<T>): Promise<T | undefined> {
    return ifReadable(this.#limited(path, operation, statDeadlineMs));
  }

  /** Only local paths occupy threads; a remote storage has its own bounds and deadlines. */
  #limited<T>(path: string, operation: () => Promise<T>, deadlineMs: number): Promise<T> {
    return isRemotePath(path) ? operation() : this.#limiter.run(path, operation, deadlineMs);
  }
}
