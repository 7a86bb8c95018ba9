/**
 * Transformations from pixels of an image to the square of Web Mercator by control points: those that the IIIF Georeference Extension
 * (version 1, section 3.4) names.
 */
import type { Point } from '../view-state.ts';
import { leastSquares, solve } from './equations.ts';
import { type GeoPoint, metersBetween, toGeo, toWorld } from './mercator.ts';

/** A point of the image, in its pixels, with the place that it shows. */
export interface ControlPoint extends Point, GeoPoint {}

export const transformationKinds = ['helmert', 'polynomial1', 'polynomial2', 'polynomial3', 'thinPlateSpline'] as const;

export type TransformationKind = (typeof transformationKinds)[number];

/** How many control points each needs. */
export const leastPoints: Readonly<Record<TransformationKind, number>> = {
  helmert: 2,
  polynomial1: 3,
  polynomial2: 6,
  polynomial3: 10,
  thinPlateSpline: 3,
};

/** More would hold up the page: the spline solves as many equations. */
export const mostPoints = 500;

type Map = (point: Point) => Point;

export interface Transformation {
  readonly kind: TransformationKind;
  /** From pixels of the image to fractions of the square. */
  readonly toWorld: Map;
  /** Back; undefined where no pixel of the image lies there, or none that can be found. */
  readonly toImage: (world: Point) => Point | undefined;
  /** Whether straight lines stay straight, and parallel ones parallel. */
  readonly isAffine: boolean;
}

/** Around 0, and about 1 at most: powers of pixels would lose the digits of what differs. */
interface Frame {
  readonly center: Point;
  readonly scale: number;
}

function frameOf(points: readonly Point[]): Frame {
  const mean = (name: 'x' | 'y'): number => points.reduce((sum, point) => sum + point[name], 0) / points.length;
  const center = { x: mean('x'), y: mean('y') };
  const far = Math.max(...points.map(({ x, y }) => Math.max(Math.abs(x - center.x), Math.abs(y - center.y))));
  return { center, scale: far || 1 };
}

const into = ({ center, scale }: Frame, { x, y }: Point): Point => ({
  x: (x - center.x) / scale,
  y: (y - center.y) / scale,
});

const outOf = ({ center, scale }: Frame, { x, y }: Point): Point => ({
  x: x * scale + center.x,
  y: y * scale + center.y,
});

const pair = ({ x, y }: Point): readonly number[] => [x, y];

/** The powers of x and y up to an order: 1, x, y, x², xy, y², … */
const powers = ({ x, y }: Point, order: number): readonly number[] =>
  Array.from({ length: order + 1 }, (_, degree) =>
    Array.from({ length: degree + 1 }, (_, power) => x ** (degree - power) * y ** power),
  ).flat();

const weighted = (terms: readonly number[], weights: readonly (readonly number[])[]): Point => ({
  x: terms.reduce((sum, term, index) => sum + term * (weights[index]?.[0] ?? 0), 0),
  y: terms.reduce((sum, term, index) => sum + term * (weights[index]?.[1] ?? 0), 0),
});

function polynomial(from: readonly Point[], to: readonly Point[], order: number): Map | undefined {
  const rows = from.map((point) => powers(point, order));
  const weights = leastSquares(rows, to.map(pair));
  return weights && ((point) => weighted(powers(point, order), weights));
}

/** A turn, one scale for both directions, and a shift. */
function helmert(from: readonly Point[], to: readonly Point[]): Map | undefined {
  const rows = from.flatMap(({ x, y }) => [
    [x, -y, 1, 0],
    [y, x, 0, 1],
  ]);
  const values = to.flatMap(({ x, y }) => [[x], [y]]);
  const found = leastSquares(rows, values);
  if (found === undefined) return undefined;
  const [a = 0, b = 0, right = 0, down = 0] = found.map(([value = 0]) => value);
  return ({ x, y }) => ({ x: a * x - b * y + right, y: b * x + a * y + down });
}

