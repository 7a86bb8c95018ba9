/** Searches the library: names and metadata of folders and images, and the texts of pages. */

import type { Admission } from '../../core/access/admit.ts';
import type { Caller } from '../../core/access/policy.ts';
import { createFactsOfFolder } from '../../core/folder-descriptions/arranged-folders.ts';
import type { FolderCards, FolderMetadataSource } from '../../core/folder-descriptions/folder-cards.ts';
import type { FolderWish } from '../../core/image/folder/folder-wish.ts';
import { arrangeFinds } from './arranged-finds.ts';
import { createFoundPages } from './found-pages.ts';
import { NameSearch, type SearchQuery } from './name-search.ts';
import type { SearchAnswer } from './search-answer.ts';
import type { TextSearch } from './search-texts.ts';

/** A search in names, metadata and texts; in texts alone for one folder's, and for pages behind the first ones. */
export interface LibraryQuery extends SearchQuery {
  /** The path of the folder in whose texts to search, in the order of its pages. */
  readonly within?: string;
  /** The position of the first page by its text, from 1. */
  readonly from: number;
  /** Most pages by their texts; fewer by default where the best ones come first. */
  readonly count?: number;
  /** The order of what is found by names, and of which folders it is. */
  readonly wish?: FolderWish;
  /** Whether it is told what can be chosen, which a wish asks for as well. */
  readonly facets?: boolean;
}

/**
 * The folders and images below a folder whose names or metadata contain a text, and the pages whose texts do; behind the
 * first pages, and within a folder, the pages alone.
 */
export type LibrarySearch = (query: LibraryQuery, caller: Caller) => Promise<SearchAnswer>;

export interface LibrarySearchParts {
  readonly admission: Admission;
  readonly metadata: FolderMetadataSource;
  readonly cards: FolderCards;
  /** Absent where texts are not searched. */
  readonly texts: TextSearch | undefined;
}

/** Pages with their matches in an answer: in the order of a book, or the best of the library. */
const inBook = { count: 500, matchesEach: 100 } as const;
const inLibrary = { count: 20, matchesEach: 3 } as const;

export function createLibrarySearch({ admission, metadata, cards, texts }: LibrarySearchParts): LibrarySearch {
  const names = new NameSearch({ admission, metadata, cards });
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

  const factsOfFolder = createFactsOfFolder(admission, metadata);

  async function search(asked: LibraryQuery, caller: Caller): Promise<SearchAnswer> {
    const texts = searchTexts(asked, caller);
    // Who asks for more pages has what was found by names from the first answer.
    if (asked.within === undefined && asked.from === 1) {
      const [byName, found] = await Promise.all([names.find(asked, caller), texts]);
      return { ...byName, texts: found };
    }
    const found = await texts;
    return { query: asked.query, found: [], complete: found?.exact === true && found.next === null, texts: found };
  }

  return async (asked, caller) => {
    const answer = await search(asked, caller);
    const { wish, facets, languages } = asked;
    if (wish === undefined && facets !== true) return answer;
    return arrangeFinds(answer, wish, factsOfFolder, { caller, languages });
  };
}
