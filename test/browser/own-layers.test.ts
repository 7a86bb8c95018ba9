// @module-tag chromium
/** Layers of own scans by their folder's metadata: one page, a choice in its manifest, and a set of sixteen that stays fluent. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser, problemsOf, type TestBrowser } from './browser.ts';
import { stagePixels, waitUntilSettled } from './stage-pixels.ts';
import { serveFrom, type TemporaryServer } from './temporary-server.ts';

const bands = 16;
const grayOf = (band: number): number => 40 + 12 * band;
const nameOf = (band: number): string => `leaf-band-${String(band).padStart(2, '0')}`;

let server: TemporaryServer;
let browser: TestBrowser;

beforeAll(async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'lectern-layers-'));
  const folder = path.join(root, 'palimpsest');
  mkdirSync(folder);
  for (let band = 1; band <= bands; band += 1) {
    const [r, g, b] = [grayOf(band), grayOf(band), grayOf(band)];
    await sharp({ create: { width: 2400, height: 1800, channels: 3, background: { r, g, b } } })
      .tiff({ tile: true, tileWidth: 256, tileHeight: 256, pyramid: true })
      .toFile(path.join(folder, `${nameOf(band)}.tif`));
  }
  await sharp({ create: { width: 1200, height: 900, channels: 3, background: '#884422' } })
    .png()
    .toFile(path.join(folder, 'z-verso.png'));
  const list = Array.from({ length: bands }, (_, index) => `    - ${nameOf(index + 1)}: Band ${index + 1}`);
  writeFileSync(
    path.join(folder, 'metadata.yaml'),
    `label: Palimpsest\nlayers:\n  ${nameOf(1)}:\n${list.join('\n')}\n`,
  );
  server = await serveFrom(root, { library: { folders: [root] } });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

it('are one page in the folder and its manifest', async () => {
  const listing = JSON.parse((await server.app.get('/api/folder.json?fn=palimpsest')).body.toString());
  expect(listing.totalImages).toBe(2);
  expect(listing.images.map(({ name, pn }: { name: string; pn: number }) => [name, pn])).toEqual([
    [`${nameOf(1)}.tif`, 1],
    ['z-verso.png', bands + 1],
  ]);
  expect(listing.images[0].layers).toHaveLength(bands);
  expect(listing.images[0].layers[2]).toEqual({ path: `palimpsest/${nameOf(3)}.tif`, label: 'Band 3' });
  const manifest = JSON.parse((await server.app.get('/presentation/3/palimpsest/manifest.json')).body.toString());
  expect(manifest.items).toHaveLength(2);
  const choice = manifest.items[0].items[0].items[0].body;
  expect([choice.type, choice.items.length, choice.items[2].label]).toEqual(['Choice', bands, { none: ['Band 3'] }]);
});

it('load the tiles of those that are seen alone, also while the reader goes through all of them', async () => {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  const problems = problemsOf(page);
  const tiles: string[] = [];
  page.on('request', (request) => {
    const [, band] = /\/iiif\/3\/palimpsest!leaf-band-(\d\d)\.tif\/(?!info)/.exec(request.url()) ?? [];
    if (band !== undefined) tiles.push(band);
  });
  await page.goto(`${server.url}view/palimpsest/${nameOf(1)}.tif?layers=3`);
  await waitUntilSettled(page);
  expect(new Set(tiles)).toEqual(new Set(['03']));
  const grayInMiddle = async (): Promise<number> => {
    const pixels = await stagePixels(page);
    return pixels.at(pixels.width / 2, pixels.height / 2)[0];
  };
  expect(Math.abs((await grayInMiddle()) - grayOf(3))).toBeLessThan(4);
  for (let band = 4; band <= bands; band += 1) await page.keyboard.press('Shift+Y');
  await expect.poll(async () => Math.abs((await grayInMiddle()) - grayOf(bands))).toBeLessThan(4);
  // Zooming in asks for finer tiles of the layer that is seen, and of no other.
  tiles.length = 0;
  await page.keyboard.press('1');
  await expect.poll(() => tiles.length).toBeGreaterThan(0);
  expect(new Set(tiles)).toEqual(new Set([String(bands)]));
  // The panel has a small picture of each.
  await page.keyboard.press('y');
  await expect.poll(() => page.locator('.layer img').count()).toBe(bands);
  expect(problems).toEqual([]);
  await page.close();
});

it('are opened at the address of one of them, on its page', async () => {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  await page.goto(`${server.url}view/palimpsest/${nameOf(9)}.tif`);
  await page.waitForURL(new RegExp(`${nameOf(1)}\\.tif\\?(?:.*&)?layers=9`));
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.waitForURL(/z-verso\.png/);
  await page.close();
});
