/** What the disk said when an image was found: as long as it says the same, the image is the same. */
import type { BigIntStats } from 'node:fs';

/** What was at a path: as much as makes up its fingerprint (see `fingerprintOf`), in a small part of the memory of all. */
export interface Seen {
  readonly path: string;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly ino: bigint;
}

export const seenAt = (path: string, { size, mtimeNs, ctimeNs, ino }: BigIntStats): Seen => ({
  path,
  size,
  mtimeNs,
  ctimeNs,
  ino,
});

/** After so many ms everything is asked anew, also what is no file. */
const trustedMs = 1000;

export class FreshnessCheck {
  readonly #seen: readonly Seen[];
  readonly #derivedState: number;
  readonly #untilMs = Date.now() + trustedMs;

  /** `derivedState` is another number when other derived pyramids were there. */
  constructor(seen: readonly Seen[], derivedState: number) {
    this.#seen = seen;
    this.#derivedState = derivedState;
  }

  /** Whether all is as it was, by looks that are taken now; `lookAt` gives undefined where it can't tell at once. */
  isFresh(lookAt: (path: string) => BigIntStats | undefined, derivedState: number): boolean {
    if (derivedState !== this.#derivedState || Date.now() > this.#untilMs) return false;
    return this.#seen.every((seen) => {
      const now = lookAt(seen.path);
      return now !== undefined && isSame(now, seen);
    });
  }
}

const isSame = (now: BigIntStats, seen: Seen): boolean =>
  now.mtimeNs === seen.mtimeNs && now.ctimeNs === seen.ctimeNs && now.size === seen.size && now.ino === seen.ino;
