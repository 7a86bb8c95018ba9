/** Computes lengths, areas, angles and proportions from points on an image, in pixels and in meters. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import type { NoteContent, Point } from '../view-state.ts';
import { ovalOf, ovalPoints } from './oval.ts';

/** The number of points of each kind of measurement. */
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

/** Length and area of a measurement, in pixels or meters and their squares. */
export interface Extent {
  /** The length of a line or path, the perimeter of a closed figure; 0 for angles and proportions. */
  readonly length: number;
  /** 0 for open figures. */
  readonly area: number;
  /**
   * Each segment of a path, width and height, both axes, the two lines of a proportion, the side of a cell; of an oval
   * both axes and the radii of its small and large arcs; the gap between columns and their diameter.
   */
  readonly parts: readonly number[];
}

export interface Measured {
  readonly pixels: Extent;
  /** Undefined without a scale. */
  readonly meters: Extent | undefined;
  /** Of an angle, from 0 to 180. */
  readonly degrees: number | undefined;
  /** Of a proportion: the first line divided by the second; of an intercolumniation: the gap in column diameters. */
  readonly ratio: number | undefined;
}

/** The precision of a measurement in pixels of the image: that of its coarsest point, at least half a pixel. */
export const grainOf = ({ points }: Measure): number => Math.max(0.5, ...points.map(({ grain = 0 }) => grain));

export function isComplete({ kind, points }: Measure): boolean {
  const { least, most } = measureKinds[kind];
  return points.length >= least && points.length <= most;
}

export const metersPerInch = 0.0254;

export const scaleFromDpi = ({ x, y }: Point): ImageScale => ({
  x: x / metersPerInch,
  y: y / metersPerInch,
});

const stretch = ({ x, y }: Point, factors: Point): Point => ({ x: x * factors.x, y: y * factors.y });

const distance = (from: Point, to: Point): number => Math.hypot(to.x - from.x, to.y - from.y);

const lengthsOf = (points: readonly Point[]): readonly number[] =>
  points.slice(1).map((point, at) => distance(points[at] ?? point, point));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const closed = (points: readonly Point[]): readonly Point[] => [...points, ...points.slice(0, 1)];

/** The area of a polygon, as the sum of the trapezoids below its sides. */
function areaOf(points: readonly Point[]): number {
  const ring = closed(points);
  const twice = ring.slice(1).map((to, at) => ((ring[at]?.x ?? 0) - to.x) * ((ring[at]?.y ?? 0) + to.y));
  return Math.abs(sum(twice)) / 2;
}

const openExtent = (points: readonly Point[]): Extent => {
  const parts = lengthsOf(points);
  return { length: sum(parts), area: 0, parts };
};

const closedExtent = (points: readonly Point[], parts = lengthsOf(closed(points))): Extent => ({
  length: sum(lengthsOf(closed(points))),
  area: areaOf(points),
  parts,
});

/** Sides of the polygon that approximates an ellipse; its perimeter is less than a millionth too short. */
const measuredSides = 1440;

/** Points of an ellipse with two half axes at right angles. */
export const ellipsePoints = (
  [center, first, second]: readonly [center: Point, first: Point, second: Point],
  sides: number,
): readonly Point[] =>
  Array.from({ length: sides }, (_, at) => {
    const turn = (2 * Math.PI * at) / sides;
    const [cosine, sine] = [Math.cos(turn), Math.sin(turn)];
    return {
      x: center.x + cosine * first.x + sine * second.x,
      y: center.y + cosine * first.y + sine * second.y,
    };
  });

/** The half axis at right angles to the first, as long as the distance of a point from the first. */
function secondAxis(first: Point, point: Point): Point {
  const squared = first.x ** 2 + first.y ** 2;
  if (squared === 0) return { x: 0, y: 0 };
  const reach = (first.x * point.y - first.y * point.x) / squared;
  return { x: -first.y * reach, y: first.x * reach };
}

/** Center and half axes of a circle or ellipse, all in pixels of the image. */
export function axesOf(kind: 'circle' | 'ellipse', pixels: readonly Point[]): readonly [Point, Point, Point] {
  const [center = { x: 0, y: 0 }, end = center, point = center] = pixels;
  const first = { x: end.x - center.x, y: end.y - center.y };
  const second = secondAxis(first, { x: point.x - center.x, y: point.y - center.y });
  return [center, first, kind === 'circle' ? { x: -first.y, y: first.x } : second];
}

