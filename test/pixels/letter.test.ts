/** Every pixel of every tile stands for the part of the image that the Image API says (3.0, section 4.2). */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createAdmission } from '../../src/core/access/admit.ts';
import { anyone, openAccess } from '../../src/core/access/policy.ts';
import type { Rect, Size } from '../../src/core/image/model/geometry.ts';
import type { Admitted, ImageSet } from '../../src/core/image/model/image-set.ts';
import { planImage } from '../../src/core/image/plan/plan.ts';
import { Library } from '../../src/core/library/library.ts';
import { execute } from '../../src/core/render/execute.ts';
import { createTileReader } from '../../src/core/render/tiles/tile-reader.ts';
import { Storages } from '../../src/core/storage/storages.ts';
import { tilingOf } from '../../src/features/iiif-image/image-information.ts';
import { parseImagePath } from '../../src/features/iiif-image/image-path.ts';
import { randomIntegers } from '../fixtures/files/random.mjs';
import { sampleOf } from '../sweep.ts';
import {
  byTheLetter,
  type ReferenceKernel,
  referenceOf,
  type SourceKind,
  shiftOf,
  sourceKinds,
  type Waves,
  wavesImage,
  writeImage,
} from './letter-images.ts';
import { temporaryFolder } from './pictures.ts';

/** Powers of two, their neighbors, primes and thin images. */
const sizes: readonly (readonly [number, number])[] = [
  [1024, 1024],
  [1023, 1025],
  [1025, 1023],
  [2047, 515],
  [2048, 512],
  [2049, 513],
  [513, 2049],
  [511, 2047],
  [1, 777],
  [777, 1],
  [4099, 33],
  [33, 4099],
  [3073, 131],
  [997, 991],
  [1009, 2003],
  [1531, 1013],
  [2503, 761],
  [600, 400],
  [769, 1537],
  [1001, 999],
];

const kinds = Object.keys(sourceKinds) as SourceKind[];

/** Three kinds for each size, all kinds in turn. */
const images = sizes.flatMap(([width, height], index) =>
  [0, 1, 2].map((turn) => ({
    width,
    height,
    kind: kinds[(index * 3 + turn + Math.floor(index / 3)) % kinds.length] ?? 'PNG',
  })),
);

/** The bound of the issue, in pixels of the result. */
const maxShift = 0.25;

const folder = temporaryFolder();
const library = new Library({
  roots: [folder],
  followLinksOutside: false,
  orientation: 'apply',
  onUnreadable: (_, reason) => {
    throw new Error(String(reason));
  },
});
const admission = createAdmission(library, openAccess);
const storages = new Storages();
const tileReader = createTileReader((file) => storages.handle(file));

/** A tile as viewers request it: a region of the image, and its size rounded up. */
interface Tile {
  readonly region: Rect;
  readonly size: Size;
}

/** The first, a middle one, and the last two of a row of tiles. */
const someOf = (count: number): number[] =>
  [...new Set([0, Math.floor(count / 2), count - 2, count - 1])].filter((at) => at >= 0 && at < count);

/** As OpenSeadragon and the notes of the specification tile an image: each is drawn where its region lies (TileSource.getTileBounds). */
function tilesOf(full: Size, tile: Size, factor: number): Tile[] {
  const [w, h] = [tile.width * factor, tile.height * factor];
  return someOf(Math.ceil(full.height / h)).flatMap((row) =>
    someOf(Math.ceil(full.width / w)).map((column) => {
      const [x, y] = [column * w, row * h];
      const region = { x, y, width: Math.min(w, full.width - x), height: Math.min(h, full.height - y) };
      return { region, size: { width: Math.ceil(region.width / factor), height: Math.ceil(region.height / factor) } };
    }),
  );
}

/** Regions of any place and size, reduced or enlarged by any factor. */
function regionsOf(full: Size): Tile[] {
  const random = randomIntegers(full.width + full.height);
  return Array.from({ length: 6 }, () => {
    const [width, height] = [1 + (random() % full.width), 1 + (random() % full.height)];
    const [x, y] = [random() % (full.width - width + 1), random() % (full.height - height + 1)];
    const factor = 0.6 + (random() % 700) / 100;
    const scaled = (length: number): number => Math.max(1, Math.round(length / factor));
    return { region: { x, y, width, height }, size: { width: scaled(width), height: scaled(height) } };
  });
}

interface GrayPicture extends Size {
  readonly columns: Float64Array;
  readonly rows: Float64Array;
}

/** The mean of each column and of each row of a picture. */
async function meansOf(bytes: Buffer): Promise<GrayPicture> {
  const { data, info } = await sharp(bytes)
    .toColourspace('b-w')
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const [columns, rows] = [new Float64Array(width), new Float64Array(height)];
  for (let at = 0; at < data.length; at++) {
    const [column, row] = [at % width, Math.floor(at / width)];
    columns[column] = (columns[column] ?? 0) + (data[at] ?? 0) / height;
    rows[row] = (rows[row] ?? 0) + (data[at] ?? 0) / width;
  }
  return { width, height, columns, rows };
}

