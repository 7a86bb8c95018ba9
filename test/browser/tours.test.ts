// @module-tag chromium
/** Guided views: made in the viewer, kept, shared, saved and opened, played, embedded, printed, and written as annotations. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accessibilityViolations } from './accessibility.ts';
import { openBrowser, problemsOf, type TestBrowser } from './browser.ts';
import { startEmbeddingPage } from './embedding-page.ts';
import { gradient } from './gradients.ts';
import { type ReusedPages, reusePages } from './reused-pages.ts';
import { waitUntilSettled, waitUntilSharp } from './stage-pixels.ts';
import { serveFrom, type TemporaryServer } from './temporary-server.ts';

let server: TemporaryServer;
let browser: TestBrowser;
let pages: ReusedPages;

const short = {
  type: 'lectern-tour',
  version: 1,
  title: { en: 'Three looks', de: 'Drei Blicke' },
  summary: 'From the whole to the detail.',
  steps: [
    { page: 'a.png', title: 'The whole', text: 'First line.\nSecond line.' },
    {
      page: 'a.png',
      view: 'wx=0.5&wy=0.5&ww=0.25&wh=0.25',
      title: 'A corner',
      text: { en: 'Look closely.', de: 'Genau.' },
    },
    { page: 'b.png', view: 'wx=0.25&ww=0.5&rot=90&cont=1', title: 'Turned' },
  ],
};

beforeAll(async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'lectern-tours-'));
  for (const folder of ['book', 'plain']) mkdirSync(path.join(root, folder));
  for (const name of ['book/a.png', 'book/b.png', 'plain/c.png'])
    await gradient(1200, 900).png().toFile(path.join(root, name));
  writeFileSync(path.join(root, 'book', 'short.tour.json'), JSON.stringify(short));
  server = await serveFrom(root, { library: { folders: [root] } });
  browser = await openBrowser();
  pages = reusePages(browser);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const wide = { width: 1200, height: 800 };

async function open(address: string, options = {}): Promise<Page> {
  const page = await pages.open({ viewport: wide, ...options });
  await page.goto(server.url + address);
  await waitUntilSharp(page);
  return page;
}

const query = (page: Page): URLSearchParams => new URL(page.url()).searchParams;
const pathOf = (page: Page): string => new URL(page.url()).pathname;
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const focused = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim(),
  );
const card = (page: Page) => page.getByRole('region', { name: 'Guided views' });
const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Guided views' });

async function saved(
  page: Page,
  name: string,
): Promise<{ readonly name: string; readonly json: Record<string, unknown> }> {
  const downloading = page.waitForEvent('download');
  await button(page, name).click();
  const download = await downloading;
  return { name: download.suggestedFilename(), json: JSON.parse(readFileSync(await download.path(), 'utf8')) };
}

const chooseFile = async (page: Page, name: string, json: unknown): Promise<void> =>
  page
    .locator('.tour-panel .file-chooser')
    .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(json)) });

/** The JSON that an address has of guided views. */
function wordsIn(address: string | null): string {
  const [, text] = new URL(address ?? 'http://none/').searchParams.get('tour')?.split(':') ?? [];
  return text === undefined ? '' : inflateRawSync(Buffer.from(text, 'base64url')).toString();
}

/** Makes guided views of a whole page and of a detail of another one. */
async function makeTwo(page: Page): Promise<void> {
  await page.keyboard.press('Shift+T');
  await button(page, 'Add this view').click();
  await page.getByLabel('Title', { exact: true }).fill('One');
  await page.getByLabel('Text', { exact: true }).fill('The first text.\nIn two lines.');
  await page.getByLabel('Title of the whole').fill('My views');
  await page.goto(`${server.url}view/book/b.png?wx=0.5&wy=0.25&ww=0.25&wh=0.5&rot=180&brgt=20`);
  await waitUntilSettled(page);
  await page.keyboard.press('Shift+T');
  await button(page, 'Add this view').click();
  await page.getByLabel('Title', { exact: true }).fill('Two');
}

