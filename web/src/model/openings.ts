/**
 * The rule of openings: which pages of a bound book face each other (Presentation 3.0, section 3.4: `paged`, `non-paged`,
 * `facing-pages`). A page is its position in reading order, from 1.
 */
import type { PageBehavior } from '../../../src/core/image/folder/page-behavior.ts';

export interface Book {
  /** Number of pages. */
  readonly total: number;
  /** Whether the first page is a cover or a recto, which has no page facing it. */
  readonly coverAlone: boolean;
  /** The behaviors of the few pages that have one. */
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
