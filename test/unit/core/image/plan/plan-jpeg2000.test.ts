/** Plans and costs of JPEG 2000 files: which reduction is read, and what the decoder has to decode for it. */
import { describe, expect, it, test } from 'vitest';
import type { Rect, Size } from '../../../../../src/core/image/model/geometry.ts';
import { costOf, keyOf } from '../../../../../src/core/image/plan/cost.ts';
import { decodedArea } from '../../../../../src/core/image/plan/jpeg2000-decoding.ts';
import { decodeChecks } from '../../../../../src/core/image/plan/passthrough.ts';
import { planPart } from '../../../../../src/core/image/plan/plan-render.ts';
import { advertisedTile, slownessOf } from '../../../../../src/core/image/plan/slow-sources.ts';
import type { CodingStyle, Grid } from '../../library/headers/build-files.ts';
import { jpeg2000Of } from '../jpeg2000-image.ts';

const scan: Grid = { width: 10_000, height: 8000 };
const tiled: Grid = { ...scan, tile: [0, 0, 1024, 1024] };
const five: CodingStyle = { levels: 5 };

const whole = ({ width, height }: Size): Rect => ({ x: 0, y: 0, width, height });

async function planOf(grid: Grid, style: CodingStyle, part: Rect = whole(grid), output: Size = part) {
  const [resolution] = (await jpeg2000Of(grid, style)).resolutions;
  return planPart(resolution, part, output, 'jpeg');
}

const size = (width: number, height: number): Size => ({ width, height });
const rect = (x: number, y: number, width: number, height: number): Rect => ({ x, y, width, height });

describe('what is read', () => {
  type Row = readonly [name: string, grid: Grid, part: Rect, output: Size, reduction: number, read: Rect | undefined];
  test.each<Row>([
    ['the whole at its full size', scan, whole(scan), size(10_000, 8000), 0, undefined],
    ['the whole at half of it', scan, whole(scan), size(5000, 4000), 1, undefined],
    ['a little less than half', scan, whole(scan), size(4999, 3999), 1, undefined],
    ['a little more than half', scan, whole(scan), size(5001, 4001), 0, undefined],
    ['a thumbnail', scan, whole(scan), size(200, 160), 5, undefined],
    ['a part as it is', scan, rect(1024, 512, 512, 512), size(512, 512), 0, rect(1024, 512, 512, 512)],
    ['a part at a quarter', scan, rect(2048, 4096, 2048, 2048), size(512, 512), 2, rect(512, 1024, 512, 512)],
    ['odd sides', { width: 301, height: 203 }, rect(0, 0, 301, 203), size(151, 102), 1, undefined],
    ['odd sides, at an odd place', { width: 301, height: 203 }, rect(1, 0, 300, 203), size(150, 102), 1, undefined],
    [
      'an odd part elsewhere',
      { width: 301, height: 203 },
      rect(0, 0, 289, 203),
      size(145, 102),
      1,
      rect(0, 0, 145, 102),
    ],
    ['a last tile of odd sides', scan, rect(9216, 7168, 784, 832), size(49, 52), 4, rect(576, 448, 49, 52)],
    [
      'a last tile of odder sides',
      { width: 10_001, height: 8001 },
      rect(8192, 4096, 1809, 3905),
      size(227, 489),
      3,
      rect(1024, 512, 227, 489),
    ],
    ['one pixel', { width: 33, height: 1 }, rect(0, 0, 33, 1), size(2, 1), 0, undefined],
  ])('%s', async (_name, grid, part, output, reduction, read) => {
    const plan = await planOf(grid, five, part, output);
    expect([plan.location, plan.read]).toEqual([{ kind: 'reduction', reduction }, read]);
  });

  it('is resampled where the samples of a wavelet lie beside the places of its pixels', async () => {
    const tile = rect(2048, 4096, 2048, 2048);
    const plan = await planOf(scan, five, tile, size(512, 512));
    expect(plan.resample).toEqual({ from: { x: 0.375, y: 0.375, width: 512, height: 512 }, to: size(512, 512) });
    const full = await planOf(scan, five, rect(1024, 512, 512, 512));
    expect(full.resample).toBeUndefined();
    // The image begins at an odd place of the grid, the first sample of the reduction after it.
    const moved = await planOf(
      { ...scan, left: 1, top: 0, tile: [0, 0, 20_000, 20_000] },
      { levels: 1 },
      rect(0, 0, 2000, 2000),
      size(1000, 1000),
    );
    expect(moved.resample?.from).toMatchObject({ x: -0.25, y: 0.25 });
  });

  it('comes with what the decoder needs, which is no part of the key', async () => {
    const plan = await planOf(scan, five);
    expect(plan.jpeg2000?.codeStream.reductions).toBe(5);
    const { jpeg2000: _, ...others } = plan;
    expect(keyOf(plan)).toBe(JSON.stringify(others));
    expect(keyOf(plan)).not.toBe(keyOf(await planOf(scan, five, whole(scan), { width: 5000, height: 4000 })));
  });

  it.each([
    [1, 8],
    [8, 8],
    [9, 16],
    [12, 16],
    [16, 16],
    [24, 16],
  ])('has samples of %i bits as %i', async (bits, decoded) => {
    const plan = await planOf({ ...scan, components: [[bits - 1, 1, 1]] }, five);
    expect(plan.samples).toMatchObject({ bits: decoded, alpha: false });
    expect(plan.decoding.pixelBytes).toBe(decoded / 8);
  });
});

