/** The folder of derived pyramids: known in memory, bounded in bytes; what was used longest ago goes first. */
import { mkdir, readdir, rename, rm, stat, statfs, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isLocked, takeLock } from './lock.ts';
import { contentOf, lockName, pyramidOfWork } from './names.ts';

export interface StoreOptions {
  readonly directory: string;
  /** What all pyramids together may have. */
  readonly maxBytes: number;
  /** A pyramid that was used within so many ms never goes for a new one. */
  readonly protectedMs?: number;
}

/** What a pyramid needs beside its own bytes. */
export interface Room {
  /** What lies on the disk while it is made. */
  readonly workBytes: number;
  /** Names of pyramids that don't go for it. */
  readonly keep?: ReadonlySet<string> | undefined;
}

interface Entry {
  readonly bytes: number;
  usedMs: number;
  /** When the use was last written to the disk, for other processes and for the next start. */
  notedMs: number;
}

const tenMinutesMs = 600_000;

/** Uses closer together than this are written down once. */
const noteEveryMs = 60_000;

/** How long what the disk holds is taken as known. */
const refreshAfterMs = 10_000;

/** A folder that changed more recently than this may change again without a new time. */
const settledAfterMs = 2000;

/** What is left free on the disk, in bytes. */
const reserveBytes = 256 * 1024 * 1024;

/** Pyramids by their names. Methods that change the disk throw what the disk throws, but for those that say otherwise. */
export class PyramidStore {
  readonly #options: Required<StoreOptions>;
  readonly #entries = new Map<string, Entry>();
  /** How many entries have a content key. */
  readonly #contents = new Map<string, number>();
  #state = 0;
  #refreshing: Promise<void> | undefined;
  /** The folder's modification time when it was last read. */
  #changedMs: number | undefined;
  #refreshedMs = Number.NEGATIVE_INFINITY;

  constructor(options: StoreOptions) {
    this.#options = { protectedMs: tenMinutesMs, ...options };
  }

  get maxBytes(): number {
    return this.#options.maxBytes;
  }

