/** The header of JPEG 2000 files: colors, levels and tiles, resolution, orientation. */

import type { Jpeg2000Color } from '@lectern/jpeg2000/model';
import { describe, expect, it, test } from 'vitest';
import type { Dpi } from '../../../../../src/core/image/model/geometry.ts';
import type { PageFacts } from '../../../../../src/core/image/model/image-set.ts';
import { type ByteSource, bufferSource } from '../../../../../src/core/library/headers/byte-source.ts';
import { HeaderError, readHeader } from '../../../../../src/core/library/headers/header.ts';
import { adobeRgb, srgb } from '../../../../fixtures/files/icc-profile.mjs';
import { buildTiff, rational, short } from '../../../../fixtures/files/tiff.mjs';
import {
  box,
  cod,
  codeStream,
  codeStreamOf,
  enumeratedColor,
  ihdr,
  jp2,
  jp2Signature,
  jp2With,
  profileColor,
  resolutionBox,
  siz,
  u16,
  u32,
} from './build-files.ts';

const header = (bytes: Buffer) => readHeader(bufferSource(bytes));
const read = async (bytes: Buffer): Promise<PageFacts> => (await header(bytes)).pages[0];
const colorOf = async (bytes: Buffer): Promise<Jpeg2000Color | undefined> => (await read(bytes)).jpeg2000?.color;
const levels = async (bytes: Buffer): Promise<readonly string[]> =>
  (await read(bytes)).levels.map(({ width, height, tile }) =>
    tile ? `${width}x${height} in ${tile.width}x${tile.height}` : `${width}x${height}`,
  );

const stream = (components: number): Buffer => codeStream(30, 20, components);
const deep = (...bits: readonly number[]): Buffer =>
  codeStreamOf([siz({ width: 30, height: 20, components: bits.map((each) => [each - 1, 1, 1] as const) }), cod()]);
const icc = (profile: Buffer): Buffer => box('colr', Buffer.of(2, 0, 0), profile);
const cdef = (...entries: readonly (readonly [channel: number, type: number, association: number])[]): Buffer =>
  box('cdef', u16(entries.length), ...entries.flat().map(u16));
const palette = (rows: number, columns: number, bits = 8): Buffer =>
  box(
    'pclr',
    u16(rows),
    Buffer.of(columns),
    Buffer.alloc(columns, bits - 1),
    Buffer.alloc(rows * columns * Math.ceil(bits / 8)),
  );
const cmap = (...entries: readonly (readonly [component: number, type: number, column: number])[]): Buffer =>
  box('cmap', ...entries.flatMap(([component, type, column]) => [u16(component), Buffer.of(type, column)]));

const rgb = [{ component: 0 }, { component: 1 }, { component: 2 }];

