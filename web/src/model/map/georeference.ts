/** Georeference annotations (IIIF Georeference Extension 1): read of files and manifests, and written. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { isFiniteNumber, listOf, memberOf, textOf } from '../json-value.ts';
import { itemsOf } from '../notes/annotation-reader.ts';
import { type Point, type Rect, wholeImage } from '../view-state.ts';
import { isGeoreference } from './named-georeferences.ts';
import { type ControlPoint, mostPoints, type TransformationKind } from './transformations.ts';

/** A map that an image has, or one of several. */
export interface GeoMap {
  readonly points: readonly ControlPoint[];
  readonly kind: TransformationKind;
  /** The outline of the map on the image, in pixels of it; undefined for the whole image. */
  readonly mask: readonly Point[] | undefined;
}

/** What the targets of annotations are measured by. */
export interface GeoFrame {
  /** Pixels of the image. */
  readonly image: Size;
  /** The canvas with the place of the image on it, in fractions of it; undefined for a canvas that is the image. */
  readonly canvas: { readonly size: Size; readonly place: Rect } | undefined;
  /** The ids of the canvas and the image service; annotations of others are left out, but where it is empty. */
  readonly ids: readonly string[];
}

/** More maps than a sheet has. */
const mostMaps = 60;

const mostCorners = 2000;

const numbersOf = (value: unknown): readonly number[] => listOf(value).filter(isFiniteNumber);

function pointOf(feature: unknown): ControlPoint | undefined {
  const properties = memberOf(feature, 'properties');
  const [x, y] = numbersOf(memberOf(properties, 'resourceCoords') ?? memberOf(properties, 'pixelCoords'));
  const [lon, lat] = numbersOf(memberOf(memberOf(feature, 'geometry'), 'coordinates'));
  if (x === undefined || y === undefined || lon === undefined || lat === undefined) return undefined;
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 540 ? { x, y, lon, lat } : undefined;
}

/** The transformation that an annotation asks for; the plainest one where it names none, or one that is not known here. */
function kindOf(transformation: unknown): TransformationKind {
  const type = textOf(memberOf(transformation, 'type'));
  if (type === 'thinPlateSpline' || type === 'helmert') return type;
  const order = memberOf(memberOf(transformation, 'options'), 'order');
  return type === 'polynomial' && (order === 2 || order === 3) ? `polynomial${order}` : 'polynomial1';
}

/** The corners of the polygon of an SvgSelector, which is the only shape that the extension asks for (section 3.2). */
function maskOf(selectors: unknown): readonly Point[] | undefined {
  for (const selector of listOf(selectors)) {
    const [, text = ''] =
      /<polygon\b[^>]*?\spoints\s*=\s*["']([^"']*)["']/i.exec(textOf(memberOf(selector, 'value'))) ?? [];
    const numbers = (text.match(/-?[\d.]+(?:e-?\d+)?/gi) ?? []).slice(0, 2 * mostCorners).map(Number);
    const corners = numbers.flatMap((x, index): Point[] => {
      const y = numbers[index + 1];
      return index % 2 === 0 && y !== undefined && Number.isFinite(x + y) ? [{ x, y }] : [];
    });
    if (corners.length >= 3) return corners;
  }
  return undefined;
}

interface Source {
  readonly id: string;
  readonly isCanvas: boolean;
  /** What coordinates are measured in, where the annotation says. */
  readonly size: Size | undefined;
}

function sourceOf(target: unknown): Source {
  const source = memberOf(target, 'source') ?? target;
  const id = textOf(memberOf(source, 'id') ?? memberOf(source, '@id') ?? source).split('#')[0] ?? '';
  const [width, height] = [memberOf(source, 'width'), memberOf(source, 'height')];
  const type = textOf(memberOf(source, 'type'));
  const isSized = isFiniteNumber(width) && isFiniteNumber(height) && width > 0 && height > 0;
  return { id, isCanvas: !/Image/.test(type), size: isSized ? { width, height } : undefined };
}

const bare = (id: string): string => id.replace(/^https?:/i, '').replace(/\/(?:info\.json)?$/, '');

