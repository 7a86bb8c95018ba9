/** An app with pictures that show each operation, and pages of the viewer in a browser, for the tests of a file. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { gradient, manyColors } from './gradients.ts';
import { type ReusedPages, reusePages } from './reused-pages.ts';
import { waitUntilSharp } from './stage-pixels.ts';

/** The name of a page of the book, from 1 to 12. */
export const pageName = (page: number): string => `p${String(page).padStart(3, '0')}.png`;

export interface OpenOptions {
  /** The window in CSS pixels. */
  readonly size?: { readonly width: number; readonly height: number };
  /** For a page of another browser, which is prepared before it loads anything. */
  readonly fresh?: { readonly browser: TestBrowser; readonly prepare: (page: Page) => Promise<unknown> };
}

export interface ViewerPages {
  readonly browser: () => TestBrowser;
  /** The app's address with its context path and a trailing slash. */
  readonly url: () => string;
  /** Requests an address below the base. */
  readonly get: RunningApp['get'];
  /**
   * Opens an address below the base, and ends the use of the page that was opened before; tiles are lossless, so that
   * differences are caused by the viewer.
   */
  open(address: string, options?: OpenOptions): Promise<Page>;
}

async function fill(folder: string): Promise<void> {
  mkdirSync(path.join(folder, 'book'));
  await gradient(1200, 900).png().toFile(path.join(folder, 'wide.png'));
  await manyColors(360, 270).png().toFile(path.join(folder, 'colors.png'));
  await gradient(600, 400).withMetadata({ density: 150 }).png().toFile(path.join(folder, 'dense.png'));
  for (let page = 1; page <= 12; page++) {
    await gradient(600 + page, 800)
      .png()
      .toFile(path.join(folder, 'book', pageName(page)));
  }
}

/** Starts the app and the browser for the tests of a file, below the context path `/digilib`. */
export function setUpViewer(): ViewerPages {
  let folder: string;
  let app: RunningApp;
  let browser: TestBrowser;
  let pages: ReusedPages;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'lectern-viewer-'));
    await fill(folder);
    app = await startApp({ library: { folders: [folder] }, http: { contextPath: '/digilib' } });
    // Not by routes of the page: with any, Chromium caches nothing, and a load takes twice the processor time.
    app.rewrite((target) => target.replace(/(\/iiif\/3\/.*\/default\.)jpg(?=\?|$)/, '$1png'));
    browser = await openBrowser();
    pages = reusePages(browser);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    browser: () => browser,
    url: () => `${app.url}/digilib/`,
    get: (address, options) => app.get(`/digilib${address}`, options),
    async open(address, { size = { width: 1000, height: 700 }, fresh } = {}) {
      const page = fresh ? await fresh.browser.newPage({ viewport: size }) : await pages.open({ viewport: size });
      await fresh?.prepare(page);
      await page.goto(`${app.url}/digilib/${address}`);
      await waitUntilSharp(page);
      return page;
    },
  };
}
