// @module-tag chromium
/** The contents of a book in the viewer: the chapter in the bar, steps between chapters, and the panel. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { quartered } from '../pixels/pictures.ts';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { accessibilityViolations } from './accessibility.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { type ReusedPages, reusePages } from './reused-pages.ts';
import { waitUntilSettled } from './stage-pixels.ts';

const total = 40;

const fileOf = (number: number): string => `p${String(number).padStart(3, '0')}.png`;

const chapters = Array.from(
  { length: 12 },
  (_, index) => `      - { label: Song ${index + 1}, pages: ${index * 2 + 9} }`,
);

const metadata = `label: A songbook
behavior: paged
contents:
  - { label: Preface, pages: 3-6 }
  - label: Songs
    contents:
${chapters.join('\n')}
  - { label: Écoute, pages: 38-40 }
`;

let folder: string;
let app: RunningApp;
let browser: TestBrowser;
let page: Page;
let pages: ReusedPages;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'lectern-contents-'));
  const picture = await quartered(240, 320).png().toBuffer();
  for (const [name, text] of [
    ['songs', metadata],
    ['plain', 'label: A plain book\n'],
  ] as const) {
    mkdirSync(path.join(folder, name));
    writeFileSync(path.join(folder, name, 'metadata.yaml'), text);
    for (let number = 1; number <= total; number += 1) writeFileSync(path.join(folder, name, fileOf(number)), picture);
  }
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
  await waitUntilSettled(page);
}

const pathNow = (): string => new URL(page.url()).pathname;
const chapterNow = () => page.locator('.chapter-now');

describe('the chapter', () => {
  it('is in the bar, and follows the pages', async () => {
    await open('view/songs/p005.png?pages=1');
    expect(await chapterNow().textContent()).toBe('Preface');
    expect(await chapterNow().getAttribute('aria-label')).toBe('Chapter: Preface');
    await page.keyboard.press('End');
    await expect.poll(() => chapterNow().textContent()).toBe('Écoute');
    await page.keyboard.press('Home');
    await expect.poll(() => chapterNow().count()).toBe(0);
  });

  it('before and after is reached by keys, also by several at once', async () => {
    await open('view/songs/p001.png?pages=1');
    await page.keyboard.press('Shift+PageDown');
    await expect.poll(pathNow).toBe('/view/songs/p003.png');
    await page.keyboard.press('Shift+N');
    await page.keyboard.press('Shift+N');
    await expect.poll(pathNow).toBe('/view/songs/p011.png');
    await page.keyboard.press('PageDown');
    await expect.poll(pathNow).toBe('/view/songs/p012.png');
    await page.keyboard.press('Shift+P');
    await expect.poll(pathNow).toBe('/view/songs/p011.png');
    await page.keyboard.press('Shift+PageUp');
    await expect.poll(pathNow).toBe('/view/songs/p009.png');
    expect(await chapterNow().getAttribute('title')).toBe('Songs › Song 1');
  });

  it('keeps two pages side by side', async () => {
    await open('view/songs/p001.png?pages=2');
    await page.keyboard.press('Shift+PageDown');
    await expect.poll(pathNow).toBe('/view/songs/p003.png');
    expect(new URL(page.url()).searchParams.get('pages')).toBe('2');
    await expect.poll(() => page.locator('.page-label').textContent()).toBe('p002 – p003');
  });
});

describe('the panel of the contents', () => {
  it('opens from the bar and from the rail, and finds chapters without accents', async () => {
    await open('view/songs/p011.png?pages=1');
    await chapterNow().click();
    const contents = page.getByRole('navigation', { name: 'Contents' });
    await contents.locator('a[aria-current]').getByText('Song 2', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Contents', exact: true }).getAttribute('aria-pressed')).toBe('true');
    await page.getByLabel('Find a chapter').fill('ecoute');
    await expect.poll(() => contents.getByRole('link').count()).toBe(1);
    await contents.getByRole('link', { name: 'Écoute' }).click();
    await expect.poll(pathNow).toBe('/view/songs/p038.png');
    await page.getByLabel('Find a chapter').fill('song 7');
    await contents.getByText('Songs', { exact: true }).waitFor();
    await page.getByLabel('Find a chapter').fill('nothing');
    await page.getByRole('status').getByText('No chapter is called “nothing”.').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('keeps the rotation, and says at the ends that there is no other chapter', async () => {
    await open('view/songs/p001.png?pages=1&rot=90');
    await page.keyboard.press('Shift+C');
    const previous = page.getByRole('button', { name: 'Previous chapter' });
    expect(await previous.getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Preface' }).click();
    await expect.poll(pathNow).toBe('/view/songs/p003.png');
    expect(new URL(page.url()).searchParams.get('rot')).toBe('90');
  });

  it('is not offered for a book without chapters', async () => {
    await open('view/plain/p001.png');
    await page.keyboard.press('Shift+C');
    await page.keyboard.press('Shift+PageDown');
    expect(await page.locator('.side-panel').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Contents', exact: true }).count()).toBe(0);
    expect(pathNow()).toBe('/view/plain/p001.png');
  });
});
