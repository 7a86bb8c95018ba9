/** The facts of up to 1024 images of a folder: lines of a file that is only appended to, or replaced as a whole. */
import { checksumLength, keyIn, keyOf, parseRecord } from './record.ts';

/** This many images of a folder, in the order of their names, share a file. */
export const imagesInBlock = 1024;

/** A longer file, in bytes, is replaced by an empty one. */
export const maxFileBytes = 8 * 1024 * 1024;

/** Longer lines, in bytes, are not stored. */
export const maxLineBytes = 256 * 1024;

/** Text as its UTF-8 bytes, one character for each: it takes half of the memory, and equals the bytes of the file. */
const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
const textOf = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');

export class Block {
  readonly #fileId: string;
  readonly #lines = new Map<string, string>();
  #superseded = 0;

  /** `bytes` is the content of the file; of several lines with one key the last one counts. */
  constructor(fileId: string, bytes: Buffer) {
    this.#fileId = fileId;
    for (const line of bytes.toString('latin1').split('\n')) {
      const key = keyIn(line);
      if (key !== undefined) this.#put(key, line);
      else if (line !== '') this.#superseded++;
    }
  }

  /** The stored value of a name with this fingerprint; undefined where there is none, or it can't be trusted. */
  get(name: string, fingerprint: string): unknown {
    const line = this.#lines.get(bytesOf(keyOf(name)));
    return line === undefined ? undefined : parseRecord(this.#fileId, fingerprint, textOf(line));
  }

  /** All names, each with its fingerprint and value; of those that can be trusted. */
  *entries(): Generator<{ readonly name: string; readonly fingerprint: string; readonly value: unknown }> {
    for (const bytes of this.#lines.values()) {
      const line = textOf(bytes);
      const [key = '', fingerprint = ''] = line.slice(checksumLength + 1).split('\t', 2);
      const value = parseRecord(this.#fileId, fingerprint, line);
      if (value !== undefined) yield { name: JSON.parse(key), fingerprint, value };
    }
  }

  /** Adds a line that will be written to the file. */
  add(line: string): void {
    const bytes = bytesOf(line);
    const key = keyIn(bytes);
    if (key !== undefined) this.#put(key, bytes);
  }

  /** Whether most lines of the file are superseded or damaged. */
  isMostlySuperseded(): boolean {
    return this.#superseded > 64 && this.#superseded > this.#lines.size;
  }

  /** The content of the file without superseded and damaged lines. */
  currentLines(): Buffer {
    return Buffer.from([...this.#lines.values()].map((line) => `${line}\n`).join(''), 'latin1');
  }

  /** The approximate memory of the block, in bytes. */
  weight(): number {
    let bytes = 1000;
    for (const [key, line] of this.#lines) bytes += key.length + line.length + 100;
    return bytes;
  }

  #put(key: string, line: string): void {
    if (this.#lines.has(key)) this.#superseded++;
    this.#lines.set(key, line);
  }
}
