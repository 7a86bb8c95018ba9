import path from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { sampleOf } from '../sweep.ts';
import { byTheLetter } from './letter-images.ts';
import { createRenderer, type Picture, temporaryFolder } from './pictures.ts';

const folder = temporaryFolder();
const { iiif } = createRenderer(folder);

/** Sizes that are prone to errors of tiling: primes, single pixels, powers of two and their neighbors. */
const sizes: readonly (readonly [number, number])[] = [
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
const kinds = ['tif', 'png'] as const;

/** The pixels that were made last: many tests in a row need the same. */
let last: { readonly key: string; readonly pixels: Buffer } = { key: '', pixels: Buffer.alloc(0) };

/** Smooth ramps in red and green. */
function ramp(width: number, height: number): Sharp {
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

const rampOf = (length: number): Float64Array =>
  Float64Array.from({ length }, (_, at) => Math.round((at * 255) / Math.max(1, length - 1)));

const nameOf = (width: number, height: number, kind: string): string => `ramp-${width}x${height}.${kind}`;

beforeAll(async () => {
  for (const [width, height] of sizes) {
    await ramp(width, height)
      .tiff({ compression: 'deflate', tile: true, tileWidth: 256, tileHeight: 256, pyramid: true })
      .toFile(path.join(folder, nameOf(width, height, 'tif')));
    await ramp(width, height)
      .png({ compressionLevel: 1 })
      .toFile(path.join(folder, nameOf(width, height, 'png')));
  }
}, 120_000);

interface Tile {
  /** In pixels of the image. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly picture: Picture;
}

async function tilesOf(name: string, width: number, height: number, factor: number, side: number): Promise<Tile[]> {
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

/** The largest difference of any pixel of any tile from what the letter of the Image API says of it. */
function worst(tiles: readonly Tile[], across: Float64Array, down: Float64Array): number {
  let largest = 0;
  for (const { left, top, width, height, picture } of tiles) {
    const red = byTheLetter(across, left, left + width, picture.width, 'lanczos3');
    const green = byTheLetter(down, top, top + height, picture.height, 'lanczos3');
    for (let at = 0; at < picture.pixels.length; at += 4) {
      const [column, row] = [(at / 4) % picture.width, Math.floor(at / 4 / picture.width)];
      const expected = [red[column] ?? 0, green[row] ?? 0, 128];
      for (const [channel, value] of expected.entries()) {
        const distance = Math.abs((picture.pixels[at + channel] ?? 0) - value);
        if (distance > largest) largest = distance;
      }
    }
  }
  return largest;
}

describe('every level composed of its tiles shows what the letter says, within 2 of 255 and an eighth of a pixel', () => {
  const cases = sizes.flatMap(([width, height]) => kinds.map((kind) => [width, height, kind] as const));
  test.each(sampleOf(cases, 16))('%d x %d, %s', { tags: 'sampled' }, async (width, height, kind) => {
    const name = nameOf(width, height, kind);
    const side = kind === 'tif' ? 256 : 512;
    // If the whole width or height is within the first pixel, compare with the existing pixels instead of their repetition.
    const most = Math.min(width, height) <= 2 ? Number.POSITIVE_INFINITY : Math.min(width, height);
    for (
      let factor = 1;
      factor === 1 || (Math.max(width, height) > (side * factor) / 2 && factor <= most);
      factor *= 2
    ) {
      const tiles = await tilesOf(name, width, height, factor, side);
      // What an eighth of a pixel makes, the bound of planned shifts.
      const ofShift = (255 * factor) / Math.max(2, Math.min(width, height)) / 8;
      expect(worst(tiles, rampOf(width), rampOf(height)), `factor ${factor}`).toBeLessThanOrEqual(2 + ofShift);
    }
  });
});
