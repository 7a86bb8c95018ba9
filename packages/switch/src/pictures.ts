/** Compares two pictures: their sizes, and their colors at a common small size. */
import sharp, { type ResizeOptions, type Sharp } from 'sharp';
import { same, type Verdict } from './causes.ts';

/** Both pictures are reduced to a square of this side, whatever their shapes. */
const side = 64;

/** In pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A picture's own size, and its red, green and blue samples at the common size. */
export interface Raster {
  readonly size: Size;
  readonly samples: Uint8Array;
}

/** The pixels of a picture reduced to a square, in sRGB; transparent ones become mid-gray. */
const reduced = (picture: Sharp, maxSide: number, options: ResizeOptions): Sharp =>
  picture
    .flatten({ background: '#808080' })
    .resize(maxSide, maxSide, options)
    .toColourspace('srgb')
    .removeAlpha()
    .raw({ depth: 'uchar' });

/** Decodes and reduces a picture. Rejects if the bytes are not a picture. */
async function readRaster(bytes: Buffer): Promise<Raster> {
  const { width, height } = await sharp(bytes).metadata();
  const samples = await reduced(sharp(bytes), side, { fit: 'fill' }).toBuffer();
  return { size: { width, height }, samples };
}

const meanDifference = (a: Uint8Array, b: Uint8Array): number => {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += Math.abs((a[index] ?? 0) - (b[index] ?? 0));
  return sum / a.length;
};

/** The mean red, green and blue of the nine cells of a 3x3 grid. */
function cellMeans(samples: Uint8Array): readonly number[] {
  const sums = new Array<number>(27).fill(0);
  const counts = new Array<number>(27).fill(0);
  for (let at = 0; at < samples.length; at++) {
    const pixel = Math.floor(at / 3);
    const [row, column] = [Math.floor((Math.floor(pixel / side) * 3) / side), Math.floor(((pixel % side) * 3) / side)];
    const cell = (row * 3 + column) * 3 + (at % 3);
    sums[cell] = (sums[cell] ?? 0) + (samples[at] ?? 0);
    counts[cell] = (counts[cell] ?? 0) + 1;
  }
  return sums.map((sum, cell) => sum / (counts[cell] ?? 1));
}

/** How far two rasters are from each other, 0 to 255: the mean over all samples, or over one of nine cells if that is more. */
export function distanceOf(a: Uint8Array, b: Uint8Array): number {
  const cells = cellMeans(b);
  const largest = Math.max(...cellMeans(a).map((mean, cell) => Math.abs(mean - (cells[cell] ?? 0))));
  return Math.max(meanDifference(a, b), largest);
}

type Turn = (x: number, y: number) => readonly [x: number, y: number];

const last = side - 1;

/** EXIF orientations 2 to 8: which pixel of the stored picture each pixel of the turned picture is. */
const turns: readonly { readonly isTransposed: boolean; readonly from: Turn }[] = [
  { isTransposed: false, from: (x, y) => [last - x, y] },
  { isTransposed: false, from: (x, y) => [last - x, last - y] },
  { isTransposed: false, from: (x, y) => [x, last - y] },
  { isTransposed: true, from: (x, y) => [y, x] },
  { isTransposed: true, from: (x, y) => [y, last - x] },
  { isTransposed: true, from: (x, y) => [last - y, last - x] },
  { isTransposed: true, from: (x, y) => [last - y, x] },
];

function turned(samples: Uint8Array, from: Turn): Uint8Array {
  const result = new Uint8Array(samples.length);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const [column, row] = from(x, y);
      const at = (row * side + column) * 3;
      result.set(samples.subarray(at, at + 3), (y * side + x) * 3);
    }
  }
  return result;
}

/** Whether one picture is as wide to its height as the other is high to its width; for nearly square pictures this is always true. */
function areTransposed(a: Size, b: Size): boolean {
  const ratio = (a.width / a.height) * (b.width / b.height);
  return Math.abs(ratio - 1) < 0.05;
}

const haveSameShape = (a: Size, b: Size): boolean => Math.abs((a.width / a.height / b.width) * b.height - 1) < 0.05;

/** Whether the new picture is the old one, turned as an EXIF orientation would have it. */
function isTurned(old: Raster, now: Raster, tolerance: number): boolean {
  return turns.some(
    ({ isTransposed, from }) =>
      (isTransposed ? areTransposed : haveSameShape)(old.size, now.size) &&
      distanceOf(turned(old.samples, from), now.samples) <= tolerance,
  );
}

/** The value that an sRGB value becomes when it is taken for linear light and encoded again. */
const brightened = Uint8Array.from({ length: 256 }, (_, value) => {
  const light = value / 255;
  return Math.round(255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055));
});

/** Larger pictures are reduced before they are brightened, which needs all samples in memory. */
const maxBrightenedSide = 1024;

