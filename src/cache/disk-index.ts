/**
 * Sizes and last uses of the files on disk, by name. An entry costs 36 to 55 bytes of memory, as the tables grow; a million
 * cost 53 MB (`scripts/measure-cache-index.mjs`).
 */
import { lastUseUpTo, visitTables } from './least-used.ts';
import { NameTable, NameWords } from './name-table.ts';

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

function totalsOf({ count, columns: { sizes, uses } }: NameTable): Totals {
  let bytes = 0;
  for (let slot = 0; slot < sizes.length; slot++) if (uses[slot] !== 0) bytes += sizes[slot] ?? 0;
  return { entries: count, bytes };
}

export class DiskIndex {
  /** One for each first byte of a name, so that growing one of them is never long. */
  readonly #tables = Array.from({ length: 256 }, () => new NameTable());
  readonly #words = new NameWords();
  #entries = 0;
  #bytes = 0;
  #latestUseMs = 0;
  #mark = 0;

  totals(): Totals {
    return { entries: this.#entries, bytes: this.#bytes };
  }

  has(name: string): boolean {
    return this.#tableOf(name).find(this.#words) !== undefined;
  }

  /** A file of this length was written or read just now. */
  use(name: string, fileBytes: number): void {
    // Several uses in one millisecond keep their order.
    this.#latestUseMs = Math.max(Date.now(), this.#latestUseMs + 0.001);
    this.#put(name, fileBytes, this.#latestUseMs);
  }

  /** A file of this length was found; a later use that is known already stays. */
  find(name: string, fileBytes: number, lastUseMs: number): void {
    // A clock that was wrong once must not make a file the last one to go for years.
    this.#put(name, fileBytes, Math.max(1, Math.min(lastUseMs, Date.now())));
  }

  delete(name: string): void {
    const table = this.#tableOf(name);
    const slot = table.find(this.#words);
    if (slot === undefined) return;
    this.#entries--;
    this.#bytes -= table.columns.sizes[slot] ?? 0;
    table.remove(slot);
  }

  /**
   * The least recently used entries that together have at least this many bytes, in no order. Requests are answered
   * while they are looked for, so a few of them may have been used or may be gone when they are known.
   */
  async leastUsed(bytes: number): Promise<readonly Candidate[]> {
    const { lastUseMs, olderBytes } = await lastUseUpTo(this.#tables, bytes);
    const candidates: Candidate[] = [];
    let sum = olderBytes;
    await visitTables(this.#tables, (table) => {
      const { capacity, sizes, uses } = table.columns;
      for (let slot = 0; slot < capacity; slot++) {
        const use = uses[slot] ?? 0;
        // A folder that was copied may have one time for all, so of the last ones only some go.
        if (use === 0 || use > lastUseMs || (use === lastUseMs && sum >= bytes)) continue;
        if (use === lastUseMs) sum += sizes[slot] ?? 0;
        candidates.push({ name: table.nameAt(slot), lastUseMs: use });
      }
    });
    return candidates;
  }

  /** Whether an entry was not used since it was chosen. */
  isUnusedSince({ name, lastUseMs }: Candidate): boolean {
    const table = this.#tableOf(name);
    const slot = table.find(this.#words);
    return slot !== undefined && table.columns.uses[slot] === lastUseMs;
  }

  /** A walk begins: what is not found or used from now on is gone when it ends. */
  beginWalk(): void {
    this.#mark = (this.#mark + 1) % 256;
  }

  async endWalk(): Promise<void> {
    await visitTables(this.#tables, (table) => {
      const before = totalsOf(table);
      table.keepMarked(this.#mark);
      const after = totalsOf(table);
      this.#entries += after.entries - before.entries;
      this.#bytes += after.bytes - before.bytes;
    });
  }

  /** The table where a name belongs; `#words` hold the name then. */
  #tableOf(name: string): NameTable {
    const table = this.#tables[this.#words.set(name).firstByte];
    if (table === undefined) throw new RangeError('a byte beyond 255');
    return table;
  }

  #put(name: string, fileBytes: number, lastUseMs: number): void {
    const table = this.#tableOf(name);
    const known = table.find(this.#words);
    const slot = known ?? table.add(this.#words);
    const { sizes, uses, marks } = table.columns;
    if (known === undefined) this.#entries++;
    else this.#bytes -= sizes[slot] ?? 0;
    const knownUseMs = known === undefined ? 0 : (uses[slot] ?? 0);
    sizes[slot] = fileBytes;
    uses[slot] = Math.max(knownUseMs, lastUseMs);
    marks[slot] = this.#mark;
    this.#bytes += fileBytes;
  }
}
