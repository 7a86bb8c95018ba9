import { describe, expect, it, test } from 'vitest';
import { foldedWordsOf, foldText, tokensOf } from '../../../../../src/features/search/engine/fold.ts';
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
  expect(parseQuery(query).map(({ spellings, isPrefix }) => [spellings[0]?.join(' '), isPrefix])).toEqual(phrases),
);

test.each([
  [[], ''],
  [['—', '…'], ''],
  [['(Well-known', 'L’eau,', '1543.', '—'], 'well known l eau 1543'],
  [
    ['Waſſer', 'ΛΌΓΟΣ', 'Æneas', 'ﬁnden', 'e\u0301tude', '\u0301', 'Ⅻ', '½'],
    'wasser λογοσ aeneas finden etude xii 1 2',
  ],
  [['soft\u00adhyphen', 'İstanbul'], 'softhyphen istanbul'],
  [['本草', '綱目。', '第3章abc'], '本草 草綱 綱目 目 第 3 章 abc'],
  [['a'.repeat(100), 'ä'.repeat(70), 'ŉ'.repeat(80)], `${'a'.repeat(64)} ${'a'.repeat(64)} ${'ʼn'.repeat(32)}`],
])('writes the folded words of %j', (words, folded) => expect(foldedWordsOf(words)).toBe(folded));
