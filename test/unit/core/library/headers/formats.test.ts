/** The headers of JPEG, PNG, GIF and WebP files. */
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { PageFacts } from '../../../../../src/core/image/model/image-set.ts';
import { bufferSource } from '../../../../../src/core/library/headers/byte-source.ts';
import { HeaderError, readHeader } from '../../../../../src/core/library/headers/header.ts';
import { buildTiff, rational, short } from '../../../../fixtures/files/tiff.mjs';
import {
  exifSegment,
  extended,
  frame,
  gif,
  graphicControl,
  jfif,
  jpeg,
  jpegSegment,
  png,
  pngChunk,
  profileSegment,
  sample,
  u32,
  webp,
  webpChunk,
} from './build-files.ts';

const read = async (bytes: Buffer): Promise<PageFacts> => (await readHeader(bufferSource(bytes))).pages[0];
const sizeOf = ({ levels: [{ width, height }] }: PageFacts): [number, number] => [width, height];

const exif = (orientation: number, xThousandths: number, yThousandths: number, unit?: number): Buffer =>
  buildTiff([
    {
      tags: [
        [274, short, [orientation]],
        [282, rational, [xThousandths]],
        [283, rational, [yThousandths]],
        ...(unit === undefined ? [] : [[296, short, [unit]] as const]),
      ],
    },
  ]);

test.each([
  ['jpeg', () => sample(33, 21).jpeg()],
  ['png', () => sample(33, 21).png()],
  ['gif', () => sample(33, 21).gif()],
  ['webp', () => sample(33, 21).webp()],
  ['webp', () => sample(33, 21).webp({ lossless: true })],
  ['tiff', () => sample(33, 21).tiff()],
] as const)('a %s of the encoder has its format and size', async (format, encode) => {
  const header = await readHeader(bufferSource(await encode().toBuffer()));
  expect([header.format, header.pages.length, ...sizeOf(header.pages[0])]).toEqual([format, 1, 33, 21]);
});

test.each(['jpeg', 'png', 'webp', 'tiff'] as const)(
  'a %s of the encoder has orientation, dpi and profile',
  async (format) => {
    const bytes = await sample(33, 21).withMetadata({ orientation: 6, density: 300 })[format]().toBuffer();
    const facts = await read(bytes);
    expect(facts).toMatchObject({ orientation: 6, color: 'rgb', bits: 8, alpha: false, profile: true });
    expect(facts.dpi?.x).toBeCloseTo(300, 2);
    expect(facts.dpi?.y).toBeCloseTo(300, 2);
  },
);

test.each([
  ['text', Buffer.from('hello, world')],
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ['PDF', Buffer.from('%PDF-1.7\n')],
  ['a script', Buffer.from('#!/bin/sh\n')],
  ['an empty file', Buffer.alloc(0)],
  ['half a signature', Buffer.of(0x89, 0x50, 0x4e)],
  ['other RIFF', Buffer.from('RIFF....WAVEfmt ')],
])('%s is no image', async (_name, bytes) => {
  await expect(readHeader(bufferSource(bytes))).rejects.toThrow(HeaderError);
});

test.each([
  ['JFIF, inch', [jfif(1, 300, 150)], { x: 300, y: 150 }],
  ['JFIF, centimeter', [jfif(2, 118, 118)], { x: 299.72, y: 299.72 }],
  ['JFIF, no unit', [jfif(0, 1, 1)], undefined],
  ['JFIF, zero', [jfif(1, 0, 300)], undefined],
  ['EXIF, inch', [exifSegment(exif(1, 240_000, 120_000, 2))], { x: 240, y: 120 }],
  ['EXIF, no unit given', [exifSegment(exif(1, 240_000, 240_000))], { x: 240, y: 240 }],
  ['EXIF, centimeter', [exifSegment(exif(1, 118_110, 118_110, 3))], { x: 299.9994, y: 299.9994 }],
  ['EXIF, unit without meaning', [exifSegment(exif(1, 240_000, 240_000, 1))], undefined],
  ['EXIF, zero', [exifSegment(exif(1, 0, 240_000, 2))], undefined],
  ['JFIF before EXIF', [jfif(1, 300, 300), exifSegment(exif(1, 72_000, 72_000, 2))], { x: 300, y: 300 }],
  ['EXIF before JFIF', [exifSegment(exif(1, 72_000, 72_000, 2)), jfif(1, 300, 300)], { x: 300, y: 300 }],
  ['JFIF without unit, EXIF', [jfif(0, 1, 1), exifSegment(exif(1, 72_000, 72_000, 2))], { x: 72, y: 72 }],
])('JPEG dpi: %s', async (_name, segments, dpi) => {
  expect((await read(jpeg(...segments, frame(30, 20)))).dpi).toEqual(dpi);
});

