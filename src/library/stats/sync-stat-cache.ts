/** Looks that need no thread: at what a local disk was asked for just now, and therefore has in memory. */

import { type BigIntStats, existsSync, lstatSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { LRUCache } from 'lru-cache';

/**
 * Types of file systems (statfs, Linux) that answer from this machine: ext, XFS, Btrfs, ZFS, F2FS, tmpfs, overlay. A look
 * at any other could wait for a network, and everyone with it.
 */
const localTypes: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0xf2f52010, 0x01021994, 0x794c7630,
]);

/** A disk keeps what it was asked for in memory for longer than this. */
const warmMs = 10_000;

const maxWarm = 100_000;

/** The place itself, or the nearest folder above it that is there. */
function existing(place: string): string {
  return existsSync(place) || place === path.dirname(place) ? place : existing(path.dirname(place));
}

/** Whether what lies at an absolute path, or is to be made there, comes from a disk of this machine. */
export function isLocal(place: string): boolean {
  try {
    return process.platform === 'linux' && localTypes.has(statfsSync(existing(place)).type);
  } catch {
    return false;
  }
}

/** The devices of local disks by the absolute paths that lie on them. */
export const localDevices = (places: readonly string[]): ReadonlySet<bigint> =>
  new Set(places.filter(isLocal).map((place) => statSync(existing(place), { bigint: true }).dev));

export class SyncStatCache {
  readonly #devices: ReadonlySet<bigint>;
  /** Until when what lies at a path is in memory, in ms since 1970. */
  readonly #warmUntilMs: LRUCache<string, number>;

  /** What was found in this turn of the event loop: all who ask in it have asked before it was found. */
  readonly #thisTurn = new Map<string, BigIntStats>();

  /** `places` are absolute paths without links. */
  constructor(places: readonly string[]) {
    this.#devices = localDevices(places.map((place) => path.resolve(place)));
    // The cache allocates its tables at once, and without a local disk it stays empty.
    this.#warmUntilMs = new LRUCache({ max: this.#devices.size === 0 ? 1 : maxWarm });
  }

  /** Told of what a look at a path found by the usual way. */
  found(file: string, { dev }: BigIntStats): void {
    // A mount inside of a place has a device of its own.
    if (this.#devices.has(dev)) this.#warmUntilMs.set(file, Date.now() + warmMs);
  }

  /** What is at a path, be it a link, at once; undefined where that would take a thread, where it leads nowhere, and where it fails. */
  lstat(file: string): BigIntStats | undefined {
    return this.#thisTurn.get(file) ?? this.freshLstat(file);
  }

  /** The same, found now: also what was found in this turn is looked at again. */
  freshLstat(file: string): BigIntStats | undefined {
    const untilMs = this.#warmUntilMs.get(file);
    const nowMs = Date.now();
    if (untilMs === undefined || untilMs < nowMs) return undefined;
    try {
      const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
      if (stats === undefined) return undefined;
      if (untilMs - nowMs < warmMs / 2) this.found(file, stats);
      if (this.#thisTurn.size === 0) setImmediate(() => this.#thisTurn.clear());
      this.#thisTurn.set(file, stats);
      return stats;
    } catch {
      return undefined;
    }
  }
}
