/** Writes derivatives to disk in the background: bounded, when nothing is being made, and with pauses while the disk fails. */
import { setTimeout as delay } from 'node:timers/promises';
import PQueue from 'p-queue';
import type { BoundedFolder } from '../storage/bounded-folder.ts';
import { isNoSpace } from '../storage/file-errors.ts';
import type { GuardedDisk } from '../storage/guarded-disk.ts';
import type { UsageIndex } from '../storage/usage-index.ts';
import { type Address, fileBytesOf, maxKeyBytes, maxPayloadBytes, writeEntry } from './entry-file.ts';

/** Background work begins after this time without a derivative being made. */
const idleAfterMs = 30;

export class IdleScheduler {
  #active = 0;
  #timer: NodeJS.Timeout | undefined;
  #waiting: (() => void)[] = [];

  /** Foreground work begins; call the returned function when it ends. */
  startWork(): () => void {
    this.#active++;
    clearTimeout(this.#timer);
    return () => {
      this.#active--;
      this.#startTimer();
    };
  }

  /** Resolves when no foreground work has been active for 30 ms, or when `resume` is called. */
  whenIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#startTimer();
    });
  }

  /** Lets all background work that waits continue now. */
  resume(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  #startTimer(): void {
    if (this.#active > 0 || this.#waiting.length === 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.resume(), idleAfterMs);
  }
}

interface DiskCacheWriterParts {
  readonly disk: GuardedDisk;
  readonly folder: BoundedFolder;
  readonly index: UsageIndex;
  readonly maxBytes: number;
  readonly idle: IdleScheduler;
}

interface Waiting {
  readonly address: Address;
  readonly payload: Buffer;
  readonly fileBytes: number;
}

/** The bound for the bytes that wait to be written, including those that are being written. */
const maxWaitingBytes = 32 * 1024 * 1024;

/** Up to this many bytes wait until nothing is being made: writing a file takes as much processor time as a small picture. */
const maxIdleWaitingBytes = 8 * 1024 * 1024;

/** Other processes write to the same directory, so it is walked again after this part of the bound was written. */
const walkAgainAfterPart = 1 / 8;
const walkAgainAfterMs = 60_000;

const maxWaitingTouches = 1000;
const closeDeadlineMs = 10_000;

export class DiskCacheWriter {
  readonly #parts: DiskCacheWriterParts;
  /** One operation at a time: an operation that hangs must not occupy threads that others need. */
  readonly #background = new PQueue({ concurrency: 1 });
  readonly #waiting = new Map<string, Waiting>();
  readonly #jobs = new Set<Promise<void>>();
  #waitingBytes = 0;
  #dropped = 0;
  #walking: Promise<void> | undefined;
  #isIndexed = false;
  #walkedMs = 0;
  #bytesSinceWalk = 0;
  #isClosing = false;
  #isClosed = false;

  constructor(parts: DiskCacheWriterParts) {
    this.#parts = parts;
  }

