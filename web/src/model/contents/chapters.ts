/** The chapters of a book in the order of their pages: which of them a page is in, and the ones before and after it. */
import { splitPage } from '../../../../src/core/image/model/identifier.ts';
import { isForeign } from '../address/address-text.ts';
import { centerOf } from '../view/geometry.ts';
import type { Point, Rect } from '../view-state.ts';

/** A chapter as listings have it; also one of a manifest of another host. */
export interface Entry {
  readonly label: string;
  readonly path: string;
  readonly at: number;
  readonly region?: Rect;
  readonly contents: readonly Entry[];
}

/** A page: the position of its file in the folder, and the page inside of the file, both from 1. */
export interface Page {
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

export const compare = (one: Page, other: Page): number => one.at - other.at || one.inner - other.inner;

export interface Nested<Of> {
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
export function partAround<Of extends Entry>(
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
