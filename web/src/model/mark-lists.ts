/** Marks and rectangles as addresses list them: `x/y,x/y` and `x/y/w/h,x/y/w/h`, in fractions. */
import { formatNumbers, parseNumbers } from './number-text.ts';
import type { Mark, MarkedRegion } from './view-state.ts';

/** Reads the marks of `mk`; entries that are no place are skipped. The oldest viewers wrote `;` between them. */
export function parseMarks(text: string): readonly Mark[] {
  return text.split(/[,;]/).flatMap((entry): Mark[] => {
    const [x, y] = parseNumbers(entry, 2, 'allowed') ?? [];
    return x === undefined || y === undefined ? [] : [{ x, y }];
  });
}

/** Reads the rectangles of `rg`; entries that are none are skipped. */
export function parseRectangles(text: string): readonly MarkedRegion[] {
  return text.split(/[,;]/).flatMap((entry): MarkedRegion[] => {
    const [x, y, width, height] = parseNumbers(entry, 4, 'allowed') ?? [];
    if (x === undefined || y === undefined || width === undefined || height === undefined) return [];
    return [{ x, y, width, height }];
  });
}

/** Prints the places of marks; their texts have no room in an address. */
export const formatMarks = (marks: readonly Mark[]): string => marks.map(({ x, y }) => formatNumbers([x, y])).join(',');

/** Prints the places of rectangles. */
export const formatRectangles = (rectangles: readonly MarkedRegion[]): string =>
  rectangles.map(({ x, y, width, height }) => formatNumbers([x, y, width, height])).join(',');