describe('guided views in the making', () => {
  it('are kept step by step, moved, changed and deleted, also by the keyboard', async () => {
    const page = await open('view/book/a.png');
    const problems = problemsOf(page);
    await makeTwo(page);
    const titles = panelOf(page).locator('.tour-step strong');
    await expect.poll(() => titles.allTextContents()).toEqual(['One', 'Two']);
    expect(await accessibilityViolations(page)).toEqual([]);
    await button(page, 'Move view 2 up').press('Enter');
    // The focus goes with the view.
    await expect.poll(() => focused(page)).toBe('Move view 1 up');
    await expect.poll(() => titles.allTextContents()).toEqual(['Two', 'One']);
    await button(page, 'Move view 1 down').press('Enter');
    await expect.poll(() => titles.allTextContents()).toEqual(['One', 'Two']);
    await button(page, 'Show view 1').press('Enter');
    await page.waitForURL(/book\/a\.png$/);
    await waitUntilSettled(page);
    await button(page, 'Edit view 2').press('Enter');
    await button(page, 'Take what is seen now').click();
    await button(page, 'Edit view 1').click();
    await button(page, 'Show view 2').click();
    await panelOf(page).getByText('View 2 shows this now').waitFor();
    await button(page, 'Delete view 1').click();
    await expect.poll(() => focused(page)).toBe('Undo');
    await expect.poll(() => titles.allTextContents()).toEqual(['Two']);
    await button(page, 'Undo').press('Enter');
    await expect.poll(() => focused(page)).toBe('Delete view 1');
    await expect.poll(() => titles.allTextContents()).toEqual(['One', 'Two']);
    await page.reload();
    await waitUntilSettled(page);
    await page.keyboard.press('Shift+T');
    await expect.poll(() => titles.allTextContents()).toEqual(['One', 'Two']);
    expect(await page.getByLabel('Title of the whole').inputValue()).toBe('My views');
    await button(page, 'Delete all of it').click();
    await button(page, 'Really delete it').click();
    await panelOf(page).getByText('Turn and zoom the image').waitFor();
    expect(problems).toEqual([]);
  });

  it('have texts in several languages', async () => {
    const page = await open('view/book/a.png');
    await page.keyboard.press('Shift+T');
    await button(page, 'Add this view').click();
    await page.getByLabel('Language of the texts').selectOption('English');
    await page.getByLabel('Text', { exact: true }).fill('Good day');
    await page.getByLabel('Language of the texts').selectOption('Deutsch');
    await page.getByLabel('Text', { exact: true }).fill('Guten Tag');
    const { json } = await saved(page, 'Save as a file');
    expect(json['steps']).toEqual([{ page: 'a.png', text: { en: 'Good day', de: 'Guten Tag' } }]);
  });

  it('are shared by an address that has all of them, which plays them for others', async () => {
    const page = await open('view/book/a.png');
    await makeTwo(page);
    const link = panelOf(page).getByRole('link');
    await expect.poll(async () => wordsIn(await link.getAttribute('href'))).toContain('"Two"');
    await expect.poll(() => link.getAttribute('href')).toMatch(/\/view\/book\/a\.png\?tour=z:/);
    const address = (await link.getAttribute('href')) ?? '';
    await expect.poll(() => panelOf(page).locator('code').first().textContent()).toContain('/embed/book/a.png?tour=z:');
    const other = await open(address.replace(server.url, ''));
    await card(other).getByRole('heading', { name: 'One' }).waitFor();
    await card(other).getByText('The first text.').waitFor();
    await other.keyboard.press('ArrowRight');
    await card(other).getByRole('heading', { name: 'Two' }).waitFor();
    await expect.poll(() => pathOf(other)).toBe('/view/book/b.png');
    await expect.poll(() => query(other).get('rot')).toBe('180');
    expect(['wx', 'wy', 'ww', 'wh', 'brgt', 'step'].map((name) => query(other).get(name))).toEqual([
      '0.5',
      '0.25',
      '0.25',
      '0.5',
      '20',
      '2',
    ]);
  });

  it('say so where they are too long for an address, and play from the browser', async () => {
    const page = await open('view/book/a.png');
    await page.keyboard.press('Shift+T');
    await button(page, 'Add this view').click();
    const words = Array.from({ length: 3000 }, (_, index) => ((index * 7919) % 99_991).toString(36)).join(' ');
    await page.getByLabel('Text', { exact: true }).fill(words);
    await panelOf(page).getByText('This is too long for an address.').waitFor();
    await button(page, 'Play').click();
    await card(page).getByText('1 / 1').waitFor();
    await expect.poll(() => query(page).get('tour')).toMatch(/^own:/);
    // Another browser does not have them.
    const other = await open('view/book/a.png?tour=own:elsewhere');
    await other.getByRole('alert').getByText('only in the browser in which they were made').waitFor();
    await button(other, 'End the guided views').click();
    await expect.poll(() => query(other).get('tour')).toBe(null);
  });

  it('are saved as a file that belongs beside the scans, and opened again', async () => {
    const page = await open('view/book/a.png');
    await makeTwo(page);
    const { name, json } = await saved(page, 'Save as a file');
    expect(name).toBe('my-views.tour.json');
    expect(json).toEqual({
      type: 'lectern-tour',
      version: 1,
      folder: 'book',
      title: 'My views',
      steps: [
        { page: 'a.png', title: 'One', text: 'The first text.\nIn two lines.' },
        { page: 'b.png', view: 'wx=0.5&wy=0.25&ww=0.25&wh=0.5&rot=180&brgt=20', title: 'Two' },
      ],
    });
    const other = await open('view/plain/c.png');
    await other.keyboard.press('Shift+T');
    await panelOf(other).getByText('Turn and zoom the image').waitFor();
    await chooseFile(other, name, json);
    await panelOf(other).getByText('Opened: 2 views').waitFor();
    await expect.poll(() => panelOf(other).locator('.tour-step strong').allTextContents()).toEqual(['One', 'Two']);
    await chooseFile(other, 'other.json', { type: 'Manifest', items: [] });
    await panelOf(other).getByText('There are no guided views in this').waitFor();
  });

  it('are written as a collection of annotations, which is read again with rotation and colors', async () => {
    const page = await open('view/book/a.png');
    await makeTwo(page);
    const { name, json } = await saved(page, 'Annotations (IIIF)');
    expect(name).toBe('my-views.annotations.json');
    const manifest = `${server.url}presentation/3/book/manifest.json`;
    const source = (file: string) => ({
      id: `${server.url}presentation/3/book/canvas/${file}`,
      type: 'Canvas',
      partOf: [{ id: manifest, type: 'Manifest' }],
    });
    expect(json).toMatchObject({
      type: 'AnnotationCollection',
      label: { none: ['My views'] },
      total: 2,
      first: {
        type: 'AnnotationPage',
        items: [
          {
            motivation: 'commenting',
            body: { type: 'TextualBody', value: 'One\n\nThe first text.\nIn two lines.', format: 'text/plain' },
            target: { type: 'SpecificResource', source: source('a-png'), selector: { value: 'xywh=0,0,1200,900' } },
          },
          { body: { value: 'Two' }, target: { source: source('b-png'), selector: { value: 'xywh=600,225,300,450' } } },
        ],
      },
    });
    const other = await open('view/plain/c.png');
    await other.keyboard.press('Shift+T');
    await panelOf(other).getByText('Turn and zoom the image').waitFor();
    await chooseFile(other, name, json);
    await panelOf(other).getByText('Opened: 2 views').waitFor();
    const again = await saved(other, 'Save as a file');
    expect(again.json['steps']).toEqual([
      { page: 'a.png', title: 'One', text: 'The first text.\nIn two lines.' },
      { page: 'b.png', view: 'wx=0.5&wy=0.25&ww=0.25&wh=0.5&rot=180&brgt=20', title: 'Two' },
    ]);
  });

  it('are printed one step after the other, each with its picture and its text', async () => {
    const page = await browser.newPage({ viewport: wide });
    await page.addInitScript(() => {
      window.print = () => document.body.setAttribute('data-printed', 'yes');
    });
    await page.goto(`${server.url}view/book/a.png`);
    await waitUntilSharp(page);
    await makeTwo(page);
    await button(page, 'Print, with pictures').click();
    await page.locator('body[data-printed]').waitFor();
    await page.emulateMedia({ media: 'print' });
    const steps = page.locator('.tour-sheet li');
    expect(await steps.locator('h2').allTextContents()).toEqual(['1. One', '2. Two']);
    expect(await steps.first().locator('.tour-text').textContent()).toBe('The first text.\nIn two lines.');
    const pictures = await steps.locator('img').evaluateAll((all) =>
      all.map((image) => {
        const { naturalWidth, naturalHeight, src } = image as HTMLImageElement;
        return [naturalWidth > 200, Math.round((naturalWidth / naturalHeight) * 100) / 100, new URL(src).search];
      }),
    );
    expect(pictures).toEqual([
      [true, 1.33, expect.any(String)],
      [true, 0.67, expect.stringMatching(/wx=0\.5&wy=0\.25&ww=0\.25&wh=0\.5&rot=180&brgt=20/)],
    ]);
    await expect.poll(() => page.locator('.viewer').isVisible()).toBe(false);
    await page.close();
  });

  it('begin with the annotations of a manifest', async () => {
    const page = await open('view/book/a.png');
    const canvas = `${server.url}presentation/3/book/canvas/a-png`;
    const manifest = `${server.url}presentation/3/book/manifest.json`;
    await page.keyboard.press('Shift+T');
    await panelOf(page).getByText('Turn and zoom the image').waitFor();
    const annotation = (value: string, xywh: string, motivation = 'commenting') => ({
      type: 'Annotation',
      motivation,
      body: { type: 'TextualBody', value, format: 'text/html' },
      target: `${canvas}#xywh=${xywh}`,
    });
    // As authoring tools for stories write them: HTML, and parts behind the address of the canvas.
    await chooseFile(page, 'story.json', {
      type: 'AnnotationPage',
      items: [
        annotation('<p>First <b>part</b></p>', '0,0,600,450'),
        annotation('<p>Second</p>', 'percent:50,50,50,50'),
      ],
    });
    await panelOf(page).getByText('Opened: 2 views').waitFor();
    const { json } = await saved(page, 'Save as a file');
    expect(json['steps']).toEqual([
      { page: 'a.png', view: 'ww=0.5&wh=0.5', text: 'First part' },
      { page: 'a.png', view: 'wx=0.5&wy=0.5&ww=0.5&wh=0.5', text: 'Second' },
    ]);
    // The manifest of a book with guided views beside its scans names them as annotations: they are played from there, too.
    await page.goto(`${server.url}view/book/a.png?tour=${manifest}`);
    await card(page).getByRole('heading', { name: 'The whole' }).waitFor();
    await page.keyboard.press('End');
    await card(page).getByRole('heading', { name: 'Turned' }).waitFor();
    await expect.poll(() => query(page).get('rot')).toBe('90');
  });
});

