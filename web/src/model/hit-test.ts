/** Hit tests: whether a point is on the main image, on the page beside it, or on neither. */
import type { Point, Rect } from './view-state.ts';

export type HitTarget = 'image' | 'beside' | 'nowhere';

const isBetween = (value: number, from: number, to: number): boolean => value >= from && value <= to;

const clampFraction = (value: number): number => Math.min(Math.max(value, 0), 1);

/** The nearest point of the image. */
export const nearestOnImage = ({ x, y }: Point): Point => ({ x: clampFraction(x), y: clampFraction(y) });

/** In fractions of the main image; `spread` is the extent of both pages, `slack` the tolerance around the edges. */
export function hitTest({ x, y }: Point, spread: Rect, slack: Point): HitTarget {
  const isAcross = isBetween(x, -slack.x, 1 + slack.x);
  if (isAcross) return isBetween(y, -slack.y, 1 + slack.y) ? 'image' : 'nowhere';
  const isOnSpread =
    isBetween(x, spread.x, spread.x + spread.width) &&
    isBetween(y, spread.y - slack.y, spread.y + spread.height + slack.y);
  return isOnSpread ? 'beside' : 'nowhere';
}

/** The movement limited so that all points stay on the image. */
export function movementOnImage(points: readonly Point[], by: Point): Point {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const limited = (step: number, positions: readonly number[]): number =>
    Math.min(Math.max(step, -Math.min(...positions)), 1 - Math.max(...positions));
  return { x: limited(by.x, xs), y: limited(by.y, ys) };
}
