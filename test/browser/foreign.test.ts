// @module-tag chromium
/** Other people's manifests: pages by pixels for each kind of image, contents, metadata, and what is said where one can't be opened. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { accessibilityViolations } from './accessibility.ts';
import { openBrowser, problemsOf, type TestBrowser } from './browser.ts';
import { backgrounds, dot, type ForeignHost, type ImageName, imageSize, startForeignHost } from './foreign-host.ts';
import { manifest2, manifest3 } from './foreign-manifests.ts';
import { type ReusedPages, reusePages } from './reused-pages.ts';
import { stagePixels, waitUntilSettled } from './stage-pixels.ts';

let host: ForeignHost;
let app: RunningApp;
let browser: TestBrowser;
let pages: ReusedPages;
let page: Page;
let problems: readonly string[];

beforeAll(async () => {
  host = await startForeignHost();
  app = await startApp({ readingRoom: { manifests: [host.url] } });
  browser = await openBrowser();
  pages = reusePages(browser);
  host.add('/3/manifest.json', manifest3(host.url));
  host.add('/2/manifest.json', manifest2(host.url));
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  await host?.close();
});
beforeEach(async () => {
  page = await pages.open({ viewport: { width: 1200, height: 800 } });
  problems = problemsOf(page);
});
afterEach(() => pages.release());

const address = (manifest: string, more = ''): string =>
  `${app.url}/view?manifest=${encodeURIComponent(host.url + manifest)}${more}`;

const canvas = (version: 2 | 3, number: number): string =>
  `&canvas=${encodeURIComponent(`${host.url}/${version}/canvas/${number}`)}`;

async function open(manifest: string, more = ''): Promise<void> {
  await page.goto(address(manifest, more));
  await waitUntilSettled(page);
}

const rgbOf = (color: string): readonly number[] =>
  [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));

/** Expects the image of a name, fitted to the stage: its background at a corner, and its dot where it lies. */
async function expectImage(name: ImageName): Promise<void> {
  const pixels = await stagePixels(page);
  const factor = Math.min(pixels.width / imageSize.width, pixels.height / imageSize.height);
  const left = (pixels.width - imageSize.width * factor) / 2;
  const top = (pixels.height - imageSize.height * factor) / 2;
  const at = (x: number, y: number): readonly number[] => pixels.at(left + x * factor, top + y * factor).slice(0, 3);
  const near = (seen: readonly number[], wanted: readonly number[]): number =>
    Math.max(...wanted.map((value, channel) => Math.abs(value - (seen[channel] ?? 0))));
  expect(near(at(60, 60), rgbOf(backgrounds[name]))).toBeLessThan(4);
  expect(near(at(1140, 840), rgbOf(backgrounds[name]))).toBeLessThan(4);
  for (const [x, y] of [
    [0, 0],
    [-0.8, 0],
    [0.8, 0],
    [0, 0.8],
  ] as const) {
    expect(near(at(dot.x + x * dot.radius, dot.y + y * dot.radius), [255, 0, 0])).toBeLessThan(4);
  }
  expect(near(at(dot.x + 1.3 * dot.radius, dot.y), rgbOf(backgrounds[name]))).toBeLessThan(4);
}

describe('images of manifests', () => {
  it.each([
    ['Image API 3', 1, 'one'],
    ['Image API 2', 2, 'two'],
    ['level 0', 3, 'static'],
    ['a plain image', 4, 'plain'],
    ['Image API 1', 5, 'old'],
    ['an image that its host does not share', 7, 'closed'],
    ['a choice on a part of the canvas', 8, 'plain'],
  ] as const)('%s is shown', { tags: 'exhaustive' }, async (_kind, number, name) => {
    await open('/3/manifest.json', `${canvas(3, number)}&pages=1`);
    await expectImage(name);
    expect(host.missing).toEqual([]);
  });

  it('of version 2 are shown', async () => {
    await open('/2/manifest.json');
    await expectImage('two');
    await page.keyboard.press('PageDown');
    await page.waitForFunction(() => location.search.includes('canvas/2'));
    await waitUntilSettled(page);
    await expectImage('old');
    expect(problems).toEqual([]);
  });

  it('say where a page has none, and lead to the page that it faces', async () => {
    host.add('/empty.json', manifest3(host.url, {}, [{ label: 'empty', body: undefined }]));
    await page.goto(address('/empty.json'));
    await page.getByRole('heading', { name: 'This page has no image' }).waitFor();
    await page.goto(address('/3/manifest.json', canvas(3, 6)));
    await page.getByRole('region', { name: 'Player' }).waitFor();
    await page.keyboard.press('PageDown');
    await page.waitForFunction(() => location.search.includes('canvas/7'));
  });
});

