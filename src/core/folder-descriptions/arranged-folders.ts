/** Folders in the order, and those of the choice, that a reader wishes: by the metadata of each that the caller may see. */
import pMap from 'p-map';
import type { Admission } from '../access/admit.ts';
import { bounded, ifAnswering } from '../access/if-answering.ts';
import { arranged, type FolderFacts, facetsOf, folderFactsOf } from '../image/folder/folder-facets.ts';
import type { FolderFacets } from '../image/folder/folder-listing.ts';
import type { FolderWish } from '../image/folder/folder-wish.ts';
import { childOf, formatIdentifier, type Identifier } from '../image/model/identifier.ts';
import { type FolderMetadataSource, titleOf } from './folder-cards.ts';
import type { ListedFolder, Reader } from './listed-folders.ts';

/** The metadata of so many folders is read for one list; folders with more are shown in their own order. */
export const mostArranged = 2000;

/** About how much processor time it takes to read the metadata of all of them, in ms. */
export const arrangingMs = 100;

/** The facts of a folder; of one that the reader may not see, or whose storage does not answer, the name. */
export type FactsOfFolder = (identifier: Identifier, reader: Reader) => Promise<FolderFacts>;

export const createFactsOfFolder =
  (admission: Pick<Admission, 'isFolderVisible'>, source: FolderMetadataSource): FactsOfFolder =>
  async (identifier, { caller, languages }) => {
    const isVisible = await admission.isFolderVisible(formatIdentifier(identifier), caller);
    const read = isVisible ? await ifAnswering(source.metadataOf(identifier, 'titles')) : {};
    const metadata = read === 'no-answer' ? {} : read;
    return folderFactsOf(metadata, titleOf({ identifier, metadata, languages }), languages);
  };

export interface ArrangedFolder {
  readonly listed: ListedFolder;
  /** Null where there are too many folders. */
  readonly facets: FolderFacets | null;
}

/** The folders inside of a listed one as a reader wishes them, and what there is to choose. */
export async function arrangeFolders(
  listed: ListedFolder,
  wish: FolderWish | undefined,
  factsOfFolder: FactsOfFolder,
): Promise<ArrangedFolder> {
  const { folders, identifier, languages, totalFolders } = listed;
  if (folders.length < totalFolders || totalFolders > mostArranged) return { listed, facets: null };
  const all = await pMap(
    folders,
    async (name) => ({ name, facts: await factsOfFolder(childOf(identifier, name), listed) }),
    bounded,
  );
  const chosen = wish === undefined ? all : arranged(all, ({ facts }) => facts, wish, languages);
  const names = chosen.map(({ name }) => name);
  return {
    listed: { ...listed, folders: names, totalFolders: names.length },
    facets: facetsOf(all.map(({ facts }) => facts)),
  };
}
