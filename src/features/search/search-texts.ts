/** Finds words in the texts of pages, as far as a caller may see the pages: nothing of others is returned or counted. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import pMap from 'p-map';
import { type Admission, ifAdmitted } from '../../core/access/admit.ts';
import { bounded, ifAnswering } from '../../core/access/if-answering.ts';
import type { Caller } from '../../core/access/policy.ts';
import type { FolderMetadataSource } from '../../core/folders/folder-cards.ts';
import { inDisplayOrder, namesOfFile } from '../../core/image/folder/page-labels.ts';
import { childOf, formatIdentifier, joinPage } from '../../core/image/model/identifier.ts';
import type { Admitted } from '../../core/image/model/image-set.ts';
import type { Folder } from '../../core/library/library.ts';
import type { PageTexts } from '../../core/ports.ts';
import { completionsOn, matchesOn, type TextMatch } from './engine/matches.ts';
import { decodePage, type StoredPage } from './engine/page-payload.ts';
import { type PageQuery, parseQuery } from './engine/query.ts';
import {
  type FindRequest,
  type Found,
  type PageKey,
  type SearchEngine,
  SearchEngineError,
} from './engine/search-engine.ts';

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

export interface TextSearchParts {
  readonly engine: SearchEngine;
  readonly admission: Admission;
  readonly texts: Pick<PageTexts, 'textsOfPages'>;
  readonly metadata: FolderMetadataSource;
  /** Called with a sentence where the index can't be used. */
  readonly onFault: (message: string) => void;
}

/** Most pages that are sorted into the order of a book, and most of which the best are returned. */
const mostInBook = 5000;
const mostRanked = 1000;

/** On at most this many pages places are counted, and of this many, in some 5 ms, before other requests have their turn. */
const mostForPlaces = 1000;
const placesAtOnce = 10;

/** Up to this many ranked pages are all checked, which makes their number exact; at most, where the caller may not see everything. */
const fewRanked = 50;
const mostChecked = 200;

/** How many ranked pages are checked at the same time at least. */
const leastCheckedAtOnce = 10;

/** How many pages are read for completions, and how many of those are returned. */
const pagesForCompletions = 40;
const mostCompletions = 20;

/** A page whose file and text the caller may see. */
interface VisiblePage extends PageKey {
  readonly admitted: Admitted<Folder>;
  readonly file: string;
  readonly pageInFile: number;
}

/** The file and the page inside of it that an indexed name means: `scan.tif;2`. */
export function fileOfName(name: string): { readonly file: string; readonly pageInFile: number } {
  const [, file, page] = /^(.*);([0-9]+)$/.exec(name) ?? [];
  return file === undefined ? { file: name, pageInFile: 1 } : { file, pageInFile: Number(page) };
}

/** The path by which the index names a folder: its first one where it has several. */
export const pathOfFolder = ({ paths, identifier }: Folder): string => formatIdentifier(paths[0] ?? identifier);

/** Those of the pages that were found which the caller may see, and how many of them were checked. */
interface CheckedPages {
  readonly found: Found;
  readonly pages: readonly VisiblePage[];
  readonly checked: number;
}

const byFolder = (keys: readonly PageKey[]): ReadonlyMap<string, readonly PageKey[]> => {
  const groups = new Map<string, PageKey[]>();
  for (const key of keys) {
    const group = groups.get(key.folder);
    if (group === undefined) groups.set(key.folder, [key]);
    else group.push(key);
  }
  return groups;
};

/** Our scope in the words of the engine. */
const scopeOf = ({ folder, isShallow = false }: SearchScope): Pick<FindRequest, 'within' | 'isShallow'> => ({
  within: pathOfFolder(folder),
  isShallow,
});

/** A match without boxes is a place as well: the whole page. */
const placesOf = (matches: readonly TextMatch[]): number =>
  matches.reduce((sum, { boxes }) => sum + Math.max(1, boxes.length), 0);

const natural = new Intl.Collator('en', { numeric: true });

