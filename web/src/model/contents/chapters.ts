/** The chapters of a book in the order of their pages: which of them a page is in, and the ones before and after it. */
import { splitPage } from '../../../../src/core/image/model/identifier.ts';
import { isForeign } from '../address/address-text.ts';
import { centerOf } from '../view/geometry.ts';
import type { Point, Rect } from '../view-state.ts';

/** A chapter as listings have it; also one of a manifest of another host. */
interface Entry {
  readonly label: string;
  readonly path: string;
  readonly at: number;
  readonly region?: Rect;
  readonly contents: readonly Entry[];
}

/** A page: the position of its file in the folder, and the page inside of the file, both from 1. */
interface Page {
  readonly at: number;
  readonly inner: number;
}

/** A chapter with the page at which it begins. */
export interface PlacedChapter<Of extends Entry = Entry> extends Page {
  readonly entry: Of;
  /** The labels of the chapters that contain it, the outermost first, and its own. */
  readonly way: readonly string[];
}

const innerOf = ({ path }: Entry): number => (isForeign(path) ? 1 : splitPage(path).page);

const compare = (one: Page, other: Page): number => one.at - other.at || one.inner - other.inner;

interface Nested<Of> {
  readonly contents: readonly Of[];
}

const placed = <Of extends Entry & Nested<Of>>(
  contents: readonly Of[],
  around: readonly string[],
): readonly PlacedChapter<Of>[] =>
  contents.flatMap((entry) => {
    const way = [...around, entry.label];
    return [{ entry, at: entry.at, inner: innerOf(entry), way }, ...placed(entry.contents, way)];
  });

/** All chapters by the pages at which they begin; of those that begin at the same page, the innermost last. */
export const chaptersInOrder = <Of extends Entry & Nested<Of>>(contents: readonly Of[]): readonly PlacedChapter<Of>[] =>
  placed(contents, []).toSorted(compare);

const isIn = ({ x, y, width, height }: Rect, point: Point): boolean =>
  point.x >= x && point.x <= x + width && point.y >= y && point.y <= y + height;

const area = ({ entry: { region } }: PlacedChapter): number => (region ? region.width * region.height : 0);

/** The smallest chapter of a part of the page around the middle of what is seen; undefined where the whole page is seen. */
function partAround<Of extends Entry>(
  chapters: readonly PlacedChapter<Of>[],
  page: Page,
  seen: Rect | undefined,
): PlacedChapter<Of> | undefined {
  if (seen === undefined) return undefined;
  const middle = centerOf(seen);
  const isAround = (chapter: PlacedChapter<Of>): boolean =>
    compare(chapter, page) === 0 && chapter.entry.region !== undefined && isIn(chapter.entry.region, middle);
  return chapters.filter(isAround).toSorted((one, other) => area(one) - area(other))[0];
}

/**
 * The innermost chapter that a page is in: the last one that begins at it or before it. Of chapters that are parts of the page, the one
 * that is `seen`, which is undefined where the whole page is.
 */
export const chapterAt = <Of extends Entry>(
  chapters: readonly PlacedChapter<Of>[],
  page: Page,
  seen?: Rect,
): PlacedChapter<Of> | undefined =>
  partAround(chapters, page, seen) ?? chapters.findLast((chapter) => compare(chapter, page) <= 0);

/** The parts of the chapter that a part belongs to, in their order: a chapter of a part of a page with such chapters inside of it. */
function partsWith<Of extends Entry & Nested<Of>>(
  chapters: readonly PlacedChapter<Of>[],
  part: PlacedChapter<Of>,
): readonly PlacedChapter<Of>[] {
  for (const { entry } of chapters) {
    const parts = [entry, ...entry.contents].filter(({ region }) => region !== undefined);
    if (entry.region === undefined || parts.length < 2 || !parts.includes(part.entry)) continue;
    return parts.flatMap((one) => chapters.filter((chapter) => chapter.entry === one));
  }
  return [part];
}

/**
 * The chapter that begins next after the shown pages (1); or the last one that begins before them (-1): in the middle of a chapter,
 * that is its own beginning. Of several that begin at one page, the outermost. Chapters that are parts of one page follow each other;
 * those inside of such a one follow it, on whatever pages they are.
 */
export function chapterAfter<Of extends Entry & Nested<Of>>(
  chapters: readonly PlacedChapter<Of>[],
  shown: readonly Page[],
  by: 1 | -1,
  seen?: Rect,
): PlacedChapter<Of> | undefined {
  const last = shown.at(-1);
  const part = last && partAround(chapters, last, seen);
  if (part === undefined) return chapterBeside(chapters, shown, by, undefined);
  const parts = partsWith(chapters, part);
  const within = parts[parts.indexOf(part) + by];
  if (within !== undefined) return within;
  const start = parts[0] ?? part;
  const others = chapters.filter((chapter) => chapter === start || !parts.includes(chapter));
  return chapterBeside(others, parts.length > 1 ? [start] : shown, by, start);
}

/** The chapter before or after the pages, or before or after the part that is seen of them. */
function chapterBeside<Of extends Entry>(
  chapters: readonly PlacedChapter<Of>[],
  shown: readonly Page[],
  by: 1 | -1,
  part: PlacedChapter<Of> | undefined,
): PlacedChapter<Of> | undefined {
  const [first, last] = [shown[0], shown.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const from = part === undefined ? -1 : chapters.indexOf(part);
  const isPart = (chapter: PlacedChapter<Of>, at: number): boolean =>
    chapter.entry.region !== undefined && compare(chapter, last) === 0 && (at - from) * by > 0;
  if (by > 0) return chapters.find((chapter, at) => compare(chapter, last) > 0 || isPart(chapter, at));
  const before = chapters.findLast(
    (chapter, at) => compare(chapter, first) < 0 || (part !== undefined && isPart(chapter, at)),
  );
  if (before?.entry.region !== undefined) return before;
  return before && chapters.find((chapter) => compare(chapter, before) === 0);
}
