import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { openBrowser, problemsOf } from './browser.ts';

const samples = fileURLToPath(new URL('../../samples', import.meta.url));
/** Where pictures of the pages are kept, for people to look at; none are taken without it. */
const pictures = process.env['LECTERN_TEST_SCREENSHOTS'];

let browser: Browser;
let app: RunningApp;
beforeAll(async () => {
  app = await startApp({ folders: [samples], contextPath: '/digilib' });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});

for (const [name, width, scheme] of [
  ['wide', 1280, 'light'],
  ['dark', 1280, 'dark'],
  ['phone', 390, 'light'],
] as const) {
  it(`shows the library with its thumbnails, and copies addresses (${name})`, async () => {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
    const problems = problemsOf(page);
    await page.goto(`${app.url}/digilib/`);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await page.waitForFunction(() => [...document.images].every((image) => image.complete));
    const widths = await page.evaluate(() => [...document.images].map((image) => image.naturalWidth));
    expect(widths.length).toBeGreaterThanOrEqual(3);
    expect(Math.min(...widths)).toBeGreaterThan(100);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    const button = page.getByRole('button', { name: 'Copy' }).first();
    await button.click();
    await page.getByRole('button', { name: 'Copied' }).first().waitFor({ timeout: 2000 });
    expect(problems).toEqual([]);
    if (pictures) await page.screenshot({ path: `${pictures}/home-${name}.png`, fullPage: true });
    await page.close();
  });
}
