/**
 * The part of a bucket that the server writes files of its own to, each found by its name with one request: it is never
 * listed, so it may hold any number. A name has one content for ever.
 */
import { LRUCache } from 'lru-cache';
import { ifFound } from '../file-errors.ts';
import type { Spool } from '../spool.ts';
import type { FileStats, StorageWriting, StoredEntry } from '../storage.ts';
import { type BucketOptions, BucketRequests, type StoredObject } from './bucket-requests.ts';
import { keptSightings } from './kept-objects.ts';
import type { Kept } from './kept-rows.ts';
import type { Sighting } from './object-finder.ts';
import { notFound, ObjectReader, ObjectStorage } from './object-reader.ts';
import type { StoredRows } from './stored-rows.ts';
import { Uploader, uploadTimes } from './upload.ts';

interface SingleObjectsOptions extends BucketOptions {
  /** The path of all of it in this process, without a slash at the end. */
  readonly rootPath: string;
  /** What precedes the names in the bucket: empty, or with a slash at the end. */
  readonly prefix: string;
  readonly spool: Spool;
  /** What outlasts the process. */
  readonly rows?: StoredRows;
}

/** Names that are known to have an object, or to have none. */
const maxKnown = 100_000;

/** Another server may have put an object under a name that had none, after this time in ms. */
const absentForMs = 10_000;

/** An answer from the source is at hand, so nobody waits long. */
const times = { deadlineMs: 900, pauseMs: 900, totalMs: 900 };

/** More is read at a time only of directories, which takes longer. */
const longBytes = 2 ** 20;
const longTimes = { deadlineMs: 2500, pauseMs: 2500 };

export class SingleObjects extends ObjectStorage {
  readonly writing: StorageWriting;
  readonly #options: SingleObjectsOptions;
  readonly #requests: BucketRequests;
  /** With circuits of its own, so that long reads that fail stop no others. */
  readonly #long: BucketRequests;
  readonly #uploader: Uploader;
  protected readonly reader: ObjectReader;
  readonly #known = new LRUCache<string, StoredObject>({ max: maxKnown });
  readonly #absent = new LRUCache<string, true>({ max: maxKnown, ttl: absentForMs });
  readonly #asking = new Map<string, Promise<StoredObject | undefined>>();
  readonly #kept: Kept<Sighting> | undefined;

  constructor(options: SingleObjectsOptions) {
    super();
    const { spool, bucket } = options;
    this.#options = options;
    this.#kept = keptSightings(options);
    this.#requests = new BucketRequests({ ...options, times });
    this.#long = new BucketRequests({ ...options, times: longTimes });
    this.#uploader = new Uploader({ requests: this.#long, bucket });
    const requests: Pick<BucketRequests, 'read'> = {
      read: (key, object, at, length, onProgress) =>
        (length > longBytes ? this.#long : this.#requests).read(key, object, at, length, onProgress),
    };
    const objects = { find: (key: string) => this.#find(key), changed: async (key: string) => this.#lose(key) };
    this.reader = new ObjectReader({ requests, spool, objects, keyOf: (path) => this.#keyOf(path) });
    this.writing = {
      putNew: (path, localFile) => this.#putNew(this.#keyOf(path), localFile),
      find: (path) => this.#findPatiently(this.#keyOf(path)),
      remove: (path) => this.#remove(this.#keyOf(path)),
      forgetAbsent: () => this.#absent.clear(),
    };
  }

  async check(): Promise<void> {
    await this.#requests.requireAnswer(this.#options.prefix);
  }

  async close(): Promise<void> {
    await this.#options.rows?.flush();
    await this.#requests.close();
    await this.#long.close();
  }

  knownStats(path: string): FileStats | undefined {
    const object = this.#known.get(this.#keyOf(path));
    return object && this.reader.statsOf(object);
  }

  async lstat(path: string): Promise<FileStats> {
    const object = await this.#find(this.#keyOf(path));
    if (object === undefined) throw notFound();
    return this.reader.statsOf(object);
  }

  async realPath(path: string): Promise<string> {
    await this.lstat(path);
    return path;
  }

  // biome-ignore lint/correctness/useYield: it is never listed
  async *list(): AsyncIterable<readonly StoredEntry[]> {
    throw notFound('ENOTDIR');
  }

  #keyOf(path: string): string {
    const { rootPath, prefix } = this.#options;
    return prefix + path.slice(rootPath.length + 1);
  }

  /** Asked once for all who ask at the same time. */
  #find(key: string): Promise<StoredObject | undefined> {
    const known = this.#known.get(key);
    if (known !== undefined) return Promise.resolve(known);
    if (this.#absent.has(key)) return Promise.resolve(undefined);
    const asking = this.#asking.get(key) ?? this.#ask(key).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  async #ask(key: string): Promise<StoredObject | undefined> {
    // A name has one content for ever, so that what a former process knew is true.
    const kept = await this.#kept?.read(key);
    const object = kept?.object ?? (await ifFound(this.#requests.head(key)));
    if (object === undefined) this.#lose(key);
    else this.#note(key, object);
    return object;
  }

  async #findPatiently(key: string): Promise<FileStats | undefined> {
    const object = await ifFound(this.#long.head(key, uploadTimes));
    if (object === undefined) return undefined;
    this.#note(key, object);
    this.#absent.delete(key);
    return this.reader.statsOf(object);
  }

  #note(key: string, object: StoredObject): void {
    this.#known.set(key, object);
    this.#kept?.write(key, { object, seenMs: Date.now() });
  }

  /** An object that is gone, or suddenly another one, is not used for a while. */
  #lose(key: string): void {
    if (this.#known.delete(key)) this.#kept?.forget(key);
    this.#absent.set(key, true);
  }

  async #putNew(key: string, localFile: string): Promise<boolean> {
    const isNew = await this.#uploader.putNew(key, localFile);
    this.#absent.delete(key);
    return isNew;
  }

  async #remove(key: string): Promise<void> {
    this.#lose(key);
    await this.#requests.remove(key);
  }
}
