/** Parses and formats single figures as SVG, with points in pixels of the image. */

import { parseNumber } from '../address/address-text.ts';
import { axesOf } from '../measure/curves.ts';
import {
  isComplete,
  type Measure,
  type MeasureKind,
  measureKinds,
  type Outline,
  outlinesOf,
} from '../measure/measure.ts';
import type { Point } from '../view-state.ts';
import { parseCssColor } from './mark-edits.ts';

interface PathPart {
  readonly points: readonly Point[];
  readonly closed: boolean;
}

const commandForm = /([a-z])([^a-z]*(?:e[+-]?\d+[^a-z]*)*)/gi;
const numberForm = /[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi;

/** Far more than drawn by hand; all points are drawn in every frame. */
const maxPoints = 10_000;

/** Numbers per point of each command; curves are not supported. */
const counts: Readonly<Record<string, number>> = { m: 2, l: 2, h: 1, v: 1 };

/** The end point of a command; `pen` is the current point. */
function pointOf(command: string, [first = 0, second = 0]: readonly number[], pen: Point): Point {
  const isRelative = command === command.toLowerCase();
  const from = isRelative ? pen : { x: 0, y: 0 };
  switch (command.toLowerCase()) {
    case 'h':
      return { x: from.x + first, y: pen.y };
    case 'v':
      return { x: pen.x, y: from.y + first };
    default:
      return { x: from.x + first, y: from.y + second };
  }
}

/** The end points of a command with its repetitions. */
function commandPoints(command: string, text: string, start: Point): readonly Point[] | undefined {
  const count = Object.hasOwn(counts, command.toLowerCase()) ? counts[command.toLowerCase()] : undefined;
  const numbers = (text.match(numberForm) ?? []).map(Number);
  if (count === undefined || numbers.length === 0 || numbers.length % count !== 0) return undefined;
  const points: Point[] = [];
  for (let at = 0; at < numbers.length; at += count) {
    points.push(pointOf(command, numbers.slice(at, at + count), points.at(-1) ?? start));
  }
  return points;
}

const isSame = (one: Point | undefined, other: Point | undefined): boolean =>
  one !== undefined && other !== undefined && Math.hypot(one.x - other.x, one.y - other.y) < 0.01;

function tidied({ points, closed }: PathPart): PathPart {
  const distinct = points.filter((point, at) => !isSame(point, points[at - 1]));
  const returns = distinct.length > 2 && isSame(distinct[0], distinct.at(-1));
  return { points: returns ? distinct.slice(0, -1) : distinct, closed: closed || returns };
}

/** The subpaths; undefined if the path has curves or is malformed. */
function parsePath(text: string): readonly PathPart[] | undefined {
  const parts: { readonly points: Point[]; closed: boolean }[] = [];
  let pen: Point = { x: 0, y: 0 };
  for (const [, command = '', numbers = ''] of text.matchAll(commandForm)) {
    const part = parts.at(-1);
    if (command.toLowerCase() === 'z') {
      if (part === undefined) return undefined;
      part.closed = true;
      pen = part.points[0] ?? pen;
      continue;
    }
    const points = commandPoints(command, numbers, pen);
    if (points === undefined) return undefined;
    if (command.toLowerCase() === 'm') parts.push({ points: [...points], closed: false });
    else if (part === undefined) return undefined;
    // After a closed subpath, the next one begins at its first point.
    else if (part.closed) parts.push({ points: [pen, ...points], closed: false });
    else for (const point of points) part.points.push(point);
    pen = points.at(-1) ?? pen;
  }
  return parts.map(tidied);
}

export type ShapeFault = 'curve' | 'several' | 'transform' | 'unknown';

/** A point that was written as a ring around it. */
interface DrawnPoint {
  readonly kind: 'point';
  readonly point: Point;
  readonly color?: string;
}

/** Points are in pixels here, so that fractions of an image of one pixel are the same. */
const onePixel = { width: 1, height: 1 } as const;

const decimals = 1000;
const print = (value: number): string => String(Math.round(value * decimals) / decimals + 0);
const printPoint = ({ x, y }: Point): string => `${print(x)},${print(y)}`;
const printPoints = (points: readonly Point[]): string => points.map(printPoint).join(' ');

const isMeasureKind = (kind: string): kind is MeasureKind => Object.hasOwn(measureKinds, kind);

const formatOutline = ({ points, closed }: Outline): string =>
  `M${points.map(printPoint).join(' L')}${closed ? ' Z' : ''}`;

/** An ellipse as two arcs, from one end of its first axis to the other and back. */
function formatEllipse([center, first, second]: readonly [Point, Point, Point]): string {
  const degrees = (Math.atan2(first.y, first.x) * 180) / Math.PI;
  const radii = `${print(Math.hypot(first.x, first.y))},${print(Math.hypot(second.x, second.y))}`;
  const arc = `A${radii} ${print(degrees)} 0 1`;
  const [from, to] = [
    { x: center.x - first.x, y: center.y - first.y },
    { x: center.x + first.x, y: center.y + first.y },
  ];
  return `M${printPoint(from)} ${arc} ${printPoint(to)} ${arc} ${printPoint(from)} Z`;
}

function formatPath(kind: MeasureKind, points: readonly Point[]): string {
  if (kind === 'circle' || kind === 'ellipse') return formatEllipse(axesOf(kind, points));
  return outlinesOf(kind, points, onePixel).map(formatOutline).join(' ');
}

/** Kinds whose points the path itself tells. */
const drawnKinds: ReadonlySet<MeasureKind> = new Set(['line', 'path', 'angle', 'polygon', 'proportion']);

const svgPath = (
  kind: string,
  points: readonly Point[] | undefined,
  path: string,
  color: string | undefined,
): string => {
  const positions = points === undefined ? '' : ` data-points="${printPoints(points)}"`;
  const stroke = color === undefined ? '' : ` stroke="${color}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg"><path data-kind="${kind}"${positions} d="${path}" fill="none"${stroke}/></svg>`;
};

/**
 * A figure with its points in pixels, as an SVG document of its own: a path, since some viewers draw nothing else. `data-kind` and
 * `data-points` say what it is read back as.
 */
export const formatShape = ({ kind, points, color }: Measure): string =>
  svgPath(kind, drawnKinds.has(kind) ? undefined : points, formatPath(kind, points), color);

export const regionKind = 'region';

/** A rectangle by its corners, as a polygon that is no measurement. */
export const formatRegion = (corners: readonly Point[], color: string): string =>
  svgPath(regionKind, undefined, formatOutline({ points: corners, closed: true }), color);

const pointKind = 'mark';

/** A point as a ring of this radius, in pixels: viewers show rings, but no points. */
export const formatRing = (point: Point, radius: number, color: string | undefined): string =>
  svgPath(pointKind, [point], formatEllipse([point, { x: radius, y: 0 }, { x: 0, y: radius }]), color);

type Attributes = ReadonlyMap<string, string>;

const attributesOf = (text: string): Attributes =>
  new Map(
    [...text.matchAll(/(?<![\w:-])([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, name = '', a, b]) => [
      name,
      a ?? b ?? '',
    ]),
  );

/** A length in user units; `px` is one. */
const lengthOf = (attributes: Attributes, name: string): number =>
  parseNumber((attributes.get(name) ?? '0').replace(/px$/, '')) ?? Number.NaN;

function pointsOf(attributes: Attributes, name = 'points'): readonly Point[] {
  const numbers = (attributes.get(name) ?? '').match(numberForm) ?? [];
  if (numbers.length > 2 * maxPoints) return [];
  const pairs = Array.from({ length: Math.floor(numbers.length / 2) }, (_, at) => numbers.slice(at * 2, at * 2 + 2));
  return pairs.map(([x, y]) => ({ x: Number(x), y: Number(y) }));
}

const offset = ({ x, y }: Point, length: number, radians: number): Point => ({
  x: x + length * Math.cos(radians),
  y: y + length * Math.sin(radians),
});

/** The only transform supported is a rotation about the center. */
function readEllipse(attributes: Attributes): Measure | ShapeFault {
  const center = { x: lengthOf(attributes, 'cx'), y: lengthOf(attributes, 'cy') };
  const transform = attributes.get('transform') ?? 'rotate(0)';
  const turn = /^\s*rotate\(\s*([^\s,)]+)(?:[\s,]+([^\s,)]+)[\s,]+([^\s,)]+))?\s*\)\s*$/.exec(transform);
  const degrees = parseNumber(turn?.[1] ?? '');
  const [x, y] = turn?.[2] === undefined ? [0, 0] : [Number(turn[2]), Number(turn[3])];
  const movesCenter = degrees !== 0 && Math.hypot(x - center.x, y - center.y) > 1;
  if (degrees === undefined || movesCenter) return 'transform';
  const radians = (degrees * Math.PI) / 180;
  const end = offset(center, lengthOf(attributes, 'rx'), radians);
  return { kind: 'ellipse', points: [center, end, offset(center, lengthOf(attributes, 'ry'), radians + Math.PI / 2)] };
}

