/** Synchronous stats, without a thread, of paths on local disks, most of all where the kernel most likely has them in memory. */
import { type BigIntStats, lstatSync, statSync } from 'node:fs';
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import { isLocal, localDevices } from '../../storage/local-disk.ts';
import { type SyncReads, syncReadsOf } from '../../storage/sync-reads.ts';

/** The kernel keeps the stats of a path in memory for longer than this after they were read. */
const warmMs = 10_000;

const maxWarmPaths = 100_000;

/** Of this many folders is remembered whether they are on a local disk. */
const maxFolders = 1000;

export interface SyncStatOptions {
  /**
   * Whether stats may wait for a local disk a little: in a process that answers no requests. Those of all paths in folders of
   * local disks are then read at once, as long as that is fast.
   */
  readonly mayWait?: boolean;
}

export class SyncStatCache {
  /** The reads of each local disk, by its device. */
  readonly #devices: ReadonlyMap<bigint, SyncReads>;
  /** By path, until when its stats are in memory, in ms since 1970. */
  readonly #warmUntilMs: LRUCache<string, number>;
  /** The stats that were read in this turn of the event loop, after all the requests that are handled in it came. */
  #thisTurn = new Map<string, BigIntStats>();
  /** By folder, what reads its local disk; `elsewhere` where it is on none. Only where stats may wait. */
  readonly #folders: LRUCache<string, SyncReads | 'elsewhere'> | undefined;

  /**
   * A new map, since V8 links the table of one that is cleared to its next table: a table that survived until it was moved to
   * the old space would keep all later ones, with their stats, until the whole heap is collected.
   */
  readonly #endTurn = (): void => {
    this.#thisTurn = new Map();
  };

  /** `directories` are absolute paths without links. */
  constructor(directories: readonly string[], { mayWait = false }: SyncStatOptions = {}) {
    if (mayWait) this.#folders = new LRUCache({ max: maxFolders });
    this.#devices = syncReadsOf(localDevices(directories.map((directory) => path.resolve(directory))), { mayWait });
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
    const leftMs = (this.#warmUntilMs.get(file) ?? 0) - Date.now();
    const reads = leftMs < 0 ? this.#readsInFolderOf(file) : undefined;
    if (leftMs < 0 && reads?.areAllowed !== true) return undefined;
    try {
      const read = (): BigIntStats | undefined => lstatSync(file, { bigint: true, throwIfNoEntry: false });
      const stats = reads === undefined ? read() : reads.run(read);
      if (stats === undefined) return undefined;
      if (leftMs < warmMs / 2) this.remember(file, stats);
      if (this.#thisTurn.size === 0) setImmediate(this.#endTurn);
      this.#thisTurn.set(file, stats);
      return stats;
    } catch {
      return undefined;
    }
  }

  /** What reads the disk of the folder around a path; undefined where stats may not wait, and where the disk is no local one. */
  #readsInFolderOf(file: string): SyncReads | undefined {
    if (this.#folders === undefined) return undefined;
    const folder = path.dirname(file);
    let reads = this.#folders.get(folder);
    if (reads === undefined) {
      const device = isLocal(folder) ? statSync(folder, { bigint: true, throwIfNoEntry: false })?.dev : undefined;
      reads = (device === undefined ? undefined : this.#devices.get(device)) ?? 'elsewhere';
      this.#folders.set(folder, reads);
    }
    return reads === 'elsewhere' ? undefined : reads;
  }
}
