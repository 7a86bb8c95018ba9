// @module-tag chromium
/** The search page: the pages on whose texts the words stand, with the words marked, on to the next pages and to the view. */
import { describe, expect, it } from 'vitest';
import { accessibilityViolations } from './accessibility.ts';
import { setUpBrowser } from './browser-pages.ts';
import { startTextApp } from './text-pages.ts';
import { waitForText } from './text-views.ts';

const session = setUpBrowser(startTextApp);

describe('pages found by their texts', () => {
  it('are shown with the words marked, and open with their hits', async () => {
    const page = await session.open('browse/?q=throat', { viewport: { width: 390, height: 844 } });
    const found = page.locator('.found-on-pages li');
    await found.first().waitFor();
    expect(await found.count()).toBe(1);
    expect(await found.locator('mark').allTextContents()).toEqual(['throat.']);
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await found.locator('a').click();
    await waitForText(page);
    await expect.poll(() => page.locator('.text-shapes .hit').count()).toBe(1);
    expect(new URL(page.url()).searchParams.get('q')).toBe('throat');
  });

  it('go on behind the first part, which stays', { tags: 'exhaustive' }, async () => {
    const page = await session.open('');
    // Parts of one page each, as the server answers a client that asks for one at a time.
    await page.route('**/api/search.json*', (route) => route.continue({ url: `${route.request().url()}&count=1` }));
    await page.goto(`${session.url()}browse/?q=flowers`);
    const titles = page.locator('.found-on-pages li strong');
    await titles.first().waitFor();
    expect(await titles.count()).toBe(1);
    const more = page.getByRole('button', { name: 'More pages' });
    await more.click();
    await expect.poll(() => titles.count()).toBe(2);
    expect(new Set(await titles.allTextContents()).size).toBe(2);
    expect(await more.count()).toBe(0);
  });
});
