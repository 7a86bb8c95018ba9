/** Parses and formats single figures as SVG, with points in pixels of the image. */

import { type Outline, outlinesOf } from './figure.ts';
import { axesOf, isComplete, type Measure, type MeasureKind, measureKinds } from './measure.ts';
import { parseNumber } from './number-text.ts';
import { numberForm, parsePath } from './svg-path.ts';
import type { Point } from './view-state.ts';

/** Why a figure could not be read. */
export type ShapeFault = 'curve' | 'several' | 'transform' | 'unknown';

/** Points are in pixels here, so that fractions of an image of one pixel are the same. */
const onePixel = { width: 1, height: 1 } as const;

const decimals = 1000;
const print = (value: number): string => String(Math.round(value * decimals) / decimals + 0);
const printPoint = ({ x, y }: Point): string => `${print(x)},${print(y)}`;
const printPoints = (points: readonly Point[]): string => points.map(printPoint).join(' ');

function formatEllipse(points: readonly Point[]): string {
  const [center, first, second] = axesOf('ellipse', points);
  const degrees = (Math.atan2(first.y, first.x) * 180) / Math.PI;
  const position = `cx="${print(center.x)}" cy="${print(center.y)}"`;
  const radii = `rx="${print(Math.hypot(first.x, first.y))}" ry="${print(Math.hypot(second.x, second.y))}"`;
  return `<ellipse ${position} ${radii} transform="rotate(${print(degrees)} ${print(center.x)} ${print(center.y)})"/>`;
}

function formatCircle(points: readonly Point[]): string {
  const [center, first] = axesOf('circle', points);
  return `<circle cx="${print(center.x)}" cy="${print(center.y)}" r="${print(Math.hypot(first.x, first.y))}"/>`;
}

function formatRectangle([one = { x: 0, y: 0 }, other = one]: readonly Point[]): string {
  const corner = `x="${print(Math.min(one.x, other.x))}" y="${print(Math.min(one.y, other.y))}"`;
  return `<rect ${corner} width="${print(Math.abs(one.x - other.x))}" height="${print(Math.abs(one.y - other.y))}"/>`;
}

const formatPolyline = (points: readonly Point[]): string => `<polyline points="${printPoints(points)}"/>`;

const isMeasureKind = (kind: string): kind is MeasureKind => Object.hasOwn(measureKinds, kind);

const formatOutline = ({ points, closed }: Outline): string =>
  `M${points.map(printPoint).join(' L')}${closed ? ' Z' : ''}`;

/** Its outlines as other programs draw them; `data-kind` and `data-points` are what it is read back from. */
function formatConstructed(kind: MeasureKind, points: readonly Point[]): string {
  const path = outlinesOf(kind, points, onePixel).map(formatOutline).join(' ');
  return `<path data-kind="${kind}" data-points="${printPoints(points)}" d="${path}"/>`;
}

const formats: Readonly<Record<MeasureKind, (points: readonly Point[]) => string>> = {
  line: formatPolyline,
  path: formatPolyline,
  angle: formatPolyline,
  polygon: (points) => `<polygon points="${printPoints(points)}"/>`,
  rectangle: formatRectangle,
  circle: formatCircle,
  ellipse: formatEllipse,
  proportion: (points) =>
    `<path d="M${printPoints(points.slice(0, 2)).replace(' ', ' L')} M${printPoints(points.slice(2)).replace(' ', ' L')}"/>`,
  oval: (points) => formatConstructed('oval', points),
  grid: (points) => formatConstructed('grid', points),
  intercolumniation: (points) => formatConstructed('intercolumniation', points),
};

/** A figure with its points in pixels, as an SVG document of its own. */
export const formatShape = ({ kind, points }: Measure): string =>
  `<svg xmlns="http://www.w3.org/2000/svg">${formats[kind](points)}</svg>`;

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
  const pairs = Array.from({ length: Math.floor(numbers.length / 2) }, (_, at) => numbers.slice(at * 2, at * 2 + 2));
  return pairs.map(([x, y]) => ({ x: Number(x), y: Number(y) }));
}

const offset = ({ x, y }: Point, length: number, radians: number): Point => ({
  x: x + length * Math.cos(radians),
  y: y + length * Math.sin(radians),
});

/** The only transform supported is a rotation about the center, as `formatEllipse` writes it. */
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

/** A figure that `formatConstructed` has written; undefined for other paths. */
function readConstructed(attributes: Attributes): Measure | undefined {
  const kind = attributes.get('data-kind') ?? '';
  const measure = isMeasureKind(kind) ? { kind, points: pointsOf(attributes, 'data-points') } : undefined;
  return measure !== undefined && isComplete(measure) ? measure : undefined;
}

function readPath(attributes: Attributes): Measure | ShapeFault {
  const constructed = readConstructed(attributes);
  if (constructed !== undefined) return constructed;
  const parts = parsePath(attributes.get('d') ?? '');
  if (parts === undefined) return 'curve';
  const [first, second, ...more] = parts;
  if (first === undefined) return 'unknown';
  if (second === undefined) return first.closed ? { kind: 'polygon', points: first.points } : open(first.points);
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

/** Far more than drawn by hand; all points are drawn in every frame. */
const maxPoints = 10_000;

/** The single figure of an SVG document, or why it was not read. */
export function parseShape(svg: string): Measure | ShapeFault {
  const found = [...svg.matchAll(/<(?:\w+:)?(path|polygon|polyline|line|circle|ellipse|rect)\b([^<>]*)>/g)];
  if (found.length > 1) return 'several';
  const [, name = '', text = ''] = found[0] ?? [];
  const isTransformed = /\btransform\s*=/.test(name === 'ellipse' ? svg.replace(text, '') : svg);
  if (isTransformed) return 'transform';
  const shape = Object.hasOwn(readers, name) ? readers[name]?.(attributesOf(text)) : undefined;
  if (shape === undefined) return 'unknown';
  if (typeof shape === 'string') return shape;
  return shape.points.length <= maxPoints && shape.points.every(isFinitePoint) ? shape : 'unknown';
}
