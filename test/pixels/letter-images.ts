/** Images whose pixels say where they lie, from all kinds of writers, and how far pixels of a picture are shifted. */
import { writeFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { buildTiff, type Directory, dataOffset, long, short, type Tag } from '../fixtures/files/tiff.mjs';
import { encodeCodeStream } from './code-stream.ts';

export type Axis = 'x' | 'y';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The samples of one axis: waves of all lengths from 8 pixels up, so that each level shows some that are much longer than its pixels. */
function wavesOf(length: number, axis: Axis): Float64Array {
  const waves = new Float64Array(length);
  let phase = axis === 'x' ? 0.4 : 1.7;
  for (let period = 8; period < 4 * length || period === 8; period *= 1.9) {
    phase += 2.4;
    for (let at = 0; at < length; at++) {
      waves[at] = (waves[at] ?? 0) + 7 * Math.sin(((at + 0.5) / period) * 2 * Math.PI + phase);
    }
  }
  return waves;
}

/** A gray image: each of its pixels is the sum of a value of its column and one of its row. */
export interface Waves extends Size {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

export const wavesImage = (width: number, height: number): Waves => ({
  width,
  height,
  x: wavesOf(width, 'x'),
  y: wavesOf(height, 'y'),
});

/** The mean of the samples from `from` to `to`, which can have fractions. */
function meanOf(samples: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let at = Math.floor(from); at < Math.min(Math.ceil(to), samples.length); at++) {
    sum += (samples[at] ?? 0) * (Math.min(at + 1, to) - Math.max(at, from));
  }
  return sum / (to - from);
}

/** Lanczos of 3 lobes, as wide as the reduction. */
function lanczosOf(samples: Float64Array, from: number, to: number): number {
  const [center, scale] = [(from + to) / 2, Math.max(1, to - from)];
  let [sum, weights] = [0, 0];
  for (let at = Math.floor(center - 3 * scale); at <= center + 3 * scale; at++) {
    const distance = Math.PI * ((at + 0.5 - center) / scale);
    if (Math.abs(distance) >= 3 * Math.PI) continue;
    const weight = distance === 0 ? 1 : (3 * Math.sin(distance) * Math.sin(distance / 3)) / distance ** 2;
    sum += weight * (samples[Math.min(samples.length - 1, Math.max(0, at))] ?? 0);
    weights += weight;
  }
  return sum / weights;
}

const kernels = { box: meanOf, lanczos3: lanczosOf } as const;
export type ReferenceKernel = keyof typeof kernels;

/** `count` pixels of an axis from `a` to `b`: pixel k stands for [a + k (b - a) / n, a + (k + 1) (b - a) / n). */
export function byTheLetter(samples: Float64Array, a: number, b: number, count: number, kernel: ReferenceKernel) {
  const step = (b - a) / count;
  return Float64Array.from({ length: count }, (_, k) => kernels[kernel](samples, a + k * step, a + (k + 1) * step));
}

/** What pixels show, and how that changes for each pixel by which it is shifted. */
export interface Reference {
  readonly values: Float64Array;
  readonly slopes: Float64Array;
}

/** A small part of a pixel, over which slopes are measured. */
const slightly = 1 / 16;

/** The pixels of `byTheLetter` with their slopes. */
export function referenceOf(
  samples: Float64Array,
  a: number,
  b: number,
  count: number,
  kernel: ReferenceKernel,
): Reference {
  const by = (slightly * (b - a)) / count;
  const [before, after] = [-by, by].map((shift) => byTheLetter(samples, a + shift, b + shift, count, kernel));
  const slopes = Float64Array.from(
    { length: count },
    (_, k) => ((after?.[k] ?? 0) - (before?.[k] ?? 0)) / (2 * slightly),
  );
  return { values: byTheLetter(samples, a, b, count, kernel), slopes };
}

function pixelsOf({ width, height, x, y }: Waves): Buffer {
  const pixels = Buffer.alloc(width * height);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      pixels[row * width + column] = Math.round(128 + (x[column] ?? 0) + (y[row] ?? 0));
    }
  }
  return pixels;
}

const reducedBy = (image: Waves, width: number, height: number, spanX: number, spanY: number): Waves => ({
  width,
  height,
  x: byTheLetter(image.x, 0, spanX * width, width, 'box'),
  y: byTheLetter(image.y, 0, spanY * height, height, 'box'),
});

const pageNumber = 297;

/** A TIFF of uncompressed levels in strips, marked as reduced; with page numbers as ImageMagick writes them. */
function stripPyramid(levels: readonly Waves[], hasPageNumbers: boolean): Buffer {
  const data = levels.map((level) => Buffer.concat([pixelsOf(level), Buffer.alloc((level.width * level.height) % 2)]));
  let offset = dataOffset();
  const directories = levels.map((level, index): Directory => {
    const tags: Tag[] = [
      [254, long, [index > 0 ? 1 : 0]],
      [256, long, [level.width]],
      [257, long, [level.height]],
      [258, short, [8]],
      [259, short, [1]],
      [262, short, [1]],
      [273, long, [offset]],
      [277, short, [1]],
      [278, long, [level.height]],
      [279, long, [level.width * level.height]],
      [284, short, [1]],
      ...(hasPageNumbers ? [[pageNumber, short, [index, levels.length]] as const] : []),
    ];
    offset += data[index]?.length ?? 0;
    return { tags };
  });
  return buildTiff(directories, { data });
}

