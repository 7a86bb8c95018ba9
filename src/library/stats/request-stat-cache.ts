/** What the disk says to one request: each path is looked at once, after the request came. */

import { isSettled } from './fingerprint.ts';
import { type Seen, seenAt } from './freshness-check.ts';
import type { LibraryFileSystem, PathStats } from './library-file-system.ts';

export class RequestStatCache {
  readonly #disk: LibraryFileSystem;
  readonly #looks = new Map<string, Promise<PathStats | undefined>>();

  constructor(disk: LibraryFileSystem) {
    this.#disk = disk;
  }

  /** What is at a path, be it a link; undefined where it leads nowhere. */
  lstat(path: string): Promise<PathStats | undefined> {
    const known = this.#looks.get(path);
    if (known !== undefined) return known;
    const look = this.#disk.lstat(path);
    this.#looks.set(path, look);
    return look;
  }

  /** What a path leads to; undefined where it leads nowhere. */
  stat(path: string): Promise<PathStats | undefined> {
    const key = `\0${path}`;
    const known = this.#looks.get(key);
    if (known !== undefined) return known;
    const look = this.#disk.stat(path);
    this.#looks.set(key, look);
    return look;
  }

  /**
   * What was seen at each path that was looked at; undefined where that says too little to go by: where a path led nowhere
   * or is a link, and where a change may yet leave no trace.
   */
  async seen(): Promise<readonly Seen[] | undefined> {
    const seen: Seen[] = [];
    for (const [path, looking] of this.#looks) {
      const look = path.startsWith('\0') ? undefined : await looking.catch(() => undefined);
      if (!look || look.stats.isSymbolicLink() || !isSettled(look.stats, look.beganMs)) return undefined;
      seen.push(seenAt(path, look.stats));
    }
    return seen;
  }

  /** Looks at a path that is likely to be asked for, so that the answer is there by then. */
  prefetch(path: string): void {
    this.lstat(path).catch(() => undefined);
  }
}
