/** The facts of up to 1024 images of a folder: lines of a file that is only appended to, or replaced as a whole. */
import { createHash } from 'node:crypto';

export const checksumLength = 16;

/** The checksum includes the id of the file, so that a line in the wrong file counts as damaged. */
const checksumOf = (fileId: string, text: string): string =>
  createHash('sha256').update(fileId).update('\0').update(text).digest('base64url').slice(0, checksumLength);

/** The key of a name: JSON, so that it contains neither a tab nor a line end. */
export const keyOf = (name: string): string => JSON.stringify(name);

/** A line without its end. JSON contains no tab, so tabs separate the three fields. */
export function formatRecord(fileId: string, key: string, fingerprint: string, value: unknown): string {
  const text = `${key}\t${fingerprint}\t${JSON.stringify(value)}`;
  return `${checksumOf(fileId, text)} ${text}`;
}

/** The key of a line; undefined for one that is no record. The checksum is not verified. */
export function keyIn(line: string): string | undefined {
  const end = line.indexOf('\t', checksumLength + 1);
  return line[checksumLength] === ' ' && end > 0 ? line.slice(checksumLength + 1, end) : undefined;
}

/** The value of a line; undefined where the line is damaged, or has another fingerprint. */
export function parseRecord(fileId: string, fingerprint: string, line: string): unknown {
  const text = line.slice(checksumLength + 1);
  const [, found, json] = text.split('\t', 3);
  if (found !== fingerprint || json === undefined) return undefined;
  if (!line.startsWith(checksumOf(fileId, text))) return undefined;
  return JSON.parse(json);
}

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
