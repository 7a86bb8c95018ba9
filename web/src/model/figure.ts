/** The outlines of measurements, and the positions of their labels. */
import type { Size } from '../../../src/image/model/geometry.ts';
import { axesOf, boxOf, ellipsePoints, type Measure, type MeasureKind } from './measure.ts';
import type { Point } from './view-state.ts';

/** A line through points of the image, in fractions. */
export interface Outline {
  readonly points: readonly Point[];
  readonly closed: boolean;
}

/** Sides of the polygon that is drawn for a circle or ellipse. */
const drawnSides = 90;

/** A circle is round in pixels of the image, not in fractions of it. */
function ringOf(kind: 'circle' | 'ellipse', points: readonly Point[], { width, height }: Size): readonly Point[] {
  const pixels = points.map(({ x, y }) => ({ x: x * width, y: y * height }));
  return ellipsePoints(axesOf(kind, pixels), drawnSides).map(({ x, y }) => ({ x: x / width, y: y / height }));
}

/** The outlines of a measurement, also of an incomplete one. */
export function outlinesOf(kind: MeasureKind, points: readonly Point[], image: Size): readonly Outline[] {
  switch (kind) {
    case 'line':
    case 'path':
    case 'angle':
      return [{ points, closed: false }];
    case 'polygon':
      return [{ points, closed: points.length > 2 }];
    case 'rectangle':
      return [{ points: boxOf(points), closed: true }];
    case 'circle':
      return [{ points: ringOf(kind, points, image), closed: true }];
    case 'ellipse':
      return points.length < 3 ? [{ points, closed: false }] : [{ points: ringOf(kind, points, image), closed: true }];
    case 'proportion':
      return [points.slice(0, 2), points.slice(2)].map((line) => ({ points: line, closed: false }));
  }
}

const middleOf = (points: readonly Point[]): Point => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
});

/** The position of the label with the value, in fractions of the image. */
export function labelPositionOf({ kind, points }: Measure): Point {
  const [first = { x: 0, y: 0 }, second = first] = points;
  switch (kind) {
    case 'angle':
      return second;
    case 'path':
      return points.at(-1) ?? first;
    case 'circle':
    case 'ellipse':
      return first;
    case 'proportion':
      return middleOf([first, second]);
    default:
      return middleOf(points.length > 0 ? points : [first]);
  }
}
