// @module-tag chromium
/** What manifests of other hosts ask beside images: orders, rows, places, dates, links of annotations, and texts on images. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { accessibilityViolations } from './accessibility.ts';
import { openBrowser, problemsOf, type TestBrowser } from './browser.ts';
import { type ForeignHost, imageSize, startForeignHost } from './foreign-host.ts';
import { manifest3, type Painted } from './foreign-manifests.ts';
import { type ReusedPages, reusePages } from './reused-pages.ts';
import { waitUntilSettled } from './stage-pixels.ts';

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
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  await host?.close();
});
beforeEach(async () => {
  page = await pages.open({ viewport: { width: 1280, height: 860 }, locale: 'en' });
  problems = problemsOf(page);
});
afterEach(() => pages.release());

const picture = (name: string): object => ({
  id: `${host.url}/pictures/${name}.png`,
  type: 'Image',
  format: 'image/png',
  ...imageSize,
});

const pageOf = (label: string, more: object = {}): Painted => ({ label, body: picture('one'), more });

const canvasId = (number: number): string => `${host.url}/3/canvas/${number}`;

const place = (label: string): object => ({
  type: 'FeatureCollection',
  features: [
    { type: 'Feature', properties: { label: { en: [label] } }, geometry: { type: 'Point', coordinates: [12.5, 41.9] } },
  ],
});

/** A manifest of its own; a member that is undefined is not in it. */
function add(more: object, own: readonly Painted[]): void {
  const plain = { behavior: undefined, viewingDirection: undefined, structures: undefined };
  host.add('/features.json', manifest3(host.url, { ...plain, ...more }, own));
}

const view = (more = ''): string =>
  `${app.url}/view?manifest=${encodeURIComponent(`${host.url}/features.json`)}${more}`;

async function open(more: object, own: readonly Painted[]): Promise<void> {
  add(more, own);
  await page.goto(view());
  await waitUntilSettled(page);
}

const panel = (): Locator => page.locator('.side-panel');
const strip = (): Promise<readonly string[]> =>
  page.locator('.filmstrip a').evaluateAll((all) => all.map((one) => (one as HTMLElement).title));
const parameter = (name: string): string | null => new URL(page.url()).searchParams.get(name);

describe('what a manifest and its pages say', () => {
  it('is beside the image: metadata and links of the page, places, and the sign of the provider', async () => {
    const more = {
      metadata: [{ label: { en: ['Light'] }, value: { en: ['natural'] } }],
      rendering: [{ id: `${host.url}/alto.xml`, type: 'Text', label: { en: ['ALTO'] }, format: 'text/xml' }],
      navPlace: place('The page'),
    };
    const logo = [picture('two')];
    const provider = [{ id: `${host.url}/agent`, type: 'Agent', label: { en: ['A library'] }, logo }];
    await open({ provider, navPlace: place('Rome'), thumbnail: [picture('plain')] }, [
      pageOf('1r', more),
      pageOf('1v'),
    ]);
    await page.keyboard.press('i');
    const rome = panel().getByRole('link', { name: 'Rome' });
    await rome.waitFor();
    expect(await rome.getAttribute('href')).toBe('geo:41.9,12.5');
    await panel().getByText('natural').waitFor();
    await panel().getByRole('link', { name: 'The page' }).waitFor();
    expect(await panel().getByRole('link', { name: 'ALTO' }).getAttribute('href')).toBe(`${host.url}/alto.xml`);
    for (const name of ['.provider-logo', '.work-thumbnail'])
      await expect
        .poll(() =>
          panel()
            .locator(name)
            .evaluate((image) => (image as HTMLImageElement).naturalWidth),
        )
        .toBeGreaterThan(0);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('PageDown');
    await panel().getByText('natural').waitFor({ state: 'detached' });
    await rome.waitFor();
    expect(problems).toEqual([]);
  });

  it('is said too where a page has no image', async () => {
    const metadata = [{ label: { en: ['Why'] }, value: { en: ['The leaf is lost'] } }];
    add({}, [{ label: '1v', body: undefined, more: { metadata } }, pageOf('2r')]);
    await page.goto(view());
    await page.getByText('The leaf is lost').waitFor();
  });
});

