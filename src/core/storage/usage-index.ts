/** Sizes and last uses of the entries of a stored folder, in memory, so that the least recently used ones are found. */

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

export interface UsageIndex {
  totals(): Totals;
  has(name: string): boolean;
  /** An entry of this length was written or read now. */
  use(name: string, bytes: number): void;
  /** An entry of this length was found; a later use that is in the index already stays. */
  find(name: string, bytes: number, lastUseMs: number): void;
  /** An entry was found by a walk; returns whether the index has it already. */
  confirm(name: string): boolean;
  delete(name: string): void;
  /**
   * The least recently used entries that together have at least this many bytes; all, where these have fewer. Requests are
   * answered meanwhile, so a few of the entries may have been used or deleted by the time that they are chosen.
   */
  leastUsed(bytes: number): Promise<readonly Candidate[]>;
  /** Whether an entry is there and was not used since it was chosen. */
  isUnusedSince(candidate: Candidate): boolean;
  /** A walk begins: entries that are neither found, confirmed nor used until it ends are deleted then. */
  beginWalk(): void;
  endWalk(): Promise<void>;
}

/** A clock that was wrong once must not make a file the last one to be evicted for years. */
export const plausibleUseMs = (lastUseMs: number): number => Math.max(1, Math.min(lastUseMs, Date.now()));

/** The present time; later than `previousMs`, so that several uses in one millisecond keep their order. */
export const useTimeAfter = (previousMs: number): number => Math.max(Date.now(), previousMs + 0.001);

interface Usage {
  readonly bytes: number;
  readonly lastUseMs: number;
}

/** An index of any names; for a few hundred thousand entries at most. */
export class UsageMap implements UsageIndex {
  readonly #entries = new Map<string, Usage>();
  readonly #onChange: (name: string, isPresent: boolean) => void;
  #unconfirmed = new Set<string>();
  #bytes = 0;
  #latestUseMs = 0;

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

  use(name: string, bytes: number): void {
    this.#latestUseMs = useTimeAfter(this.#latestUseMs);
    this.#put(name, bytes, this.#latestUseMs);
  }

  find(name: string, bytes: number, lastUseMs: number): void {
    this.#put(name, bytes, plausibleUseMs(lastUseMs));
  }

  confirm(name: string): boolean {
    this.#unconfirmed.delete(name);
    return this.#entries.has(name);
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

  get(name: string): Usage | undefined {
    return this.#entries.get(name);
  }

  async leastUsed(bytes: number): Promise<readonly Candidate[]> {
    const candidates: Candidate[] = [];
    let sum = 0;
    for (const { name, bytes: own, lastUseMs } of this.byLastUse()) {
      if (sum >= bytes) break;
      candidates.push({ name, lastUseMs });
      sum += own;
    }
    return candidates;
  }

  /** All entries, the least recently used one first. */
  byLastUse(): readonly (Usage & Candidate)[] {
    const all = Array.from(this.#entries, ([name, usage]) => ({ name, ...usage }));
    return all.sort((a, b) => a.lastUseMs - b.lastUseMs);
  }

  isUnusedSince({ name, lastUseMs }: Candidate): boolean {
    return this.#entries.get(name)?.lastUseMs === lastUseMs;
  }

  beginWalk(): void {
    this.#unconfirmed = new Set(this.#entries.keys());
  }

  async endWalk(): Promise<void> {
    for (const name of this.#unconfirmed) this.delete(name);
    this.#unconfirmed.clear();
  }

  #put(name: string, bytes: number, lastUseMs: number): void {
    const previous = this.#entries.get(name);
    this.#entries.set(name, { bytes, lastUseMs: Math.max(lastUseMs, previous?.lastUseMs ?? 0) });
    this.#unconfirmed.delete(name);
    this.#bytes += bytes - (previous?.bytes ?? 0);
    if (previous === undefined) this.#onChange(name, true);
  }
}
