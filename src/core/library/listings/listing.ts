/** The names in one folder as its storage lists them: sorted, so that a hundred thousand names can be searched without an index of them. */
import path from 'node:path';
import { isRedactionsFile } from '../../image/folder/folder-metadata.ts';
import { isImageName, stemOf } from '../../image/model/formats.ts';
import { type Identifier, isSegment } from '../../image/model/identifier.ts';
import { isMediaName } from '../../image/model/media-formats.ts';
import { ifFound } from '../../storage/file-errors.ts';
import type { StoredEntry } from '../../storage/storage.ts';
import type { Storages } from '../../storage/storages.ts';
import type { Containment } from '../roots/containment.ts';
import { isTextName } from './text-names.ts';

/** The names in a folder, in any order. Names that begin with a dot are not among them, nor folders of names that no identifier can have. */
export interface Entries {
  readonly images: string[];
  readonly folders: string[];
  /** Names of files that may close or cover images: those that end with `.meta`, and `metadata.yaml`; of entries of any kind. */
  readonly metaFiles: string[];
  /** Names of files that may hold the text of an image. */
  readonly textFiles: string[];
  /** Names that end with `.json`, of entries of any kind. */
  readonly jsonFiles: string[];
  /** Names of files of sound and video, and of captions. */
  readonly mediaFiles: string[];
  /** Those of the images and folders that are symbolic links. */
  readonly linked: string[];
  /** Symbolic links that lead nowhere now, but may lead to a folder later. */
  readonly brokenLinks: string[];
}

/** The image files and folders of one folder, by name. */
export interface Listing {
  /** The folder's absolute path, links resolved. A folder that holds only virtual folders does not exist on the disk. */
  readonly directory: string;
  /** Whether its storage finds files by their names: then it may be right for one name alone (`Folders.around`). */
  readonly isByName: boolean;
  /** Names of the image files in code-unit order; `pn` counts these. */
  readonly images: readonly string[];
  /** Names of the folders in code-unit order. */
  readonly folders: readonly string[];
  /** Names of files that may close or cover images: those that end with `.meta`, and `metadata.yaml`; of entries of any kind. */
  readonly metaFiles: ReadonlySet<string>;
  /** Names of files that may hold the text of an image, in code-unit order. */
  readonly textFiles: readonly string[];
  /** Names that end with `.json`, of entries of any kind. */
  readonly jsonFiles: ReadonlySet<string>;
  /** Names of files of sound and video, and of captions, in code-unit order. */
  readonly mediaFiles: readonly string[];
  /** Whether some of the images are symbolic links. */
  readonly hasLinks: boolean;
  has(name: string): boolean;
  /** Finds a file by its name, or by its name without or with another extension (digilib.md, section 3). */
  find(name: string): string | undefined;
  /** Whether a folder may have this name, also on a file system that ignores case. */
  mayHoldFolder(name: string): boolean;
}

/** An image file in a listed folder. */
export interface ListedImage {
  readonly folder: Identifier;
  readonly listing: Listing;
  readonly name: string;
}

export const noEntries = (): Entries => ({
  images: [],
  folders: [],
  linked: [],
  metaFiles: [],
  textFiles: [],
  jsonFiles: [],
  mediaFiles: [],
  brokenLinks: [],
});

/** The kind of an entry; undefined for anything that is neither file nor folder, and for links that lead out. */
type EntryKind = 'file' | 'folder' | undefined;

export function addEntry(entries: Entries, name: string, isLink: boolean, kind: EntryKind): void {
  if (name.endsWith('.meta') || isRedactionsFile(name)) entries.metaFiles.push(name);
  if (name.endsWith('.json')) entries.jsonFiles.push(name);
  if (kind === 'folder') entries.folders.push(name);
  if (kind === undefined && isLink) entries.brokenLinks.push(name);
  if (kind === 'file' && isTextName(name)) entries.textFiles.push(name);
  if (kind === 'file' && isMediaName(name)) entries.mediaFiles.push(name);
  const isImage = kind === 'file' && isImageName(name);
  if (isImage) entries.images.push(name);
  if (isLink && (isImage || kind === 'folder')) entries.linked.push(name);
}

/** A link counts only where it leads to what belongs to the library. */
function kindOf({ kind, link }: StoredEntry, isContained: Containment): EntryKind {
  if (link === undefined) return kind;
  return link.target !== undefined && isContained(link.target) ? kind : undefined;
}

/**
 * The names in a folder, by its path without links; undefined where there is none, or where the path leads elsewhere by now.
 * Rejects where the storage fails or the server may not read it.
 */
export const readEntries = (
  directory: string,
  storages: Storages,
  isContained: Containment,
): Promise<Entries | undefined> => ifFound(readAll(directory, storages, isContained));

