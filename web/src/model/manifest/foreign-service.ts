/** Image services of other hosts: whether the policy of the page allows to ask them, their `info.json`, and addresses of small pictures. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { isObject, memberOf, textOf } from '../json-value.ts';
import type { Rect } from '../view-state.ts';
import type { ManifestPage } from './canvas.ts';
import { firstOf, itemsOf, lengthOf } from './members.ts';
import { type ImageService, type PageImage, sizeOf } from './page-image.ts';

/** Protocols that a source with the protocol of its left also allows. */
const upgrades: Readonly<Record<string, readonly string[]>> = { 'http:': ['http:', 'https:'], 'https:': ['https:'] };

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

const source = /^(?:([a-z][a-z0-9+.-]*:)\/\/)?(\*|(?:\*\.)?[a-z0-9_.-]+)(?::(\d+|\*))?\/?$/i;

const allowsHost = (wanted: string, host: string): boolean =>
  wanted === '*' || (wanted.startsWith('*.') ? host.endsWith(wanted.slice(1)) : host === wanted);

function allowsPort(wanted: string | undefined, { port, protocol }: URL): boolean {
  if (wanted === '*') return true;
  const own = port || defaultPorts[protocol];
  return own === (wanted ?? defaultPorts[protocol]) || (wanted === '80' && own === '443');
}

function allows(text: string, url: URL, pageProtocol: string): boolean {
  if (text === '*') return url.protocol === 'http:' || url.protocol === 'https:';
  if (/^https?:$/i.test(text)) return (upgrades[text.toLowerCase()] ?? []).includes(url.protocol);
  const [, protocol = pageProtocol, host = '', port] = source.exec(text.toLowerCase()) ?? [];
  const protocols = upgrades[protocol] ?? [];
  return protocols.includes(url.protocol) && allowsHost(host, url.hostname) && allowsPort(port, url);
}

/** Whether one of the sources allows an address, or it is on the host of the page itself; `page` is the address of the page. */
export function isAllowed(address: string, sources: readonly string[], page: string): boolean {
  const [url, own] = [address, page].map((text) => (URL.canParse(text) ? new URL(text) : undefined));
  if (url === undefined || own === undefined) return false;
  return url.origin === own.origin || sources.some((one) => allows(one, url, own.protocol));
}

const contexts = {
  1: 'http://library.stanford.edu/iiif/image-api/1.1/context.json',
  2: 'http://iiif.io/api/image/2/context.json',
  3: 'http://iiif.io/api/image/3/context.json',
} as const;

type ImageApiVersion = keyof typeof contexts;

export interface ForeignInfo extends Size {
  readonly '@context': string;
  readonly id: string;
  readonly '@id': string;
  readonly protocol: string;
  readonly profile: string | readonly unknown[];
  readonly tiles?: readonly Tiles[];
  readonly sizes?: readonly Size[];
  readonly tile_width?: number;
  readonly tile_height?: number;
  readonly scale_factors?: readonly number[];
  readonly extraFeatures?: readonly string[];
}

interface Tiles {
  readonly width: number;
  readonly height?: number;
  readonly scaleFactors: readonly number[];
}

function versionOf(json: unknown): ImageApiVersion {
  const said = [firstOf(json, '@context'), memberOf(json, 'type'), memberOf(json, 'profile')];
  const text = said.flatMap((value) => itemsOf(value, 5).map(textOf)).join(' ');
  const [, named] = /image\/([123])|ImageService([123])/.exec(text)?.map((part) => part ?? '') ?? [];
  if (named === '3' || /ImageService3/.test(text)) return 3;
  return named === '1' || /image-api/.test(text) ? 1 : 2;
}

const factorsOf = (value: unknown): readonly number[] =>
  itemsOf(value, 40)
    .flatMap((factor) => lengthOf(factor) ?? [])
    .filter((factor) => factor <= 2 ** 20);

