// @module-tag chromium
/** A page of another site requests a folder and its images like digilib's client, and shows them. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser, problemsOf, serveFiles, type TestBrowser } from './browser.ts';
import { type DigilibClientApp, startDigilibClientApp } from './digilib-client-app.ts';

declare global {
  interface Window {
    finished: Promise<string>;
  }
}

const html = readFileSync(new URL('../fixtures/digilib-client/folder.html', import.meta.url));

let client: DigilibClientApp;
let browser: TestBrowser;
let site: Awaited<ReturnType<typeof serveFiles>>;
beforeAll(async () => {
  client = await startDigilibClientApp();
  site = await serveFiles({ '/folder': { type: 'text/html; charset=utf-8', body: html } });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  site?.close();
  await client?.close();
});

const addressOf = (folder: string): string => `${site.url}/folder?base=${client.app.url}/digilib&fn=${folder}`;

it('shows the images of a folder with their names and sizes', async () => {
  const page = await browser.newPage();
  const problems = problemsOf(page);
  await page.goto(addressOf('books/atlas'));
  expect(await page.evaluate(() => window.finished)).toBe('shown');
  expect(await page.textContent('h1')).toBe('books/atlas: 3');
  const items = await page.evaluate(() =>
    [...document.querySelectorAll('li')].map((item) => {
      const image = item.querySelector('img');
      return `${item.textContent?.trim()} as ${image?.naturalWidth}x${image?.naturalHeight}`;
    }),
  );
  expect(items).toEqual([
    'page1.png, 400 × 300 as 133x100',
    'page2.jpg, 300 × 400 as 75x100',
    'page3.tif, 400 × 300 as 133x100',
  ]);
  expect(problems).toEqual([]);
  await page.close();
});

it('gets digilib’s responses for a folder, an image, and a missing image', async () => {
  const page = await browser.newPage();
  await page.goto(addressOf('books/atlas'));
  const ask = (call: string): Promise<unknown> =>
    page.evaluate(async (address) => (await fetch(address)).json(), `${client.app.url}/digilib/api/${call}`);
  expect(await ask('dirInfo-json.jsp?fn=books/atlas')).toEqual({
    url_path: 'books/atlas',
    count: '3',
    files: [
      { index: 1, fn: 'page1', file: 'page1.png' },
      { index: 2, fn: 'page2', file: 'page2.jpg' },
      { index: 3, fn: 'page3', file: 'page3.tif' },
    ],
  });
  expect(await ask('dirInfo-json.jsp?fn=books/atlas&mo=dir')).toEqual({
    url_path: 'books/atlas',
    count: '3',
    files: [],
  });
  expect(await ask('dirInfo-json.jsp?fn=nowhere')).toEqual({});
  expect(await ask('ImgInfo-json.jsp?fn=books/atlas/page1')).toEqual({
    filename: 'page1.png',
    aspect: expect.closeTo(4 / 3, 5),
    dpi_x: expect.closeTo(200, 1),
    dpi_y: expect.closeTo(200, 1),
    width: 400,
    height: 300,
  });
  expect(await ask('ImgInfo-json.jsp?fn=books/atlas/page9')).toEqual({});
  await page.close();
});
