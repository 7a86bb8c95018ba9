import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  foldedWordsOf,
  foldText,
  tokensOf,
  tokensOfAnyScript,
} from '../../../../../src/features/search/engine/fold.ts';
import { parseQuery } from '../../../../../src/features/search/engine/query.ts';

const texts = (...words: readonly string[]) => tokensOf(words).map(({ text }) => text);

test.each([
  ['Ärzte', 'arzte'],
  ['STRASSE', 'strasse'],
  ['Straße', 'strasse'],
  ['Waſſer', 'wasser'],
  ['ﬁnden', 'finden'],
  ['ﬅ', 'st'],
  ['Œuvre', 'oeuvre'],
  ['Æneas', 'aeneas'],
  ['Łódź', 'lodz'],
  ['aͤ', 'a'],
  ['e\u0301tude', 'etude'],
  ['ΛΌΓΟΣ', 'λογοσ'],
  ['λόγος', 'λογοσ'],
  ['Ёлка', 'елка'],
  ['שָׁלוֹם', 'שלום'],
  ['كِتَابٌ', 'كتاب'],
  ['हिन्दी', 'हिन्दी'],
  ['ガ', 'ガ'],
  ['ﾊﾟ', 'パ'],
  ['Ⅻ', 'xii'],
  ['soft\u00adhyphen', 'softhyphen'],
])('folds %s to %s', (text, folded) => expect(foldText(text)).toBe(folded.normalize('NFC')));

describe('tokens', () => {
  it('are letters and digits between punctuation', () =>
    expect(texts('(well-known', "l'eau,", '1543.', '—')).toEqual(['well', 'known', 'l', 'eau', '1543']));

  it('name the word that they are from', () =>
    expect(tokensOf(['a-b', 'c'])).toEqual([
      { text: 'a', word: 0, from: 0, to: 1 },
      { text: 'b', word: 0, from: 0, to: 1 },
      { text: 'c', word: 1, from: 0, to: 1 },
    ]));

  it('of Chinese are two characters each, across words and lines', () =>
    expect(texts('漢字', '典')).toEqual(['漢字', '字典', '典']));

  it('of Chinese end at punctuation', () => expect(texts('漢。', '字')).toEqual(['漢', '字']));

  it('of Chinese name the part of the word', () =>
    expect(tokensOf(['漢字典籍'])[1]).toEqual({ text: '字典', word: 0, from: 0.25, to: 0.75 }));

  it('of Chinese beside Latin are apart', () => expect(texts('第3章abc')).toEqual(['第', '3', '章', 'abc']));

  it('of both scripts end at the other one', () => expect(texts('漢', 'and', '字')).toEqual(['漢', 'and', '字']));
});

test.each([
  [
    'Kraut  Wurzel',
    [
      ['kraut', false],
      ['wurzel', false],
    ],
  ],
  ['"de herbis"', [['de herbis', false]]],
  [
    '„de herbis“ Rom*',
    [
      ['de herbis', false],
      ['rom', true],
    ],
  ],
  ['well-known', [['well known', false]]],
  ['漢字典', [['漢字 字典', false]]],
  ['漢', [['漢', true]]],
  ['"unclosed phrase', [['unclosed phrase', false]]],
  ['*', []],
  ['" OR -( ', [['or', false]]],
])('reads the query %s', (query, phrases) =>
  expect(parseQuery(query).map(({ tokens, isPrefix }) => [tokens.join(' '), isPrefix])).toEqual(phrases),
);

test.each([
  [[]],
  [['']],
  [['—', '…']],
  [['(Well-known', 'L’eau,', '1543.', '—']],
  [['Waſſer', 'ΛΌΓΟΣ', 'Æneas', 'ﬁnden', 'e\u0301tude', '\u0301', 'Ⅻ', '½']],
  [['हिन्दी', 'שָׁלוֹם', 'كِتَابٌ', 'İstanbul', 'soft\u00adhyphen']],
  [['本草', '綱目。', '第3章abc', 'and', 'ﾊﾟ']],
  [['a'.repeat(100), 'ä'.repeat(70), '𐐀'.repeat(40), '字'.repeat(70)]],
])('folds the words of a page as each of them: %j', (words) => {
  expect(foldedWordsOf(words)).toBe(texts(...words).join(' '));
});

describe('folded words', () => {
  /** Most of them are folded one by one, some only together with others. */
  const characters = fc.oneof(
    fc.integer({ min: 0, max: 0x52f }),
    fc.integer({ min: 0x1e00, max: 0x206f }),
    fc.integer({ min: 0xa720, max: 0xa7ff }),
    fc.integer({ min: 0xfb00, max: 0xfb06 }),
    fc.constantFrom(
      ...[...' aſÄßΣςœ¼5ガ本\u0308\u0345\u0488\u00ad\u200d्ि'].map((letter) => letter.codePointAt(0) ?? 0),
    ),
  );
  const word = fc.oneof(
    { weight: 9, arbitrary: fc.array(characters, { maxLength: 9 }).map((codes) => String.fromCodePoint(...codes)) },
    fc.constantFrom('ŉ'.repeat(80), `${'é'.repeat(63)}ßa.b`, 'Σ'.repeat(65), ''),
  );

  it('are those of the tokens, whatever the characters', () =>
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        const tokens = tokensOfAnyScript(words);
        expect(tokensOf(words)).toEqual(tokens);
        expect(foldedWordsOf(words)).toBe(tokens.map(({ text }) => text).join(' '));
      }),
      { numRuns: 3000 },
    ));

  it('are the same for each single character of the alphabets that are folded by a table', () => {
    for (let code = 0; code < 0x3000; code++) {
      const words = [`a${String.fromCharCode(code)}b`];
      const tokens = tokensOfAnyScript(words);
      expect(tokensOf(words), code.toString(16)).toEqual(tokens);
      expect(foldedWordsOf(words), code.toString(16)).toBe(tokens.map(({ text }) => text).join(' '));
    }
  });
});
