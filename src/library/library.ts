/** Finds images and folders by identifier in the base directories: the highest resolution first, then prescaled versions. */
import { realpathSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FolderMetadata, MetadataFault } from '../image/folder/folder-metadata.ts';
import {
  childOf,
  formatIdentifier,
  type Identifier,
  joinPage,
  parseIdentifier,
  splitLast,
  splitPage,
} from '../image/model/identifier.ts';
import type { ImageMetadata } from '../image/model/image-metadata.ts';
import type { ImageSet, Resolution, SourceFile } from '../image/model/image-set.ts';
import { type FactsStore, type OrientationRule, Prober } from './facts/probe.ts';
import { readTextIn } from './listings/folder-files.ts';
import { Folders, type ListingStore } from './listings/folders.ts';
import { type Listing, pathIn } from './listings/listing.ts';
import { ListingCache } from './listings/listing-cache.ts';
import { metadataOfFile } from './meta-files/precedence.ts';
import { MetaFileReader } from './meta-files/reader.ts';
import { FolderMetadataReader } from './metadata/reader.ts';
import { prefetchImageStats } from './prefetch-stats.ts';
import { Prescaled } from './prescaled.ts';
import { type Containment, containmentIn } from './roots/containment.ts';
import { type MountPoint, placesOf, rootMountPoint } from './roots/mount-points.ts';
import { mountsOf, type VirtualFolder } from './roots/virtual-folders.ts';
import { type FileBody, fingerprintOf, readCurrent, requireCurrent } from './stats/fingerprint.ts';
import { FreshnessCheck } from './stats/freshness-check.ts';
import type { IoLoad } from './stats/io-limiter.ts';
import { LibraryFileSystem } from './stats/library-file-system.ts';
import { RequestCoalescer } from './stats/request-coalescer.ts';
import { RequestStatCache } from './stats/request-stat-cache.ts';

export interface LibraryOptions {
  /** The base directories as absolute paths; the first holds the highest resolution (digilib.md, section 3). */
  readonly roots: readonly [string, ...string[]];
  /** Paths of the library that lead to folders elsewhere, whose own places count as roots. */
  readonly virtualFolders?: readonly VirtualFolder[];
  /** Whether symbolic links may lead out of the roots. */
  readonly followLinksOutside: boolean;
  readonly orientation: OrientationRule;
  /** Told of each image file whose header can't be read, for the log. */
  readonly onUnreadable: (path: string, reason: string) => void;
  /** Told of each fault in a metadata file, once for each version of the file, for the log. */
  readonly onMetadataFault?: (path: string, fault: MetadataFault) => void;
  /** Keeps what was learned of folders and files for the next process. */
  readonly store?: ListingStore & FactsStore;
  /** Bounds what is remembered of folders and files in memory; about, in bytes. */
  readonly maxMemoryBytes?: number;
  readonly derived?: Derived;
}

/** Where the derived pyramids of resolutions are found. */
export interface Derived {
  /** The pyramid of a resolution; undefined where there is none. */
  find(source: Resolution): Promise<Resolution | undefined> | undefined;
  /** Another number whenever others are there than before. */
  state(): number;
}

/** What a folder holds, by name, in code-unit order. */
export interface Folder {
  readonly identifier: Identifier;
  /** Every path under which the library shows the folder, for rules of access: the identifier, then others. */
  readonly places: readonly Identifier[];
  /** Names of the image files; page numbers count these from 1. */
  readonly images: readonly string[];
  readonly folders: readonly string[];
}

/** What rules of access go by: every path of an image, and its access type from metadata. */
interface Subject {
  readonly places: readonly Identifier[];
  readonly type?: string;
}

/** By the names of image files. */
export type Subjects = ReadonlyMap<string, Subject>;

/** So many are found at once. */
const subjectsAtOnce = 256;

/** An image file that was found; `identifier` is its canonical name. */
export interface Located {
  readonly identifier: Identifier;
  readonly folder: Identifier;
  readonly listing: Listing;
  /** The file's name. */
  readonly name: string;
  /** Which page of the file, from 1. */
  readonly pageInFile: number;
  /** Every path under which the library shows the file, for rules of access: the one by its folder and name, then others. */
  readonly places: readonly Identifier[];
}

/** An image file in a listed folder. */
interface FoundFile {
  readonly folder: Identifier;
  readonly listing: Listing;
  readonly name: string;
}

/** What is remembered in memory where nothing is said. */
const defaultMemoryBytes = 64 * 1024 * 1024;

/** How much is remembered, and how the disk answers. */
export interface LibraryLoad {
  readonly folders: { readonly folders: number; readonly bytes: number };
  readonly files: { readonly files: number; readonly bytes: number };
  readonly disk: readonly IoLoad[];
}