  /** How many pyramids there are, and their bytes. */
  load(): { readonly count: number; readonly bytes: number } {
    let bytes = 0;
    for (const entry of this.#entries.values()) bytes += entry.bytes;
    return { count: this.#entries.size, bytes };
  }

  /** Another number whenever other pyramids are known than before. */
  get state(): number {
    return this.#state;
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** Whether there may be a pyramid of this content: one look into memory. */
  mayHave(content: string): boolean {
    return this.#contents.has(content);
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Whether the disk still has it. */
  async isOnDisk(name: string): Promise<boolean> {
    return (await statsOf(this.pathOf(name))) !== undefined;
  }

  pathOf(name: string): string {
    return path.join(this.#options.directory, name);
  }

  /** Where a file is written while a pyramid is made: on the same disk. */
  workPathOf(workName: string): string {
    return path.join(this.#options.directory, 'work', workName);
  }

  #notePathOf(name: string): string {
    return path.join(this.#options.directory, 'used', name);
  }

  /** Makes the folders. Throws where they can't be written to. */
  async prepare(): Promise<void> {
    for (const folder of ['work', 'used']) {
      await mkdir(path.join(this.#options.directory, folder), { recursive: true, mode: 0o700 });
    }
    const probe = this.workPathOf(`.writable-${process.pid}`);
    await writeFile(probe, '');
    await rm(probe, { force: true });
  }

  /** Learns what the disk holds now: what other processes made, what is gone. Where it can't be read, nothing is there. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#readDisk().finally(() => {
      this.#refreshing = undefined;
      this.#refreshedMs = Date.now();
    });
    return this.#refreshing;
  }

  /** Begins to look again at the disk where that was long ago; nobody waits for it. */
  refreshIfOld(): void {
    if (Date.now() - this.#refreshedMs > refreshAfterMs) void this.refresh();
  }

  async #readDisk(): Promise<void> {
    const changedMs = (await statsOf(this.#options.directory))?.mtimeMs;
    const isSettled = changedMs !== undefined && Date.now() - changedMs > settledAfterMs;
    if (isSettled && changedMs === this.#changedMs) return;
    this.#changedMs = changedMs;
    const names = new Set((await namesIn(this.#options.directory)).filter((name) => contentOf(name) !== undefined));
    for (const name of this.#entries.keys()) if (!names.has(name)) this.#forget(name);
    for (const name of names) if (!this.#entries.has(name)) await this.#learn(name);
  }

  async #learn(name: string): Promise<void> {
    const [file, note] = await Promise.all([statsOf(this.pathOf(name)), statsOf(this.#notePathOf(name))]);
    if (file === undefined || this.#entries.has(name)) return;
    const usedMs = Math.max(file.ctimeMs, note?.mtimeMs ?? 0);
    this.#entries.set(name, { bytes: file.size, usedMs, notedMs: usedMs });
    this.#state++;
    const content = contentOf(name) ?? '';
    this.#contents.set(content, (this.#contents.get(content) ?? 0) + 1);
  }

  #forget(name: string): void {
    if (!this.#entries.delete(name)) return;
    this.#state++;
    const content = contentOf(name) ?? '';
    const left = (this.#contents.get(content) ?? 0) - 1;
    if (left > 0) this.#contents.set(content, left);
    else this.#contents.delete(content);
  }

  /** Says that a pyramid was used. */
  use(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    entry.usedMs = Date.now();
    if (entry.usedMs - entry.notedMs < noteEveryMs) return;
    entry.notedMs = entry.usedMs;
    // Without the note the use counts in this process alone.
    this.#note(name).catch(() => undefined);
  }

  async #note(name: string): Promise<void> {
    const now = new Date();
    await utimes(this.#notePathOf(name), now, now).catch(() => writeFile(this.#notePathOf(name), ''));
  }

  /** Deletes a pyramid, as far as the disk lets it; it is not looked for any more in any case. */
  async drop(name: string): Promise<void> {
    this.#forget(name);
    if (contentOf(name) === undefined) return;
    await rm(this.pathOf(name), { force: true }).catch(() => undefined);
    await rm(this.#notePathOf(name), { force: true }).catch(() => undefined);
  }

  /** Puts a finished file in its place under the pyramid's name. */
  async commit(name: string, workPath: string): Promise<void> {
    await rename(workPath, this.pathOf(name));
    this.#forget(name);
    await this.#learn(name);
  }

  /**
   * Makes room for so many bytes, in the bound and on the disk; says why there is none, as a sentence. Nothing
   * goes where that would not suffice, nothing that was used of late, and nothing that `keep` names.
   */
  async makeRoom(bytes: number, { workBytes, keep = new Set() }: Room): Promise<string | undefined> {
    await this.refresh();
    const free = await freeBytes(this.#options.directory);
    const needed = bytes + workBytes + reserveBytes;
    if (free < needed) return `The disk has ${megabytes(free)} left, and ${megabytes(needed)} should be free.`;
    const excess = this.load().bytes + bytes - this.#options.maxBytes;
    if (excess <= 0) return undefined;
    const going = await this.#longestUnused(excess, keep);
    if (going === undefined) {
      return `The store of ${megabytes(this.#options.maxBytes)} is full of pyramids that are in use.`;
    }
    for (const name of going) await this.drop(name);
    return undefined;
  }

  /** The pyramids that go for so many bytes; undefined where there are not enough that may. */
  async #longestUnused(bytes: number, keep: ReadonlySet<string>): Promise<readonly string[] | undefined> {
    const before = Date.now() - this.#options.protectedMs;
    const candidates = [...this.#entries].sort(([, a], [, b]) => a.usedMs - b.usedMs);
    const going: string[] = [];
    let found = 0;
    for (const [name, entry] of candidates) {
      if (found >= bytes || entry.usedMs > before) break;
      // Another process may have used it.
      const note = await statsOf(this.#notePathOf(name));
      entry.usedMs = Math.max(entry.usedMs, note?.mtimeMs ?? 0);
      if (entry.usedMs > before || keep.has(name)) continue;
      going.push(name);
      found += entry.bytes;
    }
    return found >= bytes ? going : undefined;
  }

  /** The right to make a pyramid; undefined where somebody else has it. */
  lock(name: string): Promise<(() => Promise<void>) | undefined> {
    return takeLock(this.workPathOf(lockName(name)));
  }

  /** Deletes what makers who died left behind. */
  async sweep(): Promise<void> {
    for (const file of await namesIn(path.join(this.#options.directory, 'work'))) {
      const pyramid = pyramidOfWork(file);
      if (pyramid === undefined || (await isLocked(this.workPathOf(lockName(pyramid))))) continue;
      await rm(this.workPathOf(file), { force: true }).catch(() => undefined);
    }
    for (const name of await namesIn(path.join(this.#options.directory, 'used'))) {
      const isOrphan = contentOf(name) !== undefined && !this.#entries.has(name);
      if (isOrphan) await rm(this.#notePathOf(name), { force: true }).catch(() => undefined);
    }
  }
}

export const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;

const namesIn = (directory: string): Promise<readonly string[]> => readdir(directory).catch(() => []);

const statsOf = (file: string) => stat(file).catch(() => undefined);

/** The bytes that the disk has left for us; of a disk that does not say, as many as there can be. */
async function freeBytes(directory: string): Promise<number> {
  const stats = await statfs(directory).catch(() => undefined);
  return stats === undefined || stats.blocks === 0 ? Number.MAX_SAFE_INTEGER : stats.bavail * stats.bsize;
}
