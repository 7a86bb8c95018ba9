/** The directory reader: its values, and its bounds. */
import { expect, test } from 'vitest';
import { buildTiff, long, rgbTags, short } from '../../../test/fixtures/files/tiff.mjs';
import { bufferSource, TiffError } from '../src/bytes.ts';
import { readDirectories, readNumber, readNumbers } from '../src/directories.ts';

const open = (bytes: Buffer) => readDirectories(bufferSource(bytes));

test.each([
  { littleEndian: true, big: false },
  { littleEndian: false, big: false },
  { littleEndian: true, big: true },
  { littleEndian: false, big: true },
])('values are read by their type and in part: %o', async (layout) => {
  const offsets = Array.from({ length: 1000 }, (_, index) => index * 70_000);
  const bytes = buildTiff(
    [
      {
        tags: [
          [258, short, [8, 9]],
          [282, 5, [1500]],
          [324, layout.big ? 16 : long, offsets],
          [347, 7, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
        ],
      },
    ],
    layout,
  );
  const file = await open(bytes);
  const [directory] = file.directories;
  const tileOffsets = directory.entries.get(324);
  expect(file).toMatchObject(layout);
  expect(await readNumber(file, directory, 258)).toBe(8);
  expect(await readNumber(file, directory, 282)).toBe(1.5);
  expect(await readNumber(file, directory, 999)).toBeUndefined();
  expect(tileOffsets?.count).toBe(1000);
  expect(tileOffsets && (await readNumbers(file, tileOffsets, 998, 5))).toEqual([998 * 70_000, 999 * 70_000]);
  expect(tileOffsets && (await readNumbers(file, tileOffsets, 1000, 5))).toEqual([]);
});

test('a million values are not read before they are requested', async () => {
  const bytes = buildTiff([{ tags: rgbTags(9, 7, [[324, long, { count: 1_000_000, offset: 8 }]]) }]);
  const file = await open(bytes);
  const entry = file.directories[0].entries.get(324);
  expect(entry).toEqual({ type: long, count: 1_000_000, offset: 8 });
  await expect(entry && readNumbers(file, entry, 0, 1_000_000)).rejects.toThrow(TiffError);
});

test('unknown types are ignored, and the first of two equal tags is used', async () => {
  const { directories } = await open(
    buildTiff([
      {
        tags: [
          [256, short, [5]],
          [256, short, [6]],
          [700, 99, [1]],
        ],
      },
    ]),
  );
  expect([...directories[0].entries.keys()]).toEqual([256]);
});

/** A chain of directories with one entry each, of 18 bytes; `nextOf` gives the index of the one after each. */
function chain(count: number, nextOf: (index: number) => number): Buffer {
  const bytes = Buffer.alloc(8 + count * 18);
  bytes.write('II*\0', 'latin1');
  bytes.writeUInt32LE(8, 4);
  for (let index = 0; index < count; index++) {
    const start = 8 + index * 18;
    bytes.writeUInt16LE(1, start);
    bytes.writeUInt16LE(256, start + 2);
    bytes.writeUInt16LE(short, start + 4);
    bytes.writeUInt32LE(1, start + 6);
    bytes.writeUInt32LE(8 + nextOf(index) * 18, start + 14);
  }
  return bytes;
}

test.each([
  ['itself', 1, () => 0, 1],
  ['the first of three', 3, (index: number) => (index + 1) % 3, 3],
  ['the one before', 5, (index: number) => (index === 4 ? 3 : index + 1), 5],
])('a chain that leads back to %s ends there', async (_name, count, nextOf, length) => {
  expect((await open(chain(count, nextOf))).directories).toHaveLength(length);
});

test('of 65,000 directories the first 4096 are read', async () => {
  expect((await open(chain(65_000, (index) => index + 1))).directories).toHaveLength(4096);
});

test('no more directories are read than the bound', async () => {
  expect((await readDirectories(bufferSource(chain(9, (index) => index + 1)), 1)).directories).toHaveLength(1);
});

test('overlapping directories of many entries end at a bound', async () => {
  // Every 2 bytes are 900 (as a count, a tag, a type or a pointer): each position is a directory of 900 entries.
  const bytes = Buffer.alloc(2_000_000);
  for (let at = 0; at < bytes.length; at += 2) bytes.writeUInt16LE(900, at);
  for (let index = 0; index < 4096; index++) bytes.writeUInt32LE(8 + (index + 1) * 4, 8 + index * 4 + 2 + 900 * 12);
  bytes.write('II*\0', 'latin1');
  bytes.writeUInt32LE(8, 4);
  const { directories } = await open(bytes);
  expect(directories.length).toBeGreaterThan(1);
  expect(directories.length).toBeLessThan(300);
});

test('at most 64 SubIFDs of a page are read, and none twice', async () => {
  const sub = { tags: rgbTags(9, 7) };
  const many = buildTiff([{ tags: rgbTags(9, 7), subDirectories: Array.from({ length: 100 }, () => sub) }]);
  expect((await open(many)).directories[0].subDirectories).toHaveLength(64);
  const own = buildTiff([{ tags: rgbTags(9, 7, [[330, long, [8, 8, 8]]]) }]);
  expect((await open(own)).directories[0].subDirectories).toEqual([]);
});

test('SubIFDs outside the file and their endless lists leave the page as it is', async () => {
  for (const values of [[4_294_967_295], { count: 4_294_967_295, offset: 4_294_967_295 }]) {
    const { directories } = await open(buildTiff([{ tags: rgbTags(9, 7, [[330, long, values]]) }]));
    expect(directories.map(({ subDirectories }) => subDirectories)).toEqual([[]]);
  }
});

test('a directory of more than a thousand entries is damaged', async () => {
  const tags = Array.from({ length: 1001 }, (_, index) => [1000 + index, short, [1]] as const);
  await expect(open(buildTiff([{ tags }]))).rejects.toThrow(TiffError);
});
