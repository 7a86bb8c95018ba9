/** Opens pages of the library for tests of browsing, and reads their texts and pictures. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { startBrowseLibrary } from './browse-library.ts';
import { openBrowser, problemsOf, type TestBrowser } from './browser.ts';
import { type ReusedPages, reusePages } from './reused-pages.ts';
import type { TemporaryServer } from './temporary-server.ts';

export interface BrowsePages {
  /** The page that was opened last. */
  readonly page: Page;
  /** Errors of its scripts and requests. */
  readonly problems: readonly string[];
  /** The address of the library, with a trailing slash. */
  readonly url: string;
  /** Opens an address below the library's and waits for its heading. */
  open(address: string, options?: BrowserContextOptions): Promise<void>;
  /** Waits for all visible pictures; resolves to their widths. */
  pictureWidths(): Promise<readonly number[]>;
  /** The texts of all elements that match a selector. */
  texts(selector: string): Promise<readonly string[]>;
  /** The page's address, relative to the library's. */
  currentPath(): string;
}

async function widthsOfVisible(page: Page): Promise<readonly number[]> {
  await page.waitForFunction(() =>
    [...document.images].every((image) => image.complete || image.getBoundingClientRect().top > innerHeight),
  );
  return page.evaluate(() =>
    [...document.images].filter((image) => image.getBoundingClientRect().top < innerHeight).map((i) => i.naturalWidth),
  );
}

/** Serves the library for the tests of a file, and opens a browser; fails tests whose pages request anything of other hosts. */
export function setUpBrowsing(): BrowsePages {
  const opened: {
    browser?: TestBrowser;
    library?: TemporaryServer;
    pages?: ReusedPages;
    page?: Page;
    problems: readonly string[];
  } = {
    problems: [],
  };
  const foreign: string[] = [];
  const required = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('nothing was opened yet');
    return part;
  };
  beforeAll(async () => {
    opened.library = await startBrowseLibrary();
    opened.browser = await openBrowser();
    opened.pages = reusePages(opened.browser);
  });
  afterAll(async () => {
    await opened.browser?.close();
    await opened.library?.close();
  });
  afterEach(async () => {
    await opened.pages?.release();
    expect(foreign.splice(0), 'requests to other hosts').toEqual([]);
  });
  const libraryUrl = (): string => required(opened.library).url;
  const open = async (address: string, options: BrowserContextOptions = {}): Promise<void> => {
    const settings = { viewport: { width: 1280, height: 860 }, locale: 'en', ...options };
    const page = await required(opened.pages).open(settings);
    opened.page = page;
    opened.problems = problemsOf(page);
    page.on('request', (request) => {
      const isOwn = request.url().startsWith(libraryUrl()) || /^(?:blob|data):/.test(request.url());
      if (!isOwn) foreign.push(request.url());
    });
    await page.goto(libraryUrl() + address);
    await page.locator('h1, .problem').first().waitFor();
  };
  return {
    get page() {
      return required(opened.page);
    },
    get problems() {
      return opened.problems;
    },
    get url() {
      return libraryUrl();
    },
    open,
    pictureWidths: () => widthsOfVisible(required(opened.page)),
    texts: (selector) => required(opened.page).locator(selector).allInnerTexts(),
    currentPath: () => required(opened.page).url().slice(libraryUrl().length),
  };
}
