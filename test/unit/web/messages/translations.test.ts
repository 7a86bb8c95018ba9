import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { loadTranslations } from '../../../../web/src/messages/load-translations.ts';
import { countedMessage, isWritten, language, languageTags, message } from '../../../../web/src/messages/messages.ts';
import { type Translations, translations } from '../../../../web/src/messages/translations.ts';

const folder = fileURLToPath(new URL('../../../../web/src/messages/', import.meta.url));

/** The English texts of all files of messages. */
async function englishTexts(): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.ts'))) {
    const exported: Readonly<Record<string, unknown>> = await import(path.join(folder, file));
    for (const group of Object.values(exported)) {
      if (typeof group !== 'object' || group === null) continue;
      for (const text of Object.values(group as Readonly<Record<string, unknown>>))
        if (typeof text === 'object' && text !== null && 'en' in text) found.add(String(text.en));
    }
  }
  return found;
}

const english = await englishTexts();

const translated = languageTags.filter((tag) => !isWritten(tag));

const read = (tag: string): Translations =>
  JSON.parse(readFileSync(path.join(folder, 'translations', `${tag}.json`), 'utf8')) as Translations;

const valuesIn = (text: string): readonly string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

describe.each(translated)('the translation %s', (tag) => {
  const texts = read(tag);
  const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions();

  it('has only texts that are in English, with the same values', () => {
    for (const [text, translation] of Object.entries(texts)) {
      expect(english, text).toContain(text);
      const forms = typeof translation === 'string' ? [translation] : Object.values(translation);
      for (const form of forms) {
        expect(form.trim(), text).toBe(form);
        expect(form, text).not.toBe('');
        expect(valuesIn(form), text).toEqual(valuesIn(text));
      }
    }
  });

  it('has a form for each number where a text has a count', () => {
    for (const [text, translation] of Object.entries(texts))
      if (typeof translation !== 'string')
        expect(Object.keys(translation).sort(), text).toEqual([...pluralCategories].sort());
  });

  it('is loaded, and has what each page says', async () => {
    const loaded = await loadTranslations(tag);
    expect(loaded).toEqual(texts);
    for (const text of ['Library', 'Close', 'Search', 'Next page', '{count} images'])
      expect(Object.keys(texts), text).toContain(text);
  });
});

describe('a text', () => {
  afterEach(() => {
    translations.value = {};
    language.value = 'en';
  });

  it('is English where its translation is missing, also where its name is that of a member of all objects', () => {
    language.value = 'pl';
    translations.value = { Library: 'Biblioteka' };
    expect([message('library'), message('close')]).toEqual(['Biblioteka', 'Close']);
  });

  it.each([
    [1, '1 obraz'],
    [3, '3 obrazy'],
    [5, '5 obrazów'],
    [22, '22 obrazy'],
  ])('has the form for %d in Polish: %s', (count, text) => {
    language.value = 'pl';
    translations.value = { '{count} images': { one: '{count} obraz', few: '{count} obrazy', many: '{count} obrazów' } };
    expect(countedMessage('image-count', count)).toBe(text);
  });

  it('with a count is English where its translation is missing', () => {
    language.value = 'pl';
    expect([countedMessage('image-count', 1), countedMessage('image-count', 7)]).toEqual(['1 image', '7 images']);
  });
});

it('a language without a file is not loaded', async () =>
  expect(loadTranslations('la')).rejects.toThrow('There is no translation la.'));
