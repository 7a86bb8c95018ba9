/** What one folder holds by name: sorted, so that a hundred thousand names are found without a table of them. */
import path from 'node:path';
import { isImageName, stemOf } from '../../image/model/formats.ts';

/** The names in a folder, in any order. Names that begin with a dot are not among them. */
export interface Entries {
  readonly images: string[];
  readonly folders: string[];
  /** Those of the images that are symbolic links. */
  readonly linkedImages: string[];
  /** Names that end with `.meta`, whatever is behind them. */
  readonly metaFiles: string[];
  /** Those of the folders that are symbolic links. */
  readonly linkedFolders: string[];
  /** Symbolic links that lead nowhere now; later they may lead to a folder. */
  readonly looseLinks: string[];
}

/** The image files and folders of one folder, by name. */
export interface Listing {
  /** The folder's own absolute path, links resolved; one that holds virtual directories alone is not on the disk. */
  readonly directory: string;
  /** Names of the image files in code-unit order; `pn` counts these. */
  readonly images: readonly string[];
  /** Names of the folders in code-unit order. */
  readonly folders: readonly string[];
  /** Names of the image files that are symbolic links. */
  readonly linkedImages: ReadonlySet<string>;
  /** Names that end with `.meta`, whatever is behind them. */
  readonly metaFiles: ReadonlySet<string>;
  /** Whether an image file has exactly this name. */
  has(name: string): boolean;
  /** Finds a file by its name, or by its name without or with another extension (digilib.md, section 3). */
  find(name: string): string | undefined;
  /** Whether a folder may have this name, also on a disk that does not tell upper from lower case. */
  mayHoldFolder(name: string): boolean;
}

export const noEntries = (): Entries => ({
  images: [],
  folders: [],
  linkedImages: [],
  linkedFolders: [],
  metaFiles: [],
  looseLinks: [],
});

/** What stands behind a name: undefined for all that is neither file nor folder, and for links that lead out. */
export type EntryKind = 'file' | 'folder' | undefined;

export function addEntry(entries: Entries, name: string, isLink: boolean, kind: EntryKind): void {
  if (name.endsWith('.meta')) entries.metaFiles.push(name);
  if (kind === 'folder') entries.folders.push(name);
  if (kind === 'folder' && isLink) entries.linkedFolders.push(name);
  if (kind === undefined && isLink) entries.looseLinks.push(name);
  if (kind !== 'file' || !isImageName(name)) return;
  entries.images.push(name);
  if (isLink) entries.linkedImages.push(name);
}

export const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The place of a name among sorted ones; where it is not among them, the place before which it belongs. */
export function placeAmong(sorted: readonly string[], name: string): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] ?? '') < name) from = middle + 1;
    else to = middle;
  }
  return from;
}

const isAmong = (sorted: readonly string[], name: string): boolean => sorted[placeAmong(sorted, name)] === name;

const isPlain = (name: string): boolean => /^[\x00-\x7f]*$/.test(name);

const first = (names: readonly (string | undefined)[]): string | undefined =>
  names.filter((name) => name !== undefined).sort(byCodeUnit)[0];

/** The first of the names for each key. */
function firstBy(names: readonly string[], keyOf: (name: string) => string): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (const name of names) if (!map.has(keyOf(name))) map.set(keyOf(name), name);
  return map;
}

/** Finds names among sorted ones, in whatever form of Unicode they are written. */
class Finder {
  readonly #names: readonly string[];
  /** With their dots, as they are spelled here; there are few of them. */
  readonly #extensions: readonly string[];
  /** Those names that another text is the composed form of, by that form, and by that form without their extensions. */
  readonly #composed: ReadonlyMap<string, string>;
  readonly #composedStems: ReadonlyMap<string, string>;

  constructor(sorted: readonly string[]) {
    this.#names = sorted;
    this.#extensions = [...new Set(sorted.map((name) => name.slice(stemOf(name).length)))];
    const others = sorted.filter((name) => !isPlain(name) && name.normalize('NFC') !== name);
    this.#composed = firstBy(others, (name) => name.normalize('NFC'));
    this.#composedStems = firstBy(others, (name) => stemOf(name).normalize('NFC'));
  }

  find(name: string): string | undefined {
    if (isAmong(this.#names, name)) return name;
    const byOtherName = this.#byStem(name) ?? this.#byStem(stemOf(name));
    if (byOtherName !== undefined) return byOtherName;
    const normal = name.normalize('NFC');
    return this.#byNormalForm(normal) ?? this.#byNormalForm(stemOf(normal));
  }

  #byStem(stem: string): string | undefined {
    return first(this.#extensions.map((extension) => this.#named(stem + extension)));
  }

  #byNormalForm(normal: string): string | undefined {
    return (
      first([this.#named(normal), this.#composed.get(normal)]) ??
      first([this.#byStem(normal), this.#composedStems.get(normal)])
    );
  }

  #named(name: string): string | undefined {
    return isAmong(this.#names, name) ? name : undefined;
  }
}

const folded = (name: string): string => name.normalize('NFC').toLowerCase();

/** Sorts the names, and makes a listing of them. */
export function makeListing(directory: string, entries: Entries): Listing {
  const { images, folders, looseLinks } = entries;
  // Without a function of its own, `sort` compares by code units, and fast.
  images.sort();
  folders.sort();
  return listingOf(directory, entries, [...folders, ...looseLinks]);
}

function listingOf(directory: string, entries: Entries, maybeFolders: readonly string[]): Listing {
  const { images, folders, linkedImages, metaFiles } = entries;
  let finder: Finder | undefined;
  let foldedFolders: ReadonlySet<string> | undefined;
  return {
    directory,
    images,
    folders,
    linkedImages: new Set(linkedImages),
    metaFiles: new Set(metaFiles),
    has: (name) => isAmong(images, name),
    find(name) {
      finder ??= new Finder(images);
      return finder.find(name);
    },
    mayHoldFolder(name) {
      foldedFolders ??= new Set(maybeFolders.map(folded));
      return foldedFolders.has(folded(name));
    },
  };
}

/** A listing with the names of virtual directories among its folders; these stand before real ones of the same name. */
export function withFolders(listing: Listing, added: readonly string[]): Listing {
  const virtual = new Map(added.map((name) => [name.normalize('NFC'), name]));
  const others = listing.folders.filter((name) => !virtual.has(name.normalize('NFC')));
  const addedNames = new Set(added.map(folded));
  return {
    ...listing,
    folders: [...others, ...virtual.values()].sort(byCodeUnit),
    mayHoldFolder: (name) => addedNames.has(folded(name)) || listing.mayHoldFolder(name),
  };
}

/** About how many bytes of memory a listing takes. */
export function bytesOf({ images, folders, metaFiles, linkedImages }: Listing): number {
  const bytesPerName = 48;
  const lengths = [images, folders].map((names) => names.reduce((sum, name) => sum + name.length + bytesPerName, 0));
  return 500 + (lengths[0] ?? 0) + (lengths[1] ?? 0) + (metaFiles.size + linkedImages.size) * 100;
}

/** The path of a file inside a listed folder. */
export const pathIn = (listing: Pick<Listing, 'directory'>, name: string): string => path.join(listing.directory, name);
