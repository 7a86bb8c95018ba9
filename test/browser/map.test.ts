// @module-tag chromium
/** Images on a map: placed by a georeference beside the scan, made by control points, and over a base map of the site. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Download, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp } from '../protocol/running-app.ts';
import { accessibilityViolations } from './accessibility.ts';
import { setUpBrowser } from './browser-pages.ts';
import { dots, type Point, picture, size } from './dot-images.ts';
import { serveFrom } from './temporary-server.ts';

/** Where a place lies in the square of Web Mercator, in fractions. */
function toWorld(lat: number, lon: number): Point {
  const y = Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) / (2 * Math.PI);
  return { x: lon / 360 + 0.5, y: 0.5 - y };
}

const toPlace = ({ x, y }: Point): readonly [lat: number, lon: number] => [
  (Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * 180) / Math.PI,
  (x - 0.5) * 360,
];

const origin = toWorld(52.6, 13);

/** The pixels of the image as they lie on the map: turned, and a pixel is 1e-7 of the square. */
const affine = ({ x, y }: Point): Point => ({ x: origin.x + (x - 0.3 * y) * 1e-7, y: origin.y + (0.3 * x + y) * 1e-7 });

/** The same with a bend that a spline follows. */
const bent = (point: Point): Point => ({
  x: affine(point).x,
  y: affine(point).y + Math.sin((point.x / size.width) * Math.PI) * 2e-5,
});

const grid = [0, 150, 300, 450, 600, 750, 900, 1050, 1200].flatMap((x) => [0, 450, 900].map((y) => ({ x, y })));

const georeference = (map: (point: Point) => Point, points: readonly Point[], type: object): object => ({
  type: 'Annotation',
  motivation: 'georeferencing',
  target: {
    type: 'SpecificResource',
    source: { id: 'https://elsewhere.example/1', type: 'ImageService3', ...size },
    selector: { type: 'SvgSelector', value: '<svg><polygon points="0,0 1200,0 1200,900 0,900"/></svg>' },
  },
  body: {
    type: 'FeatureCollection',
    transformation: type,
    features: points.map((point) => {
      const [lat, lon] = toPlace(map(point));
      return {
        type: 'Feature',
        properties: { resourceCoords: [point.x, point.y] },
        geometry: { type: 'Point', coordinates: [lon, lat] },
      };
    }),
  },
});

const corners = [
  { x: 0, y: 0 },
  { x: 1200, y: 0 },
  { x: 0, y: 900 },
  { x: 1200, y: 900 },
];

/** A host of tiles, which counts them. */
let tiles: http.Server;
let tileUrl: string;
const asked: string[] = [];
let withBase: Awaited<ReturnType<typeof startApp>>;

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-map-'));

const session = setUpBrowser(async () => {
  mkdirSync(path.join(folder, 'maps'));
  const file = await picture().png().toBuffer();
  for (const name of ['bent', 'plain', 'sheet']) writeFileSync(path.join(folder, `maps/${name}.png`), file);
  const write = (name: string, value: object): void =>
    writeFileSync(path.join(folder, `maps/${name}.georef.json`), JSON.stringify(value));
  write('sheet', georeference(affine, corners, { type: 'polynomial', options: { order: 1 } }));
  write('bent', georeference(bent, grid, { type: 'thinPlateSpline' }));
  return serveFrom(folder, { library: { folders: [folder] } });
});

beforeAll(async () => {
  const tile = await sharp({ create: { width: 256, height: 256, channels: 3, background: '#b0c4de' } })
    .png()
    .toBuffer();
  tiles = http.createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'image/png' }).end(tile);
  });
  await new Promise<void>((resolve) => tiles.listen(0, '127.0.0.1', resolve));
  const address = tiles.address();
  tileUrl = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const baseMap = { tiles: `${tileUrl}/{z}/{x}/{y}.png`, attribution: 'Survey of nowhere', maxZoom: 17 };
  withBase = await startApp({ library: { folders: [folder] }, readingRoom: { baseMap } });
});
afterAll(async () => {
  await withBase?.close();
  tiles?.close();
});

const pane = '.map-pane:not(.image-pane)';

