/** Compares a pyramid with its source: the whole as a small picture, and the tiles in two corners at full size. */
import sharp from 'sharp';
import type { Rect, Size } from '../image/model/geometry.ts';
import type { Resolution } from '../image/model/image-set.ts';
import { planPart } from '../image/plan/plan-render.ts';
import { execute } from '../render/execute.ts';

/** A region of the image, and the size at which it is compared. */
interface Sample {
  readonly region: Rect;
  readonly size: Size;
}

/** The longer side of the small picture of the whole. */
const overviewSide = 256;

/** Means of squares of this many pixels are compared: single pixels differ by JPEG's loss and by the kernel of each level. */
const cellSide = 8;

/** The largest mean difference: that of JPEG's loss is far less, that of another picture far more. */
const tolerance = 6;

const scaledBy = ({ width, height }: Size, factor: number): Size => ({
  width: Math.max(1, Math.round(width * factor)),
  height: Math.max(1, Math.round(height * factor)),
});

function samplesOf(image: Size, tile: Size): readonly Sample[] {
  const whole = { x: 0, y: 0, width: image.width, height: image.height };
  const overview = Math.min(1, overviewSide / Math.max(image.width, image.height));
  const [width, height] = [Math.min(tile.width, image.width), Math.min(tile.height, image.height)];
  // Opposite ones are enough: of a source without tiles, the last rows are decoded with all others, for each corner that has them.
  const corners = [
    { x: 0, y: 0, width, height },
    { x: image.width - width, y: image.height - height, width, height },
  ];
  return [
    { region: whole, size: scaledBy(image, overview) },
    ...corners.map((region) => ({ region, size: { width, height } })),
  ];
}

/** The mean color of each cell of an RGB picture. */
function cellMeans(samples: Buffer, { width, height }: Size): Float64Array {
  const columns = Math.ceil(width / cellSide);
  const cells = columns * Math.ceil(height / cellSide);
  const [sums, counts] = [new Float64Array(cells * 3), new Float64Array(cells * 3)];
  for (let pixel = 0; pixel < width * height; pixel++) {
    const row = Math.floor(pixel / width);
    const cell = Math.floor(row / cellSide) * columns + Math.floor((pixel - row * width) / cellSide);
    for (let channel = 0; channel < 3; channel++) {
      const index = cell * 3 + channel;
      sums[index] = (sums[index] ?? 0) + (samples[pixel * 3 + channel] ?? 0);
      counts[index] = (counts[index] ?? 0) + 1;
    }
  }
  return sums.map((sum, index) => sum / (counts[index] ?? 1));
}

async function meansOf(resolution: Resolution, { region, size }: Sample): Promise<Float64Array> {
  const { bytes } = await execute(planPart(resolution, region, size, 'png'));
  const { data, info } = await sharp(bytes).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  if (info.width !== size.width || info.height !== size.height || info.channels !== 3) {
    throw new Error('A picture for comparison has the wrong size or number of channels.');
  }
  return cellMeans(data, size);
}

function meanDifference(one: Float64Array, other: Float64Array): number {
  const sum = one.reduce((total, value, index) => total + Math.abs(value - (other[index] ?? 0)), 0);
  return sum / one.length;
}

/** The region where a pyramid differs from its source, as a sentence; undefined where there is none. */
export async function compareWithSource(source: Resolution, pyramid: Resolution): Promise<string | undefined> {
  const tile = pyramid.levels[0].tile ?? pyramid;
  for (const sample of samplesOf(source, tile)) {
    const difference = meanDifference(await meansOf(source, sample), await meansOf(pyramid, sample));
    if (difference <= tolerance) continue;
    const { x, y, width, height } = sample.region;
    return `The pyramid shows something else than its source at ${x},${y},${width},${height}: ${difference.toFixed(1)} of 255 on average.`;
  }
  return undefined;
}
