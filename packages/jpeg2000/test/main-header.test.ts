/** The main header of JPEG 2000 code-streams, and the header of their first tile-part. */
import { describe, expect, test } from 'vitest';
import { bufferSource } from '../src/bytes.ts';
import { Jpeg2000Error } from '../src/error.ts';
import { isCutShort, readCodeStream } from '../src/main-header.ts';
import { type CodeStream, reducedSize } from '../src/model.ts';
import { coc, cod, codeStream, codeStreamOf, segment, siz, u16, u32 } from './build-code-stream.ts';

const read = (bytes: Buffer, at = 0): Promise<CodeStream> => readCodeStream(bufferSource(bytes), at);
const plain = siz({ width: 30, height: 20 });

test('all facts of a code-stream', async () => {
  const grid = siz({
    width: 301,
    height: 203,
    left: 5,
    top: 7,
    tile: [2, 3, 64, 128],
    components: [
      [11, 1, 1],
      [0x8b, 2, 2],
    ],
  });
  const style = cod({ levels: 2, precincts: [0x21, 0x77, 0x88], flags: 6, progression: 2, layers: 7, transform: 0 });
  const bytes = codeStreamOf([grid, style, segment(0x5c, Buffer.of(0x40)), segment(0x55, Buffer.alloc(8))]);
  expect(await read(bytes, 85)).toEqual({
    at: 85,
    bytes: bytes.length,
    headerBytes: bytes.indexOf(Buffer.of(0xff, 0x90)),
    area: { x: 5, y: 7, width: 301, height: 203 },
    tile: { x: 2, y: 3, width: 64, height: 128 },
    components: [
      { bits: 12, signed: false, dx: 1, dy: 1 },
      { bits: 12, signed: true, dx: 2, dy: 2 },
    ],
    reductions: 2,
    layers: 7,
    progression: 'RPCL',
    block: { width: 64, height: 64 },
    precincts: [
      { width: 2, height: 4 },
      { width: 128, height: 128 },
      { width: 256, height: 256 },
    ],
    componentTransform: true,
    highThroughput: false,
    packetLengths: false,
  });
});

test.each(['LRCP', 'RLCP', 'RPCL', 'PCRL', 'CPRL'].map((name, code) => [name, code] as const))(
  'the progression %s',
  async (name, code) => {
    expect((await read(codeStreamOf([plain, cod({ progression: code })]))).progression).toBe(name);
  },
);

test.each([
  ['PLM', 0x57, true],
  ['TLM', 0x55, false],
  ['PPM', 0x60, false],
])('lengths of packets by %s of the main header', async (_name, code, packetLengths) => {
  const found = await read(codeStreamOf([plain, cod(), segment(code, Buffer.alloc(300))]));
  expect(found.packetLengths).toBe(packetLengths);
});

test.each([
  ['PLT', 0x58, true],
  ['PPT', 0x61, false],
])('lengths of packets by %s of the first tile-part', async (_name, code, packetLengths) => {
  const found = await read(codeStreamOf([plain, cod()], [segment(code, Buffer.alloc(300))]));
  expect(found.packetLengths).toBe(packetLengths);
});

describe('the number of reductions is the fewest levels', () => {
  const five = cod({ levels: 5 });
  test.each([
    ['of all components', [five], [], 5],
    ['of a component', [five, coc(1, { levels: 3 })], [], 3],
    ['when each component has its own', [five, ...[0, 1, 2].map((index) => coc(index, { levels: 6 + index }))], [], 6],
    ['of a component that is not there, which does not count', [five, coc(7, { levels: 1 })], [], 5],
    ['of the first tile', [five], [cod({ levels: 2 })], 2],
    ['of a component of the first tile', [five], [coc(2, { levels: 1 })], 1],
    ['of the image, where the first tile has more', [five], [cod({ levels: 9 })], 5],
  ])('%s', async (_name, segments, ofTile, reductions) => {
    expect((await read(codeStreamOf([plain, ...segments], ofTile))).reductions).toBe(reductions);
  });
});

test('a damaged header of the first tile-part is left out', async () => {
  const found = await read(codeStreamOf([plain, cod({ levels: 5 })], [cod({ levels: 99 }), segment(0x58)]));
  expect(found).toMatchObject({ reductions: 5, packetLengths: false });
  const whole = codeStream(30, 20);
  const end = whole.indexOf(Buffer.of(0xff, 0x90));
  expect(await read(whole.subarray(0, end + 2))).toMatchObject({ headerBytes: end });
});

test.each([
  ['by its blocks', [plain, cod({ blockStyle: 0x40 })]],
  ['by the blocks of a component', [plain, cod(), coc(0, { blockStyle: 0x40 })]],
  ['by its capabilities', [siz({ width: 30, height: 20, capabilities: 0x4000 }), cod()]],
])('High-Throughput JPEG 2000 is recognized %s', async (_name, segments) => {
  expect((await read(codeStreamOf(segments))).highThroughput).toBe(true);
});

