import { describe, expect, it } from 'vitest';
import type { TextAnswer } from '../../../../../src/core/image/page-text/text-answer.ts';
import { around, isUncertain, readPageText, wordsWithin } from '../../../../../web/src/model/text/page-text.ts';

const answer: TextAnswer = {
  language: 'la',
  direction: 'ltr',
  width: 1000,
  height: 2000,
  source: { format: 'alto', name: 'a.xml' },
  blocks: [
    {
      lines: [
        {
          box: [100, 100, 400, 40],
          words: [
            { text: 'rosa', box: [100, 100, 100, 40], confidence: 0.79 },
            { text: 'alba', box: [220, 102, 280, 38], confidence: 0.8, language: 'it' },
          ],
        },
        { words: [] },
      ],
    },
    {
      language: 'he',
      direction: 'rtl',
      lines: [{ box: [500, 300, 300, 50], words: [{ text: 'אבגד' }, { text: 'ה' }] }],
    },
    { lines: [{ language: 'en', words: [{ text: 'placeless' }] }] },
  ],
};

describe('the text of a page', () => {
  const text = readPageText(answer);

  it('has lines with their paragraph, language and direction, those without words left out', () => {
    expect(text.lines).toEqual([
      { from: 0, to: 2, block: 0, direction: 'ltr', language: 'la', box: { x: 100, y: 100, width: 400, height: 40 } },
      { from: 2, to: 4, block: 1, direction: 'rtl', language: 'he', box: { x: 500, y: 300, width: 300, height: 50 } },
      { from: 4, to: 5, block: 2, direction: 'ltr', language: 'en', box: undefined },
    ]);
    expect(text.words.map(({ line }) => line)).toEqual([0, 0, 1, 1, 2]);
    expect(text.words[1]?.language).toBe('it');
  });

  it('shares the box of a line out to words without one, from the right where it is read so', () => {
    expect(text.words[2]?.box).toEqual({ x: 600, y: 300, width: 200, height: 50 });
    expect(text.words[3]?.box).toEqual({ x: 500, y: 300, width: 50, height: 50 });
  });

  it('shares out columns from the top', () => {
    const column = { box: [900, 0, 40, 120] as const, words: [{ text: 'あい' }, { text: 'う' }] };
    const { words } = readPageText({ ...answer, direction: 'ttb', blocks: [{ lines: [column] }] });
    expect(words.map(({ box }) => box)).toEqual([
      { x: 900, y: 0, width: 40, height: 60 },
      { x: 900, y: 90, width: 40, height: 30 },
    ]);
  });

  it('takes the words of a line without a box as its box', () => {
    const words = [
      { text: 'a', box: [10, 20, 30, 40] as const },
      { text: 'b', box: [50, 15, 30, 40] as const },
    ];
    expect(readPageText({ ...answer, blocks: [{ lines: [{ words }] }] }).lines[0]?.box).toEqual({
      x: 10,
      y: 15,
      width: 70,
      height: 45,
    });
  });

  it('knows uncertain words, of which something is said', () => {
    expect(text.words.map(isUncertain)).toEqual([true, false, false, false, false]);
  });

  it('finds the words whose middle lies in a rectangle', () => {
    expect(wordsWithin(text, { x: 0, y: 0, width: 355, height: 200 })).toEqual([0]);
    expect(wordsWithin(text, { x: 0, y: 0, width: 365, height: 200 })).toEqual([0, 1]);
    expect(wordsWithin(text, { x: 0, y: 0, width: 1000, height: 2000 })).toEqual([0, 1, 2, 3]);
  });

  it('has no rectangle around nothing', () => expect(around([])).toBeUndefined());
});
