/** Caches the bytes of derivatives in memory and on disk, and makes each of them once for all concurrent requests. */
import { LRUCache } from 'lru-cache';
import type { DiskOptions } from '../storage/guarded-disk.ts';
import type { SmallObjects } from '../storage/storage.ts';
import type { Totals } from '../storage/usage-index.ts';
import { DiskCache, type DiskCacheOptions, type DiskStats } from './disk-cache.ts';
import { IdleScheduler } from './disk-cache-writer.ts';
import { detached, MemoryCache } from './memory-cache.ts';
import { SharedCache } from './shared-cache.ts';

export interface DerivativesStats {
  /** Counts by origin; `joined`: another request was making or reading the same derivative. */
  readonly hits: { readonly memory: number; readonly disk: number; readonly shared: number; readonly joined: number };
  /** Number of derivatives that had to be made. */
  readonly misses: number;
  /** The bytes include keys and a fixed overhead for each entry. */
  readonly memory: Totals & { readonly maxBytes: number; readonly evictions: number };
  readonly disk?: DiskStats;
  /** Number of damaged files and failed file operations. */
  readonly faults: number;
}

/** Where a derivative is cached: one that is read as fast from its source needs no file of its own, or is not shared. */
export type CacheTiers = 'memory' | 'memory-and-own-disk' | 'memory-and-disk';

export type Derivatives = ReturnType<typeof createDerivatives>;

export interface DerivativesOptions extends DiskOptions {
  /** The bound in memory, in bytes; 0: nothing is cached in memory. */
  readonly memoryBytes: number;
  /** After so many ms without a request, those in memory are dropped where they are cached on disk too; never by default. */
  readonly restMs?: number;
  /** Where and how much is cached on disk, in a folder `lectern-derivatives` that is created in the directory. */
  readonly disk?: DiskCacheOptions;
  /** What several servers share; it is read before a derivative is made, and written behind. */
  readonly shared?: SmallObjects;
  /** The same in a folder that servers share, such as one of NFS; never read without a deadline. */
  readonly sharedFolder?: Omit<DiskCacheOptions, 'isLocal'>;
}

/** How many keys of derivatives are remembered that were made once, without waiting. */
const maxMadeOnce = 5000;

interface CreateOptions {
  readonly tiers?: CacheTiers;
  /** Reads or makes within limits. */
  readonly within?: (produce: () => Promise<Buffer>) => Promise<Buffer>;
  /** The key itself by default. */
  readonly workKey?: string;
}

export function createDerivatives(options: DerivativesOptions) {
  const { memoryBytes, restMs, disk: diskOptions, shared: objects, sharedFolder, ...parts } = options;
  const idle = new IdleScheduler();
  const disk = diskOptions && new DiskCache(diskOptions, parts, idle);
  const folder = sharedFolder && new DiskCache(sharedFolder, parts, idle);
  const shared = objects ? new SharedCache(objects, parts.onFault) : folder;
  const memory = new MemoryCache({
    maxBytes: memoryBytes,
    refresh: (key, bytes) => disk?.refresh(key, bytes),
    restMs: disk && restMs,
  });
  const madeOnce = new LRUCache<string, true>({ max: maxMadeOnce });
  const inFlight = new Map<string, Promise<Buffer>>();
  const hits = { memory: 0, disk: 0, shared: 0, joined: 0 };
  let misses = 0;

  /** From memory only, synchronously. */
  function peek(key: string): Buffer | undefined {
    const bytes = memory.get(key);
    if (bytes !== undefined) hits.memory++;
    return bytes;
  }

  /** Keeps bytes in memory that were made without waiting, where they were made so before: most are never requested again. */
  function keep(key: string, bytes: Buffer): void {
    misses++;
    if (madeOnce.delete(key)) memory.set(key, detached(bytes), false);
    else madeOnce.set(key, true);
  }

  async function readOrMake(key: string, make: () => Promise<Buffer>, tiers: CacheTiers): Promise<Buffer> {
    const usedDisk = tiers === 'memory' ? undefined : disk;
    const stored = await usedDisk?.read(key);
    if (stored !== undefined) {
      hits.disk++;
      memory.set(key, stored, true);
      return stored;
    }
    const usedShared = tiers === 'memory-and-disk' ? shared : undefined;
    const found = await usedShared?.read(key);
    if (found !== undefined) {
      hits.shared++;
      memory.set(key, found, true);
      usedDisk?.write(key, found);
      return found;
    }
    misses++;
    const bytes = detached(await make());
    memory.set(key, bytes, tiers !== 'memory');
    usedDisk?.write(key, bytes);
    usedShared?.write(key, bytes);
    return bytes;
  }

  /**
   * The bytes under this key: from memory, from disk, or made once for all concurrent requests. All get the same buffer, which
   * must not be written to; `workKey` is equal for those that may be made once. Rejects only as `make` does, or `within`, which is called
   * with the reading or making; then nothing is cached, and the next request calls `make` again.
   */
  async function getOrCreate(key: string, make: () => Promise<Buffer>, options: CreateOptions = {}) {
    const { tiers = 'memory-and-disk', within = (produce) => produce(), workKey = key } = options;
    const cached = peek(key);
    if (cached !== undefined) return cached;
    const pending = inFlight.get(workKey);
    if (pending !== undefined) {
      hits.joined++;
      return pending;
    }
    const endWork = idle.startWork();
    const result = within(() => readOrMake(key, make, tiers)).finally(() => {
      inFlight.delete(workKey);
      endWork();
    });
    inFlight.set(workKey, result);
    return result;
  }

  return {
    getOrCreate,
    keep,
    peek,
    stats: (): DerivativesStats => ({
      hits: { ...hits },
      misses,
      memory: { maxBytes: memoryBytes, ...memory.totals() },
      ...(disk && { disk: disk.stats() }),
      faults: (disk?.faults ?? 0) + (folder?.faults ?? 0),
    }),
    /** Resolves when all pending writes have ended, at the latest after 10 s; then nothing is written, but it can be read. */
    close: async () => void (await Promise.all([disk?.close(), shared?.close()])),
  };
}
