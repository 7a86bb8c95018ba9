/** Plain text is stored in the index exactly as by way of the model of a page. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type PlacedOn, placeText } from '../../../../../src/core/image/page-text/place-text.ts';
import { tokensOf } from '../../../../../src/features/search/engine/fold.ts';
import {
  decodePage,
  encodePage,
  searchedWords,
  storedPageOf,
} from '../../../../../src/features/search/engine/page-payload.ts';
import { plainPageOf } from '../../../../../src/features/search/indexing/indexed-pages.ts';
import { plainBlocks, readPlain } from '../../../../../src/features/texts/formats/parse-text.ts';

const scan: PlacedOn = { stored: { width: 1000, height: 1500 }, orientation: 1 };

/** By way of the model. */
function byModel(text: string) {
  const stored = storedPageOf(placeText(readPlain(text, 1) ?? { unit: 'pixel', blocks: [] }, scan));
  const tokens = tokensOf(searchedWords(stored));
  return { words: tokens.map((token) => token.text).join(' '), payload: encodePage(stored) };
}

/** By the shorter way. */
const directly = (text: string) => plainPageOf(plainBlocks(text, 1) ?? []);

const parts = [
  ...['Kraut', 'und', 'Rüben', 'ſamen', 'Ver-', 'Wort¬', 'soft\u00ad', '\u00adin\u00adner', 'ΟΔΟΣ', 'e\u0301t\u0301'],
  ...[
    '(ﬁsch)',
    'x'.repeat(70),
    '\u0308',
    'a\u0000b',
    'c\u0001',
    'שלום',
    'العربية',
    '本草',
    '綱目',
    'カタカナ',
    '…',
    '12',
    'İ',
    '-',
  ],
  ...[' ', ' ', ' ', '  ', '\t', '\u00a0', '\n', '\n', '\n', '\n\n', '\r\n', '\r', ' \n \n'],
];

it('is the same for any text', () =>
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constantFrom(...parts), fc.string({ unit: 'binary' })), { maxLength: 60 }),
      (some) => {
        const text = some.join('').replaceAll('\f', '');
        expect(directly(text)).toEqual(byModel(text));
      },
    ),
    { numRuns: 400 },
  ));

it('joins what a hyphen parts, and only two lines of three', () => {
  const text = 'Kräuter-\nbuch der Ver-\ngan-\ngenheit\n\nNeu-\n\nanfang';
  expect(directly(text)).toEqual(byModel(text));
  const { words, payload } = directly(text);
  expect(words).toBe('krauterbuch der vergan genheit neu anfang');
  expect(decodePage(payload).words.map((word) => word.text)).toEqual([
    ...['Kräuter-', 'buch', 'der', 'Ver-', 'gan-', 'genheit', 'Neu-', 'anfang'],
  ]);
});

it('is an empty page for an empty text', () => {
  expect(directly(' \n\n ')).toEqual(byModel(''));
  expect(decodePage(directly('').payload).words).toEqual([]);
});
