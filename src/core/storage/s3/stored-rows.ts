/** What is known of single objects of buckets, on a local disk, so that a server that starts anew while a store fails knows it too. */
import { appendFile, mkdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ifFound } from '../file-errors.ts';
import { cacheTag, hexDigest, uniqueToken } from '../layout.ts';

interface StoredRowsOptions {
  /** Rows are kept in `lectern-objects` in this folder. */
  readonly directory: string;
  readonly onFault: (message: string, error: unknown) => void;
  /** The bound of each of the 4096 files, in bytes. */
  readonly maxFileBytes?: number;
}

/** All files together have 256 MiB at most: some two million rows. */
const longestFileBytes = 64 * 1024;

/** Digits of the hash of a key that name its file. */
const fileDigits = 3;
const keyDigits = 32;
const sumDigits = 8;

/** Rows are written together, this time after the first of them, in ms. */
const delayMs = 100;

const hashOf = (key: string): string => hexDigest(key, keyDigits);

/** With a sum, since what is cut or damaged could open a closed image. */
function lineOf(hash: string, value: unknown): string {
  const json = JSON.stringify(value);
  return `${hash} ${hexDigest(hash + json, sumDigits)} ${json}\n`;
}

/** The last row of a key in the text of a file; undefined where there is none, or it is damaged. */
function valueIn(text: string, hash: string): unknown {
  const at = text.lastIndexOf(`\n${hash}`) + 1;
  if (!text.startsWith(hash, at)) return undefined;
  const [, sum, json = ''] = /^\S+ (\S+) (.*)\n/.exec(text.slice(at)) ?? [];
  return sum === hexDigest(hash + json, sumDigits) ? (JSON.parse(json) as unknown) : undefined;
}

/** The lines that were written last, the last one of each key, up to this length. */
function latestLines(text: string, maxBytes: number): string {
  const kept: string[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  for (const line of text.split('\n').reverse()) {
    const hash = line.slice(0, keyDigits);
    if (line === '' || seen.has(hash)) continue;
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > maxBytes) break;
    seen.add(hash);
    kept.push(`${line}\n`);
  }
  return kept.reverse().join('');
}

/** Files of lines, to which each process appends; the last line of a key counts. A line that is lost makes its key unknown. */
export class StoredRows {
  readonly #folder: string;
  readonly #onFault: StoredRowsOptions['onFault'];
  readonly #maxFileBytes: number;
  /** What is not written yet, by the hash of its key. */
  readonly #pending = new Map<string, unknown>();
  #writing: Promise<void> | undefined;

  constructor({ directory, onFault, maxFileBytes = longestFileBytes }: StoredRowsOptions) {
    this.#folder = path.join(directory, 'lectern-objects');
    this.#onFault = onFault;
    this.#maxFileBytes = maxFileBytes;
  }

  /** The value that was written last; undefined where there is none. Never rejects. */
  async read(key: string): Promise<unknown> {
    const hash = hashOf(key);
    if (this.#pending.has(hash)) return this.#pending.get(hash);
    try {
      const text = await ifFound(readFile(this.#fileOf(hash), 'utf8'));
      return text === undefined ? undefined : valueIn(text, hash);
    } catch (error) {
      this.#onFault('What is known of objects can’t be read.', error);
      return undefined;
    }
  }

  /** Keeps a value, which JSON can hold; null makes the key unknown. */
  write(key: string, value: unknown): void {
    this.#pending.set(hashOf(key), value);
    this.#writing ??= new Promise((resolve) => setTimeout(resolve, delayMs)).then(() => this.#writeAll());
  }

  /** Forgets all, of all buckets, at once also for others who write there. Never rejects. */
  async clear(): Promise<void> {
    this.#pending.clear();
    await this.#writing;
    const old = `${this.#folder}-${uniqueToken()}`;
    try {
      await ifFound(rename(this.#folder, old));
      await rm(old, { recursive: true, force: true });
    } catch (error) {
      this.#onFault('What is known of objects can’t be deleted.', error);
    }
  }

  /** Resolves when all is written. */
  async flush(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  #fileOf(hash: string): string {
    return path.join(this.#folder, `${hash.slice(0, fileDigits)}.rows`);
  }

  async #writeAll(): Promise<void> {
    const files = new Map<string, string>();
    const rows = [...this.#pending];
    for (const [hash, value] of rows) {
      const file = this.#fileOf(hash);
      files.set(file, (files.get(file) ?? '') + lineOf(hash, value));
    }
    for (const [file, lines] of files) await this.#append(file, lines);
    for (const [hash, value] of rows) if (this.#pending.get(hash) === value) this.#pending.delete(hash);
    this.#writing = this.#pending.size === 0 ? undefined : this.#writeAll();
  }

  /** A file that can’t be written is deleted, so that nothing that was true before counts. */
  async #append(file: string, lines: string): Promise<void> {
    try {
      await this.#appendTo(file, lines);
    } catch (error) {
      this.#onFault('What is known of objects can’t be stored.', error);
      await unlink(file).catch(() => undefined);
    }
  }

  async #appendTo(file: string, lines: string): Promise<void> {
    // What another process has written before may have been cut.
    const append = () => appendFile(file, `\n${lines}`, { mode: 0o600 });
    if ((await ifFound(append().then(() => true))) === undefined) {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeFile(path.join(this.#folder, cacheTag.name), cacheTag.text);
      await append();
    }
    const text = await readFile(file, 'utf8');
    if (text.length <= this.#maxFileBytes) return;
    const temporary = `${file}-${uniqueToken()}`;
    await writeFile(temporary, latestLines(text, this.#maxFileBytes / 2), { mode: 0o600 });
    await rename(temporary, file);
  }
}
