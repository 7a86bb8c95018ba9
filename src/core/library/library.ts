/** Finds images and folders by identifier in the base directories: the highest resolution first, then prescaled versions. */
import pMap from 'p-map';
import { type FolderMetadata, metadataFiles } from '../image/folder/folder-metadata.ts';
import { type Identifier, splitLast } from '../image/model/identifier.ts';
import type { ImageMetadata, ImageSet, SourceFile } from '../image/model/image-set.ts';
import { ifReadable } from '../storage/file-errors.ts';
import type { FileVersion, IoLoad, SourceHandle } from '../storage/storage.ts';
import { Storages, storagePathOf } from '../storage/storages.ts';
import type { Subjects } from './image-metadata-reader.ts';
import type { CataloguedPart } from './listings/folder-cache.ts';
import { readTextIn } from './listings/folder-files.ts';
import { pathIn } from './listings/listing.ts';
import { imageBeside, mediaNamed, mediaOfText, type NamedText, textsBeside } from './listings/media-names.ts';
import type { Folder, Located } from './locate.ts';
import { type LibraryOptions, type LibraryParts, openLibraryParts, type SidecarParts } from './open-parts.ts';
import { RootDisks, type RootState } from './roots/root-disks.ts';
import { RequestStatCache } from './stats/request-stat-cache.ts';

export type { CataloguedPart } from './listings/folder-cache.ts';
export type { Folder, Located } from './locate.ts';
export type { LibraryOptions, SidecarParts } from './open-parts.ts';
export type { RootState } from './roots/root-disks.ts';

export interface LibraryLoad {
  readonly folders: { readonly folders: number; readonly bytes: number };
  readonly files: { readonly files: number; readonly bytes: number };
  readonly disk: readonly IoLoad[];
}

/** A file of sound or video, or a text beside one, as it was found. */
export interface LocatedMedia extends Located {
  readonly file: SourceFile;
  /** Of a text, the names of the files that it is beside. */
  readonly belongsTo: readonly string[];
  /** Of sound or video, the texts and the image beside it. */
  readonly texts: readonly NamedText[];
  readonly image: string | undefined;
}

/** How many headers are read at once for a list of files. */
const boundedReads = { concurrency: 32 } as const;

/** Methods without a description are those of `Folders`, `Locator`, `ImageMetadataReader` and `ImageDescriber`. */
export class Library {
  readonly #roots: RootDisks;
  #parts: LibraryParts;