function readCircle(attributes: Attributes): Measure {
  const center = { x: lengthOf(attributes, 'cx'), y: lengthOf(attributes, 'cy') };
  return { kind: 'circle', points: [center, offset(center, lengthOf(attributes, 'r'), 0)] };
}

function readRectangle(attributes: Attributes): Measure {
  const [x, y] = [lengthOf(attributes, 'x'), lengthOf(attributes, 'y')];
  const opposite = { x: x + lengthOf(attributes, 'width'), y: y + lengthOf(attributes, 'height') };
  return { kind: 'rectangle', points: [{ x, y }, opposite] };
}

const readLine = (attributes: Attributes): Measure => ({
  kind: 'line',
  points: [
    { x: lengthOf(attributes, 'x1'), y: lengthOf(attributes, 'y1') },
    { x: lengthOf(attributes, 'x2'), y: lengthOf(attributes, 'y2') },
  ],
});

const open = (points: readonly Point[]): Measure => ({ kind: points.length === 2 ? 'line' : 'path', points });

/** A figure whose points `formatShape` has written; undefined for other paths. */
function readConstructed(attributes: Attributes): Measure | undefined {
  const kind = attributes.get('data-kind') ?? '';
  const measure = isMeasureKind(kind) ? { kind, points: pointsOf(attributes, 'data-points') } : undefined;
  return measure !== undefined && isComplete(measure) ? measure : undefined;
}

