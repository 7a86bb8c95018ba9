/** Lists the folders of one root: contained, sorted, and cached until the folder changes. */
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Identifier } from '../../image/model/identifier.ts';
import type { CataloguedFolder } from '../../storage/catalogue.ts';
import { isAccessDenied } from '../../storage/file-errors.ts';
import { type FilesByName, isSettled, type NameUse } from '../../storage/storage.ts';
import { Storages } from '../../storage/storages.ts';
import { type Containment, prefixOf } from '../roots/containment.ts';
import { type Mount, mountAround, mountNamesIn, mountsBelow } from '../roots/virtual-folders.ts';
import { RequestStatCache } from '../stats/request-stat-cache.ts';
import { VersionCache } from '../stats/shared-reads.ts';
import { entriesAround, entriesOfImage, imageInOrder, isEmpty, metaEntries } from './entries-by-name.ts';
import { bytesOf, createListing, type Entries, type Listing, noEntries, readEntries, withFolders } from './listing.ts';

/** Listings, by the fingerprints of their folders before they were read. */
export type ListingCache = VersionCache<Listing | undefined>;

export const createListingCache = (maxBytes: number): ListingCache =>
  new VersionCache({
    maxSize: maxBytes,
    // An entry larger than the bound would never be cached, and be read again for each request.
    sizeCalculation: ({ value }) => (value ? Math.floor(Math.min(bytesOf(value), maxBytes / 2)) : 1),
  });

/** A cache of listings that outlasts the process. */
export interface ListingStore {
  /** The entries of the folder with this fingerprint; undefined where none are stored, or they can’t be trusted. */
  entriesOf(directory: string, fingerprint: string): Promise<Entries | undefined>;
  storeEntries(directory: string, fingerprint: string, entries: Entries): void;
}

/** The parts that the folders of several roots share. */
export interface FoldersParts {
  /** Decides which paths links may lead to. */
  readonly isContained: Containment;
  readonly storages?: Storages;
  readonly cache?: ListingCache;
  readonly store?: ListingStore;
  /** Called with each folder that the server may not read, once for each version of the folder, for the log. */
  readonly onUnreadableFolder?: ((directory: string) => void) | undefined;
}

export interface BaseDirectory {
  /** As configured; it may contain links. */
  readonly path: string;
  readonly real: string;
}

/** The real path of the base directory and of each folder below it along these names. */
function pathsAlong({ real }: BaseDirectory, names: readonly string[]): readonly string[] {
  const paths = [real];
  let last = real;
  for (const name of names) {
    last = prefixOf(last) + name;
    paths.push(last);
  }
  return paths;
}

/** Whether a base directory that is configured by a link still leads to the same directory. */
async function isUnmoved({ path: given, real }: BaseDirectory, statCache: RequestStatCache): Promise<boolean> {
  if (given === real) return true;
  const [target, directory] = await Promise.all([statCache.follow(given), statCache.lstat(real)]);
  return target?.fingerprint === directory?.fingerprint;
}

/** The names as requested, then in Unicode normalization forms C and D where these differ. */
function spellings(segments: readonly string[]): readonly (readonly string[])[] {
  const requested = segments.join('/');
  const others = ['NFC', 'NFD'].map((form) => requested.normalize(form)).filter((other) => other !== requested);
  return [segments, ...others.map((other) => other.split('/'))];
}

/** A folder that a catalogue has with all below it, but for what virtual folders show there. */
export interface CataloguedPart {
  readonly folder: CataloguedFolder;
  /** The virtual folders below it. */
  readonly virtual: readonly Identifier[];
}

type EntriesIn = (byName: FilesByName, directory: string) => Promise<Entries>;

export class Folders {
  readonly #base: BaseDirectory;
  readonly #isContained: Containment;
  readonly #mounts: readonly Mount[];
  readonly #storages: Storages;
  readonly #cache: ListingCache;
  readonly #store: ListingStore | undefined;
  readonly #onUnreadableFolder: (directory: string) => void;
  /** Whether no storage is asked for single names, as with disks alone. */
  readonly #areListed: boolean;
  /** Fingerprints of the folders that were reported, by path. */
  readonly #reported = new LRUCache<string, string>({ max: 1000 });

  constructor(base: BaseDirectory, parts: FoldersParts, mounts: readonly Mount[] = []) {
    this.#base = base;
    this.#isContained = parts.isContained;
    this.#mounts = mounts;
    this.#storages = parts.storages ?? new Storages();
    this.#cache = parts.cache ?? createListingCache(16 * 1024 * 1024);
    this.#store = parts.store;
    this.#areListed = !this.#storages.findByName;
    this.#onUnreadableFolder = parts.onUnreadableFolder ?? (() => undefined);
  }