/** The picture as digilib gives it when it scales a gray image: brightened, sample by sample, before it is reduced. */
async function readBrightened(bytes: Buffer): Promise<Uint8Array> {
  const picture = reduced(sharp(bytes), maxBrightenedSide, { fit: 'inside', withoutEnlargement: true });
  const { data, info } = await picture.toBuffer({ resolveWithObject: true });
  for (let at = 0; at < data.length; at++) data[at] = brightened[data[at] ?? 0] ?? 0;
  const { width, height, channels } = info;
  return sharp(data, { raw: { width, height, channels } }).resize(side, side, { fit: 'fill' }).raw().toBuffer();
}

function isGray(samples: Uint8Array): boolean {
  for (let at = 0; at < samples.length; at += 3) {
    const [red = 0, green = 0, blue = 0] = samples.subarray(at, at + 3);
    if (Math.max(red, green, blue) - Math.min(red, green, blue) > 6) return false;
  }
  return true;
}

type Measure = (red: number, green: number, blue: number) => number;

const brightness: Measure = (red, green, blue) => red + green + blue;

/** A value that grows with the luminance, for each color operation that begins with the luminance: digilib weighs it otherwise. */
const measures: Readonly<Record<string, Measure>> = {
  GRAYSCALE: brightness,
  BITONAL: brightness,
  MAP_GRAY_BGR: (red, _, blue) => red - blue,
};

const measured = (samples: Uint8Array, measure: Measure): readonly number[] =>
  Array.from({ length: samples.length / 3 }, (_, pixel) => {
    const [red = 0, green = 0, blue = 0] = samples.subarray(pixel * 3, pixel * 3 + 3);
    return measure(red, green, blue);
  });

/** Pearson's correlation; 1 where one of the two lists has the same value everywhere. */
function correlationOf(a: readonly number[], b: readonly number[]): number {
  const mean = (list: readonly number[]): number => list.reduce((sum, value) => sum + value, 0) / list.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  let [both, squaresA, squaresB] = [0, 0, 0];
  for (const [at, value] of a.entries()) {
    const [offA, offB] = [value - meanA, (b[at] ?? 0) - meanB];
    both += offA * offB;
    squaresA += offA * offA;
    squaresB += offB * offB;
  }
  return squaresA * squaresB === 0 ? 1 : both / Math.sqrt(squaresA * squaresB);
}

/** Pictures with a lower correlation show different things, not the same in other grays. */
const leastCorrelation = 0.7;

/** Whether the color operation depends on luminance, and that of both pictures correlates. */
function hasOtherLuminance(old: Raster, now: Raster, colop: string): boolean {
  const measure = measures[colop.toUpperCase()];
  if (measure === undefined) return false;
  return correlationOf(measured(old.samples, measure), measured(now.samples, measure)) >= leastCorrelation;
}

const formatSize = ({ width, height }: Size): string => `${width}x${height}`;

const areNear = (a: Size, b: Size, pixels: number): boolean =>
  Math.abs(a.width - b.width) <= pixels && Math.abs(a.height - b.height) <= pixels;

/** Whether the new picture is the old one, larger or smaller by the factor that only the new server uses. */
function isScaledByWs(old: Raster, now: Raster, ws: number, tolerance: number): boolean {
  const scaled = { width: old.size.width * ws, height: old.size.height * ws };
  return ws !== 1 && areNear(scaled, now.size, 1 + ws) && distanceOf(old.samples, now.samples) <= tolerance;
}

/** Both pictures and their request. */
export interface PicturePair {
  readonly old: Buffer;
  readonly now: Buffer;
  /** How far apart samples may be, 0 to 255. */
  readonly tolerance: number;
  /** The parameters of a Scaler request; IIIF requests have none. */
  readonly parameters: ReadonlyMap<string, string>;
}

function compareSizes(old: Raster, now: Raster, { tolerance, parameters }: PicturePair): Verdict {
  const detail = `${formatSize(now.size)} instead of ${formatSize(old.size)}`;
  if (isTurned(old, now, tolerance)) return { cause: 'upright', detail };
  if (isScaledByWs(old, now, Number(parameters.get('ws') ?? 1), tolerance)) return { cause: 'factor-ws', detail };
  return { cause: 'other-size', detail };
}

/** Finds how the new picture differs. Rejects if one of them is not a picture. */
export async function comparePictures(pair: PicturePair): Promise<Verdict> {
  const { tolerance, parameters } = pair;
  const [old, now] = [await readRaster(pair.old), await readRaster(pair.now)];
  if (!areNear(old.size, now.size, 1)) return compareSizes(old, now, pair);
  const distance = distanceOf(old.samples, now.samples);
  if (distance <= tolerance) return same;
  const detail = `${distance.toFixed(1)} of 255 apart`;
  if (isGray(now.samples) && distanceOf(old.samples, await readBrightened(pair.now)) <= tolerance) {
    return { cause: 'gray-values', detail };
  }
  if (hasOtherLuminance(old, now, parameters.get('colop') ?? '')) return { cause: 'gray-weights', detail };
  return { cause: isTurned(old, now, tolerance) ? 'upright' : 'picture-differs', detail };
}
