// @module-tag chromium
/** The reading room names the version of an image in the addresses of its tiles, so that browsers ask for them once. */
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { quartered } from '../pixels/pictures.ts';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { waitUntilSettled } from './stage-pixels.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-versions-'));
const tile = /^\/iiif\/3\/book!page\.png\/[^/]+\/[^/]+\/0\/default\.jpg/;
let app: RunningApp;
let browser: TestBrowser;
/** The tiles that the server was asked for, which are not those that the browser has. */
let asked: string[] = [];

async function write(width: number): Promise<void> {
  await quartered(width, 600).png().toFile(path.join(folder, 'next'));
  renameSync(path.join(folder, 'next'), path.join(folder, 'library', 'book', 'page.png'));
}

beforeAll(async () => {
  mkdirSync(path.join(folder, 'library', 'book'), { recursive: true });
  await write(900);
  app = await startApp({ library: { folders: [path.join(folder, 'library')] } });
  app.rewrite((target) => {
    if (tile.test(target)) asked.push(target);
    return target;
  });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});

it('asks for no tile again that it has, and for all of them once the image is another one', async () => {
  const page = await browser.newPage({ viewport: { width: 1000, height: 700 }, locale: 'en' });
  const view = async (): Promise<readonly string[]> => {
    asked = [];
    await page.goto(`${app.url}/view/book/page.png`);
    await waitUntilSettled(page);
    return asked;
  };
  const first = await view();
  expect(first.length).toBeGreaterThan(0);
  for (const address of first) expect(address).toMatch(/\?v=[\w-]{16}$/);
  expect((await app.get(first[0] ?? '')).headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(await view()).toEqual([]);
  await write(800);
  await vi.waitFor(async () => {
    const { headers } = await app.get('/iiif/3/book!page.png/info.json');
    expect(first[0]).not.toContain(String(headers['lectern-version']));
  });
  // The browser may have kept info.json for an hour; a reload asks for it.
  await page.evaluate(() => fetch('iiif/3/book!page.png/info.json', { cache: 'reload' }));
  const later = await view();
  expect(later.length).toBeGreaterThan(0);
  for (const address of later) expect(first).not.toContain(address);
});