/** From the coordinates of a source to pixels of the image. */
function toPixels({ isCanvas, size }: Source, { image, canvas }: GeoFrame): (point: Point) => Point {
  const place = isCanvas ? (canvas?.place ?? wholeImage) : wholeImage;
  const own = size ?? (isCanvas ? (canvas?.size ?? image) : image);
  return ({ x, y }) => ({
    x: ((x / own.width - place.x) / place.width) * image.width,
    y: ((y / own.height - place.y) / place.height) * image.height,
  });
}

function mapOf(annotation: unknown, frame: GeoFrame): GeoMap | undefined {
  const [target] = listOf(memberOf(annotation, 'target'));
  const source = sourceOf(target);
  const ids = frame.ids.map(bare);
  if (ids.length > 0 && source.id !== '' && !ids.includes(bare(source.id))) return undefined;
  const [body] = listOf(memberOf(annotation, 'body'));
  const onImage = toPixels(source, frame);
  const points = listOf(memberOf(body, 'features'))
    .slice(0, mostPoints)
    .flatMap((feature) => pointOf(feature) ?? []);
  if (points.length === 0) return undefined;
  return {
    points: points.map((point) => ({ ...point, ...onImage(point) })),
    kind: kindOf(memberOf(body, 'transformation')),
    mask: maskOf(memberOf(target, 'selector'))?.map(onImage),
  };
}

/** The maps that an annotation page, a collection, a list or a single annotation has of an image. */
export const readGeoreferences = (json: unknown, frame: GeoFrame): readonly GeoMap[] =>
  itemsOf(json)
    .filter(isGeoreference)
    .slice(0, mostMaps)
    .flatMap((annotation) => mapOf(annotation, frame) ?? []);

/** What a written annotation is about. */
export interface GeoTarget {
  readonly canvas: string;
  readonly manifest: string | undefined;
  /** The canvas in its units, and the place of the image on it. */
  readonly size: Size;
  readonly place: Rect;
  readonly image: Size;
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits)) + 0;

const transformationOf = (kind: TransformationKind): object =>
  kind.startsWith('polynomial') ? { type: 'polynomial', options: { order: Number(kind.slice(-1)) } } : { type: kind };

export const cornersOfImage = ({ width, height }: Size): readonly Point[] => [
  { x: 0, y: 0 },
  { x: width, y: 0 },
  { x: width, y: height },
  { x: 0, y: height },
];

/** The page of one annotation with the control points of a map; `readGeoreferences` reads it back. */
export function formatGeoreference({ points, kind, mask }: GeoMap, target: GeoTarget): object {
  const { canvas, manifest, size, place, image } = target;
  const onCanvas = ({ x, y }: Point): readonly [number, number] => [
    rounded((place.x + (x / image.width) * place.width) * size.width, 2),
    rounded((place.y + (y / image.height) * place.height) * size.height, 2),
  ];
  const outline = (mask ?? cornersOfImage(image)).map((corner) => onCanvas(corner).join(',')).join(' ');
  const value = `<svg width="${size.width}" height="${size.height}"><polygon points="${outline}"/></svg>`;
  const partOf = manifest === undefined ? {} : { partOf: [{ id: manifest, type: 'Manifest' }] };
  return {
    '@context': [
      'http://iiif.io/api/extension/georef/1/context.json',
      'http://iiif.io/api/presentation/3/context.json',
    ],
    id: `${canvas}#georeferences`,
    type: 'AnnotationPage',
    items: [
      {
        id: `${canvas}#georeference`,
        type: 'Annotation',
        motivation: 'georeferencing',
        target: {
          type: 'SpecificResource',
          source: { id: canvas, type: 'Canvas', ...size, ...partOf },
          selector: { type: 'SvgSelector', value },
        },
        body: {
          id: `${canvas}#control-points`,
          type: 'FeatureCollection',
          transformation: transformationOf(kind),
          features: points.map((point) => ({
            type: 'Feature',
            properties: { resourceCoords: onCanvas(point) },
            geometry: { type: 'Point', coordinates: [rounded(point.lon, 8), rounded(point.lat, 8)] },
          })),
        },
      },
    ],
  };
}
