/** Computes pixels of a part that begins or ends within the pixels that it is made of. */
import type { Kernel } from '../image/model/image-request.ts';
import type { Resample } from '../image/plan/plan-types.ts';

interface Weighting {
  /** Pixels on each side that contribute. */
  readonly reach: number;
  /** The weight of a pixel at a distance in pixels. */
  readonly weight: (distance: number) => number;
}

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

/** The kernels as libvips defines them; cubic is Catmull-Rom. */
const weightings: Readonly<Record<Kernel, Weighting>> = {
  nearest: { reach: 0.5, weight: () => 1 },
  linear: { reach: 1, weight: (x) => 1 - Math.abs(x) },
  cubic: {
    reach: 2,
    weight: (signed) => {
      const x = Math.abs(signed);
      return x < 1 ? (1.5 * x - 2.5) * x * x + 1 : ((-0.5 * x + 2.5) * x - 4) * x + 2;
    },
  },
  lanczos3: { reach: 3, weight: (x) => sinc(x) * sinc(x / 3) },
};

/** Of each pixel of an axis: the first that contributes to it, and the weights of this and the following ones. */
interface Taps {
  readonly firsts: Int32Array;
  /** `count` for each pixel, which sum up to 1. */
  readonly weights: Float64Array;
  readonly count: number;
}

/**
 * Pixels beyond an edge are those within, reflected at the outermost in place and value, so that slopes continue: what of a
 * part lies there is less than a pixel.
 */
function tapsOf(from: number, length: number, output: number, stored: number, kernel: Kernel): Taps {
  const step = length / output;
  const { reach, weight } = weightings[kernel];
  const width = kernel === 'nearest' ? 1 : Math.max(1, step);
  const count = Math.min(stored, Math.ceil(2 * reach * width));
  const firsts = new Int32Array(output);
  const weights = new Float64Array(output * count);
  for (let at = 0; at < output; at++) {
    const center = from + (at + 0.5) * step;
    const begin = Math.ceil(center - reach * width - 0.5);
    const first = Math.min(Math.max(begin, 0), stored - count);
    firsts[at] = first;
    let sum = 0;
    const add = (pixel: number, share: number): void => {
      const slot = at * count + Math.min(Math.max(pixel, first), first + count - 1) - first;
      weights[slot] = (weights[slot] ?? 0) + share;
    };
    for (let pixel = begin; pixel + 0.5 < center + reach * width; pixel++) {
      const share = weight((pixel + 0.5 - center) / width);
      const inside = Math.min(Math.max(pixel, 0), stored - 1);
      add(inside, pixel === inside ? share : 2 * share);
      if (pixel !== inside) add(2 * inside - pixel, -share);
      sum += share;
    }
    for (let slot = at * count; slot < (at + 1) * count; slot++) weights[slot] = (weights[slot] ?? 0) / sum;
  }
  return { firsts, weights, count };
}

export interface Samples {
  /** Interleaved samples of 8 bits; the last of 2 or 4 channels is alpha. */
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
}

const hasAlpha = (channels: number): boolean => channels === 2 || channels === 4;

/** Colors multiplied by alpha, so that those of transparent pixels don't count. */
function premultiplied({ data, channels }: Samples): Float32Array | Uint8Array {
  if (!hasAlpha(channels)) return data;
  const samples = new Float32Array(data.length);
  for (let at = 0; at < data.length; at += channels) {
    const alpha = data[at + channels - 1] ?? 0;
    for (let channel = 0; channel < channels - 1; channel++) {
      samples[at + channel] = ((data[at + channel] ?? 0) * alpha) / 255;
    }
    samples[at + channels - 1] = alpha;
  }
  return samples;
}

/** Divides the colors of a row by its alpha. */
function divideByAlpha(row: Float64Array, channels: number): void {
  for (let at = 0; at < row.length; at += channels) {
    const alpha = row[at + channels - 1] ?? 0;
    const factor = alpha > 0 ? 255 / alpha : 0;
    for (let channel = 0; channel < channels - 1; channel++) row[at + channel] = (row[at + channel] ?? 0) * factor;
  }
}

/** Rows that are added at once: as many as Lanczos needs at the least. */
const rowsAtOnce = 6;

/** A row of samples with fractions; as doubles, since V8 converts every number of 4 bytes that it reads and writes. */
type SumRow = Float64Array;

