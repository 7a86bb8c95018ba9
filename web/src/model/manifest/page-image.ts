/** Images in manifests: their addresses, sizes and image services. */

import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { memberOf, textOf } from '../json-value.ts';
import { firstOf, itemsOf, lengthOf, limits, typeOf, webAddress } from './members.ts';

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

/** The image behind specific resources and choices inside of each other: of those the one that is shown first. */
export function resourceOf(body: unknown, depth = 0): unknown {
  if (depth > 4) return undefined;
  const [first] = itemsOf(body, 1);
  if (typeOf(first) === 'Choice') return resourceOf(itemsOfChoice(first)[0], depth + 1);
  if (typeOf(first) === 'SpecificResource') return resourceOf(firstOf(first, 'source', 'full'), depth + 1);
  return first;
}

/** What may be chosen, the first one first: version 2 has a default and others. */
const itemsOfChoice = (choice: unknown): readonly unknown[] =>
  ['items', 'default', 'item'].flatMap((name) => itemsOf(memberOf(choice, name), limits.layers));

/** The bodies of an annotation that may be shown: those of a choice, or the only one. */
export function bodiesOf(body: unknown): readonly unknown[] {
  const [first] = itemsOf(body, 1);
  return typeOf(first) === 'Choice' ? itemsOfChoice(first) : [first];
}

const isPicture = (resource: unknown): boolean =>
  ['Image', ''].includes(typeOf(resource)) || /^image\//.test(textOf(memberOf(resource, 'format')));

export function imageOf(body: unknown): PageImage | undefined {
  const resource = resourceOf(body);
  const [address, service] = [webAddress(resource), imageServiceOf(resource)];
  if (!isPicture(resource) || (address === undefined && service === undefined)) return undefined;
  return { address, service, size: sizeOf(resource) };
}

/** The thumbnail of a manifest, a collection, a canvas or a range: an address, or an image with its address, its service or both. */
export function thumbnailOf(resource: unknown): PageImage | undefined {
  const [thumbnail] = itemsOf(memberOf(resource, 'thumbnail'), 1);
  const [address, service] = [webAddress(thumbnail), imageServiceOf(thumbnail)];
  return address === undefined && service === undefined ? undefined : { address, service, size: sizeOf(thumbnail) };
}
