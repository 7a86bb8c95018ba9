/** Lists the folders of one root: contained, sorted, and remembered until the folder changes. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { Containment } from '../roots/containment.ts';
import { type Mount, mountAround, mountNamesIn } from '../roots/virtual-folders.ts';
import { isSettled } from '../stats/fingerprint.ts';
import { LibraryFileSystem } from '../stats/library-file-system.ts';
import { RequestStatCache } from '../stats/request-stat-cache.ts';
import { type Entries, type Listing, makeListing, noEntries, withFolders } from './listing.ts';
import { ListingCache } from './listing-cache.ts';
import { readEntries } from './read-entries.ts';

/** Listings that outlast the process. */
export interface ListingStore {
  /** What was kept of the folder with this fingerprint; undefined where there is nothing that can be trusted. */
  entriesOf(directory: string, fingerprint: string): Promise<Entries | undefined>;
  keepEntries(directory: string, fingerprint: string, entries: Entries): void;
}

/** What the folders of several roots share. */
export interface FoldersParts {
  /** Says which places links may lead to. */
  readonly isContained: Containment;
  readonly disk?: LibraryFileSystem;
  readonly known?: ListingCache;
  readonly store?: ListingStore;
}

/** Where the paths of a root or of a virtual directory begin. */
interface Start {
  /** As it was given; it may hold links. */
  readonly path: string;
  readonly real: string;
}

/** The paths of the start and of each folder down to the last. */
function chainOf({ real }: Start, names: readonly string[]): readonly string[] {
  const chain = [real];
  let place = real;
  for (const name of names) {
    place = place.endsWith(path.sep) ? place + name : place + path.sep + name;
    chain.push(place);
  }
  return chain;
}

/** Whether a start that is given by a link leads where it led before. */
async function leadsAsBefore({ path: given, real }: Start, moment: RequestStatCache): Promise<boolean> {
  if (given === real) return true;
  const [through, look] = await Promise.all([moment.stat(given), moment.lstat(real)]);
  return through?.fingerprint === look?.fingerprint;
}

/** The folders below one root. */
export class Folders {
  readonly #start: Start;
  readonly #isContained: Containment;
  readonly #mounts: readonly Mount[];
  readonly #disk: LibraryFileSystem;
  readonly #known: ListingCache;
  readonly #store: ListingStore | undefined;
  readonly #readings = new Map<
    string,
    { readonly fingerprint: string; readonly listing: Promise<Listing | undefined> }
  >();

  /** `root` is an absolute path of a folder that is there. */
  constructor(root: string, { isContained, disk, known, store }: FoldersParts, mounts: readonly Mount[] = []) {
    this.#start = { path: root, real: realpathSync(root) };
    this.#isContained = isContained;
    this.#mounts = mounts;
    this.#disk = disk ?? new LibraryFileSystem();
    this.#known = known ?? new ListingCache(16 * 1024 * 1024);
    this.#store = store;
  }

  /** The listing of a folder; undefined where there is none, or where a link leads out of the roots. */
  async list(segments: readonly string[], moment = new RequestStatCache(this.#disk)): Promise<Listing | undefined> {
    const virtual = mountNamesIn(this.#mounts, segments);
    const listing = await this.#listReal(segments, moment);
    if (virtual.length === 0) return listing;
    return withFolders(listing ?? makeListing(path.join(this.#start.path, ...segments), noEntries()), virtual);
  }

  /**
   * What the folder held when it was last read, without asking whether that is so still; what has to be asked for that is
   * asked of the moment, so that it is known when the folder is listed.
   */
  foresee(segments: readonly string[], moment: RequestStatCache): Listing | undefined {
    const { start, names } = this.#placeOf(segments);
    const chain = chainOf(start, names);
    const last = this.#known.last(chain.at(-1) ?? start.real);
    if (last !== undefined) for (const place of chain) moment.prefetch(place);
    return last;
  }

  #placeOf(segments: readonly string[]): { readonly start: Start; readonly names: readonly string[] } {
    const mount = mountAround(this.#mounts, segments);
    if (mount === undefined) return { start: this.#start, names: segments };
    const start = { path: mount.directory, real: mount.directory };
    return { start, names: segments.slice(mount.names.length) };
  }

  async #listReal(segments: readonly string[], moment: RequestStatCache): Promise<Listing | undefined> {
    const { start, names } = this.#placeOf(segments);
    for (const form of spellings(names)) {
      const directory = await this.#resolve(start, form, moment);
      const listing = directory === undefined ? undefined : await this.#listingOf(directory, moment);
      if (listing !== undefined) return listing;
    }
    return undefined;
  }

  /**
   * The path of a folder without links, if it is in the library. A path whose folders, from the root down, are no links but
   * folders themselves leads through no link, so that only others have to be resolved.
   */
  async #resolve(start: Start, names: readonly string[], moment: RequestStatCache): Promise<string | undefined> {
    const chain = chainOf(start, names);
    const [isAsBefore, ...looks] = await Promise.all([
      leadsAsBefore(start, moment),
      ...chain.map((place) => moment.lstat(place)),
    ]);
    const other = looks.findIndex((look) => !look?.stats.isDirectory());
    if (other < 0 && isAsBefore) return chain.at(-1);
    if (other > 0 && isAsBefore && !looks[other]?.stats.isSymbolicLink()) return undefined;
    const real = await this.#disk.resolve(path.join(start.path, ...names));
    return real !== undefined && this.#isContained(real) ? real : undefined;
  }

  async #listingOf(directory: string, moment: RequestStatCache): Promise<Listing | undefined> {
    const look = await moment.lstat(directory);
    if (!look?.stats.isDirectory()) return undefined;
    const { fingerprint, stats, beganMs } = look;
    const known = this.#known.get(directory, fingerprint);
    if (known !== undefined) return known;
    // While a change may leave no trace, nobody gets what was read before the question.
    if (!isSettled(stats, beganMs)) return this.#read(directory);
    const running = this.#readings.get(directory);
    if (running?.fingerprint === fingerprint) return running.listing;
    const reading = { fingerprint, listing: this.#fetch(directory, fingerprint) };
    this.#readings.set(directory, reading);
    try {
      return await reading.listing;
    } finally {
      if (this.#readings.get(directory) === reading) this.#readings.delete(directory);
    }
  }

  async #read(directory: string, keep?: (entries: Entries) => void): Promise<Listing | undefined> {
    return this.#disk.run(directory, async () => {
      const entries = await readEntries(directory, this.#isContained);
      if (entries === undefined) return undefined;
      const listing = makeListing(directory, entries);
      keep?.(entries);
      return listing;
    });
  }

  /** What was kept on disk, or what is read now; both are remembered. */
  async #fetch(directory: string, fingerprint: string): Promise<Listing | undefined> {
    const remember = (listing: Listing): Listing => {
      this.#known.set(directory, fingerprint, listing);
      return listing;
    };
    const kept = await this.#store?.entriesOf(directory, fingerprint);
    if (kept !== undefined) return remember(makeListing(directory, kept));
    const listing = await this.#read(directory, (entries) => this.#store?.keepEntries(directory, fingerprint, entries));
    return listing && remember(listing);
  }
}

/** A path as it was asked for, then in the composed and the decomposed form of Unicode where those differ. */
function spellings(segments: readonly string[]): readonly (readonly string[])[] {
  const asked = segments.join('/');
  const others = ['NFC', 'NFD'].map((form) => asked.normalize(form)).filter((other) => other !== asked);
  return [segments, ...others.map((other) => other.split('/'))];
}