describe('the color of a file with', () => {
  const vendor = box('colr', Buffer.of(4, 0, 0), Buffer.alloc(16));
  test.each<[string, Buffer, object]>([
    ['sRGB', jp2(enumeratedColor(16)), { color: 'rgb', bits: 8, alpha: false, profile: false }],
    ['gray', jp2With(stream(1), enumeratedColor(17)), { color: 'gray' }],
    ['gray of 16 bits', jp2With(deep(16), enumeratedColor(17)), { color: 'gray', bits: 16 }],
    ['one bit', jp2With(deep(1), enumeratedColor(17)), { color: 'bilevel', bits: 1 }],
    ['sYCC', jp2(enumeratedColor(18)), { color: 'rgb' }],
    ['CMYK', jp2With(stream(4), enumeratedColor(12)), { color: 'cmyk', alpha: false }],
    ['Lab', jp2(enumeratedColor(14)), { color: 'lab' }],
    ['components of different depths', jp2With(deep(5, 12, 5), enumeratedColor(16)), { color: 'rgb', bits: 12 }],
    ['a profile for RGB', jp2(profileColor('RGB ')), { color: 'rgb', profile: true }],
    ['a profile for gray', jp2With(stream(1), profileColor('GRAY')), { color: 'gray', profile: true }],
    ['an sRGB profile', jp2(icc(srgb)), { profile: true, profileSpace: 'srgb' }],
    [
      'a profile of 17 MB',
      jp2(box('colr', profileColor('RGB ').subarray(8), Buffer.alloc(17 * 2 ** 20))),
      { color: 'rgb', profile: false },
    ],
    ['a profile for more channels', jp2With(stream(1), profileColor('RGB ')), { color: 'gray', profile: false }],
    ['a damaged profile', jp2(icc(Buffer.alloc(200))), { color: 'rgb', profile: false }],
    ['a specification of a vendor before the usual one', jp2(vendor, enumeratedColor(18)), { color: 'rgb' }],
    ['no specification, of one component', jp2With(stream(1)), { color: 'gray' }],
    ['no specification, of two', jp2With(stream(2)), { color: 'gray', alpha: false }],
    ['no specification, of four', jp2With(stream(4)), { color: 'rgb', alpha: false }],
    ['no boxes', codeStream(30, 20), { color: 'rgb', bits: 8 }],
    ['an image header that contradicts', jp2(ihdr(31, 21, 1, 4), enumeratedColor(16)), { color: 'rgb', bits: 8 }],
  ])('%s', async (_name, bytes, facts) => {
    const found = await read(bytes);
    expect(found).toMatchObject(facts);
    expect([found.levels[0].width, found.levels[0].height]).toEqual([30, 20]);
  });

  test('another profile than sRGB', async () => {
    expect(await read(jp2(icc(adobeRgb)))).not.toHaveProperty('profileSpace');
  });
});

describe('the channels of a file with', () => {
  const [alpha, premultiplied] = [1, 2];
  const swapped = cdef([0, 0, 3], [1, 0, 2], [2, 0, 1]);
  const lookedUp = rgb.map((_, column) => ({ component: 0, column }));
  test.each<[string, Buffer, object]>([
    ['sRGB', jp2(enumeratedColor(16)), { space: 'srgb', colors: rgb }],
    ['four components and no definition', jp2With(stream(4), enumeratedColor(16)), { space: 'srgb', colors: rgb }],
    ['blue before green before red', jp2(enumeratedColor(16), swapped), { colors: [...rgb].reverse() }],
    [
      'opacity',
      jp2With(stream(4), enumeratedColor(16), cdef([0, 0, 1], [1, 0, 2], [2, 0, 3], [3, alpha, 0])),
      { colors: rgb, alpha: { component: 3, premultiplied: false } },
    ],
    [
      'opacity before the colors',
      jp2With(stream(4), enumeratedColor(16), cdef([0, premultiplied, 0])),
      {
        colors: [{ component: 1 }, { component: 2 }, { component: 3 }],
        alpha: { component: 0, premultiplied: true },
      },
    ],
    [
      'opacity of the only color',
      jp2With(stream(2), enumeratedColor(17), cdef([0, 0, 1], [1, alpha, 1])),
      { space: 'gray', colors: [{ component: 0 }], alpha: { component: 1, premultiplied: false } },
    ],
    ['a palette', jp2With(stream(1), palette(2, 3), enumeratedColor(16)), { colors: lookedUp }],
    [
      'a palette and mappings',
      jp2With(stream(2), palette(2, 3), cmap([1, 1, 2], [1, 1, 1], [1, 1, 0], [0, 0, 0]), cdef([3, alpha, 0])),
      {
        colors: [2, 1, 0].map((column) => ({ component: 1, column })),
        alpha: { component: 0, premultiplied: false },
      },
    ],
  ])('%s', async (_name, bytes, expected) => {
    expect(await colorOf(bytes)).toMatchObject(expected);
  });

  test('no opacity, where that of a single color is defined', async () => {
    const bytes = jp2With(stream(4), enumeratedColor(16), cdef([3, alpha, 2]));
    expect(await read(bytes)).toMatchObject({ alpha: false });
  });
});

