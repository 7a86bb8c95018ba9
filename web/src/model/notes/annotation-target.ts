/**
 * Targets of annotations: the image and the shape on it, in Web Annotation and Open Annotation, and whether it is an image of
 * the library.
 */

import { keyOfPage } from '../../../../src/core/image/addresses/iiif-addresses.ts';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { splitPage } from '../../../../src/core/image/model/identifier.ts';
import { parseNumber } from '../address/address-text.ts';
import { isObject, listOf, memberOf, textOf } from '../json-value.ts';
import { sizeOf } from '../manifest/page-image.ts';
import type { Measure } from '../measure/measure.ts';
import { boxAround, boxInFractions, inFractions } from '../view/geometry.ts';
import type { Point, Rect } from '../view-state.ts';
import { parseShape, regionKind, type ShapeFault } from './svg-shape.ts';

interface Colored {
  /** As CSS writes colors. */
  readonly color?: string;
}

/** A shape on a canvas or an image, in fractions of it. */
export type TargetShape = Colored &
  (
    | { readonly kind: 'point'; readonly point: Point }
    | { readonly kind: 'rectangle'; readonly rectangle: Rect }
    | {
        readonly kind: 'figure';
        readonly measure: Measure;
        /** Defined if the figure is a polygon with the corners of an upright rectangle, and no measurement. */
        readonly rectangle: Rect | undefined;
        /** Whether the drawing itself says which kind of figure it is. */
        readonly isNamed: boolean;
      }
  );

/** Why the shape could not be read, or only approximately. */
export type TargetFault = ShapeFault | 'nowhere';

export interface Target {
  /** The address of the image or canvas; '' if there is none. */
  readonly source: string;
  readonly shape: TargetShape | undefined;
  readonly fault: TargetFault | undefined;
}

export interface TargetAddress {
  /** The address of the image or canvas; '' if there is none. */
  readonly source: string;
  /** Behind its `#`. */
  readonly fragment: string;
  /** The image on the canvas, by its service or its picture; '' where the annotation names none. */
  readonly image: string;
  /** Of the canvas or image, where the annotation says. */
  readonly size: Size | undefined;
}

const fragmentForm = /xywh=(?:(pixel|percent):)?([^&]*)/;

/** Parses `xywh=` in pixels or percent; a rectangle without extent is a point. */
function parseFragment(text: string, size: Size): TargetShape | undefined {
  const [, unit, list = ''] = fragmentForm.exec(text) ?? [];
  const [x, y, width, height] = list.split(',').map(parseNumber);
  if (x === undefined || y === undefined || width === undefined || height === undefined) return undefined;
  const full = unit === 'percent' ? { width: 100, height: 100 } : size;
  if (width === 0 && height === 0) return { kind: 'point', point: inFractions({ x, y }, full) };
  return { kind: 'rectangle', rectangle: boxInFractions({ x, y, width, height }, full) };
}

/** The upright rectangle with the same corners; some programs write rectangles as paths. */
function asRectangle({ kind, points }: Measure): Rect | undefined {
  if (kind !== 'polygon' || points.length !== 4) return undefined;
  const box = boxAround(points);
  if (box === undefined) return undefined;
  const { x: left, y: top } = box;
  const [right, bottom] = [left + box.width, top + box.height];
  const near = (one: number, other: number): boolean => Math.abs(one - other) < 1e-9;
  const isCorner = ({ x, y }: Point): boolean => (near(x, left) || near(x, right)) && (near(y, top) || near(y, bottom));
  // In another order of the corners, sides would cross.
  const isUpright = points.every((point, at) => {
    const next = points[(at + 1) % points.length] ?? point;
    return near(point.x, next.x) !== near(point.y, next.y);
  });
  return isUpright && points.every(isCorner) ? box : undefined;
}

const coloredBy = (color: string | undefined): Colored => (color === undefined ? {} : { color });

function parseSvg(text: string, size: Size): TargetShape | ShapeFault {
  const shape = parseShape(text);
  if (typeof shape === 'string') return shape;
  const color = coloredBy(shape.color);
  if (shape.kind === 'point') return { kind: 'point', point: inFractions(shape.point, size), ...color };
  const measure: Measure = { kind: shape.kind, points: shape.points.map((point) => inFractions(point, size)) };
  const [, kind] = /\sdata-kind="(\w+)"/.exec(text) ?? [];
  const rectangle = kind === undefined || kind === regionKind ? asRectangle(measure) : undefined;
  return { kind: 'figure', measure, rectangle, isNamed: kind !== undefined, ...color };
}

/** Parses IIIF's `PointSelector`, in pixels. */
function parsePoint(selector: unknown, size: Size): TargetShape | undefined {
  const [x, y] = [memberOf(selector, 'x'), memberOf(selector, 'y')];
  if (typeof x !== 'number' || typeof y !== 'number') return undefined;
  return { kind: 'point', point: inFractions({ x, y }, size) };
}

