/** Finds images and folders by identifier in the base directories: the highest resolution first, then prescaled versions. */
import { realpathSync } from 'node:fs';
import type { FolderMetadata, MetadataFault } from '../image/folder/folder-metadata.ts';
import type { Identifier } from '../image/model/identifier.ts';
import type { ImageMetadata } from '../image/model/image-metadata.ts';
import type { ImageSet, SourceFile } from '../image/model/image-set.ts';
import { fingerprintOf } from '../storage/fingerprint.ts';
import { type Derived, ImageDescriber } from './describe.ts';
import { type FactsStore, type OrientationRule, Prober } from './facts/probe.ts';
import { ImageMetadataReader, type Subjects } from './image-metadata.ts';
import { readTextIn } from './listings/folder-files.ts';
import { Folders, type ListingStore } from './listings/folders.ts';
import { createListingCache, type ListingCache } from './listings/listing-cache.ts';
import { type Folder, type Located, Locator } from './locate.ts';
import { MetaFileReader } from './meta-files/reader.ts';
import { FolderMetadataReader } from './metadata/reader.ts';
import { createPrescaled } from './prescaled.ts';
import { type Containment, containmentIn } from './roots/containment.ts';
import { rootMountPoint } from './roots/mount-points.ts';
import { mountsOf, type VirtualFolder } from './roots/virtual-folders.ts';
import { type OpenedFile, openCurrent, requireCurrent } from './source-file.ts';
import type { IoLoad } from './stats/io-limiter.ts';
import { LibraryFileSystem } from './stats/library-file-system.ts';
import { RequestStatCache } from './stats/request-stat-cache.ts';

export type { Folder, Located } from './locate.ts';

export interface LibraryOptions {
  /** The base directories as absolute paths; the first holds the highest resolution (digilib.md, section 3). */
  readonly roots: readonly [string, ...string[]];
  /** Paths of the library that lead to folders elsewhere; these count as roots. */
  readonly virtualFolders?: readonly VirtualFolder[];
  /** Whether symbolic links may lead out of the roots. */
  readonly followLinksOutside: boolean;
  readonly orientation: OrientationRule;
  /** Called with each image file whose header can't be read, for the log. */
  readonly onUnreadable: (path: string, reason: string) => void;
  /** Called with each folder that the server may not read, once for each version of the folder, for the log. */
  readonly onUnreadableFolder?: (path: string) => void;
  /** Called with each fault in a metadata file, once for each version of the file, for the log. */
  readonly onMetadataFault?: (path: string, fault: MetadataFault) => void;
  /** Caches listings and facts of files for the next process. */
  readonly store?: ListingStore & FactsStore;
  /** About how many bytes of memory the cached listings and facts may take. */
  readonly maxMemoryBytes?: number;
  readonly derived?: Derived;
}

const defaultMemoryBytes = 64 * 1024 * 1024;

export interface LibraryLoad {
  readonly folders: { readonly folders: number; readonly bytes: number };
  readonly files: { readonly files: number; readonly bytes: number };
  readonly disk: readonly IoLoad[];
}

/** Methods without a description are those of `Locator`, `ImageMetadataReader` and `ImageDescriber`. */
export class Library {
  readonly #fileSystem: LibraryFileSystem;
  readonly #isContained: Containment;
  readonly #listings: ListingCache;
  readonly #first: Folders;
  readonly #prober: Prober;
  readonly #locator: Locator;
  readonly #describer: ImageDescriber;
  readonly #folderMetadata: FolderMetadataReader;
  readonly #imageMetadata: ImageMetadataReader;

