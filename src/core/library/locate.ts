/** Locates images and folders by identifier in the first base directory. */

import { fileChanged } from '../image/model/errors.ts';
import { imageExtensions, stemOf } from '../image/model/formats.ts';
import { childOf, type Identifier, joinPage, rootIdentifier, splitLast, splitPage } from '../image/model/identifier.ts';
import type { Storages } from '../storage/storages.ts';
import type { Folders } from './listings/folder-cache.ts';
import { type ListedImage, type Listing, pathIn } from './listings/listing.ts';
import { hiddenAmong, shownFolders, type TextFolderNames } from './listings/text-folders.ts';
import { type MountPoint, mountedPaths } from './roots/virtual-folders.ts';
import { RequestStatCache } from './stats/request-stat-cache.ts';

/** The names in a folder, in code-unit order. */
export interface Folder {
  readonly identifier: Identifier;
  /** Every path under which the library shows the folder, for access rules: the identifier, then the others. */
  readonly paths: readonly Identifier[];
  /** Names of the image files; page numbers count these from 1. */
  readonly images: readonly string[];
  /** Without those that hold only the texts of scans. */
  readonly folders: readonly string[];
  /** Names of files of sound and video, and of captions; absent for none. */
  readonly mediaFiles?: readonly string[];
  /** Present where a caller may see one image of the folder alone, and not the folder. */
  readonly isAlone?: true;
}

export interface Located extends ListedImage {
  /** Its canonical identifier. */
  readonly identifier: Identifier;
  /** The page of the file, from 1. */
  readonly pageInFile: number;
  /** Every path under which the library shows the file, for access rules: the one by its folder and name, then the others. */
  readonly paths: readonly Identifier[];
  /** The stats that locating it has made; what describes it makes none of them again. */
  readonly statCache: RequestStatCache;
}

export interface LocatorParts {
  /** The folders of the first base directory. */
  readonly first: Folders;
  readonly mountPoints: readonly MountPoint[];
  readonly storages: Storages;
  /** The names of folders for the texts of scans. */
  readonly textFolders: TextFolderNames;
}

/** The names of files that a path may stand for: without its page, and with every extension of an image. */
function possibleNames(names: readonly string[]): readonly (readonly string[])[] {
  const last = names.at(-1);
  if (last === undefined) return [names];
  const { file } = splitPage(last);
  const files = [...imageExtensions].map((extension) => `${stemOf(file)}.${extension}`);
  return [...new Set([last, file, ...files])].map((name) => [...names.slice(0, -1), name]);
}

/** The same as `pathsOf`, from the path that the identifier has where no links are, without asking what is there. */
function pathsByName(identifier: Identifier, directory: string, mountPoints: readonly MountPoint[]) {
  const shown = mountedPaths(identifier, [directory], mountPoints);
  if (mountPoints.some((mountPoint) => mountPoint.directory === directory)) return shown;
  return shown.flatMap((path) => {
    const { parent, name } = splitLast(path);
    return parent === undefined ? [path] : possibleNames([name]).map((own) => own.reduce(childOf, parent));
  });
}

export class Locator {
  readonly #parts: LocatorParts;
  /** The directories of the folders that were found, by the identifiers that these have. */
  readonly #directories = new WeakMap<Identifier, string>();

  constructor(parts: LocatorParts) {
    this.#parts = parts;
  }

  /** The folder of this name in the first base directory; undefined where there is none. */
  async findFolder(identifier: Identifier): Promise<Folder | undefined> {
    const { first, mountPoints, storages, textFolders } = this.#parts;
    const statCache = new RequestStatCache(storages);
    const list = (folder: Identifier) => first.list(folder.segments, statCache);
    const listing = await list(identifier);
    if (listing === undefined) return undefined;
    const { images, directory, mediaFiles } = listing;
    const folders = await shownFolders(identifier, listing, textFolders, list);
    this.#directories.set(identifier, directory);
    const paths = mountedPaths(identifier, [directory], mountPoints);
    return { identifier, paths, images, folders, ...(mediaFiles.length > 0 && { mediaFiles }) };
  }

  /** The names of the folders in a folder that hold only texts, as far as they are spelled as in the settings. */
  async hiddenFoldersIn(folder: Identifier): Promise<readonly string[]> {
    const { first, storages, textFolders } = this.#parts;
    const statCache = new RequestStatCache(storages);
    return hiddenAmong(folder, textFolders.given, ({ segments }) => first.list(segments, statCache));
  }