/** The corners of a rectangle given by two opposite ones; with one point, all are the same. */
export const boxOf = ([from = { x: 0, y: 0 }, to = from]: readonly Point[]): readonly Point[] => [
  from,
  { x: to.x, y: from.y },
  to,
  { x: from.x, y: to.y },
];

/** The radii are those along the axes that they end, where pixels are not square. */
function ovalExtent(pixels: readonly Point[], factors: Point): Extent {
  const oval = ovalOf(pixels);
  if (oval === undefined) return { length: 0, area: 0, parts: [] };
  const axes = [oval.alongSide, oval.across].map((half) => 2 * distance({ x: 0, y: 0 }, stretch(half, factors)));
  const radius = (half: Point, length: number): number =>
    (length * distance({ x: 0, y: 0 }, stretch(half, factors))) / Math.hypot(half.x, half.y);
  const radii = [radius(oval.long, oval.small), radius(oval.short, oval.large)];
  const ring = ovalPoints(oval, measuredSides).map((point) => stretch(point, factors));
  return closedExtent(ring, [...axes, ...radii]);
}

/** The extent of a figure with points in pixels, after it is multiplied by `factors`. */
function extentOf(kind: MeasureKind, pixels: readonly Point[], factors: Point): Extent {
  const points = pixels.map((point) => stretch(point, factors));
  const [a, b, c, d] = points;
  switch (kind) {
    case 'line':
    case 'path':
      return openExtent(points);
    case 'polygon':
      return closedExtent(points);
    case 'rectangle':
      return closedExtent(boxOf(points), lengthsOf(boxOf(points).slice(0, 3)));
    case 'circle':
    case 'ellipse': {
      const axes = axesOf(kind, pixels);
      const ring = ellipsePoints(axes, measuredSides).map((point) => stretch(point, factors));
      const [, first, second] = axes.map((axis) => stretch(axis, factors)).map(({ x, y }) => 2 * Math.hypot(x, y));
      return closedExtent(ring, [first ?? 0, second ?? 0]);
    }
    case 'oval':
      return ovalExtent(pixels, factors);
    case 'grid':
      return { length: 0, area: 0, parts: lengthsOf(points) };
    case 'intercolumniation':
      return { length: 0, area: 0, parts: a && b && c ? [distance(a, b), distance(b, c)] : [] };
    case 'proportion':
      return { length: 0, area: 0, parts: a && b && c && d ? [distance(a, b), distance(c, d)] : [] };
    case 'angle':
      return { length: 0, area: 0, parts: a && b && c ? [distance(b, a), distance(b, c)] : [] };
  }
}

function degreesOf([arm, vertex, other]: readonly Point[]): number | undefined {
  if (!arm || !vertex || !other) return undefined;
  const [x, y] = [arm.x - vertex.x, arm.y - vertex.y];
  const [u, v] = [other.x - vertex.x, other.y - vertex.y];
  return (Math.atan2(Math.abs(x * v - y * u), x * u + y * v) * 180) / Math.PI;
}

function ratioOf([first, second]: readonly number[]): number | undefined {
  return first === undefined || second === undefined || second === 0 ? undefined : first / second;
}

const unscaled: Point = { x: 1, y: 1 };

/** The values of a measurement; undefined while points are missing. */
export function measureOf(measure: Measure, image: Size, scale?: ImageScale): Measured | undefined {
  if (!isComplete(measure)) return undefined;
  const { kind } = measure;
  const pixels = measure.points.map((point) => stretch(point, { x: image.width, y: image.height }));
  const factors = scale === undefined ? unscaled : { x: 1 / scale.x, y: 1 / scale.y };
  const real = extentOf(kind, pixels, factors);
  return {
    pixels: extentOf(kind, pixels, unscaled),
    meters: scale === undefined ? undefined : real,
    degrees: kind === 'angle' ? degreesOf(pixels.map((point) => stretch(point, factors))) : undefined,
    ratio: kind === 'proportion' || kind === 'intercolumniation' ? ratioOf(real.parts) : undefined,
  };
}

/**
 * The scale at which the line between two points has this length in meters; undefined if the points are the same.
 * `shape` is any scale with the same ratio of both sides, for images with pixels that are not square.
 */
export function scaleFromLength(
  points: readonly [Point, Point],
  image: Size,
  meters: number,
  shape: ImageScale = unscaled,
): ImageScale | undefined {
  const measured = measureOf({ kind: 'line', points }, image, shape)?.meters?.length ?? 0;
  const factor = measured / meters;
  return factor > 0 && Number.isFinite(factor) ? { x: shape.x * factor, y: shape.y * factor } : undefined;
}
