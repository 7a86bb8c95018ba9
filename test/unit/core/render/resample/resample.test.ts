import type { Pixels } from '@lectern/tiff';
import { expect, it, test } from 'vitest';
import type { Kernel } from '../../../../../src/core/image/model/image-request.ts';
import type { Resample } from '../../../../../src/core/image/plan/plan-types.ts';
import { resample } from '../../../../../src/core/render/resample/resample.ts';
import { tapsOf } from '../../../../../src/core/render/resample/taps.ts';
import { sampleOf } from '../../../../sweep.ts';

const kernels = ['linear', 'cubic', 'lanczos3'] as const;
const ramp = (length: number, slope: number): Buffer => Buffer.from(Array.from({ length }, (_, at) => 20 + slope * at));

test.each(kernels)('%s keeps a slope, also beyond the edges', (kernel) => {
  const read: Pixels = { data: ramp(20, 10), width: 20, height: 1, channels: 1 };
  const part = { from: { x: 0.4, y: 0, width: 20, height: 1 }, to: { width: 20, height: 1 } };
  const expected = [...read.data].map((value) => value + 4);
  const result = [...resample(read, part, kernel)];
  for (const [at, value] of result.entries()) expect(Math.abs(value - (expected[at] ?? 0))).toBeLessThanOrEqual(2);
});

test.each(kernels)('%s of whole pixels at their places changes nothing', (kernel) => {
  const data = Buffer.from(Array.from({ length: 8 * 6 * 3 }, (_, at) => (at * 89) % 256));
  const part = { from: { x: 1, y: 2, width: 5, height: 3 }, to: { width: 5, height: 3 } };
  const rows = [2, 3, 4].map((row) => data.subarray((row * 8 + 1) * 3, (row * 8 + 6) * 3));
  expect(resample({ data, width: 8, height: 6, channels: 3 }, part, kernel)).toEqual(Buffer.concat(rows));
});

it('takes the nearest pixel where that is asked for', () => {
  const part = { from: { x: 0, y: 0, width: 3, height: 1 }, to: { width: 6, height: 2 } };
  const result = resample({ data: Buffer.from([10, 20, 30]), width: 3, height: 1, channels: 1 }, part, 'nearest');
  expect([...result]).toEqual([10, 10, 20, 20, 30, 30, 10, 10, 20, 20, 30, 30]);
});

it('does not mix the colors of transparent pixels in', () => {
  const data = Buffer.from([200, 100, 50, 255, 0, 0, 0, 0]);
  const part = { from: { x: 0.5, y: 0, width: 1, height: 1 }, to: { width: 1, height: 1 } };
  expect([...resample({ data, width: 2, height: 1, channels: 4 }, part, 'linear')]).toEqual([200, 100, 50, 128]);
});

it('averages what is reduced', () => {
  const data = Buffer.from(Array.from({ length: 40 }, (_, at) => (at % 2) * 200));
  const part = { from: { x: 0, y: 0, width: 40, height: 1 }, to: { width: 10, height: 1 } };
  const result = [...resample({ data, width: 40, height: 1, channels: 1 }, part, 'lanczos3')].slice(2, 8);
  for (const value of result) expect(Math.abs(value - 100)).toBeLessThanOrEqual(2);
});

/** The same by sums of numbers with fractions, of which nothing is rounded. */
function exact({ data, width, height, channels }: Pixels, { from, to }: Resample, kernel: Kernel): Float64Array {
  const down = tapsOf({ from: from.y, length: from.height, output: to.height, stored: height, kernel });
  const across = tapsOf({ from: from.x, length: from.width, output: to.width, stored: width, kernel });
  const result = new Float64Array(to.width * to.height * channels);
  for (let at = 0; at < result.length; at++) {
    const channel = at % channels;
    const column = Math.floor(at / channels) % to.width;
    const row = Math.floor(at / channels / to.width);
    for (let v = 0; v < down.count; v++) {
      for (let h = 0; h < across.count; h++) {
        const y = (down.firsts[row] ?? 0) + v;
        const x = (across.firsts[column] ?? 0) + h;
        const weight = (down.weights[row * down.count + v] ?? 0) * (across.weights[column * across.count + h] ?? 0);
        result[at] = (result[at] ?? 0) + weight * (data[(y * width + x) * channels + channel] ?? 0);
      }
    }
  }
  return result.map((value) => Math.min(255, Math.max(0, value)));
}

/** Black and white in turns with gray between: what overshoots most. */
const hard = (length: number): Buffer =>
  Buffer.from(Array.from({ length }, (_, at) => [0, 255, 255, (at * 89) % 256, 0][(at * 7 + (at >> 4)) % 5] ?? 0));

const parts: readonly (readonly [string, Resample & { readonly read: readonly [width: number, height: number] }])[] = [
  [
    'a reduction',
    { read: [61, 47], from: { x: 3.25, y: 2.5, width: 50.5, height: 40.25 }, to: { width: 33, height: 21 } },
  ],
  ['a reduction by much', { read: [90, 70], from: { x: 0, y: 0, width: 90, height: 70 }, to: { width: 7, height: 5 } }],
  ['a shift', { read: [40, 30], from: { x: 3.75, y: 3.25, width: 32, height: 24 }, to: { width: 32, height: 24 } }],
  ['an enlargement', { read: [9, 7], from: { x: 0, y: 0, width: 9, height: 7 }, to: { width: 40, height: 31 } }],
  [
    'a part beyond the edge',
    { read: [9, 7], from: { x: 0, y: 0, width: 9.5, height: 7.5 }, to: { width: 10, height: 8 } },
  ],
  ['one pixel', { read: [1, 1], from: { x: 0, y: 0, width: 1, height: 1 }, to: { width: 3, height: 2 } }],
  // More than a band of rows.
  [
    'a part of a wide level',
    { read: [30_011, 40], from: { x: 0.5, y: 0, width: 30_010, height: 40 }, to: { width: 20_011, height: 33 } },
  ],
];

test.each(
  sampleOf(
    parts.flatMap(([what, part]) =>
      ([1, 3] as const).flatMap((channels) => kernels.map((kernel) => ({ what, part, channels, kernel }))),
    ),
    16,
  ),
)(
  '$kernel of $channels channels differs from sums without rounding by the last rounding alone: $what',
  { tags: 'sampled' },
  ({ part, channels, kernel }) => {
    const [width, height] = part.read;
    const read = { data: hard(width * height * channels), width, height, channels };
    const expected = exact(read, part, kernel);
    const result = resample(read, part, kernel);
    expect(result.length).toBe(expected.length);
    const most = result.reduce((sum, value, at) => Math.max(sum, Math.abs(value - (expected[at] ?? 0))), 0);
    expect(most).toBeLessThan(0.6);
  },
);

it('resamples what is larger than the memory that is kept, and small pictures after it', () => {
  const [width, height] = [400_000, 16];
  const read: Pixels = { data: Buffer.alloc(width * height * 3, 77), width, height, channels: 3 };
  const part = { from: { x: 0, y: 0, width, height }, to: { width: 1000, height: 2 } };
  expect(resample(read, part, 'lanczos3').every((value) => value === 77)).toBe(true);
  const small: Pixels = { data: Buffer.alloc(75, 33), width: 5, height: 5, channels: 3 };
  const smallPart = { from: { x: 0.5, y: 0.5, width: 4, height: 4 }, to: { width: 2, height: 2 } };
  expect([...resample(small, smallPart, 'cubic')]).toEqual(Array(12).fill(33));
});