describe('what is decoded', () => {
  const part = (x: number, y: number, side = 512): Rect => ({ x, y, width: side, height: side });
  const areaOf = async (grid: Grid, style: CodingStyle, rect?: Rect, output?: Size) =>
    decodedArea(await planOf(grid, style, rect, output));

  it('is all for the whole: in tiles, or in parts that overlap', async () => {
    const [pixels, tileBlocks] = [80e6, (80e6 * 3) / 64 ** 2];
    expect(await areaOf(scan, five)).toMatchObject({ atOnce: 4096 ** 2, coded: pixels, tiles: 1, tileBlocks });
    expect(await areaOf(scan, { levels: 0 })).toMatchObject({ atOnce: 2048 ** 2, total: pixels });
    const ofTiles = { total: pixels, coded: pixels, tiles: 80, tileBlocks: 768, readBlocks: 768 };
    expect(await areaOf(tiled, five)).toEqual({ atOnce: 1024 ** 2, ...ofTiles });
    expect(await areaOf(tiled, five, undefined, { width: 5000, height: 4000 })).toMatchObject({ atOnce: 1024 ** 2 });
  });

  it('is a part up to edges that the code-blocks of all subbands have', async () => {
    // A code-block of the smallest resolution covers 64 x 32 pixels, and the filters reach 186 beyond the part.
    expect(await areaOf(scan, five, part(2300, 2300))).toMatchObject({
      atOnce: 2048 ** 2,
      total: 2048 ** 2,
      coded: 640 ** 2,
    });
    expect(await areaOf(scan, five, part(2100, 2300))).toMatchObject({ total: 4096 * 2048 });
    expect(await areaOf(scan, { levels: 1 }, part(2310, 2310))).toMatchObject({ total: 640 * 640 });
    expect(await areaOf(scan, { levels: 0 }, part(2304, 2304))).toMatchObject({ total: 512 ** 2 });
    expect(await areaOf(scan, { levels: 5, block: [3, 4] }, part(2300, 2300))).toMatchObject({ total: 1024 * 2048 });
  });

  it.each([
    ['without the largest resolutions, whose packets come last', 2, 1, 48],
    ['with all where layers take turns', 0, 2, 768],
  ])('counts the code-blocks that have to be found: %s', async (_, progression, layers, readBlocks) => {
    const style = { ...five, progression, layers };
    expect(await areaOf(tiled, style, undefined, { width: 2500, height: 2000 })).toMatchObject({ readBlocks });
  });

  it('counts precincts where there are more of them than code-blocks', async () => {
    const precincts = [0x33, 0x44, 0x55, 0x66, 0x66, 0x11];
    // 313 x 250 samples in precincts of 8 x 8, twice as many in 16 x 16 … and 10000 x 8000 in 2 x 2, in three components.
    const counts = [40 * 32, 40 * 32, 40 * 32, 40 * 32, 79 * 63, 5000 * 4000];
    const tileBlocks = 3 * counts.reduce((sum, count) => sum + count, 0);
    expect(await areaOf(scan, { levels: 5, precincts })).toMatchObject({ tileBlocks });
  });

  it('ends at the edge of the image, and is no more than the touched tiles', async () => {
    expect(await areaOf(scan, five, part(9488, 7488))).toMatchObject({ total: (10_000 - 8192) * (8000 - 6144) });
    expect(await areaOf(tiled, five, part(2300, 2300))).toMatchObject({ atOnce: 1024 ** 2 });
    const small: Grid = { ...scan, tile: [0, 0, 256, 256] };
    expect(await areaOf(small, five, part(2304, 2304))).toMatchObject({ total: 512 ** 2, tiles: 4 });
    expect(await areaOf(small, five, part(2303, 2305))).toMatchObject({ total: 768 ** 2, tiles: 9 });
    const moved: Grid = { ...scan, left: 100, top: 200, tile: [50, 100, 256, 256] };
    expect(await areaOf(moved, five, part(206, 156))).toMatchObject({ total: 512 ** 2, tiles: 4 });
  });

  it('is less the smaller the level', async () => {
    const reduced = await areaOf(scan, five, part(2048, 2048, 2048), { width: 512, height: 512 });
    expect(reduced).toMatchObject({ total: 1536 ** 2 });
  });

  it('begins where the image does on its grid', async () => {
    const moved: Grid = { ...scan, left: 2000, top: 100, tile: [0, 0, 20_000, 20_000] };
    // From 2300 to 2812 of the image are 4300 to 4812 of the grid.
    expect(await areaOf(moved, five, part(2300, 2300))).toMatchObject({ total: 2048 ** 2 });
    expect(await areaOf(moved, five, part(1900, 2300))).toMatchObject({ total: 4096 * 2048 });
  });
});