const untilDrawn = (page: Page): Promise<void> => page.locator(`${pane}[data-sharp="true"]`).waitFor();

/** The middle of the pixels of a color on a canvas of the map, in CSS pixels of its window; undefined for none. */
const middleOf = (page: Page, channel: 0 | 1 | 2): Promise<Point | undefined> =>
  page.evaluate((wanted) => {
    const canvas = document.querySelector<HTMLCanvasElement>('.map-sheet');
    const context = canvas?.getContext('2d');
    if (!canvas || !context || canvas.width === 0) return undefined;
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let [count, x, y] = [0, 0, 0];
    for (let at = 0; at < data.length; at += 4) {
      const others = [0, 1, 2].filter((one) => one !== wanted).map((one) => data[at + one] ?? 255);
      if ((data[at + wanted] ?? 0) < 180 || others.some((value) => value > 90)) continue;
      count += 1;
      x += (at / 4) % canvas.width;
      y += Math.floor(at / 4 / canvas.width);
    }
    const scale = canvas.width / canvas.clientWidth;
    return count === 0 ? undefined : { x: (x / count + 0.5) / scale, y: (y / count + 0.5) / scale };
  }, channel);

const zoom = 13;

/** An address by which the middle of a sheet is in the middle of the window. */
function addressOf(name: string, map: (point: Point) => Point, more = ''): string {
  const [lat, lon] = toPlace(map({ x: 600, y: 450 }));
  return `view/maps/${name}.png?layout=map&map=${zoom}/${lat.toFixed(7)}/${lon.toFixed(7)}${more}`;
}

/** How far each dot is from where a map puts it, in CSS pixels. */
async function distances(page: Page, map: (point: Point) => Point): Promise<readonly number[]> {
  const window = await page.locator(`${pane} .map-window`).boundingBox();
  const side = 256 * 2 ** zoom;
  const center = map({ x: 600, y: 450 });
  const found: number[] = [];
  for (const [channel, dot] of [
    [0, dots.red],
    [1, dots.green],
    [2, dots.blue],
  ] as const) {
    const at = await middleOf(page, channel);
    const world = map(dot);
    const wanted = {
      x: (window?.width ?? 0) / 2 + (world.x - center.x) * side,
      y: (window?.height ?? 0) / 2 + (world.y - center.y) * side,
    };
    found.push(at === undefined ? Number.POSITIVE_INFINITY : Math.hypot(at.x - wanted.x, at.y - wanted.y));
  }
  return found;
}

const farthest = async (page: Page, map: (point: Point) => Point): Promise<number> =>
  Math.max(...(await distances(page, map)));

describe('an image with a georeference', () => {
  it('lies on the map where its points say, over a grid, and no other host is asked', async () => {
    const page = await session.open('view/maps/sheet.png');
    const hosts = new Set<string>();
    page.on('request', (request) => {
      if (/^https?:/.test(request.url())) hosts.add(new URL(request.url()).host);
    });
    await page.getByRole('button', { name: 'On a map' }).first().click();
    await untilDrawn(page);
    await expect.poll(() => page.url()).toContain('layout=map');
    await page.getByText('No base map is set up here').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.goto(session.url() + addressOf('sheet', affine));
    await untilDrawn(page);
    await expect.poll(() => farthest(page, affine)).toBeLessThan(2);
    expect([...hosts]).toEqual([new URL(session.url()).host]);
  });

  it('is bent where its points say so', async () => {
    const page = await session.open(addressOf('bent', bent));
    await untilDrawn(page);
    await expect.poll(() => farthest(page, bent)).toBeLessThan(2);
    // The plain transformation of the same points misses some of them by several pixels.
    await page.getByLabel('Transformation').selectOption('polynomial1');
    await expect.poll(() => page.url()).toContain('warp=polynomial1');
    await expect.poll(() => farthest(page, bent)).toBeGreaterThan(4);
    await page.getByLabel('Transformation').selectOption('thinPlateSpline');
    await expect.poll(() => farthest(page, bent)).toBeLessThan(2);
  });

  it('has opacity and place in the address, says where the pointer is, and is moved by keys', async () => {
    const page = await session.open(addressOf('sheet', affine, '&opacity=40'));
    await untilDrawn(page);
    const sheet = page.locator('.map-sheet');
    await expect.poll(() => sheet.evaluate((canvas) => getComputedStyle(canvas).opacity)).toBe('0.4');
    await page.getByRole('slider', { name: 'Opacity' }).fill('70');
    await expect.poll(() => page.url()).toContain('opacity=70');
    const window = page.getByRole('application');
    const box = await window.boundingBox();
    await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2);
    const place = page.locator('.map-place');
    await expect.poll(() => place.textContent()).toMatch(/Pixel of the image: (?:599|600), (?:449|450)/);
    const [lat] = toPlace(affine({ x: 600, y: 450 }));
    await expect.poll(() => place.textContent()).toContain(`Place: ${lat.toFixed(3)}`);
    await page.getByRole('img', { name: /^Scale: \d+/ }).waitFor();
    await window.focus();
    const before = page.url();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.url()).not.toBe(before);
    await page.keyboard.press('+');
    await expect.poll(() => page.url()).toContain('map=13.5/');
    await page.keyboard.press('Escape');
    await page.locator('.stage-image').waitFor();
  });
});

