/** Georeferences (IIIF Georeference Extension 1): the numbers that belong to an image, on an image of another size. */
import type { Size } from '../../../core/image/model/geometry.ts';

type JsonObject = Readonly<Record<string, unknown>>;

interface Parts {
  readonly bodies: readonly JsonObject[];
  readonly selectors: readonly JsonObject[];
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const georeferencing = 'georeferencing';

export const georeferenceContext = 'http://iiif.io/api/extension/georef/1/context.json';

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

/** Two coordinates on another size; undefined where they are no numbers. */
function scaledPair(value: unknown, by: Size): readonly number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const [x, y]: readonly unknown[] = value;
  if (typeof x !== 'number' || typeof y !== 'number') return undefined;
  return [rounded(x * by.width), rounded(y * by.height)];
}

/** A control point without what else may be said of it: numbers of the whole image may be there. */
function scaledFeature(feature: unknown, by: Size): readonly JsonObject[] {
  const properties = isObject(feature) ? feature['properties'] : undefined;
  const resourceCoords = isObject(properties) ? scaledPair(properties['resourceCoords'], by) : undefined;
  if (!isObject(feature) || resourceCoords === undefined) return [];
  return [{ type: 'Feature', properties: { resourceCoords }, geometry: feature['geometry'] }];
}

/** A collection of control points on an image of another size; any other body as it is. */
export function scaledBody(body: JsonObject, from: Size, to: Size): JsonObject {
  const { features } = body;
  if (body['type'] !== 'FeatureCollection' || !Array.isArray(features)) return body;
  const by = { width: to.width / from.width, height: to.height / from.height };
  return { ...body, features: features.flatMap((feature) => scaledFeature(feature, by)) };
}

const polygon = /<polygon\b[^>]*?\spoints\s*=\s*["']([^"']*)["']/i;

/** The outline of a map on an image of another size; nothing where it is no polygon. */
function scaledOutline(selector: JsonObject, by: Size, size: Size): readonly JsonObject[] {
  const value = selector['value'];
  const [, points] = (typeof value === 'string' && polygon.exec(value)) || [];
  if (points === undefined) return [];
  const numbers = (points.match(/-?[\d.]+/g) ?? []).map((text, at) =>
    rounded(Number(text) * (at % 2 === 0 ? by.width : by.height)),
  );
  const svg = `<svg width="${size.width}" height="${size.height}"><polygon points="${numbers.join(' ')}"/></svg>`;
  return [{ type: 'SvgSelector', value: svg }];
}

/** The size that an annotation says its target has; undefined where it does not. */
function saidSize(target: unknown): Size | undefined {
  const source = isObject(target) ? (target['source'] ?? target) : undefined;
  const { width, height } = isObject(source) ? source : {};
  return typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0
    ? { width, height }
    : undefined;
}

/** What a georeference says, in pixels of an image of `size`, whatever size of it its target names (section 3.1). */
export function inPixelsOf(size: Size, target: unknown, parts: Parts): Parts {
  const said = saidSize(target) ?? size;
  if (said.width === size.width && said.height === size.height) return parts;
  const by = { width: size.width / said.width, height: size.height / said.height };
  return {
    bodies: parts.bodies.map((body) => scaledBody(body, said, size)),
    selectors: parts.selectors.flatMap((selector) => scaledOutline(selector, by, size)),
  };
}
