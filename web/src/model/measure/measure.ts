/** The kinds of measurements, and the lines that draw them. */

import type { Size } from '../../../../src/core/image/model/geometry.ts';
import type { NoteContent, Point } from '../view-state.ts';
import { axesOf, boxOf, ellipsePoints, ovalCenterLines, ovalOf, ovalPoints } from './curves.ts';

export const measureKinds = {
  /** From one point to another. */
  line: { least: 2, most: 2 },
  /** Through all points. */
  path: { least: 2, most: Number.POSITIVE_INFINITY },
  /** An arm, the vertex, the other arm. */
  angle: { least: 3, most: 3 },
  /** Closed: the last point leads to the first. */
  polygon: { least: 3, most: Number.POSITIVE_INFINITY },
  /** Two opposite corners, upright on the image. */
  rectangle: { least: 2, most: 2 },
  /** The center and a point of the circle as it is drawn on the image. */
  circle: { least: 2, most: 2 },
  /** The center, the end of an axis, and a point that determines the other half axis by its distance. */
  ellipse: { least: 3, most: 3 },
  /** Two lines; the length of the first is divided by that of the second. */
  proportion: { least: 4, most: 4 },
  /** Two ends of a side of the rectangle around it, a point of the opposite side, and where a small arc's circle ends. */
  oval: { least: 4, most: 4 },
  /** A side of one of its square cells. */
  grid: { least: 2, most: 2 },
  /** The edges of two columns that face each other, and the far edge of the second column. */
  intercolumniation: { least: 3, most: 3 },
} as const;

export type MeasureKind = keyof typeof measureKinds;

/** A point that the reader has set. */
export interface SetPoint extends Point {
  /** The precision: pixels of the image per screen pixel when it was set. */
  readonly grain?: number;
}

/** A measurement is stored as points; its values are computed. */
export interface Measure extends NoteContent {
  readonly kind: MeasureKind;
  /** In fractions of the image. */
  readonly points: readonly SetPoint[];
}

/** Pixels of the image per meter of the object, along both sides of the image. */
export interface ImageScale {
  readonly x: number;
  readonly y: number;
}

/** The precision of a measurement in pixels of the image: that of its coarsest point, at least half a pixel. */
export const grainOf = ({ points }: Measure): number => Math.max(0.5, ...points.map(({ grain = 0 }) => grain));

export function isComplete({ kind, points }: Measure): boolean {
  const { least, most } = measureKinds[kind];
  return points.length >= least && points.length <= most;
}

/** A line through points of the image, in fractions. */
export interface Outline {
  readonly points: readonly Point[];
  readonly closed: boolean;
}

/** Sides of the polygon that is drawn for a circle or ellipse, and for an oval, each of whose quarters has as many. */
const drawnSides = 90;
const ovalSides = 92;

/** Cells of a grid along each side; the line that was drawn is a side of the middle one. */
const gridCells = 10;

/** Draws in pixels of the image, where circles are round and squares are square, which they are not in fractions of it. */
function inPixels(
  points: readonly Point[],
  { width, height }: Size,
  draw: (pixels: readonly Point[]) => readonly Outline[],
): readonly Outline[] {
  const outlines = draw(points.map(({ x, y }) => ({ x: x * width, y: y * height })));
  return outlines.map((outline) => ({
    ...outline,
    points: outline.points.map(({ x, y }) => ({ x: x / width, y: y / height })),
  }));
}

const open = (...points: readonly Point[]): Outline => ({ points, closed: false });
const closed = (points: readonly Point[]): Outline => ({ points, closed: true });

const ring = (kind: 'circle' | 'ellipse', pixels: readonly Point[]): Outline =>
  closed(ellipsePoints(axesOf(kind, pixels), drawnSides));

/** An incomplete oval is the side drawn so far, then the rectangle around it. */
function ovalOutlines(pixels: readonly Point[]): readonly Outline[] {
  const oval = ovalOf(pixels);
  if (oval !== undefined) return [closed(ovalPoints(oval, ovalSides))];
  return pixels.length < 3 ? [open(...pixels)] : [frameOf(pixels)];
}

