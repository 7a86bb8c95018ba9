/** Finds images and folders by identifier in the base directories: the highest resolution first, then prescaled versions. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { FolderMetadata, MetadataFault } from '../image/folder-metadata.ts';
import { stemOf } from '../image/formats.ts';
import { childOf, type Identifier, joinPage, splitLast, splitPage } from '../image/identifier.ts';
import type { ImageSet, Resolution } from '../image/image-set.ts';
import { readTextIn } from './folder-files.ts';
import { type Containment, Folders, type Listing, pathIn } from './folders.ts';
import { FolderMetadataReader } from './metadata/reader.ts';
import { type OrientationRule, Prober } from './probe.ts';

export interface LibraryOptions {
  /** The base directories as absolute paths; the first holds the highest resolution (digilib.md, section 3). */
  readonly roots: readonly [string, ...string[]];
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
}

const located = (folder: Identifier, listing: Listing, name: string, pageInFile = 1): Located => ({
  identifier: childOf(folder, joinPage(name, pageInFile)),
  folder,
  listing,
  name,
  pageInFile,
});

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
  readonly #isContained: Containment;

  /** Throws where a root does not exist. */
  constructor(options: LibraryOptions) {
    const isContained = containmentIn(options.roots, options.followLinksOutside);
    this.#isContained = isContained;
    const [first, ...others] = options.roots;
    this.#first = new Folders(first, isContained);
    this.#others = others.map((root) => new Folders(root, isContained));
    this.#prober = new Prober(isContained, options.orientation, options.onUnreadable);
    this.#metadata = new FolderMetadataReader(isContained, options.onMetadataFault ?? (() => undefined));
  }

  /** The folder of this name in the first base directory. */
  async findFolder(identifier: Identifier): Promise<Folder | undefined> {
    const listing = await this.#first.list(identifier.segments);
    return listing && { identifier, images: listing.images, folders: listing.folders };
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
    if (parent && around?.has(name)) return located(parent, around, name);
    const inside = await this.#first.list(identifier.segments);
    if (inside !== undefined) {
      const image = inside.images[page - 1];
      return image === undefined ? undefined : located(identifier, inside, image);
    }
    if (!parent || !around) return undefined;
    const { file, page: pageInFile } = splitPage(name);
    const found = around.find(file);
    return found === undefined ? undefined : located(parent, around, found, pageInFile);
  }

  /** The resolutions of a located image; undefined where its first one can't be read or has no such page. */
  async describe({ identifier, folder, listing, name, pageInFile: page }: Located): Promise<ImageSet | undefined> {
    const pages = await this.#prober.probe(pathIn(listing, name));
    const full = pages[page - 1];
    if (full === undefined) return undefined;
    const hasPrescaled = this.#others.length > 0 && page === 1;
    const prescaled = hasPrescaled ? await this.#prescaled(folder, name) : [];
    return { identifier, name, page, pageCount: pages.length, resolutions: [full, ...prescaled] };
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
