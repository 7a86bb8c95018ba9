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

const news = `label: A newspaper
contents:
  - { label: Weather, pages: 1, region: "pct:0,0,50,50" }
  - { label: Harvest, pages: 1, region: "pct:50,50,50,50" }
  - { label: Ships, pages: 2 }
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
    ['news', news],
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
  if (!address.includes('layout=')) await waitUntilSettled(page);
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

describe('chapters that are parts of a page', () => {
  const regionNow = () => ['wx', 'wy', 'ww', 'wh'].map((name) => new URL(page.url()).searchParams.get(name));

  it('show these parts, one after the other, and the whole of the next page', async () => {
    await open('view/news/p001.png');
    await page.keyboard.press('Shift+N');
    await expect.poll(regionNow).toEqual([null, null, '0.5', '0.5']);
    expect(await chapterNow().textContent()).toBe('Weather');
    await page.keyboard.press('Shift+N');
    await expect.poll(regionNow).toEqual(['0.5', '0.5', '0.5', '0.5']);
    await expect.poll(() => chapterNow().textContent()).toBe('Harvest');
    await page.keyboard.press('Shift+N');
    await expect.poll(pathNow).toBe('/view/news/p002.png');
    expect(regionNow()).toEqual([null, null, null, null]);
    await page.keyboard.press('Shift+P');
    await expect.poll(pathNow).toBe('/view/news/p001.png');
    await expect.poll(regionNow).toEqual(['0.5', '0.5', '0.5', '0.5']);
  });

  it('link from the folder to these parts', async () => {
    page = await pages.open({ viewport: { width: 1280, height: 860 }, locale: 'en' });
    await page.goto(`${app.url}/browse/news`);
    await page.getByRole('link', { name: 'Harvest' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?wx=0.5&wy=0.5&ww=0.5&wh=0.5');
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

describe('the thumbnails', () => {
  it('of two pages that face each other touch', async () => {
    await open('view/songs/p004.png?pages=2');
    const strip = page.getByRole('navigation', { name: 'Thumbnails' });
    const boxOf = async (number: number) => {
      const box = await strip
        .getByRole('link', { name: `Page ${number}:` })
        .locator('img')
        .boundingBox();
      if (box === null) throw new Error(`page ${number} has no thumbnail`);
      return box;
    };
    const [verso, recto, next] = [await boxOf(4), await boxOf(5), await boxOf(6)];
    expect(recto.x - (verso.x + verso.width)).toBeLessThan(4);
    expect(next.x - (recto.x + recto.width)).toBeGreaterThan(20);
  });

  it('have a slider above them, which goes through the book, with a mark for each chapter', async () => {
    await open('view/songs/p001.png?pages=1');
    const slider = page.getByRole('slider', { name: 'Place in the book' });
    expect(await slider.getAttribute('aria-valuetext')).toBe('Page 1: p001');
    expect((await page.locator('.scrubber .outer').getAttribute('d'))?.match(/M/g)).toHaveLength(3);
    expect((await page.locator('.scrubber .inner').getAttribute('d'))?.match(/M/g)).toHaveLength(12);
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect.poll(pathNow).toBe('/view/songs/p003.png');
    expect(await slider.getAttribute('aria-valuetext')).toBe('Page 3: p003 · Preface');
    const box = await slider.boundingBox();
    if (box === null) throw new Error('there is no slider');
    await page.mouse.move(box.x + 10, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2, { steps: 4 });
    await page.locator('.scrubber output').getByText('Page 40: p040 · Écoute').waitFor();
    await page.mouse.up();
    await expect.poll(pathNow).toBe('/view/songs/p040.png');
    await expect.poll(() => page.locator('.scrubber output').count()).toBe(0);
  });
});

const layoutNow = (): string | null => new URL(page.url()).searchParams.get('layout');

describe('all pages', () => {
  it('are shown in place of the image, with chapters and openings, and lead to each page', async () => {
    await open('view/songs/p009.png?pages=2');
    await page.keyboard.press('Shift+G');
    const gallery = page.getByRole('region', { name: 'All pages' });
    await gallery.locator('a[aria-current]').first().waitFor();
    expect(await gallery.locator('a[aria-current]').count()).toBe(2);
    await gallery.getByText('p008 – p009').waitFor();
    await gallery.getByText('Songs › Song 1', { exact: true }).waitFor();
    await expect.poll(layoutNow).toBe('gallery');
    expect(await accessibilityViolations(page)).toEqual([]);
    await gallery.getByRole('link', { name: 'Page 11:' }).click();
    await expect.poll(pathNow).toBe('/view/songs/p011.png');
    expect(layoutNow()).toBeNull();
    await page.locator('.zoom-bar').waitFor();
    await page.goBack();
    await gallery.waitFor();
    await page.keyboard.press('Shift+G');
    await expect.poll(layoutNow).toBeNull();
  });

  it('are gone through by arrow keys', async () => {
    await open('view/plain/p001.png');
    await page.keyboard.press('Shift+G');
    const open1 = page.getByRole('region', { name: 'All pages' }).getByRole('link', { name: 'Page 1:' });
    await open1.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect.poll(pathNow).toBe('/view/plain/p003.png');
  });
});

describe('pages one below the other', () => {
  const column = () => page.getByRole('region', { name: 'Scroll through the pages' });

  it('open the page in the middle while they are scrolled, without an entry in the history', async () => {
    await open('view/songs/p005.png?pages=1');
    const entries = await page.evaluate(() => history.length);
    await page.keyboard.press('Shift+S');
    await column().locator('a[aria-current]').waitFor();
    await expect.poll(layoutNow).toBe('scroll');
    expect(await column().getByRole('link').count()).toBeLessThan(8);
    const top = await column().evaluate((element) => element.scrollTop);
    await column().evaluate((element) => element.scrollBy(0, element.scrollHeight / 4));
    await expect.poll(() => column().evaluate((element) => element.scrollTop)).toBeGreaterThan(top + 1000);
    await expect.poll(pathNow).toBe('/view/songs/p015.png');
    expect(await page.evaluate(() => history.length)).toBe(entries);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('follow the keys for pages and for zooming, and one opens by a click', async () => {
    await open('view/songs/p005.png?pages=1&layout=scroll');
    await column().locator('a[aria-current]').waitFor();
    await page.keyboard.press('PageDown');
    await expect.poll(pathNow).toBe('/view/songs/p006.png');
    await expect.poll(() => column().locator('a[aria-current]').getAttribute('aria-label')).toMatch(/^Page 6/);
    const widthOf = async (): Promise<number> => (await column().locator('a[aria-current]').boundingBox())?.width ?? 0;
    const before = await widthOf();
    await page.keyboard.press('-');
    await expect.poll(widthOf).toBeLessThan(before * 0.9);
    await page.keyboard.press('Shift+N');
    await expect.poll(pathNow).toBe('/view/songs/p009.png');
    await column().locator('a[aria-current]').click();
    await page.getByRole('application').waitFor();
    expect(layoutNow()).toBeNull();
  });
});
