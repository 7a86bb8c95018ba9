/** The folders of a bucket: listed page by page, kept in memory, and listed again in the background. */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { BucketRequests, StoredObject } from './bucket-requests.ts';

/** What was below a prefix. */
export interface BucketFolder {
  readonly files: Map<string, StoredObject>;
  readonly folders: ReadonlySet<string>;
  /** Whether an object has the prefix itself as its key: it marks a folder, which may be empty. */
  readonly isMarked: boolean;
  /** Changes with the names. */
  readonly version: bigint;
  /** When the listing began, in ms since 1970. */
  readonly listedMs: number;
}

/** A listing that is under way. */
interface Listing {
  readonly folder: Promise<BucketFolder>;
  /** When it began, in ms since 1970. */
  readonly sinceMs: number;
}

/** Names of all folders in memory. */
const maxNames = 2_000_000;

/** A listing older than `refreshMs` times this factor is stale: the new one is waited for, but not for long. */
export const staleFactor = 10;

/** How long a new listing is waited for where there is a stale one, in ms. */
export const staleWaitMs = 1000;

/** After a failure, a listing is not tried again before this time, in ms, where an older one is at hand. */
export const retryMs = 1000;

/** Keeps listings for the next process. Neither method rejects. */
export interface KeptLists {
  read(key: string): Promise<BucketFolder | undefined>;
  write(key: string, folder: BucketFolder): Promise<void>;
}

const isName = (name: string): boolean => name !== '' && name !== '.' && name !== '..' && !/[/\0]/.test(name);

/** 63 bits of a digest. */
export const numberOf = (digest: Buffer): bigint => digest.readBigUInt64BE() >> 1n;

export class BucketFolders {
  readonly #requests: Pick<BucketRequests, 'list'>;
  readonly #refreshMs: number;
  /** By prefix. */
  readonly #folders = new LRUCache<string, BucketFolder>({
    maxSize: maxNames,
    sizeCalculation: ({ files, folders }) => Math.min(maxNames, 1 + files.size + folders.size),
  });
  readonly #listing = new Map<string, Listing>();
  /** When the latest page of a listing that is under way arrived, by prefix, on the clock of `performance.now()`. */
  readonly #lastPages = new Map<string, number>();
  /** When listing a prefix failed the last time, in ms since 1970; without those that were listed since. */
  readonly #failures = new LRUCache<string, number>({ max: 10_000 });

  readonly #kept: KeptLists | undefined;
  readonly #reading = new Map<string, Promise<BucketFolder | undefined>>();
  /** When the listing of a prefix was kept, in ms since 1970. */
  readonly #keptMs = new LRUCache<string, number>({ max: 10_000 });

  /** A folder is listed again when it is asked for `refreshMs` after it was listed. */
  constructor(requests: Pick<BucketRequests, 'list'>, refreshMs: number, kept?: KeptLists) {
    this.#requests = requests;
    this.#refreshMs = refreshMs;
    this.#kept = kept;
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
    if (ageMs <= this.#refreshMs) return folder;
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
    return folder !== undefined && Date.now() - folder.listedMs <= this.#refreshMs ? folder : undefined;
  }

  /** When the latest page of the listing that is under way arrived, on the clock of `performance.now()`. */
  lastPageMs(prefix: string): number {
    return this.#lastPages.get(prefix) ?? -Infinity;
  }

  /** Takes on what is known of a single object; undefined where it is gone. */
  correct(prefix: string, name: string, object: StoredObject | undefined): void {
    const files = this.#folders.peek(prefix)?.files;
    if (object === undefined) files?.delete(name);
    else files?.set(name, object);
  }

  /** The listing that a former process kept, in memory from now on; read once for all who ask. */
  async #readKept(prefix: string): Promise<BucketFolder | undefined> {
    if (this.#kept === undefined || this.#listing.has(prefix)) return undefined;
    const reading = this.#reading.get(prefix) ?? this.#kept.read(prefix).finally(() => this.#reading.delete(prefix));
    this.#reading.set(prefix, reading);
    const folder = await reading;
    // A listing of the future is one of a clock that was wrong.
    if (folder === undefined || folder.listedMs > Date.now() || this.#folders.has(prefix))
      return this.#folders.get(prefix);
    this.#keptMs.set(prefix, folder.listedMs);
    this.#folders.set(prefix, folder);
    return folder;
  }

  /** Keeps a new listing, unless one is kept that is not much older. */
  #keep(prefix: string, folder: BucketFolder): void {
    const keptMs = this.#keptMs.get(prefix) ?? 0;
    if (this.#kept === undefined || folder.listedMs - keptMs < this.#refreshMs * staleFactor) return;
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
        this.#listing.delete(prefix);
        this.#lastPages.delete(prefix);
      });
    this.#listing.set(prefix, { folder, sinceMs: Date.now() });
    return folder;
  }

  async #listAll(prefix: string): Promise<BucketFolder> {
    const listedMs = Date.now();
    const files = new Map<string, StoredObject>();
    const folders = new Set<string>();
    let isMarked = false;
    const hash = createHash('sha256');
    let token: string | undefined;
    do {
      const page = await this.#requests.list(prefix, token);
      this.#lastPages.set(prefix, performance.now());
      for (const [name, object] of page.objects) {
        if (isName(name)) files.set(name, object);
        isMarked ||= name === '';
      }
      for (const name of page.folders) if (isName(name)) folders.add(name);
      hash.update(JSON.stringify([page.objects.map(([name]) => name), page.folders]));
      token = page.next;
    } while (token !== undefined);
    const folder = { files, folders, isMarked, version: numberOf(hash.digest()), listedMs };
    this.#folders.set(prefix, folder);
    this.#failures.delete(prefix);
    this.#keep(prefix, folder);
    return folder;
  }
}
