/** Writes derivatives to disk in the background: bounded, never in the way of an answer, with pauses while the disk fails. */
import PQueue from 'p-queue';
import { isNoSpace } from '../storage/file-errors.ts';
import type { DiskIndex } from './disk-index.ts';
import { fileBytesOf, maxKeyBytes, maxPayloadBytes } from './entry-file.ts';
import type { EntryFolder } from './entry-folder.ts';
import { type Faults, Pause } from './faults.ts';
import type { FileSystem } from './file-system.ts';
import type { IdleScheduler } from './idle-scheduler.ts';
import type { Address, Layout } from './layout.ts';
import { walkThrough } from './walk.ts';

export interface DiskWriterParts {
  readonly files: FileSystem;
  readonly layout: Layout;
  readonly maxBytes: number;
  readonly index: DiskIndex;
  readonly folder: EntryFolder;
  readonly faults: Faults;
  /** When what waits is written. */
  readonly lull: IdleScheduler;
  /** Removes a file that has an entry’s name and is none. */
  readonly removeDamaged: (name: string) => Promise<void>;
  /** Whether a file operation hangs. */
  readonly isHanging: () => boolean;
}

interface Waiting {
  readonly address: Address;
  readonly payload: Buffer;
  readonly fileBytes: number;
}

/** So many bytes wait at most to be written, those that are being written included. */
const maxWaitingBytes = 32 * 1024 * 1024;

/** While pictures are being made, so many bytes wait for a lull: each file takes as much of the processors as a small picture. */
const patientBytes = 8 * 1024 * 1024;

/** Other processes write to the same directory: when this part of the bound was written, what is there is looked up anew. */
const walkAgainAfterPart = 1 / 8;
const walkAgainAfterMs = 60_000;

const maxWaitingTouches = 1000;
const closeWithinMs = 10_000;

export class DiskWriter {
  readonly #parts: DiskWriterParts;
  /** One operation at a time: what hangs here must not take the threads that others need. */
  readonly #background = new PQueue({ concurrency: 1 });
  readonly #waiting = new Map<string, Waiting>();
  readonly #jobs = new Set<Promise<void>>();
  readonly #pause = new Pause();
  #waitingBytes = 0;
  #dropped = 0;
  #walking: Promise<void> | undefined;
  #isIndexed = false;
  #walkedMs = 0;
  #bytesSinceWalk = 0;
  #isClosing = false;
  #isClosed = false;

  constructor(parts: DiskWriterParts) {
    this.#parts = parts;
    this.#start(this.#walk().catch((error: unknown) => this.#fail(error)));
  }

