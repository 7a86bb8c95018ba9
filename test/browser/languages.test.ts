// @module-tag chromium
/** The language of the page, of which most are loaded on demand. */
import { describe, expect, it } from 'vitest';
import { accessibilityViolations } from './accessibility.ts';
import { setUpBrowsing } from './browse-pages.ts';

const session = setUpBrowsing();

const language = (): Promise<string> => session.page.evaluate(() => document.documentElement.lang);

describe('the language of the page', () => {
  it.each([
    ['uk-UA', 'uk', 'Бібліотека'],
    ['pl', 'pl', 'Biblioteka'],
    ['nn-NO', 'nb', 'Bibliotek'],
    ['la', 'en', 'Library'],
  ])('is the first of the browser: for %s, %s', async (locale, tag, title) => {
    await session.open('', { locale });
    await session.page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    expect(await language()).toBe(tag);
    expect(session.problems).toEqual([]);
  });

  it('is what the reader chooses, with its texts of panels, and is kept', async () => {
    await session.open('view/atlas/wide.png');
    await session.page.getByRole('button', { name: 'Next page' }).first().waitFor();
    await session.page.keyboard.press('i');
    await session.page.getByLabel('Language').selectOption('Español');
    await expect.poll(language).toBe('es');
    await session.page.keyboard.press('Escape');
    await session.page.keyboard.press('c');
    await session.page.locator('.side-panel').getByRole('tab', { name: 'Descargar' }).waitFor();
    expect(await accessibilityViolations(session.page)).toEqual([]);
    await session.page.reload();
    await session.page.getByRole('button', { name: 'Página siguiente' }).first().waitFor();
    expect(await language()).toBe('es');
    expect(session.problems).toEqual([]);
  });

  it('stays as it is where the texts of another one can’t be loaded', async () => {
    await session.open('');
    await session.page.getByRole('heading', { level: 1, name: 'Library' }).waitFor();
    await session.page.route(/\/room\/(?:it|fi)-/, (route) => route.abort());
    await session.page.getByRole('button', { name: 'Display', exact: true }).click();
    await session.page.getByLabel('Language').selectOption('Italiano');
    await session.page.getByLabel('Language').selectOption('Deutsch');
    await session.page.getByRole('heading', { level: 1, name: 'Bibliothek' }).waitFor();
    expect(await language()).toBe('de');
    // The menu closes where the new page takes the focus.
    await session.page.reload();
    await session.page.getByRole('button', { name: 'Darstellung', exact: true }).click();
    await session.page.getByLabel('Sprache').selectOption('Suomi');
    await expect.poll(() => session.page.getByLabel('Sprache').inputValue()).toBe('fi');
    expect(await language()).toBe('de');
  });
});
