import { describe, expect, it } from 'vitest';
import { readPageText, type TextDirection, type TextLine } from '../../../../web/src/model/text/page-text.ts';
import { letterSize, transformOfWord, wordBoxes } from '../../../../web/src/model/text/word-boxes.ts';

const box = { x: 100, y: 200, width: 300, height: 32 };

/** Where the corners of a word come to lie that is laid out at the origin. */
function covered(transform: string, width: number, height: number) {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = (transform.match(/-?[\d.]+/g) ?? []).map(Number);
  expect([b, c]).toEqual([0, 0]);
  return { x: e, y: f, right: a * width + e, bottom: d * height + f };
}

describe('a word', () => {
  it('covers its box', () => {
    const place = covered(transformOfWord(box, 'ltr', 120, 20), 120, letterSize);
    expect(place).toEqual({ x: 100, y: 200, right: 400, bottom: 232 });
  });

  it('from right to left covers its box behind the space', () => {
    const { x, right } = covered(transformOfWord(box, 'rtl', 120, 20), 140, letterSize);
    expect(x).toBe(50);
    expect(right).toBe(400);
  });

  it('from top to bottom is as wide as its column', () => {
    const column = { x: 900, y: 10, width: 40, height: 160 };
    const place = covered(transformOfWord(column, 'ttb', 256, 20), letterSize, 256);
    expect(place).toEqual({ x: 900, y: 10, right: 940, bottom: 170 });
  });

  it('without letters is not stretched beyond all bounds', () => {
    expect(transformOfWord(box, 'ltr', 0, 20)).toBe('matrix(300,0,0,0.5,100,200)');
  });
});

describe('the words of a line', () => {
  const boxesIn = (direction: TextDirection, heights: readonly number[], down: number) => {
    const words = heights.map((height, at) => ({ text: 'a', box: [at * 50, at * down, 40, height] as const }));
    const text = readPageText({ direction, width: 500, height: 500, blocks: [{ lines: [{ words }] }] });
    return wordBoxes(text, text.lines[0] as TextLine);
  };

  it('are equally high where it lies straight', () => {
    expect(boxesIn('ltr', [20, 30, 25], 1).map((one) => one && [one.y, one.height])).toEqual([
      [0, 31],
      [0, 31],
      [0, 31],
    ]);
  });

  it('keep their own height where it slants', () => {
    expect(boxesIn('ltr', [20, 30, 25], 20).map((one) => one && [one.y, one.height])).toEqual([
      [0, 20],
      [20, 30],
      [40, 25],
    ]);
  });
});
