/** Decides whether a caller may see an image or a folder; everything else takes what this admits. */
import pMap, { pMapSkip } from 'p-map';
import type { FolderEntry } from '../image/folder/folder-description.ts';
import { ImageError } from '../image/model/errors.ts';
import { childOf, formatIdentifier, type Identifier, isSegment, parseIdentifier } from '../image/model/identifier.ts';
import type { Admitted, ImageSet } from '../image/model/image-set.ts';
import type { Folder, Library, Located } from '../library/library.ts';
import { bounded } from './concurrency.ts';
import { ifAnswering } from './if-answering.ts';
import { createKnownDamage } from './known-damage.ts';
import type { Access, Caller, Subject } from './policy.ts';

/** A folder, and the name of an image file in it where the path names one. */
export interface FolderTarget {
  readonly folder: Admitted<Folder>;
  readonly name?: string;
}

/** The only access to the library. All paths are decoded. */
export interface Admission {
  /**
   * The image that a path names, or that is the page (from 1) of the folder that it names. Throws ImageError `not-found`
   * where nothing readable has that name, `denied` or `login-needed` where the caller may not see it.
   */
  admit(path: string, page: number, caller: Caller): Promise<Admitted<ImageSet>>;
  /**
   * Whether an image that was admitted within the last second would be found unchanged now; false also where that can't be
   * told synchronously. Does not check access again.
   */
  isFresh(image: Admitted<ImageSet>): boolean;
  /**
   * Whether the caller for whom an image was admitted may see what the library shows under all of these paths, such as the
   * file of its text.
   */
  isVisibleWith(image: Admitted<ImageSet>, paths: readonly Identifier[]): boolean;
  /** Whether a caller may see what the library shows under all of these paths, which are those of a file that exists. */
  arePathsVisible(paths: readonly Identifier[], caller: Caller): boolean;
  /** The folder that a path names. Throws as `admit` does. */
  admitFolder(path: string, caller: Caller): Promise<Admitted<Folder>>;
  /** The folder that contains the image file that `admit` would find, whether the file can be read or not. */
  admitFolderAround(path: string, page: number, caller: Caller): Promise<Admitted<Folder>>;
  /** The folder that a path names, or the folder that contains the image file that it names, readable or not. */
  admitFolderOrImage(path: string, caller: Caller): Promise<FolderTarget>;
  /** The names of the folders in a folder that the caller may see. */
  foldersOf(folder: Admitted<Folder>, caller: Caller): Promise<readonly string[]>;
  /** Those of a few image files of a folder that the caller may see, by name. */
  visibleAmong(folder: Admitted<Folder>, names: readonly string[], caller: Caller): Promise<readonly string[]>;
  /**
   * How many pages some image files of a folder have, by name; those are absent that the caller may not see or that can't be
   * read. Less is read than for `admit`.
   */
  pageCountsOf(
    folder: Admitted<Folder>,
    names: readonly string[],
    caller: Caller,
  ): Promise<ReadonlyMap<string, number>>;
  /**
   * The image files of a folder that the caller may see, whether they can be read or not. Those whose names no address can have
   * are counted, so that `pn` means the same files as in digilib, but are not among them.
   */
  entriesOf(folder: Admitted<Folder>, caller: Caller): Promise<readonly FolderEntry[]>;
}

/** What is said of a path that was asked for as this, whatever it names: nobody learns what a closed path is. */
interface Words {
  readonly missing: string;
  readonly denied: string;
}

const ofImage: Words = { missing: 'There is no image of this name.', denied: 'You may not see this image.' };
const ofFolder: Words = { missing: 'There is no folder of this name.', denied: 'You may not see this folder.' };

const notFound = (message = ofImage.missing): ImageError => new ImageError('not-found', message);

const identifierOf = (path: string, { missing } = ofImage): Identifier => {
  const identifier = parseIdentifier(path);
  if (identifier === undefined) throw notFound(missing);
  return identifier;
};

/** The error for a caller without access: one that sent no valid credentials learns that some may help. */
export function denial({ authenticated, tokenFault }: Caller, message = ofImage.denied): ImageError {
  return authenticated
    ? new ImageError('denied', message)
    : new ImageError('login-needed', tokenFault === undefined ? message : `${message} ${tokenFault}`);
}

/** How often an image is admitted again after its file was replaced meanwhile. */
const attempts = 3;

