/** A hash table of 128-bit names in typed arrays, which the garbage collector does not traverse. */
import type { Totals } from './usage-index.ts';

const wordsOfName = 4;
const smallestCapacity = 16;
const maxLoadFactor = 0.8;
const growthFactor = 1.5;

/** A name as four words; `set` takes the 32 hexadecimal digits. One object serves many lookups in turn. */
export class NameWords {
  readonly words = new Uint32Array(wordsOfName);
  readonly #bytes = Buffer.from(this.words.buffer);

  set(name: string): this {
    this.#bytes.write(name, 'hex');
    return this;
  }

  get firstByte(): number {
    return this.#bytes[0] ?? 0;
  }
}

interface Columns {
  readonly capacity: number;
  readonly names: Uint32Array;
  /** The bytes of the files. */
  readonly sizes: Uint32Array;
  /** When the file was used last, in milliseconds since 1970; 0 where the slot is free. */
  readonly uses: Float64Array;
  /** A number that the owner of the table sets. */
  readonly marks: Uint8Array;
}

const makeColumns = (capacity: number): Columns => ({
  capacity,
  names: new Uint32Array(capacity * wordsOfName),
  sizes: new Uint32Array(capacity),
  uses: new Float64Array(capacity),
  marks: new Uint8Array(capacity),
});

/** Names are digests, so one of their words is a good hash; entries are nearly in its order. */
const idealSlot = (capacity: number, firstWord: number): number => Math.floor((firstWord / 2 ** 32) * capacity);

/** The slot of the name at `offset` in `names`, or the free one where it belongs. */
function findSlot(columns: Columns, names: Uint32Array, offset: number): number {
  const { capacity, uses, names: own } = columns;
  let slot = idealSlot(capacity, names[offset] ?? 0);
  for (; uses[slot] !== 0; slot = slot + 1 === capacity ? 0 : slot + 1) {
    const at = slot * wordsOfName;
    if (
      own[at] === names[offset] &&
      own[at + 1] === names[offset + 1] &&
      own[at + 2] === names[offset + 2] &&
      own[at + 3] === names[offset + 3]
    ) {
      break;
    }
  }
  return slot;
}

function copyName(from: Uint32Array, source: number, to: Uint32Array, target: number): void {
  to.set(from.subarray(source, source + wordsOfName), target);
}

function copySlot(from: Columns, source: number, to: Columns, target: number): void {
  copyName(from.names, source * wordsOfName, to.names, target * wordsOfName);
  to.sizes[target] = from.sizes[source] ?? 0;
  to.uses[target] = from.uses[source] ?? 0;
  to.marks[target] = from.marks[source] ?? 0;
}

export class NameTable {
  #columns = makeColumns(smallestCapacity);
  #count = 0;

  get columns(): Columns {
    return this.#columns;
  }

  nameAt(slot: number): string {
    const { names } = this.#columns;
    return Buffer.from(names.buffer, slot * wordsOfName * 4, wordsOfName * 4).toString('hex');
  }

  /** The slot of a name, valid until the table is changed. */
  find({ words }: NameWords): number | undefined {
    const slot = findSlot(this.#columns, words, 0);
    return this.#columns.uses[slot] === 0 ? undefined : slot;
  }

  /** Adds a name that is not in the table yet; the caller sets the columns of its slot, `uses` to a value other than 0. */
  add({ words }: NameWords): number {
    this.#count++;
    if (this.#count > this.#columns.capacity * maxLoadFactor) {
      const { capacity, uses } = this.#columns;
      this.#rebuild(Math.ceil(capacity * growthFactor), (slot) => uses[slot] !== 0);
    }
    const slot = findSlot(this.#columns, words, 0);
    copyName(words, 0, this.#columns.names, slot * wordsOfName);
    return slot;
  }

  /** Frees a slot, and moves the entries behind it that would not be found across a free slot. */
  remove(slot: number): void {
    const columns = this.#columns;
    const { capacity, uses, names } = columns;
    let hole = slot;
    for (let next = (slot + 1) % capacity; uses[next] !== 0; next = (next + 1) % capacity) {
      const ideal = idealSlot(capacity, names[next * wordsOfName] ?? 0);
      if ((next - ideal + capacity) % capacity < (next - hole + capacity) % capacity) continue;
      copySlot(columns, next, columns, hole);
      hole = next;
    }
    uses[hole] = 0;
    this.#count--;
  }

  /** Deletes all entries but those with this mark; returns how many these are, and the bytes of their files. */
  deleteUnmarked(mark: number): Totals {
    const { marks, uses, sizes } = this.#columns;
    const isMarked = (slot: number): boolean => uses[slot] !== 0 && marks[slot] === mark;
    let [entries, bytes] = [0, 0];
    for (let slot = 0; slot < uses.length; slot++) {
      if (uses[slot] === 0 || marks[slot] === mark) continue;
      entries++;
      bytes += sizes[slot] ?? 0;
    }
    if (entries > 0) {
      this.#count -= entries;
      this.#rebuild(Math.max(smallestCapacity, Math.ceil(this.#count / maxLoadFactor) + 1), isMarked);
    }
    return { entries, bytes };
  }

  #rebuild(capacity: number, isMarked: (slot: number) => boolean): void {
    const from = this.#columns;
    const to = makeColumns(capacity);
    for (let slot = 0; slot < from.capacity; slot++) {
      if (isMarked(slot)) copySlot(from, slot, to, findSlot(to, from.names, slot * wordsOfName));
    }
    this.#columns = to;
  }
}
