/**
 * A light table as an `AnnotationCollection` (W3C Web Annotation, IIIF Presentation 3, section 5.8): a canvas in tenths of a
 * millimeter, on which annotations paint images and comment.
 */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { isFiniteNumber, isObject, listOf, memberOf, textOf } from '../json-value.ts';
import { idOf, itemsOf, typeOf } from '../manifest/members.ts';
import { cosineAndSine } from '../view/geometry.ts';
import type { Rect } from '../view-state.ts';
import { noteStyle } from './arrangement.ts';
import {
  boundsOf,
  emptyTable,
  type LightTable,
  maxItems,
  type Place,
  type RatioOf,
  type TableImage,
  type TableItem,
  tidied,
} from './table.ts';
import { maxNote } from './table-query.ts';

/** How the image of a path is named to the world. */
export interface NamedImage {
  readonly label: string;
  /** The address of its IIIF image service; undefined for pictures without one. */
  readonly service: string | undefined;
  readonly canvas: string;
  readonly manifest: string;
  readonly size: Size;
}

interface Naming {
  /** The address of the collection. */
  readonly id: string;
  readonly label: string;
  readonly ratioOf: RatioOf;
  /** Undefined for images of which nothing is known, which are left out. */
  readonly imageOf: (path: string) => NamedImage | undefined;
}

/** Units of the canvas per mm. */
const units = 10;

/** Around what lies on the table, in mm. */
const margin = 10;

const contexts = ['http://www.w3.org/ns/anno.jsonld', 'http://iiif.io/api/presentation/3/context.json'];
const fragmentSyntax = 'http://www.w3.org/TR/media-frags/';

/** IIIF Physical Dimension Service 1.0. */
const physicalService = {
  '@context': 'http://iiif.io/api/annex/services/physdim/1/context.json',
  profile: 'http://iiif.io/api/annex/services/physdim',
  physicalScale: 1 / units,
  physicalUnits: 'mm',
};

const wholeRegion: Rect = { x: 0, y: 0, width: 1, height: 1 };

/** The region in whole pixels, as addresses of the Image API have it. */
function pixelRegion(region: Rect | null, { width, height }: Size): string {
  if (region === null) return 'full';
  const [x, y] = [Math.round(region.x * width), Math.round(region.y * height)];
  const right = Math.max(x + 1, Math.round((region.x + region.width) * width));
  const bottom = Math.max(y + 1, Math.round((region.y + region.height) * height));
  return [x, y, right - x, bottom - y].join(',');
}

function paintedBody({ region, rotation }: TableImage, image: NamedImage): object {
  const part = pixelRegion(region, image.size);
  const source = {
    id: image.service === undefined ? image.canvas : `${image.service}/full/max/0/default.jpg`,
    type: image.service === undefined ? 'Canvas' : 'Image',
    ...image.size,
    label: { none: [image.label] },
    ...(image.service !== undefined && {
      format: 'image/jpeg',
      service: [{ id: image.service, type: 'ImageService3', profile: 'level2' }],
    }),
    partOf: [{ id: image.canvas, type: 'Canvas', partOf: [{ id: image.manifest, type: 'Manifest' }] }],
  };
  const selector = { type: 'ImageApiSelector', region: part, rotation: String(rotation) };
  return { type: 'SpecificResource', source, selector };
}

const noteBody = (text: string): object => ({
  type: 'TextualBody',
  value: text,
  format: 'text/plain',
  purpose: 'commenting',
});

/** The collection with its one page; `parseTableAnnotations` reads it back. */
export function formatTableAnnotations({ items }: LightTable, { id, label, ratioOf, imageOf }: Naming): object {
  const known = items.filter((item) => item.kind === 'note' || imageOf(item.path) !== undefined);
  const bounds = boundsOf(known, ratioOf) ?? { x: 0, y: 0, width: 0, height: 0 };
  const origin = { x: bounds.x - margin, y: bounds.y - margin };
  const canvas = {
    id: `${id}#canvas`,
    type: 'Canvas',
    width: Math.ceil((bounds.width + 2 * margin) * units),
    height: Math.ceil((bounds.height + 2 * margin) * units),
    service: [physicalService],
  };
  const idOfItem = ({ key }: TableItem): string => `${id}#item-${key}`;
  const target = (item: TableItem): object => {
    const box = boundsOf([item], ratioOf) ?? bounds;
    const numbers = [box.x - origin.x, box.y - origin.y, box.width, box.height].map((one) => Math.round(one * units));
    const selector = { type: 'FragmentSelector', conformsTo: fragmentSyntax, value: `xywh=${numbers.join(',')}` };
    return { type: 'SpecificResource', source: canvas, selector };
  };
  const annotation = (item: TableItem): readonly object[] => {
    const said = { id: idOfItem(item), type: 'Annotation', target: target(item) };
    if (item.kind === 'note') return [{ ...said, motivation: 'commenting', body: [noteBody(item.text)] }];
    const image = imageOf(item.path);
    return image === undefined ? [] : [{ ...said, motivation: 'painting', body: paintedBody(item, image) }];
  };
  const groups = [...new Set(known.map(({ group }) => group))].filter((group) => group !== 0);
  const linked = groups.map((group) => ({
    id: `${id}#group-${group}`,
    type: 'Annotation',
    motivation: 'linking',
    target: known.filter((item) => item.group === group).map(idOfItem),
  }));
  const annotations = [...known.flatMap(annotation), ...linked];
  return {
    '@context': contexts,
    id,
    type: 'AnnotationCollection',
    label: { none: [label] },
    total: annotations.length,
    first: {
      id: `${id}#page`,
      type: 'AnnotationPage',
      partOf: { id, type: 'AnnotationCollection' },
      startIndex: 0,
      items: annotations,
    },
  };
}

