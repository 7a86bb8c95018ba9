/** The pages that are shown together, and the ones before and after them. */
import { computed } from '@preact/signals';
import type { UnpairedPage } from '../../../src/core/image/folder/folder-listing.ts';
import type { PageBehavior } from '../../../src/core/image/folder/page-behavior.ts';
import { indexOfPages, type Opening, openingsOf, startsWithCover } from '../model/openings.ts';
import { type Opened, openedNow, openState, type Step } from './opened.ts';
import { view } from './view.ts';

interface Openings {
  readonly list: readonly Opening[];
  readonly index: ReadonlyMap<number, number>;
}

const behaviorsBy = (pages: readonly UnpairedPage[], numberOf: (page: UnpairedPage) => number) =>
  new Map<number, PageBehavior>(pages.map((page) => [numberOf(page), page.behavior]));

function openings(total: number, behaviors: ReadonlyMap<number, PageBehavior>): Openings {
  const behavior = openedNow()?.folder.behavior ?? [];
  const list = openingsOf({ total, coverAlone: startsWithCover(behavior, view.value.shifted), behaviors });
  return { list, index: indexOfPages(list) };
}

/** The openings of the folder, by the positions of its files. */
const ofFolder = computed((): Openings => {
  const unpaired = openedNow()?.folder.unpaired.filter(({ page }) => page === 1) ?? [];
  return openings(
    openedNow()?.images.total ?? 0,
    behaviorsBy(unpaired, ({ at }) => at),
  );
});

/** The openings of a file that holds a book of its own, by the pages inside of it. */
function ofFile({ folder }: Opened, at: number, pages: number): Openings {
  const unpaired = folder.unpaired.filter((page) => page.at === at);
  return openings(
    pages,
    behaviorsBy(unpaired, ({ page }) => page),
  );
}

const openingAt = ({ list, index }: Openings, page: number): Opening => list[index.get(page) ?? -1] ?? [page];

/** The number of pages in a file; 1 until it has loaded. */
const pagesIn = ({ images }: Opened, at: number): number => images.cardAt(at)?.pages ?? 1;

/** The files of an opening that are shown together with one of them: one with several pages stands alone. */
function filesShown(opened: Opened, at: number): readonly number[] {
  const opening = openingAt(ofFolder.value, at);
  return opening.every((file) => pagesIn(opened, file) === 1) ? opening : [at];
}

/** The pages that are shown together with a page, in reading order. */
function shownWith(opened: Opened, { at, inner }: Step): readonly Step[] {
  if (!view.value.twoPages) return [{ at, inner }];
  const pages = pagesIn(opened, at);
  if (pages === 1) return filesShown(opened, at).map((file) => ({ at: file, inner: 1 }));
  return openingAt(ofFile(opened, at, pages), inner).map((page) => ({ at, inner: page }));
}

/** The pages on the stage, in reading order. */
export const pagesShown = (opened: Opened): readonly Step[] => shownWith(opened, opened);

/** The page beside the open one, and where; undefined where it stands alone. */
export function pageBeside(opened: Opened): { readonly page: Step; readonly isAfter: boolean } | undefined {
  const shown = pagesShown(opened);
  const main = shown.findIndex(({ at, inner }) => at === opened.at && inner === opened.inner);
  const page = shown[1 - main];
  return page && { page, isAfter: main === 0 };
}

/** The first page that is shown at a file when it is reached in this direction. */
function entered(opened: Opened, at: number, by: 1 | -1): Step {
  const pages = pagesIn(opened, at);
  const end = { at, inner: by > 0 ? 1 : pages };
  return by > 0 ? end : (shownWith(opened, end)[0] ?? end);
}

/** The next file in the order in which openings are turned. */
function fileAfter(opened: Opened, by: 1 | -1): number | undefined {
  if (!view.value.twoPages) {
    const next = opened.at + by;
    return next >= 1 && next <= opened.images.total ? next : undefined;
  }
  const { list, index } = ofFolder.value;
  const shown = filesShown(opened, opened.at);
  const here = openingAt(ofFolder.value, opened.at);
  const beyond = here.find((file) => !shown.includes(file) && (file - opened.at) * by > 0);
  if (beyond !== undefined) return beyond;
  return list[(index.get(opened.at) ?? 0) + by]?.at(by > 0 ? 0 : -1);
}

/** The next page inside of the file, or the first of the next opening inside of it. */
function innerAfter(opened: Opened, by: 1 | -1): number | undefined {
  const pages = pagesIn(opened, opened.at);
  if (!view.value.twoPages) {
    const next = opened.inner + by;
    return next >= 1 && next <= pages ? next : undefined;
  }
  if (pages === 1) return undefined;
  const { list, index } = ofFile(opened, opened.at, pages);
  return list[(index.get(opened.inner) ?? 0) + by]?.[0];
}

/** The other page of the opening, where the open one can't be shown: turning would else pass it. */
function besideUnshown(opened: Opened, by: 1 | -1): Step | undefined {
  const beside = openState.value.kind === 'problem' ? pageBeside(opened) : undefined;
  return beside !== undefined && beside.isAfter === by > 0 ? beside.page : undefined;
}

/** The page that turning forward (1) or back (-1) leads to. */
export function pageAfter(opened: Opened, by: 1 | -1): Step | undefined {
  const beside = besideUnshown(opened, by);
  if (beside !== undefined) return beside;
  const inner = innerAfter(opened, by);
  if (inner !== undefined) return { at: opened.at, inner };
  const file = fileAfter(opened, by);
  return file === undefined ? undefined : entered(opened, file, by);
}

/** All pages that turning forward or back shows. */
export function pagesAfter(opened: Opened, by: 1 | -1): readonly Step[] {
  const next = pageAfter(opened, by);
  return next === undefined ? [] : shownWith(opened, next);
}
