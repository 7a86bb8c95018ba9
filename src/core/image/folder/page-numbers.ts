/** Lists of page numbers such as `1-`, `1-5`, `5,10,15` and `1-7,9-13`, as digilib's PDFCache has them (digilib-pdf-text.md). */

/** Numbers from `first` to `last`, from 1 on; without `last` to the end. */
export interface PageRange {
  readonly first: number;
  readonly last?: number;
}

/** No list names more ranges, so that a long address can't cost much. */
const mostRanges = 5000;

function parseRange(text: string): PageRange | undefined {
  const match = /^\s*(\d{1,7})\s*(?:(-)\s*(\d{1,7})?\s*)?$/.exec(text);
  if (match === null) return undefined;
  const [, from, dash, to] = match;
  const first = Number(from);
  const last = to === undefined ? undefined : Number(to);
  if (first < 1 || (last !== undefined && last < first)) return undefined;
  return dash === undefined ? { first, last: first } : { first, ...(last !== undefined && { last }) };
}

/** The ranges of a list; undefined for a malformed one, and for one without numbers. */
export function parsePageNumbers(text: string): readonly PageRange[] | undefined {
  const parts = text.split(',').filter((part) => part.trim() !== '');
  if (parts.length === 0 || parts.length > mostRanges) return undefined;
  const ranges = parts.map(parseRange);
  return ranges.every((range) => range !== undefined) ? ranges : undefined;
}

/** The numbers in their order, each once, as far as `count` pages have them. */
export function pageNumbersOf(ranges: readonly PageRange[], count: number): readonly number[] {
  const numbers = new Set<number>();
  for (const { first, last = count } of ranges) {
    for (let number = first; number <= Math.min(last, count); number++) numbers.add(number);
  }
  return [...numbers];
}

/** The shortest list of some numbers in their order; `parsePageNumbers` reads it back. */
export function formatPageNumbers(numbers: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range !== undefined && number === range.last + 1) range.last = number;
    else ranges.push({ first: number, last: number });
  }
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}
