/** What headers say of how a level is decoded: bytes of its pixels, what a decoder holds of it, rows of a strip. */
import { expect, test } from 'vitest';
import type { Decoding } from '../../../../../src/core/image/model/image-set.ts';
import { bufferSource } from '../../../../../src/core/library/headers/byte-source.ts';
import { readHeader } from '../../../../../src/core/library/headers/header.ts';
import { buildTiff, long, rgbTags, short, type Tag } from '../../../../fixtures/files/tiff.mjs';
import { extended, jpegSegment, png, pngChunk, sample, webp, webpChunk } from './build-files.ts';

const decodingOf = async (bytes: Buffer): Promise<Decoding> =>
  (await readHeader(bufferSource(bytes))).pages[0].levels[0].decoding;

const photo = () => sample(64, 48);

test.each([
  ['a JPEG', () => photo().jpeg(), { pixelBytes: 3 }],
  ['a gray JPEG', () => photo().toColourspace('b-w').jpeg(), { pixelBytes: 1 }],
  [
    'a progressive JPEG with a quarter of the colors',
    () => photo().jpeg({ progressive: true }),
    { pixelBytes: 3, heldBytes: 3 },
  ],
  [
    'a progressive JPEG with all colors',
    () => photo().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }),
    { pixelBytes: 3, heldBytes: 6 },
  ],
  ['a PNG', () => photo().png(), { pixelBytes: 3 }],
  ['an interlaced PNG', () => photo().png({ progressive: true }), { pixelBytes: 3, heldBytes: 3 }],
  ['a PNG of 16 bits with alpha', () => sample(9, 9, 4).toColourspace('rgb16').png(), { pixelBytes: 8 }],
  ['a GIF', () => photo().gif(), { pixelBytes: 4, heldBytes: 4 }],
  ['a lossy WebP', () => photo().webp(), { pixelBytes: 3 }],
  ['a lossy WebP with alpha', () => sample(64, 48, 4).webp(), { pixelBytes: 4, heldBytes: 1 }],
  ['a lossless WebP', () => photo().webp({ lossless: true }), { pixelBytes: 3, heldBytes: 4 }],
  ['a TIFF in strips', () => photo().tiff({ compression: 'lzw' }), { pixelBytes: 3, stripRows: 48 }],
  ['a TIFF in tiles', () => photo().tiff({ tile: true, tileWidth: 16, tileHeight: 16 }), { pixelBytes: 3 }],
] as const)('%s', async (_name, encode, decoding) => {
  expect(await decodingOf(await encode().toBuffer())).toEqual(decoding);
});

test('a baseline JPEG with its components in several scans is held as a whole', async () => {
  const bytes = await photo().jpeg({ chromaSubsampling: '4:4:4' }).toBuffer();
  const scan = bytes.indexOf(Buffer.of(0xff, 0xda));
  const own = jpegSegment(0xda, Buffer.of(1, 1, 0, 0, 63, 0));
  expect(await decodingOf(Buffer.concat([bytes.subarray(0, scan), own, bytes.subarray(scan)]))).toEqual({
    pixelBytes: 3,
    heldBytes: 6,
  });
});

test('a JPEG whose scan is missing counts as one that is held', async () => {
  const bytes = await photo().jpeg().toBuffer();
  const cut = bytes.subarray(0, bytes.indexOf(Buffer.of(0xff, 0xda)));
  expect(await decodingOf(cut)).toEqual({ pixelBytes: 3, heldBytes: 3 });
});

test.each([
  ['a palette', { type: 3, bits: 4 }, [], { pixelBytes: 3 }],
  ['a palette with transparency', { type: 3 }, [pngChunk('tRNS', Buffer.of(0))], { pixelBytes: 4 }],
  ['one bit', { type: 0, bits: 1 }, [], { pixelBytes: 1 }],
  ['gray of 16 bits with alpha', { type: 4, bits: 16 }, [], { pixelBytes: 4 }],
] as const)('a PNG with %s', async (_name, image, chunks, decoding) => {
  expect(await decodingOf(png(image, ...chunks))).toEqual(decoding);
});

test.each([
  ['an animation', extended(0x02, 30, 20), [], { pixelBytes: 3, heldBytes: 8 }],
  ['lossy pixels after a profile', extended(0x20, 30, 20), ['ICCP', 'VP8 '], { pixelBytes: 3 }],
  ['lossless pixels with alpha', extended(0x10, 30, 20), ['VP8L'], { pixelBytes: 4, heldBytes: 4 }],
  ['no pixels', extended(0, 30, 20), [], { pixelBytes: 3, heldBytes: 4 }],
] as const)('an extended WebP with %s', async (_name, head, types, decoding) => {
  expect(await decodingOf(webp(head, ...types.map((type) => webpChunk(type, Buffer.alloc(9)))))).toEqual(decoding);
});

const rowsPerStrip = 278;

test.each<[string, readonly Tag[], Decoding]>([
  ['64 rows a strip', [[rowsPerStrip, short, [64]]], { pixelBytes: 3, stripRows: 64 }],
  ['no rows a strip', [], { pixelBytes: 3, stripRows: 700 }],
  ['one strip of all rows', [[rowsPerStrip, long, [4_294_967_295]]], { pixelBytes: 3, stripRows: 700 }],
  ['a strip of no rows', [[rowsPerStrip, long, [0]]], { pixelBytes: 3, stripRows: 700 }],
  ['16 bits', [[258, short, [16, 16, 16]]], { pixelBytes: 6, stripRows: 700 }],
  ['CMYK', [[277, short, [4]]], { pixelBytes: 4, stripRows: 700 }],
  [
    'a palette',
    [
      [262, short, [3]],
      [277, short, [1]],
    ],
    { pixelBytes: 3, stripRows: 700 },
  ],
  [
    'one bit',
    [
      [258, short, [1]],
      [262, short, [0]],
      [277, short, [1]],
    ],
    { pixelBytes: 1, stripRows: 700 },
  ],
])('a TIFF with %s', async (_name, tags, decoding) => {
  expect(await decodingOf(buildTiff([{ tags: rgbTags(900, 700, tags) }]))).toEqual(decoding);
});