  /** Throws where a root does not exist, and where a virtual folder has no usable link or does not exist. */
  constructor(options: LibraryOptions) {
    const { orientation, onUnreadable, onUnreadableFolder, store, maxMemoryBytes = defaultMemoryBytes } = options;
    const { derived = { find: () => undefined, state: () => 0 } } = options;
    const mounts = mountsOf(options.virtualFolders ?? []);
    const rootMountPoints = options.roots.map((root) => rootMountPoint(realpathSync(root)));
    const mountPoints = [...rootMountPoints, ...mounts];
    const directories = mountPoints.map(({ directory }) => directory);
    const fileSystem = new LibraryFileSystem(directories);
    const cache = createListingCache(maxMemoryBytes / 2);
    const isContained = containmentIn(directories, options.followLinksOutside);
    const parts = { isContained, fileSystem, cache, onUnreadableFolder, ...(store && { store }) };
    const first = new Folders(options.roots[0], parts, mounts);
    const others = options.roots.slice(1).map((root) => new Folders(root, parts));
    const locator = new Locator({ first, others, mountPoints, fileSystem });
    const prober = new Prober({ ...parts, orientation, onUnreadable, maxBytes: maxMemoryBytes / 2 });
    const onFault = options.onMetadataFault ?? (() => undefined);
    const metaFiles = new MetaFileReader(isContained, onFault, fileSystem);
    const metadata = new ImageMetadataReader({ first, locator, metaFiles, fileSystem });
    const originals = [...rootMountPoints.slice(0, 1), ...mounts];
    const prescaled = createPrescaled({ others, prober, fileSystem, mountPoints: originals });
    this.#fileSystem = fileSystem;
    this.#isContained = isContained;
    this.#listings = cache;
    this.#first = first;
    this.#prober = prober;
    this.#locator = locator;
    this.#describer = new ImageDescriber({ prober, prescaled, derived, metadata, fileSystem });
    this.#folderMetadata = new FolderMetadataReader(isContained, onFault, fileSystem);
    this.#imageMetadata = metadata;
  }

  load(): LibraryLoad {
    const folders = { folders: this.#listings.size, bytes: this.#listings.calculatedSize };
    return { folders, files: this.#prober.size(), disk: this.#fileSystem.load() };
  }

  /** Throws ImageError `changed` where the file is no longer the one that was planned with. */
  async requireCurrent(file: SourceFile): Promise<void> {
    const stats = this.#fileSystem.freshLstatSync(file.path);
    if (stats !== undefined && fingerprintOf(stats) === file.fingerprint) return;
    await this.#fileSystem.run(file.path, () => requireCurrent(file));
  }

  /** Opens a file that is still the one that was planned with. Throws ImageError `changed` where it is not. */
  openCurrent(file: SourceFile): Promise<OpenedFile> {
    return openCurrent(file, (operation) => this.#fileSystem.run(file.path, operation));
  }

  findFolder(identifier: Identifier): Promise<Folder | undefined> {
    return this.#locator.findFolder(identifier);
  }

  /** The content of a folder's metadata file; empty where there is no such folder or no such file. */
  async metadataOf(folder: Identifier): Promise<FolderMetadata> {
    const statCache = new RequestStatCache(this.#fileSystem);
    const listing = await this.#first.list(folder.segments, statCache);
    return listing === undefined ? {} : this.#folderMetadata.metadataOf(listing, statCache);
  }

  /** The text of a file in a folder of the first base directory, by its name alone; see `readTextIn`. */
  async readText(folder: Identifier, name: string): Promise<string | undefined> {
    const listing = await this.#first.list(folder.segments);
    if (listing === undefined) return undefined;
    const { directory } = listing;
    return this.#fileSystem.run(directory, () => readTextIn(directory, name, this.#isContained));
  }

  locate(identifier: Identifier, page: number): Promise<Located | undefined> {
    return this.#locator.locate(identifier, page);
  }

  subjectsIn(folder: Identifier): Promise<Subjects> {
    return this.#imageMetadata.subjectsIn(folder);
  }

  imageMetadata(located: Located): Promise<ImageMetadata> {
    return this.#imageMetadata.metadataOf(located);
  }

  describe(located: Located): Promise<ImageSet | undefined> {
    return this.#describer.describe(located);
  }

  isFresh(image: ImageSet): boolean {
    return this.#describer.isFresh(image);
  }
}