export class Library {
  readonly #disk: LibraryFileSystem;
  readonly #known: ListingCache;
  readonly #first: Folders;
  readonly #others: readonly Folders[];
  readonly #prober: Prober;
  readonly #prescaled: Prescaled;
  readonly #metadata: FolderMetadataReader;
  readonly #metaFiles: MetaFileReader;
  readonly #subjects = new RequestCoalescer((path) => this.#readSubjects(path));
  readonly #isContained: Containment;
  readonly #entrances: readonly MountPoint[];
  readonly #derived: Derived;
  /** What is said of an image is asked once for each time that it is located: first for access, then to describe it. */
  readonly #imageMetadata = new WeakMap<Located, Promise<ImageMetadata>>();
  /** What was looked at to locate an image is not looked at again to describe it. */
  readonly #moments = new WeakMap<Located, RequestStatCache>();
  /** What images were found by. */
  readonly #witnesses = new WeakMap<ImageSet, FreshnessCheck>();

  /** Throws where a root does not exist, and where a virtual folder has no usable link or does not exist. */
  constructor(options: LibraryOptions) {
    const mounts = mountsOf(options.virtualFolders ?? []);
    const places = [...options.roots, ...mounts.map(({ directory }) => directory)];
    const isContained = containmentIn(places, options.followLinksOutside);
    this.#isContained = isContained;
    const rootEntrances = options.roots.map((root) => rootMountPoint(realpathSync(root)));
    const mounted = mounts.map(({ directory, link }) => ({ directory, identifier: link }));
    this.#entrances = [...rootEntrances, ...mounted];
    const { orientation, onUnreadable, store, maxMemoryBytes = defaultMemoryBytes } = options;
    const disk = new LibraryFileSystem(this.#entrances.map(({ directory }) => directory));
    this.#disk = disk;
    this.#known = new ListingCache(maxMemoryBytes / 2);
    const shared = { isContained, disk, known: this.#known, ...(store && { store }) };
    const [first, ...others] = options.roots;
    this.#first = new Folders(first, shared, mounts);
    this.#others = others.map((root) => new Folders(root, shared));
    this.#prober = new Prober({ ...shared, orientation, onUnreadable, maxBytes: maxMemoryBytes / 2 });
    this.#prescaled = new Prescaled({
      folders: this.#others,
      prober: this.#prober,
      disk,
      home: [...rootEntrances.slice(0, 1), ...mounted],
    });
    const onFault = options.onMetadataFault ?? (() => undefined);
    this.#derived = options.derived ?? { find: () => undefined, state: () => 0 };
    this.#metadata = new FolderMetadataReader(isContained, onFault, disk);
    this.#metaFiles = new MetaFileReader(isContained, onFault, disk);
  }

