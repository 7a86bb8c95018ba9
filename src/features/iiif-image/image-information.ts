/** The image information document, info.json, of each version (Image API 3.0, 2.1 and 1.1, section 5). */
import type { Limits } from '../../core/image/model/answer-limits.ts';
import { isTransposed, type Size } from '../../core/image/model/geometry.ts';
import {
  highest,
  type ImageSet,
  type Level,
  type Resolution,
  statedReduction,
} from '../../core/image/model/image-set.ts';
import { advertisedTile } from '../../core/image/plan/slow-sources.ts';
import { formatExtensions, type Version, versions } from './version.ts';

/** A tiling of an image: the tile's size, and the integers by which the image is reduced. */
export interface Tiling {
  /** In pixels of each reduced image. */
  readonly tile: Size;
  /** Powers of two and those of the file's own levels, from 1 upward. */
  readonly scaleFactors: readonly number[];
}

/** The stored tile where there is one, else 512; and factors up to the one at which a single tile covers the whole image. */
export function tilingOf(image: ImageSet): Tiling {
  const full = highest(image);
  const tile = advertisedTile(full);
  const scaleFactors = [1];
  let factor = 1;
  while (full.width > tile.width * factor || full.height > tile.height * factor) {
    factor *= 2;
    scaleFactors.push(factor);
  }
  return { tile, scaleFactors };
}

/** The size of the image reduced by an integer factor, both sides rounded up as in a tiling. */
export const reduced = (size: Size, factor: number): Size => ({
  width: Math.ceil(size.width / factor),
  height: Math.ceil(size.height / factor),
});

/** The integer by which the full image is reduced to a level of one of its resolutions. */
function factorOf(level: Level, one: Resolution, full: Resolution): number {
  const stated = one === full && !one.reducedFrom ? statedReduction(level) : undefined;
  return stated ?? Math.round(full.width / (isTransposed(one.orientation) ? level.height : level.width));
}

/** The sizes that are fast to render: those of the stored levels and of the prescaled versions, smallest first. */
function cheapSizes(image: ImageSet): readonly Size[] {
  const full = highest(image);
  const stored = image.resolutions.flatMap((one) => one.levels.map((level) => factorOf(level, one, full)));
  // Of a file with more pixels, no level need be as large as the image.
  const factors = new Set(
    full.reducedFrom ? [1, ...stored.filter((factor) => factor > 1)] : stored.filter((factor) => factor >= 1),
  );
  return [...factors].sort((a, b) => b - a).map((factor) => reduced(full, factor));
}

const allFormats = Object.keys(formatExtensions);

/** The extensions of the formats that the image can be had in. */
function formatsOf({ terms }: ImageSet): readonly string[] {
  const formats = terms?.tier.formats;
  return formats === undefined
    ? allFormats
    : allFormats.filter((name) => formats.some((one) => one === formatExtensions[name]));
}

/** Level 2 requires PNG (Image API Compliance). */
const levelOf = (formats: readonly string[]): 1 | 2 => (formats.includes('png') ? 2 : 1);

/** The address of a compliance level in place of that of level 2. */
const profileAt = (profile: string, formats: readonly string[]): string =>
  levelOf(formats) === 2 ? profile : profile.replace('level2', 'level1');

const protocol = 'http://iiif.io/api/image';

/** All features of 2.1: those beyond level 2, and those of level 2, since some viewers check for these too. */
const features2 = [
  'baseUriRedirect',
  'canonicalLinkHeader',
  'cors',
  'jsonldMediaType',
  'mirroring',
  'profileLinkHeader',
  'regionByPct',
  'regionByPx',
  'regionSquare',
  'rotationArbitrary',
  'rotationBy90s',
  'sizeAboveFull',
  'sizeByConfinedWh',
  'sizeByDistortedWh',
  'sizeByForcedWh',
  'sizeByH',
  'sizeByPct',
  'sizeByW',
  'sizeByWh',
];

/** The features beyond level 2 of 3.0. */
const extraFeatures = ['canonicalLinkHeader', 'mirroring', 'profileLinkHeader', 'rotationArbitrary', 'sizeUpscaling'];

/** Those of level 2 that level 1 leaves out. */
const featuresOfLevel2 = ['regionByPct', 'rotationBy90s', 'sizeByConfinedWh', 'sizeByPct'];

/** The members of the document that are no facts of the image. */
export interface InformationContext {
  /** The requested address without `/info.json`. */
  readonly id: string;
  readonly limits: Limits;
  /** The address of the manifest of the folder that the image is in. */
  readonly manifest?: string;
}

