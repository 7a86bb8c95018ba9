/** Finds images and folders by identifier in the base directories: the highest resolution first, then prescaled versions. */
import { realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { FolderMetadata, MetadataFault } from '../image/folder-metadata.ts';
import { stemOf } from '../image/formats.ts';
import { childOf, type Identifier, joinPage, splitLast, splitPage } from '../image/identifier.ts';
import type { ImageMetadata } from '../image/image-metadata.ts';
import type { ImageSet, Resolution } from '../image/image-set.ts';
import { readTextIn } from './folder-files.ts';
import { type Containment, Folders, ifThere, type Listing, pathIn } from './folders.ts';
import { metadataOfFile } from './meta-files/precedence.ts';
import { MetaFileReader } from './meta-files/reader.ts';
import { FolderMetadataReader } from './metadata/reader.ts';
import { type Entrance, placesOf, rootEntrance } from './places.ts';
import { type OrientationRule, Prober } from './probe.ts';
import { mountsOf, type VirtualFolder } from './virtual-folders.ts';

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

/** Tells whether a place lies in one of the roots; every place does where `anywhere` is set. */
export function containmentIn(roots: readonly string[], anywhere: boolean): Containment {
  if (anywhere) return () => true;
  const reals = roots.map((root) => realpathSync(root));
  const prefixes = reals.map((real) => (real.endsWith(path.sep) ? real : real + path.sep));
  return (place) => reals.includes(place) || prefixes.some((prefix) => place.startsWith(prefix));
}

export class Library {
  readonly #first: Folders;
  readonly #others: readonly Folders[];
  readonly #prober: Prober;
  readonly #metadata: FolderMetadataReader;
  readonly #metaFiles: MetaFileReader;
  readonly #isContained: Containment;
  readonly #entrances: readonly Entrance[];
  /** What is said of an image is asked once for each time that it is located: first for access, then to describe it. */
  readonly #imageMetadata = new WeakMap<Located, Promise<ImageMetadata>>();

  /** Throws where a root does not exist, and where a virtual folder has no usable link or does not exist. */
  constructor(options: LibraryOptions) {
    const mounts = mountsOf(options.virtualFolders ?? []);
    const places = [...options.roots, ...mounts.map(({ directory }) => directory)];
    const isContained = containmentIn(places, options.followLinksOutside);
    this.#isContained = isContained;
    this.#entrances = [
      ...options.roots.map((root) => rootEntrance(realpathSync(root))),
      ...mounts.map(({ directory, link }) => ({ directory, identifier: link })),
    ];
    const [first, ...others] = options.roots;
    this.#first = new Folders(first, isContained, mounts);
    this.#others = others.map((root) => new Folders(root, isContained));
    this.#prober = new Prober(isContained, options.orientation, options.onUnreadable);
    const onFault = options.onMetadataFault ?? (() => undefined);
    this.#metadata = new FolderMetadataReader(isContained, onFault);
    this.#metaFiles = new MetaFileReader(isContained, onFault);
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
    const listing = await this.#first.list(folder.segments);
    return listing === undefined ? {} : this.#metadata.metadataOf(listing);
  }

  /** The text of a file by its name alone, in the folder of this name in the first base directory; see `readTextIn`. */
  async readText(folder: Identifier, name: string): Promise<string | undefined> {
    const listing = await this.#first.list(folder.segments);
    return listing && readTextIn(listing.directory, name, this.#isContained);
  }

  /**
   * The image file that an identifier names with or without its extension, with or without a page inside of the file
   * (`scan.tif;2`), or that is the page (from 1) of the folder that it names. Undefined where there is no such file.
   */
  async locate(identifier: Identifier, page: number): Promise<Located | undefined> {
    const { parent, name } = splitLast(identifier);
    const around = parent && (await this.#first.list(parent.segments));
    if (parent && around?.has(name)) return this.#located(parent, around, name);
    const inside = await this.#first.list(identifier.segments);
    if (inside !== undefined) {
      const image = inside.images[page - 1];
      return image === undefined ? undefined : this.#located(identifier, inside, image);
    }
    if (!parent || !around) return undefined;
    const { file, page: pageInFile } = splitPage(name);
    const found = around.find(file);
    return found === undefined ? undefined : this.#located(parent, around, found, pageInFile);
  }

  /** The image files of the folder of this name, in page order. */
  async locateAll(folder: Identifier): Promise<readonly Located[]> {
    const listing = await this.#first.list(folder.segments);
    if (listing === undefined) return [];
    return Promise.all(listing.images.map((name) => this.#located(folder, listing, name)));
  }

  async #located(folder: Identifier, listing: Listing, name: string, pageInFile = 1): Promise<Located> {
    const path = pathIn(listing, name);
    const target = listing.linkedImages.has(name) ? await ifThere(realpath(path)) : undefined;
    const places = placesOf(childOf(folder, name), target === undefined ? [path] : [path, target], this.#entrances);
    return { identifier: childOf(folder, joinPage(name, pageInFile)), folder, listing, name, pageInFile, places };
  }

  /** What metadata files say of a located image (digilib.md, section 3); its own header is not read for it. */
  imageMetadata(located: Located): Promise<ImageMetadata> {
    const asked = this.#imageMetadata.get(located) ?? this.#readImageMetadata(located);
    this.#imageMetadata.set(located, asked);
    return asked;
  }

  /** What restricts an image under one of its paths restricts it under all: a link does not open what it leads to. */
  async #readImageMetadata(located: Located): Promise<ImageMetadata> {
    const list = (folder: Identifier) => this.#first.list(folder.segments);
    const own = await metadataOfFile(located, list, this.#metaFiles);
    const accesses = [own.access];
    for (const place of located.places.slice(1)) {
      const { parent: folder, name } = splitLast(place);
      const listing = folder && (await list(folder));
      if (!folder || !listing) continue;
      accesses.push((await metadataOfFile({ folder, listing, name }, list, this.#metaFiles)).access);
    }
    const restricting = accesses.find((access) => access !== undefined && access !== 'free');
    return restricting === undefined ? own : { ...own, access: restricting };
  }

  /** The resolutions of a located image; undefined where its first one can't be read or has no such page. */
  async describe(located: Located): Promise<ImageSet | undefined> {
    const { identifier, folder, listing, name, pageInFile: page } = located;
    const pages = await this.#prober.probe(pathIn(listing, name));
    const full = pages[page - 1];
    if (full === undefined) return undefined;
    const hasPrescaled = this.#others.length > 0 && page === 1;
    const prescaled = hasPrescaled ? await this.#prescaled(folder, name) : [];
    const metadata = await this.imageMetadata(located);
    return { identifier, name, page, pageCount: pages.length, resolutions: [full, ...prescaled], metadata };
  }

  /** The same image in the other base directories, largest first: same folder, same name, any image type. */
  async #prescaled(folder: Identifier, name: string): Promise<readonly Resolution[]> {
    const versions: Resolution[] = [];
    for (const folders of this.#others) {
      const listing = await folders.list(folder.segments);
      const version = listing && (await this.#probeSameStem(listing, name));
      if (version !== undefined) versions.push(version);
    }
    return versions.sort((a, b) => b.width * b.height - a.width * a.height);
  }

  async #probeSameStem(listing: Listing, name: string): Promise<Resolution | undefined> {
    const found = listing.find(name);
    if (found === undefined || stemOf(found) !== stemOf(name)) return undefined;
    const [first] = await this.#prober.probe(pathIn(listing, found));
    return first;
  }
}
