/** The tiles of a first sight: few and large ones for the levels that show the whole image in a window. */
import type { Size } from '../../../src/image/model/geometry.ts';

/** An entry of `tiles` of info.json (Image API 3.0, section 5.4). */
export interface TileSet {
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

/** The multiple of a side that is nearest to that of a large tile, so that a large tile consists of whole ones. */
const multipleOf = (side: number): number => side * Math.max(1, Math.round(largeSide / side));

/** Whether the server's limits allow a picture of this size. */
const isAllowed = ({ width, height }: Size, { maxWidth, maxHeight = maxWidth, maxArea }: TiledImage): boolean =>
  width <= (maxWidth ?? width) && height <= (maxHeight ?? height) && width * height <= (maxArea ?? width * height);

/** The factor of the level that a viewer shows of the whole image: the coarsest with a pixel for each one of the window. */
function factorAtFit(image: Size, window: Size): number {
  const reduction = Math.max(image.width / window.width, image.height / window.height);
  return 2 ** Math.max(0, Math.floor(Math.log2(reduction)));
}

/**
 * The tile sets for a window in device pixels: larger tiles for the level that shows the whole image there, and for coarser
 * ones. Finer levels keep the tiles that the server advertises, which it may have stored.
 */
export function tilesOfFirstSight(image: TiledImage, window: Size): readonly TileSet[] | undefined {
  const [only, ...others] = image.tiles ?? [];
  // A server that advertises several sizes has made its choice.
  if (only === undefined || others.length > 0) return image.tiles;
  const large = { width: multipleOf(only.width), height: multipleOf(only.height ?? only.width) };
  const from = factorAtFit(image, window);
  const coarse = only.scaleFactors.filter((factor) => factor >= from);
  const fine = only.scaleFactors.filter((factor) => factor < from);
  const isSame = large.width === only.width && large.height === (only.height ?? only.width);
  if (coarse.length === 0 || isSame || !isAllowed(large, image)) return image.tiles;
  const coarseSet = { ...large, scaleFactors: coarse };
  return fine.length === 0 ? [coarseSet] : [{ ...only, scaleFactors: fine }, coarseSet];
}