export function createAdmission(library: Library, access: Access, damage = createKnownDamage()): Admission {
  /** Checked also for names that may not exist, so that nobody learns which names exist in a closed folder. */
  const requirePath = (paths: readonly Identifier[], caller: Caller, words: Words = ofImage): void => {
    if (!access.isPathAllowed(paths, caller)) throw denial(caller, words.denied);
  };

  /** The error for a name that nothing has: the same as if something had it, where rules apply to it by any of its paths. */
  async function missing(identifier: Identifier, caller: Caller, words = ofImage): Promise<ImageError> {
    if (access.isOn) requirePath(await library.pathsOf(identifier), caller, words);
    return notFound(words.missing);
  }

  const subjectOf = async (located: Located): Promise<Subject> => {
    const { access: type } = await library.imageMetadata(located);
    return { paths: located.paths, ...(type === undefined ? {} : { type }) };
  };

  async function locate(path: string, page: number, caller: Caller): Promise<{ located: Located; subject: Subject }> {
    const identifier = identifierOf(path);
    requirePath([identifier], caller);
    const located = await library.locate(identifier, page);
    if (located === undefined) throw await missing(identifier, caller);
    const subject = await subjectOf(located);
    if (!access.isAllowed(subject, caller)) throw denial(caller);
    return { located, subject };
  }

  function admitFound(folder: Folder, caller: Caller, words = ofImage): Admitted<Folder> {
    requirePath(folder.paths, caller, words);
    return { ...folder, isOpen: !access.isOn } as Admitted<Folder>;
  }

  /** Undefined where there is no such folder. */
  async function findFolder(identifier: Identifier, caller: Caller, words = ofImage) {
    requirePath([identifier], caller, words);
    const folder = await library.findFolder(identifier);
    return folder && admitFound(folder, caller, words);
  }

  async function folderAt(identifier: Identifier, caller: Caller): Promise<Admitted<Folder>> {
    const folder = await findFolder(identifier, caller, ofFolder);
    if (folder === undefined) throw await missing(identifier, caller, ofFolder);
    return folder;
  }

  /** The names that `admit` does not reject. */
  async function visible(names: readonly string[], admit: (name: string) => Promise<unknown>) {
    if (!access.isOn) return names;
    return pMap(names, async (name) => ((await ifAdmitted(admit(name))) ? name : pMapSkip), bounded);
  }

  /** The image sets of the library by the admitted ones that were made of them. */
  const imageSets = new WeakMap<Admitted<ImageSet>, ImageSet>();
  const callers = new WeakMap<Admitted<ImageSet>, Caller>();

  async function admitOnce(path: string, page: number, caller: Caller): Promise<Admitted<ImageSet>> {
    const { located, subject } = await locate(path, page, caller);
    const image = await library.describe(located);
    if (image === undefined) throw notFound('The file of this name can’t be read as an image.');
    const admitted = { ...damage.applyTo(image), isOpen: access.isOpen(subject) } as Admitted<ImageSet>;
    imageSets.set(admitted, image);
    callers.set(admitted, caller);
    return admitted;
  }

  const visibleAmong = (identifier: Identifier, names: readonly string[], caller: Caller) =>
    visible(names, (name) => locate(formatIdentifier(childOf(identifier, name)), 1, caller));

  return {
    async admit(path, page, caller) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await admitOnce(path, page, caller);
        } catch (error) {
          // A link in the path led elsewhere after it was checked: then everything is checked again.
          if (!(error instanceof ImageError) || error.code !== 'changed' || attempt === attempts) throw error;
        }
      }
    },
    isFresh(admitted) {
      const image = imageSets.get(admitted);
      return image !== undefined && library.isFresh(image) && !damage.isNewsOf(admitted);
    },
    isVisibleWith(image, paths) {
      const caller = callers.get(image);
      return caller !== undefined && access.isPathAllowed(paths, caller);
    },
    arePathsVisible: (paths, caller) => access.isPathAllowed(paths, caller),
    admitFolder: async (path, caller) => folderAt(identifierOf(path, ofFolder), caller),
    async admitFolderAround(path, page, caller) {
      const identifier = identifierOf(path);
      requirePath([identifier], caller);
      const folder = await library.findFolder(identifier);
      // A folder can be listed even where its first image is closed.
      if (folder?.images[page - 1] !== undefined) return admitFound(folder, caller);
      const { located } = await locate(path, page, caller);
      return folderAt(located.folder, caller);
    },
    async admitFolderOrImage(path, caller) {
      const folder = await findFolder(identifierOf(path), caller);
      if (folder !== undefined) return { folder };
      const { located } = await locate(path, 1, caller);
      return { folder: await folderAt(located.folder, caller), name: located.name };
    },
    foldersOf: ({ identifier, folders }, caller) =>
      // What can't be checked, since its disk does not answer, stays hidden.
      visible(folders, async (name) => {
        const folder = await ifAnswering(folderAt(childOf(identifier, name), caller));
        if (folder === 'no-answer') throw notFound();
        return folder;
      }),
    visibleAmong: ({ identifier }, names, caller) => visibleAmong(identifier, names, caller),
    async pageCountsOf({ identifier }, names, caller) {
      const shown = await visibleAmong(identifier, names, caller);
      const counts = await library.pageCountsOf(identifier, shown);
      return new Map(shown.flatMap((name, index) => (counts[index] ? [[name, counts[index]] as const] : [])));
    },
    async entriesOf({ identifier, images }, caller) {
      const all = images.map((name, index): FolderEntry => ({ index: index + 1, name }));
      const entries = all.filter(({ name }) => isSegment(name));
      if (!access.isOn) return entries;
      const subjects = await library.subjectsIn(identifier);
      return entries.filter(({ name }) => {
        const subject = subjects.get(name);
        return subject !== undefined && access.isAllowed(subject, caller);
      });
    },
  };
}

async function undefinedIf<T>(isExpected: (error: unknown) => boolean, result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  }
}

/** The result, or undefined where nothing has the name. */
export const ifFound = <T>(result: Promise<T>): Promise<T | undefined> =>
  undefinedIf((error) => error instanceof ImageError && error.code === 'not-found', result);

/** Whether an error means that nothing is shown: nothing readable has the name, or the caller may not see it. */
export const isHidden = (error: unknown): boolean =>
  error instanceof ImageError && ['not-found', 'denied', 'login-needed'].includes(error.code);

/** The result, or undefined where nothing readable has the name or the caller may not see it. */
export const ifAdmitted = <T>(result: Promise<T>): Promise<T | undefined> => undefinedIf(isHidden, result);

/**
 * The first of the images that an address can mean. Throws as `admit` does; where none of the paths leads to an image, the
 * error is that of the first.
 */
export async function admitFirst(
  { identifiers, page }: { readonly identifiers: readonly string[]; readonly page: number },
  admission: Admission,
  caller: Caller,
): Promise<Admitted<ImageSet>> {
  let first: unknown;
  for (const identifier of identifiers) {
    try {
      return await admission.admit(identifier, page, caller);
    } catch (error) {
      if (!(error instanceof ImageError) || error.code !== 'not-found') throw error;
      first ??= error;
    }
  }
  throw first;
}