const openKinds: ReadonlySet<string> = new Set(['line', 'path', 'angle']);

/** A line with three points can be a path or an angle: what is said decides if the number of points allows it. */
export function asNamed(measure: Measure, kind: string | undefined): Measure {
  if (kind === undefined || !isMeasureKind(kind)) return measure;
  const named = { ...measure, kind };
  const isPossible = kind === measure.kind || (openKinds.has(kind) && openKinds.has(measure.kind));
  return isPossible && isComplete(named) ? named : measure;
}

function readPath(attributes: Attributes): Measure | ShapeFault {
  const constructed = readConstructed(attributes);
  if (constructed !== undefined) return constructed;
  const path = attributes.get('d') ?? '';
  // Longer than any path of so many points.
  if (path.length > 100 * maxPoints) return 'unknown';
  const parts = parsePath(path);
  if (parts === undefined) return 'curve';
  const [first, second, ...more] = parts;
  if (first === undefined) return 'unknown';
  if (second === undefined) {
    const measure: Measure = first.closed ? { kind: 'polygon', points: first.points } : open(first.points);
    return asNamed(measure, attributes.get('data-kind'));
  }
  const areTwoLines = more.length === 0 && first.points.length === 2 && second.points.length === 2;
  return areTwoLines ? { kind: 'proportion', points: [...first.points, ...second.points] } : 'several';
}

const readers: Readonly<Record<string, (attributes: Attributes) => Measure | ShapeFault>> = {
  path: readPath,
  polygon: (attributes) => ({ kind: 'polygon', points: pointsOf(attributes) }),
  polyline: (attributes) => open(pointsOf(attributes)),
  line: readLine,
  circle: readCircle,
  ellipse: readEllipse,
  rect: readRectangle,
};

const isFinitePoint = ({ x, y }: Point): boolean => Number.isFinite(x) && Number.isFinite(y);

/** A point that `formatRing` has written; undefined for other figures. */
function readPoint(attributes: Attributes): DrawnPoint | undefined {
  if (attributes.get('data-kind') !== pointKind) return undefined;
  const [point] = pointsOf(attributes, 'data-points');
  return point && { kind: 'point', point };
}

const styleForm = /(?:^|;)\s*stroke\s*:\s*([^;]*)/i;

const colorOf = (attributes: Attributes): string | undefined =>
  parseCssColor(attributes.get('stroke') ?? styleForm.exec(attributes.get('style') ?? '')?.[1] ?? '');

/** The single figure of an SVG document with its color, or why it was not read. */
export function parseShape(svg: string): Measure | DrawnPoint | ShapeFault {
  const found = [...svg.matchAll(/<(?:\w+:)?(path|polygon|polyline|line|circle|ellipse|rect)\b([^<>]*)>/g)];
  if (found.length > 1) return 'several';
  const [, name = '', text = ''] = found[0] ?? [];
  const isTransformed = /\btransform\s*=/.test(name === 'ellipse' ? svg.replace(text, '') : svg);
  if (isTransformed) return 'transform';
  const attributes = attributesOf(text);
  const shape = readPoint(attributes) ?? (Object.hasOwn(readers, name) ? readers[name]?.(attributes) : undefined);
  if (shape === undefined) return 'unknown';
  if (typeof shape === 'string') return shape;
  const points = shape.kind === 'point' ? [shape.point] : shape.points;
  if (points.length > maxPoints || !points.every(isFinitePoint)) return 'unknown';
  const color = colorOf(attributes);
  return color === undefined ? shape : { ...shape, color };
}
