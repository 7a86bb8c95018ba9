/** The canvases of a manifest as pages: the images that are painted on each, their places on it, and what else it says. */

import type { LanguageMap } from '../../../../src/core/image/folder/folder-metadata.ts';
import type { PageBehavior } from '../../../../src/core/image/folder/page-labels.ts';
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { isFiniteNumber, isObject, memberOf, textOf } from '../json-value.ts';
import { boxInFractions } from '../view/geometry.ts';
import { type Rect, wholeImage } from '../view-state.ts';
import { behaviorsOf, firstOf, idOf, itemsOf, lengthOf, limits, textsOf, typeOf, webAddress } from './members.ts';

export interface ImageService {
  /** Without a slash at its end. */
  readonly id: string;
  /** Of the Image API. */
  readonly version: 1 | 2 | 3;
  /** The compliance level; undefined where the manifest does not say. */
  readonly level: 0 | 1 | 2 | undefined;
  /** Sizes in pixels in which the whole image can be had, where the manifest says. */
  readonly sizes: readonly Size[];
}

export interface PageImage {
  /** The address of the picture itself, where the manifest gives one. */
  readonly address: string | undefined;
  readonly service: ImageService | undefined;
  /** Pixels, where the manifest says; they are not always right. */
  readonly size: Size | undefined;
}

/** An image with its place on the canvas, in fractions of the canvas. */
interface PaintedImage {
  readonly image: PageImage;
  readonly place: Rect;
}

export function sizeOf(value: unknown): Size | undefined {
  const [width, height] = [lengthOf(memberOf(value, 'width')), lengthOf(memberOf(value, 'height'))];
  return width === undefined || height === undefined ? undefined : { width, height };
}

const levelForm = /level-?([012])|#level([012])/i;

const profilesOf = (service: unknown): string => itemsOf(memberOf(service, 'profile')).map(textOf).join(' ');

/** What names the version: the type in version 3, the context or the profile before. */
function versionOf(service: unknown): 1 | 2 | 3 | undefined {
  const [, typed] = /^ImageService([123])$/.exec(typeOf(service)) ?? [];
  const said = `${itemsOf(memberOf(service, '@context')).map(textOf).join(' ')} ${profilesOf(service)}`;
  const [, named] = /image(?:-api)?\/([123])/.exec(said) ?? [];
  const number = Number(typed ?? named ?? (/image-api|api\/image/.test(said) ? 1 : Number.NaN));
  return number === 1 || number === 2 || number === 3 ? number : undefined;
}

function serviceOf(value: unknown): ImageService | undefined {
  const version = versionOf(value);
  const id = webAddress(value)?.replace(/\/(?:info\.json)?$/, '');
  if (version === undefined || id === undefined) return undefined;
  const [, level, old] = levelForm.exec(profilesOf(value)) ?? [];
  const number = level ?? old;
  return {
    id,
    version,
    level: number === undefined ? undefined : (Number(number) as 0 | 1 | 2),
    sizes: itemsOf(memberOf(value, 'sizes'), 40).flatMap((size) => sizeOf(size) ?? []),
  };
}

/** The newest of the image services of a resource. */
const imageServiceOf = (resource: unknown): ImageService | undefined =>
  itemsOf(memberOf(resource, 'service'), 20)
    .flatMap((one) => serviceOf(one) ?? [])
    .toSorted((one, other) => other.version - one.version)
    .at(0);

/** The image behind choices and specific resources: of a choice the one that is shown first. */
function resourceOf(body: unknown, depth = 0): unknown {
  if (depth > 4) return undefined;
  const [first] = itemsOf(body, 1);
  if (typeOf(first) === 'Choice') return resourceOf(firstOf(first, 'items', 'default', 'item'), depth + 1);
  if (typeOf(first) === 'SpecificResource') return resourceOf(firstOf(first, 'source', 'full'), depth + 1);
  return first;
}

