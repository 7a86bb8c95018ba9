/** Derivatives on disk: what is read is checked, what fails or hangs is as if it were not there. */
import PQueue from 'p-queue';
import { codeOf } from '../storage/file-errors.ts';
import { DiskIndex } from './disk-index.ts';
import { DiskWriter } from './disk-writer.ts';
import { fileBytesOf, readEntry } from './entry-file.ts';
import { EntryFolder } from './entry-folder.ts';
import type { Faults } from './faults.ts';
import { type FileSystem, OutstandingCalls, watched } from './file-system.ts';
import type { IdleScheduler } from './idle-scheduler.ts';
import { type Address, addressOf, type Layout, layoutIn } from './layout.ts';

export interface DiskOptions {
  readonly directory: string;
  /** The bound for the lengths of all files together. */
  readonly maxBytes: number;
  /** Whether the directory lies on a disk of this machine: then it is seen at once that something is not there. */
  readonly isLocal?: boolean;
}

/** What is known of the derivatives on disk. */
export interface DiskStats {
  /**
   * `indexing`: read but not written yet, until it is known what is there. `paused`: writing has just failed. `hanging`: left
   * out, since a file operation has not returned for 2 s.
   */
  readonly state: 'indexing' | 'ready' | 'paused' | 'hanging' | 'closed';
  readonly entries: number;
  readonly bytes: number;
  readonly maxBytes: number;
  readonly evictions: number;
  /** Bytes that wait to be written. */
  readonly waitingBytes: number;
  /** Derivatives that were not written, since the disk failed, was too slow, or they were too long. */
  readonly dropped: number;
}

/** A read that takes longer counts as a miss. */
const readWithinMs = 2000;

/** So many threads of the pool may hang in reads; one more may hang in the background. */
const concurrentReads = 2;

/** The last use is told to the file at most this often. */
const touchAfterMs = 60 * 60 * 1000;

export class Disk {
  readonly #files: FileSystem;
  readonly #layout: Layout;
  readonly #maxBytes: number;
  readonly #isLocal: boolean;
  readonly #faults: Faults;
  readonly #calls = new OutstandingCalls();
  readonly #index = new DiskIndex();
  readonly #reads = new PQueue({ concurrency: concurrentReads });
  readonly #folder: EntryFolder;
  readonly #writer: DiskWriter;

  constructor(
    { directory, maxBytes, isLocal = false }: DiskOptions,
    fileSystem: FileSystem,
    faults: Faults,
    lull: IdleScheduler,
  ) {
    this.#files = watched(fileSystem, this.#calls);
    this.#layout = layoutIn(directory);
    this.#maxBytes = maxBytes;
    this.#isLocal = isLocal;
    this.#faults = faults;
    const parts = { files: this.#files, layout: this.#layout, maxBytes, index: this.#index };
    this.#folder = new EntryFolder(parts);
    this.#writer = new DiskWriter({
      ...parts,
      folder: this.#folder,
      faults,
      lull,
      removeDamaged: (name) => this.#removeDamaged(name),
      isHanging: () => this.#isHanging(),
    });
  }

  /** The bytes under this key where they are there, whole, and read in time. Never rejects. */
  async read(key: string): Promise<Buffer | undefined> {
    const address = addressOf(key);
    const waiting = this.#writer.waiting(address);
    if (waiting !== undefined) return waiting;
    if (this.#isLocal && this.#files.isAbsent(this.#layout.entry(address.name))) {
      this.#index.delete(address.name);
      return undefined;
    }
    if (!this.#isHanging()) return this.#readInTime(address);
    // It may be a file operation in the background that hangs.
    if (!this.#faults.lasts('hanging')) this.#reportHanging();
    return undefined;
  }

  /** Writes the bytes in the background. */
  keep(key: string, bytes: Buffer): void {
    this.#writer.offer(addressOf(key), bytes);
  }

  /** Tells that the bytes are in use, though they were not read from here. */
  refresh(key: string, bytes: Buffer): void {
    this.#writer.refresh(addressOf(key), bytes);
  }

  stats(): DiskStats {
    const state = this.#writer.state();
    return {
      state: state !== 'closed' && this.#isHanging() ? 'hanging' : state,
      ...this.#index.totals(),
      maxBytes: this.#maxBytes,
      evictions: this.#folder.evictions,
      ...this.#writer.counts(),
    };
  }

  close(): Promise<void> {
    return this.#writer.close();
  }

  #isHanging(): boolean {
    return this.#calls.isAnyOlderThan(readWithinMs);
  }

  #reportHanging(): void {
    this.#faults.report(
      'hanging',
      `The cache directory ${this.#layout.root} does not answer; it is left out until it does.`,
    );
  }

  #readInTime(address: Address): Promise<Buffer | undefined> {
    return new Promise((resolve) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        this.#reportHanging();
        resolve(undefined);
      }, readWithinMs);
      const read = async (): Promise<void> => {
        const payload = isLate ? undefined : await this.#readNow(address);
        clearTimeout(timer);
        if (!isLate) this.#faults.heal('hanging');
        resolve(payload);
      };
      void this.#reads.add(read);
    });
  }

  async #readNow(address: Address): Promise<Buffer | undefined> {
    try {
      const reading = await readEntry(this.#files, this.#layout.entry(address.name), address);
      this.#faults.heal('reading');
      if (reading.kind === 'found') return this.#used(address, reading.payload, reading.modifiedMs);
      if (reading.kind === 'damaged') await this.#removeDamaged(address.name);
      else this.#index.delete(address.name);
    } catch (error) {
      this.#faults.report('reading', `The cache directory ${this.#layout.root} can’t be read.`, error);
    }
    return undefined;
  }

  #used(address: Address, payload: Buffer, modifiedMs: number): Buffer {
    this.#index.use(address.name, fileBytesOf(address, payload));
    if (Date.now() - modifiedMs > touchAfterMs) this.#writer.touch(address.name);
    return payload;
  }

  async #removeDamaged(name: string): Promise<void> {
    const file = this.#layout.entry(name);
    this.#faults.report('damaged', `The file ${file} is not what was written there; it is removed and made anew.`);
    await this.#files.unlink(file).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return;
      this.#faults.report('reading', `The damaged file ${file} can’t be removed from the cache directory.`, error);
    });
    this.#index.delete(name);
  }
}
