/** The pages that are shown together, in twos where the reader wants it, and the ones before and after them. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { ReadingDirection, UnpairedPage } from '../../../src/core/image/folder/folder-listing.ts';
import type { PageBehavior } from '../../../src/core/image/folder/page-labels.ts';
import { joinPage } from '../../../src/core/image/model/identifier.ts';
import { indexOfPages, type Opening, openingsOf, type Side, startsWithCover } from '../model/view/page-order.ts';
import type { PageLayout } from '../model/view-state.ts';
import {
  chooseTwoPages,
  goToPage,
  isShifted,
  type Opened,
  openedNow,
  openState,
  type Step,
  shiftName,
} from './opened.ts';
import { readStored, store } from './stored-preferences.ts';
import { changeView, flushViewport, view } from './view.ts';
import { seesWhole } from './viewport.ts';

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

/** The side of an opening on which the page of a file lies; undefined where it stands alone, or where pages are shown one by one. */
export function sideInOpening(opened: Opened, at: number): Side | undefined {
  if (!view.value.twoPages) return undefined;
  const [first = at, second = first] = filesShown(opened, at);
  if (second !== first + 1) return undefined;
  return (at === first) === (readingDirection.value === 'left-to-right') ? 'left' : 'right';
}

const inTwos = computed(() => view.value.twoPages === true);

/** All that the book shows at a time, in its order: its pages, or its openings. Of several files, the first page of each. */
export const bookUnits: ReadonlySignal<readonly (readonly Step[])[]> = computed(() => {
  const opened = openedNow();
  if (opened === undefined) return [];
  const { total } = opened.images;
  if (total === 1) {
    const pages = pagesIn(opened, 1);
    const list = inTwos.value
      ? ofFile(opened, 1, pages).list
      : Array.from({ length: pages }, (_, index) => [index + 1]);
    return list.map((opening) => opening.map((inner) => ({ at: 1, inner })));
  }
  const list = inTwos.value ? ofFolder.value.list : Array.from({ length: total }, (_, index) => [index + 1]);
  return list.map((opening) => opening.map((at) => ({ at, inner: 1 })));
});

/** The index of the open page among them. */
export const unitIndex: ReadonlySignal<number> = computed(() => {
  const opened = openedNow();
  const isOpen = ({ at, inner }: Step): boolean =>
    at === opened?.at && (opened.images.total > 1 || inner === opened.inner);
  return Math.max(
    0,
    bookUnits.value.findIndex((unit) => unit.some(isOpen)),
  );
});

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
function pageAfter(opened: Opened, by: 1 | -1): Step | undefined {
  const beside = besideUnshown(opened, by);
  if (beside !== undefined) return beside;
  const inner = innerAfter(opened, by);
  if (inner !== undefined) return { at: opened.at, inner };
  const file = fileAfter(opened, by);
  return file === undefined ? undefined : entered(opened, file, by);
}

/** All pages that turning forward or back shows. */
function pagesAfter(opened: Opened, by: 1 | -1): readonly Step[] {
  const next = pageAfter(opened, by);
  return next === undefined ? [] : shownWith(opened, next);
}

/** The pages before and after those that are shown, where there are any. */
export function neighbors(): { readonly previous: Step | undefined; readonly next: Step | undefined } {
  const opened = openedNow();
  if (opened === undefined) return { previous: undefined, next: undefined };
  return { previous: pageAfter(opened, -1), next: pageAfter(opened, 1) };
}

let steps: Promise<void> = Promise.resolve();

/** Takes a step after those that are under way. */
export function inTurn(step: () => Promise<void>): void {
  steps = steps.then(step);
}

/** Whether the reader has turned a page. */
let hasTurned = false;

/** Steps to the page before or after; while another step is under way, from its target. */
export function goToNeighbor(which: 'previous' | 'next'): void {
  hasTurned = true;
  inTurn(async () => {
    const step = neighbors()[which];
    if (step !== undefined) await goToPage(step);
  });
}

