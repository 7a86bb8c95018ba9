import { expect, it, test } from 'vitest';
import { resample } from '../../../src/render/resample.ts';

const kernels = ['linear', 'cubic', 'lanczos3'] as const;
const ramp = (length: number, slope: number): Buffer => Buffer.from(Array.from({ length }, (_, at) => 20 + slope * at));

test.each(kernels)('%s keeps a slope, also beyond the edges', (kernel) => {
  const read = { data: ramp(20, 10), width: 20, height: 1, channels: 1 };
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
