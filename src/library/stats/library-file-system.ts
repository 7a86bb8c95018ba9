/** The library's access to the disk: limited for each root, and with one operation for all simultaneous equal requests. */
import type { BigIntStats } from 'node:fs';
import { lstat, realpath, stat } from 'node:fs/promises';
import { ifReadable } from '../../storage/file-errors.ts';
import { fingerprintOf } from '../../storage/fingerprint.ts';
import { IoLimiter, type IoLoad } from './io-limiter.ts';
import { RequestCoalescer } from './request-coalescer.ts';
import { SyncStatCache } from './sync-stat-cache.ts';

export interface PathStats {
  readonly stats: BigIntStats;
  readonly fingerprint: string;
  /** The time just before the stat, in ms since 1970. */
  readonly requestedMs: number;
}

const pathStatsOf = (stats: BigIntStats, requestedMs: number): PathStats => ({
  stats,
  fingerprint: fingerprintOf(stats),
  requestedMs,
});

type Stat = (path: string, options: { readonly bigint: true }) => Promise<BigIntStats>;

const statDeadlineMs = 10_000;

/** Reading a folder or a header may take longer than a stat. */
const readDeadlineMs = 30_000;

/**
 * All methods return undefined where nothing can be read at a path, reject where the disk fails, and reject with ImageError
 * `overloaded` where it hangs.
 */
export class LibraryFileSystem {
  readonly #limiter: IoLimiter;
  readonly #syncStats: SyncStatCache;
  readonly #lstats: RequestCoalescer<PathStats | undefined>;
  readonly #stats: RequestCoalescer<PathStats | undefined>;

  /** `directories` are absolute paths without links, each of which may lie on a disk of its own. */
  constructor(directories: readonly string[] = []) {
    this.#limiter = new IoLimiter(directories);
    this.#syncStats = new SyncStatCache(directories);
    this.#lstats = new RequestCoalescer((path) => this.#pathStats(path, lstat));
    this.#stats = new RequestCoalescer((path) => this.#pathStats(path, stat));
  }

  /** The stats of a path now, without following a link. */
  async lstat(path: string): Promise<PathStats | undefined> {
    const requestedMs = Date.now();
    const stats = this.#syncStats.lstat(path);
    return stats ? pathStatsOf(stats, requestedMs) : this.#lstats.run(path);
  }

  /** The same at once, for paths that the kernel most likely has in memory; undefined for every other path. */
  cachedLstatSync(path: string): BigIntStats | undefined {
    return this.#syncStats.lstat(path);
  }

  /** The same, by a stat of its own even where another request has just made one. */
  freshLstatSync(path: string): BigIntStats | undefined {
    return this.#syncStats.freshLstat(path);
  }

  /** The stats of the file or folder that a path leads to now. */
  stat(path: string): Promise<PathStats | undefined> {
    return this.#stats.run(path);
  }

  resolve(path: string): Promise<string | undefined> {
    return this.#runStat(path, () => realpath(path));
  }

  /** Runs a longer operation on a path. It may not call this file system again, since it occupies capacity already. */
  run<T>(path: string, operation: () => Promise<T>): Promise<T> {
    return this.#limiter.run(path, operation, readDeadlineMs);
  }

  load(): readonly IoLoad[] {
    return this.#limiter.load();
  }

  async #pathStats(path: string, statOf: Stat): Promise<PathStats | undefined> {
    let requestedMs = 0;
    const stats = await this.#runStat(path, () => {
      requestedMs = Date.now();
      return statOf(path, { bigint: true });
    });
    if (stats === undefined) return undefined;
    if (statOf === lstat) this.#syncStats.remember(path, stats);
    return pathStatsOf(stats, requestedMs);
  }

  #runStat<T>(path: string, operation: () => Promise<T>): Promise<T | undefined> {
    return ifReadable(this.#limiter.run(path, operation, statDeadlineMs));
  }
}
