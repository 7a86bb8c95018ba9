/** A bucket of an object store, or the part of it below a prefix, as folders and files. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { fileChanged } from '../../image/model/errors.ts';
import { isNotFound } from '../file-errors.ts';
import { fingerprintOf } from '../fingerprint.ts';
import type { FileStats, FileVersion, RemoteStorage, StoredEntry, StoredFile } from '../storage.ts';
import { waitForStore } from '../store-time.ts';
import { type BucketOptions, BucketRequests, type StoredObject } from './bucket-requests.ts';
import { DirectoryCache } from './directory-cache.ts';
import { type BucketFolder, BucketFolders, type KeptLists, numberOf } from './folders.ts';
import type { Spool } from './spool.ts';
import type { StoredLists } from './stored-lists.ts';

export interface S3StorageOptions extends BucketOptions {
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

const notFound = (code = 'ENOENT'): Error => Object.assign(new Error(`${code}: there is no such object`), { code });

const no = (): boolean => false;
const yes = (): boolean => true;

const fileStats = ({ size, etag, modifiedMs }: StoredObject): FileStats => ({
  size: BigInt(size),
  mtimeMs: BigInt(modifiedMs),
  mtimeNs: BigInt(modifiedMs) * 1_000_000n,
  ctimeMs: 0n,
  ctimeNs: 0n,
  ino: numberOf(createHash('sha256').update(etag).digest()),
  dev: 0n,
  isFile: yes,
  isDirectory: no,
  isSymbolicLink: no,
});

const folderStats = ({ version }: BucketFolder): FileStats => ({
  ...{ size: 0n, mtimeMs: 0n, mtimeNs: 0n, ctimeMs: 0n, ctimeNs: 0n, ino: version, dev: 0n },
  isFile: no,
  isDirectory: yes,
  isSymbolicLink: no,
});

/** The entries that are given at a time. */
const entriesAtOnce = 1000;

const versionName = ({ path, fingerprint }: FileVersion): string => `${path}\0${fingerprint}`;

export class S3Storage implements RemoteStorage {
  readonly isLocal = false;
  readonly #options: S3StorageOptions;
  readonly #requests: BucketRequests;
  readonly #folders: BucketFolders;
  readonly #directories = new DirectoryCache();
  /** When the latest part of a copy arrived, by the version of the file, on the clock of `performance.now()`. */
  readonly #lastParts = new LRUCache<string, number>({ max: 1000 });
  /** The stats of objects, which are made again for each request otherwise. */
  readonly #stats = new WeakMap<StoredObject, FileStats>();

  constructor(options: S3StorageOptions) {
    this.#options = options;
    this.#requests = new BucketRequests(options);
    this.#folders = new BucketFolders(this.#requests, options.refreshMs, keptLists(options));
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
    return object && this.#statsOf(object);
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
    return this.#statsOf(object);
  }

  stat(path: string): Promise<FileStats> {
    return this.lstat(path);
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

  async open(path: string): Promise<StoredFile> {
    const stats = await this.lstat(path);
    const bytes = Number(stats.size);
    const version = { path, bytes, fingerprint: fingerprintOf(stats) };
    return {
      realPath: async () => path,
      stats: async () => stats,
      read: (at, length) => this.readPart(version, at, Math.max(0, Math.min(length, bytes - at)), 'directory'),
      close: async () => undefined,
    };
  }

  async readPart(file: FileVersion, at: number, length: number, use: 'directory' | 'pixels'): Promise<Buffer> {
    const version = versionName(file);
    const cached = this.#directories.find(version, at, length);
    if (cached !== undefined) return cached;
    const object = await this.#objectOf(file);
    const read = (from: number, bytes: number) => this.#read(file, object, from, bytes);
    return waitForStore(
      use === 'pixels' ? read(at, length) : this.#directories.read(version, file.bytes, [at, length], read),
    );
  }

  async localCopy<File extends FileVersion>(file: File): Promise<File> {
    const object = await this.#objectOf(file);
    const version = versionName(file);
    const copy = this.#options.spool.copy(file, async (at, length) => {
      const part = this.#directories.find(version, at, length) ?? (await this.#read(file, object, at, length));
      this.#lastParts.set(version, performance.now());
      return part;
    });
    return waitForStore(copy, () => this.#lastParts.get(version) ?? -Infinity);
  }

  /** As listed, awaited while its pages arrive. */
  #folder(prefix: string): Promise<BucketFolder> {
    return waitForStore(this.#folders.folder(prefix), () => this.#folders.lastPageMs(prefix));
  }

  #keyOf(path: string): string {
    const { bucketPath } = this.#options;
    return path.slice(bucketPath.length + 1);
  }

  #statsOf(object: StoredObject): FileStats {
    const stats = this.#stats.get(object) ?? fileStats(object);
    this.#stats.set(object, stats);
    return stats;
  }

  /** The object that is a version of a file. Throws ImageError `changed` where there is another one by now. */
  async #objectOf(file: FileVersion): Promise<StoredObject> {
    const { prefix, name } = split(this.#keyOf(file.path));
    const object = (await this.#folder(prefix)).files.get(name);
    if (object === undefined || fingerprintOf(this.#statsOf(object)) !== file.fingerprint) throw fileChanged();
    return object;
  }

  /** Where the object is another one by now, the folder knows it from then on. */
  async #read(file: FileVersion, object: StoredObject, at: number, length: number): Promise<Buffer> {
    const key = this.#keyOf(file.path);
    try {
      return await this.#requests.read(key, object, at, length);
    } catch (error) {
      if (!isNotFound(error) && !isChanged(error)) throw error;
      const { prefix, name } = split(key);
      this.#folders.correct(prefix, name, await this.#headOf(key));
      throw fileChanged(error);
    }
  }

  async #headOf(key: string): Promise<StoredObject | undefined> {
    return this.#requests.head(key).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
  }
}

const isChanged = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'changed';

/** A key as the prefix of what is below it; the whole bucket has an empty one. */
const asPrefix = (key: string): string => (key === '' ? '' : `${key}/`);

function split(key: string): { readonly prefix: string; readonly name: string } {
  const slash = key.lastIndexOf('/');
  return { prefix: key.slice(0, slash + 1), name: key.slice(slash + 1) };
}

/** The whole bucket is there also where it is empty. */
const isThere = ({ files, folders }: BucketFolder, key: string): boolean =>
  key === '' || files.size > 0 || folders.size > 0;
