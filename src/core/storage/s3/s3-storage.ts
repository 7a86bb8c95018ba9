/** A bucket of an object store, or the part of it below a prefix, as folders and files. */
import { metadataFiles } from '../../image/folder/folder-metadata.ts';
import { ImageError } from '../../image/model/errors.ts';
import { imageExtensions } from '../../image/model/formats.ts';
import type { BucketCatalogue, CataloguedFolder } from '../catalogue.ts';
import type { Spool } from '../spool.ts';
import type { FileStats, FilesByName, NameUse, StoredEntry } from '../storage.ts';
import { waitForStore } from '../store-time.ts';
import { BucketFolders, type KeptLists, usualListedNames } from './bucket-folders.ts';
import { type BucketOptions, BucketRequests, type StoredObject } from './bucket-requests.ts';
import { cataloguedLists } from './catalogued-lists.ts';
import { keptNames, keptSightings } from './kept-objects.ts';
import { NamedEntries } from './named-entries.ts';
import { ObjectFinder, type Sighting } from './object-finder.ts';
import { notFound, ObjectReader, ObjectStorage } from './object-reader.ts';
import type { BucketFolder } from './paged-list.ts';
import type { StoredContents } from './stored-contents.ts';
import type { StoredLists } from './stored-lists.ts';
import type { StoredRows } from './stored-rows.ts';

interface S3StorageOptions extends BucketOptions {
  /** After this time in ms a folder is listed again when it is asked for. */
  readonly refreshMs: number;
  /** As in `StorageOptions`. */
  readonly extensions?: readonly string[] | undefined;
  readonly hasMetaFiles?: boolean;
  readonly metaFilesClose?: boolean;
  readonly maxListedNames?: number;
  /** What it says is asked first. */
  readonly catalogue?: BucketCatalogue | undefined;
  readonly spool: Spool;
  /** What outlasts the process: lists, what is known of single objects, and the metadata beside images. */
  readonly lists?: StoredLists;
  readonly rows?: StoredRows;
  readonly contents?: StoredContents;
  /** The path of the bucket in this process, such as `s3:/bucket`. */
  readonly bucketPath: string;
}