  /** What waits, in bytes, and how many derivatives were given up. */
  counts(): { readonly waitingBytes: number; readonly dropped: number } {
    return { waitingBytes: this.#waitingBytes, dropped: this.#dropped };
  }

  state(): 'closed' | 'paused' | 'indexing' | 'ready' {
    if (this.#isClosing) return 'closed';
    if (!this.#pause.isOver) return 'paused';
    return this.#isIndexed ? 'ready' : 'indexing';
  }

  /** The bytes under this key that are not written yet. */
  waiting({ name, keyBytes }: Address): Buffer | undefined {
    const entry = this.#waiting.get(name);
    return entry?.address.keyBytes.equals(keyBytes) ? entry.payload : undefined;
  }

  /** Writes an entry when there is time, or not at all where the disk fails or too much waits already. */
  offer(address: Address, payload: Buffer): void {
    if (this.#isClosing || this.#waiting.has(address.name)) return;
    const entry = { address, payload, fileBytes: fileBytesOf(address, payload) };
    if (!this.#accepts(entry)) {
      this.#dropped++;
      return;
    }
    this.#waiting.set(address.name, entry);
    this.#waitingBytes += entry.fileBytes;
    this.#start(this.#store(entry));
  }

  /** An entry is in use in memory: on disk it counts as used now, and is written again where it is gone. */
  refresh(address: Address, payload: Buffer): void {
    const { index } = this.#parts;
    if (!this.#isIndexed) return;
    if (index.has(address.name)) {
      index.use(address.name, fileBytesOf(address, payload));
      this.touch(address.name);
    } else this.offer(address, payload);
  }

  /** Tells the file that it is used, when there is time. */
  touch(name: string): void {
    const { folder, isHanging } = this.#parts;
    if (this.#isClosing || isHanging() || !this.#pause.isOver) return;
    if (this.#background.size >= maxWaitingTouches) return;
    this.#start(this.#background.add(() => folder.touch(name)));
  }

  /** Resolves when what waits is written or given up: after 10 s, or as soon as the disk hangs. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#parts.lull.end();
    const untilMs = performance.now() + closeWithinMs;
    const isInVain = (): boolean => this.#parts.isHanging() || performance.now() >= untilMs;
    while (this.#jobs.size > 0 && !isInVain()) await this.#jobsEnd(100);
    this.#isClosed = true;
  }

  /** Resolves when the jobs of now have ended, at the latest after this time. */
  async #jobsEnd(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, milliseconds);
    });
    await Promise.race([Promise.all(this.#jobs), late]);
    clearTimeout(timer);
  }

  /** Remembers work that never rejects until it ends. */
  #start(job: Promise<void>): void {
    const tracked = job.finally(() => this.#jobs.delete(tracked));
    this.#jobs.add(tracked);
  }

  #accepts({ address, payload, fileBytes }: Waiting): boolean {
    const isKeepable =
      payload.length <= maxPayloadBytes &&
      address.keyBytes.length <= maxKeyBytes &&
      fileBytes <= this.#parts.maxBytes &&
      this.#waitingBytes + fileBytes <= maxWaitingBytes;
    return isKeepable && this.#pause.isOver && !this.#parts.isHanging();
  }

  async #store(entry: Waiting): Promise<void> {
    try {
      // The bound can only be kept once it is known what is there.
      if (!this.#isIndexed) await this.#walk();
      await this.#lull();
      await this.#background.add(() => this.#storeNow(entry), { priority: 1 });
    } catch (error) {
      if (this.#isWaiting(entry) && !this.#isClosed) await this.#fail(error);
    } finally {
      this.#leave(entry);
    }
  }

  /** Resolves when there is time to write, or too much waits for that. */
  async #lull(): Promise<void> {
    const { lull } = this.#parts;
    if (this.#isClosing || this.#waitingBytes > patientBytes) lull.end();
    else await lull.next();
  }

  async #storeNow(entry: Waiting): Promise<void> {
    const { folder, faults } = this.#parts;
    // It may have been dropped with another one that failed.
    if (!this.#isWaiting(entry) || this.#isClosed) return;
    await folder.put(entry.address, entry.payload, () => this.#isClosed);
    this.#pause.end();
    faults.heal('writing');
    this.#bytesSinceWalk += entry.fileBytes;
    if (this.#isWalkDue()) this.#start(this.#walk().catch((error: unknown) => this.#fail(error)));
  }

  #isWaiting(entry: Waiting): boolean {
    return this.#waiting.get(entry.address.name) === entry;
  }

  #leave(entry: Waiting): void {
    if (!this.#isWaiting(entry)) return;
    this.#waiting.delete(entry.address.name);
    this.#waitingBytes -= entry.fileBytes;
  }

  /** Gives up all that waits: while the disk fails, memory must not fill with it. */
  async #fail(cause: unknown): Promise<void> {
    const { faults, layout, folder } = this.#parts;
    this.#pause.begin();
    this.#dropped += this.#waiting.size;
    for (const entry of this.#waiting.values()) this.#leave(entry);
    faults.report('writing', `Nothing can be written to the cache directory ${layout.root} at the moment.`, cause);
    if (isNoSpace(cause)) await folder.giveWay().catch(() => undefined);
  }

  #isWalkDue(): boolean {
    const { folder, maxBytes } = this.#parts;
    if (folder.takeWasRemoved()) return true;
    const isLongAgo = performance.now() - this.#walkedMs >= walkAgainAfterMs;
    return isLongAgo && this.#bytesSinceWalk >= maxBytes * walkAgainAfterPart;
  }

  #walk(): Promise<void> {
    this.#walking ??= this.#walkOnce().finally(() => {
      this.#walking = undefined;
    });
    return this.#walking;
  }

  async #walkOnce(): Promise<void> {
    const { files, layout, index, folder, removeDamaged } = this.#parts;
    index.beginWalk();
    this.#bytesSinceWalk = 0;
    const isComplete = await walkThrough({
      files,
      layout,
      step: (work) => this.#background.add(work),
      onEntry: (name, fileBytes, modifiedMs) => index.find(name, fileBytes, modifiedMs),
      onDamaged: removeDamaged,
      isGivenUp: () => this.#isClosed || (this.#isClosing && this.#waiting.size === 0),
    });
    this.#walkedMs = performance.now();
    if (!isComplete) return;
    await index.endWalk();
    this.#isIndexed = true;
    // The bound may be smaller than it was, or another process has written too.
    await this.#background.add(() => folder.makeRoom(0));
  }
}