const typePoint = async (page: Page, point: Point, [lat, lon]: readonly [number, number]): Promise<void> => {
  await page.getByLabel('New point: pixels x, y').fill(`${point.x}, ${point.y}`);
  await page.getByLabel('New point: latitude, longitude').fill(`${lat.toFixed(7)}, ${lon.toFixed(7)}`);
  await page.keyboard.press('Enter');
};

const rows = (page: Page) => page.locator('.point-list tbody tr');

const textOf = async (download: Download): Promise<string> => readFileSync(await download.path(), 'utf8');

async function saved(page: Page, name: string): Promise<{ readonly file: string; readonly text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
  return { file: download.suggestedFilename(), text: await textOf(download) };
}

describe('control points', () => {
  it('are typed by the keyboard alone, listed with their errors, undone, kept and saved', async () => {
    const page = await session.open('view/maps/plain.png?layout=map');
    await page.getByText('This image has no place on the map yet.').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.locator('.map-empty').getByRole('button', { name: 'Control points' }).press('Enter');
    for (const [index, corner] of corners.entries()) {
      // The last one is placed wrongly, 1e-6 of the square from where it belongs.
      const { x, y } = affine(corner);
      await typePoint(page, corner, toPlace(index === 3 ? { x: x + 1e-6, y } : { x, y }));
      await expect.poll(() => rows(page).count()).toBe(index + 1);
    }
    await untilDrawn(page);
    // A quarter of the error at each of four points of a parallelogram: 40 m at the equator, here about 24.
    await expect.poll(() => page.locator('.rms').textContent()).toMatch(/Error of all points \(RMS\): 6\.\d\sm/);
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect.poll(() => rows(page).count()).toBe(3);
    await expect.poll(() => page.locator('.rms').textContent()).toMatch(/: 0(?:\.0+)?\sm/);
    await page.getByRole('button', { name: 'Redo' }).press('Enter');
    await page.getByRole('button', { name: 'Delete point 4' }).press('Enter');
    await expect.poll(() => rows(page).count()).toBe(3);
    await page.reload();
    await expect.poll(() => rows(page).count()).toBe(3);
    const annotation = await saved(page, 'Annotation (IIIF Georeference)');
    expect(annotation.file).toBe('plain.georef.json');
    const canvas = `${session.url()}presentation/3/maps/canvas/plain-png`;
    expect(JSON.parse(annotation.text)).toMatchObject({
      items: [
        {
          motivation: 'georeferencing',
          target: { source: { id: canvas, type: 'Canvas', ...size } },
          body: { transformation: { type: 'polynomial', options: { order: 1 } }, features: [{}, {}, {}] },
        },
      ],
    });
    const points = await saved(page, 'Points for QGIS');
    expect(points.file).toBe('plain.png.points');
    expect(points.text.split('\n')[2]).toMatch(/^13\.0\d+,52\.\d+,1200,0,1$/);
    const geoJson = JSON.parse((await saved(page, 'GeoJSON')).text);
    expect(geoJson.features).toHaveLength(4);
    await page.getByRole('button', { name: 'Delete all points' }).press('Enter');
    await expect.poll(() => rows(page).count()).toBe(0);
    await page
      .locator('.file-chooser')
      .last()
      .setInputFiles({
        name: 'plain.georef.json',
        mimeType: 'application/json',
        buffer: Buffer.from(annotation.text),
      });
    await expect.poll(() => rows(page).count()).toBe(3);
  });

  it('are set on the image and on the map, by the pointer and at the cross', async () => {
    const page = await session.open(addressOf('plain', affine, '&points=1'));
    const image = page.locator('.image-pane [role="application"]');
    const map = page.locator(`${pane} [role="application"]`);
    await image.waitFor();
    // The image is placed once it has loaded; its middle is the cross then.
    await image.focus();
    await expect
      .poll(async () => {
        await page.keyboard.press('Enter');
        return page.getByLabel('New point: pixels x, y').inputValue();
      })
      .toMatch(/^(?:599|600)(?:\.\d)?, (?:449|450)(?:\.\d)?$/);
    await map.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByText('Point 1 is set.').waitFor({ state: 'attached' });
    const [lat, lon] = toPlace(affine({ x: 600, y: 450 }));
    const typed = page.getByLabel('Point 1: latitude, longitude');
    await expect.poll(async () => (await typed.inputValue()).split(', ').map(Number)[0]).toBeCloseTo(lat, 4);
    await expect.poll(async () => (await typed.inputValue()).split(', ').map(Number)[1]).toBeCloseTo(lon, 4);
    await map.click({ position: { x: 60, y: 50 } });
    await image.click({ position: { x: 90, y: 120 } });
    await expect.poll(() => rows(page).count()).toBe(2);
    await page.getByLabel('Point 2: pixels x, y').fill('not a number');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.getByLabel('Point 2: pixels x, y').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Point 2: pixels x, y').fill('10, 20');
    await page.keyboard.press('Tab');
    await page.reload();
    await expect.poll(() => page.getByLabel('Point 2: pixels x, y').inputValue()).toBe('10, 20');
  });

  it('are taken over from a georeference, and are shown in its place or beside it', async () => {
    const page = await session.open(addressOf('sheet', affine, '&points=1'));
    await page.getByRole('button', { name: 'Begin with the given points' }).click();
    await expect.poll(() => rows(page).count()).toBe(4);
    await page.getByLabel('As it is given').check();
    await expect.poll(() => page.url()).toContain('georef=1');
    await page.getByLabel('By my points').check();
    await expect.poll(() => page.url()).not.toContain('georef=1');
    await page.getByLabel('Transformation').selectOption('helmert');
    await page.locator('.rms').waitFor();
  });
});

