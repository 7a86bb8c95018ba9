/** What an annotation of any tool is about: the image, and the place on it. */
import type { Size } from '../../../src/image/model/geometry.ts';
import { isObject, listOf, memberOf, textOf } from './json-value.ts';
import type { Measure } from './measure.ts';
import { parseNumber } from './number-text.ts';
import { parseShape, type ShapeFault } from './svg-shape.ts';
import type { Point, Rect } from './view-state.ts';

/** A place on an image: in fractions. */
export type TargetShape =
  | { readonly kind: 'point'; readonly point: Point }
  | { readonly kind: 'rectangle'; readonly rectangle: Rect }
  /** A figure; `rectangle` where it is a polygon that is an upright rectangle. */
  | { readonly kind: 'figure'; readonly measure: Measure; readonly rectangle: Rect | undefined };

/** Why a place is not, or not quite, what the file says. */
export type TargetFault = ShapeFault | 'nowhere';

export interface Target {
  /** The address of the image or canvas; '' where none is said. */
  readonly source: string;
  /** The place as well as it could be read. */
  readonly shape: TargetShape | undefined;
  readonly fault: TargetFault | undefined;
}

const fragmentForm = /xywh=(?:(pixel|percent):)?([^&]*)/;

/** `xywh=` in pixels or percent; a rectangle without extent is a point. */
function parseFragment(text: string, size: Size): TargetShape | undefined {
  const [, unit, list = ''] = fragmentForm.exec(text) ?? [];
  const [x, y, width, height] = list.split(',').map(parseNumber);
  if (x === undefined || y === undefined || width === undefined || height === undefined) return undefined;
  const full = unit === 'percent' ? { width: 100, height: 100 } : size;
  const point = { x: x / full.width, y: y / full.height };
  if (width === 0 && height === 0) return { kind: 'point', point };
  return { kind: 'rectangle', rectangle: { ...point, width: width / full.width, height: height / full.height } };
}

/** The upright rectangle that a polygon is: some tools draw all they have as paths. */
function asRectangle({ kind, points }: Measure): Rect | undefined {
  if (kind !== 'polygon' || points.length !== 4) return undefined;
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const near = (one: number, other: number): boolean => Math.abs(one - other) < 1e-9;
  const isCorner = ({ x, y }: Point): boolean => (near(x, left) || near(x, right)) && (near(y, top) || near(y, bottom));
  // Each side must be upright: four corners in another order would cross.
  const isUpright = points.every((point, at) => {
    const next = points[(at + 1) % points.length] ?? point;
    return near(point.x, next.x) !== near(point.y, next.y);
  });
  return isUpright && points.every(isCorner)
    ? { x: left, y: top, width: right - left, height: bottom - top }
    : undefined;
}

function parseSvg(text: string, size: Size): TargetShape | ShapeFault {
  const shape = parseShape(text);
  if (typeof shape === 'string') return shape;
  const points = shape.points.map(({ x, y }) => ({ x: x / size.width, y: y / size.height }));
  const measure: Measure = { kind: shape.kind, points };
  return { kind: 'figure', measure, rectangle: asRectangle(measure) };
}

/** IIIF's own selector of a point, in pixels. */
function parsePoint(selector: unknown, size: Size): TargetShape | undefined {
  const [x, y] = [memberOf(selector, 'x'), memberOf(selector, 'y')];
  if (typeof x !== 'number' || typeof y !== 'number') return undefined;
  return { kind: 'point', point: { x: x / size.width, y: y / size.height } };
}

const typeOf = (value: unknown): string => textOf(memberOf(value, 'type') ?? memberOf(value, '@type'));

/** Selectors that stand side by side, or as a choice, as in Open Annotation. */
const selectorsOf = (value: unknown): readonly unknown[] =>
  listOf(value).flatMap((selector) =>
    isObject(selector) && ('default' in selector || 'item' in selector)
      ? [...listOf(selector['default']), ...listOf(selector['item'])]
      : [selector],
  );

/** The figure counts before the rectangle around it, which other tools write beside it. */
function parseSelectors(selectors: readonly unknown[], size: Size): Omit<Target, 'source'> {
  const values = selectors.map((selector) => textOf(memberOf(selector, 'value') ?? selector));
  const drawn = values.find((value) => value.includes('<svg') || value.includes('<path'));
  const shape = drawn === undefined ? undefined : parseSvg(drawn, size);
  if (typeof shape === 'object') return { shape: shape, fault: undefined };
  const points = selectors.filter((selector) => typeOf(selector).endsWith('PointSelector'));
  const other = points.map((selector) => parsePoint(selector, size)).find((place) => place !== undefined);
  const place = other ?? values.map((value) => parseFragment(value, size)).find((found) => found !== undefined);
  return { shape: place, fault: shape ?? (place === undefined ? 'nowhere' : undefined) };
}

/** Takes a target apart, in the forms of Web Annotation and of Open Annotation; of several the first counts. */
export function parseTarget(value: unknown, size: Size): Target {
  const [target] = listOf(value);
  const inner = isObject(target) ? (target['source'] ?? target['full'] ?? target['id'] ?? target['@id']) : target;
  const address = textOf(isObject(inner) ? (inner['id'] ?? inner['@id']) : inner);
  const [source = '', fragment = ''] = address.split('#');
  const selectors = [...selectorsOf(memberOf(target, 'selector')), ...(fragment === '' ? [] : [fragment])];
  return { source, ...parseSelectors(selectors, size) };
}
