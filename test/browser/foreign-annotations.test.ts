// @module-tag chromium
/** Annotations of other people's manifests: on the right spots of the image, in a list that is searched and filtered. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { accessibilityViolations } from './accessibility.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { dot, type ForeignHost, startForeignHost } from './foreign-host.ts';
import { manifest2, manifest3, pages3 } from './foreign-manifests.ts';
import { type ReusedPages, reusePages } from './reused-pages.ts';
import { stagePixels, waitUntilSettled } from './stage-pixels.ts';

let host: ForeignHost;
let app: RunningApp;
let browser: TestBrowser;
let pages: ReusedPages;
let page: Page;

/** The square around the dot. */
const square = [dot.x - dot.radius, dot.y - dot.radius, 2 * dot.radius, 2 * dot.radius].join(',');

beforeAll(async () => {
  host = await startForeignHost();
  app = await startApp({ readingRoom: { manifests: [host.url] } });
  browser = await openBrowser();
  pages = reusePages(browser);
  const canvas = `${host.url}/3/canvas/1`;
  const body = (value: string, ...tags: readonly string[]): readonly object[] => [
    { type: 'TextualBody', value, format: 'text/html' },
    ...tags.map((tag) => ({ type: 'TextualBody', purpose: 'tagging', value: tag })),
  ];
  const annotation = (bodies: readonly object[], target: unknown): object => ({
    type: 'Annotation',
    motivation: 'commenting',
    body: bodies,
    target,
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><path d="M260 590 L340 590 L340 670 L260 670 L250 630 Z"/></svg>`;
  const inPlace = {
    id: `${canvas}/notes`,
    type: 'AnnotationPage',
    items: [
      annotation(
        body('<p>The <b>red</b> dot<script>document.title = 1</script></p>', 'dot'),
        `${canvas}#xywh=${square}`,
      ),
      annotation(body('Its outline', 'line'), {
        type: 'SpecificResource',
        source: canvas,
        selector: { type: 'SvgSelector', value: svg },
      }),
      annotation(body('Of another page'), `${host.url}/3/canvas/2#xywh=0,0,10,10`),
      annotation(body('Of all of it'), canvas),
    ],
  };
  host.add('/3/notes.json', {
    id: `${host.url}/3/notes.json`,
    type: 'AnnotationPage',
    next: `${host.url}/3/more.json`,
    items: [
      annotation(body('Its center', 'dot'), {
        source: canvas,
        selector: { type: 'PointSelector', x: dot.x, y: dot.y },
      }),
    ],
  });
  host.add('/3/more.json', {
    type: 'AnnotationPage',
    items: [annotation(body('On the next page'), `${canvas}#xywh=0,0,1200,900`)],
  });
  const sources = [inPlace, { id: `${host.url}/3/notes.json`, type: 'AnnotationPage' }];
  const [first, ...others] = pages3(host.url);
  if (first === undefined) throw new Error('no pages');
  host.add('/3/manifest.json', manifest3(host.url, {}, [{ ...first, more: { annotations: sources } }, ...others]));
  host.add('/2/manifest.json', manifest2(host.url));
  host.add('/2/list.json', {
    '@context': 'http://iiif.io/api/presentation/2/context.json',
    '@type': 'sc:AnnotationList',
    resources: [
      {
        '@type': 'oa:Annotation',
        motivation: ['oa:commenting'],
        resource: { '@type': 'dctypes:Text', format: 'text/html', chars: '<p>The old dot</p>' },
        on: `${host.url}/2/canvas/1#xywh=${square}`,
      },
    ],
  });
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  await host?.close();
});
beforeEach(async () => {
  page = await pages.open({ viewport: { width: 1300, height: 800 } });
});
afterEach(() => pages.release());

