/** Keeps the bytes that plans yielded, in memory and on disk, and makes each only once for all who ask at the same time. */
import { Disk, type DiskOptions, type DiskStats } from './disk.ts';
import { Faults, type OnFault } from './faults.ts';
import { type FileSystem, nodeFileSystem } from './file-system.ts';
import { IdleScheduler } from './idle-scheduler.ts';
import { detached, Memory } from './memory.ts';

export interface DerivativesStats {
  /** Where answers came from; `joined`: another request was making or reading the same. */
  readonly hits: { readonly memory: number; readonly disk: number; readonly joined: number };
  /** How often something had to be made. */
  readonly misses: number;
  /** The bytes count keys and a fixed overhead too. */
  readonly memory: {
    readonly entries: number;
    readonly bytes: number;
    readonly maxBytes: number;
    readonly evictions: number;
  };
  readonly disk?: DiskStats;
  /** Damaged files and failed file operations. */
  readonly faults: number;
}

/** Where bytes are kept: what is read as fast from its source needs no place on disk. */
export type CacheTiers = 'memory' | 'memory-and-disk';

export interface Derivatives {
  /**
   * The bytes under this key: from memory, from disk, or made once for all who ask at the same time. All get the same buffer,
   * so nobody may write to it. Rejects only as `make` does; then nothing is kept, and the next one who asks makes anew.
   */
  getOrCreate(key: string, make: () => Promise<Buffer>, places?: CacheTiers): Promise<Buffer>;
  /** From memory alone, at once. */
  peek(key: string): Buffer | undefined;
  stats(): DerivativesStats;
  /**
   * Resolves when everything that was to be written is written, at the latest after 10 s; afterwards nothing more is. What
   * is kept can still be read.
   */
  close(): Promise<void>;
}

export interface DerivativesOptions {
  /** The bound in memory, in bytes; 0: nothing is kept in memory. */
  readonly memoryBytes: number;
  /** Where and how much is kept on disk, in a folder `lectern-derivatives` that is made in the directory. */
  readonly disk?: DiskOptions;
  /** Told of faults of the disk, for the log: never more than once a minute for the same kind, and once while it lasts. */
  readonly onFault: OnFault;
  /** The file operations, where they should not be those of Node. */
  readonly fileSystem?: FileSystem;
}

export function createDerivatives(options: DerivativesOptions): Derivatives {
  const faults = new Faults(options.onFault);
  const lull = new IdleScheduler();
  const disk = options.disk && new Disk(options.disk, options.fileSystem ?? nodeFileSystem, faults, lull);
  const memory = new Memory(options.memoryBytes, (key, bytes) => disk?.refresh(key, bytes));
  const flights = new Map<string, Promise<Buffer>>();
  const hits = { memory: 0, disk: 0, joined: 0 };
  let misses = 0;

  function peek(key: string): Buffer | undefined {
    const bytes = memory.get(key);
    if (bytes !== undefined) hits.memory++;
    return bytes;
  }

  async function readOrMake(key: string, make: () => Promise<Buffer>, places: CacheTiers): Promise<Buffer> {
    const folder = places === 'memory' ? undefined : disk;
    const stored = await folder?.read(key);
    if (stored !== undefined) {
      hits.disk++;
      memory.set(key, stored, true);
      return stored;
    }
    misses++;
    const bytes = detached(await make());
    memory.set(key, bytes, places === 'memory-and-disk');
    folder?.keep(key, bytes);
    return bytes;
  }

  async function getOrCreate(key: string, make: () => Promise<Buffer>, places: CacheTiers = 'memory-and-disk') {
    const known = peek(key);
    if (known !== undefined) return known;
    const flying = flights.get(key);
    if (flying !== undefined) {
      hits.joined++;
      return flying;
    }
    const end = lull.begin();
    const flight = readOrMake(key, make, places).finally(() => {
      flights.delete(key);
      end();
    });
    flights.set(key, flight);
    return flight;
  }

  return {
    getOrCreate,
    peek,
    stats: () => ({
      hits: { ...hits },
      misses,
      memory: { maxBytes: options.memoryBytes, ...memory.totals() },
      ...(disk && { disk: disk.stats() }),
      faults: faults.count,
    }),
    close: async () => disk?.close(),
  };
}