/** What an annotation paints: a region of the image of a service, or of a canvas of a manifest. */
export interface PaintedSource {
  readonly service: string;
  readonly canvas: string;
  readonly manifest: string;
}

const numbersIn = (text: string): readonly number[] => text.split(',').map(Number);

/** The box of a target on its canvas, in mm. */
function boxOfTarget(annotation: unknown): Rect | undefined {
  const target = listOf(memberOf(annotation, 'target'))[0];
  const selector = listOf(memberOf(target, 'selector'))[0];
  const written = textOf(memberOf(selector, 'value')) || textOf(target);
  const [, numbers = ''] = /xywh=(?:pixel:)?([\d.,-]+)/.exec(written) ?? [];
  const [x = 0, y = 0, width = 0, height = 0] = numbersIn(numbers).map((one) => one / units);
  return width > 0 && height > 0 ? { x, y, width, height } : undefined;
}

function regionOf(selector: unknown, { width, height }: Size): Rect | null {
  const text = textOf(memberOf(selector, 'region'));
  const [x = 0, y = 0, w = 0, h = 0] = numbersIn(text);
  if (text === 'full' || !(w > 0 && h > 0)) return null;
  return { x: x / width, y: y / height, width: w / width, height: h / height };
}

/** The width of what is turned, from the box around it and its own ratio of height to width. */
function widthInBox(box: Rect, ratio: number, rotation: number): number {
  const [cosine, sine] = cosineAndSine(rotation);
  return box.width / (Math.abs(cosine) + ratio * Math.abs(sine));
}

const placeIn = (box: Rect, ratio: number, rotation: number, group: number): Place =>
  tidied({
    x: box.x + box.width / 2,
    y: box.y + box.height / 2,
    width: widthInBox(box, ratio, rotation),
    rotation,
    group,
  });

const sizeOf = (source: unknown): Size | undefined => {
  const [width, height] = [memberOf(source, 'width'), memberOf(source, 'height')];
  return isFiniteNumber(width) && isFiniteNumber(height) && width > 0 && height > 0 ? { width, height } : undefined;
};

function namedIn(source: unknown): PaintedSource {
  const canvas = itemsOf(memberOf(source, 'partOf'), 5).find((one) => typeOf(one) === 'Canvas');
  const manifest = itemsOf(memberOf(canvas, 'partOf'), 5)[0];
  return { service: idOf(listOf(memberOf(source, 'service'))[0]), canvas: idOf(canvas), manifest: idOf(manifest) };
}

type PathOf = (source: PaintedSource) => string | undefined;

function imageIn(annotation: unknown, key: number, group: number, pathOf: PathOf): TableImage | undefined {
  const body = listOf(memberOf(annotation, 'body'))[0];
  const [source, selector] = [memberOf(body, 'source'), memberOf(body, 'selector')];
  const [size, box, path] = [sizeOf(source), boxOfTarget(annotation), pathOf(namedIn(source))];
  if (size === undefined || box === undefined || path === undefined) return undefined;
  const region = regionOf(selector, size);
  const rotation = Number(textOf(memberOf(selector, 'rotation'))) || 0;
  const part = region ?? wholeRegion;
  const ratio = (part.height * size.height) / (part.width * size.width);
  return { kind: 'image', key, path, region, ...placeIn(box, ratio, rotation, group) };
}

function noteIn(annotation: unknown, key: number, group: number): TableItem | undefined {
  const box = boxOfTarget(annotation);
  const text = textOf(memberOf(listOf(memberOf(annotation, 'body'))[0], 'value')).slice(0, maxNote);
  if (box === undefined) return undefined;
  const place = { x: box.x + box.width / 2, y: box.y + box.height / 2, width: box.width || noteStyle.width };
  return { kind: 'note', key, text, ...tidied({ ...place, rotation: 0, group }) };
}

/** The annotations of a collection with its first page inside of it, or of a page. */
const annotationsIn = (json: unknown): readonly unknown[] =>
  listOf(memberOf(isObject(memberOf(json, 'first')) ? memberOf(json, 'first') : json, 'items')).slice(0, 3 * maxItems);

/** The table that a collection of annotations describes; undefined where it is none. Notes lie upright. */
export function parseTableAnnotations(json: unknown, pathOf: PathOf): LightTable | undefined {
  if (!['AnnotationCollection', 'AnnotationPage'].includes(typeOf(json))) return undefined;
  const all = annotationsIn(json);
  const groups = new Map<string, number>();
  const links = all.filter((one) => memberOf(one, 'motivation') === 'linking').slice(0, maxItems);
  links.forEach((link, at) => {
    for (const target of itemsOf(memberOf(link, 'target'), maxItems)) groups.set(idOf(target), at + 1);
  });
  const items: TableItem[] = [];
  for (const annotation of all) {
    const [key, group] = [items.length + 1, groups.get(idOf(annotation)) ?? 0];
    const isPainting = memberOf(annotation, 'motivation') === 'painting';
    const isComment = memberOf(annotation, 'motivation') === 'commenting';
    const item = isPainting
      ? imageIn(annotation, key, group, pathOf)
      : isComment
        ? noteIn(annotation, key, group)
        : undefined;
    if (item !== undefined && items.length < maxItems) items.push(item);
  }
  return items.length === 0 ? undefined : { ...emptyTable, items };
}
