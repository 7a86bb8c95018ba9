// @module-tag chromium
/** Pages that a reader types by their labels: printed and taken along, from the page of a folder and from the viewer. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { accessibilityViolations } from './accessibility.ts';
import { setUpBrowser } from './browser-pages.ts';
import { waitUntilSharp } from './stage-pixels.ts';
import { serveFrom } from './temporary-server.ts';

const labels = Array.from({ length: 12 }, (_, index) => `${Math.floor(index / 2) + 1}${index % 2 === 0 ? 'r' : 'v'}`);

const session = setUpBrowser(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-page-range-'));
  mkdirSync(path.join(folder, 'book'));
  const pages = labels.map((label, index) => `  - { file: p${String(index).padStart(2, '0')}.png, label: ${label} }`);
  writeFileSync(path.join(folder, 'book', 'metadata.yaml'), `pages:\n${pages.join('\n')}\n`);
  const picture = await sharp({ create: { width: 40, height: 60, channels: 3, background: '#c8b890' } })
    .png()
    .toBuffer();
  for (const index of labels.keys())
    writeFileSync(path.join(folder, 'book', `p${String(index).padStart(2, '0')}.png`), picture);
  return serveFrom(folder, { library: { folders: [folder] } });
});

/** What the links of a range lead to. */
const addresses = (within: Locator): Promise<readonly string[]> =>
  within.locator('.downloads a').evaluateAll((links) =>
    links.map((link) => {
      const { pathname, searchParams } = new URL((link as HTMLAnchorElement).href);
      return `${pathname}?at=${searchParams.get('at')}`;
    }),
  );

async function type(page: Page, text: string): Promise<Locator> {
  await page.getByLabel('Only these pages').fill(text);
  return page.locator('.page-range');
}

describe('a range of labels', () => {
  it('is taken along and printed from the page of a folder', async () => {
    const page = await session.open('browse/book');
    await page.evaluate(() => {
      window.print = () => undefined;
    });
    await page.getByRole('button', { name: 'Some pages' }).click();
    const range = await type(page, '3r–4v, 1v');
    await range.getByText('5 pages').waitFor();
    expect(await addresses(range)).toEqual(['/pdf/book.pdf?at=5-8,2', '/zip/book.zip?at=5-8,2']);
    expect(await accessibilityViolations(page)).toEqual([]);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      range.getByRole('link', { name: 'ZIP: 3r–4v, 1v' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('book 5-8,2.zip');
    await range.getByRole('button', { name: 'Print: 3r–4v, 1v' }).click();
    await expect
      .poll(() => page.locator('.contact-sheet li p').allTextContents())
      .toEqual(['3r', '3v', '4r', '4v', '1v']);
    expect(await page.locator('.contact-sheet header').textContent()).toContain('Pages 3r–4v, 1v');
  });

  it('is taken along from the viewer, by the keyboard alone', async () => {
    const page = await session.open('view/book/p00.png');
    await waitUntilSharp(page);
    await page.keyboard.press('c');
    await page.getByRole('tab', { name: 'Download' }).click();
    await page.getByLabel('Only these pages').focus();
    await page.keyboard.type('6r-');
    const range = page.locator('.page-range');
    await range.getByText('2 pages').waitFor();
    expect(await addresses(range)).toEqual(['/pdf/book.pdf?at=11-12', '/zip/book.zip?at=11-12']);
  });

  it('that no page has is a fault, and nothing is offered', async () => {
    const page = await session.open('browse/book');
    await page.getByRole('button', { name: 'Some pages' }).click();
    const range = await type(page, '3r–9v');
    await range.getByText('“3r–9v” names no pages here.').waitFor();
    expect(await page.getByLabel('Only these pages').getAttribute('aria-invalid')).toBe('true');
    expect(await range.locator('.downloads').count()).toBe(0);
    expect(await accessibilityViolations(page)).toEqual([]);
    await type(page, '3–5');
    await range.getByText('3 pages').waitFor();
    expect(await addresses(range)).toEqual(['/pdf/book.pdf?at=3-5', '/zip/book.zip?at=3-5']);
  });
});