describe('a book of another host', () => {
  const label = (): Promise<string | null> => page.locator('.stage-label').textContent();

  it('has its title, its contents, and its metadata without any of its markup', async () => {
    await open('/3/manifest.json', '&pages=1');
    expect(await page.title()).toContain('A book of dots');
    expect(await label()).toBe('cover');
    await page.keyboard.press('i');
    const panel = page.locator('.side-panel');
    await panel.getByText('Jane & John').waitFor();
    const text = await panel.textContent();
    expect(text).toContain('The Other Library');
    expect(text).not.toMatch(/<|alert|javascript/);
    expect(await panel.getByRole('link', { name: 'https://more.example/book' }).getAttribute('href')).toBe(
      'https://more.example/book',
    );
    expect(await panel.locator('a[href^="javascript"]').count()).toBe(0);
    await page.keyboard.press('Shift+C');
    await panel.getByRole('link', { name: /Inside of it/ }).click();
    await page.waitForFunction(() => document.querySelector('.stage-label')?.textContent === '1v');
    expect(problems).toEqual([]);
  });

  it('is read from right to left in openings, and a label leads to its page', async () => {
    await open('/3/manifest.json');
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction(() => document.querySelector('.stage-label')?.textContent === '1r – 1v');
    await page.locator('#page-number').fill('2R');
    await page.locator('#page-number').press('Enter');
    await page.waitForFunction(() => document.querySelector('.stage-label')?.textContent?.startsWith('2r'));
    expect(new URL(page.url()).searchParams.get('canvas')).toBe(`${host.url}/3/canvas/4`);
  });

  it('is compared page by page with others, whose addresses are pasted, and the address holds it all', {
    tags: 'exhaustive',
  }, async () => {
    await open('/3/manifest.json', canvas(3, 1));
    await page.getByRole('link', { name: 'Compare: put another image beside this' }).click();
    const field = page.getByLabel('Address or path of an image, or address of a manifest');
    await field.fill('mailto:a@host.example');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('This is neither the address').waitFor();
    await field.fill(address('/3/manifest.json', canvas(3, 2)));
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect.poll(() => page.locator('.pane-head').count()).toBe(2);
    await expect.poll(() => page.locator('.stage-image').count()).toBe(2);
    const { searchParams } = new URL(page.url());
    expect([1, 2].map((number) => searchParams.get(`${number}.manifest`))).toEqual(
      [1, 2].map(() => `${host.url}/3/manifest.json`),
    );
    expect([1, 2].map((number) => searchParams.get(`${number}.canvas`))).toEqual(
      [1, 2].map((number) => `${host.url}/3/canvas/${number}`),
    );
    await page.reload();
    for (const label of ['cover', '1r']) await page.locator('.pane-head', { hasText: label }).waitFor();
    expect(problems).toEqual([]);
  });

  it('is opened by its address in a field of the start page', { tags: 'exhaustive' }, async () => {
    await page.goto(`${app.url}/`);
    const field = page.getByLabel('IIIF of another library');
    await field.fill('herbal');
    await field.press('Enter');
    await page.getByText('This is neither a web address nor a content state.').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await field.fill(`${host.url}/3/manifest.json`);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.waitForURL(/\/view\?manifest=/);
    await waitUntilSettled(page);
    await expectImage('one');
  });

  it('keeps notes on its pages', { tags: 'exhaustive' }, async () => {
    await open('/3/manifest.json', `${canvas(3, 2)}&pages=1`);
    await page.keyboard.press('m');
    await page.locator('.side-panel .tool-buttons').waitFor();
    await page.getByRole('button', { name: 'Mark', exact: true }).click();
    const box = await page.locator('.stage-image').boundingBox();
    await page.mouse.click((box?.x ?? 0) + 300, (box?.y ?? 0) + 300, { delay: 100 });
    await page.locator('.mark-handle').first().waitFor();
    await page.reload();
    await waitUntilSettled(page);
    await page.keyboard.press('m');
    await page.locator('.mark-handle').first().waitFor();
    expect(await page.locator('.mark-handle').count()).toBe(1);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as a file', exact: true }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('1r.annotations.json');
    const saved = JSON.parse(readFileSync(await file.path(), 'utf8')) as {
      items: readonly { target: object }[];
    };
    expect(saved.items).toMatchObject([
      {
        target: {
          source: { id: `${host.url}/3/canvas/2`, partOf: [{ id: `${host.url}/3/manifest.json`, type: 'Manifest' }] },
        },
      },
    ]);
    await page.locator('.file-chooser').setInputFiles(await file.path());
    await page.getByText('1 note was here already.').waitFor();
    const square = { body: { value: 'The dot' }, target: `${host.url}/3/canvas/2#xywh=260,590,80,80` };
    const elsewhere = { target: `${host.url}/3/canvas/1#xywh=0,0,9,9` };
    const buffer = Buffer.from(JSON.stringify({ items: [square, elsewhere] }));
    await page.locator('.file-chooser').setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer });
    await page.getByText('1 note was added.').waitFor();
    await page.getByText('Annotation 2 was left out: it is about another image.').waitFor();
  });
});

