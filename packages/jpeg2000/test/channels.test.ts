/** How samples of components become colors. */
import { describe, expect, it } from 'vitest';
import { convertCmyk, convertYcc, divideByAlpha, fillChannel, paletteTable, scaleTable } from '../src/region.ts';

describe('the values of a depth', () => {
  it.each([
    [1, 8, [0, 255]],
    [2, 8, [0, 85, 170, 255]],
    [2, 16, [0, 21845, 43690, 65535]],
  ] as const)('of %i bits are spread over %i bits', (bits, outputBits, expected) => {
    expect([...scaleTable(bits, outputBits)]).toEqual(expected);
  });

  it('of 12 bits use all of 16, and 8 bits stay as they are', () => {
    const table = scaleTable(12, 16);
    expect([table[0], table[2048], table[4095]]).toEqual([0, 32776, 65535]);
    expect([...scaleTable(8, 8)]).toEqual(Array.from({ length: 256 }, (_, value) => value));
  });
});

describe('a palette', () => {
  const columns = [
    { bits: 8, signed: false },
    { bits: 12, signed: false },
    { bits: 8, signed: true },
  ];
  const palette = { entries: 2, columns, values: { at: 0, bytes: 8 } };
  const values = Uint8Array.of(10, 0x0f, 0xff, 0x80, 20, 0, 0, 0x7f);

  it.each([
    [0, [10, 20, 20, 20]],
    [1, [255, 0, 0, 0]],
    [2, [0, 255, 255, 255]],
  ])('has the values of column %i; behind its end, the last', (column, expected) => {
    expect([...paletteTable(palette, values, column, { bits: 2, outputBits: 8 })]).toEqual(expected);
  });
});

describe('a channel that is half as wide and high', () => {
  const table = scaleTable(8, 8);
  /** Counted from the origin of the grid, samples 1 and 2 of row 0 cover pixels 2 to 5 of rows 0 and 1. */
  const plane = {
    box: { left: 1, top: 0, right: 3, bottom: 1 },
    samples: Uint8Array.of(7, 9),
    bits: 8,
    first: 0,
    step: 1,
  };

  it('is repeated by its place on the grid, and at the edges of the image', () => {
    const picture = new Uint8Array(12);
    const source = { plane, spacing: { x: 2, y: 2 }, table };
    fillChannel(source, picture, { left: 1, top: 0, right: 7, bottom: 1 }, 1, 2);
    expect([...picture]).toEqual([0, 7, 0, 7, 0, 7, 0, 9, 0, 9, 0, 9]);
  });
});

describe('colors', () => {
  it('of YCbCr become red, green and blue, within the range', () => {
    const picture = Uint8Array.of(76, 85, 255, 255, 128, 128, 200, 255, 255, 29, 255, 107);
    convertYcc(picture, 3, 8);
    expect([...picture]).toEqual([254, 0, 0, 255, 255, 255, 255, 66, 255, 0, 0, 254]);
  });

  it('of four inks are darkened by black', () => {
    const picture = new Uint8Array(8);
    convertCmyk(Uint8Array.of(0, 255, 128, 0, 0, 0, 0, 255), picture, 4, 8);
    expect([...picture]).toEqual([255, 0, 127, 0, 0, 0, 0, 0]);
  });

  it('that were multiplied by alpha are divided by it; without opacity they are not known', () => {
    const picture = Uint8Array.of(64, 128, 200, 255, 3, 0);
    divideByAlpha(picture, 2, 8);
    expect([...picture]).toEqual([128, 128, 200, 255, 3, 0]);
  });
});
