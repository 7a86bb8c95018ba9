/** Parts of objects that say where the rest lies: read in few, larger requests, and kept in memory. */
import { LRUCache } from 'lru-cache';

interface Part {
  readonly start: number;
  readonly bytes: Buffer;
}

const none: Buffer = Buffer.alloc(0);

/** Bytes of all parts in memory. */
const maxCachedBytes = 64 * 2 ** 20;

/** An object of at most this length is read as a whole. */
export const wholeBytes = 512 * 1024;

export const headBytes = 64 * 1024;

/** Images that are decoded as a whole, of which the first bytes are known, are read to their end up to this length. */
const maxImageBytes = 4 * 2 ** 20;

/** Bytes before those that were asked for: a few writers put the values of TIFF directories before these. */
const beforeBytes = 2 * 1024;

/** From a place nearer to the end than this, in bytes, all of the rest is read: the directories of all smaller levels lie there. */
const tailBytes = 512 * 1024;

/** Bytes that are read of a directory with its values, at least and at most. */
const shortestDirectoryBytes = 16 * 1024;
const longestDirectoryBytes = 256 * 1024;

/**
 * Bytes of a directory with its values, by what follows it: libvips writes each level before its directory, and the smaller ones, a third of
 * its bytes, behind it. The places of its tiles take less than a 400th of these; a profile and shared tables come to them.
 */
const directoryBytes = (following: number): number =>
  Math.min(Math.max(Math.ceil(following / 128), shortestDirectoryBytes), longestDirectoryBytes);

interface Range {
  readonly at: number;
  readonly length: number;
}

/** The range to read for bytes of an object, of which the first are known. */
function windowFor(size: number, { at, length }: Range, knownBytes: number): Range {
  if (size <= wholeBytes) return { at: 0, length: size };
  if (knownBytes >= wholeBytes && size <= maxImageBytes) return { at: knownBytes, length: size - knownBytes };
  if (at + length <= headBytes) return { at: 0, length: headBytes };
  const start = Math.max(0, at - beforeBytes);
  const following = size - start;
  if (following <= tailBytes) return { at: start, length: following };
  return { at: start, length: Math.min(following, Math.max(at + length - start, directoryBytes(following))) };
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
    for (const { start, bytes } of this.#partsOf(object)) {
      if (at >= start && at + length <= start + bytes.length) return bytes.subarray(at - start, at - start + length);
    }
    return undefined;
  }

  /** The first bytes of the object, as many as are in memory. */
  firstOf(object: string): Buffer {
    let longest = none;
    for (const { start, bytes } of this.#partsOf(object))
      if (start === 0 && bytes.length > longest.length) longest = bytes;
    return longest;
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
    const first = this.firstOf(object);
    const window = windowFor(size, { at, length }, first.length);
    const key = `${object} ${window.at} ${window.length}`;
    const running = this.#reading.get(key) ?? read(window.at, window.length).finally(() => this.#reading.delete(key));
    this.#reading.set(key, running);
    const bytes = await running;
    const isNext = window.at > 0 && window.at === first.length;
    const part = isNext ? { start: 0, bytes: Buffer.concat([first, bytes]) } : { start: window.at, bytes };
    this.#keep(object, key, part);
    return part.bytes.subarray(at - part.start, at - part.start + length);
  }

  /** Takes on the first bytes of an object, which were read to find it. */
  keepFirst(object: string, bytes: Buffer): void {
    this.#keep(object, `${object} 0 ${bytes.length}`, { start: 0, bytes });
  }

  #partsOf(object: string): readonly Part[] {
    return (this.#keys.get(object) ?? []).flatMap((key) => this.#parts.get(key) ?? []);
  }

  /** Parts within the new one are of no use any more. */
  #keep(object: string, key: string, part: Part): void {
    if (this.#parts.has(key)) return;
    this.#parts.set(key, part);
    const others = (this.#keys.get(object) ?? []).filter((other) => {
      const { start = 0, bytes = none } = this.#parts.peek(other) ?? {};
      const isWithin = start >= part.start && start + bytes.length <= part.start + part.bytes.length;
      if (isWithin) this.#parts.delete(other);
      return !isWithin;
    });
    this.#keys.set(object, [...others, key]);
  }
}
