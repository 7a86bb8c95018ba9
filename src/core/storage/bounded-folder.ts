/** A folder on disk for what can be made again: entries are written whole or not at all, and evicted by last use. */
import type { Stats } from 'node:fs';
import path from 'node:path';
import { alreadyExists, ifFound, isNotFound } from './file-errors.ts';
import type { FileSystem, OpenFile } from './file-system.ts';
import { cacheTag, type FolderLayout } from './layout.ts';
import type { Candidate, UsageIndex } from './usage-index.ts';
import { type Walk, walkFolder } from './walk.ts';

export interface BoundedFolderOptions {
  readonly files: FileSystem;
  readonly layout: FolderLayout;
  readonly index: UsageIndex;
  /** The bound for all entries together. */
  readonly maxBytes: number;
  /** The bytes that an entry counts; the length of its file by default. */
  readonly bytesOf?: (stats: Stats) => number;
  /** No entry is longer, in bytes. */
  readonly maxEntryBytes?: number;
  /** Called by a walk on what has an entry’s name and is no file or too long. */
  readonly onInvalid?: (name: string) => Promise<void>;
  /** Whether a walk removes an entry although there is space for it. */
  readonly isExpired?: (name: string, lastUseMs: number) => boolean;
  /** Entries never change under their name, so that a walk reads the stats of new ones only. */
  readonly immutable?: boolean;
}

/** Where the bound is exceeded, entries are evicted until this part of it is in use, so that not every write has to evict. */
const targetPart = 0.95;

/** Does work in a folder; where that is missing, creates the folder and tries again. */
async function inFolder(makeFolder: () => Promise<void>, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await makeFolder();
    await work();
  }
}

async function writeNew(files: FileSystem, file: string, write: (file: OpenFile) => Promise<void>): Promise<void> {
  const opened = await files.create(file);
  // Some file systems report only when a file is closed that there was no space.
  await write(opened).finally(() => opened.close());
}

/** Methods reject where the disk fails, unless they say otherwise. Other processes may use the same folder. */
export class BoundedFolder {
  readonly #options: BoundedFolderOptions;
  #isPrepared = false;
  #wasRemoved = false;
  #evictions = 0;

  constructor(options: BoundedFolderOptions) {
    this.#options = options;
  }

  /** Number of entries that were evicted. */
  get evictions(): number {
    return this.#evictions;
  }

  /** Whether the folder was removed since the last call, so that the index is wrong. */
  takeWasRemoved(): boolean {
    const wasRemoved = this.#wasRemoved;
    this.#wasRemoved = false;
    return wasRemoved;
  }

