/** Somebody who reads in the library of the shelf: opens its pages, and looks at what is there. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type BrowseLibrary, startBrowseLibrary } from './browse-library.ts';
import { openBrowser, problemsOf } from './browser.ts';

export interface BrowsePages {
  /** The page that was opened last. */
  readonly page: Page;
  /** What went wrong on it. */
  readonly problems: readonly string[];
  /** The address of the library, with a slash at its end. */
  readonly url: string;
  /** Opens an address below the library's and waits until it is there. */
  open(address: string, options?: BrowserContextOptions): Promise<void>;
  /** Waits for all pictures that are seen, and gives their widths. */
  pictureWidths(): Promise<readonly number[]>;
  /** The texts of all elements that a selector finds. */
  texts(selector: string): Promise<readonly string[]>;
  /** Where the page is, below the library. */
  pathHere(): string;
}

async function widthsOfSeen(page: Page): Promise<readonly number[]> {
  await page.waitForFunction(() =>
    [...document.images].every((image) => image.complete || image.getBoundingClientRect().top > innerHeight),
  );
  return page.evaluate(() =>
    [...document.images].filter((image) => image.getBoundingClientRect().top < innerHeight).map((i) => i.naturalWidth),
  );
}

/** A reader with a library for all tests of a file; no page may ask another host for anything. */
export function setUpBrowsing(): BrowsePages {
  const opened: { browser?: Browser; shelf?: BrowseLibrary; page?: Page; problems: readonly string[] } = {
    problems: [],
  };
  const foreign: string[] = [];
  const here = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('nothing was opened yet');
    return part;
  };
  beforeAll(async () => {
    opened.shelf = await startBrowseLibrary();
    opened.browser = await openBrowser();
  });
  afterAll(async () => {
    await opened.browser?.close();
    await opened.shelf?.close();
  });
  afterEach(async () => {
    await opened.page?.close();
    expect(foreign.splice(0), 'requests to other hosts').toEqual([]);
  });
  const urlHere = (): string => here(opened.shelf).url;
  const open = async (address: string, options: BrowserContextOptions = {}): Promise<void> => {
    const settings = { viewport: { width: 1280, height: 860 }, locale: 'en', ...options };
    const page = await here(opened.browser).newPage(settings);
    opened.page = page;
    opened.problems = problemsOf(page);
    page.on('request', (request) => {
      const isOwn = request.url().startsWith(urlHere()) || /^(?:blob|data):/.test(request.url());
      if (!isOwn) foreign.push(request.url());
    });
    await page.goto(urlHere() + address);
    await page.locator('h1, .problem').first().waitFor();
  };
  return {
    get page() {
      return here(opened.page);
    },
    get problems() {
      return opened.problems;
    },
    get url() {
      return urlHere();
    },
    open,
    pictureWidths: () => widthsOfSeen(here(opened.page)),
    texts: (selector) => here(opened.page).locator(selector).allInnerTexts(),
    pathHere: () => here(opened.page).url().slice(urlHere().length),
  };
}
