/** Starts a server and a browser for the tests of a file; a test fails if its page has errors. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { openBrowser, problemsOf, type TestBrowser } from './browser.ts';
import { type ReusedPages, reusePages } from './reused-pages.ts';

/** A running server. */
interface RunningServer {
  /** With a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** Without animations, which have tests of their own. */
const withoutMotion = { reducedMotion: 'reduce' } as const;

export interface BrowserPages {
  /** The server's address. */
  url(): string;
  /** Opens an address below the server's, in a page without stored values. */
  open(address: string, options?: BrowserContextOptions): Promise<Page>;
}

export function setUpBrowser(start: () => Promise<RunningServer>): BrowserPages {
  let browser: TestBrowser;
  let server: RunningServer;
  let pages: ReusedPages;
  let problems: readonly string[] = [];
  beforeAll(async () => {
    server = await start();
    browser = await openBrowser();
    pages = reusePages(browser);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });
  afterEach(async () => {
    await pages.release();
    expect(problems).toEqual([]);
  });
  return {
    url: () => server.url,
    async open(address, options = {}) {
      const page = await pages.open({
        viewport: { width: 1280, height: 860 },
        locale: 'en',
        ...withoutMotion,
        ...options,
      });
      // Without scripts, Chromium reports each script as blocked.
      problems = options.javaScriptEnabled === false ? [] : problemsOf(page);
      await page.goto(server.url + address);
      return page;
    },
  };
}
