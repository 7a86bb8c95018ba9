/** The picture of a canvas: an image service or a plain image, from the annotations that paint the canvas. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { memberOf, textOf } from '../json-value.ts';
import { type Rect, wholeImage } from '../view-state.ts';
import { firstOf, idOf, itemsOf, lengthOf, typeOf, webAddress } from './members.ts';

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
export interface PaintedImage {
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
export const imageServiceOf = (resource: unknown): ImageService | undefined =>
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
  const place = { x: x / full.width, y: y / full.height, width: width / full.width, height: height / full.height };
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
export function imagesOf(canvas: unknown): readonly PaintedImage[] {
  const paintings = [
    ...itemsOf(memberOf(canvas, 'items'), 20).flatMap((page) => itemsOf(memberOf(page, 'items'), 100)),
    ...itemsOf(memberOf(canvas, 'images'), 100),
  ];
  return paintings.flatMap((annotation) => painted(annotation, sizeOf(canvas)));
}
