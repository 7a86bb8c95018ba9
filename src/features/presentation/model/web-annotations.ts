/** Reads annotations of Web Annotation and of Open Annotation, which Presentation 2 uses, as Web Annotations of one canvas. */
import { outward, type Rect, type Size } from '../../../core/image/model/geometry.ts';
import { overlap } from '../../../core/image/model/redaction.ts';
import { georeferencing, inPixelsOf, scaledBody } from './georeferences.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** An annotation without what it is about, which is one canvas. */
export interface CanvasAnnotation {
  /** Empty where it has none. */
  readonly id: string;
  /** Without prefixes: `commenting`, `tagging`. */
  readonly motivation: readonly string[];
  readonly bodies: readonly JsonObject[];
  /** Selectors of Web Annotation that select the same part; empty for the whole canvas. */
  readonly selectors: readonly JsonObject[];
  /** Its other members of Web Annotation, such as `creator` and `created`. */
  readonly more: JsonObject;
}

/** Bounds on what is read of a file: more than people write about a page. */
const limits = { annotations: 20_000, depth: 8, list: 200 };

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.slice(0, limits.list) : value === undefined || value === null ? [] : [value];

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const typesOf = (value: unknown): readonly string[] =>
  listOf(memberOf(value, 'type') ?? memberOf(value, '@type')).map((type) => textOf(type).replace(/^\w+:/, ''));

/** The annotations of a page, a collection, a list of Open Annotation, an array, or a single one. */
function itemsOf(value: unknown, depth = 0): readonly JsonObject[] {
  if (depth > limits.depth) return [];
  if (Array.isArray(value)) return value.slice(0, limits.annotations).flatMap((item) => itemsOf(item, depth + 1));
  if (!isObject(value)) return [];
  if ('target' in value || 'on' in value) return [value];
  const inner = ['items', 'resources', 'annotations', 'first'].find((name) => value[name] !== undefined);
  return inner === undefined ? [] : itemsOf(Array.isArray(value[inner]) ? value[inner] : [value[inner]], depth + 1);
}

/** A body of Open Annotation in the terms of Web Annotation; one of these as it is. */
function bodyOf(body: unknown): readonly JsonObject[] {
  if (typeof body === 'string') return [{ id: body }];
  if (!isObject(body)) return [];
  const { '@type': type, '@id': id, chars, ...rest } = body;
  if (type === undefined && id === undefined && chars === undefined) return [body];
  const named = typeof id === 'string' ? { id } : {};
  if (chars === undefined)
    return [{ ...named, ...(typeof type === 'string' ? { type: type.replace(/^\w+:/, '') } : {}), ...rest }];
  const purpose = typesOf(body).includes('Tag') ? { purpose: 'tagging' } : {};
  return [{ ...named, type: 'TextualBody', value: chars, ...rest, ...purpose }];
}

function bodiesOf(annotation: JsonObject): readonly JsonObject[] {
  const value = annotation['bodyValue'];
  const short = typeof value === 'string' ? [{ type: 'TextualBody', value, format: 'text/plain' }] : [];
  return [...listOf(annotation['body'] ?? annotation['resource']).flatMap(bodyOf), ...short];
}

const fragmentForm = /xywh=(?:(pixel|percent):)?([\d.]+),([\d.]+),([\d.]+),([\d.]+)/;

const rounded = (value: number): number => Math.round(value * 1000) / 1000;

/** A fragment in units of the canvas without naming them, which all viewers read; undefined where it names no part. */
export function fragmentSelector(text: string, { width, height }: Size): JsonObject | undefined {
  const [, unit, ...numbers] = fragmentForm.exec(text) ?? [];
  if (numbers.length !== 4) return undefined;
  const full = unit === 'percent' ? [width / 100, height / 100] : [1, 1];
  const box = numbers.map((number, at) => rounded(Number(number) * (full[at % 2] ?? 1)));
  if (!box.every(Number.isFinite)) return undefined;
  return { type: 'FragmentSelector', conformsTo: 'http://www.w3.org/TR/media-frags/', value: `xywh=${box.join(',')}` };
}

function selectorOf(selector: unknown, size: Size): readonly JsonObject[] {
  if (!isObject(selector)) return [];
  const [type = ''] = typesOf(selector);
  if (type === 'Choice')
    return [...listOf(selector['item']), ...listOf(selector['default'])].flatMap((one) => selectorOf(one, size));
  const value = textOf(selector['value'] ?? selector['chars']);
  if (type === 'FragmentSelector' || fragmentForm.test(value)) return [fragmentSelector(value, size) ?? []].flat();
  if (type === 'SvgSelector' || value.includes('<svg')) return value === '' ? [] : [{ type: 'SvgSelector', value }];
  const { '@type': _, ...rest } = selector;
  return type === '' ? [] : [{ ...rest, type }];
}

