/** Pages as readers write them, by positions and labels: `3r–7v, 12`. */
import { type PageRange, pageNumbersOf, parsePageNumbers } from './page-labels.ts';

/** Each label is looked for among all pages of a folder, so that a list has no more parts. */
const mostParts = 100;

const longDash = /[–—−]/gu;
const shortDash = /[-‐‑]/gu;

type Reading = readonly [first: string, last: string];

/** What stands before and behind each dash of a kind. */
const splitAt = (part: string, dash: RegExp): readonly Reading[] =>
  [...part.matchAll(dash)]
    .map(({ index }): Reading => [part.slice(0, index).trim(), part.slice(index + 1).trim()])
    .filter(([first]) => first !== '');

/** The ways to read a part: as one page, or as a range at one of its dashes, since labels have dashes too. */
const readingsOf = (part: string): readonly Reading[] => [
  [part, part],
  ...splitAt(part, longDash),
  ...splitAt(part, shortDash),
];

/** The position of the page with a label, from 1; undefined where there is none. */
type PositionOfLabel = (label: string) => number | undefined | Promise<number | undefined>;

/** Positions from 1 in the order of the text; or the part of the text that names no pages, empty where nothing is named. */
export type TypedPages = { readonly positions: readonly number[] } | { readonly unknown: string };

/** Finds the pages among `count`: a number of a page is its position, anything else its label. A range without an end goes to the last page. */
export async function findTypedPages(
  text: string,
  count: number,
  positionOfLabel: PositionOfLabel,
): Promise<TypedPages> {
  const numbers = parsePageNumbers(text.replace(longDash, '-'));
  if (numbers !== undefined) {
    const positions = pageNumbersOf(numbers, count);
    return positions.length === 0 ? { unknown: text.trim() } : { positions };
  }
  const parts = text.split(/[,;]/).flatMap((part) => part.trim() || []);
  if (parts.length === 0 || parts.length > mostParts) return { unknown: text.trim() };
  const ranges: PageRange[] = [];
  for (const part of parts) {
    const range = await rangeOf(part, count, positionOfLabel);
    if (range === undefined) return { unknown: part };
    ranges.push(range);
  }
  return { positions: pageNumbersOf(ranges, count) };
}

async function rangeOf(part: string, count: number, positionOfLabel: PositionOfLabel): Promise<PageRange | undefined> {
  const positionOf = (page: string): ReturnType<PositionOfLabel> => {
    const number = /^\d{1,7}$/.test(page) ? Number(page) : 0;
    return number >= 1 && number <= count ? number : positionOfLabel(page);
  };
  for (const [from, to] of readingsOf(part)) {
    const first = await positionOf(from);
    if (first === undefined) continue;
    const last = to === from ? first : to === '' ? count : await positionOf(to);
    if (last !== undefined && last >= first) return { first, last };
  }
  return undefined;
}
