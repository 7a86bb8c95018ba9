import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TiledImage, tilesOfFirstSight } from '../../../../../web/src/model/view/image-service.ts';

const map = (tile: Omit<NonNullable<TiledImage['tiles']>[number], 'scaleFactors'>, limits = {}): TiledImage => ({
  width: 4000,
  height: 3000,
  tiles: [{ ...tile, scaleFactors: [1, 2, 4, 8, 16] }],
  ...limits,
});

const window = { width: 1500, height: 800 };

describe('the tiles of a first sight', () => {
  it.each([
    [{ width: 256 }, { width: 1024, height: 1024 }],
    [
      { width: 256, height: 256 },
      { width: 1024, height: 1024 },
    ],
    [
      { width: 300, height: 200 },
      { width: 900, height: 1000 },
    ],
    [
      { width: 64, height: 2048 },
      { width: 1024, height: 2048 },
    ],
  ])('of %j are %j from the level that fits the window', (tile, large) =>
    expect(tilesOfFirstSight(map(tile), window)).toEqual([
      { ...tile, scaleFactors: [1] },
      { ...large, scaleFactors: [2, 4, 8, 16] },
    ]),
  );

  it.each([
    ['a larger window', { width: 4000, height: 3000 }, [1, 2, 4, 8, 16]],
    ['one with half of the pixels', { width: 2000, height: 1500 }, [2, 4, 8, 16]],
    ['one with a pixel less', { width: 1999, height: 1500 }, [2, 4, 8, 16]],
  ])('begin at the level for %s', (_, size, factors) =>
    expect(tilesOfFirstSight(map({ width: 256 }), size)?.at(-1)?.scaleFactors).toEqual(factors),
  );

  it.each([
    ['few of these are needed', map({ width: 700 })],
    ['the server allows no larger ones', map({ width: 256 }, { maxArea: 1_000_000 })],
    ['the server allows no wider ones', map({ width: 256 }, { maxWidth: 800 })],
    ['the server allows no higher ones', map({ width: 256 }, { maxWidth: 2000, maxHeight: 800 })],
    ['the server advertises large ones', map({ width: 1024, height: 1024 })],
    ['the server advertises none', { width: 10, height: 10 }],
    [
      'the server advertises two sizes',
      {
        ...map({ width: 256 }),
        tiles: [
          { width: 256, scaleFactors: [1] },
          { width: 512, scaleFactors: [2] },
        ],
      },
    ],
  ])('are the advertised ones where %s', (_, image: TiledImage) =>
    expect(tilesOfFirstSight(image, window)).toBe(image.tiles),
  );

  it('are the advertised ones in a small window, which needs few of these', () =>
    expect(tilesOfFirstSight(map({ width: 512 }), { width: 390, height: 300 })).toHaveLength(1));

  it('have all scale factors once, in their order', () => {
    const sides = fc.integer({ min: 1, max: 20_000 });
    fc.assert(
      fc.property(
        sides,
        sides,
        fc.integer({ min: 16, max: 4096 }),
        sides,
        sides,
        (width, height, tile, across, down) => {
          const scaleFactors = [1, 2, 4, 8, 16, 32];
          const tiles = tilesOfFirstSight(
            { width, height, tiles: [{ width: tile, scaleFactors }] },
            { width: across, height: down },
          );
          expect(tiles?.flatMap((set) => set.scaleFactors)).toEqual(scaleFactors);
        },
      ),
    );
  });
});
