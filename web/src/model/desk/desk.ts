/** What a reader keeps at the desk: books that were open, bookmarks and details in collections, and notes on all images. */
import { isFiniteNumber, isObject, listOf, memberOf, textOf } from '../json-value.ts';
import { addNotes, type Notes, readNotes } from '../notes/own-notes.ts';
import { readDrafts, storedDrafts } from '../tour/draft.ts';
import type { NoteContent, Rect } from '../view-state.ts';
import { pointsBox } from './note-box.ts';

/** A page that was open, with what to call it. */
export interface DeskPage {
  /** The path of the image. */
  readonly path: string;
  readonly label: string;
  /** The path of its folder, and the title of the book. */
  readonly folder: string;
  readonly title: string;
}

/** Where a book was left. */
export interface RecentBook extends DeskPage {
  readonly at: number;
  readonly total: number;
  /** In ms since 1970. */
  readonly time: number;
}

/** A bookmark of a page, or of a detail of it. */
export interface Kept extends DeskPage {
  readonly id: string;
  /** Of the view, relative to the base. */
  readonly address: string;
  /** The detail; null for a whole page. */
  readonly region: Rect | null;
  /** The name of the collection; empty for none. */
  readonly collection: string;
  readonly note: string;
  readonly time: number;
}

/** What annotations of an image are about, and the place of the image there. */
export interface NoteTarget {
  readonly canvas: string;
  readonly manifest: string | undefined;
  readonly width: number;
  readonly height: number;
  readonly place: Rect;
}

/** A page with notes: what to call it, and what its annotations are about. */
export interface NotedPage extends DeskPage {
  readonly target?: NoteTarget;
}

const hasTexts = (value: unknown, names: readonly string[]): boolean =>
  names.every((name) => typeof memberOf(value, name) === 'string');

const pageNames = ['path', 'label', 'folder', 'title'] as const;

const pageIn = (value: unknown): DeskPage => ({
  path: textOf(memberOf(value, 'path')),
  label: textOf(memberOf(value, 'label')),
  folder: textOf(memberOf(value, 'folder')),
  title: textOf(memberOf(value, 'title')),
});

const numberIn = (value: unknown, name: string): number => {
  const number = memberOf(value, name);
  return isFiniteNumber(number) ? number : 0;
};

export function readRect(value: unknown): Rect | undefined {
  const rect = {
    x: numberIn(value, 'x'),
    y: numberIn(value, 'y'),
    width: numberIn(value, 'width'),
    height: numberIn(value, 'height'),
  };
  return isObject(value) && rect.width > 0 && rect.height > 0 ? rect : undefined;
}

/** Parses a stored list of books, the last one first; malformed items are left out. */
export const readRecent = (value: unknown): readonly RecentBook[] =>
  listOf(value).flatMap((one): readonly RecentBook[] => {
    const [at, total] = [numberIn(one, 'at'), numberIn(one, 'total')];
    if (!hasTexts(one, pageNames) || at < 1) return [];
    return [{ ...pageIn(one), at, total: Math.max(at, total), time: numberIn(one, 'time') }];
  });

/** An address below the base, and nothing that leads elsewhere. */
const isOwnAddress = (address: string): boolean => /^(?:view|embed)[/?]/.test(address);

export const readKept = (value: unknown): readonly Kept[] =>
  listOf(value).flatMap((one): readonly Kept[] => {
    const address = textOf(memberOf(one, 'address'));
    const id = textOf(memberOf(one, 'id'));
    if (!hasTexts(one, pageNames) || id === '' || !isOwnAddress(address)) return [];
    const [collection, note] = [textOf(memberOf(one, 'collection')), textOf(memberOf(one, 'note'))];
    const region = readRect(memberOf(one, 'region')) ?? null;
    return [{ ...pageIn(one), id, address, region, collection, note, time: numberIn(one, 'time') }];
  });

function readTarget(value: unknown): NoteTarget | undefined {
  const [width, height] = [numberIn(value, 'width'), numberIn(value, 'height')];
  const place = readRect(memberOf(value, 'place'));
  const canvas = textOf(memberOf(value, 'canvas'));
  if (width <= 0 || height <= 0 || place === undefined || canvas === '') return undefined;
  return { canvas, manifest: textOf(memberOf(value, 'manifest')) || undefined, width, height, place };
}

/** Parses the pages with notes. */
export const readNotedPages = (value: unknown): readonly NotedPage[] =>
  listOf(value).flatMap((one): readonly NotedPage[] => {
    const target = readTarget(memberOf(one, 'target'));
    return hasTexts(one, pageNames) ? [{ ...pageIn(one), ...(target && { target }) }] : [];
  });

