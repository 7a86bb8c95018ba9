// @module-tag chromium
/** Unreadable images, busy servers, late responses, and tokens in addresses. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page, Route } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { openBrowser, pauseIn, type TestBrowser } from './browser.ts';
import { stagePixels, waitUntilSettled } from './stage-pixels.ts';

const colors = ['#ff0000', '#00ff00', '#0000ff', '#ffff00', '#00ffff'] as const;

let folder: string;
let app: RunningApp;
let browser: TestBrowser;

const plain = (color: string): Promise<Buffer> =>
  sharp({ create: { width: 900, height: 600, channels: 3, background: color } })
    .png()
    .toBuffer();

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'lectern-trouble-'));
  mkdirSync(path.join(folder, 'book'));
  for (const [index, color] of colors.entries()) {
    writeFileSync(path.join(folder, 'book', `p${index + 1}.png`), await plain(color));
  }
  writeFileSync(path.join(folder, 'book', 'p3.png'), 'no picture at all');
  app = await startApp({ library: { folders: [folder] }, access: { tokenCookie: 'library_login' } });
  browser = await openBrowser();
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(address: string, prepare?: (page: Page) => Promise<unknown>): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1000, height: 700 }, locale: 'en' });
  await prepare?.(page);
  await page.goto(`${app.url}/${address}`);
  return page;
}

/** The color in the middle of the stage, approximately, since tiles are JPEG. */
async function middle(page: Page): Promise<readonly number[]> {
  const pixels = await stagePixels(page);
  const seen = pixels.at(pixels.width / 2, pixels.height / 2).slice(0, 3);
  return seen.map((value) => (Math.abs(value - 255) < 4 ? 255 : value < 4 ? 0 : value));
}

describe('an image that can’t be read', () => {
  it('shows a message, and page turning continues past it in both directions', async () => {
    const page = await open('view/book/p2.png');
    await waitUntilSettled(page);
    await page.keyboard.press('PageDown');
    await page.getByRole('heading', { name: 'This image can’t be read' }).waitFor();
    expect(await page.title()).toBe('p3 – book – Lectern');
    expect(await page.locator('.filmstrip [aria-current]').getAttribute('aria-label')).toBe('Page 3: p3');
    await page.keyboard.press('PageDown');
    await expect.poll(() => middle(page)).toEqual([255, 255, 0]);
    expect(new URL(page.url()).pathname).toBe('/view/book/p4.png');
    await page.keyboard.press('PageUp');
    await page.getByRole('heading', { name: 'This image can’t be read' }).waitFor();
    await page.getByRole('button', { name: 'Previous page' }).click();
    await expect.poll(() => middle(page)).toEqual([0, 255, 0]);
    await page.close();
  });

  it('is shown with the requested view when it becomes readable', async () => {
    const file = path.join(folder, 'book', 'p3.png');
    const page = await open('view/book/p3.png?rot=90');
    await page.getByRole('heading', { name: 'This image can’t be read' }).waitFor();
    writeFileSync(file, await plain('#0000ff'));
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => middle(page)).toEqual([0, 0, 255]);
    expect(new URL(page.url()).search).toBe('?rot=90');
    writeFileSync(file, 'no picture at all');
    await page.close();
  });
});

describe('tiles that fail', () => {
  it('are reported with the reason, and are shown after a retry', { tags: 'exhaustive' }, async () => {
    let isBusy = true;
    const answer = (route: Route): Promise<void> =>
      isBusy ? route.fulfill({ status: 503, body: 'busy' }) : route.continue();
    const page = await open('view/book/p1.png', (opened) => opened.route('**/iiif/3/**/default.*', answer));
    await page.getByText('Parts of the image did not come.').waitFor();
    await page.route('**/iiif/3/**/info.json', answer);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The server is busy').first().waitFor();
    isBusy = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => middle(page)).toEqual([255, 0, 0]);
    expect(await page.getByText('Parts of the image did not come.').count()).toBe(0);
    await page.close();
  });
});

describe('tiles that fail while they are loaded in advance', () => {
  it('are requested again when their page is turned to', { tags: 'exhaustive' }, async () => {
    let failed = 0;
    const isNext = /p2\.png\/.*default\.jpg(?:\?|$)/;
    const page = await open('view/book/p1.png', (created) =>
      created.route(isNext, (route) => {
        failed += 1;
        return route.fulfill({ status: 503, body: 'busy' });
      }),
    );
    await waitUntilSettled(page);
    // Each tile is tried three times, 1.5 s apart.
    const isOver = async (): Promise<boolean> => {
      const before = failed;
      await pauseIn(page, 2500);
      return before > 2 && failed === before;
    };
    await expect.poll(isOver, { timeout: 30_000 }).toBe(true);
    await page.unroute(isNext);
    await page.keyboard.press('PageDown');
    await expect.poll(() => middle(page), { timeout: 15_000 }).toEqual([0, 255, 0]);
    // The color is that of the tiles, and not of the thumbnail in their place.
    await page.waitForFunction(() => document.querySelector('.placeholder') === null);
    expect(await middle(page)).toEqual([0, 255, 0]);
    await page.close();
  });
});

describe('a late image', () => {
  it('does not replace the one to which the reader has returned', { tags: 'exhaustive' }, async () => {
    const held: (() => void)[] = [];
    const page = await open('view/book/p4.png', (opened) =>
      opened.route('**/book!p5.png/info.json', async (route) => {
        await new Promise<void>((resolve) => held.push(resolve));
        await route.continue();
      }),
    );
    await waitUntilSettled(page);
    await page.keyboard.press('PageDown');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/view/book/p5.png');
    await page.keyboard.press('PageUp');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/view/book/p4.png');
    for (const release of held) release();
    await pauseIn(page, 800);
    expect(await middle(page)).toEqual([255, 255, 0]);
    await page.close();
  });
});

describe('the token of a login', () => {
  it.each([
    ['in the fragment', 'browse/book#id_token=a.b.c&state=1', 'browse/book'],
    ['in the query of a folder', 'browse/book?id_token=a.b.c&q=p2', 'browse/book?q=p2'],
    ['in the query of an image', 'view/book/p2.png?rot=90&ID_TOKEN=x&id_token=a.b.c', 'view/book/p2.png?rot=90'],
    ['in an address of nothing', 'view/nothing?id_token=a.b.c', 'view/nothing'],
  ])('becomes a cookie and is removed from the address: %s', async (_, address, rest) => {
    const page = await open(address);
    await expect.poll(() => page.url()).toBe(`${app.url}/${rest}`);
    const cookies = await page.context().cookies();
    expect(cookies.map(({ name, value, path: below }) => [name, value, below])).toEqual([
      ['library_login', 'a.b.c', '/'],
    ]);
    await page.close();
  });
});
