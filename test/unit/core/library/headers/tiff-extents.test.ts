/** Which TIFF files lack strips or tiles that their directories name. */
import { expect, it, test } from 'vitest';
import { bufferSource } from '../../../../../src/core/library/headers/byte-source.ts';
import { readHeader } from '../../../../../src/core/library/headers/header.ts';
import { buildTiff, long, long8, rgbTags, short, type Tag } from '../../../../fixtures/files/tiff.mjs';

const fileBytes = 4000;

/** A file of 4000 bytes with an image of 30 x 20 pixels, whose rows take 90 bytes. */
const fileWith = (tags: readonly Tag[], layout = {}): Buffer => {
  const bytes = buildTiff([{ tags: rgbTags(30, 20, tags) }], layout);
  return Buffer.concat([bytes, Buffer.alloc(fileBytes - bytes.length, 7)]);
};

const isTruncated = async (bytes: Buffer): Promise<boolean> =>
  (await readHeader(bufferSource(bytes))).truncated === true;

/** Two strips of 15 and 5 rows. */
const strips = (compression: number, offsets: readonly number[], lengths: readonly number[], type = long): Tag[] => [
  [259, short, [compression]],
  [273, type, offsets],
  [278, short, [15]],
  [279, type, lengths],
];

const tiles = (compression: number, offsets: readonly number[], lengths: readonly number[]): Tag[] => [
  [259, short, [compression]],
  [322, short, [16]],
  [323, short, [32]],
  [324, long, offsets],
  [325, long, lengths],
];

const [plain, lzw, deflate, oldJpeg] = [1, 5, 8, 6];

test.each<[string, boolean, readonly Tag[], object?]>([
  ['the last byte of a strip is the last of the file', false, strips(lzw, [1000, 3900], [500, 100])],
  ['the last byte of a strip is beyond the file', true, strips(lzw, [1000, 3900], [500, 101])],
  ['any strip is beyond the file', true, strips(lzw, [3900, 1000], [101, 500])],
  ['an offset is beyond the file', true, strips(deflate, [1000, 4_000_000_000], [500, 100])],
  ['a BigTIFF names an offset of 2^60', true, strips(lzw, [1000, 2 ** 60], [500, 100], long8), { big: true }],
  ['the numbers have 16 bits', true, strips(lzw, [1000, 3900], [500, 101], short)],
  ['the numbers are big-endian', true, strips(lzw, [1000, 3900], [500, 101]), { littleEndian: false }],
  ['a tile is within the file', false, tiles(deflate, [1000, 3900], [500, 100])],
  ['a tile is beyond the file', true, tiles(deflate, [1000, 3900], [500, 101])],
  ['a tile without compression is beyond the file', true, tiles(plain, [1000, 3000], [1536, 1536])],
  ['a tile is not stored', false, tiles(deflate, [1000, 0], [500, 0])],
  ['a tile has an offset and no length', false, tiles(deflate, [1000, 5000], [500, 0])],
  ['the last strip’s length counts rows below the image', false, strips(plain, [1000, 3550], [1350, 1350])],
  ['the last strip’s rows are beyond the file', true, strips(plain, [1000, 3551], [1350, 1350])],
  ['strips of planes count rows below the image', false, [...planes([100, 1000, 1500, 2000, 2600, 3850])]],
  ['a plane’s last strip is beyond the file', true, [...planes([100, 1000, 1500, 2000, 2600, 3851])]],
  ['a strip without a length is within the file', false, [[273, long, [2200]]]],
  ['a strip without a length is beyond the file', true, [[273, long, [2201]]]],
  ['the old JPEG compression has bytes elsewhere', false, strips(oldJpeg, [1000, 5000], [500, 101])],
  ['the list of offsets is beyond the file', true, [[273, long, { count: 2000, offset: 3000 }]]],
  ['a directory names no pixels', false, []],
])('where %s: %s', async (_name, truncated, tags, layout) => {
  expect(await isTruncated(fileWith(tags, layout))).toBe(truncated);
});

test.each<[string, boolean, readonly Tag[], number]>([
  ['the last tile ends in 256 zeros', true, tiles(deflate, [1000, 3000], [500, 1000]), 256],
  ['the last strip ends in 256 zeros', true, strips(lzw, [3000, 1000], [1000, 500]), 256],
  ['the last tile ends in 255 zeros', false, tiles(deflate, [1000, 3000], [500, 1000]), 255],
  ['the last tile is not compressed', false, tiles(plain, [500, 2464], [1536, 1536]), 256],
  ['zeros follow the last tile', false, tiles(deflate, [1000, 3000], [500, 700]), 300],
])('where %s: %s', async (_name, truncated, tags, zeros) => {
  const bytes = fileWith(tags).fill(0, fileBytes - zeros);
  expect(await isTruncated(bytes)).toBe(truncated);
  // Where a further read is a request, the end is not read.
  expect((await readHeader(bufferSource(bytes), false)).truncated).toBe(undefined);
});

/** Three planes of two strips each; a row of a plane takes 30 bytes. */
function planes(offsets: readonly number[]): readonly Tag[] {
  return [
    ...strips(
      plain,
      offsets,
      offsets.map(() => 450),
    ),
    [284, short, [2]],
  ];
}

it('of each level and page counts, and directories beyond the end', async () => {
  const whole = { tags: rgbTags(30, 20, strips(lzw, [9, 10], [1, 1])) };
  const cut = { tags: [[254, short, [1]], ...rgbTags(15, 10, strips(lzw, [9, 1e6], [1, 1]))] as Tag[] };
  const page = { tags: rgbTags(30, 20, strips(lzw, [9, 1e6], [1, 1])) };
  expect(await isTruncated(buildTiff([whole, cut]))).toBe(true);
  expect(await isTruncated(buildTiff([{ ...whole, subDirectories: [cut] }]))).toBe(true);
  expect(await isTruncated(buildTiff([whole, page]))).toBe(true);
  const pages = buildTiff([whole, whole]);
  expect(await isTruncated(pages)).toBe(false);
  expect(await isTruncated(pages.subarray(0, -30))).toBe(true);
  const nested = buildTiff([{ ...whole, subDirectories: [whole] }]);
  expect(await isTruncated(nested)).toBe(false);
});

it('takes bounded time and memory for lists of any length', async () => {
  const count = 60_000;
  const list: Tag = [273, long, Array.from({ length: count }, () => 9)];
  const bytes = buildTiff([{ tags: rgbTags(30, 20, [[259, short, [lzw]], list, [279, long, list[2] as number[]]]) }]);
  let read = 0;
  const source = bufferSource(bytes);
  const header = await readHeader({
    ...source,
    read: async (offset, length) => {
      read += length;
      return source.read(offset, length);
    },
  });
  expect(header.truncated).toBeUndefined();
  expect(read).toBeLessThan(3 * bytes.length);
  const huge = buildTiff([
    {
      tags: rgbTags(30, 20, [
        [259, short, [lzw]],
        [273, long, { count: 4e9, offset: 8 }],
      ]),
    },
  ]);
  expect(await isTruncated(huge)).toBe(true);
});
