/** The `info.json` of other people's image services: only members of known shape reach the library that draws the tiles. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { isObject, memberOf, textOf } from '../json-value.ts';
import { firstOf, itemsOf, lengthOf } from './members.ts';
import { sizeOf } from './picture.ts';

const contexts = {
  1: 'http://library.stanford.edu/iiif/image-api/1.1/context.json',
  2: 'http://iiif.io/api/image/2/context.json',
  3: 'http://iiif.io/api/image/3/context.json',
} as const;

export type ImageApiVersion = keyof typeof contexts;

/** What a service tells of its image, with the names of its version. */
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
