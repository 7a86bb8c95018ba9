/**
 * Computes lengths, areas, angles and proportions from points on an image, in pixels and in meters: the quantities of each kind of
 * measurement, and Vitruvius’ names of the gaps between columns (De architectura 3.3).
 */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import type { Point } from '../view-state.ts';
import { axesOf, boxOf, ellipsePoints, ovalOf, ovalPoints } from './curves.ts';
import { type ImageScale, isComplete, type Measure, type MeasureKind } from './measure.ts';

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

export interface Quantity {
  readonly name:
    | 'length'
    | 'area'
    | 'perimeter'
    | 'width'
    | 'height'
    | 'diameter'
    | 'first-axis'
    | 'second-axis'
    | 'small-radius'
    | 'large-radius'
    | 'spacing'
    | 'gap'
    | 'column'
    | 'first-line'
    | 'second-line';
  readonly dimension: 'length' | 'area';
  readonly pick: (extent: Extent) => number | undefined;
}

const length: Quantity = { name: 'length', dimension: 'length', pick: (extent) => extent.length };
const perimeter: Quantity = { ...length, name: 'perimeter' };
const area: Quantity = { name: 'area', dimension: 'area', pick: (extent) => extent.area };

/** Lengths in the order of `parts`. */
const partsNamed = (...names: readonly Quantity['name'][]): readonly Quantity[] =>
  names.map((name, at) => ({ name, dimension: 'length', pick: ({ parts }) => parts[at] }));

/** The first is the label of the measurement on the image. Angles and ratios are no extents. */
export const quantities: Readonly<Record<MeasureKind, readonly Quantity[]>> = {
  line: [length],
  path: [length],
  angle: [],
  polygon: [area, perimeter],
  rectangle: [area, ...partsNamed('width', 'height')],
  circle: [...partsNamed('diameter'), perimeter, area],
  ellipse: [area, ...partsNamed('first-axis', 'second-axis'), perimeter],
  oval: [area, ...partsNamed('first-axis', 'second-axis', 'small-radius', 'large-radius'), perimeter],
  grid: partsNamed('spacing'),
  intercolumniation: partsNamed('gap', 'column'),
  proportion: partsNamed('first-line', 'second-line'),
};

/** Temple types by the gap in column diameters; araeostyle is everything wider than diastyle. */
const types = [
  { name: 'pycnostyle', diameters: 1.5 },
  { name: 'systyle', diameters: 2 },
  { name: 'eustyle', diameters: 2.25 },
  { name: 'diastyle', diameters: 3 },
  { name: 'araeostyle', diameters: 3.5 },
] as const;

type TempleType = (typeof types)[number]['name'];

/** The narrowest gap that is given a name, in column diameters. */
const narrowest = 1.25;

/** The type whose gap is nearest; undefined for gaps much narrower than Vitruvius' narrowest. */
export function templeTypeOf(diameters: number): TempleType | undefined {
  if (!(diameters >= narrowest)) return undefined;
  return types.reduce((best, one) =>
    Math.abs(one.diameters - diameters) < Math.abs(best.diameters - diameters) ? one : best,
  ).name;
}
