/** What the disk said when an image was found: as long as it says the same, the image is the same. */
import type { BigIntStats } from 'node:fs';

/** What was at a path. */
export interface Seen {
  readonly path: string;
  readonly stats: BigIntStats;
}

/** After so many ms everything is asked anew, also what is no file. */
const trustedMs = 1000;

export class Witness {
  readonly #seen: readonly Seen[];
  readonly #derivedState: number;
  readonly #untilMs = Date.now() + trustedMs;

  /** `derivedState` is another number when other derived pyramids were there. */
  constructor(seen: readonly Seen[], derivedState: number) {
    this.#seen = seen;
    this.#derivedState = derivedState;
  }

  /** Whether all is as it was, by looks that are taken now; `lookAt` gives undefined where it can't tell at once. */
  holds(lookAt: (path: string) => BigIntStats | undefined, derivedState: number): boolean {
    if (derivedState !== this.#derivedState || Date.now() > this.#untilMs) return false;
    return this.#seen.every(({ path, stats }) => {
      const now = lookAt(path);
      return now !== undefined && isSame(now, stats);
    });
  }
}

/** What makes up a fingerprint (see `fingerprintOf`), compared without putting it into words. */
const isSame = (one: BigIntStats, other: BigIntStats): boolean =>
  one === other ||
  (one.mtimeNs === other.mtimeNs && one.ctimeNs === other.ctimeNs && one.size === other.size && one.ino === other.ino);
