import { afterEach, describe, expect, it } from 'vitest';
import {
  collectionCount,
  collectionMessage,
  collectionTexts,
} from '../../../../web/src/messages/collection-messages.ts';
import { type Language, language, writtenTags } from '../../../../web/src/messages/messages.ts';

const keys = Object.keys(collectionTexts) as readonly (keyof typeof collectionTexts)[];

const placeholders = (text: string): readonly string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

afterEach(() => {
  language.value = 'en';
});

describe('messages of collections', () => {
  it.each(keys)('%s has a text and the same values in each language', (key) => {
    const texts = collectionTexts[key];
    for (const tag of writtenTags) {
      expect(texts[tag].trim(), tag).toBe(texts[tag]);
      expect(texts[tag], tag).not.toBe('');
      expect(placeholders(texts[tag]), tag).toEqual(placeholders(texts.en));
    }
  });

  it('are translated, but for words that are the same in English', () => {
    const same = (tag: 'de' | 'fr') => keys.filter((key) => collectionTexts[key][tag] === collectionTexts[key].en);
    expect(same('de')).toEqual([]);
    expect(same('fr')).toEqual(['kind-collection', 'collections-one', 'collections']);
  });

  it.each(keys)('%s has narrow no-break spaces, French quotes and apostrophes in French', (key) => {
    const text: string = collectionTexts[key].fr;
    expect(text).not.toMatch(/[ \u00a0][;!?»]|«[^\u202f]|[^\u202f]»|[^\u202f\d]:|['"“”„]/u);
    expect(text).not.toMatch(/[^\u202f][;!?]/u);
  });

  it.each<[Language, number, string]>([
    ['en', 1, '1 book'],
    ['en', 1200, '1,200 books'],
    ['de', 0, '0 Bücher'],
    ['de', 1200, '1.200 Bücher'],
    ['fr', 0, '0 livre'],
    ['fr', 2, '2 livres'],
  ])('in %s, %i is “%s”', (tag, count, text) => {
    language.value = tag;
    expect(collectionCount('books', count)).toBe(text);
  });

  it('are in the language of the reader', () => {
    language.value = 'de';
    expect(collectionMessage('kind-at', { host: 'a.example' })).toBe('Sammlung von a.example');
  });
});
