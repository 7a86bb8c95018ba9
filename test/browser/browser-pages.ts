/** A reading room and a browser for the tests of a file; each test has a context of its own, and fails where the page has problems. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { openBrowser, problemsOf } from './browser.ts';

/** A running server. */
interface RunningServer {
  /** With a slash at its end. */
  readonly url: string;
  close(): Promise<void>;
}

/** Nothing is to be seen on the way; what moves has tests of its own. */
const still = { reducedMotion: 'reduce' } as const;

export interface BrowserPages {
  /** The place's own address. */
  url(): string;
  /** Opens an address below the place's own, in a new context. */
  open(address: string, options?: BrowserContextOptions): Promise<Page>;
}

export function setUpBrowser(start: () => Promise<RunningServer>): BrowserPages {
  let browser: Browser;
  let place: RunningServer;
  let context: BrowserContext | undefined;
  let problems: readonly string[] = [];
  beforeAll(async () => {
    place = await start();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await place?.close();
  });
  afterEach(async () => {
    await context?.close();
    expect(problems).toEqual([]);
  });
  return {
    url: () => place.url,
    async open(address, options = {}) {
      context = await browser.newContext({
        viewport: { width: 1280, height: 860 },
        locale: 'en',
        ...still,
        ...options,
      });
      const page = await context.newPage();
      problems = problemsOf(page);
      await page.goto(place.url + address);
      return page;
    },
  };
}
