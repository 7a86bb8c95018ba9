// @module-tag object-store
/**
 * A large bucket behind a delay of 30 ms for each request: how many requests pictures take, and how soon a large image is seen.
 * `LECTERN_ROBUSTNESS_THUMBNAILS` is the number of thumbnails.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { type FaultProxy, startFaultProxy } from '../s3/fault-proxy.ts';
import { pyramidOf } from '../s3/large-pyramid.ts';
import { requestedOf } from '../s3/requested.ts';
import { storeSettings } from '../s3/store-settings.ts';
import { type ObjectStore, startSwift } from '../s3/swift.ts';

const thumbnails = Number(process.env['LECTERN_ROBUSTNESS_THUMBNAILS'] ?? 1000);
const delayMs = 30;

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-large-bucket-'));
let store: ObjectStore;
let proxy: FaultProxy;
let app: RunningApp;

beforeAll(
  async () => {
    store = await startSwift();
    proxy = await startFaultProxy(store.port);
    proxy.fault = { kind: 'none', delayMs };
    await store.createBucket('large');
    await store.put('large', 'big/big.tif', await pyramidOf(10_000, 8000));
    const create = { width: 600, height: 400, channels: 3, background: 'teal' } as const;
    const scan = await sharp({ create }).jpeg().toBuffer();
    for (let from = 0; from < thumbnails; from += 10)
      await Promise.all(
        [...Array(Math.min(10, thumbnails - from)).keys()].map((index) =>
          store.put('large', `many/${String(from + index).padStart(5, '0')}.jpg`, scan),
        ),
      );
    app = await startApp({
      library: { folders: ['s3://large'] },
      cache: { directory: false },
      index: { directory: false },
      pyramids: { maxBytes: 0, automatic: false },
      objectStorage: storeSettings(scratch, proxy),
    });
  },
  600_000 + 120 * thumbnails,
);

afterAll(async () => {
  await app?.close();
  await proxy?.close();
  await store?.close();
  rmSync(scratch, { recursive: true, force: true });
});

const big = (region: string, size: string): string => `/iiif/3/big%2Fbig.tif/${region}/${size}/0/default.jpg`;

describe('a pyramid of 10,000 x 8000 pixels in a bucket', () => {
  it('is sharp in a window by few requests', async () => {
    const startMs = performance.now();
    expect((await app.get('/iiif/3/big%2Fbig.tif/info.json')).status).toBe(200);
    const infoMs = performance.now() - startMs;
    const infoRequests = proxy.takeRequests();
    // As the reading room asks for a first sight: tiles of about 1024 pixels of the level that fills the window.
    const tiles = [0, 5000].flatMap((x) => [0, 4000].map((y) => big(`${x},${y},5000,4000`, '1024,819')));
    const answers = await Promise.all(tiles.map((address) => app.get(address)));
    const ms = performance.now() - startMs;
    const requests = proxy.takeRequests();
    console.log(
      `info.json after ${Math.round(infoMs)} ms and ${infoRequests.length} requests, sharp after ${Math.round(ms)} ms and ${requests.length} more`,
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    // Its header, and its directories, which follow the pixels, each where the one before says: how far apart, differs by a run of libvips.
    expect(requestedOf(infoRequests).bytes).toBeLessThanOrEqual(5);
    // Each of the four takes its rows of stored tiles, a request for each row.
    expect(requests.length).toBeLessThanOrEqual(20);
  });

  it('costs one request for each further tile that is stored, and none for those that are cached', async () => {
    for (const [x, y] of [
      [0, 0],
      [2560, 2560],
      [5120, 5120],
    ]) {
      proxy.takeRequests();
      expect((await app.get(big(`${x},${y},256,256`, '256,256'))).status).toBe(200);
      expect(proxy.takeRequests()).toHaveLength(1);
      expect((await app.get(big(`${x},${y},256,256`, '256,256'))).status).toBe(200);
      expect(proxy.takeRequests()).toEqual([]);
    }
  });
});

describe(`a folder of ${thumbnails} scans in a bucket`, () => {
  it(
    'has cold thumbnails of at most three requests each',
    async () => {
      let next = 0;
      let wrong = 0;
      proxy.takeRequests();
      const startMs = performance.now();
      const reader = async (): Promise<void> => {
        while (next < thumbnails) {
          const { status } = await app.get(`/Scaler?fn=many&pn=${++next}&dw=120`);
          if (status !== 200) wrong++;
        }
      };
      await Promise.all([...Array(8).keys()].map(reader));
      const requests = proxy.takeRequests().length;
      console.log(`${thumbnails} thumbnails: ${requests} requests, ${Math.round(performance.now() - startMs)} ms`);
      expect(wrong).toBe(0);
      expect(requests).toBeLessThanOrEqual(3 * thumbnails);
    },
    600_000 + 120 * thumbnails,
  );
});
