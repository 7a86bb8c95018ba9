// @module-tag chromium
/** The title page of a book, the start page with its title over its picture, and what empty pages offer. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { contrast } from '../../src/features/reading-room/pages/accent.ts';
import { accessibilityViolations } from './accessibility.ts';
import { setUpBrowser } from './browser-pages.ts';
import { serveFrom, type TemporaryServer } from './temporary-server.ts';

const metadata = `label: { en: On the Motion of Tides, de: Von der Bewegung der Gezeiten }
summary: A treatise.
behavior: paged
metadata:
  - { label: Author, value: [Ada Example, Ben Muster] }
  - { label: Place, value: Port Vellum }
  - { label: Publisher, value: The Sign of the Lectern }
  - { label: Date, value: "1665" }
  - { label: Shelfmark, value: "<span><i>Ms.</i> germ. 12</span>" }
  - { label: Extent, value: 3 leaves }
rights: https://creativecommons.org/publicdomain/mark/1.0/
`;

async function serveLibrary(): Promise<TemporaryServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-title-page-'));
  for (const name of ['book', 'empty']) mkdirSync(path.join(folder, name));
  writeFileSync(path.join(folder, 'book', 'metadata.yaml'), metadata);
  for (const name of ['a', 'b', 'c'])
    await sharp({ create: { width: 1200, height: 1600, channels: 3, background: '#fff' } })
      .jpeg()
      .toFile(path.join(folder, 'book', `${name}.jpg`));
  return serveFrom(folder, { library: { folders: [folder] }, readingRoom: { name: 'Library of the Coast' } });
}

const session = setUpBrowser(serveLibrary);

const textOf = (page: Page, selector: string): Promise<string | null> => page.locator(selector).textContent();

describe('the page of a book', () => {
  it('begins as a title page, from which the first page opens', async () => {
    const page = await session.open('browse/book', { locale: 'en' });
    await page.getByRole('heading', { level: 1, name: 'On the Motion of Tides' }).waitFor();
    expect(await textOf(page, '.title-author')).toBe('Ada Example, Ben Muster');
    expect(await textOf(page, '.title-imprint')).toBe('Port Vellum, The Sign of the Lectern, 1665');
    expect(await textOf(page, '.title-shelfmark')).toBe('Shelfmark Ms. germ. 12');
    const [cover, title] = [await page.locator('.cover-link').boundingBox(), await page.locator('h1').boundingBox()];
    expect((cover?.x ?? 0) + (cover?.width ?? 0)).toBeLessThan(title?.x ?? 0);
    await page.getByRole('link', { name: 'Read', exact: true }).click();
    await page.waitForFunction(() => location.pathname.endsWith('/view/book/a.jpg'));
  });

  it('folds long metadata, but not the rights', async () => {
    const page = await session.open('browse/book', { locale: 'de', viewport: { width: 390, height: 800 } });
    const summary = page.getByText('Angaben', { exact: true });
    await summary.waitFor();
    const details = page.locator('.metadata');
    expect(await details.isVisible()).toBe(false);
    expect(await page.locator('.rights').first().isVisible()).toBe(true);
    await summary.click();
    await details.waitFor();
    expect(await details.locator('dt').allTextContents()).toContain('Extent');
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});

describe('the start page', () => {
  it.each([
    ['wide', 1280, 800],
    ['narrow', 360, 740],
  ])('has its title over its picture, legible on a white one, in a %s window', async (_, width, height) => {
    const page = await session.open('', { locale: 'en', viewport: { width, height } });
    const title = page.locator('.start-title');
    await title.waitFor();
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.front-picture img')?.complete);
    const picture = await page.locator('.front-picture').boundingBox();
    const box = await title.boundingBox();
    expect(picture?.width).toBe(width);
    expect(box?.y).toBeGreaterThan(picture?.y ?? Number.POSITIVE_INFINITY);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((picture?.y ?? 0) + (picture?.height ?? 0) + 1);
    // What lies below the words themselves, without them.
    const words = await page.locator('.start-title h1').boundingBox();
    if (words === null) throw new Error('no title');
    await title.evaluate((element) => {
      element.style.visibility = 'hidden';
    });
    const { channels } = await sharp(await page.screenshot({ clip: words })).stats();
    const brightest = `#${channels
      .slice(0, 3)
      .map(({ max }) => max.toString(16).padStart(2, '0'))
      .join('')}`;
    expect(contrast('#ffffff', brightest)).toBeGreaterThan(3);
    await title.evaluate((element) => {
      element.style.visibility = '';
    });
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});

describe('an empty page', () => {
  it('leads on from an empty folder, and from a search without results', async () => {
    const page = await session.open('browse/empty', { locale: 'en' });
    await page.getByRole('link', { name: 'Look through “Library of the Coast”' }).waitFor();
    const found = await session.open('browse/empty?q=zzz', { locale: 'en' });
    await found.getByText('Fewer words or the beginning of a word').waitFor();
    await found.locator('.no-results').getByRole('link', { name: 'In the whole library' }).click();
    await found.waitForFunction(() => !location.pathname.includes('empty'));
  });
});
