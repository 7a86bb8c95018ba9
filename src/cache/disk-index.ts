/**
 * Sizes and last uses of the files on disk, by name: about 45 bytes of memory an entry (36 to 55, as the table grows), all
 * of it in typed arrays that the garbage collector does not walk (`scripts/measure-cache-index.mjs`).
 */
import { lastUseUpTo } from './least-used.ts';

/** Entries and the bytes of their files. */
export interface Totals {
  readonly entries: number;
  readonly bytes: number;
}

/** A file that may go, with what was known of it when it was chosen. */
export interface Candidate {
  readonly name: string;
  readonly lastUseMs: number;
}

const wordsOfName = 4;
const smallestCapacity = 1024;
const fullest = 0.8;
const growth = 1.5;

interface Table {
  readonly capacity: number;
  /** The name’s 128 bits. */
  readonly names: Uint32Array;
  readonly sizes: Uint32Array;
  /** Milliseconds since 1970, each use later than the one before; 0 where the slot is free. */
  readonly uses: Float64Array;
  /** The last walk, by its number, that has seen the entry. */
  readonly marks: Uint8Array;
}

const makeTable = (capacity: number): Table => ({
  capacity,
  names: new Uint32Array(capacity * wordsOfName),
  sizes: new Uint32Array(capacity),
  uses: new Float64Array(capacity),
  marks: new Uint8Array(capacity),
});

const wordsIn = (name: string): readonly number[] =>
  [0, 8, 16, 24].map((start) => Number.parseInt(name.slice(start, start + 8), 16));

const nameAt = ({ names }: Table, slot: number): string =>
  Array.from(names.subarray(slot * wordsOfName, (slot + 1) * wordsOfName), (word) =>
    word.toString(16).padStart(8, '0'),
  ).join('');

/** Names are digests, so their first word is as good as any hash; entries lie nearly in its order. */
const homeOf = (capacity: number, firstWord: number): number => Math.floor((firstWord / 2 ** 32) * capacity);

const isFree = (table: Table, slot: number): boolean => table.uses[slot] === 0;

const holds = ({ names }: Table, slot: number, words: readonly number[]): boolean =>
  words.every((word, index) => names[slot * wordsOfName + index] === word);

/** The slot of a name, or the free one where it belongs. */
function slotOf(table: Table, words: readonly number[]): number {
  let slot = homeOf(table.capacity, words[0] ?? 0);
  while (!isFree(table, slot) && !holds(table, slot, words)) slot = (slot + 1) % table.capacity;
  return slot;
}

function copySlot(from: Table, source: number, to: Table, target: number): void {
  for (let word = 0; word < wordsOfName; word++) {
    to.names[target * wordsOfName + word] = from.names[source * wordsOfName + word] ?? 0;
  }
  to.sizes[target] = from.sizes[source] ?? 0;
  to.uses[target] = from.uses[source] ?? 0;
  to.marks[target] = from.marks[source] ?? 0;
}

/** Frees a slot, and moves up the entries behind it that would not be found across a free one. */
function freeSlot(table: Table, slot: number): void {
  const { capacity } = table;
  let hole = slot;
  for (let next = (slot + 1) % capacity; !isFree(table, next); next = (next + 1) % capacity) {
    const home = homeOf(capacity, table.names[next * wordsOfName] ?? 0);
    const isBehindHome = (next - home + capacity) % capacity >= (next - hole + capacity) % capacity;
    if (!isBehindHome) continue;
    copySlot(table, next, table, hole);
    hole = next;
  }
  table.uses[hole] = 0;
}

export class DiskIndex {
  #table = makeTable(smallestCapacity);
  #entries = 0;
  #bytes = 0;
  #latestUseMs = 0;
  #mark = 0;

