/**
 * Which regions the addon decodes from tiles as they are in the file, and which from code-blocks that are cut out of them.
 * @module-tag openjpeg-native
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { reducedSize } from '../src/model.ts';
import { findNativeDecoder, type NativeDecoder } from '../src/native.ts';
import { type RegionPixels, type RegionRead, RegionReader } from '../src/region.ts';
import { emptyTiles, type Grid } from './build-code-stream.ts';
import { openBytes } from './open-bytes.ts';

const openFixture = (name: string) =>
  openBytes(readFileSync(new URL(`../../../test/fixtures/jpeg2000/${name}`, import.meta.url)));

type Fixture = Awaited<ReturnType<typeof openFixture>>;

/** The middle of an image that is halved so often. */
function middleOf({ header }: Fixture, reduction: number): RegionRead {
  const { width, height } = reducedSize(header.codeStream, reduction);
  const region = {
    x: Math.floor(width / 4),
    y: Math.floor(height / 4),
    width: Math.floor(width / 2),
    height: Math.floor(height / 2),
  };
  return { reduction, region, lenient: false, bits: 8 };
}

/** The addon, which adds the reduction of each call to `calls`: tiles are given as they are, and code-blocks without what is not needed. */
function watched(calls: number[], fail?: (reduction: number) => boolean): NativeDecoder {
  const native = findNativeDecoder();
  if (native === undefined) throw new TypeError('the addon is missing');
  return {
    ...native,
    decode(...call) {
      const [, , , , , reduction] = call;
      calls.push(reduction);
      if (fail?.(reduction)) throw Object.assign(new Error('OpenJPEG: no'), { code: 'damaged' });
      return native.decode(...call);
    },
  };
}

const checksumOf = ({ samples }: RegionPixels): string => createHash('sha256').update(samples).digest('hex');

const inWebAssembly = (file: Fixture, read: RegionRead) => new RegionReader().readRegion(file, read);

it.each([
  'tiled-lossless.jp2',
  'tiled-lossy.j2k',
  'large-tiles.jp2',
  'tile-offset.jp2',
  'tlm.jp2',
  'plt.jp2',
  'sycc-444.jp2',
])('all tiles of a region are one call: %s', async (name) => {
  const file = await openFixture(name);
  const calls: number[] = [];
  const read = middleOf(file, 1);
  const pixels = await new RegionReader(watched(calls)).readRegion(file, read);
  expect(calls).toEqual([1]);
  expect(checksumOf(pixels)).toBe(checksumOf(await inWebAssembly(file, read)));
});

it.each([
  'tile-parts.jp2',
  'ppm.j2k',
  'sycc-420.jp2',
  'ppt.j2k',
  'high-throughput.jph',
  'four-components.jp2',
  'large-lossy.jp2',
])('cut out: %s', async (name) => {
  const file = await openFixture(name);
  const calls: number[] = [];
  await new RegionReader(watched(calls)).readRegion(file, middleOf(file, 1));
  expect(new Set(calls)).toEqual(new Set([0]));
});

it('cut out where OpenJPEG finds something wrong with the tiles', async () => {
  const file = await openFixture('tiled-lossless.jp2');
  const calls: number[] = [];
  const read = middleOf(file, 1);
  const native = watched(calls, (reduction) => reduction > 0);
  const pixels = await new RegionReader(native).readRegion(file, read);
  expect(calls).toEqual([1, 0]);
  expect(checksumOf(pixels)).toBe(checksumOf(await inWebAssembly(file, read)));
});

it.each([
  [32, [1]],
  [33, Array.from({ length: 9 }, () => 0)],
])(
  'tiles of %i rows and columns are decoded at once, or in groups where these are too many',
  async (side, reductions) => {
    const grid: Grid = { width: 16 * side, height: 16 * side, tile: [0, 0, 16, 16], components: [[7, 1, 1]] };
    const file = await openBytes(emptyTiles(grid, { levels: 1 }, side ** 2, 2));
    const calls: number[] = [];
    const region = { x: 0, y: 0, width: 8 * side, height: 8 * side };
    const read: RegionRead = { reduction: 1, region, lenient: false, bits: 8 };
    const pixels = await new RegionReader(watched(calls)).readRegion(file, read);
    expect(calls).toEqual(reductions);
    expect(checksumOf(pixels)).toBe(checksumOf(await inWebAssembly(file, read)));
  },
);