it('a collection has its title, and its members with dates and places, also in the order of their dates', async () => {
  const member = (name: string, navDate: string, more: object = {}): object => ({
    ...{ id: `${host.url}/${name}.json`, type: 'Manifest', label: { en: [name] }, navDate },
    ...more,
  });
  const items = [
    member('Late', '1849-01-01T00:00:00Z', { navPlace: place('Rome') }),
    member('Early', '1725-01-01T00:00:00Z'),
  ];
  host.add('/features.json', { type: 'Collection', label: { en: ['Views of a city'] }, items });
  await page.goto(view());
  await page.getByRole('heading', { name: 'Views of a city' }).waitFor();
  const dates = page.locator('.collection-members time');
  await expect.poll(() => dates.allTextContents()).toEqual(['1849-01-01', '1725-01-01']);
  expect(await page.getByRole('link', { name: 'Rome' }).getAttribute('href')).toBe('geo:41.9,12.5');
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByLabel('Order by date').check();
  await expect.poll(() => dates.allTextContents()).toEqual(['1725-01-01', '1849-01-01']);
});

describe('the order of the pages', () => {
  const range = (label: string, numbers: readonly number[]): object => ({
    ...{ id: `${host.url}/${label}`, type: 'Range', behavior: ['sequence'], label: { en: [label] } },
    items: numbers.map((number) => ({ id: canvasId(number), type: 'Canvas' })),
  });

  it('is chosen among those of the manifest, and kept by the address', async () => {
    await open(
      { structures: [range('As bound', [1, 2, 3]), range('As written', [2, 3, 1])] },
      ['1r', '1v', '2r'].map((label) => pageOf(label)),
    );
    await page.keyboard.press('Shift+C');
    await panel().getByLabel('Order of the pages').selectOption('As written');
    await expect.poll(strip).toEqual(['1v', '2r', '1r']);
    await expect.poll(() => parameter('sequence')).toBe('2');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.reload();
    await expect.poll(strip).toEqual(['1v', '2r', '1r']);
    await waitUntilSettled(page);
    await page.keyboard.press('Shift+C');
    await panel().getByLabel('Order of the pages').selectOption('As bound');
    await expect.poll(strip).toEqual(['1r', '1v', '2r']);
    await expect.poll(() => parameter('sequence')).toBeNull();
  });

  it('of a scroll is a row without gaps, which opens first, and leads to its sections', async () => {
    add(
      { behavior: ['continuous'] },
      ['a', 'b', 'c', 'd'].map((label) => pageOf(label)),
    );
    await page.goto(view());
    const sections = page.locator('.whole-book.in-row a');
    await expect.poll(() => sections.count()).toBeGreaterThan(1);
    const [first, second] = [await sections.nth(0).boundingBox(), await sections.nth(1).boundingBox()];
    expect(Math.abs((first?.x ?? 0) + (first?.width ?? 0) - (second?.x ?? 0))).toBeLessThan(1);
    expect(first?.y).toBe(second?.y);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.locator('.whole-book').evaluate((area) => area.scrollTo({ left: area.scrollWidth }));
    await expect.poll(() => parameter('canvas')).toBe(canvasId(4));
    await page.locator('.whole-book').getByRole('link', { name: / b$/ }).click();
    await waitUntilSettled(page);
    await expect.poll(() => parameter('canvas')).toBe(canvasId(2));
    await page.reload();
    await waitUntilSettled(page);
    expect(await page.locator('.whole-book').count()).toBe(0);
    expect(problems).toEqual([]);
  });
});

it('a text that is painted on an image lies at its place, and grows with the image', async () => {
  const items = (id: string): object => [
    {
      id: `${id}/page`,
      type: 'AnnotationPage',
      items: [
        { id: `${id}/a`, type: 'Annotation', motivation: 'painting', body: picture('one'), target: id },
        {
          ...{ id: `${id}/t`, type: 'Annotation', motivation: 'painting', target: `${id}#xywh=300,225,600,450` },
          body: { type: 'TextualBody', format: 'text/html', value: '<p style="font-size:60px">A koto</p>' },
        },
      ],
    },
  ];
  await open({}, [pageOf('1r', { items: items(canvasId(1)) })]);
  const text = page.locator('.painted-text', { hasText: 'A koto' });
  await text.waitFor();
  const box = await text.boundingBox();
  const size = (box?.width ?? 0) / 600;
  const left = (box?.x ?? 0) - 300 * size;
  const stage = await page.locator('.stage').boundingBox();
  expect(Math.abs(left + 600 * size - ((stage?.x ?? 0) + (stage?.width ?? 0) / 2))).toBeLessThan(3);
  await page.keyboard.press('+');
  await expect.poll(async () => (await text.boundingBox())?.width ?? 0).toBeGreaterThan((box?.width ?? 0) * 1.2);
  expect(problems).toEqual([]);
});

