import { expect, test } from 'vitest';
import { nameMatcher } from '../../../../../src/core/image/folder/page-labels.ts';
import { spellingsOf } from '../../../../../src/core/image/folder/spellings.ts';
import { matchesOn } from '../../../../../src/features/search/engine/matches.ts';
import { parseQuery } from '../../../../../src/features/search/engine/query.ts';

/** A printed word, a word that is searched for, and whether it finds it. */
const pairs = [
  ['Kräuterbuch', 'kraeuterbuch', true],
  ['Kraeuterbuch', 'Kräuterbuch', true],
  ['Kräuterbuch', 'krauterbuch', true],
  ['Straße', 'strasse', true],
  ['Strasse', 'Straße', true],
  ['Sørensen', 'soerensen', true],
  ['Sørensen', 'Sorensen', true],
  ['Soerensen', 'Sørensen', true],
  ['Ælfric', 'aelfric', true],
  ['Aelfric', 'Ælfric', true],
  ['Århus', 'Aarhus', true],
  ['Aarhus', 'Århus', true],
  ['Łódź', 'lodz', true],
  // Not an umlaut: the beginning of a syllable, and another word.
  ['nue', 'neue', false],
  ['dos', 'does', false],
  ['Qulle', 'Quelle', false],
  // u and v, i and j, on wish.
  ['Vniuersitas', 'universitas', false],
  ['Vniuersitas', 'universitas u=v', true],
  ['Universitas', 'vniuersitas U=V', true],
  ['Jesus', 'u=v iesvs', true],
  ['Iesus', 'jesus u=v', true],
  ['vniuersitatibus', 'universitatibus u=v', true],
  ['vniuersitatibus', 'uniuersitatibus u=v', true],
  ['Kräuterbuch', 'kraeuterbvch u=v', true],
] as const;

test.each(pairs)('“%s” is found by the word “%s”: %s', (printed, word, isFound) => {
  expect(nameMatcher(word)?.(`A name with ${printed} in it`)).toBe(isFound);
  const page = { width: 1, height: 1, direction: 'ltr', words: [{ text: printed }] } as const;
  expect(matchesOn(page as unknown as Parameters<typeof matchesOn>[0], parseQuery(word), 1).count).toBe(
    isFound ? 1 : 0,
  );
});

test('letters that are alike multiply the spellings of a text within bounds', () => {
  expect(spellingsOf('vivus', true)).toHaveLength(16);
  expect(spellingsOf('ab', true)).toEqual(['ab']);
  expect(spellingsOf('uvij'.repeat(200), true).length).toBeLessThan(40);
  const longest = parseQuery(`${Array.from({ length: 30 }, () => 'vivus').join(' ')} u=v`);
  expect(longest.reduce((sum, { spellings }) => sum + spellings.length, 0)).toBeLessThanOrEqual(640);
});

test('a word that has one spelling is searched for once', () => {
  expect(spellingsOf('herbal of plants')).toEqual(['herbal of plants']);
  expect(parseQuery('Köln "neue Quelle"').map(({ spellings }) => spellings)).toEqual([
    [['koln'], ['koeln']],
    [['neue', 'quelle']],
  ]);
});
