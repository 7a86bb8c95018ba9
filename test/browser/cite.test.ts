// @module-tag chromium
/** The panel "Cite and download" copies and saves what is seen; the panel "About" describes the image. */
import { readFileSync } from 'node:fs';
import type { BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startBrowseLibrary } from './browse-library.ts';
import { openBrowser, pauseIn, problemsOf, type TestBrowser } from './browser.ts';
import { type ReusedPages, reusePages } from './reused-pages.ts';
import { waitUntilSharp as opened, type Pixels, pixelsOf, stagePixels } from './stage-pixels.ts';
import type { TemporaryServer } from './temporary-server.ts';

let browser: TestBrowser;
let library: TemporaryServer;
let pages: ReusedPages;
let page: Page;
let problems: readonly string[];

beforeAll(async () => {
  library = await startBrowseLibrary();
  browser = await openBrowser();
  pages = reusePages(browser);
});
afterAll(async () => {
  await browser?.close();
  await library?.close();
});
afterEach(() => pages.release());

const permissions = ['clipboard-read', 'clipboard-write'];

async function open(
  address: string,
  panel: 'c' | 'i' | 'm' | 'Shift+F' | 'Shift+W',
  options: BrowserContextOptions = {},
): Promise<void> {
  page = await pages.open({ viewport: { width: 1280, height: 860 }, locale: 'en', permissions, ...options });
  page.setDefaultTimeout(15_000);
  problems = problemsOf(page);
  await page.goto(library.url + address);
  await opened(page);
  await page.keyboard.press(panel);
  await page.locator('.side-panel section').first().waitFor();
}

const showTab = (name: string): Promise<void> => page.getByRole('tab', { name, exact: true }).click();

/** The text that a button copies. */
async function copied(name: string): Promise<string> {
  await page.getByTitle(name, { exact: true }).click();
  return page.evaluate(() => navigator.clipboard.readText());
}

const rowOf = (name: string) =>
  page.locator('.copy-row').filter({ has: page.getByRole('heading', { name, exact: true }) });
const bytesAt = async (address: string): Promise<Buffer> => Buffer.from(await (await fetch(address)).arrayBuffer());

/** Points in the quarters, away from their borders. */
const inQuarters = [0.12, 0.38, 0.62, 0.88];

/** The greatest difference of a channel between the stage and a picture that is centered in it. */
function farthestInQuarters(stage: Pixels, picture: Pixels): number {
  const factor = Math.min(stage.width / picture.width, stage.height / picture.height);
  const left = (stage.width - picture.width * factor) / 2;
  const top = (stage.height - picture.height * factor) / 2;
  const differences = inQuarters.flatMap((x) =>
    inQuarters.flatMap((y) => {
      const [right, down] = [x * picture.width, y * picture.height];
      const seen = stage.at(left + right * factor, top + down * factor);
      return picture.at(right, down).map((value, channel) => Math.abs(value - (seen[channel] ?? 0)));
    }),
  );
  return Math.max(...differences);
}

/** Views with different corners. */
const views = [
  ['the whole image', 'atlas/wide.png', ''],
  ['a region', 'atlas/wide.png', '?wx=0.25&wy=0.125&ww=0.5&wh=0.75'],
  ['a rotation', 'atlas/wide.png', '?rot=90'],
  ['all at once', 'atlas/wide.png', '?wx=0.25&wy=0.125&ww=0.5&wh=0.75&rot=90&mo=hmir&colop=INVERT'],
  ['a JPEG upside down in other colors', 'atlas/tall%20page.jpg', '?wy=0.25&wh=0.5&rot=180&mo=vmir&brgt=20&cont=0.2'],
] as const;

const isIiifView = (query: string): boolean => !/colop|brgt|cont/.test(query);

describe('the panel', () => {
  it('has a tab for each purpose, which the arrow keys select', async () => {
    await open('view/atlas/wide.png', 'c');
    const names = await page.getByRole('tab').allTextContents();
    expect(names).toEqual(['Cite', 'Download', 'Embed', 'For developers']);
    await page.getByRole('tab', { name: 'Cite' }).focus();
    for (const heading of ['Picture', 'For web pages', 'IIIF']) {
      await page.keyboard.press('ArrowRight');
      await page.getByRole('tabpanel').getByRole('heading', { name: heading, exact: true }).first().waitFor();
    }
    await page.keyboard.press('ArrowRight');
    await page.locator('.citation').waitFor();
  });
});