test('a palette has the values of its columns, wherever they lie in the file', async () => {
  const bytes = jp2With(stream(1), palette(5, 3, 12), enumeratedColor(16));
  const { color, bits } = await read(bytes);
  expect([color, bits]).toEqual(['palette', 12]);
  const at = bytes.indexOf('pclr') + 4 + 3 + 3;
  const columns = Array.from({ length: 3 }, () => ({ bits: 12, signed: false }));
  expect((await colorOf(bytes))?.palette).toEqual({ entries: 5, columns, values: { at, bytes: 30 } });
});

describe('the media type of', () => {
  const streamOf = (blockStyle: number): Buffer => codeStreamOf([siz({ width: 30, height: 20 }), cod({ blockStyle })]);
  const branded = (brand: string, stream: Buffer): Buffer =>
    Buffer.concat([jp2Signature, box('ftyp', Buffer.from(`${brand}\0\0\0\0${brand}`)), box('jp2c', stream)]);
  const [classic, highThroughput] = [streamOf(0), streamOf(0x40)];
  it.each([
    ['JP2', jp2(), 'image/jp2'],
    ['JPX', branded('jpx ', classic), 'image/jpx'],
    ['JPH', branded('jph ', highThroughput), 'image/jph'],
    ['High-Throughput code-streams in JP2', branded('jp2 ', highThroughput), 'image/jph'],
    ['a code-stream', classic, 'image/j2c'],
    ['a High-Throughput code-stream', highThroughput, 'image/jphc'],
  ])('%s', async (_name, bytes, mediaType) => {
    expect((await read(bytes)).jpeg2000?.mediaType).toBe(mediaType);
  });
});

test('code-stream and profile are found by their positions in the file', async () => {
  const bytes = jp2(icc(adobeRgb));
  const { jpeg2000 } = await read(bytes);
  const { codeStream: found, color } = jpeg2000 ?? {};
  const part = ({ at, bytes: length } = { at: 0, bytes: 0 }) => bytes.subarray(at, at + length);
  expect(part(found)).toEqual(codeStream(30, 20));
  expect(part(color?.profile)).toEqual(adobeRgb);
});

test('the levels of a code-stream are its reductions, down to a single pixel', async () => {
  const streamOf = (grid: Parameters<typeof siz>[0], count: number) =>
    codeStreamOf([siz(grid), cod({ levels: count })]);
  expect(await levels(streamOf({ width: 301, height: 203 }, 2))).toEqual(['301x203', '151x102', '76x51']);
  expect(await levels(streamOf({ width: 5, height: 2 }, 32))).toEqual(['5x2', '3x1', '2x1', '1x1']);
  expect(await levels(streamOf({ width: 1, height: 9, left: 1 }, 3))).toEqual(['1x9']);
  const tiled = streamOf({ width: 300, height: 200, tile: [0, 0, 129, 64] }, 1);
  expect(await levels(tiled)).toEqual(['300x200 in 129x64', '150x100 in 65x32']);
  expect((await read(tiled)).levels.map(({ location }) => location)).toEqual([
    { kind: 'reduction', reduction: 0 },
    { kind: 'reduction', reduction: 1 },
  ]);
});

const exif = (orientation: number): Buffer =>
  buildTiff([
    {
      tags: [
        [274, short, [orientation]],
        [282, rational, [300_000]],
        [283, rational, [200_000]],
        [296, short, [2]],
      ],
    },
  ]);
const uuid = (name: string, ...body: Buffer[]): Buffer => box('uuid', Buffer.from(name, 'latin1'), ...body);

