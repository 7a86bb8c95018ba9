/** The facts of up to a thousand images of a folder: lines of a file that is only ever appended to, or replaced. */
import { formatRecord, keyIn, keyOf, parseRecord } from './record.ts';

/** So many images of a folder, in the order of their names, share a file. */
export const imagesInBlock = 1024;

/** From this length in bytes a file is dropped and begun anew. */
export const maxFileBytes = 8 * 1024 * 1024;

/** Longer lines are not kept, in bytes. */
const maxLineBytes = 256 * 1024;

/** Text as the bytes of its UTF-8, one byte a character: so it takes half of the memory, and is what a file holds. */
const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
const textOf = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');

export class Block {
  readonly #belonging: string;
  readonly #lines = new Map<string, string>();
  #superseded = 0;

  /** `bytes` is what the file holds; of several lines of one key the last one counts. */
  constructor(belonging: string, bytes: Buffer) {
    this.#belonging = belonging;
    for (const line of bytes.toString('latin1').split('\n')) {
      const key = keyIn(line);
      if (key !== undefined) this.#put(key, line);
      else if (line !== '') this.#superseded++;
    }
  }

  /** What was kept of a name with this fingerprint; undefined where there is nothing that can be trusted. */
  get(name: string, fingerprint: string): unknown {
    const line = this.#lines.get(bytesOf(keyOf(name)));
    return line === undefined ? undefined : parseRecord(this.#belonging, fingerprint, textOf(line));
  }

  /** Remembers a line that is going to be in the file. */
  add(line: string): void {
    const bytes = bytesOf(line);
    const key = keyIn(bytes);
    if (key !== undefined) this.#put(key, bytes);
  }

  /** Whether most of the file is of no use any more. */
  isMostlyDead(): boolean {
    return this.#superseded > 64 && this.#superseded > this.#lines.size;
  }

  /** What the file would hold without what is of no use. */
  live(): Buffer {
    return Buffer.from([...this.#lines.values()].map((line) => `${line}\n`).join(''), 'latin1');
  }

  /** About how many bytes of memory it takes. */
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

/** The line for a name in the block of this id; undefined where it is too long to be kept. */
export function lineOf(belonging: string, name: string, fingerprint: string, value: unknown): string | undefined {
  const line = formatRecord(belonging, keyOf(name), fingerprint, value);
  return line.length > maxLineBytes ? undefined : line;
}
