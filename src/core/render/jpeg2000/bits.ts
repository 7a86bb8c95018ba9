/** Reads and writes the bits of packet headers: after a byte 0xFF, the next one holds seven (ISO 15444-1, section B.10.1). */

export class BitReader {
  readonly #byteAt: (position: number) => number;
  #position: number;
  #byte = 0;
  #left = 0;

  /** Reads from `position` on; `byteAt` throws at the end. */
  constructor(byteAt: (position: number) => number, position: number) {
    this.#byteAt = byteAt;
    this.#position = position;
  }

  bit(): number {
    if (this.#left === 0) {
      this.#left = this.#byte === 0xff ? 7 : 8;
      this.#byte = this.#byteAt(this.#position++);
    }
    this.#left--;
    return (this.#byte >> this.#left) & 1;
  }

  bits(count: number): number {
    let value = 0;
    for (let index = 0; index < count; index++) value = value * 2 + this.bit();
    return value;
  }

  /** The position of the byte after the header, which ends with a whole byte that is not 0xFF. */
  end(): number {
    if (this.#byte === 0xff) {
      this.#byteAt(this.#position++);
      this.#byte = 0;
    }
    this.#left = 0;
    return this.#position;
  }
}

export class BitWriter {
  readonly #bytes: number[] = [];
  #byte = 0;
  #left = 8;

  bit(value: number): void {
    this.#left--;
    this.#byte |= value << this.#left;
    if (this.#left > 0) return;
    this.#bytes.push(this.#byte);
    this.#left = this.#byte === 0xff ? 7 : 8;
    this.#byte = 0;
  }

  bits(value: number, count: number): void {
    for (let index = count - 1; index >= 0; index--) this.bit(Math.floor(value / 2 ** index) % 2);
  }

  /** All bytes, padded with zero bits. */
  end(): readonly number[] {
    if (this.#left < 8) this.#bytes.push(this.#byte);
    this.#byte = 0;
    this.#left = 8;
    return this.#bytes;
  }
}
