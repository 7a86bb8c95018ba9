/** The space on the disk of copies: the oldest give way to new ones, and what is lacking is told, once until there is space again. */
import { statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ImageError } from '../image/model/errors.ts';
import type { BoundedFolder } from './bounded-folder.ts';
import { FaultReporter } from './fault-reporter.ts';
import { codeOf, isNoSpace } from './file-errors.ts';
import type { UsageIndex } from './usage-index.ts';

/** In bytes. */
interface DiskSpace {
  readonly free: number;
  readonly total: number;
}

export type MeasureDisk = (directory: string) => Promise<DiskSpace>;

interface CopySpaceOptions {
  readonly directory: string;
  readonly folder: Pick<BoundedFolder, 'evict'>;
  readonly index: Pick<UsageIndex, 'unusedBytes'>;
  readonly onFault: (message: string, error?: unknown) => void;
  readonly measure?: MeasureDisk | undefined;
}

async function measureDisk(directory: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(directory);
  return { free: bavail * bsize, total: blocks * bsize };
}

/** A disk is full until this part of it is free, so that one that is nearly full is told once and not at each copy. */
const freePart = 0.05;

const checkIntervalMs = 1000;

/** How often, and at which intervals in ms, it is asked whether what was deleted has left its space. */
const maxTries = 10;
const tryIntervalMs = 50;

/** Requests that have waited for this time for others to get space get none, in ms. */
const maxGrantMs = 2000;

const noSpaceFor = (sentence: string, cause: unknown): ImageError =>
  new ImageError('no-space', `${sentence} a copy of the image’s file; ask again later.`, { cause });

/** An error of the system, so that it is treated as one that a write got. */
const diskFull = (): Error => Object.assign(new Error('ENOSPC: the file does not fit on the disk'), { code: 'ENOSPC' });

export class CopySpace {
  readonly #options: CopySpaceOptions;
  readonly #reporter: FaultReporter<'full' | 'fails'>;
  readonly #faults = { full: 0, other: 0 };
  /** What running copies have still to write, in bytes. */
  #pendingBytes = 0;
  /** One after the other: two copies must not count on the same space. */
  #granting: Promise<unknown> = Promise.resolve();
  /** Set from the first lack of space until the disk has space again. */
  #timer: NodeJS.Timeout | undefined;
  #lack: 'full' | 'fails' | undefined;
  #refusedBytes = 0;

  constructor(options: CopySpaceOptions) {
    this.#options = options;
    this.#reporter = new FaultReporter(options.onFault);
  }

  get faults(): { readonly full: number; readonly other: number } {
    return { ...this.#faults };
  }

  get lack(): 'full' | 'fails' | undefined {
    return this.#lack;
  }

  /**
   * The result of writing this many bytes, once there is space for them. `wrote` is to be called after each part. Throws ImageError
   * `no-space` where the disk has no space or fails, before anything is read where that is known.
   */
  async write(bytes: number, run: (wrote: (bytes: number) => void) => Promise<void>): Promise<void> {
    const sinceMs = performance.now();
    const granted = this.#granting.then(() => this.#grant(bytes, sinceMs));
    this.#granting = granted.catch(() => undefined);
    try {
      await granted;
      await this.#run(bytes, run);
    } catch (error) {
      throw this.#failed(error, bytes);
    }
    this.#lack = undefined;
    if (this.#reporter.recover('fails')) this.#options.onFault('Copies of objects can be written again.');
  }

  /** Evicts copies for this many bytes, which a write found no space for. Resolves to whether there were any. */
  evict(bytes: number): Promise<boolean> {
    return this.#evict(bytes, 0);
  }

  /** `further` bytes are needed beside what running copies have still to write. */
  async #evict(bytes: number, further: number): Promise<boolean> {
    this.#becomesFull();
    if (!(await this.#options.folder.evict(bytes))) return false;
    // A file that was deleted takes its space until everyone has closed it.
    for (let tries = 0; tries < maxTries && (await this.#missing(further)) > 0; tries++) await sleep(tryIntervalMs);
    return true;
  }

  async #missing(further: number): Promise<number> {
    const disk = await this.#measure();
    return disk === undefined ? 0 : further + this.#pendingBytes - disk.free;
  }

  /** Undefined where the file system has no figures. */
  async #measure(): Promise<DiskSpace | undefined> {
    const { measure = measureDisk, directory } = this.#options;
    const disk = await measure(directory).catch(() => undefined);
    return disk?.total === 0 ? undefined : disk;
  }

  async #grant(bytes: number, sinceMs: number): Promise<void> {
    const missing = await this.#missing(bytes);
    // Nothing is deleted in vain, and nobody waits for long.
    if (missing > this.#options.index.unusedBytes() || performance.now() - sinceMs > maxGrantMs) throw diskFull();
    if (missing > 0) await this.#evict(missing, bytes);
    this.#pendingBytes += bytes;
  }

  async #run(bytes: number, run: (wrote: (bytes: number) => void) => Promise<void>): Promise<void> {
    let left = bytes;
    const wrote = (count: number): void => {
      left -= count;
      this.#pendingBytes -= count;
    };
    try {
      for (;;) {
        try {
          return await run(wrote);
        } catch (error) {
          // Where the file can’t be created or closed, or others fill the disk.
          if (!isNoSpace(error) || !(await this.evict(bytes))) throw error;
          wrote(left - bytes);
        }
      }
    } finally {
      wrote(left);
    }
  }

  /** What the store says is an ImageError; of the disk there are codes of the system. */
  #failed(error: unknown, bytes: number): unknown {
    if (error instanceof ImageError || codeOf(error) === undefined) return error;
    if (isNoSpace(error)) {
      this.#faults.full++;
      this.#lack = 'full';
      this.#refusedBytes = bytes;
      this.#becomesFull();
      return noSpaceFor('The server’s disk has no space for', error);
    }
    this.#faults.other++;
    this.#lack = 'fails';
    this.#reporter.report('fails', 'Copies of objects can’t be written; images that need one are refused.', error);
    return noSpaceFor('The server can’t write', error);
  }

  #becomesFull(): void {
    this.#reporter.report(
      'full',
      'The disk of the copies of objects is full: older copies give way to new ones, and images that need one are refused where that does not suffice.',
    );
    this.#timer ??= setTimeout(() => this.#check(), checkIntervalMs).unref();
  }

  async #check(): Promise<void> {
    const { free, total } = (await this.#measure()) ?? { free: 0, total: 1 };
    this.#timer = undefined;
    if (this.#lack === 'full' && free >= this.#refusedBytes + this.#pendingBytes) this.#lack = undefined;
    if (this.#lack === undefined && free >= total * freePart) {
      if (this.#reporter.recover('full')) this.#options.onFault('The disk of the copies of objects has space again.');
    } else this.#timer = setTimeout(() => this.#check(), checkIntervalMs).unref();
  }
}
