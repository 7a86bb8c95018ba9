/** The folder of derived pyramids: indexed in memory, bounded in bytes, the least recently used ones are evicted first. */
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { BoundedFolder } from '../storage/bounded-folder.ts';
import { ifFound, isNotFound } from '../storage/file-errors.ts';
import { type DiskOptions, GuardedDisk } from '../storage/guarded-disk.ts';
import type { FolderLayout } from '../storage/layout.ts';
import { UsageIndex } from '../storage/usage-index.ts';
import { walkFolder } from '../storage/walk.ts';
import { isLocked, takeLock } from './lock.ts';
import { contentOf, layoutIn, lockName, type PyramidStore, pyramidOfWork } from './pyramid-store.ts';

interface StoreOptions extends Partial<DiskOptions> {
  readonly directory: string;
  /** The bound for all pyramids together. */
  readonly maxBytes: number;
  /** A pyramid that was used within this time, in ms, is never evicted; by default 10 minutes. */
  readonly protectedMs?: number;
}

const tenMinutesMs = 600_000;

/** The last use of a pyramid is recorded on disk at most this often. */
const touchIntervalMs = 60_000;

/** The folder is listed again after this time. */
const refreshAfterMs = 10_000;

/** A folder that changed more recently than this may change again without a new modification time. */
const settledAfterMs = 2000;

/** Free space that is left on the disk, in bytes. */
const reserveBytes = 256 * 1024 * 1024;

/** Pyramids by name. Methods reject where the disk fails, unless they say otherwise. */
export class LocalPyramidStore implements PyramidStore {
  readonly #options: StoreOptions;
  readonly #disk: GuardedDisk;
  readonly #layout: FolderLayout;
  readonly #index = new UsageIndex((name, isPresent) => this.#changed(name, isPresent));
  readonly #folder: BoundedFolder;
  /** Number of pyramids by content key. */
  readonly #contents = new Map<string, number>();
  /** When the use of a pyramid was last recorded on disk, in ms since 1970. */
  readonly #touchedMs = new Map<string, number>();
  #state = 0;
  #refreshing: Promise<void> | undefined;
  /** The folder's modification time when it was last listed. */
  #modifiedMs: number | undefined;
  #refreshedMs = Number.NEGATIVE_INFINITY;

  constructor(options: StoreOptions) {
    const { directory, maxBytes, onFault = () => undefined, fileSystem } = options;
    this.#options = options;
    this.#disk = new GuardedDisk(`pyramid folder ${directory}`, { onFault, fileSystem });
    this.#layout = layoutIn(directory);
    const { files } = this.#disk;
    this.#folder = new BoundedFolder({ files, layout: this.#layout, index: this.#index, maxBytes, immutable: true });
  }

  get maxBytes(): number {
    return this.#options.maxBytes;
  }

  load(): { readonly count: number; readonly bytes: number } {
    const { entries, bytes } = this.#index.totals();
    return { count: entries, bytes };
  }

  /** Changes whenever a pyramid is added to the index or removed from it. */
  get state(): number {
    return this.#state;
  }

  get isEmpty(): boolean {
    return this.#contents.size === 0;
  }

  /** Whether there may be a pyramid of this content; asks the index in memory only. */
  mayHave(content: string): boolean {
    return this.#contents.has(content);
  }

  freeBytes(): number {
    return this.maxBytes - this.load().bytes;
  }

  has(name: string): boolean {
    return this.#index.has(name);
  }

  /** Whether the file of a pyramid is there and can be opened. Never rejects; a disk error is reported. */
  async canOpen(name: string): Promise<boolean> {
    try {
      await (await this.#disk.files.openToRead(this.pathOf(name))).close();
      return true;
    } catch (error) {
      if (isNotFound(error)) this.#index.delete(name);
      else this.#disk.readFailed(error);
      return false;
    }
  }

  /** Reports a disk error while a pyramid was read. */
  readFailed(error: unknown): void {
    this.#disk.readFailed(error);
  }

  pathOf(name: string): string {
    return this.#layout.pathOf(name);
  }

  /** Where a file is written while a pyramid is made, in the same file system. */
  workPathOf(workName: string): string {
    return this.#layout.temporaryFor(workName);
  }

  /** Creates the folders. Rejects where they can't be written to. */
  async prepare(): Promise<void> {
    const { files } = this.#disk;
    for (const folder of ['work', 'used']) await files.makeFolder(path.join(this.#options.directory, folder));
    const probe = this.workPathOf(`.writable-${process.pid}`);
    await files.append(probe, Buffer.alloc(0));
    await ifFound(files.unlink(probe));
  }

  /**
   * Brings the index up to date with the disk, which other processes use too. Where the folder can't be listed, no pyramid is
   * used until it can be; the error is reported, and passed on so that none is made either.
   */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#readDisk().finally(() => {
      this.#refreshing = undefined;
      this.#refreshedMs = Date.now();
    });
    return this.#refreshing;
  }

