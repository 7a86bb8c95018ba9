/** Excerpts have the blocks of an area as they are stored, and what is damaged or unknown has none. */
import { inflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { type BlockTiffOptions, blockTiff } from '../../../test/pixels/block-tiff.ts';
import { bufferSource } from '../src/bytes.ts';
import { readDirectories, readNumber, readNumbers, tags } from '../src/directories.ts';
import { type Area, planExcerpt, readBlockGrid, writeExcerpt } from '../src/excerpt.ts';

const values = Uint16Array.from({ length: 100 * 80 * 3 }, (_, at) => (at * 40_503) % 65_536);
const image = { width: 100, height: 80, channels: 3, values };

async function excerptOf(file: Buffer, area: Area) {
  const tiff = await readDirectories(bufferSource(file));
  const [directory] = tiff.directories;
  const grid = await readBlockGrid(tiff, directory);
  const plan = grid && (await planExcerpt(tiff, grid, area));
  if (grid === undefined || plan === undefined) return undefined;
  const blocks = plan.places.map(({ at, bytes }) => file.subarray(at, at + bytes));
  const bytes = await writeExcerpt(tiff, directory, grid, plan, blocks);
  return bytes && { bytes, area: plan.area };
}

const area = { x: 40, y: 30, width: 20, height: 9 };

it.each<[string, BlockTiffOptions, Area, number]>([
  ['tiles', { tile: 16 }, { x: 32, y: 16, width: 32, height: 32 }, 4],
  [
    'tiles of a BigTIFF in the other byte order',
    { tile: 16, big: true, littleEndian: false },
    { x: 32, y: 16, width: 32, height: 32 },
    4,
  ],
  ['all tiles, which end with the image', { tile: 64 }, { x: 0, y: 0, width: 100, height: 80 }, 4],
  ['strips', { rows: 8 }, { x: 0, y: 24, width: 100, height: 16 }, 2],
  ['strips of each plane', { rows: 8, isPlanar: true }, { x: 0, y: 24, width: 100, height: 16 }, 6],
  ['rows of strips without compression', { rows: 8, isCompressed: false }, { x: 0, y: 30, width: 100, height: 9 }, 1],
])('%s', async (_, options, expected, count) => {
  const asked = options.tile === 64 ? { x: 10, y: 10, width: 90, height: 70 } : area;
  const found = await excerptOf(blockTiff([image], options), asked);
  expect(found?.area).toEqual(expected);
  const tiff = await readDirectories(bufferSource(found?.bytes ?? Buffer.alloc(0)));
  const [directory] = tiff.directories;
  const number = (tag: number) => readNumber(tiff, directory, tag);
  expect([await number(tags.width), await number(tags.height)]).toEqual([expected.width, expected.height]);
  expect([tiff.big, tiff.littleEndian]).toEqual([options.big ?? false, options.littleEndian ?? true]);
  const offsets = directory.entries.get(options.tile ? tags.tileOffsets : tags.stripOffsets);
  expect(offsets?.count).toBe(count);
  const [first = 0] = offsets ? await readNumbers(tiff, offsets, 0, 1) : [];
  const stored = found?.bytes.subarray(first) ?? Buffer.alloc(0);
  const samples = options.isCompressed === false ? stored : inflateSync(stored);
  if (options.littleEndian === false) samples.swap16();
  expect(samples.readUInt16LE(0)).toBe(values[(expected.y * 100 + expected.x) * 3]);
});

it.each<[string, (file: Buffer) => Buffer]>([
  ['a tile lies beyond the end of the file', (file) => tagged(file, tags.tileOffsets, file.length)],
  ['the old JPEG compression of TIFF 6.0, whose tables are elsewhere', (file) => tagged(file, tags.compression, 6)],
  ['fewer tiles than the size needs', (file) => tagged(file, tags.width, 1000)],
])('none where there is %s', async (_, damage) => {
  const file = blockTiff([image], { tile: 128 });
  expect(await excerptOf(file, area)).toBeDefined();
  expect(await excerptOf(damage(file), area)).toBeUndefined();
});

/** With another value of a tag that has a single one. */
function tagged(file: Buffer, tag: number, value: number): Buffer {
  const changed = Buffer.from(file);
  const directory = changed.readUInt32LE(4);
  for (let at = directory + 2; ; at += 12) {
    if (changed.readUInt16LE(at) !== tag) continue;
    changed.writeUInt32LE(value, at + 8);
    return changed;
  }
}
