import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll } from 'vitest';
import { createAdmission } from '../../src/core/access/admit.ts';
import { anyone, openAccess } from '../../src/core/access/policy.ts';
import type { ImageRequest } from '../../src/core/image/model/image-request.ts';
import { planImage } from '../../src/core/image/plan/plan.ts';
import { Library } from '../../src/core/library/library.ts';
import { execute } from '../../src/core/render/execute.ts';
import { parseQuery } from '../../src/features/digilib/parameters.ts';
import { toImageRequest } from '../../src/features/digilib/scaler-request.ts';
import { parseImagePath } from '../../src/features/iiif-image/image-path.ts';
import type { Version } from '../../src/features/iiif-image/version.ts';

export type Rgb = readonly [number, number, number];

export const red: Rgb = [220, 30, 30];
export const green: Rgb = [30, 200, 30];
export const blue: Rgb = [30, 30, 220];
export const yellow: Rgb = [230, 220, 30];

/** The quarters of a picture: top left, top right, bottom left, bottom right. */
export const quarters = [red, green, blue, yellow] as const;

/** A picture of four plain quarters, which show how it was cropped, mirrored and rotated. */
export function quartered(width: number, height: number, colors: readonly Rgb[] = quarters): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const quarter = (y * 2 >= height ? 2 : 0) + (x * 2 >= width ? 1 : 0);
      pixels.set(colors[quarter] ?? red, (y * width + x) * 3);
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** A folder that is removed after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-pixels-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly format: string | undefined;
  /** Red, green, blue, alpha at fractions of the width and height. */
  at(x: number, y: number): readonly [number, number, number, number];
  /** All samples as RGBA. */
  readonly pixels: Buffer;
}

export async function decode(bytes: Buffer): Promise<Picture> {
  const { format } = await sharp(bytes).metadata();
  const { data, info } = await sharp(bytes)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
  return {
    width: info.width,
    height: info.height,
    format,
    pixels: data,
    at(x, y) {
      const column = Math.min(info.width - 1, Math.floor(x * info.width));
      const row = Math.min(info.height - 1, Math.floor(y * info.height));
      const [r = 0, g = 0, b = 0, a = 0] = data.subarray((row * info.width + column) * 4);
      return [r, g, b, a];
    },
  };
}

/** Renders requests for the images of some folders with the whole pipeline, without HTTP. */
export function createRenderer(...roots: readonly [string, ...string[]]) {
  const library = new Library({
    roots,
    followLinksOutside: false,
    orientation: 'apply',
    onUnreadable: () => undefined,
  });
  const admission = createAdmission(library, openAccess);
  const rules = { limits: { maxArea: 100_000_000 }, sendFile: true };

  async function render(name: string, request: ImageRequest): Promise<Picture> {
    const image = await admission.admit(name, 1, anyone);
    const { plan } = planImage(request, image, rules);
    if (plan.kind === 'send-file') return decode(readFileSync(plan.file.path));
    const { bytes, width, height } = await execute(plan.kind === 'send-tile' ? plan.fallback : plan);
    const picture = await decode(bytes);
    if (picture.width !== width || picture.height !== height)
      throw new Error('the derivative’s size is not as it says');
    return picture;
  }

  return {
    scaler: (name: string, query: string): Promise<Picture> => render(name, toImageRequest(parseQuery(query))),
    iiif(name: string, address: string, version: Version = 3): Promise<Picture> {
      const [region = '', size = '', rotation = '', qualityAndFormat = ''] = address.split('/');
      return render(name, parseImagePath({ region, size, rotation, qualityAndFormat }, version));
    },
  };
}

const names: readonly (readonly [string, Rgb])[] = [
  ['red', red],
  ['green', green],
  ['blue', blue],
  ['yellow', yellow],
  ['white', [255, 255, 255]],
  ['black', [0, 0, 0]],
];

/** The name of the color to which a pixel is close, or its values; `clear` if it is transparent. */
export function nameOf([r, g, b, a]: readonly [number, number, number, number], tolerance = 12): string {
  if (a < 10) return 'clear';
  const found = names.find(
    ([, [nr, ng, nb]]) => Math.max(Math.abs(r - nr), Math.abs(g - ng), Math.abs(b - nb)) <= tolerance,
  );
  return found?.[0] ?? `${r},${g},${b},${a}`;
}

/** The colors of the four quarters of a picture, in reading order. */
export const quartersOf = (picture: Picture): string =>
  [
    [0.25, 0.25],
    [0.75, 0.25],
    [0.25, 0.75],
    [0.75, 0.75],
  ]
    .map(([x = 0, y = 0]) => nameOf(picture.at(x, y)))
    .join(' ');
