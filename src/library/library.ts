/** Finds images and folders by identifier in the base directories: the highest resolution first, then prescaled versions. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { stemOf } from '../image/formats.ts';
import { childOf, type Identifier, parseIdentifier } from '../image/identifier.ts';
import type { ImageSet, Resolution } from '../image/image-set.ts';
import { type Containment, Folders, type Listing, pathIn, splitLast } from './folders.ts';
import { type OrientationRule, Prober } from './probe.ts';

export interface LibraryOptions {
  /** The base directories as absolute paths; the first holds the highest resolution (digilib.md, section 3). */
  readonly roots: readonly [string, ...string[]];
  /** Whether symbolic links may lead out of the roots. */
  readonly followLinksOutside: boolean;
  readonly orientation: OrientationRule;
  /** Told of each image file whose header can't be read, for the log. */
  readonly onUnreadable: (path: string, reason: string) => void;
}

/** What a folder holds, by name, in code-unit order. */
export interface Folder {
  readonly identifier: Identifier;
  /** Names of the image files; page numbers count these from 1. */
  readonly images: readonly string[];
  readonly folders: readonly string[];
}

function containmentIn(roots: readonly string[], anywhere: boolean): Containment {
  if (anywhere) return () => true;
  const reals = roots.map((root) => realpathSync(root));
  const prefixes = reals.map((real) => (real.endsWith(path.sep) ? real : real + path.sep));
  return (place) => reals.includes(place) || prefixes.some((prefix) => place.startsWith(prefix));
}

export class Library {
  readonly #first: Folders;
  readonly #others: readonly Folders[];
  readonly #prober: Prober;

  /** Throws where a root does not exist. */
  constructor(options: LibraryOptions) {
    const isContained = containmentIn(options.roots, options.followLinksOutside);
    const [first, ...others] = options.roots;
    this.#first = new Folders(first, isContained);
    this.#others = others.map((root) => new Folders(root, isContained));
    this.#prober = new Prober(isContained, options.orientation, options.onUnreadable);
  }

  /** The folder of this name in the first base directory. */
  async findFolder(identifier: Identifier): Promise<Folder | undefined> {
    const listing = await this.#first.list(identifier.segments);
    return listing && { identifier, images: listing.images, folders: listing.folders };
  }

  /**
   * The canonical name of an image: of the file that the identifier names with or without its extension, or of the page
   * (from 1) of the folder that it names. Undefined where there is no such file.
   */
  async locate(identifier: Identifier, page: number): Promise<Identifier | undefined> {
    const { parent, name } = splitLast(identifier);
    const around = name === undefined ? undefined : await this.#first.list(parent);
    if (name !== undefined && around?.images.includes(name)) return identifier;
    const inside = await this.#first.list(identifier.segments);
    if (inside !== undefined) {
      const image = inside.images[page - 1];
      return image === undefined ? undefined : childOf(identifier, image);
    }
    const found = name === undefined ? undefined : around?.find(name);
    return found === undefined ? undefined : parseIdentifier([...parent, found].join('/'));
  }

  /** The resolutions of the image with this canonical name; undefined where its first one can't be read. */
  async describe(canonical: Identifier): Promise<ImageSet | undefined> {
    const { parent, name } = splitLast(canonical);
    const listing = await this.#first.list(parent);
    if (listing === undefined || name === undefined) return undefined;
    const found = listing.find(name);
    const full = found === undefined ? undefined : await this.#prober.probe(pathIn(listing, found));
    if (full === undefined || found === undefined) return undefined;
    const prescaled = await this.#prescaled(parent, found);
    return { identifier: canonical, name: found, resolutions: [full, ...prescaled] };
  }

  /** The same image in the other base directories, largest first: same folder, same name, any image type. */
  async #prescaled(parent: readonly string[], name: string): Promise<readonly Resolution[]> {
    const versions: Resolution[] = [];
    for (const folders of this.#others) {
      const listing = await folders.list(parent);
      const version = listing && (await this.#probeSameStem(listing, name));
      if (version !== undefined) versions.push(version);
    }
    return versions.sort((a, b) => b.width * b.height - a.width * a.height);
  }

  async #probeSameStem(listing: Listing, name: string): Promise<Resolution | undefined> {
    const found = listing.find(name);
    return found !== undefined && stemOf(found) === stemOf(name)
      ? this.#prober.probe(pathIn(listing, found))
      : undefined;
  }
}