const isPicture = (resource: unknown): boolean =>
  ['Image', ''].includes(typeOf(resource)) || /^image\//.test(textOf(memberOf(resource, 'format')));

function imageOf(body: unknown): PageImage | undefined {
  const resource = resourceOf(body);
  const [address, service] = [webAddress(resource), imageServiceOf(resource)];
  if (!isPicture(resource) || (address === undefined && service === undefined)) return undefined;
  return { address, service, size: sizeOf(resource) };
}

const placeForm = /xywh=(?:(pixel|percent):)?([\d.]+),([\d.]+),([\d.]+),([\d.]+)/;

/** The place on the canvas that a fragment names, in fractions; the whole for none. */
export function placeIn(target: string, canvas: Size): Rect | undefined {
  const [, unit, ...numbers] = placeForm.exec(target) ?? [];
  const full = unit === 'percent' ? { width: 100, height: 100 } : canvas;
  const [x = 0, y = 0, width = 0, height = 0] = numbers.map(Number);
  const place = boxInFractions({ x, y, width, height }, full);
  return Object.values(place).every(Number.isFinite) && place.width > 0 && place.height > 0 ? place : undefined;
}

/** The target of an annotation as an address with its fragment. */
function targetText(annotation: unknown): string {
  const [target] = itemsOf(firstOf(annotation, 'target', 'on'), 1);
  const source = firstOf(target, 'source', 'full');
  const selector = itemsOf(memberOf(target, 'selector'), 1).map((one) => textOf(memberOf(one, 'value')));
  return source === undefined ? idOf(target) : `${idOf(source)}#${selector}`;
}

const isPainting = (annotation: unknown): boolean => {
  const motivations = itemsOf(memberOf(annotation, 'motivation')).map(textOf);
  return motivations.length === 0 || motivations.some((name) => /(?:^|:)painting$/.test(name));
};

function painted(annotation: unknown, canvas: Size | undefined): readonly PaintedImage[] {
  const image = isPainting(annotation) ? imageOf(firstOf(annotation, 'body', 'resource')) : undefined;
  const place = canvas && placeIn(targetText(annotation), canvas);
  return image === undefined ? [] : [{ image, place: place ?? wholeImage }];
}

/** The images that are painted on a canvas of either version, in their order. */
function imagesOf(canvas: unknown): readonly PaintedImage[] {
  const paintings = [
    ...itemsOf(memberOf(canvas, 'items'), 20).flatMap((page) => itemsOf(memberOf(page, 'items'), 100)),
    ...itemsOf(memberOf(canvas, 'images'), 100),
  ];
  return paintings.flatMap((annotation) => painted(annotation, sizeOf(canvas)));
}

/** A page of annotations: its address, or itself where the manifest contains it. */
export type AnnotationSource = string | Readonly<Record<string, unknown>>;

export interface ManifestPage {
  /** Unique among the pages: the id of the canvas, with a suffix for the images on it after the largest. */
  readonly id: string;
  /** The id of the canvas; another name where it has none, or shares one. */
  readonly canvasId: string;
  readonly label: LanguageMap;
  /** In the units of the canvas, which those of annotations are. */
  readonly canvas: Size | undefined;
  /** An image of the canvas; undefined where it has none, such as sound. */
  readonly image: PageImage | undefined;
  /** The place of the image on the canvas, in fractions of the canvas. */
  readonly place: Rect;
  /** The number of images on the canvas, each of which is a page. */
  readonly images: number;
  readonly thumbnail: PageImage | undefined;
  readonly behavior: PageBehavior | undefined;
  readonly annotations: readonly AnnotationSource[];
  /** Inches of a unit of the canvas, by the service for physical dimensions; undefined where it does not say. */
  readonly inches: number | undefined;
}

