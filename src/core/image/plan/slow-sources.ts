/** Which images are slow to cut tiles from, so that a tiled copy of them pays: decided from their headers alone. */

import type { CodeStream } from '@lectern/jpeg2000/model';
import { formatNames, sourceFormats } from '../model/formats.ts';
import { isTransposed, type Size, transpose } from '../model/geometry.ts';
import type { Level, Resolution } from '../model/image-set.ts';

/** Whether a derived pyramid would make an image faster. Each reason is the end of a sentence. */
export type Slowness =
  | { readonly kind: 'slow'; readonly reason: string }
  /** Tiles come fast enough from the file itself. */
  | { readonly kind: 'quick'; readonly reason: string }
  /** It is slow, but no pyramid can replace it. */
  | { readonly kind: 'unfit'; readonly reason: string };

/** A tiled file whose smallest level has more pixels than this is slow to show as a whole. */
const slowOverview = 8_000_000;

/** The longest side that libvips writes with JPEG compression. */
const maxSide = 65_535;

const megapixels = ({ width, height }: Size): string => `${Math.round((width * height) / 1e5) / 10} megapixels`;

function whyUnfit({ alpha, width, height, truncated }: Resolution): string | undefined {
  if (truncated) return 'a part of the file is missing';
  if (alpha) return 'the image has transparency, which the JPEG tiles of a pyramid can’t hold';
  return Math.max(width, height) > maxSide ? `a pyramid’s sides have at most ${maxSide} pixels` : undefined;
}

/** Why the tiles of a tiled file can't be sent as they are stored. */
function whyTilesAreDecoded({ levels, orientation, profile, profileSpace, bits, samples }: Resolution) {
  const { stored } = levels[0];
  if (stored && stored.kind !== 'jpeg') return stored.reason;
  if (orientation !== 1) return 'its tiles are stored turned or mirrored';
  if (profile && profileSpace !== 'srgb') return 'its tiles have to be converted to sRGB';
  return bits > 8 || samples ? 'its samples have to be brought to 8 bits' : undefined;
}

function whySlow(resolution: Resolution): string | undefined {
  const { format, width, height, levels } = resolution;
  if (width * height <= sourceFormats[format].slowPixels) return undefined;
  if (levels[0].tile === undefined)
    return `it is a ${formatNames[format].name} of ${megapixels(resolution)} without tiles`;
  const decoded = whyTilesAreDecoded(resolution);
  if (decoded !== undefined) return decoded;
  const smallest = levels.at(-1) ?? levels[0];
  const isDeep = smallest.width * smallest.height <= slowOverview;
  return isDeep ? undefined : `its smallest level has ${megapixels(smallest)}`;
}

/** Whether tiles of this image are slow to cut, and whether a pyramid can help. */
export function slownessOf(resolution: Resolution): Slowness {
  const slow = whySlow(resolution);
  if (slow === undefined) return { kind: 'quick', reason: 'tiles come fast from the file itself' };
  const unfit = whyUnfit(resolution);
  return unfit === undefined ? { kind: 'slow', reason: slow } : { kind: 'unfit', reason: unfit };
}

const plainTile: Size = { width: 512, height: 512 };

/**
 * Whether the tiles of a JPEG 2000 code-stream are those of a viewer: their grid begins with the image, and their sides are
 * such that neither hundreds of tiles nor whole sheets are requested at once. They have to be decoded in any case.
 */
function isViewerTile({ area, tile }: CodeStream, { width, height }: Size): boolean {
  const isSide = (side: number): boolean => side >= 128 && side <= 2048;
  return tile.x === area.x && tile.y === area.y && isSide(width) && isSide(height);
}

/** The level that has exactly the pixels of a resolution. */
function ownLevel({ levels, reducedFrom, orientation, width, height }: Resolution): Level | undefined {
  if (!reducedFrom) return levels[0];
  const stored = isTransposed(orientation) ? { width: height, height: width } : { width, height };
  return levels.find((level) => level.width === stored.width && level.height === stored.height);
}

/** The tile size that info.json names: that of the stored tiles, upright, or else 512. */
export function advertisedTile(resolution: Resolution): Size {
  const { orientation, jpeg2000 } = resolution;
  const stored = ownLevel(resolution)?.tile;
  if (stored === undefined || (jpeg2000 && !isViewerTile(jpeg2000.codeStream, stored))) return plainTile;
  return isTransposed(orientation) ? transpose(stored) : stored;
}

/** The sides that tiles of a pyramid may have: multiples of 16 as TIFF requires. */
const isTileSide = (side: number): boolean => side >= 64 && side <= 4096 && side % 16 === 0;

/** The tile of a derived pyramid: the advertised one wherever it can be. */
export function pyramidTile(source: Resolution): Size {
  const tile = advertisedTile(source);
  return isTileSide(tile.width) && isTileSide(tile.height) ? tile : plainTile;
}
