/** Pages that tests use one after the other: a load in an open page takes a third of the time of one in a new context. */
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { TestBrowser } from './browser.ts';

/** The events of a page that tests listen to. */
const watched = ['console', 'dialog', 'download', 'pageerror', 'request', 'requestfailed', 'response'] as const;

interface Opened {
  readonly context: BrowserContext;
  readonly page: Page;
}

/** Leaves the page as a new one: without document, stored values, listeners, and what a test has set. */
async function clear({ context, page }: Opened, { viewport, ...options }: BrowserContextOptions): Promise<void> {
  await page.mouse.up();
  await page.mouse.move(-10, -10);
  const { origin } = new URL(page.url());
  await page.goto('about:blank');
  for (const event of watched) page.removeAllListeners(event);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  for (const other of context.pages()) if (other !== page) await other.close();
  await context.clearCookies();
  const devTools = await context.newCDPSession(page);
  await devTools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await devTools.detach();
  if (viewport) await page.setViewportSize(viewport);
  const { colorScheme = 'light', reducedMotion = 'no-preference', forcedColors = 'none' } = options;
  await page.emulateMedia({ media: null, colorScheme, reducedMotion, forcedColors });
}

export interface ReusedPages {
  /** A page of a context with these options, as good as new; ends the use of the page that was opened before. */
  open(options: BrowserContextOptions): Promise<Page>;
  /** Ends the use of the page that was opened last. */
  release(): Promise<void>;
}

/** What a test adds to a page by `addInitScript` or `exposeFunction` stays there: such a test needs a page of its own. */
export function reusePages(browser: TestBrowser): ReusedPages {
  const free = new Map<string, Opened>();
  let used: { readonly options: BrowserContextOptions; readonly opened: Opened } | undefined;
  async function release(): Promise<void> {
    if (used === undefined) return;
    const { options, opened } = used;
    used = undefined;
    try {
      await clear(opened, options);
      free.set(JSON.stringify(options), opened);
    } catch {
      // After a failure, for example a crash of the page, the next test gets a new one.
      await opened.context.close();
    }
  }

  return {
    release,
    async open(options) {
      await release();
      const key = JSON.stringify(options);
      const create = async (): Promise<Opened> => {
        const context = await browser.newContext(options);
        return { context, page: await context.newPage() };
      };
      const opened = free.get(key) ?? (await create());
      free.delete(key);
      used = { options, opened };
      return opened.page;
    },
  };
}
