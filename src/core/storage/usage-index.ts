/**
 * Sizes and last uses of the entries of a stored folder, in memory, so that the least recently used ones are found. A million
 * entries take 142 MB.
 */
import { setImmediate } from 'node:timers/promises';

/** Number of entries, and the bytes of their files. */
export interface Totals {
  readonly entries: number;
  readonly bytes: number;
}

/** An entry that may be evicted, with its last use when it was chosen, in ms since 1970. */
export interface Candidate {
  readonly name: string;
  readonly lastUseMs: number;
}

interface Usage {
  bytes: number;
  /** In ms since 1970. */
  lastUseMs: number;
  /** The number of the last walk that found it, or during which it was used. */
  walk: number;
}

/** A clock that was wrong once must not make a file the last one to be evicted for years. */
const plausibleUseMs = (lastUseMs: number): number => Math.max(1, Math.min(lastUseMs, Date.now()));

const byLastUse = (one: Candidate, other: Candidate): number => one.lastUseMs - other.lastUseMs;

export class UsageIndex {
  readonly #entries = new Map<string, Usage>();
  readonly #onChange: (name: string, isPresent: boolean) => void;
  #bytes = 0;
  #latestUseMs = 0;
  /** How many use an entry now; none of these is a candidate. */
  readonly #held = new Map<string, number>();
  #walk = 0;

  /** `onChange` is called after an entry was added or deleted. */
  constructor(onChange: (name: string, isPresent: boolean) => void = () => undefined) {
    this.#onChange = onChange;
  }

  totals(): Totals {
    return { entries: this.#entries.size, bytes: this.#bytes };
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  get(name: string): Readonly<Usage> | undefined {
    return this.#entries.get(name);
  }

  /** An entry of this length was written or read now. */
  use(name: string, bytes: number): void {
    // Several uses in one millisecond keep their order.
    this.#latestUseMs = Math.max(Date.now(), this.#latestUseMs + 0.001);
    this.#put(name, bytes, this.#latestUseMs);
  }

  /** An entry of this length was found; a later use that is in the index already stays. */
  find(name: string, bytes: number, lastUseMs: number): void {
    this.#put(name, bytes, plausibleUseMs(lastUseMs));
  }

  /** An entry was found by a walk; returns whether the index has it already. */
  confirm(name: string): boolean {
    const entry = this.#entries.get(name);
    if (entry !== undefined) entry.walk = this.#walk;
    return entry !== undefined;
  }

  /** Somebody uses an entry, or is going to, until it is released: it is not to be evicted. */
  hold(name: string): void {
    this.#held.set(name, (this.#held.get(name) ?? 0) + 1);
  }

  release(name: string): void {
    const holders = (this.#held.get(name) ?? 0) - 1;
    if (holders > 0) this.#held.set(name, holders);
    else this.#held.delete(name);
  }

  /** The bytes of the entries that nobody uses. */
  unusedBytes(): number {
    let bytes = this.#bytes;
    for (const name of this.#held.keys()) bytes -= this.#entries.get(name)?.bytes ?? 0;
    return bytes;
  }

  delete(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    this.#entries.delete(name);
    this.#bytes -= entry.bytes;
    this.#onChange(name, false);
  }

  clear(): void {
    for (const name of this.#entries.keys()) this.delete(name);
  }

  /**
   * The least recently used entries that nobody uses, which together have at least this many bytes, the oldest first; all, where these
   * have fewer.
   * Requests are answered meanwhile, so a few of the entries may have been used or deleted by the time that they are chosen.
   */
  async leastUsed(bytes: number): Promise<readonly Candidate[]> {
    if (bytes <= 0 || this.#entries.size === 0) return [];
    const uses = Float64Array.from(this.#entries.values(), ({ lastUseMs }) => lastUseMs);
    await setImmediate();
    // Numbers alone are sorted twenty times as fast as entries, of which few are chosen.
    uses.sort();
    await setImmediate();
    const share = Math.ceil((uses.length * bytes) / Math.max(bytes, this.#bytes));
    for (let count = share; ; count *= 2) {
      const candidates = this.usedUntil(uses[Math.min(count, uses.length) - 1] ?? 0);
      let sum = 0;
      const enough = candidates.findIndex(({ name }) => {
        sum += this.#entries.get(name)?.bytes ?? 0;
        return sum >= bytes;
      });
      if (enough >= 0) return candidates.slice(0, enough + 1);
      if (count >= uses.length) return candidates;
    }
  }

  /** All entries that nobody uses and that were used last at this time or before, the least recently used one first. */
  usedUntil(timeMs: number): readonly Candidate[] {
    const candidates: Candidate[] = [];
    for (const [name, { lastUseMs }] of this.#entries)
      if (lastUseMs <= timeMs && !this.#held.has(name)) candidates.push({ name, lastUseMs });
    return candidates.sort(byLastUse);
  }

  /** Whether an entry is there and was not used since it was chosen. */
  isUnusedSince({ name, lastUseMs }: Candidate): boolean {
    return this.#entries.get(name)?.lastUseMs === lastUseMs && !this.#held.has(name);
  }

  /** A walk begins: entries that are neither found, confirmed nor used until it ends are deleted then. */
  beginWalk(): void {
    this.#walk++;
  }

  endWalk(): void {
    for (const [name, { walk }] of this.#entries) if (walk !== this.#walk) this.delete(name);
  }

  #put(name: string, bytes: number, lastUseMs: number): void {
    const entry = this.#entries.get(name);
    this.#bytes += bytes - (entry?.bytes ?? 0);
    if (entry === undefined) {
      this.#entries.set(name, { bytes, lastUseMs, walk: this.#walk });
      this.#onChange(name, true);
      return;
    }
    entry.bytes = bytes;
    entry.lastUseMs = Math.max(lastUseMs, entry.lastUseMs);
    entry.walk = this.#walk;
  }
}