  totals(): Totals {
    return { entries: this.#entries, bytes: this.#bytes };
  }

  has(name: string): boolean {
    return !isFree(this.#table, slotOf(this.#table, wordsIn(name)));
  }

  /** A file of this length was written or read just now. */
  use(name: string, fileBytes: number): void {
    // Several uses in one millisecond keep their order.
    this.#latestUseMs = Math.max(Date.now(), this.#latestUseMs + 0.001);
    this.#put(name, fileBytes, this.#latestUseMs);
  }

  /** A file of this length was found; a later use that is known already stays. */
  find(name: string, fileBytes: number, lastUseMs: number): void {
    const known = this.#table.uses[slotOf(this.#table, wordsIn(name))] ?? 0;
    // A clock that was wrong once must not make a file the last one to go for years.
    this.#put(name, fileBytes, Math.max(known, 1, Math.min(lastUseMs, Date.now())));
  }

  delete(name: string): void {
    const slot = slotOf(this.#table, wordsIn(name));
    if (isFree(this.#table, slot)) return;
    this.#entries--;
    this.#bytes -= this.#table.sizes[slot] ?? 0;
    freeSlot(this.#table, slot);
  }

  /** The least recently used entries that together have at least this many bytes, the oldest first. */
  leastUsed(bytes: number): readonly Candidate[] {
    const table = this.#table;
    const last = lastUseUpTo(table, bytes);
    const candidates: Candidate[] = [];
    let sum = 0;
    const take = (slot: number, lastUseMs: number): void => {
      candidates.push({ name: nameAt(table, slot), lastUseMs });
      sum += table.sizes[slot] ?? 0;
    };
    table.uses.forEach((use, slot) => {
      if (use !== 0 && use < last) take(slot, use);
    });
    // A folder that was copied may have one time for all, so of the last ones only some go.
    table.uses.forEach((use, slot) => {
      if (use !== 0 && use === last && sum < bytes) take(slot, use);
    });
    return candidates.sort((a, b) => a.lastUseMs - b.lastUseMs);
  }

  /** Whether an entry was not used since it was chosen. */
  isUnusedSince({ name, lastUseMs }: Candidate): boolean {
    return this.#table.uses[slotOf(this.#table, wordsIn(name))] === lastUseMs;
  }

  /** A walk begins: what is not found or used from now on is gone when it ends. */
  beginWalk(): void {
    this.#mark = (this.#mark + 1) % 256;
  }

  endWalk(): void {
    const { marks, sizes } = this.#table;
    let entries = 0;
    let bytes = 0;
    const isSeen = (slot: number): boolean => !isFree(this.#table, slot) && marks[slot] === this.#mark;
    for (let slot = 0; slot < marks.length; slot++) {
      if (!isSeen(slot)) continue;
      entries++;
      bytes += sizes[slot] ?? 0;
    }
    if (entries === this.#entries) return;
    this.#rebuild(Math.max(smallestCapacity, Math.ceil(entries / fullest) + 1), isSeen);
    this.#entries = entries;
    this.#bytes = bytes;
  }

  #put(name: string, fileBytes: number, lastUseMs: number): void {
    const words = wordsIn(name);
    let slot = slotOf(this.#table, words);
    if (isFree(this.#table, slot)) {
      if (this.#entries + 1 > this.#table.capacity * fullest) {
        this.#rebuild(Math.ceil(this.#table.capacity * growth), (one) => !isFree(this.#table, one));
        slot = slotOf(this.#table, words);
      }
      this.#table.names.set(words, slot * wordsOfName);
      this.#entries++;
    } else this.#bytes -= this.#table.sizes[slot] ?? 0;
    this.#table.sizes[slot] = fileBytes;
    this.#table.uses[slot] = lastUseMs;
    this.#table.marks[slot] = this.#mark;
    this.#bytes += fileBytes;
  }

  #rebuild(capacity: number, isKept: (slot: number) => boolean): void {
    const from = this.#table;
    const to = makeTable(capacity);
    for (let slot = 0; slot < from.capacity; slot++) {
      if (!isKept(slot)) continue;
      const words = from.names.subarray(slot * wordsOfName, (slot + 1) * wordsOfName);
      copySlot(from, slot, to, slotOf(to, Array.from(words)));
    }
    this.#table = to;
  }
}
