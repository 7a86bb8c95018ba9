/** The folders of a bucket: listed page by page, kept in memory, and listed again in the background. */
import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { ImageError } from '../../image/model/errors.ts';
import type { BucketRequests, StoredObject } from './bucket-requests.ts';
import { type BucketFolder, PagedList } from './paged-list.ts';

/** A listing that is under way. */
interface Listing {
  readonly folder: Promise<BucketFolder>;
  /** When it began, in ms since 1970. */
  readonly sinceMs: number;
}

/** Names of all folders in memory. */
const maxNames = 2_000_000;

/** The same where a catalogue lists them again at once: some 50 MB. */
const maxNamesListedAtOnce = 100_000;

/** Folders with more names are not listed as a whole, unless the settings say another number. */
export const usualListedNames = maxNames;

/** A listing older than `refreshMs` times this factor is stale: the new one is waited for, but not for long. */
export const staleFactor = 10;

/** How long a new listing is waited for where there is a stale one, in ms. */
export const staleWaitMs = 1000;

/** After a failure, a listing is not tried again before this time, in ms, where an older one is at hand. */
export const retryMs = 1000;

/** What the fallback endpoint has told is asked of the first one again after this time in ms. */
export const replicaMs = 1000;

/** Keeps listings for the next process. Neither method rejects. */
export interface KeptLists {
  /** Undefined where none is kept, or a longer one. */
  read(key: string, maxNames?: number): Promise<BucketFolder | undefined>;
  write(key: string, folder: BucketFolder): Promise<void>;
}

export interface BucketFoldersOptions {
  /** A folder is listed again when it is asked for this time after it was listed, in ms. */
  readonly refreshMs: number;
  readonly kept?: KeptLists | undefined;
  /** Longer folders are not listed as a whole. */
  readonly maxListedNames?: number | undefined;
  /** Whether lists come from a catalogue, so that few have to stay in memory. */
  readonly isListedAtOnce?: boolean | undefined;
  /** Whether the fallback endpoint may give lists, as by default. */
  readonly mayFallBack?: boolean;
}

/** Lists up to this length are read again as a whole, in the background. */
const maxRelisted = 10_000;

const sortedNames = ({ files, folders }: BucketFolder): readonly string[] =>
  [...files.keys()].filter((name) => !folders.has(name)).sort();

/** Lists that were begun, and not read to their ends. */
const maxBegun = 100;

/** How long a folder counts as too large after it was found so, in ms. */
const tooLargeForMs = 600_000;

export class BucketFolders {
  readonly #requests: Pick<BucketRequests, 'list'>;
  readonly #refreshMs: number;
  /** By prefix. */
  readonly #folders: LRUCache<string, BucketFolder>;
  readonly #listing = new Map<string, Listing>();
  /** Lists that were read in part, by prefix. */
  readonly #begun = new LRUCache<string, PagedList>({ max: maxBegun });
  readonly #forgotten = new WeakSet<PagedList>();
  /** Prefixes that were found to have too many names, which takes minutes, and does not change soon. */
  readonly #tooLarge = new LRUCache<string, ImageError>({ max: 1000, ttl: tooLargeForMs });
  readonly #maxListedNames: number;
  readonly #mayFallBack: boolean;
  /** When listing a prefix failed the last time, in ms since 1970; without those that were listed since. */
  readonly #failures = new LRUCache<string, number>({ max: 10_000 });

  readonly #kept: KeptLists | undefined;
  readonly #reading = new Map<string, Promise<BucketFolder | undefined>>();
  /** When the listing of a prefix was kept, in ms since 1970. */
  readonly #keptMs = new LRUCache<string, number>({ max: 10_000 });