describe('the cost', () => {
  const mebibyte = 2 ** 20;
  const bytes = async (...plan: Parameters<typeof planOf>): Promise<number> => costOf(await planOf(...plan)).bytes;
  const part: Rect = { x: 5000, y: 4000, width: 512, height: 512 };

  it('of all pixels is that of one part or tile, and of the pixels themselves', async () => {
    const pixels = 2 * 3 * 80e6;
    expect((await bytes(scan, five)) - pixels).toBeGreaterThan(300 * mebibyte);
    expect((await bytes(scan, five)) - pixels).toBeLessThan(750 * mebibyte);
    expect((await bytes(tiled, five)) - pixels).toBeLessThan(300 * mebibyte);
  });

  it('of a thumbnail is small where there are reductions', async () => {
    const thumbnail: Size = { width: 250, height: 200 };
    expect(await bytes(scan, five, whole(scan), thumbnail)).toBeLessThan(120 * mebibyte);
    expect(await bytes(scan, { levels: 0 }, whole(scan), thumbnail)).toBeGreaterThan(600 * mebibyte);
  });

  it('of a part is bounded by its code-blocks, or its tiles', async () => {
    expect(await bytes(scan, five, part)).toBeLessThan(300 * mebibyte);
    expect(await bytes(tiled, five, part)).toBeLessThan(80 * mebibyte);
  });

  it('of components that are not transformed together is that of one after the other', async () => {
    const apart = await bytes(scan, { ...five, componentTransform: 0 });
    expect((await bytes(scan, five)) - apart).toBeGreaterThan(4096 ** 2 * 2 * 4);
  });

  it('in time grows with what is decoded', async () => {
    const ms = async (...plan: Parameters<typeof planOf>): Promise<number> => costOf(await planOf(...plan)).ms;
    const steps = [
      await ms(tiled, five, part),
      await ms(scan, five, part),
      await ms(scan, five, whole(scan), { width: 2500, height: 2000 }),
      await ms(scan, five),
    ];
    expect(steps).toEqual([...steps].sort((one, other) => one - other));
    expect(new Set(steps).size).toBe(steps.length);
  });
});

describe('the tile of a viewer', () => {
  test.each<[string, Grid, number, number]>([
    ['is that of the code-stream', tiled, 1024, 1024],
    ['also where it is no square', { ...scan, tile: [0, 0, 1024, 256] }, 1024, 256],
    ['is 512 where there is one tile', scan, 512, 512],
    ['is 512 where tiles are tiny', { ...scan, tile: [0, 0, 64, 64] }, 512, 512],
    ['is 512 where tiles are stripes', { ...scan, tile: [0, 0, 10_000, 256] }, 512, 512],
    ['is 512 where tiles are huge', { ...scan, tile: [0, 0, 4096, 4096] }, 512, 512],
    ['is 512 where the first tile begins outside', { ...scan, left: 9, tile: [0, 0, 1024, 1024] }, 512, 512],
  ])('%s', async (_name, grid, width, height) => {
    expect(advertisedTile((await jpeg2000Of(grid, five)).resolutions[0])).toEqual({ width, height });
  });
});

test('the checks of all pixels cover the image once, in parts', async () => {
  const [resolution] = (await jpeg2000Of(scan, five)).resolutions;
  const parts = decodeChecks(resolution);
  expect(parts.every(({ location, scaled }) => location.kind === 'reduction' && scaled.width === 8)).toBe(true);
  const rects = parts.map(({ read }) => read ?? whole(scan));
  expect(rects.reduce((sum, { width, height }) => sum + width * height, 0)).toBe(80e6);
  expect(new Set(rects.map(({ x, y }) => `${x} ${y}`)).size).toBe(rects.length);
  expect(Math.max(...rects.map(({ x, width }) => x + width))).toBe(10_000);
  expect(Math.max(...rects.map(({ y, height }) => y + height))).toBe(8000);
});

test('tiles are no reason that a pyramid would not help', async () => {
  const [resolution] = (await jpeg2000Of(tiled, five)).resolutions;
  expect(slownessOf(resolution).kind).not.toBe('quick');
});