/** Sets the sum to six weighted rows, of which the first begins at `at`; rows that don't count may lie beyond the last one. */
function sumRows(sum: SumRow, samples: ArrayLike<number>, at: number, { weights, count }: Taps, tap: number): void {
  const length = sum.length;
  const weightOf = (row: number): number => (row < count ? (weights[tap + row] ?? 0) : 0);
  const placeOf = (row: number): number => (row < count ? at + row * length : at);
  // Not as arrays that are taken apart: V8 doesn't know then that these are numbers, and the loop takes 1.4 times as long.
  const w1 = weightOf(0);
  const w2 = weightOf(1);
  const w3 = weightOf(2);
  const w4 = weightOf(3);
  const w5 = weightOf(4);
  const w6 = weightOf(5);
  const at2 = placeOf(1);
  const at3 = placeOf(2);
  const at4 = placeOf(3);
  const at5 = placeOf(4);
  const at6 = placeOf(5);
  for (let x = 0; x < length; x++) {
    sum[x] =
      w1 * (samples[at + x] ?? 0) +
      w2 * (samples[at2 + x] ?? 0) +
      w3 * (samples[at3 + x] ?? 0) +
      w4 * (samples[at4 + x] ?? 0) +
      w5 * (samples[at5 + x] ?? 0) +
      w6 * (samples[at6 + x] ?? 0);
  }
}

function addRow(sum: SumRow, samples: ArrayLike<number>, at: number, weight: number): void {
  if (weight === 0) return;
  const { length } = sum;
  for (let x = 0; x < length; x++) sum[x] = (sum[x] ?? 0) + weight * (samples[at + x] ?? 0);
}

/** The weighted sum of the rows that contribute to a row of the result. */
function sumTaps(sum: SumRow, samples: ArrayLike<number>, down: Taps, row: number): void {
  const at = (down.firsts[row] ?? 0) * sum.length;
  const tap = row * down.count;
  sumRows(sum, samples, at, down, tap);
  for (let more = rowsAtOnce; more < down.count; more++) {
    addRow(sum, samples, at + more * sum.length, down.weights[tap + more] ?? 0);
  }
}

/** A row of the result from the sum of rows, for any number of channels. */
function resampleRow(sum: SumRow, channels: number, { firsts, weights, count }: Taps, row: SumRow): void {
  for (let column = 0; column < firsts.length; column++) {
    const first = (firsts[column] ?? 0) * channels;
    for (let channel = 0; channel < channels; channel++) {
      let value = 0;
      let source = first + channel;
      for (let tap = column * count; tap < (column + 1) * count; tap++) {
        value += (weights[tap] ?? 0) * (sum[source] ?? 0);
        source += channels;
      }
      row[column * channels + channel] = value;
    }
  }
}

/** The same for three channels, from `start` on in the result: each weight is read once for all of them, and nothing is copied. */
function resampleColors(sum: SumRow, { firsts, weights, count }: Taps, result: Uint8ClampedArray, start: number): void {
  let to = start;
  for (let column = 0; column < firsts.length; column++) {
    let source = (firsts[column] ?? 0) * 3;
    let red = 0;
    let green = 0;
    let blue = 0;
    for (let tap = column * count; tap < (column + 1) * count; tap++) {
      const weight = weights[tap] ?? 0;
      red += weight * (sum[source] ?? 0);
      green += weight * (sum[source + 1] ?? 0);
      blue += weight * (sum[source + 2] ?? 0);
      source += 3;
    }
    result[to++] = red;
    result[to++] = green;
    result[to++] = blue;
  }
}

/** The pixels of a part. Row by row, so that no more than samples of 8 bits are in memory as a whole. */
export function resample(read: Samples, { from, to }: Resample, kernel: Kernel): Buffer {
  const { width, height, channels } = read;
  const samples = premultiplied(read);
  const down = tapsOf(from.y, from.height, to.height, height, kernel);
  const across = tapsOf(from.x, from.width, to.width, width, kernel);
  const sum = new Float64Array(width * channels);
  const row = new Float64Array(to.width * channels);
  const result = new Uint8ClampedArray(to.width * to.height * channels);
  for (let y = 0; y < to.height; y++) {
    sumTaps(sum, samples, down, y);
    if (channels === 3) {
      resampleColors(sum, across, result, y * row.length);
      continue;
    }
    resampleRow(sum, channels, across, row);
    if (hasAlpha(channels)) divideByAlpha(row, channels);
    result.set(row, y * row.length);
  }
  return Buffer.from(result.buffer);
}