const typeOf = (value: unknown): string => textOf(memberOf(value, 'type') ?? memberOf(value, '@type'));

/** The selectors of a list, with those of a choice of Open Annotation. */
const selectorsOf = (value: unknown): readonly unknown[] =>
  listOf(value).flatMap((selector) =>
    isObject(selector) && ('default' in selector || 'item' in selector)
      ? [...listOf(selector['default']), ...listOf(selector['item'])]
      : [selector],
  );

/** The region of a selector of the Image API as a fragment: in percent where it says in which size of the image it counts. */
function imageRegion(selector: unknown): string {
  const region = textOf(memberOf(selector, 'region'));
  if (region.startsWith('pct:')) return `xywh=percent:${region.slice(4)}`;
  const [width = Number.NaN, height = Number.NaN] = textOf(memberOf(selector, 'size')).split(',').map(Number);
  if (!(width > 0 && height > 0)) return `xywh=${region}`;
  const percents = region.split(',').map((value, at) => (100 * Number(value)) / (at % 2 === 0 ? width : height));
  return `xywh=percent:${percents.join(',')}`;
}

/** An SVG selector takes precedence over the rectangle around it, which other programs add. */
function parseSelectors(selectors: readonly unknown[], size: Size): Pick<Target, 'shape' | 'fault'> {
  const values = selectors.map((selector) =>
    typeOf(selector).endsWith('ImageApiSelector')
      ? imageRegion(selector)
      : textOf(memberOf(selector, 'value') ?? selector),
  );
  const drawn = values.find((value) => value.includes('<svg') || value.includes('<path'));
  const shape = drawn === undefined ? undefined : parseSvg(drawn, size);
  if (typeof shape === 'object') return { shape: shape, fault: undefined };
  const points = selectors.filter((selector) => typeOf(selector).endsWith('PointSelector'));
  const point = points.map((selector) => parsePoint(selector, size)).find((found) => found !== undefined);
  const parsed = point ?? values.map((value) => parseFragment(value, size)).find((found) => found !== undefined);
  return { shape: parsed, fault: shape ?? (parsed === undefined ? 'nowhere' : undefined) };
}

/** The address of the image that the thumbnail of a canvas shows: of its service, else its own. */
function imageOn(canvas: unknown): string {
  const [thumbnail] = listOf(memberOf(canvas, 'thumbnail'));
  const [service] = listOf(memberOf(thumbnail, 'service'));
  const idIn = (value: unknown): string => textOf(memberOf(value, 'id') ?? memberOf(value, '@id'));
  return idIn(service) || idIn(thumbnail);
}

/** What a target of Web Annotation or Open Annotation is about, without its shape. */
export function addressIn(target: unknown): TargetAddress {
  const inner = isObject(target) ? (target['source'] ?? target['full'] ?? target['id'] ?? target['@id']) : target;
  const address = textOf(isObject(inner) ? (inner['id'] ?? inner['@id']) : inner);
  const [source = '', fragment = ''] = address.split('#');
  return { source, fragment, image: imageOn(inner), size: sizeOf(inner) };
}

/** Parses one target. `size` is that of the canvas or the image, in its units. */
export function parseTarget(target: unknown, size: Size): Target {
  const { source, fragment } = addressIn(target);
  const selectors = [...selectorsOf(memberOf(target, 'selector')), ...(fragment === '' ? [] : [fragment])];
  return { source, ...parseSelectors(selectors, size) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether `part` stands in an address between the marks that separate names. */
function isIn(address: string, part: string): boolean {
  const at = address.indexOf(part);
  const before = address[at - 1] ?? '/';
  const behind = address[at + part.length] ?? '/';
  return at >= 0 && /[/=]/.test(before) && /[/?#&]/.test(behind);
}

/** The end of a canvas's address in manifests of this library. */
function canvasPath(path: string): string {
  const { file, page } = splitPage(path);
  const names = file.split('/');
  return [...names.slice(0, -1), 'canvas', keyOfPage(names.at(-1) ?? '', page)].join('/');
}

/**
 * Whether an address is of the image at a path, on any host: its IIIF service (with `slash` for `/`), its canvas in
 * the manifest of the folder, or its page in the reading room. An empty address stands for any image.
 */
export function isAddressOf(address: string, path: string, slash: string): boolean {
  if (address === '') return true;
  const names = decoded(address).replaceAll(slash, '/');
  const plain = path.replaceAll(slash, '/');
  // Earlier exports named canvases by the file itself.
  return isIn(names.replace('/canvas/', '/'), plain) || isIn(names, canvasPath(plain));
}
