/** The estimated cost of renderings: what would take all memory is far above what ordinary scans take. */
import { describe, expect, test } from 'vitest';
import { type Cost, costOf } from '../../../../../src/core/image/plan/cost.ts';
import { planImage } from '../../../../../src/core/image/plan/plan.ts';
import { parseImagePath } from '../../../../../src/features/iiif-image/image-path.ts';
import { imageOf, type Sketch } from '../image-builder.ts';

const mebibyte = 2 ** 20;
const limits = { maxArea: 100_000_000, maxUpscale: 1000 };

function costFor(sketch: Sketch, path: string): Cost {
  const [region = '', size = '', rotation = '', qualityAndFormat = ''] = path.split('/');
  const request = parseImagePath({ region, size, rotation, qualityAndFormat }, 3);
  const { plan } = planImage(request, imageOf(sketch), { limits, sendFile: true });
  if (plan.kind === 'render') return costOf(plan);
  throw new TypeError('nothing is rendered');
}

const thumbnail = 'full/200,/0/default.jpg';
const part = '0,0,1000,1000/500,/0/default.jpg';
const most = 'full/max/0/default.png';

const progressive = { pixelBytes: 3, heldBytes: 6 };

describe('a file of some kB that decodes to gigabytes costs gigabytes at every request:', () => {
  test.each<[string, Sketch, number]>([
    ['a PNG of 14.9 million x 50', { format: 'png', width: 14_900_000, height: 50 }, 10],
    ['a progressive JPEG of 65,500²', { width: 65_500, height: 65_500, decoding: progressive }, 20],
    [
      'a lossless WebP of 16,383²',
      { format: 'webp', width: 16_383, height: 16_383, decoding: { pixelBytes: 4, heldBytes: 4 } },
      1,
    ],
    [
      'a GIF of 65,535²',
      { format: 'gif', width: 65_535, height: 65_535, decoding: { pixelBytes: 4, heldBytes: 4 } },
      15,
    ],
    [
      'an interlaced PNG of 60,000²',
      { format: 'png', width: 60_000, height: 60_000, decoding: { pixelBytes: 3, heldBytes: 3 } },
      9,
    ],
    ['tiles of 60,000²', { format: 'tiff', width: 120_000, height: 120_000, tile: 60_000 }, 10],
  ])('%s', (_name, sketch, gibibytes) => {
    expect(costFor(sketch, thumbnail).bytes).toBeGreaterThan(gibibytes * 1024 * mebibyte);
    const side = Math.min(sketch.height, 1000);
    expect(costFor(sketch, `0,0,${side},${side}/${side / 2},/0/default.jpg`).bytes).toBeGreaterThan(1024 * mebibyte);
    expect(costFor(sketch, most).bytes).toBeGreaterThan(gibibytes * 1024 * mebibyte);
  });
});

describe('what libvips streams takes less than 256 MiB:', () => {
  test.each<[string, Sketch, string]>([
    ['a thumbnail of an 80 MP JPEG', { width: 10_000, height: 8000 }, thumbnail],
    ['an 80 MP JPEG at its full size', { width: 10_000, height: 8000 }, most],
    ['a part of an 80 MP JPEG', { width: 10_000, height: 8000 }, part],
    ['a thumbnail of a 600 MP JPEG', { width: 30_000, height: 20_000 }, thumbnail],
    ['a thumbnail of a JPEG of the largest size', { width: 65_500, height: 65_500 }, thumbnail],
    ['a part of a 600 MP TIFF in strips', { format: 'tiff', width: 30_000, height: 20_000 }, part],
    ['a thumbnail of a 600 MP TIFF in strips', { format: 'tiff', width: 30_000, height: 20_000 }, thumbnail],
    ['a part of 10^10 pixels in tiles', { format: 'tiff', width: 100_000, height: 100_000, tile: 512 }, part],
    [
      'a thumbnail of 10^10 pixels with a pyramid',
      { format: 'tiff', width: 100_000, height: 100_000, tile: 512, reductions: 8 },
      thumbnail,
    ],
    ['a thumbnail of a lossy WebP of 100 MP', { format: 'webp', width: 12_000, height: 8500 }, thumbnail],
    ['a thumbnail of a 24 MP progressive JPEG', { width: 6000, height: 4000, decoding: progressive }, thumbnail],
  ])('%s', (_name, sketch, path) => {
    expect(costFor(sketch, path).bytes).toBeLessThan(256 * mebibyte);
  });
});

describe('a step that needs the whole picture costs its pixels:', () => {
  const scan: Sketch = { width: 10_000, height: 8000 };
  const plain = costFor(scan, 'full/8000,/0/default.jpg').bytes;
  const pixels = 8000 * 6400;
  test.each([
    ['a quarter turn', 'full/8000,/90/default.jpg', 3],
    ['a half turn', 'full/8000,/180/default.jpg', 3],
    ['an odd turn', 'full/8000,/3/default.jpg', 3],
    ['a change of colors', 'full/8000,/0/gray.jpg', 6],
    ['WebP', 'full/8000,/0/default.webp', 4],
    ['GIF', 'full/3000,/0/default.gif', 1],
  ])('%s', (_name, path, bytesPerPixel) => {
    expect(costFor(scan, path).bytes - plain).toBeGreaterThan(path.includes('3000') ? 0 : bytesPerPixel * pixels * 0.9);
  });

  test('mirroring does not', () => {
    expect(costFor(scan, 'full/8000,/!0/default.jpg').bytes).toBe(plain);
  });
});

test('the time grows with what is decoded, and with what is written', () => {
  const scan: Sketch = { width: 10_000, height: 8000 };
  const ms = (sketch: Sketch, path: string): number => costFor(sketch, path).ms;
  expect(ms(scan, thumbnail)).toBeLessThan(ms(scan, 'full/8000,/0/default.jpg'));
  expect(ms(scan, thumbnail)).toBeLessThan(ms({ ...scan, decoding: progressive }, thumbnail));
  expect(ms(scan, 'full/3000,/0/default.jpg')).toBeLessThan(ms(scan, 'full/3000,/0/default.avif'));
  expect(ms({ format: 'tiff', ...scan, tile: 512 }, part)).toBeLessThan(ms({ format: 'tiff', ...scan }, part) * 1.1);
});