/** The limits under the names of the document; those that are not set are left out. */
function limitsOf({ maxArea, maxWidth, maxHeight }: Limits): object {
  return {
    ...(maxWidth === undefined ? {} : { maxWidth }),
    ...(maxHeight === undefined || maxWidth === undefined ? {} : { maxHeight }),
    maxArea,
  };
}

/** A member of our own, by which the reading room tells its readers: viewers ignore those that they don't know. */
const truncation = (image: ImageSet): object => (highest(image).truncated ? { truncated: true } : {});

/** JPEG can’t hold the transparency that an image may have (Image API 3.0, 5.6). */
const preferredFormat = (image: ImageSet, formats: readonly string[]): string =>
  highest(image).alpha && formats.includes('png') ? 'png' : 'jpg';

function information3(image: ImageSet, { id, limits, manifest }: InformationContext): object {
  const { width, height } = highest(image);
  const { tile, scaleFactors } = tilingOf(image);
  const formats = formatsOf(image);
  const level = levelOf(formats);
  return {
    '@context': versions[3].context,
    id,
    type: 'ImageService3',
    protocol,
    profile: `level${level}`,
    width,
    height,
    ...limitsOf(limits),
    sizes: cheapSizes(image),
    tiles: [{ ...tile, scaleFactors }],
    preferredFormats: [preferredFormat(image, formats)],
    extraFormats: formats.filter((format) => format !== 'jpg' && format !== 'png'),
    extraQualities: ['color', 'gray', 'bitonal'],
    extraFeatures: level === 2 ? extraFeatures : [...extraFeatures, ...featuresOfLevel2],
    ...truncation(image),
    ...(manifest === undefined ? {} : { partOf: [{ id: manifest, type: 'Manifest' }] }),
  };
}

function information2(image: ImageSet, { id, limits }: InformationContext): object {
  const { width, height } = highest(image);
  const { tile, scaleFactors } = tilingOf(image);
  const formats = formatsOf(image);
  const extras = { formats, qualities: ['color', 'gray', 'bitonal'], ...limitsOf(limits), supports: features2 };
  return {
    '@context': versions[2].context,
    '@id': id,
    protocol,
    width,
    height,
    sizes: cheapSizes(image),
    tiles: [{ ...tile, scaleFactors }],
    profile: [profileAt(versions[2].profile, formats), extras],
    ...truncation(image),
  };
}

function information1(image: ImageSet, { id }: InformationContext): object {
  const { width, height } = highest(image);
  const { tile, scaleFactors } = tilingOf(image);
  const formats = formatsOf(image);
  return {
    '@context': versions[1].context,
    '@id': id,
    width,
    height,
    scale_factors: scaleFactors,
    tile_width: tile.width,
    tile_height: tile.height,
    formats,
    qualities: ['native', 'color', 'grey', 'bitonal'],
    profile: profileAt(versions[1].profile, formats),
    ...truncation(image),
  };
}

/** The document of an image in each version. */
export const imageInformation: Readonly<Record<Version, (image: ImageSet, context: InformationContext) => object>> = {
  1: information1,
  2: information2,
  3: information3,
};

/** A width and a height are required. These say nothing of the image, and OpenSeadragon makes one tile of them. */
const unknownSize = { width: 1, height: 1 } as const;

/** The document of an image that is closed to the caller, whether there is one or not. */
export const closedInformation: Readonly<Record<Version, (id: string) => object>> = {
  1: (id) => ({ '@context': versions[1].context, '@id': id, ...unknownSize, profile: versions[1].profile }),
  2: (id) => ({ '@context': versions[2].context, '@id': id, protocol, ...unknownSize, profile: [versions[2].profile] }),
  3: (id) => ({
    '@context': versions[3].context,
    id,
    type: 'ImageService3',
    protocol,
    profile: 'level2',
    ...unknownSize,
  }),
};

/** The region, in pixels of the full image, and the size of one tile, as they stand in its address. */
export interface TilePath {
  readonly region: string;
  readonly size: string;
}

/** The tiles of the image reduced by this factor, row by row. */
export function tilePaths(full: Size, tile: Tiling['tile'], factor: number): readonly TilePath[] {
  const level = reduced(full, factor);
  const [columns, rows] = [Math.ceil(level.width / tile.width), Math.ceil(level.height / tile.height)];
  return Array.from({ length: columns * rows }, (_, index) => {
    const [x, y] = [(index % columns) * tile.width * factor, Math.floor(index / columns) * tile.height * factor];
    const width = Math.min(tile.width * factor, full.width - x);
    const height = Math.min(tile.height * factor, full.height - y);
    const size = reduced({ width, height }, factor);
    return { region: `${x},${y},${width},${height}`, size: `${size.width},${size.height}` };
  });
}
