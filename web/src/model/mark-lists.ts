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
