/** Computes pixels of a part that begins or ends within the pixels that it is made of. */
import type { Pixels } from '@lectern/tiff';
import type { Kernel } from '../../image/model/image-request.ts';
import type { Resample } from '../../image/plan/plan-types.ts';
import { integerTapsOf, type TapAxis, type Taps, tapsOf } from './taps.ts';
import { groupOfTaps, pairOfTaps, resampleVectors } from './vector-rows.ts';

/** Colors multiplied by alpha, so that those of transparent pixels don't count. */
function premultiplied({ data, channels }: Pixels): Float32Array {
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

/** The weighted sum of the rows that contribute to a row of the result. */
function sumRows(sum: Float64Array, samples: Float32Array, { firsts, weights, count }: Taps, row: number): void {
  const { length } = sum;
  sum.fill(0);
  for (let tap = 0; tap < count; tap++) {
    const weight = weights[row * count + tap] ?? 0;
    const at = ((firsts[row] ?? 0) + tap) * length;
    for (let x = 0; x < length; x++) sum[x] = (sum[x] ?? 0) + weight * (samples[at + x] ?? 0);
  }
}

/** A row of the result from the sum of rows. */
function sumColumns(sum: Float64Array, channels: number, { firsts, weights, count }: Taps, row: Float64Array): void {
  for (let column = 0; column < firsts.length; column++) {
    for (let channel = 0; channel < channels; channel++) {
      let value = 0;
      let source = (firsts[column] ?? 0) * channels + channel;
      for (let tap = column * count; tap < (column + 1) * count; tap++) {
        value += (weights[tap] ?? 0) * (sum[source] ?? 0);
        source += channels;
      }
      row[column * channels + channel] = value;
    }
  }
}

/** Row by row, so that no more than a row of the result has fractions. */
function resampleTransparent(read: Pixels, { to }: Resample, vertical: TapAxis, horizontal: TapAxis): Buffer {
  const { width, channels } = read;
  const samples = premultiplied(read);
  const [down, across] = [tapsOf(vertical), tapsOf(horizontal)];
  const sum = new Float64Array(width * channels);
  const row = new Float64Array(to.width * channels);
  const result = new Uint8ClampedArray(to.width * to.height * channels);
  for (let y = 0; y < to.height; y++) {
    sumRows(sum, samples, down, y);
    sumColumns(sum, channels, across, row);
    divideByAlpha(row, channels);
    result.set(row, y * row.length);
  }
  return Buffer.from(result.buffer);
}

/** The pixels of a part. */
export function resample(read: Pixels, part: Resample, kernel: Kernel): Buffer {
  const { from, to } = part;
  const { width, height, channels } = read;
  const vertical: TapAxis = { from: from.y, length: from.height, output: to.height, stored: height, kernel };
  const horizontal: TapAxis = { from: from.x, length: from.width, output: to.width, stored: width, kernel };
  if (channels !== 1 && channels !== 3) return resampleTransparent(read, part, vertical, horizontal);
  const down = integerTapsOf(vertical, pairOfTaps);
  const across = integerTapsOf(horizontal, channels === 1 ? groupOfTaps : pairOfTaps);
  return resampleVectors({ ...read, channels }, to, down, across);
}
