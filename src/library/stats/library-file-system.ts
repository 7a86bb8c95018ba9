/** What the library asks of the disk: bounded for each root, and once for all who ask at the same time. */
import type { BigIntStats } from 'node:fs';
import { lstat, realpath, stat } from 'node:fs/promises';
import { ifReadable } from '../../storage/file-errors.ts';
import { fingerprintOf } from './fingerprint.ts';
import { IoLimiter, type IoLoad } from './io-limiter.ts';
import { RequestCoalescer } from './request-coalescer.ts';
import { SyncStatCache } from './sync-stat-cache.ts';

/** What was found at a path. */
export interface PathStats {
  readonly stats: BigIntStats;
  readonly fingerprint: string;
  /** The time before it, in ms since 1970. */
  readonly beganMs: number;
}

const lookOf = (stats: BigIntStats, beganMs: number): PathStats => ({
  stats,
  fingerprint: fingerprintOf(stats),
  beganMs,
});

type StatsOf = (path: string, options: { readonly bigint: true }) => Promise<BigIntStats>;

/** After so many ms those who wait for a look are told that the disk does not answer. */
const lookMs = 10_000;

/** Folders and headers may take longer. */
const workMs = 30_000;

/** Undefined where a path leads nowhere; all throw where the disk fails, and ImageError `overloaded` where it hangs. */
export class LibraryFileSystem {
  readonly #gates: IoLimiter;
  readonly #quick: SyncStatCache;
  readonly #looks: RequestCoalescer<PathStats | undefined>;
  readonly #looksThrough: RequestCoalescer<PathStats | undefined>;

  /** `places` are absolute paths without links, of what may hang by itself. */
  constructor(places: readonly string[] = []) {
    this.#gates = new IoLimiter(places);
    this.#quick = new SyncStatCache(places);
    this.#looks = new RequestCoalescer((path) => this.#look(path, lstat));
    this.#looksThrough = new RequestCoalescer((path) => this.#look(path, stat));
  }

  /** What is at a path now, be it a link. */
  async lstat(path: string): Promise<PathStats | undefined> {
    const beganMs = Date.now();
    const stats = this.#quick.lstat(path);
    return stats ? lookOf(stats, beganMs) : this.#looks.run(path);
  }

  /** What is at a path now, be it a link, at once; undefined where that would take a thread, or there is nothing. */
  cachedLstatSync(path: string): BigIntStats | undefined {
    return this.#quick.lstat(path);
  }

  /** The same, by a look of its own: also where others have just looked. */
  freshLstatSync(path: string): BigIntStats | undefined {
    return this.#quick.freshLstat(path);
  }

  /** What a path leads to now. */
  stat(path: string): Promise<PathStats | undefined> {
    return this.#looksThrough.run(path);
  }

  /** The path without links. */
  resolve(path: string): Promise<string | undefined> {
    return this.#ask(path, () => realpath(path));
  }

  /** Does something longer with what lies at a path; it may not ask this disk again, since it has a turn already. */
  run<T>(path: string, work: () => Promise<T>): Promise<T> {
    return this.#gates.run(path, work, workMs);
  }

  load(): readonly IoLoad[] {
    return this.#gates.load();
  }

  async #look(path: string, statsOf: StatsOf): Promise<PathStats | undefined> {
    let beganMs = 0;
    const stats = await this.#ask(path, () => {
      beganMs = Date.now();
      return statsOf(path, { bigint: true });
    });
    if (stats === undefined) return undefined;
    if (statsOf === lstat) this.#quick.found(path, stats);
    return lookOf(stats, beganMs);
  }

  #ask<T>(path: string, operation: () => Promise<T>): Promise<T | undefined> {
    return ifReadable(this.#gates.run(path, operation, lookMs));
  }
}
