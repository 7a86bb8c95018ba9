// @module-tag chromium
/** axe in all places that show texts of pages, in each language, in light and in dark colors. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { shareOf } from '../sweep.ts';
import { accessibilityViolations, colorRules } from './accessibility.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { type ReusedPages, reusePages } from './reused-pages.ts';
import type { TemporaryServer } from './temporary-server.ts';
import { startTextApp } from './text-pages.ts';
import { waitForText } from './text-views.ts';

let library: TemporaryServer;
let browser: TestBrowser;
let pages: ReusedPages;

beforeAll(async () => {
  library = await startTextApp();
  browser = await openBrowser();
  pages = reusePages(browser);
});
afterAll(async () => {
  await browser?.close();
  await library?.close();
});
afterEach(() => pages.release());

const view = 'view/herbal/1-marigold.png';

const byKey =
  (key: string, selector: string) =>
  async (page: Page): Promise<void> => {
    await waitForText(page);
    await page.keyboard.press(key);
    await page.locator(selector).first().waitFor();
  };

const stands = (selector: string) => (page: Page) => page.locator(selector).first().waitFor();

const places: Readonly<Record<string, readonly [address: string, act: (page: Page) => Promise<unknown>]>> = {
  'the text panel': [view, byKey('e', '.text-panel [data-word]')],
  'selected words': [`${view}?text=1`, byKey('Shift+ArrowRight', '.selection-bar')],
  'a search in the book': [`${view}?q=honey`, byKey('/', '.hits-of-page')],
  'texts that were found': ['browse/?q=the', stands('.found-on-pages')],
  'the text of a region': [`${view}?rg=0.1/0.05/0.7/0.2`, byKey('m', '.side-panel textarea')],
};

/** Those whose texts are written beside each other, and two whose texts are loaded: one with long words, and one with another script. */
const locales = ['en', 'de', 'fr', 'hu', 'uk'] as const;

describe.each(locales)('in %s', { tags: 'sampled' }, (locale) => {
  const index = locales.indexOf(locale);
  it.each(shareOf(Object.entries(places), index, locales.length))(
    '%s violates no rule of accessibility',
    async (_, [address, act]) => {
      const page = await pages.open({ viewport: { width: 1280, height: 860 }, locale, reducedMotion: 'reduce' });
      await page.goto(library.url + address);
      await act(page);
      expect(await accessibilityViolations(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await accessibilityViolations(page, colorRules)).toEqual([]);
    },
  );
});