/** The full size, and levels of half the size each, rounded by `round`, while they are larger than 64 pixels. */
function halves(image: Waves, round: (half: number) => number): Waves[] {
  const levels = [image];
  let { width, height } = image;
  while (Math.max(width, height) > 64 && Math.min(width, height) > 1) {
    width = round(width / 2);
    height = round(height / 2);
    levels.push(reducedBy(image, width, height, image.width / width, image.height / height));
  }
  return levels;
}

const codeStream = (image: Waves, lossless: boolean): Promise<Buffer> => {
  const { width, height } = image;
  return encodeCodeStream(pixelsOf(image), { width, height, componentCount: 1 }, lossless);
};

const gray = (image: Waves): Sharp =>
  sharp(pixelsOf(image), { raw: { width: image.width, height: image.height, channels: 1 } }).toColourspace('b-w');

const tiled = { tile: true, pyramid: true, tileWidth: 256, tileHeight: 256 } as const;

/** Each kind of source: the ending of its name, and its bytes. */
export const sourceKinds = {
  PNG: { extension: 'png', make: (image: Waves) => gray(image).png({ compressionLevel: 1 }).toBuffer() },
  JPEG: { extension: 'jpg', make: (image: Waves) => gray(image).jpeg({ quality: 97 }).toBuffer() },
  'strip TIFF': { extension: 'tif', make: (image: Waves) => gray(image).tiff({ compression: 'lzw' }).toBuffer() },
  'pyramid of libvips': {
    extension: 'tif',
    make: (image: Waves) =>
      gray(image)
        .tiff({ compression: 'deflate', ...tiled })
        .toBuffer(),
  },
  'JPEG pyramid of libvips': {
    extension: 'tif',
    make: (image: Waves) =>
      gray(image)
        .tiff({ compression: 'jpeg', quality: 97, ...tiled })
        .toBuffer(),
  },
  'pyramid of ImageMagick': {
    extension: 'tif',
    make: async (image: Waves) => stripPyramid(halves(image, Math.floor), true),
  },
  'pyramid rounded up': {
    extension: 'tif',
    make: async (image: Waves) => stripPyramid(halves(image, Math.ceil), false),
  },
  'JPEG 2000, 5-3': { extension: 'j2k', make: (image: Waves) => codeStream(image, true) },
  'JPEG 2000, 9-7': { extension: 'j2k', make: (image: Waves) => codeStream(image, false) },
} as const;
export type SourceKind = keyof typeof sourceKinds;

export async function writeImage(file: string, image: Waves, kind: SourceKind): Promise<void> {
  await writeFile(file, await sourceKinds[kind].make(image));
}

/** Solves a small system of linear equations by elimination. */
function solve(matrix: number[][], right: number[]): number[] {
  const size = right.length;
  const rows = matrix.map((row, at) => [...row, right[at] ?? 0]);
  for (let column = 0; column < size; column++) {
    const best = rows
      .slice(column)
      .reduce(
        (most, row, at) => (Math.abs(row[column] ?? 0) > Math.abs(rows[most]?.[column] ?? 0) ? column + at : most),
        column,
      );
    [rows[column], rows[best]] = [rows[best] ?? [], rows[column] ?? []];
    const pivot = rows[column] ?? [];
    const divisor = pivot[column] || 1;
    for (const row of rows) {
      if (row === pivot) continue;
      const factor = (row[column] ?? 0) / divisor;
      for (let at = column; at <= size; at++) row[at] = (row[at] ?? 0) - factor * (pivot[at] ?? 0);
    }
  }
  return rows.map((row, at) => (row[size] ?? 0) / (row[at] || 1));
}

const binomial = [1, 4, 6, 4, 1] as const;

/** Without waves of about 2 pixels, in which kernels differ most; the outermost two pixels on each side only count for others. */
function smooth(pixels: Float64Array): Float64Array {
  return Float64Array.from({ length: Math.max(0, pixels.length - 4) }, (_, at) =>
    binomial.reduce((sum, weight, tap) => sum + (weight / 16) * (pixels[at + tap] ?? 0), 0),
  );
}

/**
 * By how many pixels what is seen lies before its place: the shift against a reference that fits best beside another
 * brightness and another contrast, by which kernels differ. Undefined where the reference has too little contrast to tell.
 */
export function shiftOf(pixels: Float64Array, reference: Reference, from: number, to: number): number | undefined {
  const part = (samples: Float64Array): Float64Array => smooth(samples.subarray(Math.max(0, from), to));
  const [shown, values, slopes] = [part(pixels), part(reference.values), part(reference.slopes)];
  const sums = [0, 1, 2].map(() => [0, 0, 0]);
  const right = [0, 0, 0];
  for (const [k, pixel] of shown.entries()) {
    const basis = [1, values[k] ?? 0, slopes[k] ?? 0];
    for (const [row, one] of basis.entries()) {
      right[row] = (right[row] ?? 0) + one * pixel;
      for (const [column, other] of basis.entries()) {
        const line = sums[row] ?? [];
        line[column] = (line[column] ?? 0) + one * other;
      }
    }
  }
  if ((sums[2]?.[2] ?? 0) < 20) return undefined;
  const [, contrast = 0, shifted = 0] = solve(sums, right);
  return contrast > 0.5 ? shifted / contrast : Number.NaN;
}
