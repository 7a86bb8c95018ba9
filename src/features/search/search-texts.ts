/** Finds words in the texts of pages, as far as a caller may see the pages: nothing of others is returned or counted. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Caller } from '../../core/access/policy.ts';
import { childOf, formatIdentifier, joinPage } from '../../core/image/model/identifier.ts';
import type { Admitted } from '../../core/image/model/image-set.ts';
import type { Folder } from '../../core/library/library.ts';
import { completionsOn, matchesOn, type TextMatch } from './engine/matches.ts';
import { decodePage, type StoredPage } from './engine/page-payload.ts';
import { type PageQuery, parseQuery } from './engine/query.ts';
import { type FindRequest, type Found, type SearchEngine, SearchEngineError } from './engine/search-engine.ts';
import { fewRanked, mostChecked, type VisiblePage, VisiblePages, type VisiblePagesParts } from './visible-pages.ts';

/** Where to search. */
export interface SearchScope {
  /** The folder in and below which to search. */
  readonly folder: Admitted<Folder>;
  /** Whether the folders below it are left out. */
  readonly isShallow?: boolean;
}

export interface TextQuery extends SearchScope {
  readonly query: string;
  /** Pages in the order of the book, folder by folder, or else the best first. */
  readonly order: 'book' | 'rank';
  /** The position of the first page that is returned, from 1. */
  readonly from: number;
  /** Most pages that are returned. */
  readonly count: number;
  /** Most matches of each page. */
  readonly matchesEach: number;
  /** Whether all places are counted where these are not all pages that match, which reads each of them. */
  readonly countsPlaces?: boolean;
}

/** A page with matches. */
export interface MatchedPage {
  readonly folder: Admitted<Folder>;
  /** The image file's name. */
  readonly file: string;
  /** The page inside of the file, from 1. */
  readonly pageInFile: number;
  /** The path of the page inside the library. */
  readonly path: string;
  /** How many matches it has. */
  readonly count: number;
  readonly matches: readonly TextMatch[];
  readonly language?: string;
}

export interface MatchedPages {
  readonly pages: readonly MatchedPage[];
  /** How many pages match that the caller may see. */
  readonly total: number;
  /** Whether that is all of them: there are too many to check each. */
  readonly isExact: boolean;
  /** The position from which the next pages are returned; undefined behind the last one. */
  readonly next: number | undefined;
  /**
   * The boxes of all matches, and those without any, as far as `matchesEach` allows; undefined where they were not counted,
   * or are on too many pages.
   */
  readonly places: number | undefined;
}

export interface Completion {
  /** A word, or words, as they are printed. */
  readonly text: string;
  /** How often, on the pages that were read. */
  readonly count: number;
}

export interface TextSearch {
  /** Undefined where the index can't be used, as long as it has not been made. */
  find(query: TextQuery, caller: Caller): Promise<MatchedPages | undefined>;
  /** What goes on from the beginning of a word, the most frequent first. */
  complete(begun: string, scope: SearchScope, caller: Caller): Promise<readonly Completion[] | undefined>;
}

export interface TextSearchParts extends Omit<VisiblePagesParts, 'fingerprints'> {
  readonly engine: SearchEngine;
  /** Called with a sentence where the index can't be used. */
  readonly onFault: (message: string) => void;
}

/** Most pages that are sorted into the order of a book, and most of which the best are returned. */
const mostInBook = 5000;
const mostRanked = 1000;

/** On at most this many pages places are counted, and of this many, in some 5 ms, before other requests have their turn. */
const mostForPlaces = 1000;
const placesAtOnce = 10;

/** How many pages are read for completions, and how many of those are returned. */
const pagesForCompletions = 40;
const mostCompletions = 20;

/** The path by which the index names a folder: its first one where it has several. */
export const pathOfFolder = ({ paths, identifier }: Folder): string => formatIdentifier(paths[0] ?? identifier);

/** Those of the pages that were found which the caller may see, and how many of them were checked. */
interface CheckedPages {
  readonly found: Found;
  readonly pages: readonly VisiblePage[];
  readonly checked: number;
}

/** Our scope in the words of the engine. */
const scopeOf = ({ folder, isShallow = false }: SearchScope): Pick<FindRequest, 'within' | 'isShallow'> => ({
  within: pathOfFolder(folder),
  isShallow,
});

/** A match without boxes is a place as well: the whole page. */
const placesOf = (matches: readonly TextMatch[]): number =>
  matches.reduce((sum, { boxes }) => sum + Math.max(1, boxes.length), 0);

const natural = new Intl.Collator('en', { numeric: true });

/** What a page shows of its matches. */
function matchedPage(page: VisiblePage, stored: StoredPage, query: PageQuery, limit: number): MatchedPage {
  const { admitted, file, pageInFile } = page;
  const { count, matches } = matchesOn(stored, query, limit);
  const path = joinPage(formatIdentifier(childOf(admitted.identifier, file)), pageInFile);
  const language = stored.language === undefined ? {} : { language: stored.language };
  return { folder: admitted, file, pageInFile, path, count, matches, ...language };
}