/** r² · log r² for the distance r of two points. */
function bending(one: Point, other: Point): number {
  const square = (one.x - other.x) ** 2 + (one.y - other.y) ** 2;
  return square === 0 ? 0 : square * Math.log(square);
}

/** Passes through all points, and bends as little as that allows (Bookstein 1989). */
function thinPlateSpline(from: readonly Point[], to: readonly Point[]): Map | undefined {
  const plane = from.map((point) => powers(point, 1));
  const matrix = [
    ...from.map((point, row) => [...from.map((other) => bending(point, other)), ...(plane[row] ?? [])]),
    ...[0, 1, 2].map((term) => [...plane.map((terms) => terms[term] ?? 0), 0, 0, 0]),
  ];
  const weights = solve(matrix, [...to.map(pair), [0, 0], [0, 0], [0, 0]]);
  return weights && ((point) => weighted([...from.map((one) => bending(point, one)), ...powers(point, 1)], weights));
}

function mapOf(kind: TransformationKind, from: readonly Point[], to: readonly Point[]): Map | undefined {
  if (from.length < leastPoints[kind]) return undefined;
  if (kind === 'helmert') return helmert(from, to);
  if (kind === 'thinPlateSpline') return thinPlateSpline(from, to);
  return polynomial(from, to, Number(kind.slice(-1)));
}

/** The steps of a derivative, and the error at which a search ends; both in the frame, which is about 1. */
const [step, close] = [1e-4, 1e-7];

/** The inverse at a point by Newton's method, which begins where the linear part of the map says. */
function inverseAt(map: Map, linear: Map, target: Point): Point | undefined {
  let at = linear(target);
  for (let round = 0; round < 24; round += 1) {
    const here = map(at);
    const [right, down] = [target.x - here.x, target.y - here.y];
    const isClose = Math.hypot(right, down) < close;
    const [east, south] = [map({ x: at.x + step, y: at.y }), map({ x: at.x, y: at.y + step })];
    const [a, b] = [(east.x - here.x) / step, (east.y - here.y) / step];
    const [c, d] = [(south.x - here.x) / step, (south.y - here.y) / step];
    const determinant = a * d - b * c;
    if (isClose || determinant === 0) return isClose ? at : undefined;
    at = { x: at.x + (d * right - c * down) / determinant, y: at.y + (a * down - b * right) / determinant };
    if (!Number.isFinite(at.x + at.y)) return undefined;
  }
  return undefined;
}

/** Undefined where the points are too few, or lie so that they do not determine it: on one line, or two on the same pixel. */
export function fitTransformation(
  kind: TransformationKind,
  points: readonly ControlPoint[],
): Transformation | undefined {
  const used = points.slice(0, mostPoints);
  if (used.length < leastPoints[kind]) return undefined;
  const worlds = used.map(toWorld);
  const [image, world] = [frameOf(used), frameOf(worlds)];
  const [from, to] = [used.map((point) => into(image, point)), worlds.map((point) => into(world, point))];
  const map = mapOf(kind, from, to);
  const linear = mapOf(used.length < 3 || kind === 'helmert' ? 'helmert' : 'polynomial1', to, from);
  if (map === undefined || linear === undefined) return undefined;
  const isAffine = kind === 'helmert' || kind === 'polynomial1';
  return {
    kind,
    isAffine,
    toWorld: (point) => outOf(world, map(into(image, point))),
    toImage: (point) => {
      const found = inverseAt(map, linear, into(world, point));
      return found && outOf(image, found);
    },
  };
}

/** How far from its place each point comes to lie, in meters, and the root of the mean of their squares. */
export interface Residuals {
  readonly meters: readonly number[];
  readonly rms: number;
}

export function residualsOf(points: readonly ControlPoint[], transformation: Transformation): Residuals {
  const meters = points.map((point) => metersBetween(point, toGeo(transformation.toWorld(point))));
  const squares = meters.reduce((sum, length) => sum + length ** 2, 0);
  return { meters, rms: points.length === 0 ? 0 : Math.sqrt(squares / points.length) };
}
