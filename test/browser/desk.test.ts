// @module-tag chromium
/** The reader's desk: books to go on with, bookmarks and details, notes with their files, and the backup. */
import { readFileSync } from 'node:fs';
import type { Download, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { readZip } from '../zip-reader.ts';
import { accessibilityViolations } from './accessibility.ts';
import { waitUntilSettled } from './stage-pixels.ts';
import { pageName, setUpViewer } from './viewer-pages.ts';

const viewer = setUpViewer();

const pathOf = (page: Page): string => new URL(page.url()).pathname.replace('/digilib/', '');

/** Goes from the page of an image to another, in the same browser. */
async function goTo(page: Page, address: string): Promise<void> {
  await page.goto(viewer.url() + address);
  if (address.startsWith('view/')) await waitUntilSettled(page);
  else await page.locator('h1').waitFor();
}

async function openDesk(page: Page, query = ''): Promise<void> {
  await goTo(page, `desk${query}`);
}

const section = (page: Page, name: string) => page.getByRole('region', { name });

async function saved(page: Page, name: string): Promise<Download> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name, exact: true }).click(),
  ]);
  return download;
}

describe('the desk', () => {
  it('has the books that were open, at the page where they were left', async () => {
    const page = await viewer.open(`view/book/${pageName(3)}`);
    await page.keyboard.press('PageDown');
    await expect.poll(() => pathOf(page)).toBe(`view/book/${pageName(4)}`);
    await goTo(page, 'view/wide.png');
    await page.goto(viewer.url());
    await page.getByRole('link', { name: 'My desk' }).click();
    await expect.poll(() => pathOf(page)).toBe('desk');
    const books = section(page, 'Continue reading');
    await books.getByText('Page 4 of 12: p004').waitFor();
    expect(await books.getByRole('link').count()).toBe(2);
    expect(await accessibilityViolations(page)).toEqual([]);
    await books.getByRole('link', { name: /book/ }).click();
    await expect.poll(() => pathOf(page)).toBe(`view/book/${pageName(4)}`);
    await openDesk(page);
    await page.getByRole('button', { name: 'Forget book' }).click();
    await expect.poll(() => books.getByRole('link').count()).toBe(1);
    await page.getByLabel('Remember the books that I open').uncheck();
    await page.getByRole('button', { name: 'Forget all of these' }).click();
    await goTo(page, 'view/wide.png');
    await openDesk(page);
    await books.getByText('Books that you open appear here').waitFor();
  });

  it('keeps pages and details in collections', async () => {
    const page = await viewer.open(`view/book/${pageName(3)}`);
    const keep = page.getByRole('button', { name: 'Keep on my desk' });
    await keep.click();
    await expect.poll(() => keep.getAttribute('aria-pressed')).toBe('true');
    await goTo(page, `view/book/${pageName(5)}?wx=0.25&wy=0.25&ww=0.5&wh=0.5&rot=90`);
    expect(await keep.getAttribute('aria-pressed')).toBe('false');
    await page.keyboard.press('Shift+D');
    await expect.poll(() => keep.getAttribute('aria-pressed')).toBe('true');
    await openDesk(page);
    const kept = section(page, 'Bookmarks and details');
    await page.getByLabel('Collection of book, p005').fill('Initials');
    await page.getByLabel('Note on book, p005').fill('Like that of 1r');
    await page.keyboard.press('Tab');
    await kept.getByRole('heading', { name: 'Initials' }).waitFor();
    await page.reload();
    await kept.getByRole('heading', { name: 'In no collection' }).waitFor();
    expect(await page.getByLabel('Note on book, p005').inputValue()).toBe('Like that of 1r');
    expect(await accessibilityViolations(page)).toEqual([]);
    await kept.getByRole('link', { name: 'book, p005' }).click();
    await expect.poll(() => pathOf(page)).toBe(`view/book/${pageName(5)}`);
    expect(new URL(page.url()).search).toBe('?wx=0.25&wy=0.25&ww=0.5&wh=0.5&rot=90');
    await openDesk(page);
    await page.getByRole('button', { name: 'Remove book, p003' }).click();
    await expect.poll(() => kept.locator('.desk-card').count()).toBe(1);
  });

  /** Writes notes on two pages, as the reader would. */
  async function withNotes(): Promise<Page> {
    const page = await viewer.open(
      `view/book/${pageName(2)}?mk=0.5/0.5&mkt=A%20crossed%20line&rg=0.1/0.1/0.4/0.2&rgt=Initial`,
    );
    const adopt = async (): Promise<void> => {
      await page.keyboard.press('m');
      await page.getByRole('button', { name: 'Add them to mine' }).click();
      await page.locator('.visiting').waitFor({ state: 'detached' });
    };
    await adopt();
    await goTo(page, 'view/wide.png?rg=0.2/0.2/0.3/0.3&rgt=The%20sea');
    await adopt();
    return page;
  }

  it('lists the notes of all books, with a search, and saves them', async () => {
    const page = await withNotes();
    await openDesk(page);
    const notes = section(page, 'Notes');
    await notes.getByText('3 of 3 notes').waitFor();
    await page.getByLabel('Search the notes').fill('initial');
    await notes.getByText('1 of 3 notes').waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('initial');
    await page.getByLabel('Search the notes').fill('');
    await page.getByLabel('Book', { exact: true }).selectOption({ label: 'book' });
    await notes.getByText('2 of 3 notes').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    const annotations = JSON.parse(readFileSync(await (await saved(page, 'Annotations (W3C)')).path(), 'utf8'));
    expect(annotations.type).toBe('AnnotationPage');
    expect(annotations.items).toHaveLength(2);
    expect(annotations.items[1].target.source.id).toMatch(/presentation\/3\/book\/canvas\/p002-png$/);
    expect(annotations.items[1].target.selector[0].value).toBe('xywh=60.2,80,240.8,160');
    const table = readFileSync(await (await saved(page, 'Table (CSV)')).path(), 'utf8');
    expect(table.split('\r\n')[2]).toBe('book,p002,book/p002.png,region,1,Initial,,,60.2,80,240.8,160');
    const word = await readZip(readFileSync(await (await saved(page, 'Word, with pictures')).path()));
    expect(word.get('word/document.xml')?.toString()).toContain('A crossed line');
    const pictures = [...word.keys()].filter((name) => name.startsWith('word/media/'));
    expect(pictures).toHaveLength(2);
    expect(word.get(pictures[0] ?? '')?.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
  });

  it('is saved as a file, and restored from it in another browser', async () => {
    const page = await withNotes();
    await page.getByRole('button', { name: 'Keep on my desk' }).click();
    await openDesk(page);
    const file = await (await saved(page, 'Save all as a file')).path();
    const backup = readFileSync(file);
    await page.evaluate(() => localStorage.clear());
    await openDesk(page);
    await section(page, 'Notes').getByText('There are no notes yet').waitFor();
    const restore = (name: string, buffer: Buffer): Promise<void> =>
      page.getByLabel('Restore from a file').last().setInputFiles({ name, mimeType: 'application/json', buffer });
    await restore('other.json', Buffer.from('{"type":"other"}'));
    await page.getByText('This is no backup of a desk.').waitFor();
    await restore('desk.json', backup);
    await page.getByText('What was in the file is here now.').waitFor();
    await section(page, 'Notes').getByText('3 of 3 notes').waitFor();
    expect(await section(page, 'Bookmarks and details').locator('.desk-card').count()).toBe(1);
  });
});
