/** Ramps of sizes that are prone to errors of tiling, and the tiles of their levels. */
import path from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { expect } from 'vitest';
import type { Picture } from './pictures.ts';

/** Sizes that are prone to errors of tiling: primes, single pixels, powers of two and their neighbors. */
export const sizes: readonly (readonly [number, number])[] = [
  [1, 1],
  [1, 3073],
  [3073, 1],
  [2, 2],
  [3, 1021],
  [511, 513],
  [512, 512],
  [513, 511],
  [1023, 1025],
  [1024, 1024],
  [1025, 1023],
  [2047, 640],
  [2048, 2048],
  [2049, 700],
  [3072, 515],
  [3073, 3073],
  [127, 4099],
  [4099, 131],
  [997, 991],
  [1009, 2003],
  [1531, 1013],
  [2503, 1361],
  [600, 400],
  [769, 1537],
  [1537, 769],
];

/** Tiled with a pyramid, and plain. */
export const kinds = ['tif', 'png'] as const;
export type Kind = (typeof kinds)[number];

/** The side of the tiles that info.json names. */
export const sideOf = (kind: Kind): number => (kind === 'tif' ? 256 : 512);

/** The pixels that were made last: many tests in a row need the same. */
let last: { readonly key: string; readonly pixels: Buffer } = { key: '', pixels: Buffer.alloc(0) };

/** Smooth ramps in red and green. */
export function ramp(width: number, height: number): Sharp {
  const key = `${width}x${height}`;
  if (last.key !== key) last = { key, pixels: rampPixels(width, height) };
  return sharp(last.pixels, { raw: { width, height, channels: 3 } });
}

function rampPixels(width: number, height: number): Buffer {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3;
      pixels[at] = Math.round((x * 255) / Math.max(1, width - 1));
      pixels[at + 1] = Math.round((y * 255) / Math.max(1, height - 1));
      pixels[at + 2] = 128;
    }
  }
  return pixels;
}

export const nameOf = (width: number, height: number, kind: string): string => `ramp-${width}x${height}.${kind}`;

export async function writeRamps(folder: string, of: readonly (readonly [number, number])[]): Promise<void> {
  for (const [width, height] of of) {
    await ramp(width, height)
      .tiff({ compression: 'deflate', tile: true, tileWidth: 256, tileHeight: 256, pyramid: true })
      .toFile(path.join(folder, nameOf(width, height, 'tif')));
    await ramp(width, height)
      .png({ compressionLevel: 1 })
      .toFile(path.join(folder, nameOf(width, height, 'png')));
  }
}

/** The scale factors of an image: until it fits into a tile. */
export function levelFactors(width: number, height: number, kind: Kind): readonly number[] {
  const side = sideOf(kind);
  // If the whole width or height is within the first pixel, compare with the existing pixels instead of their repetition.
  const most = Math.min(width, height) <= 2 ? Number.POSITIVE_INFINITY : Math.min(width, height);
  const factors: number[] = [];
  for (let factor = 1; factor === 1 || (Math.max(width, height) > (side * factor) / 2 && factor <= most); factor *= 2) {
    factors.push(factor);
  }
  return factors;
}

export interface Tile {
  /** In pixels of the image. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly picture: Picture;
}

/** The level of an image that is reduced by a factor, and the side of its tiles. */
export interface TiledLevel {
  readonly width: number;
  readonly height: number;
  readonly factor: number;
  readonly side: number;
}

export async function tilesOf(
  iiif: (name: string, address: string) => Promise<Picture>,
  name: string,
  { width, height, factor, side }: TiledLevel,
): Promise<Tile[]> {
  const level = { width: Math.ceil(width / factor), height: Math.ceil(height / factor) };
  const tiles: Tile[] = [];
  for (let y = 0; y < level.height; y += side) {
    for (let x = 0; x < level.width; x += side) {
      const [w, h] = [Math.min(side, level.width - x), Math.min(side, level.height - y)];
      const [left, top] = [x * factor, y * factor];
      const size = { width: Math.min(w * factor, width - left), height: Math.min(h * factor, height - top) };
      const picture = await iiif(name, `${left},${top},${size.width},${size.height}/${w},${h}/0/default.png`);
      expect([picture.width, picture.height]).toEqual([w, h]);
      tiles.push({ left, top, ...size, picture });
    }
  }
  return tiles;
}
