/** The use cases of the reading room's library pages: list a folder, search, and find an example image. */
import type { Caller } from '../access/access.ts';
import type { FolderListing, SearchAnswer } from '../image/folder/folder-listing.ts';
import type { FrontPictureChoice } from '../image/folder/front-picture.ts';
import type { PageLabels } from '../image/folder/page-labels.ts';
import { type Admission, ifAdmitted } from './admit.ts';
import type { FolderCards } from './folder-cards.ts';
import { createFolderListings, type FolderQuery } from './folder-listings.ts';
import { createFrontPictures } from './front-pictures.ts';
import type { PageTexts } from './page-texts.ts';
import type { FolderMetadataSource } from './present.ts';
import { createSearch, type SearchQuery } from './search.ts';

export interface Browsing {
  /** A part of a folder, as far as the caller may see it. */
  folder(query: FolderQuery, caller: Caller): Promise<FolderListing>;
  /** The folders and images below a folder whose names or metadata contain a text. */
  search(query: SearchQuery, caller: Caller): Promise<SearchAnswer>;
  /** The path of an image for examples of addresses; undefined where none is found near the root. */
  example(caller: Caller): Promise<string | undefined>;
}

export interface BrowsingParts {
  readonly admission: Admission;
  readonly metadata: FolderMetadataSource;
  readonly cards: FolderCards;
  readonly pageLabels: PageLabels;
  /** The picture of the start page that the settings name. */
  readonly frontPicture?: FrontPictureChoice | undefined;
  readonly pageTexts: Pick<PageTexts, 'textsOf'>;
}

/** How many of the root's folders are searched for an example. */
const maxTries = 60;

export function createBrowsing(parts: BrowsingParts): Browsing {
  const { admission, metadata, cards, pageLabels, frontPicture, pageTexts } = parts;
  const frontPictureOf = createFrontPictures(admission, frontPicture);

  async function firstCover(names: readonly string[], caller: Caller): Promise<string | undefined> {
    for (const name of names.slice(0, maxTries)) {
      const folder = await ifAdmitted(admission.admitFolder(name, caller));
      const cover = folder && (await cards.coverOf(folder, caller));
      if (cover !== undefined) return cover;
    }
    return undefined;
  }

  return {
    folder: createFolderListings({ admission, metadata, cards, frontPictureOf, pageLabels, pageTexts }),
    search: createSearch({ admission, metadata, cards }),
    async example(caller) {
      const root = await ifAdmitted(admission.admitFolder('', caller));
      if (root === undefined) return undefined;
      return (await firstCover(await admission.foldersOf(root, caller), caller)) ?? (await cards.coverOf(root, caller));
    },
  };
}