async function open(manifest: string): Promise<void> {
  await page.goto(`${app.url}/view?manifest=${encodeURIComponent(host.url + manifest)}`);
  await waitUntilSettled(page);
  await page.keyboard.press('o');
  await page.locator('.annotation').first().waitFor();
  await page.locator('.annotation-shape').first().waitFor({ state: 'attached' });
  await waitUntilSettled(page);
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The lines of an annotation on the screen, without their width. */
const boxOf = (number: number): Promise<Box> =>
  page.evaluate((at) => {
    const path = document.querySelector<SVGPathElement>(`.annotation-shape[data-number="${at}"] .core`);
    if (path === null) throw new Error(`no annotation ${at}`);
    const { x, y, width, height } = path.getBBox();
    const matrix = path.getScreenCTM();
    const corners = [
      [x, y],
      [x + width, y],
      [x, y + height],
      [x + width, y + height],
    ].map(([left, top]) => new DOMPoint(left, top).matrixTransform(matrix ?? undefined));
    const [xs, ys] = [corners.map((one) => one.x), corners.map((one) => one.y)];
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
  }, number);

/** What surrounds the red pixels of the image on the screen. */
async function redBox(): Promise<Box> {
  const hide = (value: string): Promise<void> =>
    page.evaluate((visibility) => {
      for (const one of document.querySelectorAll<SVGElement>('.annotation-shapes')) one.style.visibility = visibility;
    }, value);
  await hide('hidden');
  const pixels = await stagePixels(page);
  await hide('');
  const stage = await page.locator('.stage').boundingBox();
  let [left, top, right, bottom] = [pixels.width, pixels.height, 0, 0];
  for (let y = 0; y < pixels.height; y += 1) {
    for (let x = 0; x < pixels.width; x += 1) {
      const [red, green, blue] = pixels.at(x, y);
      if (red < 200 || green > 100 || blue > 100) continue;
      [left, top, right, bottom] = [
        Math.min(left, x),
        Math.min(top, y),
        Math.max(right, x + 1),
        Math.max(bottom, y + 1),
      ];
    }
  }
  return { x: left + (stage?.x ?? 0), y: top + (stage?.y ?? 0), width: right - left, height: bottom - top };
}

const middle = ({ x, y, width, height }: Box): readonly [number, number] => [x + width / 2, y + height / 2];

function expectNear(box: Box, wanted: Box, tolerance = 2): void {
  for (const name of ['x', 'y', 'width', 'height'] as const) {
    expect(Math.abs(box[name] - wanted[name]), name).toBeLessThanOrEqual(tolerance);
  }
}

describe('annotations of version 3', () => {
  it('lie on what they are about, in place and by reference, also when the image is turned and moved', {
    tags: 'exhaustive',
  }, async () => {
    await open('/3/manifest.json');
    expect(await page.locator('.annotation').count()).toBe(5);
    for (const keys of [[], ['r'], ['-']]) {
      for (const key of keys) await page.keyboard.press(key);
      await waitUntilSettled(page);
      const red = await redBox();
      expectNear(await boxOf(1), red);
      const [x, y] = middle(red);
      const point = await boxOf(4);
      expect(Math.hypot(point.x - x, point.y - y)).toBeLessThan(2);
    }
    expect(await page.title()).not.toBe('1');
  });

  it('are chosen by a click on the image and in the list, which shows their place', {
    tags: 'exhaustive',
  }, async () => {
    await open('/3/manifest.json');
    const [x, y] = middle(await redBox());
    await page.mouse.click(x + 12, y);
    await page.locator('.annotation.chosen', { hasText: 'The red dot' }).waitFor();
    await page.getByRole('button', { name: 'Show annotation 2' }).click();
    await page.locator('.annotation-shape.chosen[data-number="2"]').waitFor({ state: 'attached' });
    await waitUntilSettled(page);
    const box = await boxOf(2);
    expect(box.width).toBeGreaterThan(150);
    // The outline is wider than the dot by an eighth of the dot's width, at its left.
    const red = await redBox();
    expectNear(box, { ...red, x: red.x - red.width / 8, width: (red.width * 9) / 8 }, 4);
  });

  it('are searched and filtered, in the list and on the image', async () => {
    await open('/3/manifest.json');
    const texts = async (): Promise<readonly string[]> => page.locator('.annotation p:first-child').allTextContents();
    await page.getByLabel('Search the annotations').fill('DOT');
    expect(await texts()).toEqual(['The red dot', 'Its center']);
    expect(await page.locator('.annotation-shape').count()).toBe(2);
    await page.getByLabel('Search the annotations').fill('');
    await page.getByLabel('Kind').selectOption('line');
    expect(await texts()).toEqual(['Its outline']);
    expect(await page.locator('.annotation-shape').count()).toBe(1);
  });

  it('have no violations of accessibility, in both themes', { tags: 'exhaustive' }, async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await open('/3/manifest.json');
      expect(await accessibilityViolations(page)).toEqual([]);
    }
  });
});

it('annotations of version 2 lie on what they are about', async () => {
  await open('/2/manifest.json');
  await page.getByText('The old dot').waitFor();
  expectNear(await boxOf(1), await redBox());
});