/** The rectangle around an oval; its third point is on the line through the opposite side. */
function frameOf(pixels: readonly Point[]): Outline {
  const oval = ovalOf([...pixels.slice(0, 3), pixels[0] ?? { x: 0, y: 0 }]);
  if (oval === undefined) return open(...pixels.slice(0, 2));
  const { center, alongSide, across } = oval;
  const corner = (along: number, over: number): Point => ({
    x: center.x + along * alongSide.x + over * across.x,
    y: center.y + along * alongSide.y + over * across.y,
  });
  return closed([corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)]);
}

/** The line that was drawn first, then all lines of the grid. */
function gridOutlines([from, to]: readonly Point[]): readonly Outline[] {
  if (from === undefined || to === undefined) return from === undefined ? [] : [open(from)];
  const [x, y] = [to.x - from.x, to.y - from.y];
  const first = -(gridCells / 2 - 1);
  const at = (column: number, row: number): Point => ({
    x: from.x + column * x - row * y,
    y: from.y + column * y + row * x,
  });
  const [left, right, top, bottom] = [first, first + gridCells, first - 1, first - 1 + gridCells];
  const steps = Array.from({ length: gridCells + 1 }, (_, step) => step);
  return [
    open(from, to),
    ...steps.map((step) => open(at(left + step, top), at(left + step, bottom))),
    ...steps.map((step) => open(at(left, top + step), at(right, top + step))),
  ];
}

/** The line over the gap and a column, and both columns as circles. */
function intercolumniationOutlines(pixels: readonly Point[]): readonly Outline[] {
  const [edge, facing, far] = pixels;
  if (!edge || !facing || !far) return [open(...pixels)];
  const half = { x: (far.x - facing.x) / 2, y: (far.y - facing.y) / 2 };
  const circle = (center: Point): Outline => ring('circle', [center, { x: center.x + half.x, y: center.y + half.y }]);
  return [
    open(...pixels),
    circle({ x: facing.x + half.x, y: facing.y + half.y }),
    circle({ x: edge.x - half.x, y: edge.y - half.y }),
  ];
}

/** The outlines of a measurement, also of an incomplete one. */
export function outlinesOf(kind: MeasureKind, points: readonly Point[], image: Size): readonly Outline[] {
  switch (kind) {
    case 'line':
    case 'path':
    case 'angle':
      return [open(...points)];
    case 'polygon':
      return [{ points, closed: points.length > 2 }];
    case 'rectangle':
      return [closed(boxOf(points))];
    case 'circle':
      return inPixels(points, image, (pixels) => [ring(kind, pixels)]);
    case 'ellipse':
      return points.length < 3 ? [open(...points)] : inPixels(points, image, (pixels) => [ring(kind, pixels)]);
    case 'proportion':
      return [open(...points.slice(0, 2)), open(...points.slice(2))];
    case 'oval':
      return inPixels(points, image, ovalOutlines);
    case 'grid':
      return inPixels(points, image, gridOutlines);
    case 'intercolumniation':
      return inPixels(points, image, intercolumniationOutlines);
  }
}

/** Lines of the construction of a measurement: the rectangle around an oval, its axes, and where its arcs meet. */
export function guidesOf(kind: MeasureKind, points: readonly Point[], image: Size): readonly Outline[] {
  if (kind !== 'oval') return [];
  return inPixels(points, image, (pixels) => {
    const oval = ovalOf(pixels);
    return oval === undefined ? [] : [frameOf(pixels), ...ovalCenterLines(oval).map((line) => open(...line))];
  });
}

const middleOf = (points: readonly Point[]): Point => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
});

/** The position of the label with the value, in fractions of the image. */
export function labelPositionOf({ kind, points }: Measure, { width, height }: Size): Point {
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
    case 'intercolumniation':
      return middleOf([first, second]);
    case 'oval': {
      const center = ovalOf(points.map(({ x, y }) => ({ x: x * width, y: y * height })))?.center;
      return center === undefined ? first : { x: center.x / width, y: center.y / height };
    }
    default:
      return middleOf(points.length > 0 ? points : [first]);
  }
}