describe('what can’t be opened is said plainly', () => {
  const heading = (name: string): Promise<void> => page.getByRole('heading', { level: 1, name }).waitFor();

  it.each([
    ['/closed/manifest.json', 'The other server does not share this'],
    ['/page.html', 'This is no IIIF manifest'],
    ['/empty.json', 'This manifest has no pages'],
    ['/nowhere.json', 'There is nothing here'],
  ])('%s: %s', async (manifest, title) => {
    host.add('/closed/manifest.json', manifest3(host.url));
    host.add('/page.html', '<html>no manifest</html>');
    host.add('/empty.json', { type: 'Manifest', items: [] });
    await page.goto(address(manifest));
    await heading(title);
    expect(await page.getByRole('link', { name: host.url + manifest }).getAttribute('href')).toBe(host.url + manifest);
  });

  it('a host that the settings do not allow is not asked, nor could it be', async () => {
    const other = host.url.replace('127.0.0.1', 'localhost');
    const before = host.requested.length;
    await page.goto(`${app.url}/view?manifest=${other}/3/manifest.json`);
    await heading('This server does not open anything from there');
    const blocked = await page.evaluate(
      (at) =>
        fetch(at).then(
          () => 'loaded',
          (error: Error) => error.message,
        ),
      `${other}/3/manifest.json`,
    );
    expect(blocked).toContain('Failed to fetch');
    expect(host.requested.slice(before)).toEqual([]);
  });

  it('a server that names no hosts allows none', async () => {
    const closed = await startApp({});
    try {
      const policy = String((await closed.get('/view?manifest=x')).headers['content-security-policy']);
      expect(policy).toContain("connect-src 'self';");
      expect(policy).toContain("img-src 'self' blob: data:;");
    } finally {
      await closed.close();
    }
    const policy = String((await app.get('/view?manifest=x')).headers['content-security-policy']);
    expect(policy).toContain(`connect-src 'self' ${host.url};`);
    expect(policy).toContain(`img-src 'self' blob: data: ${host.url};`);
  });

  it('a collection has links to its books', async () => {
    host.add('/all.json', {
      type: 'Collection',
      items: [{ id: `${host.url}/2/manifest.json`, type: 'Manifest', label: { en: ['The older one'] } }],
    });
    await page.goto(address('/all.json'));
    await page.getByRole('link', { name: 'The older one' }).click();
    await waitUntilSettled(page);
    await expectImage('two');
  });
});

