/**
 * A usage index for millions of entries whose names are 32 hexadecimal digits of a digest. An entry takes 36 to 55 bytes of
 * memory, as the tables grow; a million take 53 MB (`scripts/measure-usage-index.mjs`).
 */
import { lastUseUpTo, visitTables } from './least-used.ts';
import { NameTable, NameWords } from './name-table.ts';
import { type Candidate, plausibleUseMs, type Totals, type UsageIndex, useTimeAfter } from './usage-index.ts';

export class CompactUsageIndex implements UsageIndex {
  /** One for each first byte of a name, so that growing a table never takes long. */
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

  use(name: string, bytes: number): void {
    this.#latestUseMs = useTimeAfter(this.#latestUseMs);
    this.#put(name, bytes, this.#latestUseMs);
  }

  find(name: string, bytes: number, lastUseMs: number): void {
    this.#put(name, bytes, plausibleUseMs(lastUseMs));
  }

  confirm(name: string): boolean {
    const table = this.#tableOf(name);
    const slot = table.find(this.#words);
    if (slot !== undefined) table.columns.marks[slot] = this.#mark;
    return slot !== undefined;
  }

  delete(name: string): void {
    const table = this.#tableOf(name);
    const slot = table.find(this.#words);
    if (slot === undefined) return;
    this.#entries--;
    this.#bytes -= table.columns.sizes[slot] ?? 0;
    table.remove(slot);
  }

  async leastUsed(bytes: number): Promise<readonly Candidate[]> {
    const { lastUseMs, olderBytes } = await lastUseUpTo(this.#tables, bytes);
    const candidates: Candidate[] = [];
    let sum = olderBytes;
    await visitTables(this.#tables, (table) => {
      const { capacity, sizes, uses } = table.columns;
      for (let slot = 0; slot < capacity; slot++) {
        const use = uses[slot] ?? 0;
        // All files of a folder that was copied may have one time, so only some of the last ones are evicted.
        if (use === 0 || use > lastUseMs || (use === lastUseMs && sum >= bytes)) continue;
        if (use === lastUseMs) sum += sizes[slot] ?? 0;
        candidates.push({ name: table.nameAt(slot), lastUseMs: use });
      }
    });
    return candidates;
  }

  isUnusedSince({ name, lastUseMs }: Candidate): boolean {
    const table = this.#tableOf(name);
    const slot = table.find(this.#words);
    return slot !== undefined && table.columns.uses[slot] === lastUseMs;
  }

  beginWalk(): void {
    this.#mark = (this.#mark + 1) % 256;
  }

  async endWalk(): Promise<void> {
    await visitTables(this.#tables, (table) => {
      const deleted = table.deleteUnmarked(this.#mark);
      this.#entries -= deleted.entries;
      this.#bytes -= deleted.bytes;
    });
  }

  /** The table of a name; afterwards `#words` hold the name. */
  #tableOf(name: string): NameTable {
    const table = this.#tables[this.#words.set(name).firstByte];
    if (table === undefined) throw new RangeError('A byte is greater than 255.');
    return table;
  }

  #put(name: string, bytes: number, lastUseMs: number): void {
    const table = this.#tableOf(name);
    const present = table.find(this.#words);
    const slot = present ?? table.add(this.#words);
    const { sizes, uses, marks } = table.columns;
    if (present === undefined) this.#entries++;
    else this.#bytes -= sizes[slot] ?? 0;
    const previousUseMs = present === undefined ? 0 : (uses[slot] ?? 0);
    sizes[slot] = bytes;
    uses[slot] = Math.max(previousUseMs, lastUseMs);
    marks[slot] = this.#mark;
    this.#bytes += bytes;
  }
}
