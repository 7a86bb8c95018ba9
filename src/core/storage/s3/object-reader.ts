/** Reads versions of objects by their paths: parts of them, which are checked, and whole copies on a local disk. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { fileChanged } from '../../image/model/errors.ts';
import { isNotFound } from '../file-errors.ts';
import { type PartReader, partHandle, useByParts } from '../part-handle.ts';
import type { ReadUse } from '../read-steps.ts';
import type { CopySource, Spool } from '../spool.ts';
import {
  type FileStats,
  type FileVersion,
  type FolderState,
  type FollowedPath,
  fingerprintOf,
  type SourceHandle,
  type Storage,
  type StoredEntry,
  type StoredFile,
} from '../storage.ts';
import { waitForStore } from '../store-time.ts';
import type { BucketRequests, StoredObject } from './bucket-requests.ts';
import { DirectoryCache } from './directory-cache.ts';
import { numberOf } from './paged-list.ts';
import { isMetadata, type StoredContents } from './stored-contents.ts';

/** What is known of the objects of a bucket. */
interface KnownObjects {
  /** The object with a key; undefined where there is none. Rejects where the store fails. */
  find(key: string): Promise<StoredObject | undefined>;
  /** Another version than the known one was found under a key, or none. Rejects where the store fails. */
  changed(key: string): Promise<void>;
}

interface ObjectReaderOptions {
  readonly requests: Pick<BucketRequests, 'read'>;
  readonly spool: Spool;
  readonly objects: KnownObjects;
  readonly keyOf: (path: string) => string;
  /** What outlasts the process. */
  readonly contents?: StoredContents | undefined;
}

type ReadPart = (at: number, length: number) => Promise<Buffer>;

const no = (): boolean => false;
const yes = (): boolean => true;

export const notFound = (code = 'ENOENT'): Error =>
  Object.assign(new Error(`${code}: there is no such object`), { code });

/** The fingerprint is made without the time, which lists and objects tell in different precision: the ETag says what has changed. */
const fileStats = ({ size, etag, modifiedMs }: StoredObject): FileStats => ({
  size: BigInt(size),
  mtimeMs: BigInt(modifiedMs),
  mtimeNs: 0n,
  ctimeMs: 0n,
  ctimeNs: 0n,
  ino: numberOf(createHash('sha256').update(etag).digest()),
  dev: 0n,
  isFile: yes,
  isDirectory: no,
  isSymbolicLink: no,
});

const versionName = ({ path, fingerprint }: FileVersion): string => `${path}\0${fingerprint}`;

const isChanged = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'changed';

export class ObjectReader implements PartReader {
  readonly #options: ObjectReaderOptions;
  readonly #directories = new DirectoryCache();
  /** When bytes of a file arrived for the last time, by its version, on the clock of `performance.now()`. */
  readonly #lastBytes = new LRUCache<string, number>({ max: 1000 });
  /** The stats of objects, which are made again for each request otherwise. */
  readonly #stats = new WeakMap<StoredObject, FileStats>();

  constructor(options: ObjectReaderOptions) {
    this.#options = options;
  }

  statsOf(object: StoredObject): FileStats {
    const stats = this.#stats.get(object) ?? fileStats(object);
    this.#stats.set(object, stats);
    return stats;
  }

  /** Takes on the first bytes of an object, which were read to find it. */
  keepFirst(path: string, object: StoredObject, bytes: Buffer): void {
    const fingerprint = fingerprintOf(this.statsOf(object));
    const version = versionName({ path, bytes: object.size, fingerprint });
    this.#directories.keepFirst(version, bytes);
    if (bytes.length === object.size && isMetadata(path)) void this.#options.contents?.write(version, bytes);
  }

  async readRange(file: FileVersion, at: number, length: number, use: ReadUse): Promise<Buffer> {
    const version = versionName(file);
    const cached = this.#directories.find(version, at, length);
    if (cached !== undefined) return cached;
    const object = await this.#objectOf(file);
    const read = (from: number, bytes: number) => this.#read(file, object, from, bytes);
    return waitForStore(
      use === 'pixels'
        ? this.#readRest(version, at, length, read)
        : this.#directories.read(version, file.bytes, [at, length], read),
      () => this.#lastBytesMs(version),
    );
  }

  async withLocalCopy<File extends FileVersion, T>(file: File, work: (copy: File) => Promise<T>): Promise<T> {
    const object = await this.#objectOf(file);
    const version = versionName(file);
    const read = (from: number, bytes: number) => this.#read(file, object, from, bytes);
    const source: CopySource = {
      read: async (at, length) =>
        this.#directories.find(version, at, length) ?? (await this.#readRest(version, at, length, read)),
      wait: (copying) => waitForStore(copying, () => this.#lastBytesMs(version)),
    };
    return this.#options.spool.use(file, source, work);
  }

  hasLocalCopy(file: FileVersion): Promise<boolean> {
    return this.#options.spool.has(file);
  }

  #lastBytesMs(version: string): number {
    return this.#lastBytes.get(version) ?? -Infinity;
  }

  /** Bytes of which the first may be known: no byte is read twice. */
  async #readRest(version: string, at: number, length: number, read: ReadPart): Promise<Buffer> {
    const known = this.#directories.firstOf(version).subarray(at);
    if (known.length === 0) return read(at, length);
    return Buffer.concat([known, await read(at + known.length, length - known.length)]);
  }

  /** The object that is a version of a file. Throws ImageError `changed` where there is another one by now. */
  async #objectOf(file: FileVersion): Promise<StoredObject> {
    const { objects, keyOf } = this.#options;
    const object = await objects.find(keyOf(file.path));
    if (object === undefined || fingerprintOf(this.statsOf(object)) !== file.fingerprint) throw fileChanged();
    return object;
  }

  /** Where the object is another one by now, that is known from then on. */
  async #read(file: FileVersion, object: StoredObject, at: number, length: number): Promise<Buffer> {
    const { requests, objects, keyOf } = this.#options;
    const key = keyOf(file.path);
    const version = versionName(file);
    const contents = at === 0 && length === object.size && isMetadata(key) ? this.#options.contents : undefined;
    const kept = await contents?.read(version);
    if (kept?.length === length) return kept;
    try {
      const onProgress = (): void => void this.#lastBytes.set(version, performance.now());
      const bytes = await requests.read(key, object, at, length, onProgress);
      void contents?.write(version, bytes);
      return bytes;
    } catch (error) {
      if (!isNotFound(error) && !isChanged(error)) throw error;
      await objects.changed(key);
      throw fileChanged(error);
    }
  }
}

/** What storages of objects have in common: files are read by their parts, and what is there was checked when it was opened. */
export abstract class ObjectStorage implements Storage {
  protected abstract readonly reader: ObjectReader;

  abstract check(): Promise<void>;
  abstract close(): Promise<void>;
  abstract knownStats(path: string): FileStats | undefined;
  abstract lstat(path: string): Promise<FileStats>;
  abstract realPath(path: string): Promise<string>;
  abstract list(directory: string): AsyncIterable<readonly StoredEntry[]>;

  async follow(path: string): Promise<FollowedPath> {
    return { real: path, stats: await this.lstat(path) };
  }

  use<T>(path: string, work: (file: StoredFile) => Promise<T>): Promise<T> {
    return useByParts(this, path, work);
  }

  handle<File extends FileVersion>(file: File): SourceHandle<File> {
    return partHandle(this, file, this.reader);
  }

  /** It was checked when it was opened. */
  stateOf(real: string): FolderState {
    return { kind: 'folder', real };
  }

  mayHang(): boolean {
    return true;
  }
}
