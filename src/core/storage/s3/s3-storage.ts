/** A bucket of an object store, or the part of it below a prefix, as folders and files. */
import { ifFound } from '../file-errors.ts';
import type { Spool } from '../spool.ts';
import type { FileStats, StoredEntry } from '../storage.ts';
import { waitForStore } from '../store-time.ts';
import { type BucketFolder, BucketFolders, type KeptLists } from './bucket-folders.ts';
import { type BucketOptions, BucketRequests, type StoredObject } from './bucket-requests.ts';
import { notFound, ObjectReader, ObjectStorage } from './object-reader.ts';
import type { StoredLists } from './stored-lists.ts';

interface S3StorageOptions extends BucketOptions {
  /** After this time in ms a folder is listed again when it is asked for. */
  readonly refreshMs: number;
  readonly spool: Spool;
  readonly lists?: StoredLists;
  /** The path of the bucket in this process, such as `s3:/bucket`. */
  readonly bucketPath: string;
}

/** The lists of one bucket of one store among those of all. */
function keptLists({ lists, endpoint, bucket }: S3StorageOptions): KeptLists | undefined {
  if (lists === undefined) return undefined;
  const keyOf = (prefix: string): string => JSON.stringify([endpoint ?? '', bucket, prefix]);
  return {
    read: (prefix) => lists.read(keyOf(prefix)),
    write: (prefix, folder) => lists.write(keyOf(prefix), folder),
  };
}

const no = (): boolean => false;
const yes = (): boolean => true;

const folderStats = ({ version }: BucketFolder): FileStats => ({
  ...{ size: 0n, mtimeMs: 0n, mtimeNs: 0n, ctimeMs: 0n, ctimeNs: 0n, ino: version, dev: 0n },
  isFile: no,
  isDirectory: yes,
  isSymbolicLink: no,
});

/** The entries that are given at a time. */
const entriesAtOnce = 1000;

export class S3Storage extends ObjectStorage {
  readonly #options: S3StorageOptions;
  readonly #requests: BucketRequests;
  readonly #folders: BucketFolders;
  protected readonly reader: ObjectReader;

  constructor(options: S3StorageOptions) {
    super();
    this.#options = options;
    this.#requests = new BucketRequests(options);
    this.#folders = new BucketFolders(this.#requests, options.refreshMs, keptLists(options));
    const objects = { find: (key: string) => this.#find(key), changed: (key: string) => this.#changed(key) };
    const keyOf = (path: string): string => this.#keyOf(path);
    this.reader = new ObjectReader({ requests: this.#requests, spool: options.spool, objects, keyOf });
  }

  async check(): Promise<void> {
    await this.#requests.list('', undefined, 1);
  }

  close(): Promise<void> {
    return this.#requests.close();
  }

  knownStats(path: string): FileStats | undefined {
    const key = this.#keyOf(path);
    const { prefix, name } = split(key);
    const folder = this.#folders.known(prefix);
    if (name === '' || folder?.folders.has(name)) {
      const own = this.#folders.known(asPrefix(key));
      return own && isThere(own, key) ? folderStats(own) : undefined;
    }
    const object = folder?.files.get(name);
    return object && this.reader.statsOf(object);
  }

  async lstat(path: string): Promise<FileStats> {
    const key = this.#keyOf(path);
    const { prefix, name } = split(key);
    const folder = name === '' ? undefined : await this.#folder(prefix);
    const object = folder?.files.get(name);
    if (name === '' || folder?.folders.has(name)) {
      const own = await this.#folder(asPrefix(key));
      if (isThere(own, key)) return folderStats(own);
    }
    if (object === undefined) throw notFound();
    return this.reader.statsOf(object);
  }

  /** Asks the store, so that it tells whether this answers. */
  async realPath(path: string): Promise<string> {
    await waitForStore(this.#requests.list(asPrefix(this.#keyOf(path)), undefined, 1));
    return path;
  }

  async *list(directory: string): AsyncIterable<readonly StoredEntry[]> {
    const key = this.#keyOf(directory);
    const folder = await this.#folder(asPrefix(key));
    if (!isThere(folder, key)) throw notFound();
    let entries: StoredEntry[] = [];
    for (const name of folder.folders) entries.push({ name, kind: 'folder' });
    for (const name of folder.files.keys()) {
      // A folder may have the name of an object too.
      if (!folder.folders.has(name)) entries.push({ name, kind: 'file' });
      if (entries.length < entriesAtOnce) continue;
      yield entries;
      entries = [];
    }
    yield entries;
  }

  /** As listed, awaited while its pages arrive. */
  #folder(prefix: string): Promise<BucketFolder> {
    return waitForStore(this.#folders.folder(prefix), () => this.#folders.lastPageMs(prefix));
  }

  #keyOf(path: string): string {
    const { bucketPath } = this.#options;
    return path.slice(bucketPath.length + 1);
  }

  async #find(key: string): Promise<StoredObject | undefined> {
    const { prefix, name } = split(key);
    return (await this.#folder(prefix)).files.get(name);
  }

  async #changed(key: string): Promise<void> {
    const { prefix, name } = split(key);
    this.#folders.correct(prefix, name, await ifFound(this.#requests.head(key)));
  }
}

/** A key as the prefix of what is below it; the whole bucket has an empty one. */
const asPrefix = (key: string): string => (key === '' ? '' : `${key}/`);

function split(key: string): { readonly prefix: string; readonly name: string } {
  const slash = key.lastIndexOf('/');
  return { prefix: key.slice(0, slash + 1), name: key.slice(slash + 1) };
}

/** The whole bucket is there also where it is empty. */
const isThere = ({ files, folders, isMarked }: BucketFolder, key: string): boolean =>
  key === '' || isMarked || files.size > 0 || folders.size > 0;