  /** The bytes that wait, and the number of derivatives that were not written. */
  counts(): { readonly waitingBytes: number; readonly dropped: number } {
    return { waitingBytes: this.#waitingBytes, dropped: this.#dropped };
  }

  state(): 'closed' | 'paused' | 'indexing' | 'ready' {
    if (this.#isClosing) return 'closed';
    if (this.#parts.disk.isPaused) return 'paused';
    return this.#isIndexed ? 'ready' : 'indexing';
  }

  /** The bytes under this key that are not written yet. */
  waiting({ name, keyBytes }: Address): Buffer | undefined {
    const entry = this.#waiting.get(name);
    return entry?.address.keyBytes.equals(keyBytes) ? entry.payload : undefined;
  }

  /** Writes an entry later; drops it where the disk fails or too many bytes wait already. */
  add(address: Address, payload: Buffer): void {
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

  /** An entry was read from memory: on disk it counts as used now, and is written again where it is gone. */
  refresh(address: Address, payload: Buffer): void {
    const { index } = this.#parts;
    if (!this.#isIndexed) return;
    if (index.has(address.name)) {
      index.use(address.name, fileBytesOf(address, payload));
      this.touch(address.name);
    } else this.add(address, payload);
  }

  /** Records the use of an entry on disk, later. */
  touch(name: string): void {
    const { folder, disk } = this.#parts;
    if (this.#isClosing || !disk.isWritable || this.#background.size >= maxWaitingTouches) return;
    this.#start(this.#background.add(() => folder.touch(name)));
  }

  /** Resolves when everything is written or dropped: after 10 s, or as soon as the disk hangs. */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#parts.idle.resume();
    const deadlineMs = performance.now() + closeDeadlineMs;
    const isGivenUp = (): boolean => this.#parts.disk.isHanging || performance.now() >= deadlineMs;
    while (this.#jobs.size > 0 && !isGivenUp()) {
      await Promise.race([Promise.all(this.#jobs), delay(100)]);
    }
    this.#isClosed = true;
  }

  /** Tracks a job that never rejects until it ends. */
  #start(job: Promise<void>): void {
    const tracked = job.finally(() => this.#jobs.delete(tracked));
    this.#jobs.add(tracked);
  }

  /** Finds the present entries in the background; the first one that is written waits for it. */
  startWalk(): void {
    this.#start(this.#walk().catch((error: unknown) => this.#fail(error)));
  }

  #accepts({ address, payload, fileBytes }: Waiting): boolean {
    const isStorable =
      payload.length <= maxPayloadBytes &&
      address.keyBytes.length <= maxKeyBytes &&
      fileBytes <= this.#parts.maxBytes &&
      this.#waitingBytes + fileBytes <= maxWaitingBytes;
    return isStorable && this.#parts.disk.isWritable;
  }

  async #store(entry: Waiting): Promise<void> {
    try {
      // The bound can be respected only when the present entries are in the index.
      if (!this.#isIndexed) await this.#walk();
      if (this.#isClosing || this.#waitingBytes > maxIdleWaitingBytes) this.#parts.idle.resume();
      else await this.#parts.idle.whenIdle();
      await this.#background.add(() => this.#storeNow(entry), { priority: 1 });
    } catch (error) {
      if (this.#isWaiting(entry) && !this.#isClosed) await this.#fail(error);
    } finally {
      this.#remove(entry);
    }
  }

  async #storeNow(entry: Waiting): Promise<void> {
    const { folder, disk } = this.#parts;
    const { address, payload, fileBytes } = entry;
    // It may have been dropped with another one that failed.
    if (!this.#isWaiting(entry) || this.#isClosed) return;
    const isCanceled = (): boolean => this.#isClosed;
    await folder.write(address.name, fileBytes, (file) => writeEntry(file, address, payload), isCanceled);
    disk.writeSucceeded();
    this.#bytesSinceWalk += fileBytes;
    if (this.#isWalkDue()) this.startWalk();
  }

  #isWaiting(entry: Waiting): boolean {
    return this.#waiting.get(entry.address.name) === entry;
  }

  #remove(entry: Waiting): void {
    if (!this.#isWaiting(entry)) return;
    this.#waiting.delete(entry.address.name);
    this.#waitingBytes -= entry.fileBytes;
  }

  /** Drops everything that waits, so that memory does not fill while the disk fails. */
  async #fail(cause: unknown): Promise<void> {
    const { disk, folder } = this.#parts;
    this.#dropped += this.#waiting.size;
    for (const entry of this.#waiting.values()) this.#remove(entry);
    disk.writeFailed(cause);
    if (isNoSpace(cause)) await folder.shrink().catch(() => undefined);
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
    const { folder, disk } = this.#parts;
    this.#bytesSinceWalk = 0;
    const isComplete = await folder.walk({
      step: (work) => this.#background.add(work),
      isCanceled: () => this.#isClosed || (this.#isClosing && this.#waiting.size === 0),
      onDenied: (error) => disk.readFailed(error),
    });
    this.#walkedMs = performance.now();
    if (!isComplete) return;
    this.#isIndexed = true;
    // The bound may be smaller than before, or another process has written too.
    await this.#background.add(() => folder.makeSpace(0));
  }
}
