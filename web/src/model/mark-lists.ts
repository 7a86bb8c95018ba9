/** Parses and formats `mk` (`x/y,x/y`) and `rg` (`x/y/w/h,x/y/w/h`), in fractions. */
import { formatNumbers, parseNumbers } from './number-text.ts';
import type { Mark, MarkedRegion, Point } from './view-state.ts';

/** Points as `x/y,x/y`; malformed entries are skipped. The oldest viewers separated marks by `;`. */
export function parsePoints(text: string): readonly Point[] {
  return text.split(/[,;]/).flatMap((entry): Point[] => {
    const [x, y] = parseNumbers(entry, 2, 'allowed') ?? [];
    return x === undefined || y === undefined ? [] : [{ x, y }];
  });
}

export const parseMarks = (text: string): readonly Mark[] => parsePoints(text);

/** Malformed entries are skipped. */
export function parseRectangles(text: string): readonly MarkedRegion[] {
  return text.split(/[,;]/).flatMap((entry): MarkedRegion[] => {
    const [x, y, width, height] = parseNumbers(entry, 4, 'allowed') ?? [];
    if (x === undefined || y === undefined || width === undefined || height === undefined) return [];
    return [{ x, y, width, height }];
  });
}

/** Without texts, which addresses do not contain. */
export const formatMarks = (marks: readonly Mark[]): string => marks.map(({ x, y }) => formatNumbers([x, y])).join(',');

export const formatRectangles = (rectangles: readonly MarkedRegion[]): string =>
  rectangles.map(({ x, y, width, height }) => formatNumbers([x, y, width, height])).join(',');

/** Splits at bars; a backslash stands before bars and backslashes of a text. */
function parseTexts(text: string): readonly string[] {
  const texts = [''];
  for (const [part, escaped] of text.matchAll(/\\([\s\S]?)|\||[^\\|]+/g)) {
    if (part === '|') texts.push('');
    else texts.push((texts.pop() ?? '') + (escaped ?? part));
  }
  return texts;
}

const formatText = (text: string): string => text.replace(/[|\\]/g, '\\$&');

/** The texts of items as `first|second`, empty for items without one. */
export const formatTexts = (items: readonly { readonly text?: string }[]): string =>
  items
    .map(({ text = '' }) => formatText(text))
    .join('|')
    .replace(/\|+$/, '');

/** Gives items their texts, in order; `formatTexts` writes them. */
export function withTexts<Item extends { readonly text?: string }>(
  items: readonly Item[],
  text: string,
): readonly Item[] {
  if (text === '') return items;
  const texts = parseTexts(text);
  return items.map((item, at) => (texts[at] ? { ...item, text: texts[at].trim() } : item));
}
