/** Two texts of a page line by line, by their places or their order. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPageText } from '../../../../../web/src/model/text/page-text.ts';
import { parallelRows, placedAs } from '../../../../../web/src/model/text/parallel-lines.ts';

type Box = readonly [number, number, number, number];

/** Blocks of lines of one word each; a box for each line, or none. */
const textOf = (blocks: readonly (readonly (Box | undefined)[])[], width = 1000) =>
  readPageText({
    direction: 'ltr',
    width,
    height: 1000,
    blocks: blocks.map((lines) => ({
      lines: lines.map((box, at) => ({ words: [{ text: `word${at}` }], ...(box ? { box } : {}) })),
    })),
  });

const at = (y: number, x = 100, scale = 1): Box => [x * scale, y, 300 * scale, 40];
const plain = (...counts: readonly number[]) =>
  textOf(counts.map((count) => Array.from({ length: count }, () => undefined)));

describe('lines of two texts stand beside each other', () => {
  it('by their places, whatever their order', () => {
    const columns = textOf([
      [at(100), at(200)],
      [at(100, 600), at(200, 600)],
    ]);
    const across = textOf([[at(105), at(95, 600), at(205), at(195, 600)]]);
    expect(parallelRows(columns, across)).toEqual([
      { first: [0], second: [0] },
      { first: [1], second: [2] },
      { first: [2], second: [1] },
      { first: [3], second: [3] },
    ]);
  });

  it('by their places in scans of different sizes; a line that lies on none follows the one before', () => {
    expect(
      parallelRows(textOf([[at(100), at(200)]]), textOf([[at(100, 100, 2), at(600, 100, 2), at(200, 100, 2)]], 2000)),
    ).toEqual([
      { first: [0], second: [0, 1] },
      { first: [1], second: [2] },
    ]);
  });

  it('by their order where one has no places: line by line, else block by block, else in proportion', () => {
    const placed = textOf([[at(100)], [at(200), at(300), at(400), at(500)]]);
    expect(parallelRows(placed, plain(3, 2)).map(({ second }) => second)).toEqual([[0], [1], [2], [3], [4]]);
    expect(parallelRows(placed, plain(1, 2))).toEqual([
      { first: [0], second: [0] },
      { first: [1, 2], second: [1] },
      { first: [3, 4], second: [2] },
    ]);
    expect(parallelRows(plain(2), plain(1, 1, 2))).toEqual([
      { first: [0], second: [0, 1] },
      { first: [1], second: [2, 3] },
    ]);
    expect(parallelRows(plain(2), plain())).toEqual([{ first: [0, 1], second: [] }]);
  });

  it('each once, whatever the texts are', () => {
    const box = fc.option(
      fc.tuple(fc.nat(900), fc.nat(900), fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 99 })),
      { nil: undefined },
    );
    const text = fc.array(fc.array(box, { maxLength: 6 }), { maxLength: 5 }).map((blocks) => textOf(blocks));
    fc.assert(
      fc.property(text, text, (one, other) => {
        const rows = parallelRows(one, other);
        expect(rows.flatMap(({ first }) => first)).toEqual(one.lines.map((_, index) => index));
        expect(rows.flatMap(({ second }) => second).sort((a, b) => a - b)).toEqual(
          other.lines.map((_, index) => index),
        );
      }),
    );
  });
});

describe('a text without places', () => {
  it('has those of the lines beside which it stands', () => {
    const placed = placedAs(plain(1), textOf([[at(100), at(200)]]));
    expect(placed.lines.map(({ box }) => box)).toEqual([{ x: 100, y: 100, width: 300, height: 140 }]);
    expect(placed.words[0]?.box).toBeUndefined();
  });

  it('stays as it is beside another one without', () => {
    const text = plain(2);
    expect(placedAs(text, plain(2))).toBe(text);
    expect(placedAs(text, undefined)).toBe(text);
  });
});