test.each([
  [1, 8, 0xc0, 'gray'],
  [2, 8, 0xc0, 'other'],
  [3, 8, 0xc2, 'rgb'],
  [3, 12, 0xc1, 'rgb'],
  [4, 8, 0xcf, 'cmyk'],
])('JPEG with %i components of %i bits, frame %i: %s', async (components, bits, marker, color) => {
  const facts = await read(jpeg(jpegSegment(0xc4, Buffer.alloc(9, 1)), frame(30, 20, components, marker, bits)));
  expect(facts).toMatchObject({ color, bits, alpha: false, profile: false });
  expect(sizeOf(facts)).toEqual([30, 20]);
});

test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 65_535])('EXIF orientation %i', async (orientation) => {
  const facts = await read(jpeg(exifSegment(exif(orientation, 1000, 1000)), frame(30, 20)));
  expect(facts.orientation).toBe(orientation >= 1 && orientation <= 8 ? orientation : 1);
});

test('the first of two EXIF segments counts, as for libvips', async () => {
  const segments = [exifSegment(exif(6, 1000, 1000)), exifSegment(exif(3, 1000, 1000))];
  expect((await read(jpeg(...segments, frame(30, 20)))).orientation).toBe(6);
});

test('damaged EXIF leaves a JPEG as it is', async () => {
  const segment = exifSegment(exif(6, 1000, 1000).subarray(0, 12));
  expect(await read(jpeg(segment, frame(30, 20)))).toMatchObject({ orientation: 1, color: 'rgb' });
});

test('a JPEG profile is found after the frame, and after fill bytes and stray bytes', async () => {
  const stray = Buffer.concat([Buffer.alloc(1000, 7), Buffer.of(0xff, 0xff)]);
  expect((await read(jpeg(frame(30, 20), stray, profileSegment()))).profile).toBe(true);
});

test.each([
  ['no frame', jpeg(jfif(1, 300, 300))],
  ['no width', jpeg(frame(0, 20))],
  ['no height', jpeg(frame(30, 0))],
  ['no components', jpeg(frame(30, 20, 0))],
  ['a segment shorter than its length', jpeg(Buffer.of(0xff, 0xe0, 0, 1), frame(30, 20))],
  ['only stray bytes', Buffer.concat([Buffer.of(0xff, 0xd8, 0xff), Buffer.alloc(200_000)])],
  ['too many segments', jpeg(...Array.from({ length: 5000 }, () => jpegSegment(0xfe)), frame(30, 20))],
])('a JPEG with %s is damaged', async (_name, bytes) => {
  await expect(readHeader(bufferSource(bytes))).rejects.toThrow(HeaderError);
});

test.each([
  [0, 1, 'bilevel', false],
  [0, 8, 'gray', false],
  [0, 16, 'gray', false],
  [2, 16, 'rgb', false],
  [3, 4, 'palette', false],
  [4, 8, 'gray', true],
  [6, 8, 'rgb', true],
])('PNG color type %i with %i bits: %s, alpha %s', async (type, bits, color, alpha) => {
  expect(await read(png({ type, bits }))).toMatchObject({ color, bits, alpha, profile: false, orientation: 1 });
});

test.each([
  ['pHYs in meters', [pngChunk('pHYs', u32(11_811), u32(5906), Buffer.of(1))], { dpi: { x: 299.9994, y: 150.0124 } }],
  ['tRNS', [pngChunk('tRNS', Buffer.alloc(6))], { alpha: true }],
  ['iCCP', [pngChunk('iCCP', Buffer.alloc(20))], { profile: true }],
  ['eXIf', [pngChunk('eXIf', exif(8, 96_000, 96_000, 2))], { orientation: 8, dpi: { x: 96, y: 96 } }],
  [
    'pHYs and eXIf',
    [pngChunk('eXIf', exif(8, 96_000, 96_000, 2)), pngChunk('pHYs', u32(10_000), u32(10_000), Buffer.of(1))],
    { orientation: 8, dpi: { x: 254, y: 254 } },
  ],
])('PNG with %s', async (_name, chunks, facts) => {
  expect(await read(png({}, ...chunks))).toMatchObject(facts);
});

