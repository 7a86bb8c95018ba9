/** IIIF image services of this library: their addresses, and the tiles of a first sight, which are few and large. */

import { formatIdentifierSegment } from '../../../../src/core/image/addresses/iiif-addresses.ts';
import type { Size } from '../../../../src/core/image/model/geometry.ts';

/** Relative to the base. */
export const servicePath = (fn: string, slash: string): string => `iiif/3/${formatIdentifierSegment(fn, slash)}`;

/** Relative to the base. */
export const infoPath = (fn: string, slash: string): string => `${servicePath(fn, slash)}/info.json`;

/** An entry of `tiles` of info.json (Image API 3.0, section 5.4). */
interface TileSet {
  readonly width: number;
  /** The width where it is absent. */
  readonly height?: number;
  readonly scaleFactors: readonly number[];
}

/** The members of info.json that tiles depend on. */
export interface TiledImage extends Size {
  readonly tiles?: readonly TileSet[];
  readonly maxWidth?: number;
  /** The maximum width where it is absent. */
  readonly maxHeight?: number;
  readonly maxArea?: number;
}

/** The side of a large tile in pixels, about: one that a server renders and a connection transfers without a noticeable wait. */
const largeSide = 1024;

/** Number of tiles that need no larger ones: the server may send them as they are stored, which costs less than rendering. */
const fewTiles = 3;

/** The multiple of a side that is nearest to that of a large tile, so that a large tile consists of whole ones. */
const multipleOf = (side: number): number => side * Math.max(1, Math.round(largeSide / side));

const isAllowed = ({ width, height }: Size, { maxWidth, maxHeight = maxWidth, maxArea }: TiledImage): boolean =>
  width <= (maxWidth ?? width) && height <= (maxHeight ?? height) && width * height <= (maxArea ?? width * height);

/** The factor of the level that a viewer shows of the whole image: the coarsest with a pixel for each one of the window. */
function factorAtFit(image: Size, window: Size): number {
  const reduction = Math.max(image.width / window.width, image.height / window.height);
  return 2 ** Math.max(0, Math.floor(Math.log2(reduction)));
}

/** Number of tiles of the level that an integer factor reduces the image to. */
const tilesAt = (factor: number, tile: Size, image: Size): number =>
  Math.ceil(image.width / (tile.width * factor)) * Math.ceil(image.height / (tile.height * factor));

/**
 * The tile sets for a window in device pixels: larger tiles for the level that shows the whole image there, and for coarser
 * ones. Finer levels, and images that need few tiles, keep those that the server advertises, which it may have stored.
 */
export function tilesOfFirstSight(image: TiledImage, window: Size): readonly TileSet[] | undefined {
  const [only, ...others] = image.tiles ?? [];
  // A server that advertises several sizes has made its choice.
  if (only === undefined || others.length > 0) return image.tiles;
  const tile = { width: only.width, height: only.height ?? only.width };
  const large = { width: multipleOf(tile.width), height: multipleOf(tile.height) };
  const from = factorAtFit(image, window);
  if (tilesAt(from, tile, image) <= fewTiles) return image.tiles;
  const coarse = only.scaleFactors.filter((factor) => factor >= from);
  const fine = only.scaleFactors.filter((factor) => factor < from);
  const isSame = large.width === tile.width && large.height === tile.height;
  if (coarse.length === 0 || isSame || !isAllowed(large, image)) return image.tiles;
  const coarseSet = { ...large, scaleFactors: coarse };
  return fine.length === 0 ? [coarseSet] : [{ ...only, scaleFactors: fine }, coarseSet];
}