describe('the size of a reduction is that of the image area on the reduced grid', () => {
  type Row = readonly [name: string, grid: Parameters<typeof siz>[0], reduction: number, width: number, height: number];
  const halves = [7, 2, 2] as const;
  test.each<Row>([
    ['the full size', { width: 301, height: 203 }, 0, 301, 203],
    ['half', { width: 301, height: 203 }, 1, 151, 102],
    ['a thirty-second', { width: 301, height: 203 }, 5, 10, 7],
    ['with an offset', { width: 301, height: 203, left: 5, top: 7 }, 1, 150, 101],
    ['with an offset, a quarter', { width: 301, height: 203, left: 5, top: 7 }, 2, 75, 51],
    ['nothing between two samples', { width: 1, height: 1, left: 1, top: 1 }, 1, 0, 0],
    ['subsampled colors', { width: 301, height: 203, components: [[7, 1, 1], halves, halves] }, 1, 151, 102],
    ['all subsampled', { width: 301, height: 203, components: [halves] }, 1, 76, 51],
    [
      'all subsampled, with an offset',
      { width: 301, height: 203, left: 3, top: 1, components: [halves], tile: [0, 0, 400, 400] },
      0,
      150,
      101,
    ],
  ])('%s', async (_name, grid, reduction, width, height) => {
    expect(reducedSize(await read(codeStreamOf([siz(grid), cod()])), reduction)).toEqual({ width, height });
  });
});

describe('a code-stream of unknown length', () => {
  const whole = codeStreamOf([plain, cod()]);
  const start = whole.indexOf(Buffer.of(0xff, 0x90));
  const [main, tilePart] = [whole.subarray(0, start), whole.subarray(start, -2)];
  const endless = Buffer.from(tilePart);
  endless.writeUInt32BE(0, 6);
  test.each([
    ['ends with EOC', whole, false],
    ['is padded', Buffer.concat([whole, Buffer.alloc(100)]), false],
    ['has no EOC', whole.subarray(0, -2), false],
    ['has several tile-parts and no EOC', Buffer.concat([main, tilePart, tilePart, tilePart]), false],
    ['is cut in a tile-part', Buffer.concat([main, tilePart, tilePart.subarray(0, -1)]), true],
    ['is cut in the head of a tile-part', Buffer.concat([main, tilePart, tilePart.subarray(0, 9)]), true],
    ['goes on with something else', Buffer.concat([main, tilePart, Buffer.alloc(50)]), true],
    ['ends in a tile-part without a length', Buffer.concat([main, endless, Buffer.alloc(50, 1)]), true],
    ['has EOC after a tile-part without a length', Buffer.concat([main, endless, u16(0xffd9)]), false],
    [
      'has more tile-parts than are followed',
      Buffer.concat([main, ...Array.from({ length: 1100 }, () => tilePart)]),
      true,
    ],
  ])('%s', async (_name, bytes, expected) => {
    expect(await isCutShort(bufferSource(bytes), await read(bytes))).toBe(expected);
  });
});

test.each([
  ['no size', codeStreamOf([cod()])],
  ['no coding style', codeStreamOf([plain])],
  ['an end in the main header', codeStreamOf([plain, cod()]).subarray(0, 60)],
  ['a segment beyond the end', Buffer.concat([codeStreamOf([plain, cod()]).subarray(0, 60), u16(0xff64), u16(0xffff)])],
  ['no marker where one must be', codeStreamOf([plain, cod(), Buffer.alloc(4)])],
  ['no tile', Buffer.concat([u16(0xff4f), plain, cod(), u16(0xffd9)])],
  ['no components', codeStreamOf([siz({ width: 30, height: 20, components: [] }), cod()])],
  ['257 components', codeStream(30, 20, 257)],
  ['a component of 39 bits', codeStreamOf([siz({ width: 30, height: 20, components: [[38, 1, 1]] }), cod()])],
  ['a component without samples', codeStreamOf([siz({ width: 30, height: 20, components: [[7, 0, 1]] }), cod()])],
  ['an offset beyond its size', codeStreamOf([siz({ width: -9, height: 20, left: 10, top: 0 }), cod()])],
  ['tiles of no size', codeStreamOf([siz({ width: 30, height: 20, tile: [0, 0, 0, 9] }), cod()])],
  ['a first tile right of the image', codeStreamOf([siz({ width: 30, height: 20, tile: [1, 0, 9, 9] }), cod()])],
  [
    'a first tile left of the image',
    codeStreamOf([siz({ width: 30, height: 20, left: 9, tile: [0, 0, 9, 99] }), cod()]),
  ],
  ['more tiles than it can count', codeStreamOf([siz({ width: 1000, height: 1000, tile: [0, 0, 1, 1] }), cod()])],
  [
    'an area between two samples',
    codeStreamOf([siz({ width: 1, height: 1, left: 1, components: [[7, 4, 4]] }), cod()]),
  ],
  ['an unknown progression', codeStreamOf([plain, cod({ progression: 5 })])],
  ['no layers', codeStreamOf([plain, cod({ layers: 0 })])],
  ['code-blocks of more than 4096 samples', codeStreamOf([plain, cod({ block: [5, 4] })])],
  ['code-blocks of 2048 columns', codeStreamOf([plain, cod({ block: [9, 0] })])],
  ['33 levels', codeStreamOf([plain, cod({ levels: 33 })])],
  ['precincts for some levels only', codeStreamOf([plain, cod({ levels: 3, precincts: [0x55] })])],
  ['a million comments', codeStreamOf([plain, cod(), ...Array.from({ length: 5000 }, () => segment(0x64, u32(0)))])],
])('a code-stream with %s is damaged', async (_name, bytes) => {
  await expect(read(bytes)).rejects.toThrow(Jpeg2000Error);
});