/** The selectors of the first target: those of a specific resource, and what stands behind the `#` of its address. */
function selectorsOf(annotation: JsonObject, size: Size): readonly JsonObject[] {
  const [target] = listOf(annotation['target'] ?? annotation['on']);
  const source =
    memberOf(target, 'source') ??
    memberOf(target, 'full') ??
    memberOf(target, 'id') ??
    memberOf(target, '@id') ??
    target;
  const address = textOf(memberOf(source, 'id') ?? memberOf(source, '@id') ?? source);
  const behind = fragmentSelector(address.split('#')[1] ?? '', size);
  return [...listOf(memberOf(target, 'selector')).flatMap((one) => selectorOf(one, size)), ...(behind ? [behind] : [])];
}

/** Members that are read, and those that belong to a document alone. */
const readMembers: ReadonlySet<string> = new Set([
  '@context',
  '@id',
  '@type',
  'id',
  'type',
  'motivation',
  'body',
  'bodyValue',
  'resource',
  'target',
  'on',
]);

function annotationOf(annotation: JsonObject, size: Size): CanvasAnnotation | undefined {
  const motivation = listOf(annotation['motivation'])
    .map((one) => textOf(one).replace(/^\w+:/, ''))
    .filter((one) => one !== '');
  if (motivation.includes('painting')) return undefined;
  const parts = { bodies: bodiesOf(annotation), selectors: selectorsOf(annotation, size) };
  const [target] = listOf(annotation['target']);
  return {
    id: textOf(annotation['id'] ?? annotation['@id']),
    motivation,
    ...(motivation.includes(georeferencing) ? inPixelsOf(size, target, parts) : parts),
    more: Object.fromEntries(Object.entries(annotation).filter(([name]) => !readMembers.has(name))),
  };
}

/** The part of a canvas that a selector selects; undefined for one of another kind. */
function partOf(selector: JsonObject): Rect | undefined {
  const [found, , x = 0, y = 0, width = 0, height = 0] = (
    (selector['type'] === 'FragmentSelector' && fragmentForm.exec(textOf(selector['value']))) ||
    []
  ).map(Number);
  return found === undefined ? undefined : { x, y, width, height };
}

/** Those annotations that are about parts outside of some rectangles: others may tell what is there. */
export const outsideOf = (
  annotations: readonly CanvasAnnotation[],
  rects: readonly Rect[],
): readonly CanvasAnnotation[] =>
  rects.length === 0
    ? annotations
    : annotations.filter(({ selectors }) => {
        const parts = selectors.flatMap((selector) => partOf(selector) ?? []);
        return parts.length > 0 && !parts.some((part) => rects.some((rect) => overlap(rect, outward(part))));
      });

/** A selector of a part in pixels of `from`, on the same image with those of `to`; undefined for one of another kind. */
function reducedSelector(selector: JsonObject, from: Size, to: Size): JsonObject | undefined {
  if (selector['type'] !== 'FragmentSelector') return undefined;
  const [, , x = 0, y = 0, width = 0, height = 0] = (fragmentForm.exec(textOf(selector['value'])) ?? []).map(Number);
  const [across, down] = [to.width / from.width, to.height / from.height];
  const box = [x * across, y * down, width * across, height * down].map(rounded);
  return { ...selector, value: `xywh=${box.join(',')}` };
}

/**
 * Annotations of an image on a reduced one. Those whose part has another form than a rectangle are about the whole: its numbers
 * would tell the size of the image.
 */
export function onReduced(annotations: readonly CanvasAnnotation[], from: Size, to: Size): readonly CanvasAnnotation[] {
  if (from.width === to.width && from.height === to.height) return annotations;
  return annotations.map((annotation) => ({
    ...annotation,
    bodies: annotation.bodies.map((body) => scaledBody(body, from, to)),
    selectors: annotation.selectors.flatMap((selector): readonly JsonObject[] => {
      const reduced = reducedSelector(selector, from, to);
      return reduced === undefined ? [] : [reduced];
    }),
  }));
}

/**
 * The annotations in parsed JSON of any of these forms, about a canvas of `size`, whatever their targets name. What has another
 * shape is left out; so are annotations that repeat an id, and those that paint pictures.
 */
export function* canvasAnnotations(json: unknown, size: Size): Generator<CanvasAnnotation> {
  const known = new Set<string>();
  for (const item of itemsOf(json).slice(0, limits.annotations)) {
    const annotation = annotationOf(item, size);
    if (annotation === undefined || known.has(annotation.id)) continue;
    if (annotation.id !== '') known.add(annotation.id);
    yield annotation;
  }
}
