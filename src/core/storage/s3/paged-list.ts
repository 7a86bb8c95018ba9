/** A list of the names below a prefix of a bucket, read page by page, as far as somebody needs it. */
import { createHash } from 'node:crypto';
import { ImageError } from '../../image/model/errors.ts';
import type { BucketRequests, ListedPage, StoredObject } from './bucket-requests.ts';

/** What was below a prefix. */
export interface BucketFolder {
  /** Of long lists the names alone. */
  readonly files: Map<string, StoredObject | undefined>;
  readonly folders: ReadonlySet<string>;
  /** Whether an object has the prefix itself as its key: it marks a folder, which may be empty. */
  readonly isMarked: boolean;
  /** Changes with the names. */
  readonly version: bigint;
  /** When the listing began, in ms since 1970. */
  readonly listedMs: number;
  /** As of a `Sighting`. */
  readonly isReplica?: true;
}

/** Of longer lists the names alone are kept: what an object is, the first request for it tells. */
const maxFacts = 10_000;

const isName = (name: string): boolean => name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name);

/** A part of a string keeps all of it in memory, here a page of XML. */
const copied = (name: string): string => Buffer.from(name, 'utf8').toString('utf8');

/** Code units of these characters follow those of characters that UTF-8 has behind them. */
const isOutOfOrder = (name: string): boolean => /[\uE000-\uFFFF]/.test(name);

/** 63 bits of a digest. */
export const numberOf = (digest: Buffer): bigint => digest.readBigUInt64BE() >> 1n;

interface PagedListOptions {
  readonly maxNames: number;
  /** Whether the fallback endpoint may give it. */
  readonly mayFallBack: boolean;
}

export class PagedList {
  /** When it began, in ms since 1970. */
  readonly listedMs = Date.now();
  /** The names of the files of each page that was read. */
  readonly pages: (readonly string[])[] = [];
  /** When the latest page arrived, on the clock of `performance.now()`. */
  lastPageMs = -Infinity;
  readonly #list: (token: string | undefined) => Promise<ListedPage>;
  readonly #maxNames: number;
  readonly #files = new Map<string, StoredObject | undefined>();
  readonly #folders = new Set<string>();
  readonly #hash = createHash('sha256');
  #isMarked = false;
  #isReplica = false;
  #isOrdered = true;
  #lastName = '';
  #token: string | undefined;
  #reading: Promise<void> | undefined;
  #whole: BucketFolder | undefined;

  /** Nothing is read yet. Of a prefix with more names than `maxNames` no whole list is made. */
  constructor(requests: Pick<BucketRequests, 'list'>, prefix: string, { maxNames, mayFallBack }: PagedListOptions) {
    this.#list = (token) => requests.list(prefix, token, { mayFallBack });
    this.#maxNames = maxNames;
  }

  /** The folder; undefined while there are further pages. */
  get whole(): BucketFolder | undefined {
    return this.#whole;
  }

  /** Whether the pages that were read have the names that precede all others in code-unit order, in this order. */
  get isOrdered(): boolean {
    return this.#isOrdered;
  }

  /** The number of names in memory. */
  get size(): number {
    return this.#files.size + this.#folders.size;
  }

  /**
   * Reads the next page, once for all who wait for it. Rejects where the store fails, after which it can be tried again, and with
   * ImageError `too-large` where there are too many names.
   */
  more(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    if (this.#whole !== undefined) return;
    if (this.size > this.#maxNames)
      throw new ImageError(
        'too-large',
        `This folder has more than ${this.#maxNames} names, and is not listed; its images are found by their names.`,
      );
    const { objects, folders, next, isReplica = false } = await this.#list(this.#token);
    this.#isReplica ||= isReplica;
    this.lastPageMs = performance.now();
    const names: string[] = [];
    for (const [listed, object] of objects) {
      this.#isMarked ||= listed === '';
      if (!isName(listed)) continue;
      const name = copied(listed);
      names.push(name);
      this.#files.set(name, this.#files.size < maxFacts ? object : undefined);
      this.#isOrdered &&= name >= this.#lastName && !isOutOfOrder(name);
      this.#lastName = name;
    }
    for (const name of folders) {
      if (isName(name)) this.#folders.add(copied(name));
      // It hides the file.
      if (this.#files.has(name)) this.#isOrdered = false;
    }
    this.#hash.update(JSON.stringify([objects.map(([name]) => name), folders]));
    this.pages.push(names);
    this.#token = next;
    if (next === undefined) this.#end();
  }

  #end(): void {
    if (this.#files.size > maxFacts) for (const name of this.#files.keys()) this.#files.set(name, undefined);
    const [files, folders, isMarked] = [this.#files, this.#folders, this.#isMarked];
    const whole = { files, folders, isMarked, version: numberOf(this.#hash.digest()), listedMs: this.listedMs };
    this.#whole = this.#isReplica ? { ...whole, isReplica: true } : whole;
  }
}