  /**
   * Throws where a root does not exist, and where a virtual folder has no usable link or does not exist. A root whose disk
   * does not answer within some seconds is served as soon as it answers.
   */
  constructor(options: LibraryOptions) {
    const { roots, virtualFolders = [], onHangingRoot, onAnsweringRoot, storages = new Storages() } = options;
    this.#roots = new RootDisks([...roots.map((folder) => ({ folder })), ...virtualFolders], {
      stateOf: (folder) => storages.of(storagePathOf(folder)).stateOf(storagePathOf(folder)),
      resolve: (folder) => {
        const path = storagePathOf(folder);
        return ifReadable(this.#parts.storages.of(path).realPath(path, 'atLeisure'));
      },
      onMoved: () => {
        this.#parts = this.#open(options);
      },
      onHanging: onHangingRoot,
      onAnswering: onAnsweringRoot,
    });
    this.#parts = this.#open(options);
    this.#roots.watchHanging();
  }

  #open(options: LibraryOptions): LibraryParts {
    return openLibraryParts(options, {
      realPathOf: (folder) => this.#roots.realPathOf(folder),
      onNoAnswer: () => void this.#roots.check(),
    });
  }

  load(): LibraryLoad {
    const folders = { folders: this.#parts.listings.size, bytes: this.#parts.listings.calculatedSize };
    return { folders, files: this.#parts.prober.size(), disk: this.#parts.storages.load() };
  }

  /** The roots, and whether their disks answered when they were asked last. */
  roots(): readonly RootState[] {
    return this.#roots.states();
  }

  /** The same, asked now: within 2 s. */
  checkRoots(): Promise<readonly RootState[]> {
    return this.#roots.check();
  }

  /** The directory of the root that holds a file; undefined for a file elsewhere, such as a derived pyramid. */
  rootOf(file: string): string | undefined {
    return this.#parts.storages.directoryOf(file);
  }

  /** A source file at its storage, within the limits of its root. */
  handle<File extends FileVersion>(file: File): SourceHandle<File> {
    return this.#parts.storages.handle(file);
  }

  findFolder(identifier: Identifier): Promise<Folder | undefined> {
    return this.#parts.locator.findFolder(identifier);
  }

  /**
   * The content of a folder's metadata file; empty where there is no such folder or no such file. For its `titles`, which are all
   * but what it says of pages, no long folder is listed.
   */
  async metadataOf(folder: Identifier, part?: 'titles'): Promise<FolderMetadata> {
    const statCache = new RequestStatCache(this.#parts.storages);
    const { first, metadata } = this.#parts;
    if (part === 'titles' && (await first.listIfShort(folder.segments, statCache)) === 'long') {
      const file = await first.fileNamed(folder.segments, metadataFiles);
      return file === undefined ? {} : metadata.titlesIn(file, statCache);
    }
    const listing = await this.#parts.locator.listingOf(folder, statCache);
    return listing === undefined ? {} : metadata.metadataOf(listing, statCache);
  }

  /** The names in a folder of the first base directory that end with `.json`; empty where there is no such folder. */
  async jsonFilesOf(folder: Identifier): Promise<ReadonlySet<string>> {
    const listing = await this.#parts.locator.listingOf(folder, new RequestStatCache(this.#parts.storages));
    return listing?.jsonFiles ?? new Set();
  }

  /** The text of a file in a folder of the first base directory, by its name alone; see `readTextIn`. */
  async readText(folder: Identifier, name: string): Promise<string | undefined> {
    const listing = await this.#parts.locator.listingOf(folder, new RequestStatCache(this.#parts.storages));
    if (listing === undefined) return undefined;
    const { directory } = listing;
    return readTextIn(directory, name, this.#parts);
  }

  catalogued(folder: Identifier): CataloguedPart | undefined {
    return this.#parts.first.catalogued(folder.segments);
  }

  hiddenFoldersIn(folder: Identifier): Promise<readonly string[]> {
    return this.#parts.locator.hiddenFoldersIn(folder);
  }

  isShown(folder: Identifier): Promise<boolean> {
    return this.#parts.locator.isShown(folder);
  }

  locate(identifier: Identifier, page: number): Promise<Located | undefined> {
    return this.#parts.locator.locate(identifier, page);
  }

  folderPaths(identifier: Identifier): Promise<readonly Identifier[] | undefined> {
    return this.#parts.locator.folderPaths(identifier);
  }

  pathsOf(identifier: Identifier): Promise<readonly Identifier[]> {
    return this.#parts.locator.pathsOf(identifier);
  }

  subjectsIn(folder: Identifier): Promise<Subjects> {
    return this.#parts.imageMetadata.subjectsIn(folder);
  }

  mayCover(folder: Identifier): Promise<boolean> {
    return this.#parts.imageMetadata.mayCover(folder);
  }

  imageMetadata(located: Located): Promise<ImageMetadata> {
    return this.#parts.imageMetadata.metadataOf(located);
  }

  /** The file of sound or video that an identifier names exactly, or a text beside one; undefined where there is none. */
  async locateMedia(identifier: Identifier): Promise<LocatedMedia | undefined> {
    const { first, locator, storages, isContained } = this.#parts;
    const { parent: folder, name } = splitLast(identifier);
    const statCache = new RequestStatCache(storages);
    const listing = folder && (await first.list(folder.segments, statCache));
    const found = listing && mediaNamed(listing, name);
    if (folder === undefined || listing === undefined || found === undefined) return undefined;
    const located = await locator.located({ folder, listing, name: found }, statCache);
    const file = await statCache.contained(pathIn(listing, found), isContained);
    if (file === undefined || !file.stats.isFile()) return undefined;
    const { real: path, stats, fingerprint } = file;
    return {
      ...located,
      file: { path, bytes: Number(stats.size), modifiedMs: Number(stats.mtimeMs), fingerprint },
      belongsTo: mediaOfText(listing, found),
      texts: textsBeside(listing, found),
      image: imageBeside(listing, found),
    };
  }

  describe(located: Located): Promise<ImageSet | undefined> {
    return this.#parts.describer.describe(located);
  }

  /**
   * How many pages the files of these names in a folder have, in their order; 0 for one that is no readable image. Throws
   * ImageError as `listingOf` and `describe` do.
   */
  async pageCountsOf(folder: Identifier, names: readonly string[]): Promise<readonly number[]> {
    const { locator, prober, storages } = this.#parts;
    const statCache = new RequestStatCache(storages);
    const listing = await locator.listingOf(folder, statCache);
    if (listing === undefined) return names.map(() => 0);
    return pMap(names, async (name) => (await prober.probe(listing, name, statCache)).length, boundedReads);
  }

  isFresh(image: ImageSet): boolean {
    return this.#parts.describer.isFresh(image);
  }

  /** What finds files beside images, as the roots lie on the disk now; another object once they have moved. */
  sidecars(): SidecarParts {
    return this.#parts.sidecars;
  }
}
