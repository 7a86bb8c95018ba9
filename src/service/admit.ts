/** The one place that decides whether a caller may see an image; everything else takes what it admits. */
import type { AccessRule, Caller } from '../access/rules.ts';
import { ImageError } from '../image/errors.ts';
import { type Identifier, parseIdentifier } from '../image/identifier.ts';
import type { Admitted, ImageSet } from '../image/image-set.ts';
import type { Folder, Library } from '../library/library.ts';

/** The doors to the library. */
export interface Admission {
  /**
   * The image that a decoded path names, or that is the page (from 1) of the folder that it names.
   * Throws ImageError `not-found` where nothing readable has that name, `denied` where the caller may not see it.
   */
  admit(path: string, page: number, caller: Caller): Promise<Admitted<ImageSet>>;
  /** The folder that a decoded path names, likewise. */
  admitFolder(path: string, caller: Caller): Promise<Admitted<Folder>>;
  /** The folder that holds the image file that `admit` would find, whether the file can be read or not. */
  admitFolderAround(path: string, page: number, caller: Caller): Promise<Admitted<Folder>>;
}

const notFound = (): ImageError => new ImageError('not-found', 'There is no image of this name.');

const contained = (path: string): Identifier => {
  const identifier = parseIdentifier(path);
  if (identifier === undefined) throw notFound();
  return identifier;
};

/** Admits callers to what the library holds, by one rule. */
export function createAdmission(library: Library, isAllowed: AccessRule): Admission {
  const requireAllowed = (canonical: Identifier, caller: Caller): void => {
    if (!isAllowed(canonical, caller)) throw new ImageError('denied', 'You may not see this image.');
  };
  async function admittedFolder(identifier: Identifier, caller: Caller): Promise<Admitted<Folder>> {
    requireAllowed(identifier, caller);
    const folder = await library.findFolder(identifier);
    if (folder === undefined) throw new ImageError('not-found', 'There is no folder of this name.');
    return folder as Admitted<Folder>;
  }
  return {
    async admit(path, page, caller) {
      const located = await library.locate(contained(path), page);
      if (located === undefined) throw notFound();
      requireAllowed(located.identifier, caller);
      const image = await library.describe(located);
      if (image === undefined) throw new ImageError('not-found', 'The file of this name can’t be read as an image.');
      return image as Admitted<ImageSet>;
    },
    admitFolder: async (path, caller) => admittedFolder(contained(path), caller),
    async admitFolderAround(path, page, caller) {
      const located = await library.locate(contained(path), page);
      if (located === undefined) throw notFound();
      return admittedFolder(located.folder, caller);
    },
  };
}

/** The result, or undefined where nothing readable has the name or the caller may not see it. */
export async function ifAdmitted<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof ImageError && (error.code === 'not-found' || error.code === 'denied')) return undefined;
    throw error;
  }
}
