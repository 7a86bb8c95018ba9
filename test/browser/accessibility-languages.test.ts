// @module-tag chromium
/** axe in all places of the reading room, in each language, in light and in dark colors. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { shareOf } from '../sweep.ts';
import { accessibilityViolations, colorRules } from './accessibility.ts';
import { startBrowseLibrary } from './browse-library.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { type ForeignHost, startForeignHost } from './foreign-host.ts';
import { manifest3, pages3 } from './foreign-manifests.ts';
import { type ReusedPages, reusePages } from './reused-pages.ts';
import type { TemporaryServer } from './temporary-server.ts';

let host: ForeignHost;

/** A manifest of another host whose first page has an annotation. */
function addManifest({ url, add }: ForeignHost): void {
  const canvas = `${url}/3/canvas/1`;
  const annotation = {
    type: 'Annotation',
    motivation: 'commenting',
    body: [
      { type: 'TextualBody', value: 'A dot' },
      { type: 'TextualBody', purpose: 'tagging', value: 'dot' },
    ],
    target: `${canvas}#xywh=200,500,300,300`,
  };
  const annotations = [{ id: `${canvas}/notes`, type: 'AnnotationPage', items: [annotation] }];
  const [first, ...others] = pages3(url);
  if (first === undefined) throw new Error('no pages');
  add('/3/manifest.json', manifest3(url, {}, [{ ...first, more: { annotations } }, ...others]));
}

let library: TemporaryServer;
let browser: TestBrowser;
let pages: ReusedPages;

beforeAll(async () => {
  host = await startForeignHost();
  addManifest(host);
  library = await startBrowseLibrary({
    readingRoom: { manifests: [host.url] },
    render: { truncated: 'show' },
  });
  const whole = await sharp({ create: { width: 900, height: 900, channels: 3, background: '#864' } })
    .jpeg()
    .toBuffer();
  writeFileSync(path.join(library.folder, 'torn', 'half.jpg'), whole.subarray(0, whole.length * 0.6));
  browser = await openBrowser();
  pages = reusePages(browser);
});
afterAll(async () => {
  await browser?.close();
  await library?.close();
  await host?.close();
});
afterEach(() => pages.release());

type Act = (page: Page) => Promise<unknown>;

const stands =
  (selector: string): Act =>
  (page) =>
    page.locator(selector).first().waitFor();

/** The images of a folder have come; before that, empty cards are in their place. */
const folderStands = stands('.image-card[data-path]');

/** Presses a key once the image is there, and waits for what it opens. */
const byKey =
  (key: string, selector: string): Act =>
  async (page) => {
    await page.locator('.zoom-bar').waitFor();
    await page.keyboard.press(key);
    await page.locator(selector).first().waitFor();
  };

const byClick =
  (selector: string, opened: string): Act =>
  async (page) => {
    await page.locator(selector).first().click();
    await page.locator(opened).first().waitFor();
  };

async function turnWheel(page: Page): Promise<void> {
  await page.locator('.zoom-bar').waitFor();
  // The hint is of frames only: it is shown as the wheel does.
  await page.locator('.wheel-hint').evaluate((hint) => hint.classList.add('shown'));
}

async function preparePrint(page: Page): Promise<void> {
  await page.waitForFunction(() => performance.getEntriesByName('lectern:sharp').length > 0);
  await page.emulateMedia({ media: 'print' });
  // What renders the sheet is loaded after the image.
  await page.waitForFunction(() => {
    dispatchEvent(new Event('beforeprint'));
    return document.querySelector('.print-sheet h1') !== null;
  });
}

const marked = 'view/atlas/wide.png?mk=0.3/0.3,0.6/0.6&rg=0.1/0.1/0.3/0.2';
const compared =
  'compare?1.fn=atlas/wide.png&1.mk=0.3/0.3&2.fn=atlas/plates/%C3%96lberg.png&2.mk=0.2/0.2&2.rg=0.1/0.1/0.3/0.2';
const foreign = (): string => `view?manifest=${encodeURIComponent(`${host.url}/3/manifest.json`)}`;

type Address = string | (() => string);

