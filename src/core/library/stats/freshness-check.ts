/** Checks whether everything that an image was found by is still the same on the disk. */
import type { FileStats } from '../../storage/storage.ts';

/** The members of a path's stats that make up its fingerprint (see `fingerprintOf`), in less memory than all of them. */
export interface PathFingerprint extends Pick<FileStats, 'size' | 'mtimeNs' | 'ctimeNs' | 'ino'> {
  readonly path: string;
}

export const fingerprintAt = (path: string, { size, mtimeNs, ctimeNs, ino }: FileStats): PathFingerprint => ({
  path,
  size,
  mtimeNs,
  ctimeNs,
  ino,
});

/** After this time nothing counts as fresh: what is not a file, such as the target of a link, can change unseen. */
const maxAgeMs = 1000;

const isSame = (now: FileStats, then: PathFingerprint): boolean =>
  now.mtimeNs === then.mtimeNs && now.ctimeNs === then.ctimeNs && now.size === then.size && now.ino === then.ino;

export class FreshnessCheck {
  readonly #fingerprints: readonly PathFingerprint[];
  readonly #derivedState: number;
  readonly #untilMs = Date.now() + maxAgeMs;

  /** `derivedState` is a number that changes with the set of derived pyramids. */
  constructor(fingerprints: readonly PathFingerprint[], derivedState: number) {
    this.#fingerprints = fingerprints;
    this.#derivedState = derivedState;
  }

  /** Compares with stats that are taken now. `lstatSync` returns undefined where it can’t answer without waiting. */
  isFresh(lstatSync: (path: string) => FileStats | undefined, derivedState: number): boolean {
    if (derivedState !== this.#derivedState || Date.now() > this.#untilMs) return false;
    return this.#fingerprints.every((then) => {
      const now = lstatSync(then.path);
      return now !== undefined && isSame(now, then);
    });
  }
}