export function goToEnd(which: 'first' | 'last'): void {
  const opened = openedNow();
  if (opened !== undefined) void goToPage({ at: which === 'first' ? 1 : opened.images.total, inner: 1 });
}

/**
 * The paths of the images that the next steps lead to, nearest first. Before the first turn these are the ones that follow; later the ones
 * before, too, which most readers have just left.
 */
export async function neighborPaths(): Promise<readonly string[]> {
  const opened = openedNow();
  if (opened === undefined) return [];
  const following = pagesAfter(opened, 1);
  const pages = following.length > 0 && !hasTurned ? following : [...following, ...pagesAfter(opened, -1)];
  const cards = await Promise.all(pages.map(({ at }) => opened.images.find(at)));
  return cards.flatMap((card, index) => (card ? [joinPage(card.path, pages[index]?.inner ?? 1)] : []));
}

const isDirection = (value: unknown): value is ReadingDirection =>
  value === 'left-to-right' || value === 'right-to-left';

/** The reader's own choice for the open folder. */
const chosen = signal<ReadingDirection | undefined>(undefined);

const folder = computed(() => openedNow()?.folder);

const directionName = (path: string): string => `direction:${path}`;

effect(() => {
  const stored = folder.value && readStored(directionName(folder.value.path));
  chosen.value = isDirection(stored) ? stored : undefined;
});

export const readingDirection: ReadonlySignal<ReadingDirection> = computed(
  () => chosen.value ?? folder.value?.direction ?? 'left-to-right',
);

export function turnReadingDirection(): void {
  const path = folder.peek()?.path;
  if (path === undefined) return;
  const other = readingDirection.peek() === 'left-to-right' ? 'right-to-left' : 'left-to-right';
  chosen.value = other;
  store(directionName(path), other);
}

/** Shows two pages, as they were last shown of this folder, or one; the choice is stored for the folder. */
export function toggleTwoPages(): void {
  const now = folder.peek();
  if (now === undefined) return;
  const twoPages = view.peek().twoPages !== true;
  changeView({ twoPages: chooseTwoPages(now, twoPages), shifted: twoPages && isShifted(now.path) });
}

/** Shifts all openings of the folder by one page, and stores it. */
export function toggleShift(): void {
  const path = folder.peek()?.path;
  const shifted = !view.peek().shifted;
  changeView({ shifted });
  if (path !== undefined) store(shiftName(path), shifted || undefined);
}

/** Shows all pages of the book in a layout, or the open one again. */
export function toggleLayout(layout: PageLayout): void {
  if (bookUnits.peek().length > 1) changeView({ layout: view.peek().layout === layout ? 'page' : layout });
}

export type TurnDirection = 'previous' | 'next';

/** The page that lies at a side, by the reading direction. */
export const turnAt = (side: Side): TurnDirection =>
  (side === 'right') === (readingDirection.value === 'left-to-right') ? 'next' : 'previous';

export const canTurn = (turn: TurnDirection): boolean => neighbors()[turn] !== undefined;

/** Turns the page where the whole image is seen; false where it is not, or where there is only one page. */
export function turnIfWhole(turn: TurnDirection): boolean {
  flushViewport();
  if (!seesWhole() || (!canTurn('previous') && !canTurn('next'))) return false;
  goToNeighbor(turn);
  return true;
}

/** The positions of the files on the stage, from 1, in reading order. */
export const visiblePages = (opened: Opened): readonly number[] => [...new Set(pagesShown(opened).map(({ at }) => at))];

/** The label of a page, with its number inside of a file that has several; empty until it has loaded. */
function labelOf({ images }: Opened, { at, inner }: Step): string {
  const card = images.cardAt(at);
  if (card === undefined) return '';
  return card.pages > 1 ? `${card.label} (${inner})` : card.label;
}

/** The labels of the pages on the stage, as in `1v – 2r`; empty where none is open. */
export function shownLabel(): string {
  const opened = openedNow();
  if (opened === undefined) return '';
  return pagesShown(opened)
    .map((page) => labelOf(opened, page))
    .filter((label) => label !== '')
    .join(' – ');
}
