/** digilib's Texter: the text files beside the scans of a folder, by their numbers or names (digilib-pdf-text.md). */

import { type Admission, ifAdmitted, ifFound } from '../../core/access/admit.ts';
import { requireTexts } from '../../core/access/denials.ts';
import type { Caller } from '../../core/access/policy.ts';
import { shownImages } from '../../core/folder-descriptions/folder-cards.ts';
import { ImageError } from '../../core/image/model/errors.ts';
import { stemOf } from '../../core/image/model/formats.ts';
import {
  childOf,
  formatIdentifier,
  type Identifier,
  parseIdentifier,
  splitLast,
} from '../../core/image/model/identifier.ts';
import { type Admitted, isCovered } from '../../core/image/model/image-set.ts';
import type { Folder } from '../../core/library/library.ts';
import type { TextFilesByName } from '../../core/ports.ts';

export interface TexterFile {
  /** The file's name alone. */
  readonly name: string;
  readonly bytes: Buffer;
  /** Last modification in ms since 1970. */
  readonly modifiedMs: number;
}

export interface Texter {
  /**
   * The text file that a decoded path names, with its extension, without one or with another, or that has the number `page` (from 1) among those
   * of the folder that it names: of the folder for texts in it, or where there are none, of itself. Throws ImageError
   * `not-found` where there is none that the library shows, `denied` or `login-needed` where the caller may not see it.
   */
  file(path: string, page: number, caller: Caller): Promise<TexterFile>;
}

/** What digilib sends where there is no such file. */
export const noTextFile = (): ImageError => new ImageError('not-found', 'Text-File not found!');

/** The extensions of text files that digilib counts; others are served as texts of pages alone. */
const isCounted = (name: string): boolean => /\.(?:txt|xml|html?)$/i.test(name);

/** Whether a file can say where its words stand, in pixels of the whole image. */
const hasPlaces = (name: string): boolean => !/\.txt$/i.test(name);

export function createTexter(admission: Admission, files: TextFilesByName, textFolder: string): Texter {
  const namesIn = async (folder: Identifier): Promise<readonly string[]> =>
    (await files.namesIn(folder)).filter(isCounted);

  const folderAt = (identifier: Identifier, caller: Caller): Promise<Admitted<Folder> | undefined> =>
    ifFound(admission.admitFolder(formatIdentifier(identifier), caller));

  /** The folders that are searched for a folder's texts. */
  async function foldersOf(folder: Admitted<Folder>, caller: Caller): Promise<readonly Admitted<Folder>[]> {
    const inside = textFolder === '' ? undefined : await folderAt(childOf(folder.identifier, textFolder), caller);
    return inside === undefined ? [folder] : [inside, folder];
  }

  /** The image of a folder whose text a file is by its name. */
  const imageOf = ({ images }: Folder, name: string): string | undefined =>
    images.find((image) => stemOf(image) === stemOf(name));

  /** The folder with the scans of a folder's texts: itself, or the one around it where it is for texts alone. */
  async function scansOf(folder: Admitted<Folder>, caller: Caller): Promise<Admitted<Folder> | undefined> {
    const { parent, name } = splitLast(folder.identifier);
    if (folder.images.length > 0 || parent === undefined || !isForTexts(name)) return folder;
    return ifAdmitted(admission.admitFolder(formatIdentifier(parent), caller));
  }

  const isForTexts = (name: string): boolean => name === textFolder || files.isTextFolder(name);

  /**
   * Makes sure that the library shows a file to a caller: the text of an image where the caller may see that image; a file
   * that belongs to no image in a folder for texts alone, where the caller may see all images that it may tell of.
   */
  async function requireShown(folder: Admitted<Folder>, name: string, caller: Caller): Promise<void> {
    const scans = await scansOf(folder, caller);
    if (scans === undefined) throw noTextFile();
    const image = imageOf(scans, name);
    if (image !== undefined) {
      const admitted = await admission.admit(formatIdentifier(childOf(scans.identifier, image)), 1, caller);
      requireTexts(admitted, hasPlaces(name) || isCovered(admitted) ? 'files' : 'words');
      return;
    }
    const sees = (await admission.entriesOf(scans, caller)).length;
    const images = shownImages(scans);
    const texts = await admission.withTexts(scans, images, caller);
    const isWhole = images.every((one) => texts.get(one) === '');
    const seesAll = isWhole && sees === images.length && (await admission.tiersIn(scans, caller)).size === 0;
    if (!seesAll || !isForTexts(splitLast(folder.identifier).name)) throw noTextFile();
  }

  async function read(folder: Admitted<Folder>, name: string, caller: Caller): Promise<TexterFile> {
    await requireShown(folder, name, caller);
    const file = await files.named(folder.identifier, name);
    if (file === undefined || !admission.arePathsVisible(file.paths, caller)) throw noTextFile();
    const bytes = await file.bytes();
    if (bytes === undefined) throw noTextFile();
    return { name, bytes, modifiedMs: file.modifiedMs };
  }

  async function byNumber(folder: Admitted<Folder>, page: number, caller: Caller): Promise<TexterFile> {
    for (const one of await foldersOf(folder, caller)) {
      const names = await namesIn(one.identifier);
      const name = names[page - 1];
      if (name !== undefined) return read(one, name, caller);
      if (names.length > 0) break;
    }
    throw noTextFile();
  }

  async function byName(identifier: Identifier, caller: Caller): Promise<TexterFile> {
    const { parent, name } = splitLast(identifier);
    const folder = parent && (await folderAt(parent, caller));
    if (folder === undefined) throw noTextFile();
    for (const one of (await foldersOf(folder, caller)).toReversed()) {
      const names = await namesIn(one.identifier);
      const found =
        names.find((each) => each === name) ??
        names.find((each) => stemOf(each) === name) ??
        names.find((each) => stemOf(each) === stemOf(name));
      if (found !== undefined) return read(one, found, caller);
    }
    throw noTextFile();
  }

  return {
    async file(path, page, caller) {
      const identifier = parseIdentifier(path);
      if (identifier === undefined) throw noTextFile();
      const folder = await folderAt(identifier, caller);
      return folder === undefined ? byName(identifier, caller) : byNumber(folder, page, caller);
    },
  };
}