async function picture(image: Admitted<ImageSet>, { region, size }: Tile, format: string): Promise<Buffer> {
  const { x, y, width, height } = region;
  const request = parseImagePath(
    {
      region: `${x},${y},${width},${height}`,
      size: `^${size.width},${size.height}`,
      rotation: '0',
      qualityAndFormat: `default.${format}`,
    },
    3,
  );
  const { plan } = planImage(request, image, { limits: { maxArea: 1e8 }, sendFile: false });
  if (plan.kind === 'send-file') return readFileSync(plan.file.path);
  if (plan.kind === 'send-tile') {
    const read = await tileReader.read(plan);
    return read.kind === 'tile' ? read.bytes : (await execute(plan.fallback)).bytes;
  }
  return (await execute(plan)).bytes;
}

/** Shorter rows are too short to tell a shift from a contrast. */
const minLength = 12;
const windowLength = 28;

/** The largest shift along one axis of a tile: at its begin, in its middle, at its end. */
function shiftBeside(
  kernel: ReferenceKernel,
  pixels: Float64Array,
  samples: Float64Array,
  from: number,
  length: number,
): number {
  const reference = referenceOf(samples, from, from + length, pixels.length, kernel);
  const count = pixels.length;
  if (count < minLength) return 0;
  const middle = Math.max(0, Math.floor((count - windowLength) / 2));
  const windows = [
    [0, windowLength],
    [middle, middle + windowLength],
    [count - windowLength, count],
  ] as const;
  const shifts = windows.map(([start, end]) => Math.abs(shiftOf(pixels, reference, start, end) ?? 0));
  return Number.isNaN(Math.max(...shifts)) ? Number.POSITIVE_INFINITY : Math.max(...shifts);
}

/** Against both kernels: whatever the renderer uses, the place is the same. */
const worstShift = (...axis: [pixels: Float64Array, samples: Float64Array, from: number, length: number]): number =>
  Math.max(shiftBeside('lanczos3', ...axis), shiftBeside('box', ...axis));

const meanOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;

interface Finding {
  readonly shift: number;
  /** The difference of the mean of the tile from that of its region, in 255ths. */
  readonly brightness: number;
  readonly where: string;
}

async function findingsOf(name: string, waves: Waves): Promise<Finding[]> {
  const image = await admission.admit(name, 1, anyone);
  const { tile, scaleFactors } = tilingOf(image);
  const format = name.includes('JPEG-pyramid') ? 'jpg' : 'png';
  const found: Finding[] = [];
  for (const factor of scaleFactors) {
    for (const one of [...tilesOf(waves, tile, factor), ...(factor === 1 ? regionsOf(waves) : [])]) {
      const { region, size } = one;
      const shown = await meansOf(await picture(image, one, format));
      expect([shown.width, shown.height], name).toEqual([size.width, size.height]);
      const across = worstShift(shown.columns, waves.x, region.x, region.width);
      const down = worstShift(shown.rows, waves.y, region.y, region.height);
      const expected =
        128 +
        meanOf(byTheLetter(waves.x, region.x, region.x + region.width, size.width, 'box')) +
        meanOf(byTheLetter(waves.y, region.y, region.y + region.height, size.height, 'box'));
      found.push({
        shift: Math.max(across, down),
        brightness: Math.abs(meanOf(shown.columns) - expected),
        where: `${Object.values(region).join()} at ${size.width},${size.height}: ${across.toFixed(3)} across, ${down.toFixed(3)} down`,
      });
    }
  }
  return found;
}

describe('the measure', () => {
  it.each([
    ['lanczos3', 0],
    ['lanczos3', 0.125],
    ['lanczos3', 0.25],
    ['box', 0],
    ['box', 0.125],
    ['box', 0.25],
  ] as const)('says of pixels of %s that they are shifted by %d pixels, for each reference', (kernel, shift) => {
    const { x } = wavesImage(2049, 1);
    for (const factor of [1, 2, 8]) {
      const count = Math.ceil(1025 / factor);
      const shifted = byTheLetter(x, 512 + shift * factor, 1537 + shift * factor, count, kernel);
      const measured = worstShift(shifted, x, 512, 1025);
      expect(Math.abs(measured - shift)).toBeLessThan(0.02);
    }
  });
});

describe('every level, composed of its tiles, lies where the letter says', () => {
  it.each(sampleOf(images, 20))('$width x $height, $kind', { tags: 'sampled' }, async ({ width, height, kind }) => {
    const waves = wavesImage(width, height);
    const name = `${kind.replaceAll(/[ ,]+/g, '-')}-${width}x${height}.${sourceKinds[kind].extension}`;
    await writeImage(path.join(folder, name), waves, kind);
    const found = await findingsOf(name, waves);
    const worst = found.reduce((most, one) => (one.shift > most.shift ? one : most));
    expect(worst.shift, worst.where).toBeLessThanOrEqual(maxShift);
    for (const { brightness, where } of found) expect(brightness, where).toBeLessThan(4);
  });
});
