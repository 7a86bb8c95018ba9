/** The routes of the reading room, the parameters of `/browse/`, and the addresses of what a reader takes along of a folder. */

import { encodePath } from '../../../../src/core/image/addresses/folder-address.ts';
import { type FolderWish, parseWish, wishPairs } from '../../../../src/core/image/folder/folder-wish.ts';
import { formatPageNumbers } from '../../../../src/core/image/folder/page-labels.ts';
import { plainView, type ViewState } from '../view-state.ts';
import { type Pair, pairUnless, parseCount } from './address-text.ts';
import { type Comparison, sideBySide } from './comparison.ts';
import { colorNames } from './view-query.ts';

export interface ViewRoute {
  readonly kind: 'view';
  readonly state: ViewState;
  readonly embedded: boolean;
}

export interface BrowseRoute {
  readonly kind: 'browse';
  readonly folder: string;
  /** The position of the first image shown, from 1. */
  readonly from: number;
  /** The text that is searched for; empty for none. */
  readonly search: string;
  /** The order of folders, and which of them; absent for all in the order of the library. */
  readonly wish?: FolderWish;
}

export interface TableRoute {
  readonly kind: 'table';
  readonly folder: string;
  /** The position of the first image shown, from 1. */
  readonly from: number;
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  /** Parameters of the Scaler that addresses of old contact sheets apply to every thumbnail. */
  readonly operations: readonly (readonly [name: string, value: string])[];
}

export interface CompareRoute {
  readonly kind: 'compare';
  readonly comparison: Comparison;
}

/** What the reader keeps in the browser, with the notes that are searched for. */
export interface DeskRoute {
  readonly kind: 'desk';
  readonly search: string;
  /** The folder whose notes are listed; undefined for those of all. */
  readonly book: string | undefined;
}

export const deskRoute = (book?: string): DeskRoute => ({ kind: 'desk', search: '', book });

export const parseDesk = (pairs: readonly Pair[]): DeskRoute => {
  const values = new Map(pairs);
  return { kind: 'desk', search: values.get('q') ?? '', book: values.get('book') };
};

export const deskPairs = ({ search, book }: DeskRoute): readonly Pair[] => [
  ...pairUnless('', 'q', search),
  ...(book === undefined ? [] : ([['book', book]] as const)),
];

/** A light table, whose parameters its own page reads. */
export interface LightTableRoute {
  readonly kind: 'light-table';
  readonly pairs: readonly Pair[];
}

export const lightTableRoute = (pairs: readonly Pair[] = []): LightTableRoute => ({ kind: 'light-table', pairs });

export type Route = DeskRoute | LightTableRoute | ViewRoute | BrowseRoute | TableRoute | CompareRoute;

/** Maximum number of images or folders on one page of a folder. */
export const partCount = 100;

/** The position of the first image on the page of a folder that holds an image. */
export const partFrom = (at: number): number => Math.floor((at - 1) / partCount) * partCount + 1;

export const folderRoute = (folder: string, from = 1, wish?: FolderWish): BrowseRoute => ({
  kind: 'browse',
  folder,
  from,
  search: '',
  ...(wish && { wish }),
});

export const searchRoute = (folder: string, search: string, wish?: FolderWish): BrowseRoute => ({
  ...folderRoute(folder, 1, wish),
  search,
});

export const viewRoute = (state: ViewState, embedded = false): ViewRoute => ({ kind: 'view', state, embedded });

export const imageRoute = (path: string): ViewRoute => viewRoute(plainView(path));

export const compareRoute = (comparison: Comparison): CompareRoute => ({ kind: 'compare', comparison });

/** The views side by side, as they are; more than a comparison can hold are left out. */
export const compareViewsRoute = (views: readonly ViewState[]): CompareRoute => compareRoute(sideBySide(views));

export const tableRoute = (folder: string): TableRoute => ({
  kind: 'table',
  folder,
  from: 1,
  columns: undefined,
  rows: undefined,
  operations: [],
});

type LibraryRoute = BrowseRoute | TableRoute;

/** Parameters that a contact sheet applies to every thumbnail: the Scaler's without those of image and size. */
const operationNames: ReadonlySet<string> = new Set([
  'ws',
  'wx',
  'wy',
  'ww',
  'wh',
  'mo',
  'rot',
  ...colorNames,
  'ddpi',
  'ddpix',
  'ddpiy',
  'scale',
]);

export const operationsOf = (pairs: readonly Pair[]): readonly Pair[] =>
  pairs.filter(([name, value]) => operationNames.has(name) && value !== '');

export function parseLibrary(folder: string, pairs: readonly Pair[]): LibraryRoute {
  const values = new Map(pairs);
  const countOf = (name: string): number | undefined => parseCount(values.get(name) ?? '');
  const from = countOf('from') ?? 1;
  if (values.get('layout') !== 'table') {
    const wish = parseWish((name) => values.get(name));
    return { kind: 'browse', folder, from, search: values.get('q') ?? '', ...(wish && { wish }) };
  }
  const operations = operationsOf(pairs);
  return { kind: 'table', folder, from, columns: countOf('columns'), rows: countOf('rows'), operations };
}

/** `parseLibrary` reads them back. */
export function libraryPairs(route: LibraryRoute): readonly Pair[] {
  const from = pairUnless('1', 'from', String(route.from));
  if (route.kind === 'browse') return [...from, ...pairUnless('', 'q', route.search), ...wishPairs(route.wish)];
  const grid = [
    ...pairUnless('', 'columns', String(route.columns ?? '')),
    ...pairUnless('', 'rows', String(route.rows ?? '')),
  ];
  return [['layout', 'table'], ...from, ...grid, ...operationsOf(route.operations)];
}

export type TakenForm = 'pdf' | 'zip' | 'txt';

/** The parameters of a PDF or an archive. Which pages: positions in the folder's reading order, from 1; all without. */
export const documentQuery = (language: string, at?: readonly number[]): Record<string, string> => ({
  ...(at && { at: formatPageNumbers(at) }),
  lang: language,
});

export function takenPath(form: TakenForm, folder: string, language: string, at?: readonly number[]): string {
  const query = new URLSearchParams(documentQuery(language, at));
  return `${form}/${encodePath(folder)}.${form}?${query.toString().replaceAll('%2C', ',')}`;
}

interface Entry {
  readonly label: string;
  readonly at: number;
  readonly contents: readonly Entry[];
}

/** A chapter with the positions of its pages, from 1. */
interface ChapterPages {
  readonly label: string;
  readonly at: readonly number[];
}

/** The innermost chapter that a page is in, up to the next one that begins behind it; undefined where it is in none. */
export function chapterAround(contents: readonly Entry[], at: number, total: number): ChapterPages | undefined {
  const all = flattened(contents);
  const own = all.filter((entry) => entry.at <= at).at(-1);
  if (own === undefined) return undefined;
  const next = all.find((entry) => entry.at > own.at)?.at ?? total + 1;
  return { label: own.label, at: Array.from({ length: next - own.at }, (_, index) => own.at + index) };
}

/** In the order of their first pages; of those that begin at the same page, the innermost last. */
const flattened = (contents: readonly Entry[]): readonly Entry[] =>
  contents.flatMap((entry) => [entry, ...flattened(entry.contents)]).sort((a, b) => a.at - b.at);
