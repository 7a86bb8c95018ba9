// @module-tag chromium
/** PDFs from a site's own form of digilib's PDFCache, and from the reading room. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeScans } from '../protocol/scans.ts';
import { accessibilityViolations } from './accessibility.ts';
import { setUpBrowser } from './browser-pages.ts';
import { serveFrom } from './temporary-server.ts';

const formOf = (folder: string): string => `<!doctype html><title>PDF</title><form action="PDFCache" method="post">
<input type="hidden" name="fn" value="${folder}"><input name="pgs" value="1-2"><input name="title" value="Kräuter & Wurzeln">
<input name="author" value="Fuchs"><button>Make it</button></form>`;

/** Of a reader in a reading room of the library. */
const staff = { 'x-forwarded-for': '10.9.9.9' };

async function startLibrary() {
  const { directory } = await makeScans();
  const webapp = mkdtempSync(path.join(tmpdir(), 'lectern-form-'));
  writeFileSync(path.join(webapp, 'form.html'), formOf('book'));
  writeFileSync(path.join(webapp, 'closed-form.html'), formOf('secret'));
  return serveFrom(directory, {
    library: { folders: [directory] },
    http: { webapp, trustedProxies: ['127.0.0.1'] },
    access: { paths: [{ path: 'secret', roles: ['staff'] }], addresses: [{ address: '10.9.9.9', roles: ['staff'] }] },
  });
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

describe('a form of a site for a closed folder', () => {
  /** The first PDF that a page receives after its form was sent. */
  async function documentOf(page: Awaited<ReturnType<typeof browser.open>>) {
    const received = page.waitForResponse(
      (response) => response.headers()['content-type'] === 'application/pdf' && response.status() === 200,
    );
    await page
      .getByRole('button', { name: 'Make it' })
      .click()
      .catch(() => undefined);
    return received;
  }

  it('leads to its PDF for who may see it; all others read that they may not, by the form and by the address of the PDF', {
    tags: 'exhaustive',
  }, async () => {
    const reader = await browser.open('closed-form.html', { extraHTTPHeaders: staff });
    const address = (await documentOf(reader)).url();
    const asJson = { accept: 'application/json' };
    expect(await (await reader.request.get(address, { headers: asJson })).json()).toMatchObject({ status: 'DONE' });
    // With scripts, the status of the answer would count as a fault of the page.
    const stranger = await browser.open('closed-form.html', { javaScriptEnabled: false });
    await stranger.getByRole('button', { name: 'Make it' }).click();
    await stranger.getByRole('heading', { name: 'The PDF could not be made' }).waitFor();
    expect(await stranger.locator('main').textContent()).toContain('You may not see');
    const answer = await stranger.goto(address);
    expect([answer?.status(), answer?.headers()['content-type']]).toEqual([401, 'text/html; charset=utf-8']);
    await stranger.getByRole('heading', { name: 'The PDF could not be made' }).waitFor();
    const { status } = await (await stranger.request.get(address, { headers: asJson })).json();
    expect(status).toBe('ERROR');
  });
});

describe('the reading room', () => {
  it('offers the PDF of a folder', async () => {
    const page = await browser.open('browse/book');
    const address = await page.getByRole('link', { name: 'PDF' }).getAttribute('href');
    const answer = await page.request.get(address ?? '');
    expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'application/pdf']);
  });

  it('offers PDFs of the page, its chapter and all, pictures, text, and citations as files', {
    tags: 'exhaustive',
  }, async () => {
    const page = await browser.open('view/book/b-turned.jpg');
    await page.getByRole('button', { name: /^Cite/ }).first().click();
    await page.getByRole('tab', { name: 'Download' }).click();
    const section = page.locator('.panel-section').filter({ hasText: 'To take along' });
    const addresses = () =>
      section
        .getByRole('link')
        .evaluateAll((links) =>
          links
            .map((link) => new URL((link as HTMLAnchorElement).href))
            .map(({ pathname, search }) => pathname + search),
        );
    // The chapter comes with the folder's metadata.
    await expect
      .poll(async () => (await addresses()).slice(0, 4))
      .toEqual([
        '/pdf/book.pdf?at=2&lang=en',
        '/pdf/book.pdf?at=1-2&lang=en',
        '/pdf/book.pdf?lang=en',
        '/zip/book.zip?lang=en',
      ]);
    await page.getByRole('tab', { name: 'Cite' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as RIS' }).click();
    expect((await saved).suggestedFilename()).toBe('b-turned.ris');
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});

describe('a PDF of the reading room', () => {
  const card = '.pdf-progress';

  it('that is made at once is opened at once, in a tab of its own', async () => {
    const page = await browser.open('browse/book');
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'PDF' }).click();
    const tab = await opened;
    await expect.poll(() => page.locator(card).count()).toBe(0);
    await tab.close();
  });

  it('shows how many pages are made, and then where it is', { tags: 'exhaustive' }, async () => {
    const page = await browser.open('view/book/b-turned.jpg');
    // As where the browser lets no page open a tab so long after the click.
    await page.evaluate(() => {
      window.open = () => null;
    });
    const answers = [
      { state: 'making', pages: 0 },
      { state: 'making', pages: 2 },
    ];
    const asked: string[] = [];
    await page.route('**/api/pdf.json*', async (route) => {
      asked.push(new URL(route.request().url()).search);
      const next = answers.shift();
      await (next === undefined ? route.continue() : route.fulfill({ json: { ...next, of: 5, bytes: 1 } }));
    });
    await page.getByRole('button', { name: /^Cite/ }).first().click();
    await page.getByRole('tab', { name: 'Download' }).click();
    await page.getByRole('link', { name: 'PDF of all pages' }).click();
    await page.getByText('Preparing …').waitFor();
    await page.getByText('2 of 5 pages').waitFor();
    expect(await page.getByRole('progressbar', { name: 'PDF of all pages' }).getAttribute('value')).toBe('2');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByText('The PDF is ready.').waitFor();
    expect(asked[0]).toBe('?fn=book&lang=en&make=1');
    const address = await page.locator(card).getByRole('link', { name: 'Open' }).getAttribute('href');
    const answer = await page.request.get(address ?? '');
    expect([answer.headers()['content-type'], answer.headers()['etag'] !== undefined]).toEqual([
      'application/pdf',
      true,
    ]);
    const saved = page.waitForEvent('download');
    await page.locator(card).getByRole('link', { name: 'Save' }).click();
    expect((await saved).suggestedFilename()).toBe('book.pdf');
    await expect.poll(() => page.locator(card).count()).toBe(0);
  });

  it('is asked for no longer when it is canceled', { tags: 'exhaustive' }, async () => {
    const page = await browser.open('browse/book');
    let asked = 0;
    await page.route('**/api/pdf.json*', async (route) => {
      asked++;
      await route.fulfill({ json: { state: 'making', pages: 1, of: 5, bytes: 1 } });
    });
    await page.getByRole('link', { name: 'PDF' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => page.locator(card).count()).toBe(0);
    const before = asked;
    await page.waitForTimeout(1600);
    expect(asked).toBe(before);
  });

  it('that can’t be made is told, and can be tried again', { tags: 'exhaustive' }, async () => {
    const page = await browser.open('browse/book');
    await page.route('**/api/pdf.json*', (route) =>
      route.fulfill({ json: { state: 'failed', pages: 0, of: 5, bytes: 0, message: 'Too long.' } }),
    );
    await page.getByRole('link', { name: 'PDF' }).click();
    await page.getByText('The PDF could not be made.').waitFor();
    await page.unroute('**/api/pdf.json*');
    const opened = page.context().waitForEvent('page');
    await page.getByRole('button', { name: 'Try again' }).click();
    await (await opened).close();
  });

  it('and an archive have the images that are selected on the light table', async () => {
    const page = await browser.open('browse/book?layout=table');
    await page.getByRole('option').nth(0).click();
    await page
      .getByRole('option')
      .nth(2)
      .click({ modifiers: ['Control'] });
    const bar = page.locator('.selection-bar');
    const pdf = await bar.getByRole('link', { name: 'PDF' }).getAttribute('href');
    expect(pdf).toMatch(/\/pdf\/book\.pdf\?at=1,3&lang=en$/);
    const zip = bar.getByRole('link', { name: 'Pictures (ZIP)' });
    expect(await zip.getAttribute('href')).toMatch(/\/zip\/book\.zip\?at=1,3&lang=en$/);
    const saved = page.waitForEvent('download');
    await zip.click();
    expect((await saved).suggestedFilename()).toBe('book 1,3.zip');
    const document = await page.request.get(pdf ?? '');
    expect([document.status(), document.headers()['content-type']]).toEqual([200, 'application/pdf']);
  });
});
