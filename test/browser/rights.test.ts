// @module-tag chromium
/** The rights and the required statement, beside the downloads that they govern, in frames and on paper. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { waitUntilSettled } from './stage-pixels.ts';

let folder: string;
let app: RunningApp;
let browser: TestBrowser;

const license = 'https://creativecommons.org/licenses/by-sa/4.0/';

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'lectern-rights-'));
  for (const name of ['book', 'plain']) {
    mkdirSync(path.join(folder, name));
    await sharp({ create: { width: 900, height: 600, channels: 3, background: 'teal' } })
      .jpeg()
      .toFile(path.join(folder, name, 'p1.jpg'));
  }
  const metadata = `label: Book\nrights: ${license}\nattribution: <span>Library of <b>Tests</b></span>\n`;
  writeFileSync(path.join(folder, 'book', 'metadata.yaml'), metadata);
  app = await startApp({ library: { folders: [folder] } });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function opened(address: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1100, height: 750 }, locale: 'en' });
  await page.goto(app.url + address);
  await waitUntilSettled(page);
  return page;
}

it('are beside the downloads of a picture and of a book', async () => {
  const page = await opened('/view/book/p1.jpg');
  await page.keyboard.press('c');
  await page.getByRole('tab', { name: 'Download' }).click();
  const notes = page.locator('.side-panel .rights-note');
  await notes.first().waitFor();
  expect(await notes.count()).toBe(2);
  for (const note of await notes.all()) {
    expect(await note.textContent()).toBe('Library of TestsCC BY-SA 4.0 · attribution, share alike');
    expect(await note.locator('a[rel~="license"]').getAttribute('href')).toBe(license);
  }
  await page.close();
});

it.each(['full', 'zoom', 'none'])('stay with an image in a frame with the toolbar %s', async (toolbar) => {
  const page = await opened(`/embed/book/p1.jpg#toolbar=${toolbar}`);
  const note = page.locator('.rights-note.short');
  await note.waitFor();
  expect(await note.textContent()).toBe('Library of TestsCC BY-SA 4.0');
  await note.locator('a').click({ trial: true });
  await page.close();
});

it('are on the sheet of a printed view, with the address of the license', async () => {
  const page = await opened('/view/book/p1.jpg');
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  const line = page.locator('.print-rights');
  await expect.poll(() => line.textContent()).toBe(`Library of Tests · CC BY-SA 4.0 · ${license}`);
  await page.close();
});

it('take no room where metadata says nothing of them', async () => {
  const page = await opened('/embed/plain/p1.jpg');
  expect(await page.locator('.rights-note').count()).toBe(0);
  await page.close();
});
