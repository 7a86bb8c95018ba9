/** Token buckets by key: each has a size, and what was taken from it comes back in time. Those that are full take no memory. */
import { LRUCache } from 'lru-cache';

export interface BucketRule {
  readonly size: number;
  /** What comes back in a ms. */
  readonly perMs: number;
}

interface Owed {
  amount: number;
  atMs: number;
}

/** What has to come back still at a moment. */
const owedAt = ({ amount, atMs }: Owed, { perMs }: BucketRule, nowMs: number): number =>
  Math.max(0, amount - Math.max(0, nowMs - atMs) * perMs);

/** In how many ms a bucket has enough; more than its size is given by a full one. */
export const waitFor = (amount: number, owed: number, { size, perMs }: BucketRule): number =>
  Math.max(0, (owed + Math.min(amount, size) - size) / perMs);

export class Buckets {
  readonly #owed: LRUCache<string, Owed>;

  /** Of more than `max` keys, those that were used last are remembered. */
  constructor(max: number) {
    this.#owed = new LRUCache({ max });
  }

  /** In how many ms the bucket of a key has enough; 0 where it has now. */
  waitMs(key: string, amount: number, rule: BucketRule, nowMs: number): number {
    const owed = this.#owed.get(key);
    return owed === undefined ? 0 : waitFor(amount, owedAt(owed, rule, nowMs), rule);
  }

  /** Takes an amount, also where the bucket has less: then the rest has to come back first. A negative one is given back. */
  take(key: string, amount: number, rule: BucketRule, nowMs: number): void {
    const owed = this.#owed.peek(key);
    const left = Math.max(0, (owed === undefined ? 0 : owedAt(owed, rule, nowMs)) + amount);
    if (left === 0) this.#owed.delete(key);
    else if (owed === undefined) this.#owed.set(key, { amount: left, atMs: nowMs });
    else {
      owed.amount = left;
      owed.atMs = nowMs;
    }
  }

  /** What the bucket with the least has. */
  least(rule: BucketRule, nowMs: number): number {
    let most = 0;
    for (const owed of this.#owed.values()) most = Math.max(most, owedAt(owed, rule, nowMs));
    return Math.max(0, rule.size - most);
  }
}
