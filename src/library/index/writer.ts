/** Writes what is to be kept in the background: together what comes together, one file at a time. */
import type { Availability } from './availability.ts';
import { appendLines, replaceKept } from './files.ts';
import type { Place } from './layout.ts';
import { type SweepOptions, sweep } from './sweep.ts';

/** What comes within so many ms is written together. */
const gatherMs = 1000;

/** So many bytes wait at most; what comes when they do is not kept. */
const maxWaitingBytes = 32 * 1024 * 1024;

/** When this part of the bound was written, the bound is seen to. */
const sweepAfterPart = 1 / 16;

const closeWithinMs = 2000;

/** What waits to be written to one file: lines at its end, behind other bytes where these replace what it holds. */
interface Waiting {
  readonly place: Place;
  readonly replacing: Buffer | undefined;
  readonly lines: string[];
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });

export class Writer {
  readonly #options: SweepOptions;
  readonly #availability: Availability;
  readonly #waiting = new Map<string, Waiting>();
  #waitingBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  /** The first sweep follows what is written first. */
  #bytesUntilSweep = 0;

  constructor(options: SweepOptions, availability: Availability) {
    this.#options = options;
    this.#availability = availability;
  }

  append(place: Place, line: string): void {
    if (!this.#accepts(line.length)) return;
    const waiting = this.#waiting.get(place.id) ?? { place, replacing: undefined, lines: [] };
    waiting.lines.push(line);
    this.#waiting.set(place.id, waiting);
  }

  replace(place: Place, bytes: Buffer): void {
    if (!this.#accepts(bytes.length)) return;
    this.#waiting.set(place.id, { place, replacing: bytes, lines: this.#waiting.get(place.id)?.lines ?? [] });
  }

  /** Resolves when what waits is written, or after 2 s. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.race([this.#write(), pause(closeWithinMs)]);
  }

  #accepts(bytes: number): boolean {
    if (!this.#availability.isOpen || this.#waitingBytes + bytes > maxWaitingBytes) return false;
    this.#waitingBytes += bytes;
    this.#timer ??= setTimeout(() => void this.#write(), gatherMs).unref();
    return true;
  }

  #write(): Promise<void> {
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#writeAll());
    return this.#writing;
  }

  /** Never rejects. */
  async #writeAll(): Promise<void> {
    const all = [...this.#waiting.values()];
    const bytes = this.#waitingBytes;
    this.#waiting.clear();
    this.#waitingBytes = 0;
    if (all.length === 0 || !this.#availability.isOpen) return;
    try {
      for (const waiting of all) await writeOne(waiting);
      this.#availability.work();
      await this.#sweepWhenDue(bytes);
    } catch (error) {
      this.#availability.fail(`Nothing can be kept in ${this.#options.root} at the moment.`, error);
    }
  }

  async #sweepWhenDue(written: number): Promise<void> {
    this.#bytesUntilSweep -= written;
    if (this.#bytesUntilSweep > 0) return;
    await sweep(this.#options);
    this.#bytesUntilSweep = this.#options.maxBytes * sweepAfterPart;
  }
}

async function writeOne({ place, replacing, lines }: Waiting): Promise<void> {
  if (replacing !== undefined) await replaceKept(place, replacing);
  if (lines.length > 0) await appendLines(place, lines);
}
