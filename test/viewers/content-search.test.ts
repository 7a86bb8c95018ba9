// @module-tag chromium
/** Mirador and Universal Viewer, as they are published, search the texts of a book by its manifest, and mark what they find. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, serveFiles, type TestBrowser } from '../browser/browser.ts';
import type { TemporaryServer } from '../browser/temporary-server.ts';
import { startSearchableBook } from './searchable-book.ts';
import { type Box, colorsIn, distanceOf } from './shapes.ts';
import { versionOf } from './viewer-packages.ts';
import {
  drawnBoxes,
  markCanvas,
  miradorFiles,
  screenshot,
  screenshotWithout,
  universalViewerFiles,
} from './viewer-pages.ts';

let server: TemporaryServer;
let browser: TestBrowser;
let site: Awaited<ReturnType<typeof serveFiles>>;

beforeAll(async () => {
  site = await serveFiles({ ...miradorFiles({}), ...universalViewerFiles() });
  server = await startSearchableBook();
  browser = await openBrowser('in-software');
});
afterAll(async () => {
  await browser?.close();
  site?.close();
  await server?.close();
});

async function open(viewer: 'mirador' | 'universalviewer', version: number): Promise<Page> {
  const page = await browser.newPage({ locale: 'en', viewport: { width: 1280, height: 860 } });
  const manifest = `${server.url}presentation/${version}/herbal/manifest.json`;
  await page.goto(`${site.url}/${viewer}?manifest=${encodeURIComponent(manifest)}`);
  return page;
}

/** Collects what the scripts of a page throw; what they warn of themselves is not about our answers. */
function errorsOf(page: Page): readonly string[] {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  return errors;
}

/** CSS pixels by which a box may lie beside its word. */
const tolerance = 3;

/** The machine may have other work. */
const patience = { timeout: 20_000, interval: 300 };

type Color = 'red' | 'green' | 'blue';

/** Waits until a box lies on each painted word of these colors. */
async function expectMarked(
  page: Page,
  marks: string,
  boxes: () => Promise<readonly Box[]>,
  colors: readonly Color[],
): Promise<void> {
  const distances = async (): Promise<readonly number[]> => {
    const [found, words] = [await boxes(), await colorsIn(await screenshotWithout(page, marks))];
    return colors.map((color) => Math.min(...found.map((box) => distanceOf(box, words[color]))));
  };
  await expect.poll(async () => Math.max(...(await distances())), patience).toBeLessThanOrEqual(tolerance);
}

describe(`Mirador ${versionOf('mirador')}`, () => {
  const marks = '.drawn-annotations';
  const marked = async (page: Page, colors: readonly Color[]): Promise<void> => {
    const boxes = async (): Promise<readonly Box[]> => {
      await markCanvas(page);
      return drawnBoxes(page, marks);
    };
    await expectMarked(page, marks, boxes, colors);
  };

  it.each([3, 2])('searches by the manifest of version %d', async (version) => {
    const page = await open('mirador', version);
    const errors = errorsOf(page);
    await page.getByRole('tab', { name: 'Search', exact: true }).click();
    const field = page.getByLabel('search terms');
    await field.pressSequentially('hon');
    await page.getByRole('option', { name: 'honey', exact: true }).click();
    const hits = page.locator('aside li, aside [role=button]').filter({ has: page.locator('strong') });
    await expect.poll(() => hits.count(), patience).toBe(3);
    expect(await hits.allTextContents()).toEqual([
      expect.stringMatching(/pale, and smell of\s+honey\./),
      expect.stringMatching(/Honey\s+of roses/),
      expect.stringMatching(/clarified\s+honey\s+two parts/),
    ]);
    await marked(page, ['red']);
    await screenshot(page, `search-mirador-${version}-first`);
    await page.getByRole('button', { name: 'Next result' }).click();
    await page.locator('aside span').getByText('2 of 3', { exact: true }).waitFor();
    await marked(page, ['red']);
    await screenshot(page, `search-mirador-${version}-next`);
    await page.getByRole('button', { name: 'clear', exact: true }).first().click();
    await field.fill('evening');
    await page.getByRole('button', { name: 'Submit search' }).click();
    await expect.poll(() => hits.count(), patience).toBe(1);
    await hits.first().click();
    await marked(page, ['green', 'blue']);
    await screenshot(page, `search-mirador-${version}-lines`);
    expect(errors).toEqual([]);
    await page.close();
  });
});

describe(`Universal Viewer ${versionOf('universalviewer')}`, () => {
  const marks = '.annotationRect';
  const marked = async (page: Page, colors: readonly Color[]): Promise<void> => {
    const boxes = (): Promise<readonly Box[]> =>
      page.locator(marks).evaluateAll((all) =>
        all.map((one) => {
          const { left, top, right, bottom } = one.getBoundingClientRect();
          return { left, top, right, bottom };
        }),
      );
    // The thumbnails show the words too.
    await expectMarked(page, `${marks}, .leftPanel`, boxes, colors);
  };

  it.each([3, 2])('searches by the manifest of version %d', async (version) => {
    const page = await open('universalviewer', version);
    const errors = errorsOf(page);
    const field = page.locator('#searchWithinInput');
    await field.click();
    await field.pressSequentially('hon');
    await page.locator('.autocomplete').getByText('honey', { exact: true }).click();
    const summary = page.locator('.searchResultsInfo .info');
    await expect.poll(() => summary.textContent(), patience).toMatch(/3 .*honey/);
    await marked(page, ['red']);
    await screenshot(page, `search-universalviewer-${version}-first`);
    await page.locator('.nextResult').click();
    await marked(page, ['red']);
    await screenshot(page, `search-universalviewer-${version}-next`);
    await page.locator('.clearSearch').click();
    await field.fill('evening');
    await field.press('Enter');
    await expect.poll(() => summary.textContent(), patience).toMatch(/2 .*evening/);
    // The second page is still shown.
    await page.locator('.previousResult').click();
    // It goes from line to line, so near that the other one may be out of sight.
    await marked(page, ['green']);
    await screenshot(page, `search-universalviewer-${version}-lines`);
    await page.locator('.nextResult').click();
    await marked(page, ['blue']);
    expect(errors).toEqual([]);
    await page.close();
  });
});
