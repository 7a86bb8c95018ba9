/** Synchronous stats, without a thread, of paths on local disks whose stats the kernel most likely has in memory. */
import { type BigIntStats, lstatSync } from 'node:fs';
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import { localDevices } from '../../storage/local-disk.ts';
import { type SyncReads, syncReadsOf } from '../../storage/sync-reads.ts';

/** The kernel keeps the stats of a path in memory for longer than this after they were read. */
const warmMs = 10_000;

const maxWarmPaths = 100_000;

export class SyncStatCache {
  /** The reads of each local disk, by its device. */
  readonly #devices: ReadonlyMap<bigint, SyncReads>;
  /** By path, until when its stats are in memory, in ms since 1970. */
  readonly #warmUntilMs: LRUCache<string, number>;
  /** The stats that were read in this turn of the event loop, after all the requests that are handled in it came. */
  readonly #thisTurn = new Map<string, BigIntStats>();

  /** `directories` are absolute paths without links. */
  constructor(directories: readonly string[]) {
    this.#devices = syncReadsOf(localDevices(directories.map((directory) => path.resolve(directory))));
    // With `max` in place of `maxSize` the cache would allocate its tables at once, which are 3 MB.
    this.#warmUntilMs = new LRUCache({ maxSize: maxWarmPaths, sizeCalculation: () => 1 });
  }

  /** Whether a file with these stats is on a local disk, where the stats of an open file never wait for anything. */
  isLocal({ dev }: Pick<BigIntStats, 'dev'>): boolean {
    return this.#devices.has(dev);
  }

  /** What may read a file with these stats without a thread; undefined where it is on no local disk. */
  syncReadsOf({ dev }: Pick<BigIntStats, 'dev'>): SyncReads | undefined {
    return this.#devices.get(dev);
  }

  /** Called with the stats of each path that was read asynchronously. */
  remember(file: string, { dev }: Pick<BigIntStats, 'dev'>): void {
    // A file system that is mounted inside of a directory has a device number of its own.
    if (this.#devices.has(dev)) this.#warmUntilMs.set(file, Date.now() + warmMs);
  }

  /** The stats of a path, without following a link; undefined where they are not in memory, missing, or can't be read. */
  lstat(file: string): BigIntStats | undefined {
    return this.#thisTurn.get(file) ?? this.freshLstat(file);
  }

  /** The same, read now even if they were read in this turn of the event loop. */
  freshLstat(file: string): BigIntStats | undefined {
    const untilMs = this.#warmUntilMs.get(file);
    const nowMs = Date.now();
    if (untilMs === undefined || untilMs < nowMs) return undefined;
    try {
      const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
      if (stats === undefined) return undefined;
      if (untilMs - nowMs < warmMs / 2) this.remember(file, stats);
      if (this.#thisTurn.size === 0) setImmediate(() => this.#thisTurn.clear());
      this.#thisTurn.set(file, stats);
      return stats;
    } catch {
      return undefined;
    }
  }
}
