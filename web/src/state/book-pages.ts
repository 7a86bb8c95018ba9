/** The pages of a book as a view shows it: which are shown together, and the ones before and after them. */
import type { FolderListing, ReadingDirection, UnpairedPage } from '../../../src/core/image/folder/folder-listing.ts';
import type { PageBehavior } from '../../../src/core/image/folder/page-labels.ts';
import { indexOfPages, type Opening, openingsOf, type Side, startsWithCover } from '../model/view/page-order.ts';
import type { Opened, Step } from './opened.ts';

/** A book with its open page. */
export interface ShownBook {
  readonly opened: Opened;
  /** Whether its pages are shown in twos, and whether these are shifted by one page. */
  readonly twoPages: boolean;
  readonly shifted: boolean;
  /** Whether the open page can't be shown. */
  readonly isUnshown: boolean;
  readonly direction: ReadingDirection;
}

interface Openings {
  readonly list: readonly Opening[];
  readonly index: ReadonlyMap<number, number>;
}

const behaviorsBy = (pages: readonly UnpairedPage[], numberOf: (page: UnpairedPage) => number) =>
  new Map<number, PageBehavior>(pages.map((page) => [numberOf(page), page.behavior]));

/** By the folder, since every thumbnail asks for them. */
const cached = new WeakMap<FolderListing, Map<string, Openings>>();

function openings(
  { opened: { folder }, shifted }: ShownBook,
  key: string,
  total: number,
  behaviors: () => ReadonlyMap<number, PageBehavior>,
): Openings {
  const ofListing = cached.get(folder) ?? new Map<string, Openings>();
  cached.set(folder, ofListing);
  const name = `${key}/${total}/${shifted}`;
  const known = ofListing.get(name);
  if (known !== undefined) return known;
  const coverAlone = startsWithCover(folder.behavior, shifted);
  const list = openingsOf({ total, coverAlone, behaviors: behaviors() });
  const made = { list, index: indexOfPages(list) };
  ofListing.set(name, made);
  return made;
}

/** The openings of the folder, by the positions of its files. */
const ofFolder = (book: ShownBook): Openings =>
  openings(book, 'folder', book.opened.images.total, () =>
    behaviorsBy(
      book.opened.folder.unpaired.filter(({ page }) => page === 1),
      ({ at }) => at,
    ),
  );

/** The openings of a file that holds a book of its own, by the pages inside of it. */
const ofFile = (book: ShownBook, at: number, pages: number): Openings =>
  openings(book, `file ${at}`, pages, () =>
    behaviorsBy(
      book.opened.folder.unpaired.filter((page) => page.at === at),
      ({ page }) => page,
    ),
  );

const openingAt = ({ list, index }: Openings, page: number): Opening => list[index.get(page) ?? -1] ?? [page];

/** The number of pages in a file; 1 until it has loaded. */
const pagesIn = ({ images }: Opened, at: number): number => images.cardAt(at)?.pages ?? 1;

/** The files of an opening that are shown together with one of them: one with several pages stands alone. */
function filesShown(book: ShownBook, at: number): readonly number[] {
  const opening = openingAt(ofFolder(book), at);
  return opening.every((file) => pagesIn(book.opened, file) === 1) ? opening : [at];
}

/** The pages that are shown together with a page, in reading order. */
export function shownWith(book: ShownBook, { at, inner }: Step): readonly Step[] {
  if (!book.twoPages) return [{ at, inner }];
  const pages = pagesIn(book.opened, at);
  if (pages === 1) return filesShown(book, at).map((file) => ({ at: file, inner: 1 }));
  return openingAt(ofFile(book, at, pages), inner).map((page) => ({ at, inner: page }));
}

/** The other page of an opening. */
export interface Beside {
  readonly page: Step;
  readonly isAfter: boolean;
}

