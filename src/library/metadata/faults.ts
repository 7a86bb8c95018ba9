/** Collects the faults of one metadata file: each once, in the order of their lines, and not without bound. */
import type { MetadataFault } from '../../image/folder/folder-metadata.ts';

const maxFaults = 100;
const maxQuoted = 60;

/** A text as it is quoted in a sentence: on one line, without control characters, not too long. */
export function quote(text: string): string {
  const plain = text.slice(0, 4 * maxQuoted).replace(/[\s\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]+/g, ' ');
  return `“${plain.length > maxQuoted ? `${plain.slice(0, maxQuoted - 1)}…` : plain}”`;
}

/** Texts in a sentence: “a”, “b” and “c”. */
export function enumerate(texts: readonly string[], last = 'and'): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} ${last} ${texts.at(-1)}`;
}

export class Faults {
  readonly #file: string;
  readonly #found = new Map<string, MetadataFault>();
  readonly #misread = new Set<number>();
  #unlisted = 0;

  /** `file` is the file's name alone. */
  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Adds a fault; a sentence that costs time is given as a function. A line that could not be parsed has no further ones,
   * since they would follow from that.
   */
  add(line: number, message: string | (() => string)): void {
    if (!this.#misread.has(line)) this.#keep(line, message);
  }

  /** Adds a fault of form: the line could not be parsed, or not wholly. */
  addSyntax(line: number, message: string): void {
    if (this.#misread.has(line)) return;
    this.#misread.add(line);
    this.#keep(line, message);
  }

  #keep(line: number, said: string | (() => string)): void {
    if (this.#found.size >= maxFaults) {
      this.#unlisted++;
      return;
    }
    const message = typeof said === 'string' ? said : said();
    const key = `${line} ${message}`;
    if (!this.#found.has(key)) this.#found.set(key, { file: this.#file, line, message });
  }

  list(): readonly MetadataFault[] {
    const listed = [...this.#found.values()].sort((a, b) => a.line - b.line);
    if (this.#unlisted === 0) return listed;
    const message =
      this.#unlisted === 1 ? 'One more fault is not listed.' : `${this.#unlisted} more faults are not listed.`;
    return [...listed, { file: this.#file, line: 0, message }];
  }
}
