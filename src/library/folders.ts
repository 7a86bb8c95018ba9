/** Lists the folders of one root: contained, sorted, and remembered until the folder changes. */
import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { isImageName, stemOf } from '../image/formats.ts';
import { Recent } from './recent.ts';

/** The image files and folders of one folder, by name. */
export interface Listing {
  /** The folder's own absolute path, links resolved. */
  readonly directory: string;
  /** Names of the image files in code-unit order; `pn` counts these. */
  readonly images: readonly string[];
  /** Names of the folders in code-unit order. */
  readonly folders: readonly string[];
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

/** Modification times are coarse: within this time after a change, a listing may have missed the next one. */
const settledAfterMs = 2000;

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function makeListing(directory: string, images: string[], folders: string[]): Listing {
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
  return { directory, images, folders, has: (name) => names.has(name), find };
}

/** The folders below one root. */
export class Folders {
  readonly #root: string;
  readonly #isContained: Containment;
  readonly #remembered = new Recent<string, Remembered>(5000);

  /** `root` is an absolute path; `isContained` says which places its links may lead to. */
  constructor(root: string, isContained: Containment) {
    this.#root = root;
    this.#isContained = isContained;
  }

  /** The listing of a folder; undefined where there is none, or where a link leads out of the roots. */
  async list(segments: readonly string[]): Promise<Listing | undefined> {
    for (const form of spellings(segments)) {
      const listing = await this.#read(path.join(this.#root, ...form));
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
    const images: string[] = [];
    const folders: string[] = [];
    for (const entry of entries) {
      if (entry.name.startsWith('.')) continue;
      const kind = await this.#kindOf(directory, entry);
      if (kind === 'folder') folders.push(entry.name);
      else if (kind === 'file' && isImageName(entry.name)) images.push(entry.name);
    }
    return makeListing(directory, images, folders);
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