it('annotations lead to pages and addresses, have pictures, and belong to collections', async () => {
  const annotation = (body: object): object => ({
    type: 'Annotation',
    motivation: 'linking',
    body,
    target: canvasId(1),
  });
  const partOf = [{ id: `${host.url}/3/manifest.json`, type: 'Manifest' }];
  add({}, [
    pageOf('1r', {
      annotations: [
        {
          type: 'AnnotationPage',
          partOf: [{ type: 'AnnotationCollection', label: { en: ['Layout'] } }],
          items: [
            annotation([
              { type: 'TextualBody', value: 'See the next page' },
              {
                type: 'SpecificResource',
                source: {
                  id: canvasId(2),
                  type: 'Canvas',
                  partOf: [{ ...partOf[0], id: `${host.url}/features.json` }],
                },
              },
            ]),
            annotation([{ type: 'SpecificResource', source: 'https://data.example/Q1' }, picture('two')]),
          ],
        },
      ],
    }),
    pageOf('1v'),
  ]);
  await page.goto(view());
  await waitUntilSettled(page);
  await page.keyboard.press('o');
  const rows = panel().locator('.annotation');
  await expect.poll(() => rows.count()).toBe(2);
  expect(await rows.nth(1).getByRole('link').getAttribute('href')).toBe('https://data.example/Q1');
  await expect
    .poll(() =>
      rows
        .nth(1)
        .locator('img')
        .evaluate((image) => (image as HTMLImageElement).naturalWidth),
    )
    .toBeGreaterThan(0);
  await panel().getByLabel('Kind').selectOption('Layout');
  await expect.poll(() => rows.count()).toBe(2);
  expect(await accessibilityViolations(page)).toEqual([]);
  await rows.nth(0).getByRole('link', { name: 'Open the page' }).click();
  await expect.poll(() => parameter('canvas')).toBe(canvasId(2));
  expect(problems).toEqual([]);
});

it('annotations of one image of a choice are there while it is seen', async () => {
  const annotations = [
    {
      type: 'AnnotationPage',
      items: [
        {
          ...{ type: 'Annotation', motivation: 'tagging', body: { type: 'TextualBody', value: 'Skulls' } },
          target: {
            type: 'SpecificResource',
            source: `${host.url}/pictures/two.png`,
            selector: { type: 'ImageApiSelector', region: '0,0,600,450', size: '1200,900' },
          },
        },
      ],
    },
  ];
  const body = { type: 'Choice', items: [picture('one'), { ...picture('two'), annotations }] };
  await open({}, [{ label: '1r', body }]);
  await page.keyboard.press('o');
  await panel()
    .getByText('This page has no annotations')
    .or(panel().locator('.annotation'))
    .or(panel().locator('[role="status"]'))
    .first()
    .waitFor();
  expect(await panel().locator('.annotation').count()).toBe(0);
  await page.keyboard.press('Shift+Y');
  await panel().locator('.annotation', { hasText: 'Skulls' }).waitFor();
  await expect.poll(() => page.locator('.annotation-shape').count()).toBe(1);
  await page.keyboard.press('Shift+Y');
  await expect.poll(() => panel().locator('.annotation').count()).toBe(0);
});

it('a content state with two pages opens both beside each other', async () => {
  add({}, [pageOf('1r'), pageOf('1v')]);
  const target = [2, 1].map((number) => ({
    id: canvasId(number),
    type: 'Canvas',
    partOf: [{ id: `${host.url}/features.json`, type: 'Manifest' }],
  }));
  const state = JSON.stringify({ type: 'Annotation', motivation: ['contentState'], target });
  await page.goto(`${app.url}/?iiif-content=${Buffer.from(encodeURIComponent(state)).toString('base64url')}`);
  await expect.poll(() => page.locator('.pane .stage-image').count()).toBe(2);
  await expect.poll(() => [parameter('1.canvas'), parameter('2.canvas')]).toEqual([canvasId(2), canvasId(1)]);
  expect(problems).toEqual([]);
});
