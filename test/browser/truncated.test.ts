// @module-tag chromium
/** The reading room says that a part of an image is missing. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { directoriesFirst } from '../fixtures/files/header-first.ts';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { waitUntilSettled } from './stage-pixels.ts';

let folder: string;
let app: RunningApp;
let browser: TestBrowser;

const noise = () =>
  sharp({
    create: {
      width: 900,
      height: 700,
      channels: 3,
      background: '#c96',
      noise: { type: 'gaussian', mean: 170, sigma: 20 },
    },
  });

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'lectern-truncated-'));
  const write = (name: string, bytes: Buffer): void => writeFileSync(path.join(folder, name), bytes);
  const tiff = directoriesFirst(await noise().tiff({ compression: 'lzw', tile: true }).toBuffer());
  write('p1.tif', tiff.subarray(0, tiff.length >> 1));
  const jpeg = await noise().jpeg().toBuffer();
  write('p2.jpg', Buffer.concat([jpeg.subarray(0, jpeg.length >> 1), Buffer.from([0xff, 0xd9])]));
  write('p3.jpg', jpeg);
  app = await startApp({ library: { folders: [folder] }, render: { truncated: 'show' } });
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(name: string, locale: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1000, height: 700 }, locale });
  await page.goto(`${app.url}/view/${name}`);
  await waitUntilSettled(page);
  return page;
}

const sentences = {
  en: 'A part of this image is missing: its file is cut short or damaged.',
  de: 'Ein Teil dieses Bildes fehlt: Die Datei ist unvollständig oder beschädigt.',
};

it.each(['p1.tif', 'p2.jpg'])('in the reader’s language: %s', async (name) => {
  for (const [locale, sentence] of Object.entries(sentences)) {
    const page = await open(name, locale);
    await page.getByText(sentence).waitFor();
    await page.close();
  }
});

it('only of the image that lacks it', { tags: 'exhaustive' }, async () => {
  const page = await open('p2.jpg', 'en');
  await page.getByText(sentences.en).waitFor();
  await page.keyboard.press('PageDown');
  await page.waitForURL(/p3/);
  await waitUntilSettled(page);
  await page.getByText(sentences.en).waitFor({ state: 'detached' });
  expect(await page.getByText(sentences.en).count()).toBe(0);
  await page.close();
});
