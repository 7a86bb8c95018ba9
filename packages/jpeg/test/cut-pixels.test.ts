/** JPEGs cropped without decoding equal the same region of the decoded image, apart from the chroma at the cut. */
import sharp, { type JpegOptions, type Sharp } from 'sharp';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { randomNumbers } from '../../../test/fixtures/files/random.mjs';
import { scene } from '../../../test/pixels/jpeg-pyramid.ts';
import { chromaEdge, firstDifference, type IgnoredEdge, noIgnoredEdge } from '../../../test/pixels/pixel-difference.ts';
import { cutJpeg } from '../src/crop.ts';
import type { Size } from '../src/scan.ts';
import { buildJpeg, type JpegSketch, noise, segment } from './build-jpeg.ts';

const whole = { width: 120, height: 90 };
const sizes: readonly Size[] = [
  { width: 64, height: 48 },
  { width: 61, height: 47 },
  { width: 1, height: 1 },
  { width: 120, height: 17 },
  { width: 18, height: 90 },
  { width: 120, height: 2 },
  { width: 120, height: 90 },
];

function cut(stream: Buffer, size: Size): Buffer {
  const result = cutJpeg(stream, size);
  if (typeof result === 'string') throw new Error(result);
  return result;
}

const pixelsOf = (stream: Buffer): Sharp => sharp(stream, { failOn: 'warning' });
const partOf = (stream: Buffer, size: Size): Promise<Buffer> =>
  pixelsOf(stream)
    .extract({ left: 0, top: 0, ...size })
    .raw()
    .toBuffer();

async function differenceOf(stream: Buffer, size: Size, ignoredEdge: IgnoredEdge): Promise<string | undefined> {
  const { data, info } = await pixelsOf(cut(stream, size)).raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject(size);
  return firstDifference(ignoredEdge, data, await partOf(stream, size), size);
}

const gray = (image: Sharp): Sharp => image.toColourspace('b-w');

/** Patches of random colors, so that optimized tables have a code for every difference. */
function patches(): Sharp {
  const random = randomNumbers(5);
  const [width, height] = [30, 24];
  const pixels = Buffer.from(Array.from({ length: width * height * 3 }, () => Math.floor(random() * 256)));
  return sharp(pixels, { raw: { width, height, channels: 3 } }).resize({ ...whole, fit: 'fill', kernel: 'cubic' });
}

describe.each<[string, JpegOptions, IgnoredEdge, ((image: Sharp) => Sharp)?]>([
  ['gray', {}, noIgnoredEdge, gray],
  ['full chroma', { chromaSubsampling: '4:4:4' }, noIgnoredEdge],
  ['full chroma at the best quality', { chromaSubsampling: '4:4:4', quality: 100 }, noIgnoredEdge],
  ['common tables', { chromaSubsampling: '4:4:4', optimiseCoding: false }, noIgnoredEdge],
  ['half chroma', { chromaSubsampling: '4:2:0', quality: 85 }, chromaEdge],
  ['half chroma with common tables', { chromaSubsampling: '4:2:0', optimiseCoding: false }, chromaEdge],
])('as sharp writes it: %s', (_name, options, ignoredEdge, change = (image) => image) => {
  let stream: Buffer;
  beforeAll(async () => {
    stream = await change(patches()).jpeg(options).toBuffer();
  });

  test.each(sizes)('$width x $height', async (size) => {
    expect(await differenceOf(stream, size, ignoredEdge)).toBeUndefined();
  });
});

const luma = [1, 1] as const;

describe.each<[string, JpegSketch['factors'], IgnoredEdge]>([
  ['4:2:0', [[2, 2], luma, luma], chromaEdge],
  ['4:2:2', [[2, 1], luma, luma], { right: 1, bottom: 0 }],
  ['4:4:0', [[1, 2], luma, luma], { right: 0, bottom: 1 }],
  ['4:1:1', [[4, 1], luma, luma], { right: 1, bottom: 0 }],
])('chroma of %s', (_name, factors, ignoredEdge) => {
  const stream = buildJpeg({ ...whole, factors, coefficients: noise, restartInterval: 7 });

  test.each(sizes)('$width x $height', async (size) => {
    expect(await differenceOf(stream, size, ignoredEdge)).toBeUndefined();
  });
});

it('with chroma of half the size the last column and row differ if they are the left and top ones of a chroma sample', async () => {
  const stream = buildJpeg({ ...whole, factors: [[2, 2], luma, luma], coefficients: noise });
  const even = { width: 64, height: 48 };
  expect(await differenceOf(stream, even, { right: 1, bottom: 0 })).toMatch(/row 47 of 48$/);
  expect(await differenceOf(stream, even, { right: 0, bottom: 1 })).toMatch(/^column 63 of 64/);
});

it.each([2, 3, 4])(
  'with chroma of half the columns is not cut to %i of them, in which decoders would not smooth it',
  (width) => {
    const size = { width, height: 48 };
    const narrow = 'the picture is so narrow that decoders would not smooth its colors';
    for (const factor of [
      [2, 1],
      [2, 2],
    ] as const) {
      const stream = buildJpeg({ ...whole, factors: [factor, luma, luma], coefficients: noise });
      expect(cutJpeg(stream, size)).toBe(narrow);
    }
    expect(cutJpeg(buildJpeg({ ...whole, factors: [[1, 2], luma, luma], coefficients: noise }), size)).not.toBe(narrow);
  },
);

it('of RGB samples stays RGB', async () => {
  const first = [segment(0xee, Buffer.from('Adobe\0\x64\0\0\0\0\0'))];
  const stream = buildJpeg({ ...whole, factors: [luma, luma, luma], coefficients: noise, first });
  expect(await differenceOf(stream, { width: 33, height: 44 }, noIgnoredEdge)).toBeUndefined();
});

it('that is progressive is not cut', async () => {
  const stream = await scene(100, 100).jpeg({ progressive: true }).toBuffer();
  expect(cutJpeg(stream, { width: 50, height: 50 })).toMatch(/^the tile’s bytes are a progressive JPEG/);
});

it('with tables optimized for its own differences may lack codes for those at the cut', async () => {
  const stream = await scene(120, 90).jpeg({ chromaSubsampling: '4:4:4' }).toBuffer();
  expect(cutJpeg(stream, { width: 64, height: 48 })).toMatch(/^the tile’s Huffman tables have no code/);
  expect(await differenceOf(stream, { width: 120, height: 48 }, noIgnoredEdge)).toBeUndefined();
});
