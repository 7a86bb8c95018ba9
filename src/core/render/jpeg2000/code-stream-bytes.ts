/** Reads the bytes of a code-stream through a window that follows the reader. */
import { damaged } from './damage.ts';

/** The window doubles while reads follow each other, and begins small where they jump: from one tile’s header to the next. */
const smallestWindowBytes = 4 * 1024;
const largestWindowBytes = 256 * 1024;

/**
 * Reads into a buffer from a position of the file on, at once; returns the number of bytes, fewer than the buffer has only at the
 * end of the file.
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
    const read = this.#read(position, bytes);
    if (read.length < bytes) throw damaged('the file ends early');
    return read;
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
}
