// @module-tag chromium
/** Manuscripts in the viewer: page labels, chapters, citations, and links from and to a folder. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { quartered } from '../pixels/pictures.ts';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { type ReusedPages, reusePages } from './reused-pages.ts';
import { waitUntilSettled } from './stage-pixels.ts';

const total = 130;

const fileOf = (number: number): string => `p${String(number).padStart(3, '0')}`;
const labelOf = (number: number): string => `${Math.ceil(number / 2)}${number % 2 === 1 ? 'r' : 'v'}`;

const metadata = `label: A codex
attribution: Museum of Example
metadata:
  Shelfmark: Ms. 7
pages: { ${Array.from({ length: total }, (_, index) => `${fileOf(index + 1)}: ${labelOf(index + 1)}`).join(', ')} }
contents:
  - { label: Preface, pages: 1-2 }
  - label: Songs
    contents:
      - { label: First song, pages: 3-9 }
      - { label: Last song, pages: 120-130 }
`;

let folder: string;
let app: RunningApp;
let browser: TestBrowser;
let page: Page;
let pages: ReusedPages;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'lectern-folios-'));
  mkdirSync(path.join(folder, 'codex'));
  const picture = await quartered(60, 80).png().toBuffer();
  for (let number = 1; number <= total; number += 1) {
    writeFileSync(path.join(folder, 'codex', `${fileOf(number)}.png`), picture);
  }
  writeFileSync(path.join(folder, 'codex/metadata.yaml'), metadata);
  app = await startApp({ library: { folders: [folder] } });
  browser = await openBrowser();
  pages = reusePages(browser);
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => pages.release());

async function open(address: string, options: BrowserContextOptions = {}): Promise<void> {
  page = await pages.open({ viewport: { width: 1280, height: 860 }, locale: 'en', ...options });
  page.setDefaultTimeout(10_000);
  await page.goto(`${app.url}/${address}`);
}

const field = () => page.getByLabel('Go to page', { exact: true });

async function type(text: string): Promise<void> {
  await field().fill(text);
  await field().press('Enter');
}

describe('the page field', () => {
  it.each([
    ['2r', 'p003'],
    ['64V', 'p128'],
    ['17', 'p017'],
  ])('%s opens %s', { tags: 'exhaustive' }, async (typed, file) => {
    await open('view/codex/p001.png');
    await waitUntilSettled(page);
    await type(typed);
    await page.waitForURL(new RegExp(`/${file}\\.png`));
  });

  it.each([
    ['999', 'There is no page 999 of 130.'],
    ['0', 'There is no page 0 of 130.'],
    ['99x', 'No page is called “99x”.'],
  ])('reports that there is no page %s', { tags: 'exhaustive' }, async (typed, text) => {
    await open('view/codex/p001.png');
    await waitUntilSettled(page);
    await type(typed);
    await page.getByRole('status').getByText(text).waitFor();
    expect(page.url()).toContain('p001.png');
  });

  it('names both of two pages, as do the title and the thumbnails', { tags: 'exhaustive' }, async () => {
    await open('view/codex/p003.png?pages=2');
    await waitUntilSettled(page);
    expect(await field().inputValue()).toBe('2–3');
    expect(await page.title()).toBe('1v – 2r – A codex – Lectern');
    expect(await page.locator('.page-label').textContent()).toBe('1v – 2r');
    expect(await page.locator('.filmstrip a[aria-current]').allTextContents()).toEqual(['1v', '2r']);
  });

  it('says the page that is shown after Escape and after Back', { tags: 'exhaustive' }, async () => {
    await open('view/codex/p005.png');
    await waitUntilSettled(page);
    await field().fill('77');
    await field().press('Escape');
    expect(await field().inputValue()).toBe('5');
    expect(await field().evaluate((element) => document.activeElement === element)).toBe(false);
    await type('9');
    await page.waitForURL(/p009\.png/);
    await expect.poll(() => field().inputValue()).toBe('9');
    await page.goBack();
    await page.waitForURL(/p005\.png/);
    await expect.poll(() => field().inputValue()).toBe('5');
    await field().fill('88');
    await page.goForward();
    await page.waitForURL(/p009\.png/);
    await expect.poll(() => field().inputValue()).toBe('9');
  });

  it('has the label next to it on a phone', { tags: 'exhaustive' }, async () => {
    await open('view/codex/p003.png', { viewport: { width: 390, height: 800 } });
    await waitUntilSettled(page);
    const label = page.locator('.stage-label');
    expect(await label.textContent()).toBe('2r');
    expect(await label.evaluate((element) => getComputedStyle(element).clipPath)).toBe('none');
  });
});

describe('chapters', () => {
  it('link from the folder to their first pages', async () => {
    await open('browse/codex');
    const contents = page.getByRole('navigation', { name: 'Contents' });
    await contents.waitFor();
    expect(await contents.locator('a').allTextContents()).toEqual([
      'Preface1r',
      'Songs2r',
      'First song2r',
      'Last song60v',
    ]);
    await contents.getByRole('link', { name: 'Last song' }).click();
    await page.waitForURL(/view\/codex\/p120\.png/);
  });

  it('open and close, and the one with the page is open', async () => {
    await open('view/codex/p001.png');
    await waitUntilSettled(page);
    await page.keyboard.press('Shift+C');
    const contents = page.getByRole('navigation', { name: 'Contents' });
    const toggle = contents.getByRole('button', { name: 'Chapters in “Songs”' });
    await toggle.waitFor();
    expect(await toggle.getAttribute('aria-expanded')).toBe('true');
    await toggle.click();
    expect(await toggle.getAttribute('aria-expanded')).toBe('false');
    expect(await contents.locator('a span').allTextContents()).toEqual(['Preface', 'Songs']);
    await type('60v');
    await page.waitForURL(/p120\.png/);
    await contents.locator('a[aria-current]').getByText('Last song').waitFor();
    expect(await toggle.getAttribute('aria-expanded')).toBe('true');
  });

  it('are listed next to the image, with the current one marked', async () => {
    await open('view/codex/p125.png');
    await waitUntilSettled(page);
    await page.keyboard.press('Shift+C');
    const contents = page.getByRole('navigation', { name: 'Contents' });
    await contents.waitFor();
    expect(await contents.locator('a[aria-current] span').allTextContents()).toEqual(['Last song']);
    await contents.getByRole('link', { name: 'Preface' }).click();
    await page.waitForURL(/p001\.png/);
    await contents.locator('a[aria-current]').getByText('Preface').waitFor();
  });
});

describe('a citation', () => {
  const citation = () => page.locator('.citation').inputValue();

  it('has the holder and the call number, and keeps manual changes when the view changes', async () => {
    await open('view/codex/p003.png');
    await waitUntilSettled(page);
    await page.keyboard.press('c');
    await page.locator('.citation').waitFor();
    const address = `${app.url}/view/codex/p003.png`;
    expect(await citation()).toContain(`Museum of Example, A codex (Ms. 7), 2r. ${address} (`);
    await page.locator('.citation').fill(`My own words: ${address}`);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press('b');
    await page.waitForURL(/pages=2/);
    expect(await citation()).toBe(`My own words: ${address}?pages=2`);
    await page.getByRole('button', { name: 'Begin anew' }).click();
    expect(await citation()).toContain('A codex (Ms. 7), 2r.');
  });

  it('is shown with the short address of the page', { tags: 'exhaustive' }, async () => {
    await open('view/codex/p003.png?rot=90');
    await waitUntilSettled(page);
    await page.keyboard.press('c');
    const row = page.locator('.copy-row').filter({ hasText: 'Short address of the page' });
    expect(await row.locator('a').getAttribute('href')).toBe(`${app.url}/view/codex/p003.png`);
  });
});

describe('links', () => {
  it('back lead to the part of the folder with the page, which is marked and visible', async () => {
    await open('view/codex/p125.png');
    await waitUntilSettled(page);
    await page.locator('.folder-link').click();
    await page.waitForURL(/browse\/codex\?from=101/);
    const card = page.locator('.image-card.last-opened');
    await card.waitFor();
    expect(await card.textContent()).toContain('63r');
    const box = await card.boundingBox();
    expect(box && box.y > 0 && box.y + box.height < 860).toBe(true);
  });

  it('from a missing page lead to its folder and to the library', async () => {
    await open('view/codex/missing/p999.png');
    await page.getByRole('link', { name: 'Look for it in the library' }).waitFor();
    await page.getByRole('link', { name: 'Go to the folder “A codex”' }).click();
    await page.waitForURL(/browse\/codex$/);
  });

  it('from a missing page number name the number of images of the folder', async () => {
    await open('view/codex?pn=999');
    await page.getByText('This folder has 130 images.').waitFor();
  });

  it('of the search have the label, and the page number with the number of pages', async () => {
    await open('browse/?q=64v');
    const found = page.locator('.found li').first();
    await found.waitFor();
    expect(await found.locator('strong').textContent()).toBe('64v');
    expect(await found.locator('small').textContent()).toBe('Page · Library › A codex · page 128 of 130');
  });
});