/** The page beside the open one, and where; undefined where it stands alone. */
export function pageBeside(book: ShownBook): Beside | undefined {
  const { opened } = book;
  const shown = shownWith(book, opened);
  const main = shown.findIndex(({ at, inner }) => at === opened.at && inner === opened.inner);
  const page = shown[1 - main];
  return page && { page, isAfter: main === 0 };
}

/** The side of an opening on which the page of a file lies; undefined where it stands alone, or where pages are shown one by one. */
export function sideInOpening(book: ShownBook, at: number): Side | undefined {
  if (!book.twoPages) return undefined;
  const [first = at, second = first] = filesShown(book, at);
  if (second !== first + 1) return undefined;
  return (at === first) === (book.direction === 'left-to-right') ? 'left' : 'right';
}

/** All that the book shows at a time, in its order: its pages, or its openings. Of several files, the first page of each. */
export function unitsOf(book: ShownBook): readonly (readonly Step[])[] {
  const { opened, twoPages } = book;
  const { total } = opened.images;
  const single = (count: number): readonly Opening[] => Array.from({ length: count }, (_, index) => [index + 1]);
  if (total === 1) {
    const pages = pagesIn(opened, 1);
    const list = twoPages ? ofFile(book, 1, pages).list : single(pages);
    return list.map((opening) => opening.map((inner) => ({ at: 1, inner })));
  }
  const list = twoPages ? ofFolder(book).list : single(total);
  return list.map((opening) => opening.map((at) => ({ at, inner: 1 })));
}

/** The index of the open page among all units. */
export function unitIndexOf(units: readonly (readonly Step[])[], opened: Opened): number {
  const isOpen = ({ at, inner }: Step): boolean =>
    at === opened.at && (opened.images.total > 1 || inner === opened.inner);
  return Math.max(
    0,
    units.findIndex((unit) => unit.some(isOpen)),
  );
}

/** The first page that is shown at a file when it is reached in this direction. */
function entered(book: ShownBook, at: number, by: 1 | -1): Step {
  const pages = pagesIn(book.opened, at);
  const end = { at, inner: by > 0 ? 1 : pages };
  return by > 0 ? end : (shownWith(book, end)[0] ?? end);
}

/** The next file in the order in which openings are turned. */
function fileAfter(book: ShownBook, by: 1 | -1): number | undefined {
  const { opened } = book;
  if (!book.twoPages) {
    const next = opened.at + by;
    return next >= 1 && next <= opened.images.total ? next : undefined;
  }
  const all = ofFolder(book);
  const shown = filesShown(book, opened.at);
  const beyond = openingAt(all, opened.at).find((file) => !shown.includes(file) && (file - opened.at) * by > 0);
  if (beyond !== undefined) return beyond;
  return all.list[(all.index.get(opened.at) ?? 0) + by]?.at(by > 0 ? 0 : -1);
}

/** The next page inside of the file, or the first of the next opening inside of it. */
function innerAfter(book: ShownBook, by: 1 | -1): number | undefined {
  const { opened } = book;
  const pages = pagesIn(opened, opened.at);
  if (!book.twoPages) {
    const next = opened.inner + by;
    return next >= 1 && next <= pages ? next : undefined;
  }
  if (pages === 1) return undefined;
  const { list, index } = ofFile(book, opened.at, pages);
  return list[(index.get(opened.inner) ?? 0) + by]?.[0];
}

/** The other page of the opening, where the open one can't be shown: turning would else pass it. */
function besideUnshown(book: ShownBook, by: 1 | -1): Step | undefined {
  const beside = book.isUnshown ? pageBeside(book) : undefined;
  return beside !== undefined && beside.isAfter === by > 0 ? beside.page : undefined;
}

/** The page that turning forward (1) or back (-1) leads to. */
export function pageAfter(book: ShownBook, by: 1 | -1): Step | undefined {
  const beside = besideUnshown(book, by);
  if (beside !== undefined) return beside;
  const inner = innerAfter(book, by);
  if (inner !== undefined) return { at: book.opened.at, inner };
  const file = fileAfter(book, by);
  return file === undefined ? undefined : entered(book, file, by);
}