  /** Starts a refresh in the background where the last one was long ago. */
  refreshIfOld(): void {
    if (Date.now() - this.#refreshedMs > refreshAfterMs) this.refresh().catch(() => undefined);
  }

  async #readDisk(): Promise<void> {
    try {
      const modifiedMs = (await ifFound(this.#disk.files.stat(this.#options.directory)))?.mtimeMs;
      const isSettled = modifiedMs !== undefined && Date.now() - modifiedMs > settledAfterMs;
      if (isSettled && modifiedMs === this.#modifiedMs) return;
      await this.#folder.walk();
      this.#modifiedMs = modifiedMs;
      this.#disk.faults.recover('reading');
    } catch (error) {
      this.#modifiedMs = undefined;
      this.#index.clear();
      this.#disk.readFailed(error);
      throw error;
    }
  }

  #changed(name: string, isPresent: boolean): void {
    this.#state++;
    const content = contentOf(name) ?? '';
    const count = (this.#contents.get(content) ?? 0) + (isPresent ? 1 : -1);
    if (count > 0) this.#contents.set(content, count);
    else this.#contents.delete(content);
    this.#touchedMs.delete(name);
  }

  /** Marks a pyramid as used now. */
  use(name: string): void {
    const entry = this.#index.get(name);
    if (entry === undefined) return;
    this.#index.use(name, entry.bytes);
    const nowMs = Date.now();
    if (nowMs - (this.#touchedMs.get(name) ?? 0) < touchIntervalMs) return;
    this.#touchedMs.set(name, nowMs);
    void this.#folder.touch(name);
  }

  /** Deletes a pyramid. Never rejects: the index forgets it also where the disk fails, which is reported. */
  async drop(name: string): Promise<void> {
    if (contentOf(name) === undefined) return;
    await this.#folder.remove(name).catch((error: unknown) => {
      this.#disk.faults.report('removing', `The pyramid ${this.pathOf(name)} can’t be deleted.`, error);
    });
  }

  /** Moves a finished file to its path under the pyramid's name. */
  commit(name: string, workPath: string): Promise<void> {
    return this.#folder.moveIn(name, workPath);
  }

  /**
   * Makes space for a pyramid of this many bytes, within the bound and on the disk, where its temporary files take `workBytes`;
   * resolves to the reason where that is impossible, as a sentence. Nothing is evicted where that would not suffice, nothing
   * that was used recently, and nothing in `keep`.
   */
  async makeSpace(
    bytes: number,
    workBytes: number,
    keep: ReadonlySet<string> = new Set(),
  ): Promise<string | undefined> {
    await this.refresh();
    const free = await freeBytes(this.#options.directory);
    const needed = bytes + workBytes + reserveBytes;
    if (free < needed) return `The disk has ${megabytes(free)} left, and ${megabytes(needed)} should be free.`;
    const excess = this.load().bytes + bytes - this.maxBytes;
    if (excess <= 0) return undefined;
    const evicted = await this.#leastUsed(excess, keep);
    if (evicted === undefined) return `The store of ${megabytes(this.maxBytes)} is full of pyramids that are in use.`;
    for (const name of evicted) await this.#folder.remove(name);
    return undefined;
  }

  /** The pyramids that are evicted for this many bytes; undefined where too few may be. */
  async #leastUsed(bytes: number, keep: ReadonlySet<string>): Promise<readonly string[] | undefined> {
    const unusedSinceMs = Date.now() - (this.#options.protectedMs ?? tenMinutesMs);
    const evicted: string[] = [];
    let sum = 0;
    for (const { name, lastUseMs } of this.#index.usedUntil(unusedSinceMs)) {
      if (sum >= bytes) break;
      // Another process may have used it.
      const recordedMs = await this.#folder.lastUseOf(name);
      const own = this.#index.get(name)?.bytes ?? 0;
      this.#index.find(name, own, Math.max(lastUseMs, recordedMs));
      if (recordedMs > unusedSinceMs || keep.has(name)) continue;
      evicted.push(name);
      sum += own;
    }
    return sum >= bytes ? evicted : undefined;
  }

  /** The right to make a pyramid; undefined where another maker has it. */
  lock(name: string): Promise<(() => Promise<void>) | undefined> {
    return takeLock(this.workPathOf(lockName(name)));
  }

  /** Deletes files that makers left when they died. Disk errors are reported too. */
  async sweep(): Promise<void> {
    await this.refresh();
    try {
      await this.#deleteIn('work', async (file) => {
        const pyramid = pyramidOfWork(file);
        return pyramid !== undefined && !(await isLocked(this.workPathOf(lockName(pyramid))));
      });
      await this.#deleteIn('used', (name) => contentOf(name) !== undefined && !this.has(name));
    } catch (error) {
      this.#disk.readFailed(error);
      throw error;
    }
  }

  async #deleteIn(folder: string, isAbandoned: (file: string) => boolean | Promise<boolean>): Promise<void> {
    const root = path.join(this.#options.directory, folder);
    const layout = { root, classify: () => ({ kind: 'temporary' }) as const };
    const onDenied = (error: unknown): void => this.#disk.readFailed(error);
    await walkFolder({ files: this.#disk.files, layout, isAbandoned, onDenied });
  }
}

export const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;

/** The free bytes on the disk that we may use; unlimited on a disk that does not report them. */
async function freeBytes(directory: string): Promise<number> {
  const stats = await statfs(directory).catch(() => undefined);
  return stats === undefined || stats.blocks === 0 ? Number.MAX_SAFE_INTEGER : stats.bavail * stats.bsize;
}
