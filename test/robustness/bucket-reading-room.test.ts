// @module-tag object-store
// @module-tag chromium
/**
 * The reading room in a real browser, with scans in a bucket behind a delay of 30 ms for each request: how soon a large image is
 * sharp, and how many requests a session of readers takes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, type TestBrowser } from '../browser/browser.ts';
import { waitUntilSharp } from '../browser/stage-pixels.ts';
import { directoriesFirst } from '../fixtures/files/header-first.ts';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { type FaultProxy, startFaultProxy } from '../s3/fault-proxy.ts';
import { pyramidOf } from '../s3/large-pyramid.ts';
import { requestedOf } from '../s3/requested.ts';
import { storeSettings } from '../s3/store-settings.ts';
import { type ObjectStore, startSwift } from '../s3/swift.ts';

const delayMs = 30;
/** How long a first sight may take; on a slow machine, how often the time of the next sight, which asks for no bytes. */
const sharpWithin = { ms: 2000, ofNext: 2.5 } as const;
const pages = 12;
const viewport = { width: 1600, height: 1000 } as const;

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-bucket-room-'));
let store: ObjectStore;
let proxy: FaultProxy;
let browser: TestBrowser;
const apps: RunningApp[] = [];

/** A server that has seen nothing of the bucket yet. */
async function startCold(name: string): Promise<RunningApp> {
  const app = await startApp({
    library: { folders: ['s3://scans'] },
    cache: { directory: path.join(scratch, name, 'cache') },
    index: { directory: path.join(scratch, name, 'index') },
    pyramids: { directory: path.join(scratch, name, 'pyramids') },
    objectStorage: { ...storeSettings(scratch, proxy), spoolDirectory: path.join(scratch, name) },
  });
  apps.push(app);
  proxy.takeRequests();
  return app;
}

beforeAll(async () => {
  store = await startSwift();
  proxy = await startFaultProxy(store.port);
  proxy.fault = { kind: 'none', delayMs };
  await store.createBucket('scans');
  const big = await pyramidOf(10_000, 8000);
  await store.put('scans', 'big/big.tif', big);
  await store.put('scans', 'ahead/big.tif', directoriesFirst(big));
  const page = await pyramidOf(3000, 4000);
  const picture = await sharp(page).jpeg({ quality: 95 }).toBuffer();
  for (let number = 1; number <= pages; number++) {
    const name = `p${String(number).padStart(3, '0')}`;
    await store.put('scans', `pyramids/${name}.tif`, page);
    await store.put('scans', `jpegs/${name}.jpg`, picture);
  }
  browser = await openBrowser();
}, 300_000);

afterAll(async () => {
  await browser?.close();
  for (const app of apps) await app.close();
  await proxy?.close();
  await store?.close();
  rmSync(scratch, { recursive: true, force: true });
});

/** The ms from the navigation until the image is sharp. */
const sharpMs = (page: Page): Promise<number> =>
  page.evaluate(() => performance.getEntriesByName('lectern:sharp')[0]?.startTime ?? Number.POSITIVE_INFINITY);

describe('a pyramid of 10,000 x 8000 pixels in the reading room', () => {
  it('is sharp within 2 s at its first sight, and then takes one request for each new tile and none for known ones', async () => {
    const app = await startCold('big');
    const page = await browser.newPage({ viewport });
    await page.goto(`${app.url}/view/big/big.tif`);
    await waitUntilSharp(page);
    const ms = await sharpMs(page);
    const first = requestedOf(proxy.takeRequests());
    // The file itself is asked for twice before the first tile of it.
    expect(first.bytes).toBeLessThanOrEqual(2 + 8);

    const tile = (x: number): string => `/iiif/3/big%2Fbig.tif/${x},2560,256,256/256,256/0/default.jpg`;
    for (const x of [0, 2560, 5120]) {
      expect((await app.get(tile(x))).status).toBe(200);
      expect(proxy.takeRequests()).toHaveLength(1);
      expect((await app.get(tile(x))).status).toBe(200);
      expect(proxy.takeRequests()).toEqual([]);
    }

    await page.close();
    const again = await browser.newPage({ viewport });
    await again.goto(`${app.url}/view/big/big.tif`);
    await waitUntilSharp(again);
    expect(requestedOf(proxy.takeRequests()).bytes).toBe(0);
    const nextMs = await sharpMs(again);
    console.log(
      `sharp after ${Math.round(ms)} ms by ${JSON.stringify(first)}, the next time after ${Math.round(nextMs)} ms`,
    );
    expect(ms).toBeLessThan(Math.max(sharpWithin.ms, sharpWithin.ofNext * nextMs));
    await again.close();
  });

  it.each([
    ['ahead', 2, 'precede its pixels'],
    // The head says where the first one is, and each where the next one is; how far apart they are, differs by a run of libvips.
    ['big', 6, 'follow its pixels'],
  ])(
    'in folder %s takes at most %d requests for the first tile that a server sees of it: its directories %s',
    async (folder, count) => {
      const app = await startCold(`tile-${folder}`);
      expect((await app.get(`/iiif/3/${folder}%2Fbig.tif/2560,2560,256,256/256,256/0/default.jpg`)).status).toBe(200);
      expect(requestedOf(proxy.takeRequests()).bytes).toBeLessThanOrEqual(count);
    },
  );
});

/** One reader opens a folder, then each page of it, and enlarges it twice. */
async function readBook(app: RunningApp, folder: string, extension: string): Promise<void> {
  const page = await browser.newPage({ viewport });
  await page.goto(`${app.url}/browse/${folder}`, { waitUntil: 'networkidle' });
  for (let number = 1; number <= pages; number++) {
    await page.goto(`${app.url}/view/${folder}/p${String(number).padStart(3, '0')}.${extension}`);
    await waitUntilSharp(page);
    for (let step = 0; step < 2; step++) {
      await page.keyboard.press('+');
      await page.waitForTimeout(700);
    }
    await page.waitForLoadState('networkidle');
  }
  await page.close();
}

describe('a reader who opens a folder of 12 pages and each page, and enlarges it twice', () => {
  for (const [folder, extension, mostBytes] of [
    ['pyramids', 'tif', 40],
    ['jpegs', 'jpg', 8],
  ] as const)
    it(`takes few requests where the scans are ${folder}, and none of them twice`, async () => {
      const app = await startCold(folder);
      await readBook(app, folder, extension);
      const asked = proxy.takeRequests();
      const first = requestedOf(asked);
      await readBook(app, folder, extension);
      const askedAgain = proxy.takeRequests();
      const second = requestedOf(askedAgain);
      const perThousand = Object.entries(first).map(([kind, count]) => `${Math.round((1000 * count) / pages)} ${kind}`);
      console.log(`a thousand views of ${folder}: ${perThousand.join(', ')}; again ${JSON.stringify(second)}`);
      expect(first.bytes).toBeLessThanOrEqual(mostBytes * pages);
      // A slow browser sees some tiles at the second time only.
      expect(askedAgain.filter((request) => request.includes('bytes=') && asked.includes(request))).toEqual([]);
    });
});
