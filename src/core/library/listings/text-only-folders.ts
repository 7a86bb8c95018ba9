/** Folders that hold nothing but the texts of scans: they are no part of what the library shows. */
import { childOf, type Identifier } from '../../image/model/identifier.ts';
import type { Listing } from './listing.ts';
import type { TextFolderNames } from './text-folders.ts';

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
  const candidates = names.among(folders);
  if (candidates.length === 0) return folders;
  const areHidden = await Promise.all(candidates.map((name) => isForTextsAlone(childOf(folder, name), list)));
  const hidden = new Set(candidates.filter((_, index) => areHidden[index]));
  return hidden.size === 0 ? folders : folders.filter((name) => !hidden.has(name));
}