  /** The listing of a folder; undefined where there is none, or where a link leads out of the roots. */
  async list(
    segments: readonly string[],
    statCache = new RequestStatCache(this.#storages),
  ): Promise<Listing | undefined> {
    const virtual = mountNamesIn(this.#mounts, segments);
    const listing = await this.#listReal(segments, statCache);
    if (virtual.length === 0) return listing;
    return withFolders(listing ?? createListing(path.join(this.#base.path, ...segments), noEntries()), virtual);
  }

  /**
   * The listing of a folder as far as an image is concerned that a name may stand for: with its other extensions, a folder of the
   * name, and the metadata that may belong to it. Where the storage finds files by their names, nothing else is asked for, and a
   * folder that is not there is empty. For files beside images there is no metadata.
   */
  around(
    segments: readonly string[],
    name: string,
    statCache: RequestStatCache,
    use: NameUse = 'image',
  ): Promise<Listing | undefined> {
    return this.#asFarAs(segments, statCache, (byName, directory) => entriesAround(byName, directory, name, use));
  }

  /** The same for the metadata of these names, of images that were found already. */
  withMetaFiles(
    segments: readonly string[],
    names: readonly string[],
    statCache: RequestStatCache,
  ): Promise<Listing | undefined> {
    return this.#asFarAs(segments, statCache, (byName, directory) => metaEntries(byName, directory, names));
  }

  /**
   * The image of a page (from 1) of a folder; `name` is undefined where it has fewer images. Where the storage finds files by their
   * names, no more of the folder is listed than precedes the image.
   */
  async imageAt(
    segments: readonly string[],
    page: number,
    statCache: RequestStatCache,
  ): Promise<{ readonly listing: Listing; readonly name: string | undefined } | undefined> {
    const { base, names } = this.#locate(segments);
    const byName = this.#byNameAt(base);
    if (byName !== undefined)
      for (const spelling of spellings(names)) {
        const directory = pathsAlong(base, spelling).at(-1) ?? base.real;
        const name = byName.isListed(directory) ? undefined : await imageInOrder(byName, directory, page);
        if (name === undefined) continue;
        return { listing: createListing(directory, await entriesOfImage(byName, directory, name), true), name };
      }
    const listing = await this.list(segments, statCache);
    return listing && { listing, name: listing.images[page - 1] };
  }

  /** The listing of a folder, or `long` where more than one request would be needed for it. */
  async listIfShort(segments: readonly string[], statCache: RequestStatCache): Promise<Listing | 'long' | undefined> {
    const { base, names } = this.#locate(segments);
    const byName = this.#byNameAt(base);
    const directory = pathsAlong(base, names).at(-1) ?? base.real;
    const isLong = byName !== undefined && !byName.isListed(directory) && !(await byName.isShort(directory));
    return isLong ? 'long' : this.list(segments, statCache);
  }

  /** The path of a file that is in a folder under one of these names, the first of them that is there, without listing it. */
  async fileNamed(segments: readonly string[], names: readonly string[]): Promise<string | undefined> {
    const { base, names: own } = this.#locate(segments);
    const byName = this.#byNameAt(base);
    for (const spelling of byName === undefined ? [] : spellings(own))
      for (const name of names) {
        const file = path.join(pathsAlong(base, spelling).at(-1) ?? base.real, name);
        if (await byName?.has(file, 'beside')) return file;
      }
    return undefined;
  }

  /** Whether an image of exactly this name is in the folder of a listing, which may be right for another name alone. */
  async hasImage(listing: Listing, name: string): Promise<boolean> {
    const { byName } = this.#storages.of(listing.directory);
    return listing.has(name) || (byName?.has(path.join(listing.directory, name), 'beside') ?? false);
  }

  /** The folder that a path leads to without following links, where the storage has none; undefined elsewhere. */
  directoryByName(segments: readonly string[]): string | undefined {
    const { base, names } = this.#locate(segments);
    return this.#byNameAt(base) && pathsAlong(base, names).at(-1);
  }

  /** Undefined where no catalogue has the folder, as far as its path tells. */
  catalogued(segments: readonly string[]): CataloguedPart | undefined {
    const { base, names } = this.#locate(segments);
    const directory = pathsAlong(base, names).at(-1) ?? base.real;
    const folder = this.#areListed ? undefined : this.#storages.of(base.real).catalogued?.(directory);
    return folder && { folder, virtual: mountsBelow(this.#mounts, segments).map(({ identifier }) => identifier) };
  }

  #byNameAt({ real }: BaseDirectory): FilesByName | undefined {
    return this.#areListed ? undefined : this.#storages.of(real).byName;
  }

  #asFarAs(
    segments: readonly string[],
    statCache: RequestStatCache,
    entriesIn: EntriesIn,
  ): Promise<Listing | undefined> {
    return this.#areListed ? this.list(segments, statCache) : this.#askAsFarAs(segments, statCache, entriesIn);
  }

  async #askAsFarAs(
    segments: readonly string[],
    statCache: RequestStatCache,
    entriesIn: EntriesIn,
  ): Promise<Listing | undefined> {
    const { base, names } = this.#locate(segments);
    const byName = this.#byNameAt(base);
    if (byName === undefined) return this.list(segments, statCache);
    let first: Listing | undefined;
    for (const spelling of spellings(names)) {
      const directory = pathsAlong(base, spelling).at(-1) ?? base.real;
      if (byName.isListed(directory)) return this.list(segments, statCache);
      const entries = await entriesIn(byName, directory);
      const listing = createListing(directory, entries, true);
      first ??= listing;
      if (!isEmpty(entries)) {
        first = listing;
        break;
      }
    }
    const virtual = mountNamesIn(this.#mounts, segments);
    return first && virtual.length > 0 ? withFolders(first, virtual) : first;
  }

  #locate(segments: readonly string[]): { readonly base: BaseDirectory; readonly names: readonly string[] } {
    const mount = mountAround(this.#mounts, segments);
    if (mount === undefined) return { base: this.#base, names: segments };
    const base = { path: mount.directory, real: mount.directory };
    return { base, names: segments.slice(mount.names.length) };
  }

  async #listReal(segments: readonly string[], statCache: RequestStatCache): Promise<Listing | undefined> {
    const { base, names } = this.#locate(segments);
    for (const spelling of spellings(names)) {
      const directory = await this.#resolve(base, spelling, statCache);
      const listing = directory === undefined ? undefined : await this.#listingOf(directory, statCache);
      if (listing !== undefined) return listing;
    }
    return undefined;
  }

  /**
   * The real path of a folder that is in the library. Where each folder along the path is a directory itself, the path is real
   * already, so that only paths with links have to be resolved.
   */
  async #resolve(
    base: BaseDirectory,
    names: readonly string[],
    statCache: RequestStatCache,
  ): Promise<string | undefined> {
    const paths = pathsAlong(base, names);
    if (this.#byNameAt(base) !== undefined) return paths.at(-1);
    const [isSameBase, ...along] = await Promise.all([
      isUnmoved(base, statCache),
      ...paths.map((one) => statCache.lstat(one)),
    ]);
    const other = along.findIndex((found) => !found?.stats.isDirectory());
    if (other < 0 && isSameBase) return paths.at(-1);
    if (other > 0 && isSameBase && !along[other]?.stats.isSymbolicLink()) return undefined;
    const real = await statCache.resolve(path.join(base.path, ...names));
    return real !== undefined && this.#isContained(real) ? real : undefined;
  }

  async #listingOf(directory: string, statCache: RequestStatCache): Promise<Listing | undefined> {
    const found = await statCache.directory(directory);
    if (!found?.stats.isDirectory()) return undefined;
    const { fingerprint: version, stats, requestedMs } = found;
    const wanted = { version, isSettled: isSettled(stats, requestedMs) };
    const store = wanted.isSettled ? this.#store : undefined;
    return this.#cache.get(directory, wanted, () => this.#readThrough(store, directory, version));
  }

  /**
   * A folder that the server may not read is answered as one that does not exist, as digilib answers it, so that a site can
   * close a folder to the server by its permissions; the log distinguishes the two. Rejects where the disk fails.
   */
  async #readEntries(directory: string, fingerprint: string): Promise<Entries | undefined> {
    try {
      return await readEntries(directory, this.#storages, this.#isContained);
    } catch (error) {
      if (!isAccessDenied(error)) throw error;
      if (this.#reported.get(directory) !== fingerprint) this.#onUnreadableFolder(directory);
      this.#reported.set(directory, fingerprint);
      return undefined;
    }
  }

  /** Takes a listing from the store, or reads and stores it. */
  async #readThrough(
    store: ListingStore | undefined,
    directory: string,
    fingerprint: string,
  ): Promise<Listing | undefined> {
    const stored = await store?.entriesOf(directory, fingerprint);
    const entries = stored ?? (await this.#readEntries(directory, fingerprint));
    if (entries === undefined) return undefined;
    const listing = createListing(directory, entries, this.#storages.of(directory).byName !== undefined);
    if (stored === undefined) store?.storeEntries(directory, fingerprint, entries);
    return listing;
  }
}
