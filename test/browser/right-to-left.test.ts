// @module-tag chromium
/** A book that is read from right to left by its metadata. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { gradient } from './gradients.ts';
import { waitUntilSettled } from './stage-pixels.ts';

let folder: string;
let app: RunningApp;
let browser: TestBrowser;
let page: Page;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'lectern-right-to-left-'));
  mkdirSync(path.join(folder, 'book'));
  writeFileSync(path.join(folder, 'book/metadata.yaml'), 'viewingDirection: right-to-left\n');
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    await gradient(60, 80)
      .png()
      .toFile(path.join(folder, `book/${name}.png`));
  app = await startApp({ library: { folders: [folder] } });
  browser = await openBrowser();
  page = await browser.newPage({ viewport: { width: 1200, height: 800 }, locale: 'en' });
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});

const leftOf = async (element: Locator): Promise<number> => (await element.boundingBox())?.x ?? Number.NaN;

/** The names of elements in their order from left to right. */
async function inOrder(elements: Locator): Promise<readonly string[]> {
  const found = await elements.all();
  const placed = await Promise.all(
    found.map(async (element) => ({
      x: await leftOf(element),
      name: (await element.getAttribute('aria-label')) ?? '',
    })),
  );
  return placed.sort((one, other) => one.x - other.x).map(({ name }) => name);
}

describe('a book from right to left', () => {
  it('has its buttons and thumbnails from right to left', async () => {
    await page.goto(`${app.url}/view/book/b.png`);
    await waitUntilSettled(page);
    expect(await inOrder(page.locator('.page-buttons button'))).toEqual([
      'Last page',
      'Next page',
      'Previous page',
      'First page',
    ]);
    expect(await inOrder(page.locator('.filmstrip a'))).toEqual(
      [5, 4, 3, 2, 1].map((at) => `Page ${at}: ${'abcde'[at - 1]}`),
    );
    // Labels are shown below thumbnails, never numbers in their place.
    expect(await page.locator('.filmstrip a span').allTextContents()).toEqual(['e', 'd', 'c', 'b', 'a']);
  });

  it('moves to the left by the arrow keys in the row of thumbnails', async () => {
    await page.getByRole('link', { name: 'Page 2: b' }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/view/book/c.png');
    await page.keyboard.press('PageUp');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/view/book/b.png');
  });

  it('shows the next page at the left of two', async () => {
    await page.goto(`${app.url}/view/book/b.png?pages=2`);
    await waitUntilSettled(page);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    const button = page.getByRole('button', { name: 'Right to left' });
    expect(await button.getAttribute('aria-pressed')).toBe('true');
  });
});