  /** Whether no folder along the path is left out by lists, since it holds only texts. */
  async isShown({ segments }: Identifier): Promise<boolean> {
    const { first, storages, textFolders } = this.#parts;
    const statCache = new RequestStatCache(storages);
    for (const [depth, name] of segments.entries()) {
      if (!textFolders.has(name)) continue;
      const around = segments.slice(0, depth).reduce(childOf, rootIdentifier);
      const hidden = await hiddenAmong(around, [name], (folder) => first.list(folder.segments, statCache));
      if (hidden.length > 0) return false;
    }
    return true;
  }

  /**
   * Every path under which the library shows a folder; undefined where there is none. Of storages that find files by their names,
   * also those of a folder that is not there.
   */
  async folderPaths(identifier: Identifier): Promise<readonly Identifier[] | undefined> {
    const directory = this.#parts.first.directoryByName(identifier.segments);
    if (directory === undefined) return (await this.findFolder(identifier))?.paths;
    return mountedPaths(identifier, [directory], this.#parts.mountPoints);
  }

  /** Every path under which the library shows a folder that was listed. */
  listedPaths(folder: Identifier, { directory }: Listing): readonly Identifier[] {
    return mountedPaths(folder, [directory], this.#parts.mountPoints);
  }

  /**
   * Every path under which the library would show what an identifier may name, whether it is there or not: by the real path of
   * the innermost folder that is there, with the name as it is and with the extensions that it may lack.
   */
  async pathsOf(identifier: Identifier): Promise<readonly Identifier[]> {
    const { first, mountPoints, storages } = this.#parts;
    const directory = first.directoryByName(identifier.segments);
    if (directory !== undefined) return pathsByName(identifier, directory, mountPoints);
    const statCache = new RequestStatCache(storages);
    const names: string[] = [];
    let folder: Identifier | undefined = identifier;
    let listing = await first.list(folder.segments, statCache);
    while (listing === undefined) {
      const { parent, name } = splitLast(folder);
      if (parent === undefined) return [identifier];
      names.unshift(name);
      folder = parent;
      listing = await first.list(folder.segments, statCache);
    }
    const paths = mountedPaths(folder, [listing.directory], mountPoints);
    return paths.flatMap((path) => possibleNames(names).map((own) => own.reduce(childOf, path)));
  }

  /**
   * The listing of a folder. Throws ImageError `changed` where the folder was found before, and a link in its path leads to
   * another directory by now, which the caller may not be allowed to see.
   */
  async listingOf(folder: Identifier, statCache: RequestStatCache): Promise<Listing | undefined> {
    const listing = await this.#parts.first.list(folder.segments, statCache);
    const found = this.#directories.get(folder);
    if (listing !== undefined && found !== undefined && found !== listing.directory) throw fileChanged();
    return listing;
  }

  /**
   * The image file that an identifier names with or without its extension, with or without a page inside of the file
   * (`scan.tif;2`), or that is the page (from 1) of the folder that it names. Undefined where there is no such file.
   */
  async locate(identifier: Identifier, page: number): Promise<Located | undefined> {
    const { first, storages } = this.#parts;
    const statCache = new RequestStatCache(storages);
    const { parent: folder, name } = splitLast(identifier);
    const around = folder && (await first.around(folder.segments, name, statCache));
    if (folder && around?.has(name)) return this.located({ folder, listing: around, name }, statCache);
    const { file, page: pageInFile } = splitPage(name);
    const found = around?.find(file);
    const mayBeFolder = found === undefined || around?.mayHoldFolder(name);
    const inside = mayBeFolder ? await first.imageAt(identifier.segments, page, statCache) : undefined;
    if (inside !== undefined) {
      const { listing, name: image } = inside;
      return image === undefined ? undefined : this.located({ folder: identifier, listing, name: image }, statCache);
    }
    if (!folder || !around || found === undefined) return undefined;
    return this.located({ folder, listing: around, name: found }, statCache, pageInFile);
  }

  async located(image: ListedImage, statCache: RequestStatCache, pageInFile = 1): Promise<Located> {
    const { folder, listing, name } = image;
    const { mountPoints } = this.#parts;
    const path = pathIn(listing, name);
    const isLink = (await statCache.lstat(path))?.stats.isSymbolicLink() ?? false;
    const target = isLink ? await statCache.follow(path) : undefined;
    const real = target === undefined ? [path] : [path, target.real];
    const paths = mountedPaths(childOf(folder, name), real, mountPoints);
    return { ...image, identifier: childOf(folder, joinPage(name, pageInFile)), pageInFile, paths, statCache };
  }
}
