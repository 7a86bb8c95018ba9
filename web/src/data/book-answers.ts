/** Searches the pages of a book: the texts, labels and chapters of a folder. */
import type { FoundPage } from '../../../src/features/search/found-texts.ts';
import type { SearchAnswer } from '../../../src/features/search/search-answer.ts';
import { boxInFractions } from '../model/view/geometry.ts';
import type { Rect } from '../model/view-state.ts';
import { type Answer, addressOf, fetchJson } from './fetch.ts';

/** A place in a book where the words were found. */
export interface BookHit {
  /** The path of the page. */
  readonly path: string;
  /** The position of the page's file in its folder, from 1, where the server knows it. */
  readonly at: number | undefined;
  /** The boxes of the words in fractions of the page's image; empty where only the page is known. */
  readonly boxes: readonly Rect[];
  /** The text around the words, and the words as they are written there. */
  readonly before: string;
  readonly match: string;
  readonly after: string;
}

interface BookAnswer {
  readonly hits: readonly BookHit[];
  /** Whether the server has an index of the texts. */
  readonly isIndexed: boolean;
  /** Whether these are all. */
  readonly complete: boolean;
}

/** The most answers that a search takes, of 500 pages each. */
const maxAnswers = 6;

const hitsOf = (page: FoundPage): readonly BookHit[] =>
  page.hits.map(({ boxes, ...words }) => ({
    ...words,
    path: page.path,
    at: page.place?.at,
    boxes: boxes.map(([x, y, width, height]) => boxInFractions({ x, y, width, height }, page)),
  }));

/** Searches the texts of the pages of a folder, in the order of its pages. */
export async function searchBook(
  query: string,
  folder: string,
  language: string,
  signal?: AbortSignal,
): Promise<Answer<BookAnswer>> {
  const hits: BookHit[] = [];
  let complete = true;
  let from: number | undefined;
  for (let answers = 0; answers < maxAnswers; answers += 1) {
    const address = addressOf('api/search.json', { q: query, within: folder, from, lang: language });
    const answer = await fetchJson<SearchAnswer>(address, signal);
    if (!answer.ok) return answer;
    const { texts } = answer.value;
    if (texts === null) return { ok: true, value: { hits, isIndexed: false, complete: false } };
    const { pages, next } = texts;
    // Pages of folders below belong to other books.
    for (const page of pages.filter((one) => one.folder === folder)) {
      hits.push(...hitsOf(page));
      complete &&= page.hits.length >= page.count;
    }
    if (next === null) return { ok: true, value: { hits, isIndexed: true, complete } };
    from = next;
  }
  return { ok: true, value: { hits, isIndexed: true, complete: false } };
}
