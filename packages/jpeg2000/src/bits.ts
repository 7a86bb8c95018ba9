/** The bits of packet headers, and the tag trees that they write (ISO 15444-1, sections B.10.1 and B.10.2). */

/** Reads bits: after a byte 0xFF, the next one holds seven. */
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

/** The number of a leaf that is not known yet. */
const unknown = 0x7fffffff;

interface Nodes {
  readonly parents: Int32Array;
  readonly count: number;
}

/** The parent of each node; the leaves come first, row by row. The root’s is -1. */
function linkNodes(width: number, height: number): Nodes {
  const sizes = [{ width, height }];
  for (let last = sizes[0]; last && last.width * last.height > 1; last = sizes.at(-1))
    sizes.push({ width: Math.ceil(last.width / 2), height: Math.ceil(last.height / 2) });
  const count = sizes.reduce((sum, size) => sum + size.width * size.height, 0);
  const parents = new Int32Array(count).fill(-1);
  let start = 0;
  sizes.slice(0, -1).forEach((size, level) => {
    const next = start + size.width * size.height;
    const above = sizes[level + 1]?.width ?? 1;
    for (let index = 0; index < size.width * size.height; index++) {
      const row = Math.floor(index / size.width);
      parents[start + index] = next + (row >> 1) * above + ((index - row * size.width) >> 1);
    }
    start = next;
  });
  return { parents, count };
}

/** A two-dimensional array of numbers, of which a packet header says only as much as is needed. */
export class TagTree {
  readonly #parents: Int32Array;
  readonly #values: Int32Array;
  readonly #lows: Int32Array;
  readonly #known: Uint8Array;
  readonly #path: number[] = [];

  constructor(width: number, height: number) {
    const { parents, count } = linkNodes(width, height);
    this.#parents = parents;
    this.#values = new Int32Array(count).fill(unknown);
    this.#lows = new Int32Array(count);
    this.#known = new Uint8Array(count);
  }

  /** Calls `step` for the nodes from the root to a leaf, with what is known to be no more than the node’s number. */
  #descend(leaf: number, step: (node: number, low: number) => number): void {
    const path = this.#path;
    path.length = 0;
    for (let node = leaf; node >= 0; node = this.#parents[node] ?? -1) path.push(node);
    let low = 0;
    for (let index = path.length - 1; index >= 0; index--) {
      const node = path[index] ?? 0;
      low = step(node, Math.max(low, this.#lows[node] ?? 0));
      this.#lows[node] = low;
    }
  }

  /** Reads until it is known whether the number of a leaf is less than `threshold`, and says so. */
  readLess(bits: BitReader, leaf: number, threshold: number): boolean {
    const values = this.#values;
    this.#descend(leaf, (node, from) => {
      let low = from;
      while (low < threshold && low < (values[node] ?? 0)) {
        if (bits.bit()) values[node] = low;
        else low++;
      }
      return low;
    });
    return (values[leaf] ?? unknown) < threshold;
  }

  /** Sets the number of a leaf that will be written; leaves that were not set are larger than all others. */
  set(leaf: number, value: number): void {
    for (let node = leaf; node >= 0 && (this.#values[node] ?? 0) > value; node = this.#parents[node] ?? -1)
      this.#values[node] = value;
  }

  /** Writes whether the number of a leaf is less than `threshold`, and the number if so. */
  writeLess(bits: BitWriter, leaf: number, threshold: number): void {
    this.#descend(leaf, (node, from) => {
      const value = this.#values[node] ?? 0;
      let low = from;
      while (low < threshold) {
        if (low >= value) {
          if (!this.#known[node]) bits.bit(1);
          this.#known[node] = 1;
          break;
        }
        bits.bit(0);
        low++;
      }
      return low;
    });
  }
}
