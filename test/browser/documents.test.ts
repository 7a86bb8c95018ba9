/** PDFs from a site's own form of digilib's PDFCache, and from the reading room. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeScans } from '../protocol/scans.ts';
import { accessibilityViolations } from './accessibility.ts';
import { setUpBrowser } from './browser-pages.ts';
import { serveFrom } from './temporary-server.ts';

const form = `<!doctype html><title>PDF</title><form action="PDFCache" method="post">
<input type="hidden" name="fn" value="book"><input name="pgs" value="1-2"><input name="title" value="Kräuter & Wurzeln">
<input name="author" value="Fuchs"><button>Make it</button></form>`;

async function startLibrary() {
  const { directory } = await makeScans();
  const webapp = mkdtempSync(path.join(tmpdir(), 'lectern-form-'));
  writeFileSync(path.join(webapp, 'form.html'), form);
  return serveFrom(directory, { library: { folders: [directory] }, http: { webapp } });
}

const browser = setUpBrowser(startLibrary);

describe('a form of a site', () => {
  it('leads to its PDF, over the page that waits for it', async () => {
    const page = await browser.open('form.html');
    const statuses: number[] = [];
    page.on('response', (response) => void statuses.push(response.status()));
    const documents = page.waitForResponse(
      (response) => response.headers()['content-type'] === 'application/pdf' && response.status() === 200,
    );
    // A browser without a viewer of PDFs saves them, which ends the navigation.
    await page
      .getByRole('button', { name: 'Make it' })
      .click()
      .catch(() => undefined);
    const document = await documents;
    expect(document.url()).toMatch(/\/PDFCache\?docid=[\w-]+$/);
    expect(document.headers()['content-disposition']).toBe('inline; filename="digilib_book_pgs1-2.pdf"');
    expect(statuses[0]).toBe(302);
    expect(statuses.slice(1, -1).every((status) => status === 202)).toBe(true);
  });

  it('that is sent without pages is explained on a page, also without scripts', async () => {
    const page = await browser.open('form.html', { javaScriptEnabled: false });
    await page.locator('[name=pgs]').fill('');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('heading', { name: 'The PDF could not be made' }).waitFor();
    expect(await page.locator('main').textContent()).toContain('“pgs” must name pages');
  });
});

describe('the reading room', () => {
  it('offers the PDF of a folder', async () => {
    const page = await browser.open('browse/book');
    const address = await page.getByRole('link', { name: 'PDF' }).getAttribute('href');
    const answer = await page.request.get(address ?? '');
    expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'application/pdf']);
  });

  it('offers PDFs of the page, its chapter and all, pictures, text, and citations as files', async () => {
    const page = await browser.open('view/book/b-turned.jpg');
    await page.getByRole('button', { name: /^Cite/ }).first().click();
    const section = page.locator('.panel-section').filter({ hasText: 'To take along' });
    const addresses = await section
      .getByRole('link')
      .evaluateAll((links) =>
        links.map((link) => new URL((link as HTMLAnchorElement).href)).map(({ pathname, search }) => pathname + search),
      );
    expect(addresses.slice(0, 4)).toEqual([
      '/pdf/book.pdf?at=2&lang=en',
      '/pdf/book.pdf?at=1-2&lang=en',
      '/pdf/book.pdf?lang=en',
      '/zip/book.zip?lang=en',
    ]);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as RIS' }).click();
    expect((await saved).suggestedFilename()).toBe('b-turned.ris');
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});