  load(): LibraryLoad {
    return { folders: this.#known.size(), files: this.#prober.size(), disk: this.#disk.load() };
  }

  /** Throws ImageError `changed` where the file is no longer the one that was planned with. */
  async requireCurrent(file: SourceFile): Promise<void> {
    const stats = this.#disk.freshLstatSync(file.path);
    if (stats !== undefined && fingerprintOf(stats) === file.fingerprint) return;
    await this.#disk.run(file.path, () => requireCurrent(file));
  }

  /** The bytes of a file that is still the one that was planned with. Throws ImageError `changed` where it is not. */
  readCurrent(file: SourceFile): Promise<FileBody> {
    return this.#disk.run(file.path, () => readCurrent(file));
  }

  /** The folder of this name in the first base directory. */
  async findFolder(identifier: Identifier): Promise<Folder | undefined> {
    const listing = await this.#first.list(identifier.segments);
    if (listing === undefined) return undefined;
    const { images, folders, directory } = listing;
    return { identifier, places: placesOf(identifier, [directory], this.#entrances), images, folders };
  }

  /** What the metadata file of the folder of this name says; nothing where there is no such folder or no such file. */
  async metadataOf(folder: Identifier): Promise<FolderMetadata> {
    const moment = new RequestStatCache(this.#disk);
    const listing = await this.#first.list(folder.segments, moment);
    return listing === undefined ? {} : this.#metadata.metadataOf(listing, moment);
  }

  /** The text of a file by its name alone, in the folder of this name in the first base directory; see `readTextIn`. */
  async readText(folder: Identifier, name: string): Promise<string | undefined> {
    const listing = await this.#first.list(folder.segments);
    if (listing === undefined) return undefined;
    const { directory } = listing;
    return this.#disk.run(directory, () => readTextIn(directory, name, this.#isContained));
  }

  /**
   * The image file that an identifier names with or without its extension, with or without a page inside of the file
   * (`scan.tif;2`), or that is the page (from 1) of the folder that it names. Undefined where there is no such file.
   */
  async locate(identifier: Identifier, page: number): Promise<Located | undefined> {
    const moment = new RequestStatCache(this.#disk);
    prefetchImageStats(identifier, page, { first: this.#first, others: this.#others, moment });
    const { parent, name } = splitLast(identifier);
    const around = parent && (await this.#first.list(parent.segments, moment));
    if (parent && around?.has(name)) return this.#located({ folder: parent, listing: around, name }, 1, moment);
    const { file, page: pageInFile } = splitPage(name);
    const found = around?.find(file);
    const mayBeFolder = found === undefined || around?.mayHoldFolder(name);
    const inside = mayBeFolder ? await this.#first.list(identifier.segments, moment) : undefined;
    if (inside !== undefined) {
      const image = inside.images[page - 1];
      return image === undefined
        ? undefined
        : this.#located({ folder: identifier, listing: inside, name: image }, 1, moment);
    }
    if (!parent || !around || found === undefined) return undefined;
    return this.#located({ folder: parent, listing: around, name: found }, pageInFile, moment);
  }

  /**
   * What rules of access go by for each image file of the folder of this name; found once for all who ask at the same
   * time, since a folder can hold very many.
   */
  subjectsIn(folder: Identifier): Promise<Subjects> {
    return this.#subjects.run(formatIdentifier(folder));
  }

  async #readSubjects(path: string): Promise<Subjects> {
    const folder = parseIdentifier(path);
    const moment = new RequestStatCache(this.#disk);
    const listing = folder && (await this.#first.list(folder.segments, moment));
    const subjects = new Map<string, Subject>();
    if (!folder || !listing) return subjects;
    for (let from = 0; from < listing.images.length; from += subjectsAtOnce) {
      // What is known already is found without waiting for anything: others have their turn in between.
      if (from > 0) await nextTurn();
      const names = listing.images.slice(from, from + subjectsAtOnce);
      await Promise.all(
        names.map(async (name) => {
          const located = await this.#located({ folder, listing, name }, 1, moment);
          const { access } = await this.imageMetadata(located);
          subjects.set(name, { places: located.places, ...(access === undefined ? {} : { type: access }) });
        }),
      );
    }
    return subjects;
  }

  async #located({ folder, listing, name }: FoundFile, pageInFile: number, moment: RequestStatCache): Promise<Located> {
    const path = pathIn(listing, name);
    const target = listing.linkedImages.has(name) ? await this.#disk.resolve(path) : undefined;
    const places = placesOf(childOf(folder, name), target === undefined ? [path] : [path, target], this.#entrances);
    const identifier = childOf(folder, joinPage(name, pageInFile));
    const located = { identifier, folder, listing, name, pageInFile, places };
    this.#moments.set(located, moment);
    return located;
  }

  #momentOf(located: Located): RequestStatCache {
    return this.#moments.get(located) ?? new RequestStatCache(this.#disk);
  }

  /** What metadata files say of a located image (digilib.md, section 3); its own header is not read for it. */
  imageMetadata(located: Located): Promise<ImageMetadata> {
    const asked = this.#imageMetadata.get(located) ?? this.#readImageMetadata(located);
    this.#imageMetadata.set(located, asked);
    return asked;
  }

  /** What restricts an image under one of its paths restricts it under all: a link does not open what it leads to. */
  async #readImageMetadata(located: Located): Promise<ImageMetadata> {
    const moment = this.#momentOf(located);
    const list = (folder: Identifier) => this.#first.list(folder.segments, moment);
    const own = await metadataOfFile(located, list, this.#metaFiles, moment);
    const accesses = [own.access];
    for (const place of located.places.slice(1)) {
      const { parent: folder, name } = splitLast(place);
      const listing = folder && (await list(folder));
      if (!folder || !listing) continue;
      accesses.push((await metadataOfFile({ folder, listing, name }, list, this.#metaFiles, moment)).access);
    }
    const restricting = accesses.find((access) => access !== undefined && access !== 'free');
    return restricting === undefined ? own : { ...own, access: restricting };
  }

  /** The resolutions of a located image; undefined where its first one can't be read or has no such page. */
  async describe(located: Located): Promise<ImageSet | undefined> {
    const { identifier, listing, name, pageInFile: page } = located;
    const moment = this.#momentOf(located);
    const derivedState = this.#derived.state();
    const isFirst = page === 1;
    const [pages, prescaled, metadata] = await Promise.all([
      this.#prober.probe(listing, name, moment),
      isFirst ? this.#prescaled.versionsOf(located, moment) : [],
      this.imageMetadata(located),
    ]);
    const full = pages[page - 1];
    if (full === undefined) return undefined;
    const derived = await this.#derived.find(full);
    const resolutions = [full, ...prescaled] as const;
    const image: ImageSet = {
      identifier,
      name,
      page,
      pageCount: pages.length,
      resolutions,
      metadata,
      ...(derived && { derived }),
    };
    const seen = await moment.seen();
    if (seen !== undefined) this.#witnesses.set(image, new FreshnessCheck(seen, derivedState));
    return image;
  }

  /**
   * Whether an image that was described within the last second would be found again as it was, by looks that are taken now.
   * False also where that can't be told at once.
   */
  holds(image: ImageSet): boolean {
    const lookAt = (path: string) => this.#disk.cachedLstatSync(path);
    return this.#witnesses.get(image)?.isFresh(lookAt, this.#derived.state()) ?? false;
  }
}
