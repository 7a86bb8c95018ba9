/** Derivatives on disk: every read is verified, and what fails or hangs counts as absent. */
import { BoundedFolder } from '../storage/bounded-folder.ts';
import { type DiskOptions, GuardedDisk } from '../storage/guarded-disk.ts';
import type { FolderLayout } from '../storage/layout.ts';
import { type Totals, UsageIndex } from '../storage/usage-index.ts';
import { DiskCacheWriter, type IdleScheduler } from './disk-cache-writer.ts';
import { type Address, addressOf, fileBytesOf, layoutIn, maxFileBytes, readEntry } from './entry-file.ts';

export interface DiskCacheOptions {
  readonly directory: string;
  /** The bound for the lengths of all files together. */
  readonly maxBytes: number;
  /** Whether the directory is on a local disk, where a missing file is noticed synchronously. */
  readonly isLocal?: boolean;
  /** Whether the present files are counted only when the first one is written: for a process that may write none. */
  readonly isCountedLate?: boolean;
}

/** The state of the derivatives on disk. */
export interface DiskStats extends Totals {
  /**
   * `indexing`: read but not written yet, until the folder has been walked. `paused`: writing has just failed. `hanging`: left
   * out, since a file operation has not returned for 2 s.
   */
  readonly state: 'indexing' | 'ready' | 'paused' | 'hanging' | 'closed';
  readonly maxBytes: number;
  readonly evictions: number;
  /** Bytes that wait to be written. */
  readonly waitingBytes: number;
  /** Derivatives that were not written, since the disk failed or was too slow, or they were too long. */
  readonly dropped: number;
}

/** The last use is recorded on disk at most this often. */
const touchIntervalMs = 60 * 60 * 1000;

export class DiskCache {
  readonly #disk: GuardedDisk;
  readonly #layout: FolderLayout;
  readonly #options: DiskCacheOptions;
  readonly #index = new UsageIndex();
  readonly #folder: BoundedFolder;
  readonly #writer: DiskCacheWriter;

  constructor(options: DiskCacheOptions, diskOptions: DiskOptions, idle: IdleScheduler) {
    const { directory, maxBytes, isCountedLate = false } = options;
    this.#options = options;
    this.#layout = layoutIn(directory);
    this.#disk = new GuardedDisk(`cache directory ${this.#layout.root}`, diskOptions);
    this.#folder = new BoundedFolder({
      files: this.#disk.files,
      layout: this.#layout,
      index: this.#index,
      maxBytes,
      maxEntryBytes: maxFileBytes,
      onInvalid: (name) => this.#removeDamaged(name),
    });
    this.#writer = new DiskCacheWriter({ disk: this.#disk, folder: this.#folder, index: this.#index, maxBytes, idle });
    if (!isCountedLate) this.#writer.startWalk();
  }

  /** The bytes under this key where they are there, valid, and read in time. Never rejects. */
  async read(key: string): Promise<Buffer | undefined> {
    const address = addressOf(key);
    const waiting = this.#writer.waiting(address);
    if (waiting !== undefined) return waiting;
    if (this.#options.isLocal && this.#disk.files.isAbsent(this.#layout.pathOf(address.name))) {
      this.#index.delete(address.name);
      return undefined;
    }
    return this.#disk.read(() => this.#readEntry(address));
  }

  /** Writes the bytes in the background. */
  write(key: string, bytes: Buffer): void {
    this.#writer.add(addressOf(key), bytes);
  }

  /** Marks bytes as used that were read from memory; an entry that is gone from disk is written again. */
  refresh(key: string, bytes: Buffer): void {
    this.#writer.refresh(addressOf(key), bytes);
  }

  stats(): DiskStats {
    const state = this.#writer.state();
    return {
      state: state !== 'closed' && this.#disk.isHanging ? 'hanging' : state,
      ...this.#index.totals(),
      maxBytes: this.#options.maxBytes,
      evictions: this.#folder.evictions,
      ...this.#writer.counts(),
    };
  }

  /** Number of damaged files and failed file operations. */
  get faults(): number {
    return this.#disk.faults.count;
  }

  close(): Promise<void> {
    return this.#writer.close();
  }

  async #readEntry(address: Address): Promise<Buffer | undefined> {
    const { name } = address;
    const entry = await readEntry(this.#disk.files, this.#layout.pathOf(name), address);
    if (entry === 'invalid') await this.#removeDamaged(name);
    if (entry === 'absent') this.#index.delete(name);
    if (typeof entry === 'string') return undefined;
    this.#index.use(name, fileBytesOf(address, entry.payload));
    if (Date.now() - entry.modifiedMs > touchIntervalMs) this.#writer.touch(name);
    return entry.payload;
  }

  async #removeDamaged(name: string): Promise<void> {
    const { faults } = this.#disk;
    const file = this.#layout.pathOf(name);
    const reportDamage = () =>
      faults.reportEvent('damaged', `The file ${file} is not what was written there; it is removed and made anew.`);
    try {
      // A read and a walk can find the same file at the same time.
      if (await this.#folder.remove(name)) reportDamage();
      faults.recover('removing');
    } catch (error) {
      reportDamage();
      faults.report('removing', `The damaged file ${file} can’t be removed from the cache directory.`, error);
    }
  }
}
