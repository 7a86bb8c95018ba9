/** Which tiles a region touches, and which of them are decoded together. */
import { describe, expect, it } from 'vitest';
import { firstCell, groupCells, tilesIn, touchedCells } from '../src/geometry.ts';
import type { CodeStream } from '../src/model.ts';

const gray = { bits: 8, signed: false, dx: 1, dy: 1 };

const codeStream: CodeStream = {
  at: 0,
  bytes: 0,
  headerBytes: 0,
  area: { x: 0, y: 0, width: 1500, height: 1000 },
  tile: { x: 0, y: 0, width: 256, height: 256 },
  components: [gray],
  reductions: 5,
  layers: 1,
  progression: 'LRCP',
  block: { width: 64, height: 64 },
  componentTransform: false,
  highThroughput: false,
  packetLengths: false,
};

const whole = { left: 0, top: 0, right: 6, bottom: 4 };

const sizesOf = (facts: CodeStream, reduction: number): readonly string[] =>
  [...groupCells(facts, whole, reduction)].map(({ left, top, right, bottom }) => `${right - left}x${bottom - top}`);

describe('tiles', () => {
  it.each([
    [0, { left: 256, top: 0, right: 512, bottom: 256 }, { left: 1, top: 0, right: 2, bottom: 1 }],
    [0, { left: 255, top: 10, right: 513, bottom: 257 }, { left: 0, top: 0, right: 3, bottom: 2 }],
    [1, { left: 128, top: 0, right: 256, bottom: 128 }, { left: 1, top: 0, right: 2, bottom: 1 }],
    [5, { left: 7, top: 8, right: 9, bottom: 9 }, { left: 0, top: 1, right: 2, bottom: 2 }],
    [5, { left: 46, top: 31, right: 47, bottom: 32 }, { left: 5, top: 3, right: 6, bottom: 4 }],
  ])('are touched after %i halvings by samples in %o', (reduction, box, cells) => {
    expect(touchedCells(codeStream, new Map([[0, box]]), reduction)).toEqual(cells);
  });

  it('are those of all components', () => {
    const halved = { ...codeStream, components: [gray, { ...gray, dx: 2, dy: 2 }] as const };
    const boxes = new Map([0, 1].map((component) => [component, { left: 200, top: 0, right: 256, bottom: 10 }]));
    expect(touchedCells(halved, boxes, 0)).toEqual({ left: 0, top: 0, right: 2, bottom: 1 });
  });

  it('are numbered row by row', () => {
    expect(tilesIn(codeStream, { left: 1, top: 2, right: 3, bottom: 4 })).toEqual([13, 14, 19, 20]);
  });

  it('have cells, of which the first begins where the grid says', () => {
    const moved = { ...codeStream, tile: { ...codeStream.tile, x: 3, y: 5 } };
    expect(firstCell(moved, whole)).toEqual({ left: 3, top: 5, right: 259, bottom: 261 });
  });
});

describe('tiles are decoded together', () => {
  it('up to 1024 samples a side', () => {
    expect(sizesOf(codeStream, 0)).toEqual(['4x4', '2x4']);
    expect(sizesOf(codeStream, 1)).toEqual(['6x4']);
  });

  it('up to 16 a side', () => {
    const many = { ...codeStream, tile: { x: 0, y: 0, width: 32, height: 32 } };
    const groups = [...groupCells(many, { left: 0, top: 0, right: 40, bottom: 10 }, 3)];
    expect(groups.map(({ left, right }) => [left, right])).toEqual([
      [0, 16],
      [16, 32],
      [32, 40],
    ]);
  });

  it('one by one where the reduction divides them unequally, or the components', () => {
    const odd = { ...codeStream, tile: { x: 0, y: 0, width: 250, height: 256 } };
    expect(sizesOf(odd, 1).slice(0, 2)).toEqual(['6x4']);
    expect(sizesOf(odd, 2)).toHaveLength(24);
    const halved = { ...codeStream, components: [gray, { ...gray, dx: 2 }] as const };
    expect(sizesOf(halved, 1)).toHaveLength(24);
    const offset = { ...codeStream, tile: { ...codeStream.tile, x: 2 } };
    expect(sizesOf(offset, 2)).toHaveLength(24);
  });
});
