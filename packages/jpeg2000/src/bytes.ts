/** The bytes of files: asynchronous sources for headers, and a window that follows the reader of a code-stream. */
import { damaged, isDamage } from './error.ts';

/** Random access to the bytes of a file. */
export interface ByteSource {
  /** Length in bytes. */
  readonly size: number;
  /** The bytes from `offset` on, fewer where the source ends before. The result is not modified. */
  read(offset: number, length: number): Promise<Buffer>;
}

/** The source of bytes in memory. */
export const bufferSource = (buffer: Buffer): ByteSource => ({
  size: buffer.length,
  read: async (offset, length) => buffer.subarray(offset, offset + length),
});

/** A source of a part of another one, cut off where that one ends. */
export function sliceSource(source: ByteSource, start: number, length: number): ByteSource {
  const size = Math.max(0, Math.min(length, source.size - start));
  return {
    size,
    read: async (offset, requested) =>
      offset >= size ? Buffer.alloc(0) : source.read(start + offset, Math.min(requested, size - offset)),
  };
}

/** Exactly the requested bytes, or undefined where the source does not have all of them. */
export async function readExactly(source: ByteSource, offset: number, length: number): Promise<Buffer | undefined> {
  // Offsets come from the file itself, so invalid ones must not reach the source.
  if (!Number.isSafeInteger(offset) || offset < 0 || !(length >= 0) || offset + length > source.size) return undefined;
  const bytes = await source.read(offset, length);
  return bytes.length === length ? bytes : undefined;
}

/** The value; throws Jpeg2000Error with `reason` where there is none. */
export function required<T>(value: T | undefined, reason: string): T {
  if (value === undefined) throw damaged(reason);
  return value;
}

/** An optional part of a header: undefined where it is damaged. */
export async function ifIntact<T>(part: Promise<T>): Promise<T | undefined> {
  try {
    return await part;
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

/** The window doubles while reads follow each other, and begins small where they jump: from one tile’s header to the next. */
const smallestWindowBytes = 4 * 1024;
const largestWindowBytes = 256 * 1024;

/**
 * Reads into a buffer from a position of the file on, at once; returns the number of bytes, none only at the end of the file. Of a file in
 * parts it may be fewer than the buffer has.
 */
export type ReadAt = (buffer: Uint8Array, position: number) => number;

/** Reads from bytes in memory. */
export const readerOf =
  (bytes: Uint8Array): ReadAt =>
  (buffer, position) => {
    const part = bytes.subarray(position, position + buffer.length);
    buffer.set(part);
    return part.length;
  };

/**
 * The bytes of a file. Reads are synchronous, since packet headers are read bit by bit.
 */
export class CodeStreamBytes {
  readonly #readAt: ReadAt;
  /** Position after the code-stream's last byte, from the file's start. */
  readonly end: number;
  #window: Buffer = Buffer.alloc(0);
  #start = 0;
  #windowBytes = smallestWindowBytes;
  #unused: Buffer = Buffer.alloc(0);

  constructor(readAt: ReadAt, end: number) {
    this.#readAt = readAt;
    this.end = end;
  }

  /** The byte at a position from the file's start. Throws Jpeg2000Error behind the end. */
  byteAt(position: number): number {
    const byte = this.#window[position - this.#start];
    return byte === undefined ? this.#fill(position) : byte;
  }

  #fill(position: number): number {
    if (position < 0 || position >= this.end) throw damaged('the code-stream ends early');
    const follows = position >= this.#start && position <= this.#start + 2 * this.#window.length;
    this.#windowBytes = follows ? Math.min(2 * this.#windowBytes, largestWindowBytes) : smallestWindowBytes;
    this.#window = this.#read(position, Math.min(this.#windowBytes, this.end - position));
    this.#start = position;
    const [byte] = this.#window;
    if (byte === undefined) throw damaged('the file ends early');
    return byte;
  }

  /** Bytes from a position of the file on, as they are there. Throws Jpeg2000Error where there are fewer. */
  slice(position: number, bytes: number): Uint8Array {
    if (position < 0 || position + bytes > this.end) throw damaged('the code-stream ends early');
    const from = position - this.#start;
    if (from >= 0 && from + bytes <= this.#window.length) return this.#window.subarray(from, from + bytes);
    if (bytes <= smallestWindowBytes) {
      this.#fill(position);
      if (this.#window.length >= bytes) return this.#window.subarray(0, bytes);
    }
    return this.#readAll(position, bytes);
  }

  /** Memory that was not used before; small parts are taken from a larger one, since each allocation costs as much as a read. */
  #take(bytes: number): Buffer {
    if (bytes > smallestWindowBytes) return Buffer.allocUnsafeSlow(bytes);
    if (this.#unused.length < bytes) this.#unused = Buffer.allocUnsafeSlow(16 * smallestWindowBytes);
    const taken = this.#unused.subarray(0, bytes);
    this.#unused = this.#unused.subarray(bytes);
    return taken;
  }

  #read(position: number, bytes: number): Buffer {
    const buffer = this.#take(bytes);
    return buffer.subarray(0, this.#readAt(buffer, position));
  }

  #readAll(position: number, bytes: number): Buffer {
    const buffer = this.#take(bytes);
    for (let done = 0; done < bytes; ) {
      const count = this.#readAt(done === 0 ? buffer : buffer.subarray(done), position + done);
      if (count === 0) throw damaged('the file ends early');
      done += count;
    }
    return buffer;
  }
}
