// @module-tag chromium
/** A reader who may see an image smaller only sees it in the reading room, with addresses that work. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { waitUntilSettled } from './stage-pixels.ts';

let folder: string;
let app: RunningApp;
let browser: TestBrowser;
let context: BrowserContext;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'lectern-tiers-room-'));
  mkdirSync(path.join(folder, 'book'));
  for (const name of ['p1.jpg', 'p2.jpg']) {
    await sharp({ create: { width: 3000, height: 2000, channels: 3, background: 'teal' } })
      .jpeg()
      .toFile(path.join(folder, 'book', name));
  }
  app = await startApp({
    library: { folders: [folder] },
    access: {
      tiers: [{ name: 'small', maxSide: 1500 }],
      paths: [{ path: 'book', roles: ['staff'], everyone: 'small' }],
    },
  });
  browser = await openBrowser();
  context = await browser.newContext({ viewport: { width: 1100, height: 750 }, locale: 'en' });
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});

it('shows the tier, and tells addresses of it', async () => {
  const page = await context.newPage();
  const requests: string[] = [];
  const failed: string[] = [];
  page.on('response', (response) => {
    requests.push(response.url());
    if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
  });
  await page.goto(`${app.url}/view/book/p1.jpg?ww=0.2&wh=0.2&wx=0.4&wy=0.4`);
  await waitUntilSettled(page);
  const tiles = requests.filter((url) => /\/iiif\/3\/[^/]*\/\d+,\d+,\d+,\d+\//.test(url));
  expect(tiles.length).toBeGreaterThan(0);
  expect(tiles.filter((url) => !/book!p[12]\.jpg;tier=small\//.test(url))).toEqual([]);
  await page.keyboard.press('c');
  const panel = page.locator('.side-panel');
  await page.getByRole('tab', { name: 'Download' }).click();
  await panel.getByRole('link', { name: 'Download', exact: true }).waitFor();
  expect(await panel.locator('a[href*="mo=rawfile"]').count()).toBe(0);
  await page.getByRole('tab', { name: 'For developers' }).click();
  const address = await panel.locator('a[href*="/iiif/3/"]').first().getAttribute('href');
  expect(address).toContain(';tier=small/');
  expect((await fetch(String(address))).status).toBe(200);
  expect(await panel.locator('a[href*="mo=rawfile"]').count()).toBe(0);
  expect(failed).toEqual([]);
});
