// @module-tag chromium
/** Pages with several images: choices, compositions and parts of images as manifests ask for them, and how their layers are mixed. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { accessibilityViolations } from './accessibility.ts';
import { openBrowser, pauseIn, problemsOf, type TestBrowser } from './browser.ts';
import { backgrounds, type ForeignHost, type ImageName, imageSize, startForeignHost } from './foreign-host.ts';
import { type ReusedPages, reusePages } from './reused-pages.ts';
import { stagePixels, waitUntilSettled } from './stage-pixels.ts';

let host: ForeignHost;
let app: RunningApp;
let browser: TestBrowser;
let pages: ReusedPages;
let page: Page;
let problems: readonly string[];

type Rgb = readonly number[];

const rgbOf = (name: ImageName): Rgb =>
  [1, 3, 5].map((start) => Number.parseInt(backgrounds[name].slice(start, start + 2), 16));

const service = (name: ImageName): object => ({
  id: `${host.url}/iiif/3/${name}/full/max/0/default.jpg`,
  type: 'Image',
  format: 'image/jpeg',
  ...imageSize,
  label: { en: [`Light ${name}`] },
  service: [{ id: `${host.url}/iiif/3/${name}`, type: 'ImageService3', profile: 'level1' }],
});

/** A manifest with one canvas. */
function addCanvas(name: string, size: object, paintings: readonly (readonly [body: object, part: string])[]): void {
  const id = `${host.url}/${name}/canvas`;
  const items = paintings.map(([body, part], index) => ({
    id: `${id}/a${index}`,
    type: 'Annotation',
    motivation: 'painting',
    body,
    target: `${id}${part}`,
  }));
  host.add(`/${name}/manifest.json`, {
    '@context': 'http://iiif.io/api/presentation/3/context.json',
    id: `${host.url}/${name}/manifest.json`,
    type: 'Manifest',
    label: { none: [name] },
    items: [
      {
        id,
        type: 'Canvas',
        label: { none: ['1r'] },
        ...size,
        items: [{ id: `${id}/p`, type: 'AnnotationPage', items }],
      },
    ],
  });
}

