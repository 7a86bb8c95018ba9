/** Writes a header and the bits of a JPEG scan, with a stuffed 0 after each byte of 255 (ITU-T T.81, section F.1.2.3). */
import { type DifferenceTable, maxCategory } from './huffman-table.ts';

const endOfImage = [0xff, 0xd9] as const;

/** At most 24 bits from a position on. */
const bitsAt = (source: DataView, position: number, count: number): number =>
  (source.getUint32(position >>> 3) << (position & 7)) >>> (32 - count);

export class ScanWriter {
  #bytes: Buffer;
  #length: number;
  /** The last `#count` of these bits are not written yet; they are fewer than 8. */
  #bits = 0;
  #count = 0;

  /** `expectedBytes` is the approximate length of the scan. */
  constructor(header: Buffer, expectedBytes: number) {
    this.#bytes = Buffer.allocUnsafe(header.length + expectedBytes);
    this.#length = header.copy(this.#bytes);
  }

  /** Copies the bits between two positions of a source, which has at least 4 bytes after them. */
  copy(source: DataView, from: number, to: number): void {
    if (to === from) return;
    this.#reserve((to - from) >>> 3);
    const end = to - ((to - from) % 24);
    if (end > from) this.#copyTriples(source, from, end);
    if (to > end) this.#put(bitsAt(source, end, to - end), to - end);
  }

  /** Writes the difference of a DC value; false where the table has no code for it. */
  writeDifference({ codes, lengths }: DifferenceTable, difference: number): boolean {
    const category = 32 - Math.clz32(Math.abs(difference));
    const length = lengths[category] ?? 0;
    if (category > maxCategory || length === 0) return false;
    this.#reserve(4);
    this.#put(codes[category] ?? 0, length);
    this.#put(difference < 0 ? difference + (1 << category) - 1 : difference, category);
    return true;
  }

  /** The whole JPEG. */
  finish(): Buffer {
    this.#reserve(4);
    // The last byte is padded with ones.
    if (this.#count > 0) this.#put(0xff >>> this.#count, 8 - this.#count);
    for (const byte of endOfImage) this.#bytes[this.#length++] = byte;
    return this.#bytes.subarray(0, this.#length);
  }

  /** As `copy`, for multiples of 24 bits: most bits are written here, so this is optimized. */
  #copyTriples(source: DataView, from: number, to: number): void {
    const [bytes, count] = [this.#bytes, this.#count];
    let [bits, length] = [this.#bits, this.#length];
    for (let position = from; position < to; position += 24) {
      const next = bitsAt(source, position, 24);
      const triple = ((bits << (24 - count)) | (next >>> count)) & 0xff_ff_ff;
      bits = next;
      for (let shift = 16; shift >= 0; shift -= 8) {
        const byte = (triple >>> shift) & 0xff;
        bytes[length++] = byte;
        if (byte === 0xff) bytes[length++] = 0;
      }
    }
    this.#bits = bits;
    this.#length = length;
  }

  /** Writes at most 24 bits. */
  #put(value: number, count: number): void {
    const bytes = this.#bytes;
    this.#bits = (this.#bits << count) | value;
    this.#count += count;
    while (this.#count >= 8) {
      this.#count -= 8;
      const byte = (this.#bits >>> this.#count) & 0xff;
      bytes[this.#length++] = byte;
      if (byte === 0xff) bytes[this.#length++] = 0;
    }
  }

  /** Reserves space for a number of bytes, each of which can be 255, and for the pending bits. */
  #reserve(bytes: number): void {
    const needed = this.#length + 2 * bytes + 8;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * needed);
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
