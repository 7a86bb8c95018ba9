/** Which pictures of an image a light table asks for: as many pixels as are seen, in few sizes, so that few are made. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import type { Rect } from '../view-state.ts';

/** A picture of a part of what is shown of an image. */
export interface WantedPicture {
  /** In fractions of the whole image. */
  readonly region: Rect;
  /** In fractions of what is shown of it. */
  readonly place: Rect;
  /** In pixels. */
  readonly size: Size;
}

/** The longer side of a picture of the whole, in pixels; what is seen larger gets a picture of the part in the window. */
const sides = [128, 256, 512, 1024] as const;
const largest = 1024;

/** The longer side of a picture of a part is no longer, whatever the window. */
const longestPart = 3000;

const wholePart: Rect = { x: 0, y: 0, width: 1, height: 1 };

const regionIn = (region: Rect, part: Rect): Rect => ({
  x: region.x + part.x * region.width,
  y: region.y + part.y * region.height,
  width: part.width * region.width,
  height: part.height * region.height,
});

/** The pixels that the file itself has of a region. */
const pixelsIn = (image: Size, region: Rect): Size => ({
  width: image.width * region.width,
  height: image.height * region.height,
});

function pictureOf(image: Size, region: Rect, place: Rect, longSide: number): WantedPicture {
  const part = regionIn(region, place);
  const own = pixelsIn(image, part);
  const factor = Math.min(1, longSide / Math.max(own.width, own.height));
  const size = {
    width: Math.max(1, Math.round(own.width * factor)),
    height: Math.max(1, Math.round(own.height * factor)),
  };
  return { region: part, place, size };
}

/** The picture of all that is shown of an image. `seen` is how many device pixels its longer side has. */
export function wholePicture(image: Size, region: Rect, seen: number): WantedPicture {
  const side = sides.find((one) => one >= seen) ?? largest;
  return pictureOf(image, region, wholePart, side);
}

/** The part of a row of `count` cells that touches what is visible of it. */
function cellsAround(from: number, to: number, count: number): readonly [start: number, length: number] {
  const first = Math.floor(Math.max(0, from) * count) / count;
  const last = Math.ceil(Math.min(1, to) * count) / count;
  return [first, last - first];
}

/**
 * The picture of the visible part, where the picture of the whole has too few pixels; undefined where it has enough. The part
 * ends at the edges of cells, so that a short movement asks for nothing new. `visible` is in fractions of what is shown.
 */
export function detailPicture(image: Size, region: Rect, seen: number, visible: Rect): WantedPicture | undefined {
  const own = pixelsIn(image, region);
  const wanted = Math.min(seen, Math.max(own.width, own.height));
  if (wanted <= largest) return undefined;
  // Cells of about half the largest side, in steps of powers of two.
  const cells = 2 ** Math.ceil(Math.log2(wanted / (largest / 2)));
  const [x, width] = cellsAround(visible.x, visible.x + visible.width, cells);
  const [y, height] = cellsAround(visible.y, visible.y + visible.height, cells);
  if (width <= 0 || height <= 0) return undefined;
  const place = { x, y, width, height };
  const pixels = pixelsIn(image, regionIn(region, place));
  // The scale, too, has steps, of which the next one is at most 1.5 times what is seen.
  const step = 2 ** (Math.ceil(Math.log2(wanted / largest) * 2) / 2);
  const scale = Math.min(1, (largest * step) / Math.max(own.width, own.height));
  const longSide = Math.min(longestPart, Math.max(pixels.width, pixels.height) * scale);
  return pictureOf(image, region, place, Math.ceil(longSide));
}
