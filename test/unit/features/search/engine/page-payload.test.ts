import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PageText, TextWord } from '../../../../../src/core/image/page-text/page-text.ts';
import { matchesOn } from '../../../../../src/features/search/engine/matches.ts';
import { decodePage, encodePage, storedPageOf } from '../../../../../src/features/search/engine/page-payload.ts';
import { parseQuery } from '../../../../../src/features/search/engine/query.ts';

const page = (...lines: readonly (readonly TextWord[])[]): PageText => ({
  direction: 'ltr',
  blocks: [{ lines: lines.map((words) => ({ words })) }],
});

const word = (text: string, x: number, y: number, width = 100, height = 12): TextWord => ({
  text,
  box: { x, y, width, height },
});

const find = (text: PageText, query: string) =>
  matchesOn(decodePage(encodePage(storedPageOf(text))), parseQuery(query), 10);

describe('a stored page', () => {
  it('has the same words and boxes, whatever their heights', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.array(
            fc.record({
              text: fc.string({ minLength: 1, unit: 'grapheme' }),
              box: fc.record({
                x: fc.nat(30_000),
                y: fc.nat(30_000),
                width: fc.integer({ min: 1, max: 3000 }),
                height: fc.integer({ min: 1, max: 400 }),
              }),
            }),
            { minLength: 1, maxLength: 8 },
          ),
          { maxLength: 6 },
        ),
        (lines) => {
          const stored = storedPageOf(page(...lines));
          const decoded = decodePage(encodePage(stored));
          expect(decoded.words).toEqual(stored.words);
        },
      ),
    ));

  it('keeps which words have no box, their parts and the language', () => {
    const text: PageText = {
      ...page([word('Kräu-', 10, 10), { text: 'ter', joined: '' }], [{ text: 'plain' }]),
      language: 'de',
    };
    expect(decodePage(encodePage(storedPageOf(text)))).toEqual(storedPageOf(text));
  });

  it('may have no words', () =>
    expect(decodePage(encodePage(storedPageOf({ blocks: [], direction: 'rtl' })))).toEqual({
      words: [],
      direction: 'rtl',
    }));
});

describe('matches', () => {
  it('have the text around them and their box', () => {
    const text = page([word('Vom', 0, 0), word('Waſſer', 120, 0), word('leben', 240, 0)]);
    expect(find(text, 'wasser')).toEqual({
      count: 1,
      matches: [{ before: 'Vom', match: 'Waſſer', after: 'leben', boxes: [{ x: 120, y: 0, width: 100, height: 12 }] }],
    });
  });

  it('of a phrase have a box for each line', () => {
    const text = page([word('a', 0, 0), word('de', 120, 0)], [word('herbis', 0, 40), word('b', 120, 40)]);
    expect(find(text, '"de herbis"').matches[0]?.boxes).toEqual([
      { x: 120, y: 0, width: 100, height: 12 },
      { x: 0, y: 40, width: 100, height: 12 },
    ]);
  });

  it('of a word that a hyphen parts have both its boxes', () => {
    const text = page(
      [{ ...word('Kräu-', 500, 0), joined: 'Kräuter' }],
      [{ ...word('ter', 0, 40), joined: '' }, word('und', 120, 40)],
    );
    expect(find(text, 'krauter').matches).toEqual([
      {
        before: '',
        match: 'Kräuter',
        after: 'und',
        boxes: [
          { x: 500, y: 0, width: 100, height: 12 },
          { x: 0, y: 40, width: 100, height: 12 },
        ],
      },
    ]);
  });

  it('of Chinese have the part of the box', () => {
    const text = page([word('本草綱目', 0, 0, 48)]);
    expect(find(text, '草綱').matches).toEqual([
      { before: '本', match: '草綱', after: '目', boxes: [{ x: 12, y: 0, width: 24, height: 12 }] },
    ]);
  });

  it('are counted beyond those that are returned', () => {
    const words = Array.from({ length: 30 }, (_, index) => word('same', index * 120, 0));
    const { count, matches } = find(page(...words.map((one) => [one])), 'same');
    expect([count, matches.length]).toEqual([30, 10]);
  });

  it('that overlap are one', () => {
    const text = page([word('de', 0, 0), word('herbis', 120, 0)]);
    expect(find(text, '"de herbis" herb*').matches.map(({ match }) => match)).toEqual(['de herbis']);
  });
});
