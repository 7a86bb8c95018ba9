/** Parts of objects that say where the rest lies: read in few, larger requests, and kept in memory. */
import { LRUCache } from 'lru-cache';

interface Part {
  readonly start: number;
  readonly bytes: Buffer;
}

/** Bytes of all parts in memory. */
const maxCachedBytes = 64 * 2 ** 20;

/** An object of at most this length is read as a whole. */
export const wholeBytes = 512 * 1024;

export const headBytes = 64 * 1024;

/** Bytes before those that were asked for: TIFF directories follow their arrays, or precede them. */
const beforeBytes = 16 * 1024;

/** From a place nearer to the end than this, in bytes, all of the rest is read: the directories of all smaller levels lie there. */
const tailBytes = 8 * 2 ** 20;

/** The range to read for bytes of an object. */
function windowFor(size: number, at: number, length: number): { readonly at: number; readonly length: number } {
  if (size <= wholeBytes) return { at: 0, length: size };
  if (at + length <= headBytes) return { at: 0, length: headBytes };
  const start = Math.max(0, at - beforeBytes);
  const end = size - start <= tailBytes ? size : Math.min(size, Math.max(at + length, start + headBytes));
  return { at: start, length: end - start };
}

export class DirectoryCache {
  readonly #parts = new LRUCache<string, Part>({
    maxSize: maxCachedBytes,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes.length),
  });
  /** The keys of the parts of an object, by what names its version. */
  readonly #keys = new LRUCache<string, readonly string[]>({ max: 10_000 });
  readonly #reading = new Map<string, Promise<Buffer>>();

  /** The bytes, where they are in memory. */
  find(object: string, at: number, length: number): Buffer | undefined {
    for (const key of this.#keys.get(object) ?? []) {
      const part = this.#parts.get(key);
      if (part && at >= part.start && at + length <= part.start + part.bytes.length)
        return part.bytes.subarray(at - part.start, at - part.start + length);
    }
    return undefined;
  }

  /** The same, with those around them, once for all who ask. `at + length` is within the object. */
  async read(
    object: string,
    size: number,
    [at, length]: readonly [number, number],
    read: (at: number, length: number) => Promise<Buffer>,
  ): Promise<Buffer> {
    const found = this.find(object, at, length);
    if (found !== undefined) return found;
    const window = windowFor(size, at, length);
    const key = `${object} ${window.at} ${window.length}`;
    const running = this.#reading.get(key) ?? read(window.at, window.length).finally(() => this.#reading.delete(key));
    this.#reading.set(key, running);
    const bytes = await running;
    this.#keep(object, key, { start: window.at, bytes });
    return bytes.subarray(at - window.at, at - window.at + length);
  }

  /** Takes on the first bytes of an object, which were read to find it. */
  keepFirst(object: string, bytes: Buffer): void {
    this.#keep(object, `${object} 0 ${bytes.length}`, { start: 0, bytes });
  }

  #keep(object: string, key: string, part: Part): void {
    if (this.#parts.has(key)) return;
    this.#parts.set(key, part);
    const others = (this.#keys.get(object) ?? []).filter((other) => this.#parts.has(other));
    this.#keys.set(object, [...others, key]);
  }
}