describe('a base map', () => {
  it('is asked for tiles only once a map is open, and is named', async () => {
    const page = await session.open('view/maps/sheet.png');
    await page.goto(`${withBase.url}/view/maps/sheet.png`);
    await page.waitForFunction(() => performance.getEntriesByName('lectern:sharp').length > 0);
    expect(asked).toEqual([]);
    await page.getByRole('button', { name: 'On a map' }).first().click();
    await untilDrawn(page);
    await expect.poll(() => asked.length).toBeGreaterThan(3);
    expect(asked.every((address) => /^\/\d+\/\d+\/\d+\.png$/.test(address))).toBe(true);
    await page.getByText('Survey of nowhere').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});

describe('on small screens and with forced colors', () => {
  it.each([
    ['a phone', { viewport: { width: 390, height: 780 } }],
    ['forced colors', { forcedColors: 'active' as const }],
    ['dark', { colorScheme: 'dark' as const }],
  ])('%s: nothing is cut off, and axe finds nothing', async (_name, options) => {
    const page = await session.open(addressOf('sheet', affine, '&points=1'), options);
    await page.getByRole('button', { name: 'Begin with the given points' }).click();
    await untilDrawn(page);
    await expect.poll(() => rows(page).count()).toBe(4);
    expect(await accessibilityViolations(page)).toEqual([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  });
});
