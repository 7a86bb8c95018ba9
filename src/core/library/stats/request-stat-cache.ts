/** The stats that one request has made: each path is read once, after the request came; and whether they hold still. */
import { ifReadable } from '../../storage/file-errors.ts';
import { type FileStats, fingerprintOf, isSettled } from '../../storage/storage.ts';
import { Storages } from '../../storage/storages.ts';
import type { Containment } from '../roots/containment.ts';

export interface PathStats {
  readonly stats: FileStats;
  readonly fingerprint: string;
  /** The time just before the stat, in ms since 1970. */
  readonly requestedMs: number;
}

/** What a symbolic link leads to. */
export interface LinkTarget extends PathStats {
  /** Absolute, without links. */
  readonly real: string;
}

const pathStatsOf = (stats: FileStats, requestedMs: number): PathStats => ({
  stats,
  fingerprint: fingerprintOf(stats),
  requestedMs,
});

/**
 * Methods return undefined where nothing can be read at a path, reject where the storage fails, and reject with ImageError
 * `overloaded` or `store-late` where it does not answer.
 */
export class RequestStatCache {
  readonly #storages: Storages;
  readonly #stats = new Map<string, Promise<PathStats | undefined>>();
  readonly #targets = new Map<string, Promise<LinkTarget | undefined>>();
  readonly #realPaths = new Map<string, Promise<string | undefined>>();

  constructor(storages = new Storages()) {
    this.#storages = storages;
  }

  /** The stats of a path, without following a link; undefined where nothing is there. */
  lstat(path: string): Promise<PathStats | undefined> {
    const stats = this.#stats.get(path) ?? this.#lstat(path);
    this.#stats.set(path, stats);
    return stats;
  }

  /** The stats of a directory, or of what else has its path; undefined where nothing is there. */
  directory(path: string): Promise<PathStats | undefined> {
    const stats = this.#stats.get(path) ?? this.#directory(path);
    this.#stats.set(path, stats);
    return stats;
  }

  /** What a path leads to: the same for the access rules and for what is read. */
  follow(path: string): Promise<LinkTarget | undefined> {
    const target = this.#targets.get(path) ?? this.#follow(path);
    this.#targets.set(path, target);
    return target;
  }

  /** The real path of a folder; undefined where there is none. */
  resolve(path: string): Promise<string | undefined> {
    const real = this.#realPaths.get(path) ?? ifReadable((async () => this.#storages.of(path).realPath(path))());
    this.#realPaths.set(path, real);
    return real;
  }

  /**
   * What a path leads to; undefined where a link leads out of the roots or nowhere. Only a link can lead out, since the folder
   * around it is contained.
   */
  async contained(path: string, isContained: Containment): Promise<LinkTarget | undefined> {
    const found = await this.lstat(path);
    if (found === undefined) return undefined;
    if (!found.stats.isSymbolicLink()) return { ...found, real: path };
    const target = await this.follow(path);
    return target !== undefined && isContained(target.real) ? target : undefined;
  }

  async #lstat(path: string): Promise<PathStats | undefined> {
    const requestedMs = Date.now();
    const storage = this.#storages.of(path);
    const stats = storage.knownStats(path) ?? (await ifReadable(storage.lstat(path)));
    return stats && pathStatsOf(stats, requestedMs);
  }

  async #directory(path: string): Promise<PathStats | undefined> {
    const requestedMs = Date.now();
    const { byName } = this.#storages.of(path);
    if (byName === undefined) return this.lstat(path);
    const stats = await ifReadable(byName.folder(path));
    return stats && pathStatsOf(stats, requestedMs);
  }

  async #follow(path: string): Promise<LinkTarget | undefined> {
    const requestedMs = Date.now();
    const target = await ifReadable(this.#storages.of(path).follow(path));
    return target && { real: target.real, ...pathStatsOf(target.stats, requestedMs) };
  }

  /**
   * The fingerprints of all paths that were read, by path; undefined where these can’t show every change: where a path is missing or
   * a link, and where a change may yet leave the same fingerprint.
   */
  async fingerprints(): Promise<ReadonlyMap<string, string> | undefined> {
    if (this.#targets.size > 0) return undefined;
    const fingerprints = new Map<string, string>();
    for (const [path, pending] of this.#stats) {
      const found = await pending.catch(() => undefined);
      if (!found || found.stats.isSymbolicLink() || !isSettled(found.stats, found.requestedMs)) return undefined;
      fingerprints.set(path, found.fingerprint);
    }
    return fingerprints;
  }
}

/** After this time nothing counts as fresh: what is not a file, such as the target of a link, can change unseen. */
const maxAgeMs = 1000;

export class FreshnessCheck {
  readonly #fingerprints: ReadonlyMap<string, string>;
  readonly #derivedState: number;
  readonly #untilMs = Date.now() + maxAgeMs;

  /** `derivedState` is a number that changes with the set of derived pyramids. */
  constructor(fingerprints: ReadonlyMap<string, string>, derivedState: number) {
    this.#fingerprints = fingerprints;
    this.#derivedState = derivedState;
  }

  /** Compares with stats that are taken now. `lstatSync` returns undefined where it can’t answer without waiting. */
  isFresh(lstatSync: (path: string) => FileStats | undefined, derivedState: number): boolean {
    if (derivedState !== this.#derivedState || Date.now() > this.#untilMs) return false;
    return [...this.#fingerprints].every(([path, fingerprint]) => {
      const now = lstatSync(path);
      return now !== undefined && fingerprintOf(now) === fingerprint;
    });
  }
}