/** No more books are remembered. */
const maxRecent = 100;

/** The list with a book at its front, which is there once. */
export const withBook = (list: readonly RecentBook[], book: RecentBook): readonly RecentBook[] =>
  [book, ...list.filter(({ folder }) => folder !== book.folder)].slice(0, maxRecent);

const isSameRegion = (one: Rect | null, other: Rect | null): boolean =>
  one === null || other === null
    ? one === other
    : (['x', 'y', 'width', 'height'] as const).every((side) => Math.abs(one[side] - other[side]) < 0.002);

/** What is kept of a page, or of a detail of it. */
export const keptAt = (list: readonly Kept[], path: string, region: Rect | null): Kept | undefined =>
  list.find((one) => one.path === path && isSameRegion(one.region, region));

/** The names of the collections, in the order of the alphabet. */
export const collectionsOf = (list: readonly Kept[]): readonly string[] =>
  [...new Set(list.map(({ collection }) => collection).filter((name) => name !== ''))].toSorted((one, other) =>
    one.localeCompare(other),
  );

/** A note on one of the images. */
export interface DeskNote {
  readonly page: NotedPage;
  readonly kind: 'mark' | 'region' | 'measure';
  /** Its number among those of its kind, from 1. */
  readonly number: number;
  readonly content: NoteContent;
  /** What is pictured of the image, in fractions. */
  readonly region: Rect;
}

/** All notes on a page. */
export const notesOnPage = (page: NotedPage, { marks, rectangles, measures }: Notes): readonly DeskNote[] => [
  ...marks.map(
    (mark, at): DeskNote => ({ page, kind: 'mark', number: at + 1, content: mark, region: pointsBox([mark]) }),
  ),
  ...rectangles.map((one, at): DeskNote => ({ page, kind: 'region', number: at + 1, content: one, region: one })),
  ...measures.map(
    (one, at): DeskNote => ({ page, kind: 'measure', number: at + 1, content: one, region: pointsBox(one.points) }),
  ),
];

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLocaleLowerCase();

/** The notes of a book (all for undefined) that contain all words, regardless of case and accents. */
export function findNotes(notes: readonly DeskNote[], query: string, folder: string | undefined): readonly DeskNote[] {
  const words = plain(query)
    .split(/\s+/)
    .filter((word) => word !== '');
  return notes.filter(({ page, content: { text = '', tags = [] } }) => {
    if (folder !== undefined && page.folder !== folder) return false;
    const all = plain([text, ...tags, page.title, page.label].join(' '));
    return words.every((word) => all.includes(word));
  });
}

/** A file with all that is kept in the browser, by the names that it is stored under. */
export interface Backup {
  readonly type: 'lectern-desk';
  readonly version: 1;
  readonly entries: Readonly<Record<string, unknown>>;
}

/** Parses the text of a backup; undefined for other files. */
export function readBackup(json: unknown): Backup | undefined {
  const entries = memberOf(json, 'entries');
  if (memberOf(json, 'type') !== 'lectern-desk' || !isObject(entries)) return undefined;
  return { type: 'lectern-desk', version: 1, entries };
}

const joined = <Item>(own: readonly Item[], more: readonly Item[], keyOf: (item: Item) => string): readonly Item[] => {
  const known = new Set(own.map(keyOf));
  return [...own, ...more.filter((item) => !known.has(keyOf(item)))];
};

/** A stored value together with that of a backup, of which nothing replaces what is there; undefined for names that are not the desk's. */
export function joinEntry(name: string, own: unknown, more: unknown): unknown {
  if (name.startsWith('notes:')) {
    const [before, added] = [readNotes(own), readNotes(more)];
    const { scale } = { ...added, ...before };
    return { ...addNotes(before, added), ...(scale && { scale }) };
  }
  if (name === 'desk:kept') return joined(readKept(own), readKept(more), ({ id }) => id);
  if (name === 'desk:pages') return joined(readNotedPages(own), readNotedPages(more), ({ path }) => path);
  if (name === 'desk:tours') return storedDrafts(joined(readDrafts(own), readDrafts(more), ({ id }) => id));
  if (name !== 'desk:recent') return undefined;
  const all = [...readRecent(own), ...readRecent(more)].toSorted((one, other) => other.time - one.time);
  return all.filter(({ folder }, at) => all.findIndex((one) => one.folder === folder) === at);
}