/** Tiles are at least this wide and high, in pixels: a service that advertises smaller ones would cause countless requests. */
const smallestTile = 16;

function tilesOf(value: unknown): readonly Tiles[] {
  return itemsOf(value, 20).flatMap((tiles) => {
    const [width, height] = [lengthOf(memberOf(tiles, 'width')), lengthOf(memberOf(tiles, 'height'))];
    const scaleFactors = factorsOf(memberOf(tiles, 'scaleFactors'));
    if (width === undefined || scaleFactors.length === 0 || Math.min(width, height ?? width) < smallestTile) return [];
    return [{ width, ...(height !== undefined && { height }), scaleFactors }];
  });
}

const namesOf = (value: unknown): readonly string[] => itemsOf(value, 100).map(textOf);

/** The level, with the features that version 2 adds to it. */
function profileOf(json: unknown, version: ImageApiVersion): string | readonly unknown[] {
  const [level, more] = itemsOf(memberOf(json, 'profile'), 2);
  const name = textOf(level);
  return version === 2 ? [name, { supports: namesOf(memberOf(more, 'supports')) }] : name;
}

const isLevel0 = (profile: string | readonly unknown[]): boolean =>
  /level-?0|#level0/i.test(textOf(typeof profile === 'string' ? profile : profile[0]));

/** Whether any part of the image can be asked for; where it can't, there must be tiles or sizes that stand ready. */
const canBeTiled = (info: ForeignInfo): boolean => {
  const more = typeof info.profile === 'string' ? undefined : namesOf(memberOf(info.profile[1], 'supports'));
  return (
    !isLevel0(info.profile) || [...(more ?? []), ...(info.extraFeatures ?? [])].some((name) => /^sizeByWh?$/.test(name))
  );
};

/**
 * The members that are used, where they have a shape that can be drawn; undefined where they have none. `id` is the address at
 * which the service was found: services behind proxies often give another one in `info.json`.
 */
export function readInfo(json: unknown, id: string): ForeignInfo | undefined {
  const size = sizeOf(json);
  if (!isObject(json) || size === undefined) return undefined;
  const version = versionOf(json);
  const tiles = tilesOf(json['tiles']);
  const sizes = itemsOf(json['sizes'], 40).flatMap((one) => sizeOf(one) ?? []);
  const [wide, high] = [lengthOf(json['tile_width']), lengthOf(json['tile_height'])];
  const factors = factorsOf(json['scale_factors']);
  const info: ForeignInfo = {
    '@context': contexts[version],
    id,
    '@id': id,
    protocol: 'http://iiif.io/api/image',
    ...size,
    profile: profileOf(json, version),
    ...(tiles.length > 0 && { tiles }),
    ...(sizes.length > 0 && { sizes }),
    ...(version === 1 && wide !== undefined && wide >= smallestTile && { tile_width: wide }),
    ...(version === 1 && high !== undefined && high >= smallestTile && { tile_height: high }),
    ...(version === 1 && factors.length > 0 && { scale_factors: factors }),
    ...(version === 3 && { extraFeatures: namesOf(json['extraFeatures']) }),
  };
  return canBeTiled(info) || tiles.length > 0 || sizes.length > 0 || wide !== undefined ? info : undefined;
}

/** The quality that all images have. */
const plainQuality = ({ version }: ImageService): string => (version === 1 ? 'native' : 'default');

const sizedAt = (service: ImageService, { width, height }: Size): string =>
  `${service.id}/full/${width},${service.version === 3 ? height : ''}/0/${plainQuality(service)}.jpg`;

/** The size of an image that fits into a box; the image's shape is known from its canvas. */
function inside(shape: Size, box: Size): Size {
  const ratio = Math.min(1, box.width / shape.width, box.height / shape.height);
  return { width: Math.max(1, Math.round(shape.width * ratio)), height: Math.max(1, Math.round(shape.height * ratio)) };
}

