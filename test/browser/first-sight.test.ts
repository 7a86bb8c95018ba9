// @module-tag chromium
/** The requests of a first sight of a large image with stored tiles, and those of a part of it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { openBrowser, type TestBrowser } from './browser.ts';
import { gradient } from './gradients.ts';
import { stagePixels, waitUntilSharp } from './stage-pixels.ts';

const full = { width: 4000, height: 3000 };

let folder: string;
let app: RunningApp;
let browser: TestBrowser;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'lectern-first-sight-'));
  await gradient(full.width, full.height)
    .tiff({ tile: true, tileWidth: 256, tileHeight: 256, pyramid: true, compression: 'jpeg', quality: 90 })
    .toFile(path.join(folder, 'map.tif'));
  app = await startApp({ library: { folders: [folder] } });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Sight {
  /** The sizes of the requested tiles, as in their addresses. */
  readonly sizes: readonly string[];
  readonly pixels: Awaited<ReturnType<typeof stagePixels>>;
}

async function see(query: string, viewport: { readonly width: number; readonly height: number }): Promise<Sight> {
  const page = await browser.newPage({ viewport });
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  await page.goto(`${app.url}/view/map.tif${query}`);
  await waitUntilSharp(page);
  const tiles = addresses.filter((address) => /\/iiif\/3\/.*\/default\.jpg(?:\?|$)/.test(address));
  const pixels = await stagePixels(page);
  await page.close();
  return { sizes: tiles.map((address) => address.split('/').at(-3) ?? ''), pixels };
}

it('takes few, large tiles, and shows the whole image', async () => {
  const { sizes, pixels } = await see('', { width: 1600, height: 1000 });
  // 48 tiles of 256 pixels of the half size, after 12 of the quarter.
  expect(sizes.length).toBeLessThanOrEqual(5);
  expect(sizes).toContain('1024,1024');
  // Red grows to the right and green downward, each from 20 to 230.
  const width = (pixels.height * full.width) / full.height;
  for (const [x, y] of [
    [0.1, 0.2],
    [0.5, 0.5],
    [0.6, 0.9],
    [0.9, 0.1],
  ] as const) {
    const [red, green] = pixels.at(pixels.width / 2 + (x - 0.5) * width, pixels.height * y);
    expect(Math.abs(red - (20 + 210 * x))).toBeLessThan(4);
    expect(Math.abs(green - (20 + 210 * y))).toBeLessThan(4);
  }
});

it('takes the stored tiles of an enlarged part', async () => {
  const { sizes } = await see('?mo=clip&wx=0.4&wy=0.4', { width: 1000, height: 700 });
  expect(sizes.length).toBeGreaterThan(5);
  expect(new Set(sizes)).toEqual(new Set(['256,256']));
});
