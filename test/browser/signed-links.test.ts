// @module-tag chromium
/** A reader with a signed link sees what it opens in the reading room, with an address that holds no link; also in a frame. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'lectern-links-room-'));
  mkdirSync(path.join(folder, 'book'));
  for (const name of ['p1.jpg', 'p2.jpg']) {
    await sharp({ create: { width: 3000, height: 2000, channels: 3, background: 'teal' } })
      .jpeg()
      .toFile(path.join(folder, 'book', name));
  }
  writeFileSync(path.join(folder, 'book', 'metadata.yaml'), 'label: Geheimtitel\n');
  const keysFile = path.join(folder, 'keys');
  writeFileSync(keysFile, `one ${'k'.repeat(43)}\n`);
  app = await startApp({
    library: { folders: [folder] },
    http: { trustedProxies: ['127.0.0.1'] },
    access: {
      addresses: [{ address: '10.0.2', roles: ['staff', 'admin'] }],
      paths: [{ path: 'book', roles: ['staff'] }],
    },
    signedLinks: { keysFile },
  });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function linkTo(subject: string): Promise<string> {
  const { body } = await app.get('/api/links', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '10.0.2.2' },
    body: JSON.stringify({ subject, until: '1d' }),
  });
  return JSON.parse(body.toString()).address;
}

/** The addresses of a page's requests, and those that failed. */
async function opened(context: BrowserContext, address: string) {
  const page = await context.newPage();
  const requests: string[] = [];
  const failed: string[] = [];
  page.on('response', (response) => {
    requests.push(response.url());
    if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
  });
  await page.goto(address);
  return { page, requests, failed };
}

it('shows an image alone, and nothing of its folder', async () => {
  const context = await browser.newContext({ viewport: { width: 1100, height: 750 }, locale: 'en' });
  const { page, requests, failed } = await opened(context, await linkTo('book/p1.jpg'));
  await waitUntilSettled(page);
  expect(page.url()).toBe(`${app.url}/view/book/p1.jpg`);
  expect(requests.filter((url) => /\/iiif\/3\//.test(url)).length).toBeGreaterThan(0);
  expect(requests.slice(1).filter((url) => url.includes('link='))).toEqual([]);
  expect(failed).toEqual([]);
  expect(await page.content()).not.toMatch(/Geheimtitel|p2/);
  await context.close();
});

it('shows a folder, through which the reader turns the pages', async () => {
  const context = await browser.newContext({ viewport: { width: 1100, height: 750 }, locale: 'en' });
  const { page, failed } = await opened(context, await linkTo('book'));
  await page.locator('a[href*="view/book/p1.jpg"]').first().click();
  await waitUntilSettled(page);
  await page.keyboard.press('PageDown');
  await page.waitForURL(/p2\.jpg/);
  await waitUntilSettled(page);
  expect(failed).toEqual([]);
  await context.close();
});

it('shows an image in a frame of the same site', async () => {
  const context = await browser.newContext({ viewport: { width: 1100, height: 750 }, locale: 'en' });
  const address = (await linkTo('book/p1.jpg')).replace('/view/', '/embed/');
  const { page, failed } = await opened(context, `${app.url}/healthz`);
  await page.setContent(`<iframe src="${address}" width="800" height="600"></iframe>`);
  const frame = page.frameLocator('iframe');
  await frame.locator('canvas').first().waitFor();
  await expect.poll(() => page.frames()[1]?.url()).toBe(`${app.url}/embed/book/p1.jpg`);
  expect(failed).toEqual([]);
  await context.close();
});

it('says why a link does not count', async () => {
  const context = await browser.newContext({ viewport: { width: 1100, height: 750 }, locale: 'en' });
  const { page, failed } = await opened(context, `${await linkTo('book')}x`);
  expect(failed).toHaveLength(1);
  expect(await page.locator('main').textContent()).toContain('This link is not the one that was sent');
  await context.close();
});
