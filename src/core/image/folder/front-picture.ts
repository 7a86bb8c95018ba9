/** The wide picture at the top of the start page: a detail of a scan. */
import type { Rect, Size } from '../model/geometry.ts';

/** A setting of it: the path of an image, and the region of it as fractions of its width and height; undefined for a usual one. */
export interface FrontPictureChoice {
  readonly path: string;
  readonly region: Rect | undefined;
}

/** Width to height of the picture. */
const aspect = 2.5;

/** The number of pixels of a large scan that make a detail in which something is recognized. */
const detailWidth = 2400;

/** A wide detail from the middle of an image, a little above its center, as fractions of its width and height. */
export function frontRegion({ width, height }: Size): Rect {
  const wide = Math.min(width, Math.max(width * 0.4, detailWidth), height * 0.6 * aspect);
  const region = { width: wide / width, height: wide / aspect / height };
  return { x: (1 - region.width) / 2, y: (1 - region.height) * 0.42, ...region };
}

const isFraction = (value: number): boolean => value >= 0 && value <= 1;

/**
 * Parses what follows `view/` in the address of a view: the path, and the region in digilib's parameters. Undefined for a
 * malformed one.
 */
export function parseFrontPicture(text: string): FrontPictureChoice | undefined {
  const [encoded = '', query = ''] = text.replace(/^.*?\/?view\//, '').split('?', 2);
  const pairs = new URLSearchParams(query);
  try {
    const path = decodeURIComponent(encoded);
    const [x = 0, y = 0, width = 1, height = 1] = ['wx', 'wy', 'ww', 'wh'].map((name, index) =>
      pairs.has(name) ? Number(pairs.get(name)) : [0, 0, 1, 1][index],
    );
    if (path === '' || ![x, y, width, height].every(isFraction) || width === 0 || height === 0) return undefined;
    const isWhole = width === 1 && height === 1;
    return {
      path,
      region: isWhole ? undefined : { x, y, width: Math.min(width, 1 - x), height: Math.min(height, 1 - y) },
    };
  } catch {
    return undefined;
  }
}
