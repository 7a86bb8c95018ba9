/** Reads the bytes of a code-stream from its open file, through a window that follows the reader. */
import { readSync } from 'node:fs';
import { CodeStreamDamage } from './damage.ts';

/** The window doubles while reads follow each other, and begins small where they jump: from one tile’s header to the next. */
const smallestWindowBytes = 4 * 1024;
const largestWindowBytes = 256 * 1024;

/**
 * The bytes of an open file. Reads are synchronous, since packet headers are read bit by bit; a render process does nothing
 * else meanwhile, and is ended at its deadline where a disk does not answer.
 */
export class CodeStreamBytes {
  readonly #descriptor: number;
  /** Position after the code-stream's last byte, from the file's start. */
  readonly end: number;
  #window: Buffer = Buffer.alloc(0);
  #start = 0;
  #windowBytes = smallestWindowBytes;
  #unused: Buffer = Buffer.alloc(0);

  constructor(descriptor: number, end: number) {
    this.#descriptor = descriptor;
    this.end = end;
  }

  /** The byte at a position from the file's start. Throws CodeStreamDamage behind the end. */
  byteAt(position: number): number {
    const byte = this.#window[position - this.#start];
    return byte === undefined ? this.#fill(position) : byte;
  }

  #fill(position: number): number {
    if (position < 0 || position >= this.end) throw new CodeStreamDamage('the code-stream ends early');
    const follows = position >= this.#start && position <= this.#start + 2 * this.#window.length;
    this.#windowBytes = follows ? Math.min(2 * this.#windowBytes, largestWindowBytes) : smallestWindowBytes;
    this.#window = this.#read(position, Math.min(this.#windowBytes, this.end - position));
    this.#start = position;
    const [byte] = this.#window;
    if (byte === undefined) throw new CodeStreamDamage('the file ends early');
    return byte;
  }

  /** Bytes from a position of the file on, as they are there. Throws CodeStreamDamage where there are fewer. */
  slice(position: number, bytes: number): Uint8Array {
    if (position < 0 || position + bytes > this.end) throw new CodeStreamDamage('the code-stream ends early');
    const from = position - this.#start;
    if (from >= 0 && from + bytes <= this.#window.length) return this.#window.subarray(from, from + bytes);
    if (bytes <= smallestWindowBytes) {
      this.#fill(position);
      if (this.#window.length >= bytes) return this.#window.subarray(0, bytes);
    }
    const read = this.#read(position, bytes);
    if (read.length < bytes) throw new CodeStreamDamage('the file ends early');
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
    let done = 0;
    while (done < bytes) {
      const count = readSync(this.#descriptor, buffer, done, bytes - done, position + done);
      if (count === 0) break;
      done += count;
    }
    return buffer.subarray(0, done);
  }
}
