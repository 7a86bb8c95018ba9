/** Derivatives in memory: the most recently used ones, up to a number of bytes. */
import { LRUCache } from 'lru-cache';
import type { Totals } from './disk-index.ts';

/** What an entry costs beside its bytes and its key, in bytes: two objects, a buffer and a place in the table. */
export const entryOverheadBytes = 512;

/** A single entry may take this part of the memory. */
const largestPart = 1 / 8;

/** After this time in use, the file on disk is told that its entry is used; it then counts as used once more. */
const refreshAfterMs = 60 * 60 * 1000;

interface Kept {
  readonly bytes: Buffer;
  /** When the entry on disk was last known to be used, in milliseconds since 1970; infinite for one that has none there. */
  refreshedMs: number;
}

/** The bytes in memory of their own where they are a part of something larger, which would stay in memory for them. */
export function detached(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength - bytes.byteLength <= bytes.byteLength / 8) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.byteLength);
  bytes.copy(own);
  return own;
}

const costOf = ({ bytes }: Kept, key: string): number => bytes.buffer.byteLength + key.length + entryOverheadBytes;

export class Memory {
  readonly #entries: LRUCache<string, Kept> | undefined;
  readonly #refresh: (key: string, bytes: Buffer) => void;
  #evictions = 0;

  /** `refresh` is told, at most once an hour for each entry, of entries that are in use here. */
  constructor(maxBytes: number, refresh: (key: string, bytes: Buffer) => void) {
    this.#refresh = refresh;
    const maxEntrySize = Math.floor(maxBytes * largestPart);
    if (maxEntrySize <= entryOverheadBytes) return;
    this.#entries = new LRUCache({
      maxSize: Math.floor(maxBytes),
      maxEntrySize,
      sizeCalculation: costOf,
      dispose: (_kept, _key, reason) => {
        if (reason === 'evict') this.#evictions++;
      },
    });
  }

  get(key: string): Buffer | undefined {
    const kept = this.#entries?.get(key);
    if (kept === undefined) return undefined;
    const nowMs = Date.now();
    if (nowMs - kept.refreshedMs >= refreshAfterMs) {
      kept.refreshedMs = nowMs;
      this.#refresh(key, kept.bytes);
    }
    return kept.bytes;
  }

  /** Keeps bytes that are detached; `onDisk` says whether they have their place there too. */
  set(key: string, bytes: Buffer, onDisk: boolean): void {
    this.#entries?.set(key, { bytes, refreshedMs: onDisk ? Date.now() : Number.POSITIVE_INFINITY });
  }

  /** The bytes count keys and overhead. */
  totals(): Totals & { readonly evictions: number } {
    const { size: entries, calculatedSize: bytes } = this.#entries ?? { size: 0, calculatedSize: 0 };
    return { entries, bytes, evictions: this.#evictions };
  }
}
