/** Collects the faults of one metadata file: each once, in the order of their lines, and at most 100. */
import type { MetadataFault } from '../../image/folder/folder-metadata.ts';

const maxFaults = 100;

export class Faults {
  readonly #file: string;
  readonly #found = new Map<string, MetadataFault>();
  readonly #unparsed = new Set<number>();
  #unlisted = 0;

  /** `file` is the file's name alone. */
  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Adds a fault; the message can be a function where computing it is expensive. A line that could not be parsed gets no
   * further faults, since these would only be consequences.
   */
  add(line: number, message: string | (() => string)): void {
    if (!this.#unparsed.has(line)) this.#push(line, message);
  }

  /** Adds a fault of syntax: the line could not be parsed completely. */
  addSyntax(line: number, message: string): void {
    if (this.#unparsed.has(line)) return;
    this.#unparsed.add(line);
    this.#push(line, message);
  }

  #push(line: number, lazyMessage: string | (() => string)): void {
    if (this.#found.size >= maxFaults) {
      this.#unlisted++;
      return;
    }
    const message = typeof lazyMessage === 'string' ? lazyMessage : lazyMessage();
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
