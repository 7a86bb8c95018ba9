/** The order of pages: which of them face each other, how two lie beside each other, and the steps through what was found. */
import type { PageBehavior } from '../../../../src/core/image/folder/page-labels.ts';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { type Point, type Rect, wholeImage } from '../view-state.ts';
import { centerOf } from './geometry.ts';

export interface Book {
  readonly total: number;
  /** Whether the first page is a cover or a recto, which has no page facing it. */
  readonly coverAlone: boolean;
  readonly behaviors: ReadonlyMap<number, PageBehavior>;
}

/** One page, or two that face each other, in reading order. */
export type Opening = readonly [page: number] | readonly [first: number, second: number];

/**
 * The openings in the order in which they are turned. `non-paged` pages are not counted: pages on both sides of one face
 * each other, and it follows them alone. `facing-pages` show both sides of an opening, so that the next page is a first one.
 */
export function openingsOf({ total, coverAlone, behaviors }: Book): readonly Opening[] {
  const openings: Opening[] = [];
  const inserted: Opening[] = [];
  /** The first page of an opening whose second page is still to come. */
  let first: number | undefined;
  let isCover = coverAlone;
  const close = (...opening: readonly Opening[]): void => {
    openings.push(...opening, ...inserted);
    inserted.length = 0;
    first = undefined;
  };
  for (let page = 1; page <= total; page += 1) {
    const behavior = behaviors.get(page);
    if (behavior === 'non-paged') {
      if (first === undefined) openings.push([page]);
      else inserted.push([page]);
      continue;
    }
    if (behavior === 'facing-pages') {
      if (first !== undefined) close([first]);
      close([page]);
    } else if (first !== undefined) close([first, page]);
    else if (isCover) close([page]);
    else first = page;
    isCover = false;
  }
  if (first !== undefined) close([first]);
  return openings;
}

/** The index of the opening of each page; openings count from 0. */
export const indexOfPages = (openings: readonly Opening[]): ReadonlyMap<number, number> =>
  new Map(openings.flatMap((opening, index) => opening.map((page) => [page, index] as const)));

/** Behaviors of folders whose images are not the pages of a bound book. */
const unbound: ReadonlySet<string> = new Set(['individuals', 'continuous', 'unordered']);

/** Whether the pages of a folder are shown in twos unless the reader chooses otherwise (Presentation 3.0, section 3.4). */
export const isBound = (behavior: readonly string[]): boolean => behavior.includes('paged');

/** Whether the first page of a folder stands alone, by the folder's behavior, and shifted by the reader. */
export const startsWithCover = (behavior: readonly string[], shifted: boolean): boolean =>
  behavior.some((one) => unbound.has(one)) === shifted;

export type Side = 'left' | 'right';

/** The gap between two pages, as a fraction of the main one's height. */
const gap = 0.011;

/** How much the proportions of two scans may differ that show leaves of the same size. */
const likeness = 1.15;

const ratioOf = ({ width, height }: Size): number => width / height;

const areAlike = (one: number, other: number): boolean => Math.max(one / other, other / one) <= likeness;

/** Whether a scan is smaller than another both ways, and shows another shape: a slip, or the page beside a foldout. */
const isSmaller = (one: Size, other: Size): boolean =>
  one.width < other.width && one.height * likeness < other.height && !areAlike(ratioOf(one), ratioOf(other));

/**
 * The position of the page beside the main one, in fractions of the main one. Pages have the same height, whatever their
 * resolutions; a foldout or a slip keeps its own size beside them, with its top edge at theirs. Sizes are pixels.
 */
export function rectBeside(main: Size, beside: Size, side: Side): Rect {
  const isOwnSize = isSmaller(main, beside) || isSmaller(beside, main);
  const scale = isOwnSize ? 1 : main.height / beside.height;
  const width = (beside.width * scale) / main.width;
  const space = (gap * main.height) / main.width;
  return {
    x: side === 'right' ? 1 + space : -space - width,
    y: 0,
    width,
    height: (beside.height * scale) / main.height,
  };
}

/** The extent of the main page together with the one beside it, in fractions of the main one. */
export function spreadOf(beside: Rect | undefined): Rect {
  if (beside === undefined) return wholeImage;
  const [left, right] = [Math.min(0, beside.x), Math.max(1, beside.x + beside.width)];
  return { x: left, y: 0, width: right - left, height: Math.max(1, beside.height) };
}

/** Where something lies across an opening, in fractions of the main page’s width. */
export interface Span {
  readonly x: number;
  readonly width: number;
}

/** The left page, the fold and the right page of an opening with this extent; undefined for a page alone. */
export function partsOfOpening(
  main: Size,
  { x, width }: Rect,
): { readonly left: Span; readonly fold: Span; readonly right: Span } | undefined {
  if (x === 0 && width === 1) return undefined;
  const space = (gap * main.height) / main.width;
  const fold = { x: x < 0 ? -space : 1, width: space };
  const right = fold.x + space;
  return { left: { x, width: fold.x - x }, fold, right: { x: right, width: x + width - right } };
}

/** The width of a side: a fraction of the stage, within bounds in CSS pixels. */
const fraction = 0.12;
const narrowest = 40;
const widest = 140;

/** The side on which a position lies, in CSS pixels from the left edge of a stage; undefined between them. */
export function sideAt(x: number, stageWidth: number): Side | undefined {
  const width = Math.min(Math.max(stageWidth * fraction, narrowest), widest, stageWidth / 3);
  if (x < width) return 'left';
  return x >= stageWidth - width ? 'right' : undefined;
}

interface Hit {
  /** The position of its page, from 1. */
  readonly at: number;
}

/**
 * The index of the hit after (1) or before (-1) the `current` one, which is undefined or of another page where the reader
 * has turned pages since: then the nearest one from the open page on. Round at the ends; undefined without hits.
 */
export function nextHit(
  hits: readonly Hit[],
  current: number | undefined,
  page: number,
  by: 1 | -1,
): number | undefined {
  if (hits.length === 0) return undefined;
  if (current !== undefined && hits[current]?.at === page) return (current + by + hits.length) % hits.length;
  if (by > 0)
    return Math.max(
      hits.findIndex(({ at }) => at >= page),
      0,
    );
  const before = hits.findLastIndex(({ at }) => at <= page);
  return before < 0 ? hits.length - 1 : before;
}

/** The middle of the first box; undefined without one. Fractions. */
export function middleOf({ boxes: [box] }: { readonly boxes: readonly Rect[] }): Point | undefined {
  return box && centerOf(box);
}
