import { describe, expect, it } from 'vitest';
import { readPageText, type TextDirection, type TextLine } from '../../../../../web/src/model/text/page-text.ts';
import {
  caretAt,
  letterSize,
  lineAt,
  lineUnder,
  selectionBoxes,
  transformOfWord,
  wordBoxes,
} from '../../../../../web/src/model/text/word-boxes.ts';

type Box = readonly [number, number, number, number];

const page = (direction: TextDirection, ...lines: readonly (readonly (readonly [string, Box])[])[]) =>
  readPageText({
    direction,
    width: 1000,
    height: 1000,
    blocks: [{ lines: lines.map((words) => ({ words: words.map(([text, box]) => ({ text, box })) })) }],
  });

const ltr = page(
  'ltr',
  [
    ['abcd', [100, 100, 80, 30]],
    ['ef', [200, 100, 40, 30]],
  ],
  [['ghij', [100, 150, 80, 30]]],
);

describe('the caret', () => {
  it.each([
    ['before the first character', 101, 115, { word: 0, offset: 0 }],
    ['between characters, where nearest', 129, 115, { word: 0, offset: 1 }],
    ['at the end', 179, 115, { word: 0, offset: 4 }],
    ['at the nearer word in the gap', 195, 115, { word: 1, offset: 0 }],
    ['at the nearer line between lines', 141, 137, { word: 0, offset: 2 }],
    ['at the end of a line beside it', 900, 160, { word: 2, offset: 4 }],
    ['at the beginning above all lines', 0, 0, { word: 0, offset: 0 }],
  ])('stands %s', (_, x, y, expected) => expect(caretAt(ltr, { x, y })).toEqual(expected));

  it('counts from the right in lines from right to left', () => {
    const rtl = page('rtl', [
      ['אבגד', [800, 0, 80, 30]],
      ['הו', [740, 0, 40, 30]],
    ]);
    expect(caretAt(rtl, { x: 879, y: 10 })).toEqual({ word: 0, offset: 0 });
    expect(caretAt(rtl, { x: 838, y: 10 })).toEqual({ word: 0, offset: 2 });
    expect(caretAt(rtl, { x: 10, y: 10 })).toEqual({ word: 1, offset: 2 });
    expect(selectionBoxes(rtl, [{ word: 0, from: 0, to: 1 }])).toEqual([{ x: 860, y: 0, width: 20, height: 30 }]);
  });

  it('counts from the top in columns', () => {
    const ttb = page('ttb', [['春はあ', [900, 100, 30, 90]]], [['けぼ', [850, 100, 30, 60]]]);
    expect(caretAt(ttb, { x: 910, y: 128 })).toEqual({ word: 0, offset: 1 });
    expect(caretAt(ttb, { x: 860, y: 900 })).toEqual({ word: 1, offset: 2 });
    expect(selectionBoxes(ttb, [{ word: 0, from: 1, to: 3 }])).toEqual([{ x: 900, y: 130, width: 30, height: 60 }]);
  });

  it('stays in the column that is nearest', () => {
    const word = (text: string, box: Box) => ({ words: [{ text, box }] });
    const columns = readPageText({
      direction: 'ltr',
      width: 1000,
      height: 1000,
      blocks: [
        { lines: [word('left', [0, 0, 400, 30]), word('a', [0, 40, 20, 30])] },
        { lines: [word('right', [450, 0, 400, 30]), word('side', [450, 40, 400, 30])] },
      ],
    });
    expect(caretAt(columns, { x: 390, y: 50 })).toEqual({ word: 1, offset: 1 });
    expect(caretAt(columns, { x: 440, y: 50 })).toEqual({ word: 3, offset: 0 });
  });

  it('never stands inside of a character that is several code units', () => {
    const marked = page('ltr', [['e\u0301\u{1F33F}x', [0, 0, 90, 30]]]);
    const offsets = Array.from({ length: 91 }, (_, x) => caretAt(marked, { x, y: 10 })?.offset);
    expect([...new Set(offsets)]).toEqual([0, 2, 4, 5]);
  });

  it('has no place on a page without places', () => {
    const placeless = readPageText({
      direction: 'ltr',
      width: 1,
      height: 1,
      blocks: [{ lines: [{ words: [{ text: 'a' }] }] }],
    });
    expect(caretAt(placeless, { x: 0, y: 0 })).toBeUndefined();
    expect(lineAt(placeless, { x: 0, y: 0 })).toBeUndefined();
  });
});

describe('the line below the pointer', () => {
  it('is that of its box, with the gaps between words', () => {
    expect(lineUnder(ltr, { x: 190, y: 110 })).toBe(ltr.lines[0]);
    expect(lineUnder(ltr, { x: 190, y: 160 })).toBeUndefined();
    expect(lineUnder(ltr, { x: 110, y: 140 })).toBeUndefined();
  });

  it('is that of the nearest word where boxes of slanting lines overlap', () => {
    const slanting = page(
      'ltr',
      [
        ['a', [0, 0, 50, 20]],
        ['b', [500, 50, 50, 20]],
      ],
      [
        ['c', [0, 40, 50, 20]],
        ['d', [500, 90, 50, 20]],
      ],
    );
    expect(lineUnder(slanting, { x: 510, y: 60 })).toBe(slanting.lines[0]);
    expect(lineUnder(slanting, { x: 10, y: 50 })).toBe(slanting.lines[1]);
  });
});

describe('the boxes of a selection', () => {
  it('are one for each line', () => {
    const parts = [
      { word: 0, from: 2, to: 4 },
      { word: 1, from: 0, to: 2 },
      { word: 2, from: 0, to: 1 },
    ];
    expect(selectionBoxes(ltr, parts)).toEqual([
      { x: 140, y: 100, width: 100, height: 30 },
      { x: 100, y: 150, width: 20, height: 30 },
    ]);
  });
});

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
