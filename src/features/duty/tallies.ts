/** Sums by name, in bounded memory: whoever has much of the whole is never dropped, whoever has little is counted with all others. */

/** What some requests took together. */
export interface Tally {
  requests: number;
  /** Time of this machine, in ms. */
  ms: number;
  bytes: number;
  /** Requests that were refused. */
  refused: number;
  /** The time of the one that took longest, in ms. */
  longestMs: number;
  /** What is said of the name: of its latest request. */
  note: string;
}

/** What rows can be sorted by. */
export const measures = ['ms', 'requests', 'bytes', 'refused'] as const;

export type Measure = (typeof measures)[number];

export const emptyTally = (): Tally => ({ requests: 0, ms: 0, bytes: 0, refused: 0, longestMs: 0, note: '' });

export function addTo(sum: Tally, { requests, ms, bytes, refused, longestMs, note }: Tally): void {
  sum.requests += requests;
  sum.ms += ms;
  sum.bytes += bytes;
  sum.refused += refused;
  if (longestMs > sum.longestMs) sum.longestMs = longestMs;
  if (note !== '') sum.note = note;
}

/**
 * Sums by name. Twice as many names as are kept may come before those with the least time are dropped, so that the work for
 * each is small, and a name with at least one part in `keep` of the time stays.
 */
export class Tallies {
  readonly #keep: number;
  readonly #byName = new Map<string, Tally>();
  /** All that was dropped. */
  readonly others = emptyTally();

  constructor(keep: number) {
    this.#keep = keep;
  }

  get size(): number {
    return this.#byName.size;
  }

  add(name: string, tally: Tally): void {
    const sum = this.#byName.get(name);
    if (sum !== undefined) {
      addTo(sum, tally);
      return;
    }
    if (this.#byName.size >= 2 * this.#keep) this.#drop();
    this.#byName.set(name, { ...tally });
  }

  addAll(tallies: Tallies): void {
    for (const [name, tally] of tallies.#byName) this.add(name, tally);
    addTo(this.others, tallies.others);
  }

  /** Those with the most of one sort, by default of time, the first first. */
  top(count: number, by: Measure = 'ms'): readonly (readonly [name: string, tally: Tally])[] {
    return [...this.#byName].sort(([, one], [, other]) => other[by] - one[by] || other.ms - one.ms).slice(0, count);
  }

  /** Of equal ones, the latest are dropped, since they have been there for the shortest time. */
  #drop(): void {
    const times = Float64Array.from(this.#byName.values(), ({ ms }) => ms).sort();
    const bound = times[times.length - this.#keep] ?? 0;
    // How many of those at the bound stay.
    let free = this.#keep - (times.length - 1 - times.lastIndexOf(bound));
    for (const [name, tally] of this.#byName) {
      if (tally.ms > bound || (tally.ms === bound && free-- > 0)) continue;
      addTo(this.others, tally);
      this.#byName.delete(name);
    }
    // What one of them was is nothing to say of all others.
    this.others.note = '';
  }
}