export function createTextSearch(parts: TextSearchParts): TextSearch {
  const { engine, admission, texts, metadata: source } = parts;

  /** Those of some pages that the caller may see, by `folder/name`. */
  async function visibleIn(folder: string, keys: readonly PageKey[], caller: Caller): Promise<readonly VisiblePage[]> {
    const admitted = await ifAnswering(ifAdmitted(admission.admitFolder(folder, caller)));
    if (admitted === undefined || admitted === 'no-answer') return [];
    const present = new Set(admitted.images);
    const pages = keys.map((key) => ({ ...key, ...fileOfName(key.name), admitted }));
    const files = [...new Set(pages.map(({ file }) => file))].filter((file) => present.has(file));
    const visible = new Set(await admission.visibleAmong(admitted, files, caller));
    const shown = pages.filter(({ file }) => visible.has(file));
    // A text file may be closed where its image is open.
    const readable = await texts.textsOfPages(admitted, shown, caller);
    return shown.filter(({ file, pageInFile }) => readable.has(joinPage(file, pageInFile)));
  }

  async function visibleAmong(keys: readonly PageKey[], caller: Caller): Promise<readonly VisiblePage[]> {
    const groups = [...byFolder(keys)];
    const found = await pMap(groups, ([folder, inside]) => visibleIn(folder, inside, caller), bounded);
    const byName = new Map(found.flat().map((page) => [`${page.folder}/${page.name}`, page]));
    return keys.flatMap(({ folder, name }) => byName.get(`${folder}/${name}`) ?? []);
  }

  async function inBookOrder(pages: readonly VisiblePage[]): Promise<readonly VisiblePage[]> {
    const groups = [...byFolder(pages)].sort(([a], [b]) => natural.compare(a, b));
    const sort = async ([, keys]: readonly [string, readonly PageKey[]]): Promise<readonly VisiblePage[]> => {
      const inside = keys as readonly VisiblePage[];
      const [first] = inside;
      if (first === undefined) return [];
      const positions = new Map(first.admitted.images.map((name, index) => [name, index]));
      const listed = inside.toSorted(
        (a, b) => (positions.get(a.file) ?? 0) - (positions.get(b.file) ?? 0) || a.pageInFile - b.pageInFile,
      );
      const { pageOrder } = await source.metadataOf(first.admitted.identifier);
      return inDisplayOrder(listed, pageOrder, ({ file }) => namesOfFile(file));
    };
    return (await pMap(groups, sort, bounded)).flat();
  }

  /** The best pages in parts, until there are enough; others are not checked. */
  async function checkedUntil(
    keys: readonly PageKey[],
    enough: number,
    mostKeys: number,
    caller: Caller,
  ): Promise<{ readonly pages: readonly VisiblePage[]; readonly checked: number }> {
    const pages: VisiblePage[] = [];
    let checked = 0;
    while (checked < keys.length && (pages.length < enough || checked < mostKeys)) {
      const atOnce = keys.length <= fewRanked ? fewRanked : Math.max(leastCheckedAtOnce, enough - pages.length);
      const part = keys.slice(checked, checked + atOnce);
      pages.push(...(await visibleAmong(part, caller)));
      checked += part.length;
    }
    return { pages, checked };
  }

  async function read(page: VisiblePage, stored: StoredPage, query: PageQuery, limit: number): Promise<MatchedPage> {
    const { admitted, file, pageInFile } = page;
    const { count, matches } = matchesOn(stored, query, limit);
    const path = joinPage(formatIdentifier(childOf(admitted.identifier, file)), pageInFile);
    const language = stored.language === undefined ? {} : { language: stored.language };
    return { folder: admitted, file, pageInFile, path, count, matches, ...language };
  }

  async function storedPages(pages: readonly VisiblePage[]): Promise<readonly (readonly [VisiblePage, StoredPage])[]> {
    const payloads = await engine.read(pages.map(({ folder, name }) => ({ folder, name })));
    return pages.flatMap((page, index) => {
      const payload = payloads[index];
      return payload === undefined ? [] : [[page, decodePage(payload)] as const];
    });
  }

  async function countPlaces(
    pages: readonly VisiblePage[],
    query: PageQuery,
    each: number,
  ): Promise<number | undefined> {
    if (pages.length > mostForPlaces) return undefined;
    let count = 0;
    for (let from = 0; from < pages.length; from += placesAtOnce) {
      const stored = await storedPages(pages.slice(from, from + placesAtOnce));
      count += stored.reduce((sum, [, page]) => sum + placesOf(matchesOn(page, query, each).matches), 0);
      await nextTurn();
    }
    return count;
  }

  /** Pages in the order of the book, of which all are checked. */
  async function findInBook(asked: TextQuery, query: PageQuery, caller: Caller): Promise<CheckedPages> {
    const found = await engine.find({ query, ...scopeOf(asked), limit: mostInBook });
    return { found, pages: await inBookOrder(await visibleAmong(found.pages, caller)), checked: found.pages.length };
  }

  /** The best pages, and one more, which tells whether there are next ones. */
  async function findBest(asked: TextQuery, query: PageQuery, caller: Caller): Promise<CheckedPages> {
    const { isOpen } = asked.folder;
    const enough = asked.from + asked.count;
    const findAmong = async (limit: number): Promise<CheckedPages> => {
      const found = await engine.find({ query, ...scopeOf(asked), limit });
      return { found, ...(await checkedUntil(found.pages, enough, isOpen ? 0 : mostChecked, caller)) };
    };
    // Where everything is open, only files that are gone meanwhile are left out.
    const first = await findAmong(isOpen ? Math.min(mostRanked, 2 * enough + fewRanked) : mostRanked);
    return first.pages.length >= enough || first.found.isAll || !isOpen ? first : findAmong(mostRanked);
  }

  async function find(asked: TextQuery, query: PageQuery, caller: Caller): Promise<MatchedPages> {
    const { folder, order, from, count, matchesEach } = asked;
    const { found, pages, checked } = await (order === 'book' ? findInBook : findBest)(asked, query, caller);
    const end = from - 1 + count;
    const isAllChecked = found.isAll && checked === found.pages.length;
    const isTold = folder.isOpen && order === 'rank';
    const shown = await storedPages(pages.slice(from - 1, end));
    return {
      pages: await pMap(shown, ([page, stored]) => read(page, stored, query, matchesEach), bounded),
      total: isTold && !isAllChecked ? found.total : pages.length,
      isExact: isAllChecked,
      next: pages.length > end ? end + 1 : undefined,
      places:
        asked.countsPlaces === true && pages.length > end ? await countPlaces(pages, query, matchesEach) : undefined,
    };
  }

  async function complete(begun: string, scope: SearchScope, caller: Caller): Promise<readonly Completion[]> {
    const phrases = parseQuery(begun);
    const last = phrases.at(-1);
    if (last === undefined) return [];
    const query = [...phrases.slice(0, -1), { ...last, isPrefix: true }];
    const found = await engine.find({ query, ...scopeOf(scope), limit: mostChecked });
    const { pages } = await checkedUntil(found.pages, pagesForCompletions, 0, caller);
    const words = new Map<string, { text: string; count: number }>();
    for (const [, stored] of await storedPages(pages.slice(0, pagesForCompletions))) {
      for (const [key, { text, count }] of completionsOn(stored, last)) {
        const known = words.get(key);
        words.set(key, { text: known?.text ?? text, count: (known?.count ?? 0) + count });
      }
    }
    return [...words.values()]
      .sort((a, b) => b.count - a.count || natural.compare(a.text, b.text))
      .slice(0, mostCompletions);
  }

  async function unlessFaulty<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof SearchEngineError)) throw error;
      parts.onFault(error.message);
      return undefined;
    }
  }

  return {
    find: (asked, caller) => unlessFaulty(find(asked, parseQuery(asked.query), caller)),
    complete: (begun, scope, caller) => unlessFaulty(complete(begun, scope, caller)),
  };
}