describe('a copied address', () => {
  it.each(views)('of a picture leads to what is seen: %s', { tags: 'exhaustive' }, async (_name, path, query) => {
    await open(`view/${path}${query}`, 'c');
    await pauseIn(page, 500);
    await showTab('Download');
    await page.getByLabel('PNG').check();
    await showTab('Embed');
    const tag = await copied('Copy: A picture');
    await showTab('For developers');
    const addresses = [
      await copied('Copy: Picture by digilib’s Scaler'),
      ...(isIiifView(query) ? [await copied('Copy: Picture by IIIF')] : []),
      (/src="([^"]*)"/.exec(tag)?.[1] ?? '').replaceAll('&amp;', '&'),
    ];
    for (const address of addresses) {
      const picture = await pixelsOf(await bytesAt(address));
      expect(farthestInQuarters(await stagePixels(page), picture), address).toBeLessThanOrEqual(6);
    }
    expect(problems).toEqual([]);
  });

  it.each([
    ['wx=0.25&wy=0.125&ww=0.5&wh=0.75&rot=90&mo=hmir&cont=0.5&brgt=-53&mk=0.1/0.2,0.3/0.4&rg=0.1/0.1/0.2/0.2'],
    ['wx=0.2&wy=0.1&mo=clip'],
    ['rot=12.5&mo=q1&rgbm=0/0.5/0&rgba=10/0/-10&colop=GRAYSCALE&extra=1'],
    [''],
  ])('of a view opens the same view: %s', { tags: 'exhaustive' }, async (query) => {
    await open(`view/atlas?pn=2&${query}`, 'c');
    const address = await copied('Copy: Address of this view');
    expect(address).toBe(`${library.url}view/atlas/wide.png${query === '' ? '' : `?${query}`}`);
    await open(address.slice(library.url.length), 'c');
    expect(await copied('Copy: Address of this view')).toBe(address);
  });

  it('of a picture shows a frame around the region of the picture', async () => {
    await open('view/atlas/wide.png?wx=0.25&wy=0.125&ww=0.5&wh=0.25&rot=20', 'c');
    const path = (await page.locator('.picture-frame .dashes').getAttribute('d')) ?? '';
    const corners = [...path.matchAll(/([\d.]+) ([\d.]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
    const [first, second, third] = corners;
    if (first === undefined || second === undefined || third === undefined) throw new Error(path);
    const across = Math.hypot(second.x - first.x, second.y - first.y);
    const down = Math.hypot(third.x - second.x, third.y - second.y);
    expect(across / down).toBeCloseTo((0.5 * 400) / (0.25 * 300), 1);
    expect((Math.atan2(second.y - first.y, second.x - first.x) / Math.PI) * 180).toBeCloseTo(20, 1);
    await page.keyboard.press('c');
    await page.locator('.picture-frame').waitFor({ state: 'detached' });
  });

  it('is described, with what IIIF can’t express', { tags: 'exhaustive' }, async () => {
    await open('view/atlas/wide.png?wx=0.25&ww=0.5&rot=90&cont=0.5&mk=0.1/0.2,0.3/0.4,0.5/0.5', 'c');
    expect(await rowOf('Address of this view').locator('p').textContent()).toBe(
      'It holds: region, rotation 90°, contrast, 3 marks.',
    );
    await showTab('For developers');
    expect(await rowOf('Picture by IIIF').locator('p').textContent()).toBe(
      'IIIF has no words for: these colors, marks and regions.',
    );
  });

  it('of the manifest is valid, and the HTML for pages shows the view', async () => {
    await open('view/atlas/wide.png?rot=90', 'c');
    await showTab('For developers');
    expect((await fetch(await copied('Copy: IIIF manifest of the folder'))).status).toBe(200);
    await showTab('Embed');
    const address = `${library.url}embed/atlas/wide.png?rot=90`;
    expect(await copied('Copy: The reading room inside of a page')).toContain(
      `<iframe src="${address}" title="Frontispiece"`,
    );
    expect(await copied('Copy: The viewer as an element')).toBe(
      `<script type="module" src="${library.url}lectern-viewer.js"></script>\n<lectern-viewer src="${address}" title="Frontispiece"></lectern-viewer>`,
    );
  });

  it.each([
    'view/atlas/wide.png#id_token=top.secret',
    'view/atlas/wide.png?rot=90&id_token=top.secret&ACCESS_token=top.secret',
  ])('contains no token: %s', { tags: 'exhaustive' }, async (address) => {
    await open(address, 'c');
    const texts: (string | null)[] = [await page.locator('.citation').inputValue()];
    for (const tab of ['Cite', 'Download', 'Embed', 'For developers']) {
      await showTab(tab);
      texts.push(...(await page.locator('.copy-text').allTextContents()));
      texts.push(
        ...(await page.locator('.side-panel a').evaluateAll((all) => all.map((link) => link.getAttribute('href')))),
      );
    }
    expect(texts.length).toBeGreaterThan(12);
    for (const text of [...texts, page.url()]) expect(text).not.toMatch(/secret|_token/i);
  });

  it('is that of the main page of two', async () => {
    await open('view/atlas/wide.png?pages=2', 'c');
    expect(await page.getByText('name the main page, Frontispiece.').isVisible()).toBe(true);
    expect(await copied('Copy: Address of this view')).toBe(`${library.url}view/atlas/wide.png?pages=2`);
  });
});

describe('the citation', () => {
  it('has the folder’s title, the page, the address and the date in the reader’s language, and can be changed', async () => {
    await open('view/atlas/wide.png?rot=90', 'c', { locale: 'de' });
    const date = new Intl.DateTimeFormat('de', { dateStyle: 'long' }).format(new Date());
    const text = page.getByLabel('Text des Zitiervorschlags; ändern Sie ihn nach Belieben');
    expect(await text.inputValue()).toBe(
      `Ein Atlas, Frontispiece. ${library.url}view/atlas/wide.png?rot=90 (abgerufen am ${date})`,
    );
    await text.fill('Mein Text');
    expect(await copied('Zitiervorschlag kopieren')).toBe('Mein Text');
  });
});

describe('an address with texts', () => {
  const textOnImage = () => page.locator('.mark-handle .note-tip');

  /** Sets a mark with a text, and opens the panel for citing. */
  async function mark(text: string): Promise<void> {
    await page.getByRole('button', { name: 'Mark', exact: true }).click();
    await page.keyboard.press('Enter');
    await page.keyboard.type(text);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.locator('.tool-rail').getByRole('button', { name: 'Cite and download' }).click();
    await page.locator('.copy-row').first().waitFor();
  }

  it('shows them to others, also after a reload; without the wish, an address has none', async () => {
    await open('view/atlas/wide.png', 'm');
    await mark('here | there');
    const plain = await rowOf('Address of this view').locator('a').getAttribute('href');
    expect(plain).toContain('mk=0.5/0.5');
    expect(plain).not.toContain('mkt');
    await page.getByLabel('With the texts of marks and regions').check();
    const address = (await rowOf('Address of this view').locator('a').getAttribute('href')) ?? '';
    expect(page.url()).not.toContain('mkt');
    await pages.release();

    page = await pages.open({ viewport: { width: 1280, height: 860 }, locale: 'en', permissions });
    for (const again of [false, true]) {
      await (again ? page.reload() : page.goto(address));
      await opened(page);
      await expect.poll(() => textOnImage().textContent()).toBe('here | there');
    }
    await page.keyboard.press('m');
    await page.getByRole('button', { name: 'Add them to mine' }).click();
    await expect.poll(() => page.url()).not.toContain('mkt');
    expect(await textOnImage().textContent()).toBe('here | there');
  });
});

describe('a download', () => {
  const pixelsShown = async (): Promise<string> => (await page.locator('.picture-pixels').textContent()) ?? '';
  const save = async (button: string): Promise<{ readonly name: string; readonly bytes: Buffer }> => {
    const coming = page.waitForEvent('download');
    await page.getByRole('link', { name: button, exact: true }).click();
    const download = await coming;
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  };

  it.each([
    ['Full', 'JPG', 'jpeg', '300 × 200 px', 'atlas_wide-300x200.jpg'],
    ['Full', 'PNG', 'png', '300 × 200 px', 'atlas_wide-300x200.png'],
    ['Half', 'WebP', 'webp', '150 × 100 px', 'atlas_wide-150x100.webp'],
  ])('in %s size as %s has the announced pixels and name', async (size, kind, format, pixels, name) => {
    await open('view/atlas/wide.png?wx=0.25&ww=0.5&rot=90', 'c');
    await showTab('Download');
    await page.getByRole('radio', { name: size, exact: true }).check();
    await page.getByLabel(kind).check();
    expect(await pixelsShown()).toBe(pixels);
    const saved = await save('Download');
    expect(saved.name).toBe(name);
    const { width, height, format: found } = await sharp(saved.bytes).metadata();
    expect([`${width} × ${height} px`, found]).toEqual([pixels, format]);
    await page.getByText(`Saved as ${name}`).waitFor();
  });

  it('as on the screen has the screen’s pixels, but not more than the image', async () => {
    await open('view/long/leaf-001.png', 'c');
    await showTab('Download');
    await page.getByLabel('As on the screen').check();
    expect(await pixelsShown()).toBe('60 × 80 px');
  });

  it('is interpolated as the reader chooses, which is in the view’s address too', { tags: 'exhaustive' }, async () => {
    await open('view/atlas/wide.png', 'c');
    await showTab('Download');
    await page.getByLabel('How pixels are computed').selectOption({ label: 'best (q3)' });
    await expect.poll(() => new URL(page.url()).searchParams.get('mo')).toBe('q3');
    await showTab('For developers');
    const scaler = new URL(await copied('Copy: Picture by digilib’s Scaler'));
    expect(scaler.searchParams.get('mo')?.split(',')).toContain('q3');
    expect((await fetch(scaler)).status).toBe(200);
  });

  it('of the original is the file itself', async () => {
    await open('view/atlas/tall%20page.jpg?rot=90', 'c');
    await showTab('Download');
    const saved = await save('Original file');
    expect(saved.name).toBe('tall page.jpg');
    const { width, height } = await sharp(saved.bytes).metadata();
    expect([width, height]).toEqual([300, 400]);
  });

  it.each([
    [403, 'You may not see this'],
    [503, 'The server is busy'],
  ])('that fails with %d shows a message in the viewer, which stays', { tags: 'exhaustive' }, async (status, text) => {
    await open('view/atlas/wide.png', 'c');
    await showTab('Download');
    await page.route(/Scaler\?.*mo=ascale/, (route) => route.fulfill({ status, body: '' }));
    await page.getByRole('link', { name: 'Download', exact: true }).click();
    await page.locator('.side-panel').getByText(text).waitFor();
    expect(await page.locator('.stage-image canvas').count()).toBeGreaterThan(0);
  });

  it('is as large as the server’s limits allow, which is shown', { tags: 'exhaustive' }, async () => {
    const bounded = await startBrowseLibrary({ limits: { maxWidth: 100 } });
    try {
      page = await pages.open({ locale: 'en' });
      await page.goto(`${bounded.url}view/atlas/wide.png`);
      await opened(page);
      await page.keyboard.press('c');
      await showTab('Download');
      await page.getByText('This server sends no larger picture').waitFor();
      expect(await pixelsShown()).toBe('100 × 75 px');
      const { width, height } = await sharp((await save('Download')).bytes).metadata();
      expect([width, height]).toEqual([100, 75]);
    } finally {
      await bounded.close();
    }
  });
});

describe('what can be taken along', () => {
  const isChosen = (tab: string) =>
    page.locator('.side-panel').getByRole('tab', { name: tab, exact: true }).getAttribute('aria-selected');

  it.each([
    ['Shift+F', 'Download'],
    ['Shift+W', 'Embed'],
    ['c', 'Cite'],
  ] as const)('is there after one key: %s, %s', async (key, tab) => {
    await open('view/atlas/wide.png', key);
    await expect.poll(() => isChosen(tab)).toBe('true');
    await page.keyboard.press(key);
    await expect.poll(() => page.locator('.side-panel').count()).toBe(0);
  });

  it('is there after one click on its button, which says which of the tabs is open', async () => {
    await open('view/atlas/wide.png', 'i');
    const rail = page.locator('.tool-rail');
    const button = (name: string) => rail.getByRole('button', { name, exact: true });
    await button('Download').click();
    await expect.poll(() => isChosen('Download')).toBe('true');
    expect(await button('Download').getAttribute('aria-pressed')).toBe('true');
    expect(await button('Cite and download').getAttribute('aria-pressed')).toBe('false');
    await button('Cite and download').click();
    await expect.poll(() => isChosen('Cite')).toBe('true');
    expect(await button('Download').getAttribute('aria-pressed')).toBe('false');
    await button('Cite and download').click();
    await expect.poll(() => page.locator('.side-panel').count()).toBe(0);
  });
});

describe('the information about an image', () => {
  it('has its path, its size, and the metadata of its folder', async () => {
    await open('view/atlas/wide.png', 'i');
    const facts = await page
      .locator('.facts > div')
      .evaluateAll((lines) =>
        lines.map((line) => [line.querySelector('dt')?.textContent, line.querySelector('dd')?.firstChild?.textContent]),
      );
    expect(Object.fromEntries(facts)).toMatchObject({
      Page: 'Frontispiece',
      Folder: 'An atlas',
      File: 'wide.png',
      Pixels: '400 × 300 px',
      Date: '1890',
    });
    expect(await page.getByRole('link', { name: 'An atlas' }).first().getAttribute('href')).toBe(
      `${library.url}browse/atlas`,
    );
  });

  it('links to other programs, the language, the display and the keys', { tags: 'exhaustive' }, async () => {
    await open('view/atlas/wide.png', 'i');
    await page.getByRole('button', { name: 'Open with', exact: true }).click();
    await page.getByRole('dialog').getByRole('tab', { name: 'Mirador' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Language').selectOption('Deutsch');
    await page.getByRole('button', { name: 'Tastatur' }).last().click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Bildschirm ausmessen' }).click();
    await page.getByRole('dialog').waitFor();
    expect(problems).toEqual([]);
  });
});