/** The lists of one bucket of one store among those of all. */
function keptLists({ lists, endpoint, bucket, catalogue }: S3StorageOptions): KeptLists | undefined {
  if (lists === undefined) return undefined;
  const keyOf = (prefix: string): string => JSON.stringify([endpoint ?? '', bucket, prefix]);
  return {
    read: async (prefix, maxNames) => (catalogue?.covers(prefix) ? undefined : lists.read(keyOf(prefix), maxNames)),
    write: async (prefix, folder) => (catalogue?.covers(prefix) ? undefined : lists.write(keyOf(prefix), folder)),
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

/** The entries that are given at a time; a page of a list has as many. */
const entriesAtOnce = 1000;

export class S3Storage extends ObjectStorage {
  readonly byName: FilesByName;
  readonly #options: S3StorageOptions;
  readonly #requests: BucketRequests;
  readonly #folders: BucketFolders;
  readonly #finder: ObjectFinder;
  readonly #names: NamedEntries;
  protected readonly reader: ObjectReader;

  constructor(options: S3StorageOptions) {
    super();
    const { refreshMs, spool, hasMetaFiles = true, maxListedNames, catalogue } = options;
    this.#options = options;
    this.#requests = new BucketRequests(options);
    const lists = cataloguedLists(this.#requests, catalogue);
    this.#folders = new BucketFolders(lists, {
      refreshMs,
      kept: keptLists(options),
      maxListedNames,
      isListedAtOnce: options.catalogue !== undefined,
      mayFallBack: options.metaFilesClose !== true,
    });
    this.#finder = new ObjectFinder({
      requests: this.#requests,
      refreshMs,
      told: (key) => this.#told(key),
      listed: (key) => this.#listed(key),
      needsProof: (key) => options.metaFilesClose === true && key.endsWith('.meta'),
      onFirstBytes: (key, object, bytes) => this.reader.keepFirst(`${options.bucketPath}/${key}`, object, bytes),
      kept: keptSightings(options),
    });
    const note = (key: string, sighting: Sighting): void => this.#finder.note(key, sighting);
    this.#names = new NamedEntries({
      ...{ requests: this.#requests, refreshMs, note },
      catalogue: catalogue?.isTold ? catalogue : undefined,
      kept: keptNames(options),
    });
    const objects = { find: (key: string) => this.#find(key), changed: (key: string) => this.#changed(key) };
    const keyOf = (path: string): string => this.#keyOf(path);
    this.reader = new ObjectReader({ requests: this.#requests, spool, objects, keyOf, contents: options.contents });
    this.byName = {
      extensions: options.extensions ?? (options.mayList !== false ? undefined : [...imageExtensions].sort()),
      hasMetaFiles,
      isListed: (directory) => this.#isListed(asPrefix(this.#keyOf(directory))),
      isShort: async (directory) =>
        this.#mayList(asPrefix(this.#keyOf(directory))) &&
        (await waitForStore(this.#folders.isShort(asPrefix(this.#keyOf(directory))))),
      has: async (path, use) => (await this.#find(this.#keyOf(path), use)) !== undefined,
      entriesNamed: (directory, name) => waitForStore(this.#names.entries(asPrefix(this.#keyOf(directory)), name)),
      imageAt: (directory, position) => this.#imageAt(directory, position),
      namesInOrder: (directory) => this.#namesInOrder(asPrefix(this.#keyOf(directory))),
      folder: (path) => this.#listedStats(this.#keyOf(path)),
    };
    catalogue?.onChange((key) => this.#forget(key));
  }

  check(): Promise<void> {
    return this.#requests.requireAnswer('');
  }

  async close(): Promise<void> {
    await this.#options.rows?.flush();
    await this.#requests.close();
  }

  knownStats(path: string): FileStats | undefined {
    const key = this.#keyOf(path);
    if (this.#isFolder(key)) {
      const own = this.#folders.known(asPrefix(key));
      return own && isThere(own, key) ? folderStats(own) : undefined;
    }
    const object = this.#finder.known(key)?.object;
    return object && this.reader.statsOf(object);
  }

  async lstat(path: string): Promise<FileStats> {
    const key = this.#keyOf(path);
    if (this.#isFolder(key)) return this.#folderStats(key);
    const object = await this.#find(key);
    if (object !== undefined) return this.reader.statsOf(object);
    const { prefix } = split(key);
    if (!this.#mayList(asPrefix(key)) || this.#current(prefix) !== undefined) throw notFound();
    return this.#folderStats(key);
  }

  /** Asks the store, so that it tells whether this answers. */
  async realPath(path: string): Promise<string> {
    await waitForStore(this.#requests.requireAnswer(asPrefix(this.#keyOf(path))));
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

  catalogued(directory: string): CataloguedFolder | undefined {
    const { catalogue, maxListedNames = usualListedNames } = this.#options;
    const prefix = asPrefix(this.#keyOf(directory));
    return catalogue?.covers(prefix) ? { ...catalogue.folder(prefix), maxListedNames } : undefined;
  }

  /** Where the catalogue does not answer, the folder is listed. */
  async #imageAt(directory: string, position: number): Promise<{ readonly name: string | undefined } | undefined> {
    const found = await this.catalogued(directory)
      ?.images({ from: position, count: 1 })
      .catch(() => undefined);
    return found && { name: found[0]?.name };
  }

  /** Where the key may not list the bucket, the catalogue may know what is in it. */
  #mayList(prefix: string): boolean {
    return this.#options.mayList !== false || this.#options.catalogue?.covers(prefix) === true;
  }

  /** Whether lists are from a catalogue that nobody tells changes: single objects may be other ones by now. */
  #isOfFilling(prefix: string): boolean {
    const { catalogue } = this.#options;
    return catalogue !== undefined && !catalogue.isTold && catalogue.covers(prefix);
  }

  #isListed(prefix: string): boolean {
    return !this.#isOfFilling(prefix) && this.#current(prefix) !== undefined;
  }

  /**
   * What the catalogue says, where the store tells it all changes and it answers. That a folder has no metadata file is believed
   * of any filling, as what its list is: most folders have none, and each would take three requests.
   */
  async #told(key: string): Promise<Pick<Sighting, 'object'> | undefined> {
    const { catalogue } = this.#options;
    const { prefix, name } = split(key);
    const isToldAlways = catalogue?.isTold === true;
    if (!catalogue?.covers(prefix) || !(isToldAlways || isMetadata(name))) return undefined;
    try {
      const object = await catalogue.find(key);
      return isToldAlways || object === undefined ? { object } : undefined;
    } catch {
      return undefined;
    }
  }

  /** Forgets what has changed by what the catalogue tells: an object with its folders, or all. */
  #forget(key?: string): void {
    if (key === undefined) {
      for (const known of [this.#finder, this.#names, this.#folders]) known.clear();
      return;
    }
    this.#finder.forget(key);
    this.#names.forget(key);
    let { prefix } = split(key);
    this.#folders.forget(prefix);
    // The first object of a folder makes it, and the last one ends it.
    while (prefix !== '') {
      prefix = split(prefix.slice(0, -1)).prefix;
      const around = this.#folders.last(prefix);
      if (around === undefined || around.files.size + around.folders.size <= entriesAtOnce)
        this.#folders.forget(prefix);
    }
  }

  /** As listed, awaited while its pages arrive. */
  async #folder(prefix: string): Promise<BucketFolder> {
    if (!this.#mayList(prefix)) throw unlisted();
    return waitForStore(this.#folders.folder(prefix), () => this.#folders.lastPageMs(prefix));
  }

  /** Awaited page by page. */
  async *#namesInOrder(prefix: string): AsyncIterable<readonly string[]> {
    if (!this.#mayList(prefix)) throw unlisted();
    const pages = this.#folders.namesInOrder(prefix)[Symbol.asyncIterator]();
    for (;;) {
      const page = await waitForStore(pages.next(), () => this.#folders.lastPageMs(prefix));
      if (page.done) return;
      yield page.value;
    }
  }

  /**
   * A list that says what there is now. One of a page, which somebody has asked for, is read again when it is old, as long as it is
   * used: that is one request instead of one for each name.
   */
  #current(prefix: string): BucketFolder | undefined {
    const last = this.#folders.last(prefix);
    const isShort = last !== undefined && last.files.size + last.folders.size <= entriesAtOnce;
    return isShort ? this.#folders.known(prefix) : this.#folders.fresh(prefix);
  }

  /** Whether a folder is known to have the key, whatever object has it too. */
  #isFolder(key: string): boolean {
    const { prefix, name } = split(key);
    if (name === '' || this.#current(prefix)?.folders.has(name)) return true;
    const own = this.#folders.last(asPrefix(key));
    return own !== undefined && isThere(own, key);
  }

  /** The same, unless the folder around it tells that there is none. */
  async #listedStats(key: string): Promise<FileStats> {
    const { prefix, name } = split(key);
    const around = name === '' ? undefined : this.#current(prefix);
    if (around !== undefined && !around.folders.has(name)) throw notFound();
    return this.#folderStats(key);
  }

  async #folderStats(key: string): Promise<FileStats> {
    const own = await this.#folder(asPrefix(key));
    if (!isThere(own, key)) throw notFound();
    return folderStats(own);
  }

  #keyOf(path: string): string {
    const { bucketPath } = this.#options;
    return path.slice(bucketPath.length + 1);
  }

  #find(key: string, use?: NameUse): Promise<StoredObject | undefined> {
    return waitForStore(this.#finder.find(key, use));
  }

  #listed(key: string): Sighting | undefined {
    const { prefix, name } = split(key);
    if (this.#isOfFilling(prefix)) return undefined;
    const folder = this.#folders.last(prefix);
    const object = folder?.files.get(name);
    // Of long lists the names alone are kept.
    if (folder === undefined || (object === undefined && folder.files.has(name))) return undefined;
    const seenMs = this.#current(prefix) === folder ? Date.now() : folder.listedMs;
    return folder.isReplica ? { object, seenMs: folder.listedMs, isReplica: true } : { object, seenMs };
  }

  async #changed(key: string): Promise<void> {
    const { prefix, name } = split(key);
    const { object } = await this.#finder.askStore(key);
    this.#folders.correct(prefix, name, object);
    if (this.#options.catalogue?.covers(prefix)) this.#options.catalogue.note(key, object);
  }
}

const isMetadata = (name: string): boolean => metadataFiles.some((one) => one === name);

/** For those who ask for a folder, and for names that are none of an image, which a folder may have. */
const unlisted = (): ImageError =>
  new ImageError(
    'not-found',
    'No image has this name; folders are not listed here, as the settings of the server say.',
  );

/** A key as the prefix of what is below it; the whole bucket has an empty one. */
const asPrefix = (key: string): string => (key === '' ? '' : `${key}/`);

function split(key: string): { readonly prefix: string; readonly name: string } {
  const slash = key.lastIndexOf('/');
  return { prefix: key.slice(0, slash + 1), name: key.slice(slash + 1) };
}

/** The whole bucket is there also where it is empty. */
const isThere = ({ files, folders, isMarked }: BucketFolder, key: string): boolean =>
  key === '' || isMarked || files.size > 0 || folders.size > 0;
