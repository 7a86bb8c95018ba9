/** The pure rules of the reading room's server side: languages and names that are searched for. */
import { describe, expect, it } from 'vitest';
import { parseLanguages, textFor } from '../../../../src/core/image/folder/folder-metadata.ts';
import { nameMatcher } from '../../../../src/core/image/folder/page-labels.ts';

describe('a text is shown', () => {
  const text = { fr: ['Livre'], 'de-CH': ['Buech'], en: ['Book'] };
  it.each<[string, string, Readonly<Record<string, readonly string[]>>, readonly string[]]>([
    ['in the first language that is read', 'fr,en', text, ['Livre']],
    ['whatever the weights and the case of tags', 'FR;q=0.9, en', text, ['Livre']],
    ['in a variety of the language', 'de', text, ['Buech']],
    ['in the language of a variety', 'fr-CA', text, ['Livre']],
    ['else in English', 'it', text, ['Book']],
    ['else in the first that there is', 'it', { none: ['1890'], fr: ['Livre'] }, ['1890']],
    ['and never in one that says nothing', 'de', { de: [], fr: ['Livre'] }, ['Livre']],
    ['as nothing where nothing is said', 'de', {}, []],
  ])('%s', (_rule, list, map, shown) => expect(textFor(map, parseLanguages(list))).toEqual(shown));
});

describe('names that are looked for', () => {
  it.each<[string, string, boolean]>([
    ['koln', 'Köln', true],
    ['KÖLN', 'koln', true],
    ['strasse', 'Straße', true],
    ['ﬁ', 'file', true],
    ['o', 'Ko\u0308ln', true],
    ['a b', 'b-a', true],
    ['a c', 'b-a', false],
    ['Київ', 'київ 1', true],
    ['x', 'y', false],
  ])('“%s” in “%s”: %s', (query, name, holds) => expect(nameMatcher(query)?.(name)).toBe(holds));

  it('are none without a word', () => expect(nameMatcher(' \t')).toBeUndefined());
});
