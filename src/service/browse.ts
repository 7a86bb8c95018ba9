/** What the start page shows of the library: its top folders and the images that lie beside them. */
import type { Caller } from '../access/access.ts';
import type { Admitted } from '../image/image-set.ts';
import type { Folder } from '../library/library.ts';
import { type Admission, ifAdmitted } from './admit.ts';

/** One folder of the library's top. */
export interface FolderCard {
  readonly name: string;
  /** How many image files lie in it. */
  readonly images: number;
  readonly folders: number;
  /** The path of an image that stands for the folder; absent where none was found near its top. */
  readonly cover?: string;
}

export interface Overview {
  readonly folders: readonly FolderCard[];
  /** Names of the image files in the root itself. */
  readonly images: readonly string[];
  /** How many more folders and images there are than are shown. */
  readonly more: number;
  /** The path of an image to show addresses with; absent where the library's top leads to none. */
  readonly example?: string;
}

export interface Browsing {
  /** The library's top, as far as the caller may see it. */
  overview(caller: Caller): Promise<Overview>;
  /** The path of an image to show addresses with, the overview’s; undefined where the library’s top leads to none. */
  example(caller: Caller): Promise<string | undefined>;
}

const maxShown = 60;
const coverDepth = 4;
const coverTries = 5;

export function createBrowsing(admission: Admission): Browsing {
  /** The first readable image in the folder or, going down its first folders, the first that there is. */
  async function coverOf(path: string, caller: Caller, depth = 0): Promise<string | undefined> {
    const folder = await ifAdmitted(admission.admitFolder(path, caller));
    for (const name of folder?.images.slice(0, coverTries) ?? []) {
      const image = `${path}/${name}`;
      if (await ifAdmitted(admission.admit(image, 1, caller))) return image;
    }
    const [below] = folder?.folders ?? [];
    return below === undefined || depth >= coverDepth ? undefined : coverOf(`${path}/${below}`, caller, depth + 1);
  }

  async function cardOf(name: string, caller: Caller): Promise<FolderCard | undefined> {
    const folder = await ifAdmitted(admission.admitFolder(name, caller));
    if (folder === undefined) return undefined;
    const cover = await coverOf(name, caller);
    const counts = { name, images: folder.images.length, folders: folder.folders.length };
    return cover === undefined ? counts : { ...counts, cover };
  }

  async function firstCover(folders: readonly string[], caller: Caller): Promise<string | undefined> {
    for (const name of folders.slice(0, maxShown)) {
      const cover = await coverOf(name, caller);
      if (cover !== undefined) return cover;
    }
    return undefined;
  }

  const imagesOf = async (root: Admitted<Folder> | undefined, caller: Caller): Promise<readonly string[]> =>
    root === undefined ? [] : (await admission.entriesOf(root, caller)).map(({ name }) => name);

  return {
    async example(caller) {
      const root = await ifAdmitted(admission.admitFolder('', caller));
      return (await firstCover(root?.folders ?? [], caller)) ?? (await imagesOf(root, caller))[0];
    },
    async overview(caller) {
      const root = await ifAdmitted(admission.admitFolder('', caller));
      const folders = root?.folders ?? [];
      const images = await imagesOf(root, caller);
      const cards = await Promise.all(folders.slice(0, maxShown).map((name) => cardOf(name, caller)));
      const shown = cards.filter((card) => card !== undefined);
      const example = shown.find((card) => card.cover !== undefined)?.cover ?? images[0];
      return {
        folders: shown,
        images: images.slice(0, maxShown),
        more: Math.max(0, folders.length - maxShown) + Math.max(0, images.length - maxShown),
        ...(example === undefined ? {} : { example }),
      };
    },
  };
}
