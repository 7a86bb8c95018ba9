/** Keeps what takes a walk of all folders, such as the parts of a sitemap, for the requests that follow. */

export interface KeptPartsOptions {
  /** Younger ones are not read again, in ms; older ones are, behind an answer that still has them. */
  readonly freshMs: number;
  /** Older ones are given no more, in ms. */
  readonly keptMs: number;
  /** More are not kept. */
  readonly max: number;
  /** In ms; of any clock that goes forward. */
  readonly now: () => number;
}

interface Kept<Part> {
  readonly parts: readonly Part[];
  readonly atMs: number;
}

export class KeptParts<Part> {
  readonly #options: KeptPartsOptions;
  #kept: Kept<Part> | undefined;
  #isReading = false;

  constructor(options: KeptPartsOptions) {
    this.#options = options;
  }

  /** Those that are kept, or else those that are read, one by one. Throws as `read` does. */
  async *parts(read: () => AsyncIterable<Part>): AsyncGenerator<Part> {
    const { freshMs, keptMs, now } = this.#options;
    const ageMs = now() - (this.#kept?.atMs ?? Number.NEGATIVE_INFINITY);
    if (this.#kept === undefined || ageMs >= keptMs) return yield* this.#keeping(read());
    if (ageMs >= freshMs) void this.#readAgain(read);
    yield* this.#kept.parts;
  }

  /** The same parts, which are kept at their end. */
  async *#keeping(read: AsyncIterable<Part>): AsyncGenerator<Part> {
    const { max, now } = this.#options;
    const atMs = now();
    const parts: Part[] = [];
    for await (const part of read) {
      if (parts.length <= max) parts.push(part);
      yield part;
    }
    if (parts.length <= max) this.#kept = { parts, atMs };
  }

  async #readAgain(read: () => AsyncIterable<Part>): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      for await (const _ of this.#keeping(read()));
    } catch {
      // The next request tries again; until then the older ones are given.
    } finally {
      this.#isReading = false;
    }
  }
}
