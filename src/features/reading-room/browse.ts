/** The use cases of the reading room's library pages: list a folder, search, and find an example image. */
import type { Caller } from '../../core/access/access.ts';
import { type Admission, ifAdmitted } from '../../core/access/admit.ts';
import type { FolderCards } from '../../core/folders/folder-cards.ts';
import type { FolderListing } from '../../core/image/folder/folder-listing.ts';
import type { PageLabels } from '../../core/image/folder/page-labels.ts';
import type { AnnotationFiles } from '../presentation/annotation-files.ts';
import type { FolderMetadataSource } from '../presentation/present.ts';
import { createFoundPages } from '../search/found-pages.ts';
import { createSearch, type SearchQuery } from '../search/search.ts';
import type { SearchAnswer } from '../search/search-answer.ts';
import type { TextSearch } from '../search/search-texts.ts';
import type { PageTexts } from '../texts/page-texts.ts';
import { createFolderListings, type FolderQuery } from './folder-listings.ts';
import type { FrontPictureChoice } from './front-picture.ts';
import { createFrontPictures } from './front-pictures.ts';

/** A search in names, metadata and texts; in texts alone for one folder's, and for pages behind the first ones. */
export interface LibraryQuery extends SearchQuery {
  /** The path of the folder in whose texts to search, in the order of its pages. */
  readonly within?: string;
  /** The position of the first page by its text, from 1. */
  readonly from: number;
  /** Most pages by their texts; fewer by default where the best ones come first. */
  readonly count?: number;
}

export interface Browsing {
  /** A part of a folder, as far as the caller may see it. */
  folder(query: FolderQuery, caller: Caller): Promise<FolderListing>;
  /**
   * The folders and images below a folder whose names or metadata contain a text, and the pages whose texts do; behind the
   * first pages, and within a folder, the pages alone.
   */
  search(query: LibraryQuery, caller: Caller): Promise<SearchAnswer>;
  /** The path of an image for examples of addresses; undefined where none is found near the root. */
  example(caller: Caller): Promise<string | undefined>;
}

export interface BrowsingParts {
  readonly admission: Admission;
  readonly metadata: FolderMetadataSource;
  readonly cards: FolderCards;
  readonly annotationFiles: Pick<AnnotationFiles, 'filesIn'>;
  readonly pageLabels: PageLabels;
  /** Absent where texts are not searched. */
  readonly texts?: TextSearch | undefined;
  /** The picture of the start page that the settings name. */
  readonly frontPicture?: FrontPictureChoice | undefined;
  readonly pageTexts: Pick<PageTexts, 'textsOf'>;
}

/** How many of the root's folders are searched for an example. */
const maxTries = 60;

/** Pages with their matches in an answer: in the order of a book, or the best of the library. */
const inBook = { count: 500, matchesEach: 100 } as const;
const inLibrary = { count: 20, matchesEach: 3 } as const;

export function createBrowsing(parts: BrowsingParts): Browsing {
  const { admission, metadata, cards, annotationFiles, pageLabels, frontPicture, pageTexts, texts } = parts;
  const frontPictureOf = createFrontPictures(admission, frontPicture);

  async function firstCover(names: readonly string[], caller: Caller): Promise<string | undefined> {
    for (const name of names.slice(0, maxTries)) {
      const folder = await ifAdmitted(admission.admitFolder(name, caller));
      const cover = folder && (await cards.coverOf(folder, caller));
      if (cover !== undefined) return cover;
    }
    return undefined;
  }

  const searchNames = createSearch({ admission, metadata, cards });
  const foundPages = texts && createFoundPages({ admission, metadata, texts });

  async function searchTexts(asked: LibraryQuery, caller: Caller): Promise<SearchAnswer['texts']> {
    const { query, path, within, languages, from, count } = asked;
    if (foundPages === undefined) return null;
    const { folder } = await admission.admitFolderOrImage(within ?? path, caller);
    const most = within === undefined ? inLibrary : inBook;
    return foundPages({
      query,
      folder,
      order: within === undefined ? 'rank' : 'book',
      from,
      count: Math.min(count ?? most.count, inBook.count),
      matchesEach: most.matchesEach,
      languages,
      caller,
    });
  }

  async function search(asked: LibraryQuery, caller: Caller): Promise<SearchAnswer> {
    const texts = searchTexts(asked, caller);
    // Who asks for more pages has what was found by names from the first answer.
    if (asked.within === undefined && asked.from === 1) {
      const [names, found] = await Promise.all([searchNames(asked, caller), texts]);
      return { ...names, texts: found };
    }
    const found = await texts;
    return { query: asked.query, found: [], complete: found?.exact === true && found.next === null, texts: found };
  }

  return {
    folder: createFolderListings({
      admission,
      metadata,
      cards,
      annotationFiles,
      frontPictureOf,
      pageLabels,
      pageTexts,
    }),
    search,
    async example(caller) {
      const root = await ifAdmitted(admission.admitFolder('', caller));
      if (root === undefined) return undefined;
      return (await firstCover(await admission.foldersOf(root, caller), caller)) ?? (await cards.coverOf(root, caller));
    },
  };
}
