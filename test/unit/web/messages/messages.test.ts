import { describe, expect, it } from 'vitest';
import { deskTexts } from '../../../../web/src/messages/desk-messages.ts';
import { imageMessages } from '../../../../web/src/messages/image-messages.ts';
import { lightTableTexts } from '../../../../web/src/messages/light-table-messages.ts';
import { mapTexts } from '../../../../web/src/messages/map-messages.ts';
import {
  countedMessage,
  language,
  languageOf,
  languageTags,
  messages as messagesOfAll,
  writtenTags,
} from '../../../../web/src/messages/messages.ts';
import { panelMessages } from '../../../../web/src/messages/panel-messages.ts';

/** Those that each page has, and those that are loaded on demand. */
const messages = {
  ...messagesOfAll,
  ...panelMessages,
  ...imageMessages,
  ...deskTexts,
  ...lightTableTexts,
  ...mapTexts,
};

type MessageKey = keyof typeof messages;

const keys = Object.keys(messages) as readonly MessageKey[];

const placeholders = (text: string): readonly string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

const translations = writtenTags.filter((tag) => tag !== 'en');

/** Without letters outside of placeholders, as `{width} × {height} px` (a sign of a unit) or `1:1`. */
const isSigns = (text: string): boolean => !/\p{Letter}/u.test(text.replace(/\{\w+\}|\b(?:px|cm|mm)\b/gu, ''));

/** Messages that are rightly the same as in English. */
const sameAsEnglish: Readonly<Record<'de' | 'fr', readonly MessageKey[]>> = {
  de: [
    'color-orange',
    'foreign-manifest',
    'found-in-name',
    'key-escape',
    'measure-ellipse',
    'measure-oval',
    'picture-format',
    'range-text',
    'save-geojson',
    'save-georeference',
    'short-text',
    'warp',
  ],
  fr: [
    'about-label',
    'about-pixels',
    'angle',
    'blink-pause',
    'citation',
    'collection',
    'color-orange',
    'color-violet',
    'compare-image',
    'foreign-images',
    'found-in-label',
    'image-count',
    'image-count-one',
    'found-pages',
    'found-pages-one',
    'images',
    'key-control',
    'measure-angle',
    'measure-ellipse',
    'measure-proportion',
    'measure-ratio',
    'page-count',
    'pages',
    'picture-format',
    'range-pages',
    'range-pages-one',
    'range-printed',
    'rights-by',
    'save-geojson',
    'save-georeference',
    'save-w3c',
    'short-annotations',
    'temple-diastyle',
    'temple-eustyle',
    'temple-pycnostyle',
    'temple-systyle',
    'unit-name-yard',
    'warp',
  ],
};

/** A language that is wanted; English where there are no texts of it. */
const ifThere = (tag: string): string => languageTags.find((one) => one === tag) ?? 'en';

describe('messages', () => {
  it('of pages on demand have names of their own', () =>
    expect(
      Object.keys({ ...deskTexts, ...mapTexts }).filter(
        (key) => key in messagesOfAll || key in panelMessages || key in imageMessages,
      ),
    ).toEqual([]));

  it.each(keys)('%s has a text and the same values in each language', (key) => {
    const texts = messages[key];
    expect(Object.keys(texts).sort()).toEqual([...writtenTags].sort());
    for (const tag of writtenTags) {
      expect(texts[tag].trim(), tag).toBe(texts[tag]);
      expect(texts[tag], tag).not.toBe('');
      expect(placeholders(texts[tag]), tag).toEqual(placeholders(texts.en));
    }
  });

  it.each(translations)('in %s are translated, but for words that are the same in English', (tag) => {
    const same = keys.filter((key) => messages[key][tag] === messages[key].en && !isSigns(messages[key].en));
    expect(same.sort()).toEqual([...sameAsEnglish[tag]].sort());
  });

  it.each(keys)('%s has narrow no-break spaces, French quotes and apostrophes in French', (key) => {
    const text: string = messages[key].fr;
    expect(text).not.toMatch(/[ \u00a0][;!?»]|«[^\u202f]|[^\u202f]»|[^\u202f\d]:|['"“”„]/u);
    expect(text).not.toMatch(/[^\u202f][;!?]/u);
  });

  it.each([
    ['en', 0, '0 images'],
    ['en', 1, '1 image'],
    ['en', 1200, '1,200 images'],
    ['de', 0, '0 Bilder'],
    ['de', 1, '1 Bild'],
    ['de', 1200, '1.200 Bilder'],
    ['fr', 0, '0 image'],
    ['fr', 1, '1 image'],
    ['fr', 2, '2 images'],
  ] as const)('in %s count %d: %s', (tag, count, text) => {
    language.value = tag;
    expect(countedMessage('image-count', count)).toBe(text);
    language.value = 'en';
  });

  it.each([
    [['fr-CA', 'en'], 'fr'],
    [['FR'], 'fr'],
    [['la', 'de-AT', 'fr'], 'de'],
    [['la'], 'en'],
    [['pt-PT'], 'pt'],
    [['no'], 'nb'],
    [['nn-NO'], 'nb'],
    [['zh'], ifThere('zh-Hans')],
    [['zh-CN'], ifThere('zh-Hans')],
    [['zh-TW'], ifThere('zh-Hant')],
    [['zh-Hant-HK'], ifThere('zh-Hant')],
  ])('of readers of %j are in %s', (preferred, tag) => expect(languageOf(preferred)).toBe(tag));
});