/** The search in an index. A find returns the pages of the engine that the caller may see, read from the index and matched again. */
export class IndexedTextSearch implements TextSearch {
  readonly #engine: SearchEngine;
  readonly #pages: VisiblePages;
  readonly #onFault: (message: string) => void;

  constructor({ engine, onFault, ...parts }: TextSearchParts) {
    this.#engine = engine;
    this.#pages = new VisiblePages({ ...parts, fingerprints: (folder) => engine.fingerprints(folder) });
    this.#onFault = onFault;
  }

  find(asked: TextQuery, caller: Caller): Promise<MatchedPages | undefined> {
    return this.#unlessFaulty(this.#find(asked, parseQuery(asked.query), caller));
  }

  complete(begun: string, scope: SearchScope, caller: Caller): Promise<readonly Completion[] | undefined> {
    return this.#unlessFaulty(this.#complete(begun, scope, caller));
  }

  async #storedPages(pages: readonly VisiblePage[]): Promise<readonly (readonly [VisiblePage, StoredPage])[]> {
    const payloads = await this.#engine.read(pages.map(({ folder, name }) => ({ folder, name })));
    return pages.flatMap((page, index) => {
      const payload = payloads[index];
      return payload === undefined ? [] : [[page, decodePage(payload)] as const];
    });
  }

  async #countPlaces(pages: readonly VisiblePage[], query: PageQuery, each: number): Promise<number | undefined> {
    if (pages.length > mostForPlaces) return undefined;
    let count = 0;
    for (let from = 0; from < pages.length; from += placesAtOnce) {
      const stored = await this.#storedPages(pages.slice(from, from + placesAtOnce));
      count += stored.reduce((sum, [, page]) => sum + placesOf(matchesOn(page, query, each).matches), 0);
      await nextTurn();
    }
    return count;
  }

  /** Pages in the order of the book, of which all are checked. */
  async #findInBook(asked: TextQuery, query: PageQuery, caller: Caller): Promise<CheckedPages> {
    const found = await this.#engine.find({ query, ...scopeOf(asked), limit: mostInBook });
    return {
      found,
      pages: await this.#pages.inBookOrder(await this.#pages.among(found.pages, caller)),
      checked: found.pages.length,
    };
  }

  /** The best pages, and one more, which tells whether there are next ones. */
  async #findBest(asked: TextQuery, query: PageQuery, caller: Caller): Promise<CheckedPages> {
    const { isOpen } = asked.folder;
    const enough = asked.from + asked.count;
    const findAmong = async (limit: number): Promise<CheckedPages> => {
      const found = await this.#engine.find({ query, ...scopeOf(asked), limit });
      return { found, ...(await this.#pages.until(found.pages, enough, isOpen ? 0 : mostChecked, caller)) };
    };
    // Where everything is open, only files that are gone meanwhile are left out.
    const first = await findAmong(isOpen ? Math.min(mostRanked, 2 * enough + fewRanked) : mostRanked);
    return first.pages.length >= enough || first.found.isAll || !isOpen ? first : findAmong(mostRanked);
  }

  async #find(asked: TextQuery, query: PageQuery, caller: Caller): Promise<MatchedPages> {
    const { folder, order, from, count, matchesEach } = asked;
    const { found, pages, checked } = await (order === 'book'
      ? this.#findInBook(asked, query, caller)
      : this.#findBest(asked, query, caller));
    const end = from - 1 + count;
    const isAllChecked = found.isAll && checked === found.pages.length;
    const isTold = folder.isOpen && order === 'rank';
    const shown = await this.#storedPages(pages.slice(from - 1, end));
    return {
      pages: shown.map(([page, stored]) => matchedPage(page, stored, query, matchesEach)),
      total: isTold && !isAllChecked ? found.total : pages.length,
      isExact: isAllChecked,
      next: pages.length > end ? end + 1 : undefined,
      places:
        asked.countsPlaces === true && pages.length > end
          ? await this.#countPlaces(pages, query, matchesEach)
          : undefined,
    };
  }

  async #complete(begun: string, scope: SearchScope, caller: Caller): Promise<readonly Completion[]> {
    const phrases = parseQuery(begun);
    const last = phrases.at(-1);
    if (last === undefined) return [];
    const query = [...phrases.slice(0, -1), { ...last, isPrefix: true }];
    const found = await this.#engine.find({ query, ...scopeOf(scope), limit: mostChecked });
    const { pages } = await this.#pages.until(found.pages, pagesForCompletions, 0, caller);
    const words = new Map<string, { text: string; count: number }>();
    for (const [, stored] of await this.#storedPages(pages.slice(0, pagesForCompletions))) {
      for (const [key, { text, count }] of completionsOn(stored, last)) {
        const known = words.get(key);
        words.set(key, { text: known?.text ?? text, count: (known?.count ?? 0) + count });
      }
    }
    return [...words.values()]
      .sort((a, b) => b.count - a.count || natural.compare(a.text, b.text))
      .slice(0, mostCompletions);
  }

  async #unlessFaulty<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof SearchEngineError)) throw error;
      this.#onFault(error.message);
      return undefined;
    }
  }
}