function thumbnailOf(canvas: unknown): PageImage | undefined {
  const [thumbnail] = itemsOf(memberOf(canvas, 'thumbnail'), 1);
  const [address, service] = [webAddress(thumbnail), imageServiceOf(thumbnail)];
  return address === undefined && service === undefined ? undefined : { address, service, size: sizeOf(thumbnail) };
}

const pageBehaviors: readonly PageBehavior[] = ['non-paged', 'facing-pages'];

const inchesIn: Readonly<Record<string, number>> = { in: 1, cm: 1 / 2.54, mm: 1 / 25.4 };

/** The service for physical dimensions (IIIF Annex, "Physical Dimensions"). */
function inchesOf(canvas: unknown): number | undefined {
  for (const service of itemsOf(memberOf(canvas, 'service'), 20)) {
    const [scale, unit] = [memberOf(service, 'physicalScale'), textOf(memberOf(service, 'physicalUnits'))];
    const inches = Object.hasOwn(inchesIn, unit) ? inchesIn[unit] : undefined;
    if (isFiniteNumber(scale) && scale > 0 && inches !== undefined) return scale * inches;
  }
  return undefined;
}

/** Annotations in place, or by their address. */
const annotationsOf = (canvas: unknown): readonly AnnotationSource[] =>
  [...itemsOf(memberOf(canvas, 'annotations'), 100), ...itemsOf(memberOf(canvas, 'otherContent'), 100)].flatMap(
    (source): readonly AnnotationSource[] => {
      if (isObject(source) && firstOf(source, 'items', 'resources') !== undefined) return [source];
      const address = webAddress(source);
      return address === undefined || typeOf(source) === 'AnnotationCollection' ? [] : [address];
    },
  );

const area = ({ width, height }: Rect): number => width * height;

/** The images of a canvas, the largest first, then the others in their order; one that is undefined for a canvas without any. */
function shownImages(canvas: unknown): readonly (PaintedImage | undefined)[] {
  const images = imagesOf(canvas);
  const largest = images.reduce((best, one) => (best && area(best.place) >= area(one.place) ? best : one), images[0]);
  return [largest, ...images.filter((one) => one !== largest)];
}

const numbered = (label: LanguageMap, number: number): LanguageMap =>
  Object.keys(label).length === 0
    ? label
    : Object.fromEntries(
        Object.entries(label).map(([language, texts]) => [language, texts.map((text) => `${text} (${number})`)]),
      );

/**
 * The pages of a canvas of either version: one for each image on it. The largest is the page that the canvas stands for; the others
 * follow it as pages that stand alone, so that each can be reached, and openings stay as they are. `id` is unique among the canvases.
 */
function pagesOfCanvas(canvas: unknown, id: string): readonly ManifestPage[] {
  const images = shownImages(canvas);
  const label = textsOf(memberOf(canvas, 'label'));
  const behavior = pageBehaviors.find((name) => behaviorsOf(canvas).includes(name));
  const shared = {
    canvasId: id,
    canvas: sizeOf(canvas),
    images: images.length,
    annotations: annotationsOf(canvas),
    inches: inchesOf(canvas),
  };
  return images.map((image, index) => ({
    ...shared,
    id: index === 0 ? id : `${id}#image-${index + 1}`,
    label: index === 0 ? label : numbered(label, index + 1),
    image: image?.image,
    place: image?.place ?? wholeImage,
    thumbnail: index === 0 ? thumbnailOf(canvas) : undefined,
    behavior: index === 0 ? behavior : 'non-paged',
  }));
}

/** The pages of a list of canvases, each with an id of its own; no more than a book may have. */
export function pagesOf(canvases: readonly unknown[]): readonly ManifestPage[] {
  const known = new Set<string>();
  const pages = canvases.flatMap((canvas, index) => {
    const given = idOf(canvas);
    const id = given === '' || known.has(given) ? `page-${index + 1}` : given;
    const own = pagesOfCanvas(canvas, id);
    for (const page of own) known.add(page.id);
    return own;
  });
  return pages.slice(0, limits.pages);
}