beforeAll(async () => {
  host = await startForeignHost();
  app = await startApp({ readingRoom: { manifests: [host.url] } });
  browser = await openBrowser();
  pages = reusePages(browser);
  addCanvas('choice', imageSize, [[{ type: 'Choice', items: [service('one'), service('two'), service('plain')] }, '']]);
  // As a miniature that is painted at its place on a page (recipe 0036).
  addCanvas('composed', imageSize, [
    [service('one'), ''],
    [service('two'), '#xywh=600,450,400,300'],
  ]);
  // As two fragments beside each other, of which the larger one stands for the page.
  addCanvas('fragments', { width: 1500, height: 900 }, [
    [service('two'), '#xywh=0,0,300,225'],
    [service('one'), '#xywh=300,0,1200,900'],
  ]);
  // As a page that was scanned on its side (recipe 0040).
  const turned = { type: 'ImageApiSelector', rotation: '90' };
  addCanvas('turned', { width: 900, height: 1200 }, [
    [{ type: 'SpecificResource', source: service('one'), selector: turned }, ''],
  ]);
  // As an article of a newspaper (recipe 0299).
  const selector = { type: 'ImageApiSelector', region: '240,580,120,100' };
  addCanvas('region', { width: 120, height: 100 }, [
    [{ type: 'SpecificResource', source: service('one'), selector }, ''],
  ]);
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

async function open(name: string, more = ''): Promise<void> {
  const manifest = encodeURIComponent(`${host.url}/${name}/manifest.json`);
  await page.goto(`${app.url}/view?manifest=${manifest}${more}`);
  await waitUntilSettled(page);
}

/** The color at a point of the stage, in fractions of the extent that is fitted to it. */
async function colorAt(x: number, y: number, shape = imageSize.width / imageSize.height): Promise<Rgb> {
  const pixels = await stagePixels(page);
  const width = Math.min(pixels.width, pixels.height * shape);
  const height = width / shape;
  const at = pixels.at((pixels.width - width) / 2 + x * width, (pixels.height - height) / 2 + y * height);
  return at.slice(0, 3);
}

const apart = (one: Rgb, other: Rgb): number => Math.max(...one.map((value, at) => Math.abs(value - (other[at] ?? 0))));

async function expectColor(wanted: Rgb, x: number, y: number, shape?: number): Promise<void> {
  await expect.poll(async () => apart(await colorAt(x, y, shape), wanted)).toBeLessThan(4);
}

/** Names of images of which tiles were requested since a number of requests. */
const requestedSince = (count: number): readonly string[] => [
  ...new Set(host.requested.slice(count).flatMap((path) => /\/iiif\/3\/(\w+)\/\d/.exec(path)?.[1] ?? [])),
];

const mixture = (share: number): Rgb =>
  rgbOf('one').map((value, at) => value + share * ((rgbOf('two')[at] ?? 0) - value));

describe('images to choose from', () => {
  it('begin with the first, and the panel shows another one, in the address too', async () => {
    const before = host.requested.length;
    await open('choice');
    await expectColor(rgbOf('one'), 0.1, 0.1);
    expect(requestedSince(before)).toEqual(['one']);
    await page.keyboard.press('y');
    const panel = page.locator('.side-panel');
    await expect.poll(() => panel.locator('.layer').count()).toBe(3);
    await panel.getByRole('button', { name: 'Show only “Light two”' }).click();
    await expectColor(rgbOf('two'), 0.1, 0.1);
    await page.waitForURL(/layers=2(?:&|$)/);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Shift+Y');
    await expectColor(rgbOf('plain'), 0.1, 0.1);
    await page.getByRole('button', { name: 'As the page begins' }).click();
    await expectColor(rgbOf('one'), 0.1, 0.1);
    await page.waitForURL((url) => !url.search.includes('layers='));
    expect(problems).toEqual([]);
  });

  it('are loaded as far as a link shows them, and no others', async () => {
    const before = host.requested.length;
    await open('choice', '&layers=3');
    await expectColor(rgbOf('plain'), 0.1, 0.1);
    expect(requestedSince(before)).toEqual(['plain']);
  });

  it.each([
    ['half of each', '&layers=1,2/0.5', () => mixture(0.5)],
    [
      'their difference',
      '&layers=1,2&mix=difference',
      () => rgbOf('one').map((value, at) => Math.abs(value - (rgbOf('two')[at] ?? 0))),
    ],
    [
      'three of them as the channels of a false color',
      '&layers=1/1/red,2/1/green,3/1/blue',
      () => {
        const gray = (name: ImageName): number => {
          const [red = 0, green = 0, blue = 0] = rgbOf(name);
          return 0.3 * red + 0.59 * green + 0.11 * blue;
        };
        return [gray('one'), gray('two'), gray('plain')];
      },
    ],
  ] as const)('are mixed: %s', async (_name, query, wanted) => {
    await open('choice', query);
    await expectColor(wanted(), 0.1, 0.1);
    // Also where the image is turned, whose tiles are drawn twice.
    await open('choice', `${query}&rot=30&mo=clip&wx=0.02&wy=0.02`);
    await expectColor(wanted(), 0.5, 0.5);
  });

  it('have an edge between them, which the pointer moves and a link keeps', async () => {
    await open('choice', '&layers=1,2&mix=slider');
    await expectColor(rgbOf('one'), 0.4, 0.1);
    await expectColor(rgbOf('two'), 0.6, 0.1);
    const handle = await page.locator('.edge-handle').boundingBox();
    if (handle === null) throw new Error('no handle');
    await page.mouse.move(handle.x + handle.width / 2, handle.y + 100);
    await page.mouse.down();
    await page.mouse.move(handle.x + handle.width / 2 - 250, handle.y + 100, { steps: 4 });
    await page.mouse.up();
    await expectColor(rgbOf('two'), 0.4, 0.1);
    await page.waitForURL(/edge=0\.[0-4]/);
    await page.reload();
    await waitUntilSettled(page);
    await expectColor(rgbOf('two'), 0.4, 0.1);
    await expectColor(rgbOf('one'), 0.1, 0.1);
  });

  it('blink, and stand still where the reader wants no motion', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open('choice', '&layers=1,2&mix=blink');
    await page.getByText('Seen now: Light two').waitFor();
    await expectColor(rgbOf('two'), 0.1, 0.3);
    await pauseIn(page, 1500);
    await page.getByText('Seen now: Light two').waitFor();
    await page.getByRole('button', { name: 'Switch' }).click();
    await page.getByText('Seen now: Light one').waitFor();
    await expectColor(rgbOf('one'), 0.1, 0.3);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Go on blinking' }).click();
    await page.getByText('Seen now: Light two').waitFor();
    await page.getByText('Seen now: Light one').waitFor();
    await page.emulateMedia({ reducedMotion: null });
  });
});

describe('a canvas on which several images are painted', () => {
  it('shows each of them at its place, as one page', async () => {
    await open('composed');
    await expectColor(rgbOf('one'), 0.1, 0.1);
    await expectColor(rgbOf('two'), 0.55, 0.55);
    await expectColor(rgbOf('one'), 0.9, 0.9);
    expect(await page.getByRole('button', { name: 'Next page' }).count()).toBe(0);
  });

  it('is seen whole where its images lie beside each other', async () => {
    await open('fragments');
    await expectColor(rgbOf('two'), 0.02, 0.02, 1500 / 900);
    await expectColor(rgbOf('one'), 0.3, 0.1, 1500 / 900);
    // A part that lies outside of the larger image is kept in the address.
    await open('fragments', '&wx=-0.2&wy=0.05&ww=0.1&wh=0.1');
    await expectColor(rgbOf('two'), 0.5, 0.5);
    await page.keyboard.press('+');
    await pauseIn(page, 1200);
    await page.reload();
    await waitUntilSettled(page);
    await expectColor(rgbOf('two'), 0.5, 0.5);
  });

  it('shows the part of an image that it takes, and no more', async () => {
    await open('region');
    // The dot fills most of the region, whose corners are background.
    await expectColor([255, 0, 0], 0.5, 0.5, 1.2);
    await expectColor(rgbOf('one'), 0.02, 0.03, 1.2);
    await page.keyboard.press('-');
    await page.keyboard.press('-');
    await pauseIn(page, 1000);
    expect(apart(await colorAt(0.02, 0.5, 1.2), rgbOf('one'))).toBeGreaterThan(10);
  });

  it('is turned as its manifest turns it', async () => {
    await open('turned');
    await page.waitForURL(/rot=90/);
    // The dot at the left, below the middle of the image lies at the left, above the middle.
    await expectColor([255, 0, 0], 0.3, 0.25, 0.75);
  });
});
