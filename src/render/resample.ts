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
  readonly weights: Float32Array;
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
  const weights = new Float32Array(output * count);
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
function divideByAlpha(row: Float32Array, channels: number): void {
  for (let at = 0; at < row.length; at += channels) {
    const alpha = row[at + channels - 1] ?? 0;
    const factor = alpha > 0 ? 255 / alpha : 0;
    for (let channel = 0; channel < channels - 1; channel++) row[at + channel] = (row[at + channel] ?? 0) * factor;
  }
}

/** Three rows, and the weight of each. */
interface ThreeRows {
  /** Of the first sample of each row. */
  readonly at: readonly [number, number, number];
  readonly weights: readonly [number, number, number];
}

/** Three taps that begin with one of a pixel; a row that doesn't count, which can lie beyond the last one, is replaced by the first. */
function threeRows({ firsts, weights, count }: Taps, row: number, tap: number, rowLength: number): ThreeRows {
  const weightOf = (one: number): number => (one < count ? (weights[row * count + one] ?? 0) : 0);
  const [first, second, third] = [weightOf(tap), weightOf(tap + 1), weightOf(tap + 2)];
  const at = ((firsts[row] ?? 0) + tap) * rowLength;
  return {
    at: [at, second === 0 ? at : at + rowLength, third === 0 ? at : at + 2 * rowLength],
    weights: [first, second, third],
  };
}

function addRows(sum: Float32Array, samples: ArrayLike<number>, { at, weights }: ThreeRows): void {
  const [first, second, third] = at;
  const [w1, w2, w3] = weights;
  for (let x = 0; x < sum.length; x++) {
    const added = w1 * (samples[first + x] ?? 0) + w2 * (samples[second + x] ?? 0) + w3 * (samples[third + x] ?? 0);
    sum[x] = (sum[x] ?? 0) + added;
  }
}

/** A row of the result from the sum of rows. */
function resampleRow(sum: Float32Array, channels: number, { firsts, weights, count }: Taps, row: Float32Array): void {
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

/** The pixels of a part. Row by row, so that no more than samples of 8 bits are in memory as a whole. */
export function resample(read: Samples, { from, to }: Resample, kernel: Kernel): Buffer {
  const { width, height, channels } = read;
  const samples = premultiplied(read);
  const down = tapsOf(from.y, from.height, to.height, height, kernel);
  const across = tapsOf(from.x, from.width, to.width, width, kernel);
  const sum = new Float32Array(width * channels);
  const row = new Float32Array(to.width * channels);
  const result = new Uint8ClampedArray(to.width * to.height * channels);
  for (let y = 0; y < to.height; y++) {
    sum.fill(0);
    for (let tap = 0; tap < down.count; tap += 3) addRows(sum, samples, threeRows(down, y, tap, sum.length));
    resampleRow(sum, channels, across, row);
    if (hasAlpha(channels)) divideByAlpha(row, channels);
    result.set(row, y * row.length);
  }
  return Buffer.from(result.buffer);
}