test.each([
  ['pHYs without unit', pngChunk('pHYs', u32(1), u32(1), Buffer.of(0))],
  ['pHYs of zero', pngChunk('pHYs', u32(0), u32(11_811), Buffer.of(1))],
  ['pHYs cut short', pngChunk('pHYs', u32(1))],
])('PNG with %s has no dpi', async (_name, chunk) => {
  expect(await read(png({}, chunk))).not.toHaveProperty('dpi');
});

test('PNG chunks behind the pixels are not read', async () => {
  const bytes = png({}, pngChunk('IDAT', Buffer.alloc(3)), pngChunk('iCCP', Buffer.alloc(20)));
  expect((await read(bytes)).profile).toBe(false);
});

test.each([
  ['no width', png({ width: 0 })],
  ['no height', png({ height: 0 })],
  ['an unknown color type', png({ type: 5 })],
  ['a bit depth that its color type has not', png({ type: 2, bits: 4 })],
  ['another first chunk', Buffer.concat([png({}).subarray(0, 8), pngChunk('CgBI', u32(0)), png({}).subarray(8)])],
])('a PNG with %s is damaged', async (_name, bytes) => {
  await expect(readHeader(bufferSource(bytes))).rejects.toThrow(HeaderError);
});

test.each([
  ['its screen', [300, 200], [0, 0, 100, 80], [300, 200]],
  ['an image larger than its screen', [50, 50], [10, 5, 100, 80], [110, 85]],
  ['a screen that only names the display', [640, 480], [0, 0, 100, 80], [100, 80]],
  ['a screen of zero', [0, 0], [0, 0, 100, 80], [100, 80]],
  ['a screen too large to be trusted', [3000, 20], [1, 0, 100, 80], [101, 80]],
] as const)('the size of a GIF: %s', async (_name, screen, image, size) => {
  expect(sizeOf(await read(gif({ screen, image })))).toEqual(size);
});

test.each([
  ['our canvas is the decoder’s', [640, 480], [10, 5, 100, 80]],
  ['so with a small screen', [50, 50], [10, 5, 100, 80]],
  ['so with a large one', [300, 200], [0, 0, 100, 80]],
] as const)('GIF: %s', async (_name, screen, [left, top, width, height]) => {
  const bytes = await sample(width, height).gif().toBuffer();
  const at = bytes.indexOf(Buffer.of(0x2c, 0, 0, 0, 0, width, 0, height, 0));
  bytes.writeUInt16LE(screen[0], 6);
  bytes.writeUInt16LE(screen[1], 8);
  bytes.writeUInt16LE(left, at + 1);
  bytes.writeUInt16LE(top, at + 3);
  const decoded = await sharp(bytes).metadata();
  expect(sizeOf(await read(bytes))).toEqual([decoded.width, decoded.height]);
});

test.each([
  ['no extension', [], false],
  ['a graphic control without transparency', [graphicControl(4)], false],
  ['transparency behind a comment', [Buffer.from('\x21\xfe\x03abc\x02de\x00', 'latin1'), graphicControl(1)], true],
])('GIF with %s: alpha %s', async (_name, extensions, alpha) => {
  const facts = await read(gif({ screen: [30, 20], image: [0, 0, 30, 20], extensions }));
  expect(facts).toMatchObject({ color: 'palette', alpha });
});

test.each([
  ['nothing set', 0, { alpha: false, profile: false, orientation: 1 }],
  ['alpha', 0x10, { alpha: true }],
  ['a profile', 0x20, { profile: true }],
  ['EXIF', 0x08, { orientation: 5, dpi: { x: 96, y: 96 } }],
])('extended WebP, %s', async (_name, flags, facts) => {
  const image = webpChunk('VP8 ', Buffer.alloc(7));
  const bytes = webp(extended(flags, 16_777_216, 20), image, webpChunk('EXIF', exif(5, 96_000, 96_000, 2)));
  const found = await read(bytes);
  expect(found).toMatchObject(facts);
  expect(sizeOf(found)).toEqual([16_777_216, 20]);
});

test('lossless WebP with alpha', async () => {
  expect((await read(await sample(33, 21, 4).webp({ lossless: true }).toBuffer())).alpha).toBe(true);
});

test.each([
  ['an unknown first chunk', webp(webpChunk('JUNK', Buffer.alloc(30)))],
  ['no key frame', webp(webpChunk('VP8 ', Buffer.alloc(30)))],
  ['no lossless signature', webp(webpChunk('VP8L', Buffer.alloc(30)))],
])('a WebP with %s is damaged', async (_name, bytes) => {
  await expect(readHeader(bufferSource(bytes))).rejects.toThrow(HeaderError);
});
