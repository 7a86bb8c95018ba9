/** The image information document, info.json, of each version (Image API 3.0, 2.1 and 1.1, section 5). */
import type { Size } from '../image/geometry.ts';
import { transpose } from '../image/geometry.ts';
import { highest, type ImageSet, isTransposed } from '../image/image-set.ts';
import type { Limits } from '../image/limits.ts';
import { formatExtensions, type Version, versions } from './version.ts';

/** What a tiling of an image is: the cell, and the integers by which the image is reduced. */
export interface Tiling {
  /** The cell's size in pixels of each reduced image. */
  readonly tile: Size;
  /** Powers of two and those of the file's own levels, from 1 upward. */
  readonly scaleFactors: readonly number[];
}

const plainTile: Size = { width: 512, height: 512 };

/** The stored tile where there is one, else 512; and factors up to the one at which a single tile shows the whole. */
export function tilingOf(image: ImageSet): Tiling {
  const full = highest(image);
  const stored = full.levels[0].tile;
  const upright = stored !== undefined && isTransposed(full.orientation) ? transpose(stored) : stored;
  const tile = upright ?? plainTile;
  const scaleFactors = [1];
  let factor = 1;
  while (full.width > tile.width * factor || full.height > tile.height * factor) {
    factor *= 2;
    scaleFactors.push(factor);
  }
  return { tile, scaleFactors };
}

/** The image reduced by an integer factor, both sides rounded up, as a tiling has it. */
export const reduced = (size: Size, factor: number): Size => ({
  width: Math.ceil(size.width / factor),
  height: Math.ceil(size.height / factor),
});

/** The sizes that are cheap to make: those of the stored levels and of the prescaled versions, smallest first. */
function cheapSizes(image: ImageSet): readonly Size[] {
  const full = highest(image);
  const stored = image.resolutions.flatMap((one) =>
    one.levels.map((level) => (isTransposed(one.orientation) ? level.height : level.width)),
  );
  const factors = new Set(stored.map((width) => Math.round(full.width / width)).filter((factor) => factor >= 1));
  return [...factors].sort((a, b) => b - a).map((factor) => reduced(full, factor));
}

const formats = Object.keys(formatExtensions);

const features2 = [
  'baseUriRedirect',
  'cors',
  'jsonldMediaType',
  'mirroring',
  'regionByPct',
  'regionByPx',
  'regionSquare',
  'rotationArbitrary',
  'rotationBy90s',
  'sizeAboveFull',
  'sizeByConfinedWh',
  'sizeByDistortedWh',
  'sizeByH',
  'sizeByPct',
  'sizeByW',
  'sizeByWh',
];

const features3 = ['mirroring', 'rotationArbitrary', 'sizeUpscaling'];

/** The document for an image at its address `id`, which is the address that was asked for without `/info.json`. */
export function imageInformation(image: ImageSet, id: string, version: Version, limits: Limits): object {
  const { width, height } = highest(image);
  const { tile, scaleFactors } = tilingOf(image);
  const tiles = [{ width: tile.width, height: tile.height, scaleFactors }];
  const sizes = cheapSizes(image);
  const { context } = versions[version];
  const protocol = 'http://iiif.io/api/image';
  switch (version) {
    case 1:
      return {
        '@context': context,
        '@id': id,
        width,
        height,
        scale_factors: scaleFactors,
        tile_width: tile.width,
        tile_height: tile.height,
        formats,
        qualities: ['native', 'color', 'grey', 'bitonal'],
        profile: 'http://library.stanford.edu/iiif/image-api/1.1/compliance.html#level2',
      };
    case 2:
      return {
        '@context': context,
        '@id': id,
        protocol,
        width,
        height,
        sizes,
        tiles,
        profile: [
          'http://iiif.io/api/image/2/level2.json',
          { formats, qualities: ['color', 'gray', 'bitonal'], maxArea: limits.maxArea, supports: features2 },
        ],
      };
    case 3:
      return {
        '@context': context,
        id,
        type: 'ImageService3',
        protocol,
        profile: 'level2',
        width,
        height,
        maxArea: limits.maxArea,
        sizes,
        tiles,
        preferredFormats: ['jpg'],
        extraFormats: formats.filter((format) => format !== 'jpg' && format !== 'png'),
        extraQualities: ['color', 'gray', 'bitonal'],
        extraFeatures: features3,
      };
  }
}