  constructor(
    requests: Pick<BucketRequests, 'list'>,
    {
      refreshMs,
      kept,
      maxListedNames = usualListedNames,
      isListedAtOnce = false,
      mayFallBack = true,
    }: BucketFoldersOptions,
  ) {
    const maxSize = isListedAtOnce ? maxNamesListedAtOnce : maxNames;
    this.#folders = new LRUCache<string, BucketFolder>({
      maxSize,
      sizeCalculation: ({ files, folders }) => Math.min(maxSize, 1 + files.size + folders.size),
    });
    this.#requests = requests;
    this.#refreshMs = refreshMs;
    this.#kept = kept;
    this.#maxListedNames = maxListedNames;
    this.#mayFallBack = mayFallBack;
  }

  /**
   * A folder without asking the store; undefined where it has to be listed. While the store fails, or takes longer than a second
   * to list it, that is the last listing, however old it is.
   */
  known(prefix: string): BucketFolder | undefined {
    const folder = this.#folders.get(prefix);
    if (folder === undefined) return undefined;
    const nowMs = Date.now();
    const ageMs = nowMs - folder.listedMs;
    if (ageMs <= this.#freshMs(folder)) return folder;
    const failedMs = this.#failures.get(prefix);
    const wasAwaited = nowMs - (this.#listing.get(prefix)?.sinceMs ?? nowMs) >= staleWaitMs;
    if (failedMs === undefined && !wasAwaited && ageMs > this.#refreshMs * staleFactor) return undefined;
    if (failedMs === undefined || nowMs - failedMs >= retryMs) this.#list(prefix).catch(() => undefined);
    return folder;
  }

  /** The same, listed where that has to be. A stale listing is used where the store fails, or takes longer than a second. */
  async folder(prefix: string): Promise<BucketFolder> {
    const known = this.known(prefix);
    if (known !== undefined) return known;
    const stale = this.#folders.get(prefix) ?? (await this.#readKept(prefix));
    const read = stale && this.known(prefix);
    if (read !== undefined) return read;
    const listing = this.#list(prefix);
    if (stale === undefined) return listing;
    return Promise.race([listing.catch(() => stale), pause(staleWaitMs, stale, { ref: false })]);
  }

  /** The last listing, however old it is; nothing is asked for. */
  last(prefix: string): BucketFolder | undefined {
    return this.#folders.peek(prefix);
  }

  /** A listing that is not older than `refreshMs`; nothing is asked for. */
  fresh(prefix: string): BucketFolder | undefined {
    const folder = this.#folders.peek(prefix);
    return folder !== undefined && Date.now() - folder.listedMs <= this.#freshMs(folder) ? folder : undefined;
  }

  #freshMs({ isReplica }: BucketFolder): number {
    return isReplica ? replicaMs : this.#refreshMs;
  }

  /** Whether a page of a list has the whole folder, which is known then. */
  async isShort(prefix: string): Promise<boolean> {
    const last = this.#folders.peek(prefix) ?? (await this.#readShort(prefix));
    if (last !== undefined) return last.files.size + last.folders.size <= maxRelisted;
    const list = this.#begin(prefix);
    if (list.pages.length === 0) await this.#more(prefix, list);
    return list.whole !== undefined;
  }

  /**
   * The names of the files of a folder in code-unit order, a page of the list at a time, of which no more are read than are taken.
   * Of a store that has another order the whole list is awaited. While the store fails, the last names are given.
   */
  async *namesInOrder(prefix: string): AsyncIterable<readonly string[]> {
    const last = this.#folders.peek(prefix) ?? (await this.#readShort(prefix));
    if (last !== undefined && last.files.size <= maxRelisted) {
      yield sortedNames(await this.folder(prefix));
      return;
    }
    const before = this.#begun.peek(prefix);
    const list = this.#begin(prefix);
    try {
      if (list.pages.length === 0) await this.#more(prefix, list);
    } catch (error) {
      if (before !== undefined && before !== list) this.#begun.set(prefix, before);
      yield* await this.#lastPages(prefix, before);
      throw error;
    }
    let given = 0;
    for (let page = 0; list.isOrdered; page++) {
      while (page >= list.pages.length && list.whole === undefined) await this.#more(prefix, list);
      const names = list.pages[page];
      if (names === undefined) return;
      if (!list.isOrdered) break;
      yield names;
      given += names.length;
    }
    // What was given precedes all names that were read later.
    yield sortedNames(await this.folder(prefix)).slice(given);
  }

  /** The names that were listed before the store failed, in order, as far as they are known. */
  async #lastPages(prefix: string, begun: PagedList | undefined): Promise<Iterable<readonly string[]>> {
    const whole = this.#folders.peek(prefix) ?? (begun === undefined ? await this.#readKept(prefix) : undefined);
    if (whole !== undefined) return [sortedNames(whole)];
    return begun?.isOrdered ? begun.pages : [];
  }

  /** Forgets a folder, since it has changed. */
  forget(prefix: string): void {
    const begun = this.#begun.peek(prefix);
    if (begun !== undefined) this.#forgotten.add(begun);
    for (const known of [this.#folders, this.#begun, this.#listing, this.#tooLarge]) known.delete(prefix);
  }

  clear(): void {
    for (const begun of this.#begun.values()) this.#forgotten.add(begun);
    for (const known of [this.#folders, this.#begun, this.#listing, this.#tooLarge]) known.clear();
  }

  /** When the latest page of the listing that is under way arrived, on the clock of `performance.now()`. */
  lastPageMs(prefix: string): number {
    return this.#begun.peek(prefix)?.lastPageMs ?? -Infinity;
  }

  /** Takes on what is known of a single object; undefined where it is gone. */
  correct(prefix: string, name: string, object: StoredObject | undefined): void {
    const files = this.#folders.peek(prefix)?.files;
    if (object === undefined) files?.delete(name);
    else files?.set(name, object);
  }

  /** The listing that a former process kept, in memory from now on; read once for all who ask. */
  async #readKept(prefix: string, maxNames?: number): Promise<BucketFolder | undefined> {
    if (this.#kept === undefined || this.#listing.has(prefix)) return undefined;
    const key = `${maxNames ?? ''} ${prefix}`;
    const reading =
      this.#reading.get(key) ?? this.#kept.read(prefix, maxNames).finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    const folder = await reading;
    // A listing of the future is one of a clock that was wrong.
    if (folder === undefined || folder.listedMs > Date.now() || this.#folders.has(prefix))
      return this.#folders.get(prefix);
    this.#keptMs.set(prefix, folder.listedMs);
    this.#folders.set(prefix, folder);
    return folder;
  }

  /** The same, where it was not begun anew, and is one that is read again as a whole. */
  async #readShort(prefix: string): Promise<BucketFolder | undefined> {
    return this.#begun.has(prefix) ? undefined : this.#readKept(prefix, maxRelisted);
  }

  /** Keeps a new listing, unless one is kept that is not much older. */
  #keep(prefix: string, folder: BucketFolder): void {
    const keptMs = this.#keptMs.get(prefix) ?? 0;
    if (this.#kept === undefined || folder.isReplica || folder.listedMs - keptMs < this.#refreshMs * staleFactor)
      return;
    this.#keptMs.set(prefix, folder.listedMs);
    void this.#kept.write(prefix, folder);
  }

  #list(prefix: string): Promise<BucketFolder> {
    const running = this.#listing.get(prefix);
    if (running !== undefined) return running.folder;
    const folder = this.#listAll(prefix)
      .catch((error: unknown) => {
        this.#failures.set(prefix, Date.now());
        throw error;
      })
      .finally(() => {
        if (this.#listing.get(prefix) === listing) this.#listing.delete(prefix);
      });
    const listing = { folder, sinceMs: Date.now() };
    this.#listing.set(prefix, listing);
    return folder;
  }

  async #listAll(prefix: string): Promise<BucketFolder> {
    const tooLarge = this.#tooLarge.get(prefix);
    if (tooLarge !== undefined) throw tooLarge;
    const list = this.#begin(prefix);
    while (list.whole === undefined) await this.#more(prefix, list);
    return list.whole;
  }

  /** The list that was begun just before, or a new one. */
  #begin(prefix: string): PagedList {
    const begun = this.#begun.get(prefix);
    if (begun !== undefined && Date.now() - begun.listedMs <= this.#refreshMs) return begun;
    // What is known may be newer than what the fallback endpoint has.
    const mayFallBack = this.#mayFallBack && !this.#folders.has(prefix);
    const list = new PagedList(this.#requests, prefix, { maxNames: this.#maxListedNames, mayFallBack });
    this.#begun.set(prefix, list);
    return list;
  }

  async #more(prefix: string, list: PagedList): Promise<void> {
    try {
      await list.more();
    } catch (error) {
      if (error instanceof ImageError && error.code === 'too-large') {
        this.#tooLarge.set(prefix, error);
        this.#begun.delete(prefix);
      }
      throw error;
    }
    if (list.whole === undefined || this.#folders.peek(prefix) === list.whole) return;
    // It was forgotten meanwhile.
    if (this.#forgotten.has(list)) return;
    this.#folders.set(prefix, list.whole);
    this.#begun.delete(prefix);
    this.#failures.delete(prefix);
    this.#keep(prefix, list.whole);
  }
}
