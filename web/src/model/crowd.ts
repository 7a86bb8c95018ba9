/** Which of many marks are drawn, and which one lies under the pointer. */
import { type Matrix, toScreen } from './geometry.ts';
import type { Point } from './view-state.ts';

/** Beyond this number of marks they are drawn on a canvas: each element of the page costs about 15 µs of painting a frame. */
export const crowdedFrom = 400;

/** Side of a cell, in CSS pixels, of which one mark is drawn: more would only lie over one another. */
const cell = 8;

/** A point with the color of its mark, as CSS writes colors. */
interface ColoredPoint extends Point {
  readonly color?: string;
}

interface Window {
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * The positions, in CSS pixels of the window, at which marks are drawn: one for each cell of a grid that moves with the
 * image, so that the same ones stay while it is moved; those outside of the window by more than `margin` are left out.
 */
export function drawnMarks(
  marks: readonly ColoredPoint[],
  matrix: Matrix,
  window: Window,
  margin: number,
): readonly ColoredPoint[] {
  const [a, b, c, d] = matrix;
  const taken = new Set<number>();
  const drawn: ColoredPoint[] = [];
  for (const mark of marks) {
    const at = toScreen(matrix, mark);
    if (at.x < -margin || at.y < -margin || at.x > window.width + margin || at.y > window.height + margin) continue;
    // Without the shift of the matrix, whose rounding would put marks into other cells.
    const [right, down] = [a * mark.x + c * mark.y, b * mark.x + d * mark.y];
    const key = Math.floor(right / cell) * 2 ** 20 + Math.floor(down / cell);
    if (taken.has(key)) continue;
    taken.add(key);
    drawn.push(mark.color === undefined ? at : { ...at, color: mark.color });
  }
  return drawn;
}

/** The index of the mark nearest to a point of the window, within `reach` CSS pixels; undefined where there is none. */
export function markNear(marks: readonly Point[], matrix: Matrix, point: Point, reach: number): number | undefined {
  let [nearest, least]: [number | undefined, number] = [undefined, reach];
  for (const [index, mark] of marks.entries()) {
    const at = toScreen(matrix, mark);
    const distance = Math.hypot(at.x - point.x, at.y - point.y);
    if (distance <= least) [nearest, least] = [index, distance];
  }
  return nearest;
}
