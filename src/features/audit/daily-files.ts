/** Lines in a file for each day, which are deleted after some days. A disk that takes nothing loses lines, never answers. */
import { appendFile, mkdir, readdir, unlink } from 'node:fs/promises';
import path from 'node:path';

/** By UTC, as ISO 8601 writes it. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const nameOf = (day: string): string => `audit-${day}.jsonl`;

/** Lines that wait for the disk have at most so many characters, and each write takes so many. */
const maxWaiting = 4 * 2 ** 20;
const maxWritten = 2 ** 18;

const dayMs = 24 * 3_600_000;

interface DailyFilesParts {
  readonly folder: string;
  readonly days: number;
  readonly onFault: (message: string, error: unknown) => void;
}

export class DailyFiles {
  readonly #parts: DailyFilesParts;
  #waiting: { readonly day: string; readonly line: string }[] = [];
  #length = 0;
  #writing: Promise<void> | undefined;
  #hasFailed = false;
  #written = 0;
  #lost = 0;

  constructor(parts: DailyFilesParts) {
    this.#parts = parts;
  }

  get counts(): { readonly written: number; readonly lost: number } {
    return { written: this.#written, lost: this.#lost };
  }

  /** Takes a line with its end; never waits and never throws. */
  add(line: string, atMs: number): void {
    if (this.#length + line.length > maxWaiting) {
      this.#lost++;
      return;
    }
    this.#waiting.push({ day: dayOf(atMs), line });
    this.#length += line.length;
    this.#writing ??= this.#write();
  }

  /** Deletes the files that are too old, and no others. Never rejects. */
  async sweep(nowMs: number): Promise<void> {
    const { folder, days, onFault } = this.#parts;
    const oldest = nameOf(dayOf(nowMs - days * dayMs));
    const onKept = (error: unknown): void => onFault('old files of the audit can’t be deleted', error);
    const names = await readdir(folder).catch((error: unknown) => {
      onKept(error);
      return [];
    });
    // One that can't be deleted keeps no other one.
    for (const name of names)
      if (/^audit-\d{4}-\d\d-\d\d\.jsonl$/.test(name) && name < oldest)
        await unlink(path.join(folder, name)).catch(onKept);
  }

  /** Resolves when nothing waits any more. */
  async close(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  async #write(): Promise<void> {
    // Lines that come at the same time are one write.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.#writeSome();
    this.#writing = undefined;
  }

  /** The next lines of one day. */
  #take(): { readonly day: string; readonly text: string; readonly count: number } {
    const day = this.#waiting[0]?.day ?? '';
    let [count, length] = [0, 0];
    for (const one of this.#waiting) {
      if (one.day !== day || length > maxWritten) break;
      count++;
      length += one.line.length;
    }
    const text = this.#waiting.splice(0, count).map(({ line }) => line);
    this.#length -= length;
    return { day, text: text.join(''), count };
  }

  async #writeSome(): Promise<void> {
    const { folder, onFault } = this.#parts;
    const { day, text, count } = this.#take();
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // A full disk may have taken a part of a line.
      await appendFile(path.join(folder, nameOf(day)), this.#hasFailed ? `\n${text}` : text, { mode: 0o600 });
      this.#hasFailed = false;
      this.#written += count;
    } catch (error) {
      this.#hasFailed = true;
      this.#lost += count;
      onFault('the audit can’t be written, and loses lines', error);
    }
  }
}
