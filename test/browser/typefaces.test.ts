// @module-tag chromium
/** The typefaces of the room as a browser loads them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBrowseLibrary } from './browse-library.ts';
import { openBrowser, type TestBrowser } from './browser.ts';

let library: Awaited<ReturnType<typeof startBrowseLibrary>>;
let browser: TestBrowser;

beforeAll(async () => {
  library = await startBrowseLibrary();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await library?.close();
});

it('are loaded from this server, each part only where a page has its letters', async () => {
  const page = await browser.newPage({ locale: 'en' });
  const fonts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'font') fonts.push(request.url());
  });
  await page.goto(`${library.url}browse/atlas`);
  await page.locator('.image-card[data-path]').first().waitFor();
  await page.evaluate(() => document.fonts.ready);
  const names = (): readonly string[] =>
    fonts.map((address) => /room\/([a-z-]+?)-[\w-]{8}\.woff2$/.exec(address)?.[1] ?? '').sort();
  expect(names()).toEqual(['sans', 'serif']);
  expect(fonts.every((address) => address.startsWith(library.url))).toBe(true);
  await page.locator('h1').evaluate((title) => {
    title.textContent = 'Wāſſer';
  });
  await expect.poll(names).toEqual(['sans', 'serif', 'serif-ext']);
  await page.close();
});

it('move nothing when they arrive late', async () => {
  const page = await browser.newPage({ locale: 'en', viewport: { width: 1280, height: 800 } });
  const held: (() => void)[] = [];
  await page.route(/\.woff2$/, async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await page.goto(`${library.url}browse/atlas`, { waitUntil: 'commit' });
  await page.locator('.image-card[data-path]').first().waitFor();
  await expect.poll(() => held.length).toBe(2);
  const placesOf = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('h1, .counts, .folder-actions, .summary, .image-card')].map((element) =>
        Math.round(element.getBoundingClientRect().top),
      ),
    );
  const before = await placesOf();
  for (const send of held) send();
  await page.evaluate(() => document.fonts.ready);
  expect(await page.evaluate(() => document.fonts.check('20px "Lectern Serif"'))).toBe(true);
  expect(await placesOf()).toEqual(before);
  await page.close();
});
