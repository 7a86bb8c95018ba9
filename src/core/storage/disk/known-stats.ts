/** Stats of local disks without a thread: of paths that the kernel most likely has in memory. */
import { type BigIntStats, lstatSync, statSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { SyncReads } from '../read-steps.ts';
import { isOnLocalDisk } from './mount-table.ts';

type Device = Pick<BigIntStats, 'dev' | 'isSymbolicLink'>;

/** The disks of this machine, as far as files of them were met. */
export class LocalDisks {
  /** By device; undefined for one that is of another machine, or may wait for a process. */
  readonly #reads = new Map<bigint, SyncReads | undefined>();

  /** Meets the disks of these directories, as far as they are of this machine. */
  add(directories: readonly string[]): void {
    for (const directory of directories) {
      const stats = isOnLocalDisk(directory) ? statSync(directory, { bigint: true, throwIfNoEntry: false }) : undefined;
      if (stats !== undefined) this.readsOf(directory, stats);
    }
  }

  /** What may read a file without a thread; undefined where it is on no local disk. */
  readsOf(path: string, stats: Device): SyncReads | undefined {
    const { dev } = stats;
    if (this.#reads.has(dev)) return this.#reads.get(dev);
    // What a link leads to may be on another disk than the link.
    if (stats.isSymbolicLink()) return undefined;
    const reads = isOnLocalDisk(path) ? new SyncReads() : undefined;
    this.#reads.set(dev, reads);
    return reads;
  }
}

/** The kernel keeps the stats of a path in memory for longer than this after they were read. */
const warmMs = 10_000;

const maxWarmPaths = 100_000;

export class KnownStats {
  readonly #disks: LocalDisks;
  /** By path, until when its stats are in memory, in ms since 1970. */
  readonly #warmUntilMs: LRUCache<string, number>;
  /** The stats that were read in this turn of the event loop, after all the requests that are handled in it came. */
  #thisTurn = new Map<string, BigIntStats>();

  /**
   * A new map, since V8 links the table of one that is cleared to its next table: a table that survived until it was moved to
   * the old space would keep all later ones, with their stats, until the whole heap is collected.
   */
  readonly #endTurn = (): void => {
    this.#thisTurn = new Map();
  };

  constructor(disks: LocalDisks) {
    this.#disks = disks;
    // With `max` in place of `maxSize` the cache would allocate its tables at once, which are 3 MB.
    this.#warmUntilMs = new LRUCache({ maxSize: maxWarmPaths, sizeCalculation: () => 1 });
  }

  /** Called with the stats of each path that was read asynchronously. */
  remember(file: string, stats: Device): void {
    if (this.#disks.readsOf(file, stats) !== undefined) this.#warmUntilMs.set(file, Date.now() + warmMs);
  }

  /**
   * The stats of a path, without following a link; undefined where they are not in memory, missing, or can't be read. `now`
   * they are read even if they were read in this turn of the event loop.
   */
  lstat(file: string, now?: 'now'): BigIntStats | undefined {
    const read = now === undefined ? this.#thisTurn.get(file) : undefined;
    if (read !== undefined) return read;
    const leftMs = (this.#warmUntilMs.get(file) ?? 0) - Date.now();
    if (leftMs < 0) return undefined;
    try {
      const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
      if (stats === undefined) return undefined;
      if (leftMs < warmMs / 2) this.remember(file, stats);
      if (this.#thisTurn.size === 0) setImmediate(this.#endTurn);
      this.#thisTurn.set(file, stats);
      return stats;
    } catch {
      return undefined;
    }
  }
}