async function readAll(directory: string, storages: Storages, isContained: Containment): Promise<Entries> {
  const entries = noEntries();
  const storage = storages.of(directory);
  const hasMetaFiles = storage.byName?.hasMetaFiles ?? true;
  for await (const some of storage.list(directory)) {
    for (const entry of some) {
      if (entry.name.startsWith('.') || (!hasMetaFiles && entry.name.endsWith('.meta'))) continue;
      const kind = kindOf(entry, isContained);
      // Image files of such names stay: `pn` counts them.
      if (kind === 'folder' && !isSegment(entry.name)) continue;
      addEntry(entries, entry.name, entry.link !== undefined, kind);
    }
  }
  return entries;
}

export const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The index of a name among sorted names, or the index to insert it at. */
export function insertionIndex(sorted: readonly string[], name: string): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] ?? '') < name) from = middle + 1;
    else to = middle;
  }
  return from;
}

const isAmong = (sorted: readonly string[], name: string): boolean => sorted[insertionIndex(sorted, name)] === name;

const isPlain = (name: string): boolean => /^[\x00-\x7f]*$/.test(name);

const first = (names: readonly (string | undefined)[]): string | undefined =>
  names.filter((name) => name !== undefined).sort(byCodeUnit)[0];

function firstBy(names: readonly string[], keyOf: (name: string) => string): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (const name of names) if (!map.has(keyOf(name))) map.set(keyOf(name), name);
  return map;
}

/** Finds names among sorted names, in any Unicode normalization form. */
class Finder {
  readonly #names: readonly string[];
  /** All extensions as they are spelled, with their dots; there are few of them. */
  readonly #extensions: readonly string[];
  /** The names that are not in normalization form C, by that form, and by that form without the extension. */
  readonly #normalized: ReadonlyMap<string, string>;
  readonly #normalizedStems: ReadonlyMap<string, string>;

  constructor(sorted: readonly string[]) {
    this.#names = sorted;
    this.#extensions = [...new Set(sorted.map((name) => name.slice(stemOf(name).length)))];
    const others = sorted.filter((name) => !isPlain(name) && name.normalize('NFC') !== name);
    this.#normalized = firstBy(others, (name) => name.normalize('NFC'));
    this.#normalizedStems = firstBy(others, (name) => stemOf(name).normalize('NFC'));
  }

  find(name: string): string | undefined {
    if (isAmong(this.#names, name)) return name;
    const byOtherName = this.#byStem(name) ?? this.#byStem(stemOf(name));
    if (byOtherName !== undefined) return byOtherName;
    const normalized = name.normalize('NFC');
    return this.#byNormalized(normalized) ?? this.#byNormalized(stemOf(normalized));
  }

  #byStem(stem: string): string | undefined {
    return first(this.#extensions.map((extension) => this.#named(stem + extension)));
  }

  #byNormalized(name: string): string | undefined {
    return (
      first([this.#named(name), this.#normalized.get(name)]) ??
      first([this.#byStem(name), this.#normalizedStems.get(name)])
    );
  }

  #named(name: string): string | undefined {
    return isAmong(this.#names, name) ? name : undefined;
  }
}

const folded = (name: string): string => name.normalize('NFC').toLowerCase();

/** Sorts the entries, and creates a listing of them. */
export function createListing(directory: string, entries: Entries, isByName = false): Listing {
  const { images, folders, metaFiles, textFiles, jsonFiles, mediaFiles, linked, brokenLinks } = entries;
  // Without a comparison function, `sort` compares by code units, and is much faster.
  images.sort();
  folders.sort();
  textFiles.sort();
  mediaFiles.sort();
  let finder: Finder | undefined;
  let foldedFolders: ReadonlySet<string> | undefined;
  return {
    directory,
    isByName,
    images,
    folders,
    metaFiles: new Set(metaFiles),
    textFiles,
    jsonFiles: new Set(jsonFiles),
    mediaFiles,
    hasLinks: linked.length > 0,
    has: (name) => isAmong(images, name),
    find(name) {
      finder ??= new Finder(images);
      return finder.find(name);
    },
    mayHoldFolder(name) {
      foldedFolders ??= new Set([...folders, ...brokenLinks].map(folded));
      return foldedFolders.has(folded(name));
    },
  };
}

/** A listing with virtual folders among its folders; these replace real ones of the same name. */
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
export function bytesOf({ images, folders, metaFiles, textFiles, jsonFiles, mediaFiles }: Listing): number {
  const bytesPerName = 48;
  const lengthOf = (names: readonly string[]) => names.reduce((sum, name) => sum + name.length + bytesPerName, 0);
  const names = lengthOf(images) + lengthOf(folders) + lengthOf(textFiles) + lengthOf(mediaFiles);
  return 500 + names + (metaFiles.size + jsonFiles.size) * 100;
}

export const pathIn = (listing: Pick<Listing, 'directory'>, name: string): string => path.join(listing.directory, name);
