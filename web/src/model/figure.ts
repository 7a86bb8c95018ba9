/** The lines by which a measurement is drawn on the image, and where its value stands. */
import type { Size } from '../../../src/image/model/geometry.ts';
import { axesOf, boxOf, type Measure, type MeasureKind } from './measure.ts';
import type { Point } from './view-state.ts';

/** A line through points of the image, in fractions. */
export interface Outline {
  readonly points: readonly Point[];
  readonly closed: boolean;
}

/** So many sides look round. */
const roundSides = 90;

/** A circle or an ellipse, as the measurement takes it: round in pixels of the image. */
function ringOf(kind: 'circle' | 'ellipse', points: readonly Point[], { width, height }: Size): readonly Point[] {
  const pixels = points.map(({ x, y }) => ({ x: x * width, y: y * height }));
  const [center, first, second] = axesOf(kind, pixels);
  return Array.from({ length: roundSides }, (_, at) => {
    const turn = (2 * Math.PI * at) / roundSides;
    const [cosine, sine] = [Math.cos(turn), Math.sin(turn)];
    return {
      x: (center.x + cosine * first.x + sine * second.x) / width,
      y: (center.y + cosine * first.y + sine * second.y) / height,
    };
  });
}

/** The lines of a measurement, also of one that is only begun. */
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

/** Where the value of a measurement stands. */
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