describe('guided views beside scans', () => {
  let page: Page;
  beforeEach(async () => {
    page = await pages.open({ viewport: wide });
  });

  it('are offered on the page of the book, and played by keys and buttons to their end', async () => {
    const problems = problemsOf(page);
    await page.goto(`${server.url}browse/book`);
    await page.getByRole('link', { name: /Three looks/ }).click();
    await waitUntilSharp(page);
    await card(page).getByRole('heading', { name: 'The whole' }).waitFor();
    expect(await card(page).getByText('First line.').textContent()).toBe('First line.\nSecond line.');
    expect(await accessibilityViolations(page)).toEqual([]);
    await expect.poll(() => page.locator('.tool-rail').isVisible()).toBe(false);
    expect(await card(page).getByRole('progressbar').getAttribute('value')).toBe('1');
    await button(page, 'Next view').click();
    await card(page).getByRole('heading', { name: 'A corner' }).waitFor();
    await expect.poll(() => query(page).get('ww')).toBe('0.25');
    expect(query(page).get('tour')).toBe('book/short.tour.json');
    await page.keyboard.press('ArrowRight');
    await card(page).getByRole('heading', { name: 'Turned' }).waitFor();
    await page.waitForURL(/view\/book\/b\.png\?/);
    await expect.poll(() => query(page).get('step')).toBe('3');
    await page.keyboard.press(' ');
    await card(page).getByText('That was all.').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await button(page, 'From the beginning').click();
    await card(page).getByRole('heading', { name: 'The whole' }).waitFor();
    await page.keyboard.press('PageDown');
    await card(page).getByRole('heading', { name: 'A corner' }).waitFor();
    await button(page, 'Previous view').click();
    await card(page).getByRole('heading', { name: 'The whole' }).waitFor();
    await page.keyboard.press('Escape');
    await card(page).waitFor({ state: 'hidden' });
    await expect.poll(() => query(page).get('tour')).toBe(null);
    await page.locator('.tool-rail').waitFor();
    expect(problems).toEqual([]);
  });

  it('are offered in the viewer, play on the full screen, and can be taken as a copy', async () => {
    await page.goto(`${server.url}view/book/b.png`);
    await waitUntilSharp(page);
    await page.keyboard.press('Shift+T');
    await button(page, 'Take a copy to change').click();
    await panelOf(page).getByText('Opened: 3 views').waitFor();
    await button(page, 'Play Three looks').click();
    await card(page).getByRole('heading', { name: 'The whole' }).waitFor();
    await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true);
    await button(page, 'End the guided views').click();
    await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(false);
    await panelOf(page).waitFor();
  });

  it('keep letters from opening panels, and let the reader zoom', async () => {
    await page.goto(`${server.url}view/book/a.png?tour=book/short.tour.json`);
    await card(page).getByRole('heading', { name: 'The whole' }).waitFor();
    await waitUntilSharp(page);
    await page.keyboard.press('a');
    await page.keyboard.press('+');
    await expect.poll(() => query(page).get('ww')).not.toBe(null);
    await expect.poll(() => page.getByRole('complementary').count()).toBe(0);
  });

  it('are in the reader’s language', async () => {
    await page.goto(`${server.url}view/book/a.png?tour=book/short.tour.json&step=2`);
    await card(page).getByText('Look closely.').waitFor();
    await page.evaluate(() => localStorage.setItem('lectern:language', '"de"'));
    await page.reload();
    await page.getByRole('region', { name: 'Geführte Ansichten' }).getByText('Genau.').waitFor();
    await page.getByText('Drei Blicke').waitFor();
  });

  it('say where they are not found', async () => {
    await page.goto(`${server.url}view/book/a.png?tour=book/nowhere.tour.json`);
    await page.getByRole('alert').getByText('can’t be found').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('are embedded as any view', async () => {
    const around = await startEmbeddingPage(
      server.url,
      `<lectern-viewer src="${server.url}embed/book/a.png?tour=book/short.tour.json" title="Guided"></lectern-viewer>`,
    );
    await page.goto(around.url);
    const frame = page.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'The whole' }).waitFor();
    await frame.getByRole('button', { name: 'Next view' }).click();
    await frame.getByRole('heading', { name: 'A corner' }).waitFor();
    await expect.poll(() => frame.locator('.view-bar').isVisible()).toBe(false);
    await page.goto('about:blank');
    around.close();
  });

  it.each([
    ['phone', { width: 390, height: 780 }],
    ['phone in landscape', { width: 740, height: 360 }],
  ])('have card and image beside each other on a %s', async (_name, viewport) => {
    await page.setViewportSize(viewport);
    await page.goto(`${server.url}view/book/a.png?tour=book/short.tour.json&step=2`);
    await card(page).getByRole('heading', { name: 'A corner' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    const boxes = async () => [await card(page).boundingBox(), await page.locator('.stage').boundingBox()];
    await expect
      .poll(async () => {
        const [one, other] = await boxes();
        if (!one || !other) return 'missing';
        const apart = one.y >= other.y + other.height - 1 || one.x + one.width <= other.x + 1;
        return apart && other.height > 150 ? 'apart' : JSON.stringify([one, other]);
      })
      .toBe('apart');
    for (const name of ['Next view', 'Previous view', 'End the guided views']) {
      const box = await button(page, name).boundingBox();
      expect(
        box !== null && box.x >= 0 && box.x + box.width <= viewport.width && box.y + box.height <= viewport.height,
        name,
      ).toBe(true);
    }
  });

  it('are legible with forced colors, in the dark, and with the largest text', async () => {
    await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark', reducedMotion: 'reduce' });
    await page.goto(`${server.url}view/book/a.png?tour=book/short.tour.json`);
    await card(page).getByRole('heading', { name: 'The whole' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.emulateMedia({ forcedColors: 'none', colorScheme: 'dark', reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 640, height: 400 });
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('ArrowRight');
    await card(page).getByRole('heading', { name: 'A corner' }).waitFor();
  });
});
