/** Which of many marks are drawn over the image, which one lies under the pointer, and where labels have space. */

import type { Size } from '../../../../src/core/image/model/geometry.ts';

import { around, type Matrix, toScreen } from '../view/geometry.ts';
import type { Point, Rect } from '../view-state.ts';

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

/** A label that wants to be near an anchor; all in CSS pixels of the stage. */
export interface Label {
  readonly anchor: Point;
  readonly size: Size;
  /** The distance of the label's nearest edge from the anchor, below it; undefined for a label on its anchor. */
  readonly gap?: number;
}

/** The space between labels, in CSS pixels. */
const between = 3;

/** Turns and distances at which free space is looked for: below first, then around. */
const directions: readonly Point[] = [
  { x: 0, y: 1 },
  { x: 0, y: -1 },
  { x: 1, y: 0 },
  { x: -1, y: 0 },
  { x: 1, y: 1 },
  { x: -1, y: 1 },
  { x: 1, y: -1 },
  { x: -1, y: -1 },
];

export const overlap = (one: Rect, other: Rect): boolean =>
  one.x < other.x + other.width + between &&
  other.x < one.x + one.width + between &&
  one.y < other.y + other.height + between &&
  other.y < one.y + one.height + between;

/** Boxes by the cells of a coarse grid that they touch, so that few need comparing. */
class Occupied {
  readonly #cells = new Map<string, Rect[]>();

  #keysOf({ x, y, width, height }: Rect): readonly string[] {
    const cell = 128;
    const keys: string[] = [];
    for (let column = Math.floor((x - between) / cell); column <= Math.floor((x + width + between) / cell); column += 1)
      for (let row = Math.floor((y - between) / cell); row <= Math.floor((y + height + between) / cell); row += 1)
        keys.push(`${column} ${row}`);
    return keys;
  }

  isFree(box: Rect): boolean {
    return this.#keysOf(box).every((key) => !this.#cells.get(key)?.some((other) => overlap(box, other)));
  }

  add(box: Rect): void {
    for (const key of this.#keysOf(box)) {
      const cell = this.#cells.get(key);
      if (cell === undefined) this.#cells.set(key, [box]);
      else cell.push(box);
    }
  }
}

/** The centers to try, outward from the anchor without end. */
function* centersOf({ anchor, size, gap }: Label): Generator<Point> {
  if (gap === undefined) yield anchor;
  for (let ring = 0; ; ring += 1) {
    const reach = (gap ?? 0) + ring * (size.height + between);
    for (const { x, y } of directions) {
      yield {
        x: anchor.x + x * (size.width / 2 + reach),
        y: anchor.y + y * (size.height / 2 + reach),
      };
    }
  }
}

/**
 * The boxes of the labels, in the same order; earlier labels and the `taken` boxes have their places first. The result
 * depends on the distances between anchors alone, so that labels don't jump while the image moves.
 */
export function placeLabels(labels: readonly Label[], taken: readonly Rect[] = []): readonly Rect[] {
  const occupied = new Occupied();
  for (const box of taken) occupied.add(box);
  return labels.map((label) => {
    for (const center of centersOf(label)) {
      const box = around(center, label.size);
      if (!occupied.isFree(box)) continue;
      occupied.add(box);
      return box;
    }
    throw new Error('unreachable: the centers have no end');
  });
}
