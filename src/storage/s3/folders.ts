/** The folders of a bucket: listed page by page, kept in memory, and listed again in the background. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { BucketRequests, StoredObject } from './bucket-requests.ts';

/** What was below a prefix. */
export interface BucketFolder {
  readonly files: Map<string, StoredObject>;
  readonly folders: ReadonlySet<string>;
  /** Changes with the names. */
  readonly version: bigint;
  /** When the listing began, in ms since 1970. */
  readonly listedMs: number;
}

/** Names of all folders in memory. */
const maxNames = 2_000_000;

/** A listing older than `refreshMs` times this factor is not used before it is made again. */
const staleFactor = 10;

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
  readonly #listing = new Map<string, Promise<BucketFolder>>();

  /** A folder is listed again when it is asked for `refreshMs` after it was listed. */
  constructor(requests: Pick<BucketRequests, 'list'>, refreshMs: number) {
    this.#requests = requests;
    this.#refreshMs = refreshMs;
  }

  /** A folder without asking the store; undefined where it has to be listed. */
  known(prefix: string): BucketFolder | undefined {
    const folder = this.#folders.get(prefix);
    if (folder === undefined) return undefined;
    const ageMs = Date.now() - folder.listedMs;
    if (ageMs <= this.#refreshMs) return folder;
    if (ageMs > this.#refreshMs * staleFactor) return undefined;
    this.#list(prefix).catch(() => undefined);
    return folder;
  }

  /** The same, listed where that has to be. Where the store fails, an old listing is better than none. */
  async folder(prefix: string): Promise<BucketFolder> {
    const known = this.known(prefix);
    if (known !== undefined) return known;
    const old = this.#folders.get(prefix);
    return this.#list(prefix).catch((error: unknown) => {
      if (old === undefined) throw error;
      return old;
    });
  }

  /** Takes on what is known of a single object; undefined where it is gone. */
  correct(prefix: string, name: string, object: StoredObject | undefined): void {
    const files = this.#folders.peek(prefix)?.files;
    if (object === undefined) files?.delete(name);
    else files?.set(name, object);
  }

  #list(prefix: string): Promise<BucketFolder> {
    const running = this.#listing.get(prefix);
    if (running !== undefined) return running;
    const listing = this.#listAll(prefix).finally(() => this.#listing.delete(prefix));
    this.#listing.set(prefix, listing);
    return listing;
  }

  async #listAll(prefix: string): Promise<BucketFolder> {
    const listedMs = Date.now();
    const files = new Map<string, StoredObject>();
    const folders = new Set<string>();
    const hash = createHash('sha256');
    let token: string | undefined;
    do {
      const page = await this.#requests.list(prefix, token);
      for (const [name, object] of page.objects) if (isName(name)) files.set(name, object);
      for (const name of page.folders) if (isName(name)) folders.add(name);
      hash.update(JSON.stringify([page.objects.map(([name]) => name), page.folders]));
      token = page.next;
    } while (token !== undefined);
    const folder = { files, folders, version: numberOf(hash.digest()), listedMs };
    this.#folders.set(prefix, folder);
    return folder;
  }
}
