/** The heights and places of pages or openings that stand below each other in one column. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';

/** The space between two of them, in CSS pixels. */
const gap = 16;

/** The height at which pages beside each other, all as high, are as wide as the column. */
export const heightOf = (pages: readonly Size[], width: number): number =>
  Math.round(width / pages.reduce((sum, page) => sum + page.width / page.height, 0));

/** The distances of their tops from that of the column, and the height of the whole at the end. */
export function topsOf(heights: readonly number[], between = gap): readonly number[] {
  let top = 0;
  const tops = heights.map((height) => {
    const own = top;
    top += height + between;
    return own;
  });
  return [...tops, top];
}

/** The index of the one that is at a distance from the top. */
export function indexAt(tops: readonly number[], distance: number): number {
  let [low, high] = [0, Math.max(0, tops.length - 2)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((tops[middle] ?? 0) <= distance) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A place in the column that stays the same when heights change: one of them, and how far down in it, 0 to 1. */
export interface ColumnPlace {
  readonly index: number;
  readonly fraction: number;
}

export function placeAt(tops: readonly number[], distance: number): ColumnPlace {
  const index = indexAt(tops, distance);
  const [top = 0, next = top + 1] = [tops[index], tops[index + 1]];
  return { index, fraction: (distance - top) / (next - top) };
}

export function distanceOf(tops: readonly number[], { index, fraction }: ColumnPlace): number {
  const [top = 0, next = top] = [tops[index], tops[index + 1]];
  return top + fraction * (next - top);
}
