import { describe, expect, it } from 'vitest';
import { writtenTags } from '../../../../web/src/messages/messages.ts';
import { type TourMessageKey, tourTexts } from '../../../../web/src/messages/tour-messages.ts';

const keys = Object.keys(tourTexts) as readonly TourMessageKey[];

const placeholders = (text: string): readonly string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

describe('messages of guided views', () => {
  it.each(keys)('%s has a text and the same values in each language', (key) => {
    const texts = tourTexts[key];
    for (const tag of writtenTags) {
      expect(texts[tag].trim(), tag).toBe(texts[tag]);
      expect(texts[tag], tag).not.toBe('');
      expect(placeholders(texts[tag]), tag).toEqual(placeholders(texts.en));
    }
  });

  it('are translated, but for words that are the same in English', () => {
    const same = (tag: 'de' | 'fr') => keys.filter((key) => tourTexts[key][tag] === tourTexts[key].en).sort();
    expect(same('de')).toEqual(['tour-step-text']);
    expect(same('fr')).toEqual([]);
  });

  it.each(keys)('%s has narrow no-break spaces, French quotes and apostrophes in French', (key) => {
    const text: string = tourTexts[key].fr;
    expect(text).not.toMatch(/[ \u00a0][;!?»]|«[^\u202f]|[^\u202f]»|[^\u202f\d]:|['"“”„]/u);
    expect(text).not.toMatch(/[^\u202f][;!?]/u);
  });
});
