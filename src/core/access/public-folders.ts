/** Walks the folders that everyone may see, one listing at a time, and from any of them on. */

import { childOf, formatIdentifier, parseIdentifier, splitLast } from '../image/model/identifier.ts';
import type { Admitted } from '../image/model/image-set.ts';
import type { Folder } from '../library/library.ts';
import { type Admission, ifAdmitted } from './admit.ts';
import { ifAnswering } from './if-answering.ts';
import type { Caller } from './policy.ts';

/** A folder with the images in it that everyone may see, by name in the order of the listing. */
export interface PublicFolder {
  readonly path: string;
  readonly images: readonly string[];
}

export interface PublicFolders {
  /**
   * A folder, those inside of it, and all that follow in the order of their names. What lies on a disk that does not answer
   * is left out. Throws ImageError `not-found` where there is no folder at this path that everyone may see.
   */
  from(path: string): AsyncGenerator<PublicFolder>;
}

/** A folder that links lead to has several paths; it counts where its first one is, so that it counts once. */
const isElsewhere = ({ identifier, paths }: Folder): boolean => {
  const here = formatIdentifier(identifier);
  return paths.some((path) => formatIdentifier(path) < here);
};

/** `anyone` is a caller without any role. */
export function createPublicFolders(admission: Admission, anyone: Caller): PublicFolders {
  async function admitted(path: string): Promise<Admitted<Folder> | undefined> {
    const folder = await ifAnswering(ifAdmitted(admission.admitFolder(path, anyone)));
    return folder === 'no-answer' || folder === undefined || isElsewhere(folder) ? undefined : folder;
  }

  /** The paths of the folders in a folder, after a name where one is given. */
  async function pathsIn(folder: Admitted<Folder>, after?: string): Promise<readonly string[]> {
    const names = await admission.foldersOf(folder, anyone);
    const following = after === undefined ? names : names.filter((name) => name > after);
    return following.map((name) => formatIdentifier(childOf(folder.identifier, name)));
  }

  async function* allIn(folder: Admitted<Folder>): AsyncGenerator<PublicFolder> {
    const path = formatIdentifier(folder.identifier);
    const images = await ifAnswering(admission.entriesOf(folder, anyone));
    if (images === 'no-answer') return;
    yield { path, images: images.map(({ name }) => name) };
    for (const inside of await pathsIn(folder)) {
      const below = await admitted(inside);
      if (below !== undefined) yield* allIn(below);
    }
  }

  /** What follows a folder: the folders after it in the one around it, and so on upward. */
  async function* after(path: string): AsyncGenerator<PublicFolder> {
    const identifier = parseIdentifier(path);
    const { parent, name } = identifier === undefined ? { parent: undefined, name: '' } : splitLast(identifier);
    if (parent === undefined) return;
    const around = await admitted(formatIdentifier(parent));
    for (const following of around === undefined ? [] : await pathsIn(around, name)) {
      const folder = await admitted(following);
      if (folder !== undefined) yield* allIn(folder);
    }
    yield* after(formatIdentifier(parent));
  }

  return {
    async *from(path) {
      yield* allIn(await admission.admitFolder(path, anyone));
      yield* after(path);
    },
  };
}
