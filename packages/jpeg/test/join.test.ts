/** JPEGs that are joined without decoding them are, byte by byte, the one that their coefficients give with restarts. */
import { describe, expect, it, test } from 'vitest';
import { joinJpegs } from '../src/join.ts';
import { scanOf, unitsOf } from '../src/scan.ts';
import { buildJpeg, type JpegSketch, noise, samplings, segment } from './build-jpeg.ts';

const tile = { width: 96, height: 64 };
const [columns, rows] = [3, 2];
const whole = { width: columns * tile.width, height: rows * tile.height };

type More = Partial<JpegSketch> & Pick<JpegSketch, 'factors'>;

/** The number of blocks of a component that a tile has across and down. */
function blocksOfTile({ factors }: More, component: number): readonly [across: number, down: number] {
  const [across, down] = factors[component] ?? [1, 1];
  if (factors.length === 1) return [tile.width / 8, tile.height / 8];
  const most = (at: 0 | 1): number => 8 * Math.max(...factors.map((factor) => factor[at]));
  return [(tile.width / most(0)) * across, (tile.height / most(1)) * down];
}

/** The tile in a column and row, whose coefficients are those of the whole. */
const tileAt = (column: number, row: number, more: More): Buffer =>
  buildJpeg({
    ...tile,
    ...more,
    coefficients: (component, x, y) => {
      const [across, down] = blocksOfTile(more, component);
      return noise(component, column * across + x, row * down + y);
    },
  });

const tilesOf = (more: More): readonly Buffer[] =>
  Array.from({ length: columns * rows }, (_, at) => tileAt(at % columns, Math.floor(at / columns), more));

function unitsAcross(stream: Buffer): number {
  const scan = scanOf(stream);
  if (typeof scan === 'string') throw new Error(scan);
  return unitsOf(scan).width;
}

/** In hexadecimal, which fails with fewer lines. */
const hex = (result: Buffer | string): string => (typeof result === 'string' ? result : result.toString('hex'));

describe.each(Object.entries(samplings))('%s', (_name, factors) => {
  test.each([128, 127, 65, 64, 33, 1])('down to row %d', (height) => {
    const tiles = tilesOf({ factors, restartInterval: 0 });
    const size = { width: whole.width, height };
    const restartInterval = unitsAcross(tiles[0] ?? Buffer.alloc(0));
    const expected = buildJpeg({ ...size, factors, coefficients: noise, restartInterval });
    expect(hex(joinJpegs(tiles.slice(0, columns * Math.ceil(height / tile.height)), columns, size))).toBe(
      hex(expected),
    );
  });

  test.each([1, 5, 1000])('of tiles with a restart behind every %d units', (restartInterval) => {
    const joined = joinJpegs(tilesOf({ factors, restartInterval }), columns, whole);
    expect(hex(joined)).toBe(hex(joinJpegs(tilesOf({ factors, restartInterval: 0 }), columns, whole)));
  });
});

const factors = samplings['4:2:0'];

it('says how far apart restarts are where the tiles have none', () => {
  const [first = Buffer.alloc(0), ...others] = tilesOf({ factors });
  const joined = joinJpegs([first, ...others], columns, whole);
  expect(typeof joined).toBe('object');
  expect(scanOf(joined as Buffer)).toMatchObject({ size: whole, restartInterval: unitsAcross(first) });
});

describe('is refused', () => {
  test.each<[string, readonly Buffer[], number, { width: number; height: number }]>([
    ['the tiles are not those of the picture', tilesOf({ factors }), columns, { ...whole, width: 192 }],
    ['the tiles are not those of the picture', tilesOf({ factors }), columns, { ...whole, height: 64 }],
    ['the tiles end within units (MCUs)', tilesOf({ factors: samplings['4:1:1'], width: 80 }), columns, whole],
    [
      'the last tile is so narrow that decoders would not smooth its colors',
      tilesOf({ factors }),
      columns,
      { ...whole, width: 195 },
    ],
    [
      'the tiles have other headers',
      [...tilesOf({ factors }).slice(1), tileAt(0, 0, { factors, first: [segment(0xfe, [1])] })],
      columns,
      whole,
    ],
    ['the tile’s bytes are cut short', tilesOf({ factors }).map((each) => each.subarray(0, -20)), columns, whole],
    ['the tile’s bytes are damaged', [], columns, whole],
  ])('since %s', (reason, tiles, across, size) => {
    expect(joinJpegs(tiles, across, size)).toBe(reason);
  });
});
