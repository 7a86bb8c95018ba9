/** The pure rules of the reading room's server side: languages, names that are looked for, codings. */
import { describe, expect, it } from 'vitest';
import { acceptedCoding } from '../../../src/http/accepted-coding.ts';
import { nameMatcher } from '../../../src/image/folder/name-match.ts';
import { parseLanguages, textFor } from '../../../src/image/model/languages.ts';

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

describe('a coding', () => {
  it.each<[string | undefined, string]>([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['gzip, br', 'br'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['BR', 'br'],
    ['*', 'br'],
    ['*, br;q=0', 'gzip'],
    ['deflate', 'identity'],
    ['identity;q=0', 'identity'],
    ['br;q=x', 'identity'],
  ])('for “%s” is %s', (header, coding) => expect(acceptedCoding(['br', 'gzip', 'identity'], header)).toBe(coding));
});
