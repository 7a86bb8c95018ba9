/** Where a point that the reader aims at lies: on the main image, on the page beside it, or on neither. */
import type { Point } from './view-state.ts';

export type HitTarget = 'image' | 'beside' | 'nowhere';

const isBetween = (value: number, from: number, to: number): boolean => value >= from && value <= to;

const inside = (value: number): number => Math.min(Math.max(value, 0), 1);

/** The nearest point of the image. */
export const nearestOnImage = ({ x, y }: Point): Point => ({ x: inside(x), y: inside(y) });

/** Points in fractions of the main image; `spread` is what both pages take of it, `slack` how far off its edge still is the edge. */
export function hitTest({ x, y }: Point, spread: { readonly x: number; readonly width: number }, slack: Point): HitTarget {
  if (!isBetween(y, -slack.y, 1 + slack.y)) return 'nowhere';
  if (isBetween(x, -slack.x, 1 + slack.x)) return 'image';
  return isBetween(x, spread.x, spread.x + spread.width) ? 'beside' : 'nowhere';
}

/** How far a movement of points may go for all of them to stay on the image. */
export function movementOnImage(points: readonly Point[], by: Point): Point {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const limited = (step: number, places: readonly number[]): number =>
    Math.min(Math.max(step, -Math.min(...places)), 1 - Math.max(...places));
  return { x: limited(by.x, xs), y: limited(by.y, ys) };
}
