/** Collects the faults of one metadata file: each once, in the order of their lines, and not without bound. */
import type { MetadataFault } from '../../image/folder/folder-metadata.ts';

const maxFaults = 100;

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