/** A part of an image, in pixels of it, at its full size; undefined where the service has only certain parts. */
export function regionAddress(service: ImageService, part: Rect, image: Size): string | undefined {
  if (service.level === 0) return undefined;
  const isWhole = part.width >= image.width && part.height >= image.height;
  const region = isWhole ? 'full' : [part.x, part.y, part.width, part.height].join(',');
  return `${service.id}/${region}/${service.version === 3 ? 'max' : 'full'}/0/${plainQuality(service)}.jpg`;
}

/** A service of level 0 has only certain sizes: the smallest that fills the box, or else the largest. */
function amongSizes(service: ImageService, box: Size): string | undefined {
  const ascending = [...service.sizes].sort((one, other) => one.width - other.width);
  const size = ascending.find(({ width, height }) => width >= box.width || height >= box.height) ?? ascending.at(-1);
  return size && sizedAt(service, size);
}

function fromService(image: PageImage, shape: Size | undefined, box: Size): string | undefined {
  const { service } = image;
  if (service === undefined) return undefined;
  if (service.level === 0) return amongSizes(service, box);
  return shape && sizedAt(service, inside(shape, box));
}

/** A declared thumbnail in one of its sizes, which its host has ready (recipe 0232); undefined where none of them fills the box. */
function declaredSize(thumbnail: PageImage | undefined, box: Size): string | undefined {
  const service = thumbnail?.service;
  const isEnough = service?.sizes.some(({ width, height }) => width >= box.width || height >= box.height);
  return service && isEnough ? amongSizes(service, box) : undefined;
}

/** A picture of at most about this size in pixels; undefined where none can be had. */
export function thumbnailAddress(
  { thumbnail, image, canvas }: Pick<ManifestPage, 'thumbnail' | 'image' | 'canvas'>,
  box: Size,
): string | undefined {
  const shape = image?.size ?? canvas;
  return (
    declaredSize(thumbnail, box) ??
    (image && fromService(image, shape, box)) ??
    (thumbnail && fromService(thumbnail, thumbnail.size ?? shape, box)) ??
    thumbnail?.address ??
    image?.address
  );
}

/** A service whose image has a shape that nobody knows: inside of the box where it can do that, and as wide as the box otherwise. */
function confined(service: ImageService, { width, height }: Size): string {
  const size = service.level === 2 ? `!${width},${height}` : `${width},`;
  return `${service.id}/full/${size}/0/${plainQuality(service)}.jpg`;
}

/** A declared size is that of the thumbnail, which has the shape of the image and may be smaller than the box. */
function shapedLike({ width, height }: Size, box: Size): Size {
  const ratio = Math.min(box.width / width, box.height / height);
  return { width: Math.max(1, Math.round(width * ratio)), height: Math.max(1, Math.round(height * ratio)) };
}

function servedPicture({ service, size }: PageImage, box: Size): string | undefined {
  if (service === undefined || service.level === 0) return service && amongSizes(service, box);
  return size ? sizedAt(service, shapedLike(size, box)) : confined(service, box);
}

/** How much larger than the box a picture may be that its host has ready. */
const enough = 3;

/**
 * Pictures of a thumbnail of at most about this size in pixels, the best one first, each in case that the one before does not come:
 * services refuse some sizes, such as ones above those of their images.
 */
export function thumbnailPictures(thumbnail: PageImage | undefined, box: Size): readonly string[] {
  if (thumbnail === undefined) return [];
  const { address, size } = thumbnail;
  const ratio = size ? Math.max(size.width / box.width, size.height / box.height) : 0;
  const declared = declaredSize(thumbnail, box);
  const served = declared ?? servedPicture(thumbnail, box);
  const isReady = declared === undefined && ratio >= 1 && ratio <= enough;
  const wished = isReady ? [address, served] : [served, address];
  return [...new Set(wished.flatMap((one) => one ?? []))];
}
