import { describe, expect, it } from 'vitest';
import { type MediaMessageKey, mediaMessages } from '../../../../web/src/messages/media.ts';
import { writtenTags } from '../../../../web/src/messages/messages.ts';

const keys = Object.keys(mediaMessages) as readonly MediaMessageKey[];

const placeholders = (text: string): readonly string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

describe('messages of sound and video', () => {
  it.each(keys)('%s has a text and the same values in each language', (key) => {
    const texts = mediaMessages[key];
    for (const tag of writtenTags) {
      expect(texts[tag].trim(), tag).toBe(texts[tag]);
      expect(texts[tag], tag).not.toBe('');
      expect(placeholders(texts[tag]), tag).toEqual(placeholders(texts.en));
    }
  });

  it('are translated, but for words that are the same in English', () => {
    const same = (tag: 'de' | 'fr') => keys.filter((key) => mediaMessages[key][tag] === mediaMessages[key].en).sort();
    expect(same('de')).toEqual(['video']);
    expect(same('fr')).toEqual(['pause', 'position', 'remarks', 'version', 'volume']);
  });

  it.each(keys)('%s has narrow no-break spaces, French quotes and apostrophes in French', (key) => {
    const text: string = mediaMessages[key].fr;
    expect(text).not.toMatch(/[ \u00a0][;!?»]|«[^\u202f]|[^\u202f]»|[^\u202f\d]:|['"“”„]/u);
    expect(text).not.toMatch(/[^\u202f][;!?]/u);
  });
});
