// @module-tag chromium
/**
 * Notes that the reading room exports lie on the right spots in Mirador, in OpenSeadragon and in Annotorious, as these are
 * published: the file is put beside the scan, and the viewers find it through the manifest of a running server.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, serveFiles, type TestBrowser } from '../browser/browser.ts';
import { waitUntilSettled } from '../browser/stage-pixels.ts';
import { serveFrom, type TemporaryServer } from '../browser/temporary-server.ts';
import { type Box, box, disc, distanceOf, imageSize, middleOf, picture, shapesIn, triangle } from './shapes.ts';
import { packageFile, versionOf } from './viewer-packages.ts';
import { drawnBoxes, markCanvas, miradorFiles, screenshot, script } from './viewer-pages.ts';

let server: TemporaryServer;
let browser: TestBrowser;
let site: Awaited<ReturnType<typeof serveFiles>>;

/** OpenSeadragon with overlays at the boxes of the annotations, and Annotorious, which draws them itself. */
const seadragonPage = `<!doctype html><title>OpenSeadragon</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/annotorious.css"><style>html,body,#v{margin:0;width:100%;height:100%}.o{outline:2px solid #f0f}</style>
<div id="v"></div><script src="/osd.js"></script><script src="/annotorious.js"></script><script>
const of = new URLSearchParams(location.search);
const viewer = OpenSeadragon({ id: 'v', drawer: 'canvas', crossOriginPolicy: 'Anonymous', showNavigationControl: false,
  immediateRender: true, tileSources: of.get('info') });
viewer.addHandler('open', async () => {
  const { items } = await (await fetch(of.get('annotations'))).json();
  if (of.get('how') === 'annotorious') {
    const annotator = AnnotoriousOSD.createOSDAnnotator(viewer, { adapter: AnnotoriousOSD.W3CImageFormat(of.get('info')) });
    annotator.setAnnotations(items);
  } else for (const { id, target } of items) {
    const selectors = [target.selector].flat();
    const point = selectors.find(({ type }) => type === 'PointSelector');
    const fragment = selectors.find(({ type }) => type === 'FragmentSelector');
    const [x, y, w, h] = point ? [point.x - 10, point.y - 10, 20, 20] : fragment.value.slice(5).split(',').map(Number);
    const element = Object.assign(document.createElement('div'), { className: 'o' });
    viewer.addOverlay({ element, location: viewer.world.getItemAt(0).imageToViewportRectangle(x, y, w, h) });
  }
  document.title = 'shown';
});</script>`;

/** The triangle as Annotorious writes it, with a tag and a color. */
const foreignNote = {
  '@context': 'http://www.w3.org/ns/anno.jsonld',
  id: 'https://elsewhere.example/annotations/7',
  type: 'Annotation',
  body: [
    { type: 'TextualBody', purpose: 'commenting', value: 'A triangle' },
    { type: 'TextualBody', purpose: 'tagging', value: 'geometry' },
    { type: 'TextualBody', purpose: 'highlighting', value: '#ff00ff' },
  ],
  target: {
    selector: {
      type: 'SvgSelector',
      value: `<svg><polygon points="${triangle.map(({ x, y }) => `${x},${y}`).join(' ')}"></polygon></svg>`,
    },
  },
};

/** Makes notes in the reading room, imports one of another viewer, and exports all of them. */
async function exportNotes(page: Page): Promise<string> {
  const mark = `mk=${disc.x / imageSize.width}/${disc.y / imageSize.height}`;
  const numbers = [
    box.x / imageSize.width,
    box.y / imageSize.height,
    box.width / imageSize.width,
    box.height / imageSize.height,
  ];
  await page.goto(`${server.url}view/book/page1.png?${mark}&rg=${numbers.join('/')}`);
  await waitUntilSettled(page);
  await page.keyboard.press('m');
  await page.getByLabel('Text of Mark 1').fill('The disc');
  await page.getByLabel('Text of Region 1').fill('The box');
  const buffer = Buffer.from(JSON.stringify(foreignNote));
  await page.locator('.file-chooser').setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer });
  await page.getByText('1 note was added.').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as a file' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('page1.png.annotations.json');
  return readFile(await download.path(), 'utf8');
}

