/** The folders in which the text of a folder's images may lie, and those that hold nothing else. */
import { childOf, type Identifier, splitLast } from '../../image/model/identifier.ts';
import type { RequestStatCache } from '../stats/request-stat-cache.ts';
import type { Folders } from './folder-cache.ts';
import type { Listing } from './listing.ts';

export interface TextFolder {
  readonly identifier: Identifier;
  readonly listing: Listing;
  /** Whether the folder is for texts alone by its name. */
  readonly isForTexts: boolean;
}

/** Finds those of a listing's folders that are for texts, in the order of the names in the settings, ignoring case. */
export class TextFolderNames {
  /** As in the settings. */
  readonly given: readonly string[];
  readonly #names: readonly string[];
  readonly #found = new WeakMap<readonly string[], readonly string[]>();

  constructor(names: readonly string[]) {
    this.given = names;
    this.#names = names.map((name) => name.toLowerCase());
  }

  has(name: string): boolean {
    return this.#names.includes(name.toLowerCase());
  }

  among(folders: readonly string[]): readonly string[] {
    const known = this.#found.get(folders);
    if (known !== undefined) return known;
    const positionOf = (name: string): number => this.#names.indexOf(name.toLowerCase());
    const found = folders.filter((name) => positionOf(name) >= 0).sort((a, b) => positionOf(a) - positionOf(b));
    this.#found.set(folders, found);
    return found;
  }
}

/**
 * The folders of one root that may hold texts of a folder's images, the likelier first: that folder; those inside of it that
 * are for texts; and those beside it, in which a folder of its name counts before the folder for texts as a whole.
 */
export async function textFoldersIn(
  folders: Folders,
  folder: Identifier,
  names: TextFolderNames,
  statCache: RequestStatCache,
): Promise<readonly TextFolder[]> {
  const list = (identifier: Identifier) => folders.list(identifier.segments, statCache);
  const forTexts = async (identifier: Identifier): Promise<readonly TextFolder[]> => {
    const listing = await list(identifier);
    return listing === undefined ? [] : [{ identifier, listing, isForTexts: true }];
  };
  const inside = async (): Promise<readonly TextFolder[]> => {
    const listing = await list(folder);
    if (listing === undefined) return [];
    const within = names.among(listing.folders).map((name) => forTexts(childOf(folder, name)));
    return [{ identifier: folder, listing, isForTexts: false }, ...(await Promise.all(within)).flat()];
  };
  const beside = async (): Promise<readonly TextFolder[]> => {
    const { parent, name: own } = splitLast(folder);
    const around = parent && (await folders.listIfShort(parent.segments, statCache));
    if (parent === undefined || around === undefined) return [];
    // Around a long one the names of the settings are tried, as they are spelled there.
    const found = (around === 'long' ? names.given : names.among(around.folders)).filter((name) => name !== own);
    const each = found.map(async (name) => {
      const [whole] = await forTexts(childOf(parent, name));
      const hasOwn = whole?.listing.folders.includes(own) ?? false;
      const ownPart = hasOwn ? await forTexts(childOf(childOf(parent, name), own)) : [];
      return [...ownPart, ...(whole === undefined ? [] : [whole])];
    });
    return (await Promise.all(each)).flat();
  };
  const [first, second] = await Promise.all([inside(), beside()]);
  return [...first, ...second];
}

type List = (folder: Identifier) => Promise<Listing | undefined>;

/** A folder with more folders inside is taken for one of the library's. */
const maxInside = 1000;

const holdsText = ({ images, textFiles }: Listing): boolean => images.length === 0 && textFiles.length > 0;

/** Whether a folder, which has a name of those for texts, has texts and no images, in itself or in the folders inside. */
async function isForTextsAlone(folder: Identifier, list: List): Promise<boolean> {
  const listing = await list(folder);
  if (listing === undefined || listing.images.length > 0 || listing.folders.length > maxInside) return false;
  if (listing.folders.length === 0) return holdsText(listing);
  for (const name of listing.folders) {
    const inside = await list(childOf(folder, name));
    if (inside === undefined || !holdsText(inside) || inside.folders.length > 0) return false;
  }
  return true;
}

/** The names of the folders in a folder, without those that hold only texts. */
export async function shownFolders(
  folder: Identifier,
  { folders }: Listing,
  names: TextFolderNames,
  list: List,
): Promise<readonly string[]> {
  const hidden = new Set(await hiddenAmong(folder, names.among(folders), list));
  return hidden.size === 0 ? folders : folders.filter((name) => !hidden.has(name));
}

/** Those of some names in a folder that are of folders for texts, and hold nothing else. */
export async function hiddenAmong(folder: Identifier, candidates: readonly string[], list: List) {
  const areHidden = await Promise.all(candidates.map((name) => isForTextsAlone(childOf(folder, name), list)));
  return candidates.filter((_, index) => areHidden[index]);
}
