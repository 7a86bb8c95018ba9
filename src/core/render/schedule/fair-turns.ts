/** Whose turn it is among groups of clients, and among the clients of each: each gets as much processor time as those beside it. */

/** Turns that are over are forgotten when a group has more than these. */
const maxRemembered = 1000;

/** A turn at each level, from the outermost group to the client, in ms of work that each level's members have had. */
export type Turn = readonly { readonly key: string; readonly at: number }[];

/** The members of one group, by start-time fair queuing (Goyal et al. 1996). */
class Level {
  /** The turn of the member whose task was started last. */
  #now = 0;
  /** By member, when its last task's share ends. */
  readonly #ends: Map<string, number>;
  readonly #inside: Map<string, Level>;

  constructor(now = 0, ends: Map<string, number> = new Map(), inside: Map<string, Level> = new Map()) {
    this.#now = now;
    this.#ends = ends;
    this.#inside = inside;
  }

  copy(): Level {
    const inside = new Map([...this.#inside].map(([key, level]) => [key, level.copy()]));
    return new Level(this.#now, new Map(this.#ends), inside);
  }

  /** A member that had nothing to do is not ahead of those that had. */
  turnOf(key: string): number {
    return Math.max(this.#now, this.#ends.get(key) ?? 0);
  }

  inside(key: string): Level | undefined {
    return this.#inside.get(key);
  }

  /** Counts a task of a member that starts; returns the level inside of it. */
  start(key: string, ms: number, isGroup: boolean): Level | undefined {
    this.#now = this.turnOf(key);
    this.#ends.set(key, this.#now + ms);
    if (this.#ends.size > maxRemembered) this.#forget();
    if (!isGroup) return undefined;
    const inside = this.#inside.get(key) ?? new Level();
    this.#inside.set(key, inside);
    return inside;
  }

  #forget(): void {
    for (const [key, end] of this.#ends) {
      if (end > this.#now) continue;
      this.#ends.delete(key);
      this.#inside.delete(key);
    }
  }
}

export class FairTurns {
  #outermost = new Level();

  copy(): FairTurns {
    const copy = new FairTurns();
    copy.#outermost = this.#outermost.copy();
    return copy;
  }

  /** The turn of a client by the groups that it is in, the outermost first, and itself at the end. */
  turnOf(shares: readonly string[]): Turn {
    let level: Level | undefined = this.#outermost;
    return shares.map((key) => {
      const at = level?.turnOf(key) ?? 0;
      level = level?.inside(key);
      return { key, at };
    });
  }

  /** Counts a task of a client that starts, and its estimated time in ms, of which an outermost group of less weight has less. */
  start(shares: readonly string[], ms: number, weight = 1): void {
    let level: Level | undefined = this.#outermost;
    for (const [depth, key] of shares.entries()) {
      level = level?.start(key, depth === 0 ? ms / weight : ms, depth < shares.length - 1);
    }
  }

  /** Begins again when nothing waits and nothing runs. */
  reset(): void {
    this.#outermost = new Level();
  }
}

/** Which of two turns comes first: negative for the first one, and 0 where neither does. Those of one group are compared inside of it. */
export function compareTurns(one: Turn, other: Turn): number {
  for (const [depth, { key, at }] of one.entries()) {
    const beside = other[depth];
    if (beside === undefined || at !== beside.at) return at - (beside?.at ?? at);
    if (key !== beside.key) return 0;
  }
  return 0;
}
