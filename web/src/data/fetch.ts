/** Requests to the server, and the answers of the search in a book. */

import { encodePath } from '../../../src/core/image/addresses/folder-address.ts';
import type { FolderListing } from '../../../src/core/image/folder/folder-listing.ts';
import { type FolderWish, wishPairs } from '../../../src/core/image/folder/folder-wish.ts';
import type { Unit, UnitList } from '../../../src/core/image/model/units.ts';
import type { TextAnswer } from '../../../src/core/image/page-text/text-answer.ts';
import type { FoundPage, SearchAnswer } from '../../../src/features/search/search-answer.ts';
import { boxInFractions } from '../model/view/geometry.ts';
import type { Rect } from '../model/view-state.ts';

/**
 * `aborted`: by the `signal`. `unreadable`: the image exists, but its file is damaged. Of manifests and images of other hosts:
 * `refused-host`: the settings of this server do not allow the host; `unshared`: the host answers, but lets no other site read its
 * answer (CORS); `no-manifest`, `collection`, `no-pages`, `too-large`: what came can't be shown; `no-image`: the page has none.
 */
export type Problem =
  | 'refused-host'
  | 'unshared'
  | 'no-manifest'
  | 'collection'
  | 'no-pages'
  | 'too-large'
  | 'no-image'
  | 'no-content-state'
  | 'login-needed'
  | 'denied'
  | 'not-found'
  | 'unreadable'
  | 'busy'
  | 'failed'
  | 'unreachable'
  | 'aborted';

export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem };

export const fault = (problem: Problem): { readonly ok: false; readonly problem: Problem } => ({ ok: false, problem });

type Query = Readonly<Record<string, string | number | undefined>>;

/** The path, relative to the base, with the query. */
export function addressOf(path: string, query: Query = {}): string {
  const pairs = Object.entries(query).filter((pair): pair is [string, string | number] => pair[1] !== undefined);
  const text = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return text === '' ? path : `${path}?${text}`;
}

export function problemOf(status: number): Problem {
  if (status === 401) return 'login-needed';
  if (status === 403) return 'denied';
  if (status === 404) return 'not-found';
  return status === 503 || status === 429 ? 'busy' : 'failed';
}

async function fetchFrom<T>(
  address: string,
  options: RequestInit,
  read: (answer: Response) => Promise<T>,
): Promise<Answer<T>> {
  try {
    const answer = await fetch(new URL(address, document.baseURI), options);
    if (!answer.ok) return fault(problemOf(answer.status));
    return { ok: true, value: await read(answer) };
  } catch {
    return fault(options.signal?.aborted ? 'aborted' : 'unreachable');
  }
}

const withSignal = (signal: AbortSignal | undefined): RequestInit => (signal ? { signal } : {});

/**
 * The JSON is not validated: server and page share its types. Addresses are relative to the base. With `no-cache` the browser
 * asks the server whether its copy is still right.
 */
export const fetchJson = <T>(
  address: string,
  signal?: AbortSignal,
  cache: 'default' | 'no-cache' = 'default',
): Promise<Answer<T>> =>
  fetchFrom(address, { ...withSignal(signal), cache }, async (answer) => (await answer.json()) as T);

/** The same, with the value of a header; undefined where the answer has none. */
export const fetchJsonAndHeader = <T>(
  address: string,
  name: string,
  signal?: AbortSignal,
): Promise<Answer<{ readonly json: T; readonly header: string | undefined }>> =>
  fetchFrom(address, withSignal(signal), async (answer) => ({
    json: (await answer.json()) as T,
    header: answer.headers.get(name) ?? undefined,
  }));

export const fetchBytes = (address: string, signal?: AbortSignal): Promise<Answer<Blob>> =>
  fetchFrom(address, withSignal(signal), (answer) => answer.blob());

/** Checks with a HEAD request that the server would answer. */
export const fetchHead = (address: string, signal?: AbortSignal): Promise<Answer<undefined>> =>
  fetchFrom(address, { ...withSignal(signal), method: 'HEAD' }, async () => undefined);

interface FolderPart {
  /** The page if `fn` is a folder, as `pn` of the Scaler. */
  readonly pn?: number | undefined;
  /** The label of the page if `fn` is a folder. */
  readonly label?: string | undefined;
  /** The position of the first image, from 1; by default, the part with the image `fn`. */
  readonly from?: number | undefined;
  readonly count?: number | undefined;
  /** The order of the folders, and which of them. */
  readonly wish?: FolderWish | undefined;
  /** Whether to tell what can be chosen. */
  readonly facets?: boolean;
}

const wishParameters = (wish: FolderWish | undefined, facets = false): Record<string, string | undefined> => ({
  ...Object.fromEntries(wishPairs(wish)),
  facets: facets ? '1' : undefined,
});

/** The listing of the folder `fn`, or of the folder of the image `fn`. */
export const fetchFolder = (
  fn: string,
  language: string,
  { pn, label, from, count, wish, facets }: FolderPart = {},
  signal?: AbortSignal,
): Promise<Answer<FolderListing>> =>
  fetchJson(
    addressOf('api/folder.json', { fn, pn, label, from, count, ...wishParameters(wish, facets), lang: language }),
    signal,
  );

/** Names, metadata and texts that contain words, in the folder `fn` and below; `from` counts the pages found by their texts. */
export const fetchSearch = (
  query: string,
  fn: string,
  language: string,
  signal?: AbortSignal,
  { from, wish, facets }: Pick<FolderPart, 'from' | 'wish' | 'facets'> = {},
): Promise<Answer<SearchAnswer>> =>
  fetchJson(
    addressOf('api/search.json', { q: query, fn, from, ...wishParameters(wish, facets), lang: language }),
    signal,
  );

/** Relative to the base; `key` names another text than the first. */
export const textAddress = (path: string, form: 'json' | 'txt', key?: string): string =>
  addressOf(`api/text/${encodePath(path)}.${form}`, { text: key || undefined });

export const fetchPageText = (path: string, key: string, signal?: AbortSignal): Promise<Answer<TextAnswer>> =>
  fetchJson(textAddress(path, 'json', key), signal);

/** Empty on errors: all other units are available without them. */
export async function fetchSiteUnits(): Promise<readonly Unit[]> {
  const answer = await fetchJson<UnitList>('api/units.json');
  return answer.ok ? answer.value.units : [];
}

/** A place in a book where the words were found. */
export interface BookHit {
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