  /**
   * Evicts where necessary, then writes an entry of this length beside its path and renames it, so that a reader finds all of
   * it or nothing. Where it is canceled before it is renamed, or the disk fails, nothing of it is left.
   */
  async write(
    name: string,
    bytes: number,
    write: (file: OpenFile) => Promise<void>,
    isCanceled: () => boolean = () => false,
  ): Promise<void> {
    const { files, layout, index } = this.#options;
    await this.makeSpace(bytes);
    const temporary = layout.temporaryFor(name);
    if (!this.#isPrepared) await this.#prepare(temporary);
    const makeFolder = async (): Promise<void> => {
      this.#wasRemoved = true;
      await this.#prepare(temporary);
    };
    try {
      await inFolder(makeFolder, () => writeNew(files, temporary, write));
      if (isCanceled()) return await files.unlink(temporary);
      await this.#rename(temporary, name);
      index.use(name, bytes);
    } catch (error) {
      await files.unlink(temporary).catch(() => undefined);
      throw error;
    }
  }

  /** Appends to an entry, which is created where it does not exist; the index is not changed. */
  append(name: string, bytes: Buffer): Promise<void> {
    const { files, layout } = this.#options;
    const file = layout.pathOf(name);
    return this.#inFolderOf(file, () => files.append(file, bytes));
  }

  /** Moves a finished file from the same file system to the path of an entry. */
  async moveIn(name: string, file: string): Promise<void> {
    const { files, layout, index } = this.#options;
    await this.#rename(file, name);
    index.delete(name);
    await this.#add(name, await files.lstat(layout.pathOf(name)));
  }

  /** Evicts the least recently used entries where there is no space within the bound for this many bytes. */
  async makeSpace(bytes: number): Promise<void> {
    const { index, maxBytes } = this.#options;
    if (index.totals().bytes + bytes <= maxBytes) return;
    await this.#evictDownTo(Math.min(maxBytes * targetPart, maxBytes - bytes));
  }

  /** Evicts some entries where the disk is full: it is smaller than the bound, or others have filled it. */
  async shrink(): Promise<void> {
    await this.#evictDownTo(this.#options.index.totals().bytes * targetPart);
  }

  /** Evicts the least recently used entries, of this many bytes together. Resolves to whether there were any to evict. */
  async evict(bytes: number): Promise<boolean> {
    let evictedBytes = 0;
    while (evictedBytes < bytes) {
      const candidates = await this.#options.index.leastUsed(bytes - evictedBytes);
      if (candidates.length === 0) break;
      for (const candidate of candidates) evictedBytes += await this.#evict(candidate);
    }
    return evictedBytes > 0;
  }

  /** Records on disk that an entry is used now, for other processes and the next start. Never rejects. */
  async touch(name: string): Promise<void> {
    const { files, layout, index } = this.#options;
    const file = layout.usePathOf?.(name);
    try {
      await files.setModified(file ?? layout.pathOf(name), Date.now());
    } catch (error) {
      // A time that can’t be set does no harm: the use then counts in this process only.
      if (!isNotFound(error)) return;
      if (file === undefined) index.delete(name);
      else await files.append(file, Buffer.alloc(0)).catch(() => undefined);
    }
  }

  /** The last use on disk in ms since 1970, also by other processes; 0 where nothing recorded one. */
  async lastUseOf(name: string, stats?: Stats): Promise<number> {
    const { files, layout } = this.#options;
    if (layout.usePathOf === undefined) return (stats ?? (await files.lstat(layout.pathOf(name)))).mtimeMs;
    const recorded = await ifFound(files.lstat(layout.usePathOf(name)));
    return Math.max(stats?.ctimeMs ?? 0, recorded?.mtimeMs ?? 0);
  }

  /** Removes an entry; resolves to whether its file was there. The index forgets it also where the disk fails. */
  async remove(name: string): Promise<boolean> {
    const { files, layout, index } = this.#options;
    index.delete(name);
    const isRemoved = await ifFound(files.unlink(layout.pathOf(name)).then(() => true));
    const use = layout.usePathOf?.(name);
    if (use !== undefined) await ifFound(files.unlink(use));
    return isRemoved === true;
  }

  /** Brings the index up to date with the disk. Resolves to whether it was completed. */
  async walk(steps: Pick<Walk, 'step' | 'isCanceled' | 'onDenied'> = {}): Promise<boolean> {
    const { files, layout, index, immutable } = this.#options;
    index.beginWalk();
    const isComplete = await walkFolder({
      ...steps,
      files,
      layout,
      needsStats: (name) => !immutable || !index.confirm(name),
      onEntry: (name, stats) => this.#add(name, stats),
    });
    if (isComplete) index.endWalk();
    return isComplete;
  }

  async #add(name: string, stats: Stats): Promise<void> {
    const { files, layout, index, onInvalid, isExpired, maxEntryBytes = Number.POSITIVE_INFINITY } = this.#options;
    if (stats.isFile() && stats.size <= maxEntryBytes) {
      const lastUseMs = await this.lastUseOf(name, stats);
      if (isExpired?.(name, lastUseMs)) await ifFound(files.unlink(layout.pathOf(name)));
      else index.find(name, this.#options.bytesOf?.(stats) ?? stats.size, lastUseMs);
    } else if (!stats.isDirectory()) await onInvalid?.(name);
  }

  #rename(file: string, name: string): Promise<void> {
    const { files, layout } = this.#options;
    const target = layout.pathOf(name);
    return this.#inFolderOf(target, () => files.rename(file, target));
  }

  #inFolderOf(file: string, work: () => Promise<void>): Promise<void> {
    return inFolder(() => this.#options.files.makeFolder(path.dirname(file)), work);
  }

  async #prepare(temporary: string): Promise<void> {
    const { files, layout } = this.#options;
    await files.makeFolder(path.dirname(temporary));
    if (layout.tag !== undefined) {
      await files.createText(layout.tag, cacheTag.text).catch((error: unknown) => {
        if (!alreadyExists(error)) throw error;
      });
    }
    this.#isPrepared = true;
  }

  async #evictDownTo(bytes: number): Promise<void> {
    const { index } = this.#options;
    for (let excess = index.totals().bytes - bytes; excess > 0; excess = index.totals().bytes - bytes) {
      const candidates = await index.leastUsed(excess);
      // All that are left are in use.
      if (candidates.length === 0) return;
      for (const candidate of candidates) await this.#evict(candidate);
    }
  }

  /** Resolves to the bytes that this freed. */
  async #evict(candidate: Candidate): Promise<number> {
    const { files, layout, index } = this.#options;
    if (!index.isUnusedSince(candidate)) return 0;
    const bytes = index.get(candidate.name)?.bytes ?? 0;
    const wasThere = await ifFound(files.unlink(layout.pathOf(candidate.name)).then(() => true));
    index.delete(candidate.name);
    if (wasThere) this.#evictions++;
    return wasThere ? bytes : 0;
  }
}