describe('content states', () => {
  /** What the panel for citing gives out. */
  async function given(): Promise<{ readonly link: string; readonly state: string }> {
    await page.keyboard.press('c');
    await page.getByRole('tab', { name: 'For developers' }).click();
    const link = page.locator('.copy-row', { hasText: 'Link with content state' }).locator('.copy-text');
    const state = page.locator('.copy-row', { hasText: /^Content state/ }).locator('.copy-text');
    return { link: (await link.textContent()) ?? '', state: (await state.textContent()) ?? '' };
  }

  const region = async (): Promise<readonly number[]> =>
    page.evaluate(() => {
      const query = new URLSearchParams(location.search);
      return ['wx', 'wy', 'ww', 'wh'].map((name) => Number(query.get(name)));
    });

  it('of another host’s page lead back to it and to the same part', async () => {
    await open('/3/manifest.json', `${canvas(3, 2)}&wx=0.25&wy=0.25&ww=0.5&wh=0.5`);
    const { link, state } = await given();
    const json = decodeURIComponent(Buffer.from(state, 'base64url').toString());
    expect(JSON.parse(json)).toEqual({
      '@context': 'http://iiif.io/api/presentation/3/context.json',
      id: `${host.url}/3/canvas/2#xywh=300,225,600,450`,
      type: 'Canvas',
      partOf: [{ id: `${host.url}/3/manifest.json`, type: 'Manifest' }],
    });
    await page.goto(link);
    await waitUntilSettled(page);
    expect(new URL(page.url()).searchParams.get('canvas')).toBe(`${host.url}/3/canvas/2`);
    expect(await region()).toEqual([0.25, 0.25, 0.5, 0.5]);
  });

  it('are read as JSON and as the address of a manifest', { tags: 'exhaustive' }, async () => {
    const target = {
      type: 'Annotation',
      target: {
        id: `${host.url}/2/canvas/2#xywh=600,0,600,450`,
        type: 'Canvas',
        partOf: [{ id: `${host.url}/2/manifest.json`, type: 'Manifest' }],
      },
    };
    await page.goto(`${app.url}/?iiif-content=${encodeURIComponent(JSON.stringify(target))}`);
    await waitUntilSettled(page);
    expect(await page.locator('.stage-label').textContent()).toBe('verso');
    expect(await region()).toEqual([0.5, 0, 0.5, 0.5]);
    await page.goto(`${app.url}/view?iiif-content=${encodeURIComponent(`${host.url}/2/manifest.json`)}`);
    await waitUntilSettled(page);
    expect(await page.locator('.stage-label').textContent()).toBe('recto');
  });

  it('of an image of this library open it at its own address, also where no host is allowed', {
    tags: 'exhaustive',
  }, async () => {
    const own = await startApp({});
    try {
      const path = 'png/rgb1000x751.png';
      await page.goto(`${own.url}/view/${path}?wx=0.5&ww=0.25&wh=0.5`);
      await waitUntilSettled(page);
      const { link } = await given();
      await page.goto(link);
      await waitUntilSettled(page);
      expect(decodeURIComponent(new URL(page.url()).pathname)).toBe(`/view/${path}`);
      const [x = 0, , width = 0] = await region();
      expect(x).toBeCloseTo(0.5, 2);
      expect(width).toBeCloseTo(0.25, 2);
    } finally {
      await own.close();
    }
  });

  it('that are malformed are said to be so', async () => {
    await page.goto(`${app.url}/view?iiif-content=%7Bbroken`);
    await page.getByRole('heading', { level: 1, name: 'This link can’t be read' }).waitFor();
  });
});
