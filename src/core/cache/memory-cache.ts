/** The most recently used derivatives in memory, up to a number of bytes. */
import { LRUCache } from 'lru-cache';
import { dropWhenIdle } from '../storage/drop-when-idle.ts';
import type { Totals } from '../storage/usage-index.ts';

/** The memory of an entry beside its bytes and its key, in bytes: two objects, a buffer and a slot in the table. */
export const entryOverheadBytes = 512;

/** A single entry may take at most this part of the memory. */
const maxEntryPart = 1 / 8;

export interface MemoryCacheOptions {
  /** The bytes of all entries with their overhead; 0: nothing is stored. */
  readonly maxBytes: number;
  /** Called for entries that are in use, at most once an hour for each. */
  readonly refresh: (key: string, bytes: Buffer) => void;
  /** After so many ms without a call of `get`, all entries are dropped; never by default. */
  readonly restMs?: number | undefined;
}

/** The use of an entry is passed on to its file on disk at most this often. */
const refreshIntervalMs = 60 * 60 * 1000;

interface Entry {
  readonly bytes: Buffer;
  /** When the use was last passed on to the disk, in ms since 1970; infinite for an entry that has no file there. */
  refreshedMs: number;
}

/** Copies bytes that are a small part of a larger buffer, which would otherwise stay in memory with them. */
export function detached(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength - bytes.byteLength <= bytes.byteLength / 8) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.byteLength);
  bytes.copy(copy);
  return copy;
}

const costOf = ({ bytes }: Entry, key: string): number => bytes.buffer.byteLength + key.length + entryOverheadBytes;

export class MemoryCache {
  readonly #entries: LRUCache<string, Entry> | undefined;
  readonly #refresh: MemoryCacheOptions['refresh'];
  readonly #noteUse: (() => void) | undefined;
  #evictions = 0;

  constructor({ maxBytes, refresh, restMs }: MemoryCacheOptions) {
    this.#refresh = refresh;
    const maxEntrySize = Math.floor(maxBytes * maxEntryPart);
    if (maxEntrySize <= entryOverheadBytes) return;
    if (restMs !== undefined) this.#noteUse = dropWhenIdle(() => this.#entries?.clear(), restMs);
    this.#entries = new LRUCache({
      maxSize: Math.floor(maxBytes),
      maxEntrySize,
      sizeCalculation: costOf,
      dispose: (_entry, _key, reason) => {
        if (reason === 'evict') this.#evictions++;
      },
    });
  }

  get(key: string): Buffer | undefined {
    this.#noteUse?.();
    const entry = this.#entries?.get(key);
    if (entry === undefined) return undefined;
    const nowMs = Date.now();
    if (nowMs - entry.refreshedMs >= refreshIntervalMs) {
      entry.refreshedMs = nowMs;
      this.#refresh(key, entry.bytes);
    }
    return entry.bytes;
  }

  /** Stores detached bytes; `onDisk` says whether they have a file on disk too. */
  set(key: string, bytes: Buffer, onDisk: boolean): void {
    this.#entries?.set(key, { bytes, refreshedMs: onDisk ? Date.now() : Number.POSITIVE_INFINITY });
  }

  /** The bytes include keys and overhead. */
  totals(): Totals & { readonly evictions: number } {
    const { size: entries, calculatedSize: bytes } = this.#entries ?? { size: 0, calculatedSize: 0 };
    return { entries, bytes, evictions: this.#evictions };
  }
}
