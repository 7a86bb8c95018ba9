/** Lists the folders of one root: contained, sorted, and remembered until the folder changes. */
import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { isImageName, stemOf } from '../image/formats.ts';
import { settledAfterMs } from './current.ts';
import { Recent } from './recent.ts';
import { type Mount, mountAround, mountNamesIn } from './virtual-folders.ts';

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
}

/** Whether an absolute path without links lies in one of the roots. */
export type Containment = (realPath: string) => boolean;

interface Remembered {
  readonly listing: Listing;
  readonly version: string;
}

/** Errors that mean that a name leads nowhere, as opposed to a disk that fails. */
const nowhere = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG', 'EINVAL']);

/** The result of a file operation, or undefined where the name leads nowhere. */
export async function ifThere<T>(operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (error instanceof Error && 'code' in error && nowhere.has(String(error.code))) return undefined;
    throw error;
  }
}

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The names that a folder's listing is made from, in any order. */
interface Entries {
  readonly images: string[];
  readonly folders: string[];
  readonly linkedImages: Set<string>;
  readonly metaFiles: Set<string>;
}

const noEntries = (): Entries => ({ images: [], folders: [], linkedImages: new Set(), metaFiles: new Set() });

function makeListing(directory: string, { images, folders, linkedImages, metaFiles }: Entries): Listing {
  images.sort(byCodeUnit);
  folders.sort(byCodeUnit);
  const names = new Set(images);
  let byStem: Map<string, string> | undefined;
  let byNormalForm: Map<string, string> | undefined;
  const firstOf = (key: (name: string) => string): Map<string, string> => {
    const map = new Map<string, string>();
    for (const name of images) if (!map.has(key(name))) map.set(key(name), name);
    return map;
  };
  const find = (name: string): string | undefined => {
    if (names.has(name)) return name;
    byStem ??= firstOf(stemOf);
    const byOtherName = byStem.get(name) ?? byStem.get(stemOf(name));
    if (byOtherName !== undefined) return byOtherName;
    const normal = name.normalize('NFC');
    byNormalForm ??= new Map([
      ...firstOf((one) => stemOf(one).normalize('NFC')),
      ...firstOf((one) => one.normalize('NFC')),
    ]);
    return byNormalForm.get(normal) ?? byNormalForm.get(stemOf(normal));
  };
  return { directory, images, folders, linkedImages, metaFiles, has: (name) => names.has(name), find };
}

function addEntry(listed: Entries, entry: Dirent, kind: 'file' | 'folder' | undefined): void {
  const { name } = entry;
  if (name.endsWith('.meta')) listed.metaFiles.add(name);
  if (kind === 'folder') listed.folders.push(name);
  if (kind !== 'file' || !isImageName(name)) return;
  listed.images.push(name);
  if (entry.isSymbolicLink()) listed.linkedImages.add(name);
}

/** A listing with the names of virtual directories among its folders; these stand before real ones of the same name. */
function withFolders(listing: Listing, added: readonly string[]): Listing {
  const virtual = new Map(added.map((name) => [name.normalize('NFC'), name]));
  const others = listing.folders.filter((name) => !virtual.has(name.normalize('NFC')));
  return { ...listing, folders: [...others, ...virtual.values()].sort(byCodeUnit) };
}

/** The folders below one root. */
export class Folders {
  readonly #root: string;
  readonly #isContained: Containment;
  readonly #mounts: readonly Mount[];
  readonly #remembered = new Recent<string, Remembered>(5000);

  /** `root` is an absolute path; `isContained` says which places its links may lead to. */
  constructor(root: string, isContained: Containment, mounts: readonly Mount[] = []) {
    this.#root = root;
    this.#isContained = isContained;
    this.#mounts = mounts;
  }

  /** The listing of a folder; undefined where there is none, or where a link leads out of the roots. */
  async list(segments: readonly string[]): Promise<Listing | undefined> {
    const virtual = mountNamesIn(this.#mounts, segments);
    const listing = await this.#listReal(segments);
    if (virtual.length === 0) return listing;
    return withFolders(listing ?? makeListing(path.join(this.#root, ...segments), noEntries()), virtual);
  }

  async #listReal(segments: readonly string[]): Promise<Listing | undefined> {
    const mount = mountAround(this.#mounts, segments);
    const start = mount?.directory ?? this.#root;
    for (const form of spellings(segments.slice(mount?.names.length ?? 0))) {
      const listing = await this.#read(path.join(start, ...form));
      if (listing !== undefined) return listing;
    }
    return undefined;
  }

  async #read(directory: string): Promise<Listing | undefined> {
    const real = await ifThere(realpath(directory));
    if (real === undefined || !this.#isContained(real)) return undefined;
    const stats = await ifThere(stat(real, { bigint: true }));
    if (!stats?.isDirectory()) return undefined;
    const version = `${stats.dev}:${stats.ino}:${stats.mtimeNs}`;
    const remembered = this.#remembered.get(real);
    if (remembered?.version === version) return remembered.listing;
    const readAt = Date.now();
    const listing = await this.#readEntries(real);
    if (listing === undefined) return undefined;
    if (readAt - Number(stats.mtimeMs) > settledAfterMs) this.#remembered.set(real, { listing, version });
    return listing;
  }

  async #readEntries(directory: string): Promise<Listing | undefined> {
    const entries = await ifThere(readdir(directory, { withFileTypes: true }));
    if (entries === undefined) return undefined;
    const listed = noEntries();
    for (const entry of entries) {
      if (entry.name.startsWith('.')) continue;
      addEntry(listed, entry, await this.#kindOf(directory, entry));
    }
    return makeListing(directory, listed);
  }

  async #kindOf(directory: string, entry: Dirent): Promise<'file' | 'folder' | undefined> {
    if (entry.isFile()) return 'file';
    if (entry.isDirectory()) return 'folder';
    if (!entry.isSymbolicLink()) return undefined;
    const target = await ifThere(realpath(path.join(directory, entry.name)));
    if (target === undefined || !this.#isContained(target)) return undefined;
    const stats = await ifThere(stat(target));
    if (stats?.isFile()) return 'file';
    return stats?.isDirectory() ? 'folder' : undefined;
  }
}

/** A path as it was asked for, then in the composed and the decomposed form of Unicode where those differ. */
function spellings(segments: readonly string[]): readonly (readonly string[])[] {
  const asked = segments.join('/');
  const others = ['NFC', 'NFD'].map((form) => asked.normalize(form)).filter((other) => other !== asked);
  return [segments, ...others.map((other) => other.split('/'))];
}

/** The path of a file inside a listed folder. */
export const pathIn = (listing: Listing, name: string): string => path.join(listing.directory, name);
