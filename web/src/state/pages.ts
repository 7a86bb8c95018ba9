/** The pages that are shown together, in twos where the reader wants it, and the ones before and after them. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { ReadingDirection } from '../../../src/core/image/folder/folder-listing.ts';
import { joinPage } from '../../../src/core/image/model/identifier.ts';
import type { Side } from '../model/view/page-order.ts';
import type { PageLayout } from '../model/view-state.ts';
import {
  type Beside,
  pageBeside as besideIn,
  pageAfter,
  type ShownBook,
  shownWith,
  sideInOpening as sideOf,
  unitIndexOf,
  unitsOf,
} from './book-pages.ts';
import {
  chooseTwoPages,
  goToPage,
  isShifted,
  type Opened,
  openedAt,
  openedNow,
  openState,
  openStates,
  type Step,
  shiftName,
} from './opened.ts';
import { readStored, store } from './stored-preferences.ts';
import { changeView, flushViewport, view, views } from './view.ts';
import { seesWhole } from './viewport.ts';

/** The open page's book, as the view shows it. */
export const bookOf = (opened: Opened): ShownBook => ({
  opened,
  twoPages: view.value.twoPages === true,
  shifted: view.value.shifted,
  isUnshown: openState.value.kind === 'problem',
  direction: readingDirection.value,
});

/** The pages on the stage, in reading order. */
export const pagesShown = (opened: Opened): readonly Step[] => shownWith(bookOf(opened), opened);

/** The page beside the open one, and where; undefined where it stands alone. */
export const pageBeside = (opened: Opened): Beside | undefined => besideIn(bookOf(opened));

/** The side of an opening on which the page of a file lies; undefined where it stands alone, or where pages are shown one by one. */
export const sideInOpening = (opened: Opened, at: number): Side | undefined => sideOf(bookOf(opened), at);

/** All that the book shows at a time, in its order: its pages, or its openings. Of several files, the first page of each. */
export const bookUnits: ReadonlySignal<readonly (readonly Step[])[]> = computed(() => {
  const opened = openedNow();
  return opened === undefined ? [] : unitsOf(bookOf(opened));
});

/** The index of the open page among them. */
export const unitIndex: ReadonlySignal<number> = computed(() => {
  const opened = openedNow();
  return opened === undefined ? 0 : unitIndexOf(bookUnits.value, opened);
});

/** All pages that turning forward or back shows. */
function pagesAfter(book: ShownBook, by: 1 | -1): readonly Step[] {
  const next = pageAfter(book, by);
  return next === undefined ? [] : shownWith(book, next);
}

/** The pages before and after those that are shown, where there are any. */
export function neighbors(): { readonly previous: Step | undefined; readonly next: Step | undefined } {
  const opened = openedNow();
  if (opened === undefined) return { previous: undefined, next: undefined };
  const book = bookOf(opened);
  return { previous: pageAfter(book, -1), next: pageAfter(book, 1) };
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
  const book = bookOf(opened);
  const following = pagesAfter(book, 1);
  const pages = following.length > 0 && !hasTurned ? following : [...following, ...pagesAfter(book, -1)];
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

/** The book of the image at an index, for pages with several. */
export function bookAt(index: number): ShownBook | undefined {
  const [opened, state] = [openedAt(index), views.value[index]];
  if (opened === undefined || state === undefined) return undefined;
  const stored = readStored(directionName(opened.folder.path));
  const direction = isDirection(stored) ? stored : opened.folder.direction;
  const isUnshown = openStates.value[index]?.kind === 'problem';
  return { opened, twoPages: state.twoPages === true, shifted: state.shifted, isUnshown, direction };
}

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

/** Shows all pages of the book in a layout, or the open one on a map, or as it is again. */
export function toggleLayout(layout: PageLayout): void {
  if (layout === 'map' || bookUnits.peek().length > 1)
    changeView({ layout: view.peek().layout === layout ? 'page' : layout });
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

/** The labels of the pages of a book that are shown, as in `1v – 2r`. */
export const labelsIn = (book: ShownBook, pages: readonly Step[] = shownWith(book, book.opened)): string =>
  pages
    .map((page) => labelOf(book.opened, page))
    .filter((label) => label !== '')
    .join(' – ');

/** The labels of the pages on the stage; empty where none is open. */
export function shownLabel(): string {
  const opened = openedNow();
  return opened === undefined ? '' : labelsIn(bookOf(opened));
}
