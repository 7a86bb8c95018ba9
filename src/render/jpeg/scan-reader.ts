/** Reads the blocks of a JPEG scan bit by bit; only the differences of their DC values are decoded. */
import {
  type DifferenceTable,
  endSteps,
  longEntry,
  maxCategory,
  noSteps,
  type StepTable,
  severalBits,
  shortBits,
} from './huffman-table.ts';

/** More than the length of the longest block and of the bits that are peeked at. */
const bytesAfter = 256;

const firstRestart = 0xd0;

const damaged = 'the tile’s bytes are damaged';

export class ScanReader {
  /** The coded bytes up to the next marker, without stuffing. */
  readonly bytes: DataView;
  /** Current position in bits. */
  position = 0;
  /** Why nothing more can be read, as the end of a sentence; undefined before an error. */
  fault: string | undefined;
  readonly #stream: Buffer;
  readonly #plain: Uint8Array;
  /** Position of the next marker in the stream. */
  #markerAt: number;
  #endBit = 0;
  #restarts = 0;

  /** Reads from the stream's byte at `start` on. */
  constructor(stream: Buffer, start: number) {
    this.#stream = stream;
    this.#plain = new Uint8Array(stream.length - start + bytesAfter);
    this.bytes = new DataView(this.#plain.buffer);
    this.#markerAt = start;
    this.#fill(start);
  }

  /** Skips the restart marker, which has to be next. */
  restart(): void {
    const isAtEnd = this.#endBit - this.position < 8;
    const marker = this.#stream[this.#markerAt + 1];
    if (isAtEnd && marker === firstRestart + (this.#restarts++ % 8)) this.#fill(this.#markerAt + 2);
    else this.fault ??= damaged;
  }

  /** The difference of the next block's DC value to the previous one; 0 after an error. */
  readDifference(table: DifferenceTable): number {
    if (this.fault !== undefined) return 0;
    const bits = this.#peek();
    const entry = table.short[bits >>> (32 - shortBits)] || longEntry(table, bits >>> 16);
    const category = entry >>> 5;
    if (entry === 0 || category > maxCategory) {
      this.fault = damaged;
      return 0;
    }
    this.position += entry & 31;
    if (category === 0) return 0;
    const value = this.#peek() >>> (32 - category);
    this.position += category;
    return value < 1 << (category - 1) ? value - (1 << category) + 1 : value;
  }

  /** Skips the other coefficients of the block. */
  skipCoefficients(table: StepTable): void {
    if (this.fault !== undefined) return;
    const { bytes } = this;
    const { short, several } = table;
    let { position } = this;
    let index = 1;
    while (index < 64) {
      const bits = bytes.getUint32(position >>> 3) << (position & 7);
      const found = several[bits >>> (32 - severalBits)] ?? 0;
      const next = index + (found >>> 6);
      // Further codes than the block has would be those of the next one.
      if (found !== 0 && (next <= 64 || (next >= endSteps && next < endSteps + 64))) {
        index = next;
        position += found & 63;
        continue;
      }
      const entry = short[bits >>> (32 - shortBits)] || longEntry(table, bits >>> 16);
      // An invalid symbol is recognized by its steps below.
      index += entry === 0 ? noSteps : entry >>> 5;
      position += entry & 31;
    }
    if (position > this.#endBit) this.fault = 'the tile’s bytes are cut short';
    else if (index > 64 && index < endSteps) this.fault = damaged;
    else this.position = position;
  }

  /** The next 25 bits, as the first ones of 32. */
  #peek(): number {
    return this.bytes.getUint32(this.position >>> 3) << (this.position & 7);
  }

  /** Reads the stream's bytes up to the next marker: removes the 0 after each 255, and skips fill bytes of 255. */
  #fill(from: number): void {
    const [stream, plain] = [this.#stream, this.#plain];
    let [at, length] = [from, 0];
    for (; at < stream.length; at++) {
      const byte = stream[at] ?? 0;
      if (byte === 0xff) {
        const next = stream[at + 1];
        if (next === 0xff) continue;
        if (next !== 0) break;
        at++;
      }
      plain[length++] = byte;
    }
    this.#markerAt = at;
    this.#endBit = length * 8;
    this.position = 0;
  }
}