describe('the resolution of a file with', () => {
  const display = resolutionBox('resd', [72, 1, 2]);
  test.each<[string, Buffer, Dpi]>([
    [
      'both boxes',
      jp2(box('res ', display, resolutionBox('resc', [11_811, 1, 0], [59, 10, 3]))),
      { x: 299.9994, y: 149.86 },
    ],
    ['that of display alone', jp2(box('res ', resolutionBox('resd', [100, 1, 2]))), { x: 254, y: 254 }],
    ['an EXIF block', Buffer.concat([jp2(), uuid('JpgTiffExif->JP2', exif(1))]), { x: 300, y: 200 }],
  ])('%s', async (_name, bytes, dpi) => {
    expect((await read(bytes)).dpi).toEqual(dpi);
  });

  test('a divisor of zero is none', async () => {
    expect(await read(jp2(box('res ', resolutionBox('resc', [1, 0, 0]))))).not.toHaveProperty('dpi');
  });
});

test.each([
  ['before the code-stream', (block: Buffer) => jp2(block), 6],
  ['after the code-stream', (block: Buffer) => Buffer.concat([jp2(), block]), 6],
])('an EXIF block %s says the orientation', async (_name, build, orientation) => {
  expect((await read(build(uuid('JpgTiffExif->JP2', exif(6))))).orientation).toBe(orientation);
  const photoshop = Buffer.from('0537cdab9d0c4431a72afa561f2a113e', 'hex').toString('latin1');
  expect((await read(build(uuid(photoshop, exif(6))))).orientation).toBe(orientation);
  expect((await read(build(uuid('something else .', exif(6))))).orientation).toBe(1);
});

test('a file that ends before its code-stream does is cut short', async () => {
  const whole = jp2();
  expect(await header(whole)).not.toHaveProperty('truncated');
  expect(await header(whole.subarray(0, -2))).toMatchObject({ truncated: true });
  const open = Buffer.from(whole);
  open.writeUInt32BE(0, open.indexOf('jp2c') - 4);
  expect(await header(open)).not.toHaveProperty('truncated');
  expect(await header(open.subarray(0, -3))).toMatchObject({ truncated: true });
  expect(await header(codeStream(30, 20).subarray(0, -3))).toMatchObject({ truncated: true });
});

test('the header of JPX may stand in the headers of its layers, and behind the code-stream', async () => {
  const bytes = Buffer.concat([
    jp2Signature,
    box('ftyp', Buffer.from('jpx \0\0\0\0jpx ')),
    box('jp2c', codeStream(30, 20)),
    box('jpch', ihdr(30, 20)),
    box('jplh', box('cgrp', enumeratedColor(18)), cdef([0, 0, 1])),
  ]);
  expect(await colorOf(bytes)).toMatchObject({ space: 'sycc' });
});

test('large boxes are passed over', async () => {
  let read = 0;
  const bytes = jp2(enumeratedColor(16), box('xml ', Buffer.alloc(5_000_000)));
  const source = bufferSource(bytes);
  const counting: ByteSource = {
    size: source.size,
    read: (offset, length) => {
      read += length;
      return source.read(offset, length);
    },
  };
  expect((await readHeader(counting)).format).toBe('jp2');
  expect(read).toBeLessThan(200_000);
});

test.each([
  ['no code-stream', Buffer.concat([jp2Signature, box('jp2h', ihdr(30, 20), enumeratedColor(16))])],
  ['only its kind', Buffer.concat([jp2Signature, box('ftyp', Buffer.alloc(12))])],
  ['a palette that is cut short', jp2With(stream(1), box('pclr', u16(2), Buffer.of(3, 7, 7, 7)))],
  ['a palette of too many rows', jp2With(stream(1), palette(1025, 1))],
  ['a palette for a component that is not there', jp2With(stream(1), palette(2, 1), cmap([1, 1, 0]))],
  ['a palette for a column that is not there', jp2With(stream(1), palette(2, 1), cmap([0, 1, 1]))],
  ['a hundred thousand boxes', Buffer.concat([jp2Signature, ...Array.from({ length: 100_000 }, () => box('free'))])],
  ['a box shorter than its own head', Buffer.concat([jp2Signature, u32(4), Buffer.from('jp2c')])],
])('JPEG 2000 with %s is damaged', async (_name, bytes) => {
  await expect(readHeader(bufferSource(bytes))).rejects.toThrow(HeaderError);
});
