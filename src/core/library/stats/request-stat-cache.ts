/** The stats that one request has made: each path is read once, after the request came. */
import { isSettled } from '../../storage/fingerprint.ts';
import { fingerprintAt, type PathFingerprint } from './freshness-check.ts';
import type { LibraryFileSystem, LinkTarget, PathStats } from './library-file-system.ts';

export class RequestStatCache {
  readonly #fileSystem: LibraryFileSystem;
  /** By path; paths whose links are followed begin with a null character, which no path contains. */
  readonly #stats = new Map<string, Promise<PathStats | undefined>>();

  readonly #targets = new Map<string, Promise<LinkTarget | undefined>>();
  readonly #realPaths = new Map<string, Promise<string | undefined>>();

  constructor(fileSystem: LibraryFileSystem) {
    this.#fileSystem = fileSystem;
  }

  /** The stats of a path, without following a link; undefined where nothing is there. */
  lstat(path: string): Promise<PathStats | undefined> {
    return this.#once(path, () => this.#fileSystem.lstat(path));
  }

  /** The stats of what a path leads to; undefined where it leads nowhere. */
  stat(path: string): Promise<PathStats | undefined> {
    return this.#once(`\0${path}`, () => this.#fileSystem.stat(path));
  }

  /** What a symbolic link leads to: the same for the access rules and for what is read. */
  follow(path: string): Promise<LinkTarget | undefined> {
    const target = this.#targets.get(path) ?? this.#fileSystem.follow(path);
    this.#targets.set(path, target);
    return target;
  }

  /** The real path of a folder; undefined where there is none. */
  resolve(path: string): Promise<string | undefined> {
    const real = this.#realPaths.get(path) ?? this.#fileSystem.resolve(path);
    this.#realPaths.set(path, real);
    return real;
  }

  #once(key: string, read: () => Promise<PathStats | undefined>): Promise<PathStats | undefined> {
    const stats = this.#stats.get(key) ?? read();
    this.#stats.set(key, stats);
    return stats;
  }

  /**
   * The fingerprints of all paths that were read; undefined where these can’t show every change: where a path is missing or
   * a link, and where a change may yet leave the same fingerprint.
   */
  async fingerprints(): Promise<readonly PathFingerprint[] | undefined> {
    const fingerprints: PathFingerprint[] = [];
    for (const [path, pending] of this.#stats) {
      const found = path.startsWith('\0') ? undefined : await pending.catch(() => undefined);
      if (!found || found.stats.isSymbolicLink() || !isSettled(found.stats, found.requestedMs)) return undefined;
      fingerprints.push(fingerprintAt(path, found.stats));
    }
    return fingerprints;
  }

  /** Starts the stat of a path that will likely be needed. */
  prefetch(path: string): void {
    this.lstat(path).catch(() => undefined);
  }
}