const places: Readonly<Record<string, readonly [address: Address, act: Act]>> = {
  'the start page': ['', stands('.folder-card')],
  'the menu': [
    '',
    async (page) => {
      await stands('.folder-card')(page);
      await byClick('.drop-down > button', '.drop-down label')(page);
    },
  ],
  'a folder': ['browse/atlas', folderStands],
  'a part of a long folder': ['browse/long?from=101', folderStands],
  'what was found': ['browse/atlas?q=a', stands('mark')],
  'what was not found': ['browse/atlas?q=xyzzy', stands('h2')],
  'a light table with a selection': ['browse/atlas?layout=table', byClick('[role=option]', '[aria-selected=true]')],
  'ways to open': ['browse/atlas', byClick('.folder-actions button', 'dialog[open]')],
  'HTML to copy': [
    'browse/atlas',
    async (page) => {
      await byClick('.folder-actions button', 'dialog[open]')(page);
      await page.getByRole('tab').nth(2).click();
    },
  ],
  'a folder that is not there': ['browse/atlas/nowhere', stands('.problem a')],
  'an image that is not there': ['view/atlas/nowhere.png', stands('.problem a')],
  'an address without a page': ['no/page/here', stands('p a')],
  'a folder with a damaged image': ['browse/torn', folderStands],
  'a damaged image': ['view/torn/torn.jpg', stands('.problem')],
  'an image of which a part is missing': ['view/torn/half.jpg', stands('.truncated-note')],
  'an image': ['view/atlas/wide.png', stands('.zoom-bar')],
  'a part of an image': ['view/atlas/wide.png?wx=0.2&ww=0.3&wh=0.3', stands('.zoom-bar')],
  'two pages': ['view/atlas/wide.png?pages=2', stands('.zoom-bar')],
  adjusting: [marked, byKey('a', '.side-panel fieldset')],
  'marks and regions': [marked, byKey('m', '.side-panel textarea')],
  'the tags and colors of a note': [
    marked,
    async (page) => {
      await byKey('m', '.side-panel textarea')(page);
      await page.locator('.side-panel textarea').first().click();
      await page.locator('.note-colors').waitFor();
    },
  ],
  measuring: [marked, byKey('d', '.tool-buttons')],
  citing: [`${marked}&rot=90&colop=INVERT`, byKey('c', '.side-panel .copy')],
  'the information about an image': [marked, byKey('i', '.side-panel dl')],
  'the keys': [marked, byKey('?', 'dialog[open]')],
  'annotations of a manifest': [foreign, byKey('o', '.side-panel input')],
  'images side by side': [compared, stands('.compare-foot .zoom-bar')],
  'an image over another one': [`${compared}&layout=slider`, stands('.edge-handle')],
  'the difference of images': [`${compared}&layout=difference`, stands('.compare-foot .zoom-bar')],
  'the difference of two of three images': [
    `${compared}&3.fn=atlas/wide.png&layout=difference`,
    stands('.compare-foot .zoom-bar'),
  ],
  'adjusting one of two images': [compared, byKey('a', '.side-panel fieldset')],
  'aligning images': [compared, byKey('p', '.align-hint')],
  'choosing an image to compare with': ['compare?1.fn=atlas/wide.png', stands('.picker-image')],
  'an embedded image': ['embed/atlas/wide.png', stands('.zoom-bar')],
  'the hint of an embedded image': ['embed/atlas/wide.png', turnWheel],
  'an embedded image with pages and zoom alone': ['embed/atlas/wide.png#toolbar=zoom', stands('.zoom-bar')],
  'an embedded image alone': ['embed/atlas/wide.png#toolbar=none', stands('.stage-image')],
  'a view on paper': [marked, preparePrint],
  'a folder on paper': [
    'browse/atlas',
    async (page) => {
      await folderStands(page);
      await page.emulateMedia({ media: 'print' });
    },
  ],
};

/** Those whose texts are written beside each other, and two whose texts are loaded: one with long words, and one with another script. */
const locales = ['en', 'de', 'fr', 'hu', 'uk'] as const;

describe.each(locales)('in %s', { tags: 'sampled' }, (locale) => {
  const index = locales.indexOf(locale);
  it.each(shareOf(Object.entries(places), index, locales.length))(
    '%s violates no rule of accessibility',
    async (_, [address, act]) => {
      const page = await pages.open({ viewport: { width: 1280, height: 860 }, locale, reducedMotion: 'reduce' });
      await page.goto(library.url + (typeof address === 'string' ? address : address()));
      await act(page);
      expect(await accessibilityViolations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await accessibilityViolations(page, colorRules)).toEqual([]);
    },
  );
});
