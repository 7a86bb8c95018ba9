/** The one place that decides whether a caller may see an image; everything else takes what it admits. */
import type { Access, Caller, Subject } from '../access/access.ts';
import type { FolderEntry } from '../image/folder/folder-description.ts';
import { ImageError } from '../image/model/errors.ts';
import { childOf, formatIdentifier, type Identifier, parseIdentifier } from '../image/model/identifier.ts';
import type { Admitted, ImageSet } from '../image/model/image-set.ts';
import type { Folder, Library, Located } from '../library/library.ts';
import { mapBounded } from './map-bounded.ts';

/** A folder, and the name of an image file in it where one is meant. */
export interface FolderTarget {
  readonly folder: Admitted<Folder>;
  readonly name?: string;
}

/** The doors to the library. */
export interface Admission {
  /**
   * The image that a decoded path names, or that is the page (from 1) of the folder that it names.
   * Throws ImageError `not-found` where nothing readable has that name, `denied` or `login-needed` where the caller may
   * not see it.
   */
  admit(path: string, page: number, caller: Caller): Promise<Admitted<ImageSet>>;
  /**
   * Whether an image that was admitted within the last second would be found as it was, by looks at the disk that are taken
   * now; false also where that can't be told at once. Who may see it is not asked again.
   */
  isFresh(image: Admitted<ImageSet>): boolean;
  /** The folder that a decoded path names, likewise. */
  admitFolder(path: string, caller: Caller): Promise<Admitted<Folder>>;
  /** The folder that holds the image file that `admit` would find, whether the file can be read or not. */
  admitFolderAround(path: string, page: number, caller: Caller): Promise<Admitted<Folder>>;
  /**
   * The folder that a decoded path names, with no name beside it; or the folder that holds the image file that it names,
   * with the name of that file, whether it can be read or not.
   */
  admitFolderOrImage(path: string, caller: Caller): Promise<FolderTarget>;
  /** The names of a folder's folders that the caller may see. */
  foldersOf(folder: Admitted<Folder>, caller: Caller): Promise<readonly string[]>;
  /** Those of some names of image files in a folder that the caller may see; for few of a folder that holds many. */
  visibleAmong(folder: Admitted<Folder>, names: readonly string[], caller: Caller): Promise<readonly string[]>;
  /** The image files of a folder that the caller may see, whether they can be read or not. */
  entriesOf(folder: Admitted<Folder>, caller: Caller): Promise<readonly FolderEntry[]>;
}

const notFound = (message = 'There is no image of this name.'): ImageError => new ImageError('not-found', message);

const contained = (path: string): Identifier => {
  const identifier = parseIdentifier(path);
  if (identifier === undefined) throw notFound();
  return identifier;
};

/** Who sent no credentials that count is told that some may help. */
export function denial({ authenticated, tokenFault }: Caller, message = 'You may not see this image.'): ImageError {
  return authenticated
    ? new ImageError('denied', message)
    : new ImageError('login-needed', tokenFault === undefined ? message : `${message} ${tokenFault}`);
}

/** Admits callers to what the library holds, by the rules of access. */
export function createAdmission(library: Library, access: Access): Admission {
  /** Also asked of names that may not exist: below a closed folder nobody learns which do. */
  const requirePath = (places: readonly Identifier[], caller: Caller): void => {
    if (!access.isPathAllowed(places, caller)) throw denial(caller);
  };

  const subjectOf = async (located: Located): Promise<Subject> => {
    const { access: type } = await library.imageMetadata(located);
    return { paths: located.paths, ...(type === undefined ? {} : { type }) };
  };

  async function locate(path: string, page: number, caller: Caller): Promise<{ located: Located; subject: Subject }> {
    const asked = contained(path);
    requirePath([asked], caller);
    const located = await library.locate(asked, page);
    if (located === undefined) throw notFound();
    const subject = await subjectOf(located);
    if (!access.isAllowed(subject, caller)) throw denial(caller);
    return { located, subject };
  }

  function admitFound(folder: Folder, caller: Caller): Admitted<Folder> {
    requirePath(folder.paths, caller);
    return { ...folder, isOpen: !access.isOn } as Admitted<Folder>;
  }

  async function folderAt(identifier: Identifier, caller: Caller): Promise<Admitted<Folder>> {
    requirePath([identifier], caller);
    const folder = await library.findFolder(identifier);
    if (folder === undefined) throw notFound('There is no folder of this name.');
    return admitFound(folder, caller);
  }

  const found = new WeakMap<Admitted<ImageSet>, ImageSet>();

  return {
    async admit(path, page, caller) {
      const { located, subject } = await locate(path, page, caller);
      const image = await library.describe(located);
      if (image === undefined) throw notFound('The file of this name can’t be read as an image.');
      const admitted = { ...image, isOpen: access.isOpen(subject) } as Admitted<ImageSet>;
      found.set(admitted, image);
      return admitted;
    },
    isFresh(admitted) {
      const image = found.get(admitted);
      return image !== undefined && library.isFresh(image);
    },
    admitFolder: async (path, caller) => folderAt(contained(path), caller),
    async admitFolderAround(path, page, caller) {
      const asked = contained(path);
      requirePath([asked], caller);
      const inside = await library.findFolder(asked);
      // A folder can be listed where its first image is closed.
      if (inside?.images[page - 1] !== undefined) return admitFound(inside, caller);
      const { located } = await locate(path, page, caller);
      return folderAt(located.folder, caller);
    },
    async admitFolderOrImage(path, caller) {
      const folder = await orUndefined(folderAt(contained(path), caller));
      if (folder !== undefined) return { folder };
      const { located } = await locate(path, 1, caller);
      return { folder: await folderAt(located.folder, caller), name: located.name };
    },
    async foldersOf({ identifier, folders }, caller) {
      if (!access.isOn) return folders;
      const isSeen = async (name: string): Promise<boolean> =>
        (await ifAdmitted(folderAt(childOf(identifier, name), caller))) !== undefined;
      const seen = await mapBounded(folders, isSeen);
      return folders.filter((_, index) => seen[index]);
    },
    async visibleAmong({ identifier }, names, caller) {
      if (!access.isOn) return names;
      const isSeen = async (name: string): Promise<boolean> =>
        (await ifAdmitted(locate(formatIdentifier(childOf(identifier, name)), 1, caller))) !== undefined;
      const seen = await mapBounded(names, isSeen);
      return names.filter((_, index) => seen[index]);
    },
    async entriesOf({ identifier, images }, caller) {
      const entries = images.map((name, index): FolderEntry => ({ index: index + 1, name }));
      if (!access.isOn) return entries;
      const subjects = await library.subjectsIn(identifier);
      return entries.filter(({ name }) => {
        const subject = subjects.get(name);
        return subject !== undefined && access.isAllowed(subject, caller);
      });
    },
  };
}

/** The result, or undefined where nothing has the name. */
async function orUndefined<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof ImageError && error.code === 'not-found') return undefined;
    throw error;
  }
}

/** Whether an error says that nothing is shown: nothing readable has the name, or the caller may not see it. */
export const isHidden = (error: unknown): boolean =>
  error instanceof ImageError && ['not-found', 'denied', 'login-needed'].includes(error.code);

/** The result, or undefined where nothing readable has the name or the caller may not see it. */
export async function ifAdmitted<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (isHidden(error)) return undefined;
    throw error;
  }
}