beforeAll(async () => {
  site = await serveFiles({
    ...miradorFiles({ sideBarPanel: 'annotations', highlightAllAnnotations: true }),
    '/seadragon': { type: 'text/html; charset=utf-8', body: seadragonPage },
    '/osd.js': script(packageFile('openseadragon', 'build/openseadragon/openseadragon.js')),
    '/annotorious.js': script(packageFile('@annotorious/openseadragon', 'dist/annotorious-openseadragon.js')),
    '/annotorious.css': {
      type: 'text/css',
      body: packageFile('@annotorious/openseadragon', 'dist/annotorious-openseadragon.css'),
    },
  });
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-viewers-'));
  mkdirSync(path.join(folder, 'book'));
  for (const name of ['page1.png', 'page2.png']) writeFileSync(path.join(folder, 'book', name), await picture());
  server = await serveFrom(folder, { library: { folders: [folder] } });
  browser = await openBrowser('in-software');
  const page = await browser.newPage({ locale: 'en', viewport: { width: 1280, height: 860 } });
  const text = await exportNotes(page);
  await page.close();
  writeFileSync(path.join(folder, 'book/page1.png.annotations.json'), text);
});
afterAll(async () => {
  await browser?.close();
  site?.close();
  await server?.close();
});

/** CSS pixels by which lines may lie beside a shape: half of their width, and rounding. */
const tolerance = 3;

async function expectOnShapes(page: Page, boxes: readonly Box[], name: string): Promise<void> {
  const shapes = await shapesIn(await screenshot(page, name));
  expect(boxes).toHaveLength(3);
  const around = (shape: Box): Box =>
    boxes.toSorted((one, other) => distanceOf(one, shape) - distanceOf(other, shape))[0] ?? shape;
  for (const shape of ['box', 'triangle'] as const) {
    expect(distanceOf(around(shapes[shape]), shapes[shape]), shape).toBeLessThanOrEqual(tolerance);
  }
  const [x, y] = middleOf(shapes.disc);
  const ring = boxes.filter((one) => Math.hypot(middleOf(one)[0] - x, middleOf(one)[1] - y) <= tolerance);
  expect(ring, 'a ring around the middle of the disc').toHaveLength(1);
}

describe(`Mirador ${versionOf('mirador')}`, () => {
  it.each([3, 2])('shows exported notes on their spots, through the manifest of version %d', async (version) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
    const manifest = `${server.url}presentation/${version}/book/manifest.json`;
    await page.goto(`${site.url}/mirador?manifest=${encodeURIComponent(manifest)}`);
    for (const text of ['The disc', 'The box', 'A triangle', 'geometry']) {
      await page.getByText(text, { exact: true }).first().waitFor();
    }
    await expect.poll(async () => (await shapesIn(await page.screenshot())).box.right).toBeGreaterThan(0);
    await page.waitForTimeout(2000);
    await markCanvas(page);
    await expectOnShapes(page, await drawnBoxes(page, '.drawn-annotations'), `mirador-${version}`);
    await page.close();
  });
});

describe(`OpenSeadragon ${versionOf('openseadragon')}`, () => {
  const open = async (how: string): Promise<Page> => {
    const page = await browser.newPage({ viewport: { width: 1000, height: 760 } });
    const query = new URLSearchParams({
      how,
      info: `${server.url}iiif/3/book!page1.png/info.json`,
      annotations: `${server.url}presentation/3/book/annotations/page1-png`,
    });
    await page.goto(`${site.url}/seadragon?${query}`);
    await page.waitForFunction(() => document.title === 'shown');
    await page.waitForTimeout(1500);
    return page;
  };
  const boxesOf = (page: Page, selector: string): Promise<readonly Box[]> =>
    page.locator(selector).evaluateAll((all) =>
      all.map((one) => {
        const { left, top, right, bottom } = one.getBoundingClientRect();
        return { left, top, right, bottom };
      }),
    );

  it('shows exported notes on their spots, as overlays at their boxes and points', async () => {
    const page = await open('overlays');
    await expectOnShapes(page, await boxesOf(page, '.o'), 'openseadragon');
    await page.close();
  });

  it(`shows exported notes on their spots with Annotorious ${versionOf('@annotorious/openseadragon')}`, async () => {
    const page = await open('annotorious');
    await expectOnShapes(page, await drawnBoxes(page, '.a9s-gl-canvas'), 'annotorious');
    await page.close();
  });
});
