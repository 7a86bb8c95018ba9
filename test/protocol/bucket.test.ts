// @module-tag object-store
/** A bucket behind a proxy that counts requests and fails: what a server asks of it, and what its visitors get. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { type Fault, type FaultProxy, startFaultProxy } from '../s3/fault-proxy.ts';
import { requestedOf } from '../s3/requested.ts';
import { storeSettings } from '../s3/store-settings.ts';
import { type ObjectStore, startSwift, storeKey } from '../s3/swift.ts';
import { type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-bucket-'));
const local = path.join(scratch, 'folder');

let store: ObjectStore;
let proxy: FaultProxy;
let app: RunningApp;

/** A pyramid of 3000 x 2000 pixels in tiles of 256, with noise so that its levels are not trivially small. */
async function pyramid(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const image = sharp({ create: { width: 3000, height: 2000, channels: 3, background: 'gray', noise } });
  return image
    .tiff({ tile: true, pyramid: true, tileWidth: 256, tileHeight: 256, compression: 'jpeg', quality: 85 })
    .toBuffer();
}

const scan = (value: number): Promise<Buffer> =>
  sharp({ create: { width: 300, height: 200, channels: 3, background: { r: value, g: 100, b: 50 } } })
    .jpeg()
    .toBuffer();

/** Nothing is cached on disk but copies, so that each app starts cold. */
const settings = (given: SettingsInput = {}): SettingsInput => ({
  cache: { directory: false },
  index: { directory: false },
  pyramids: { maxBytes: 0, automatic: false },
  ...given,
  library: { folders: ['s3://scans/books'], virtualFolders: [{ link: 'here', folder: local }], ...given.library },
  objectStorage: { ...storeSettings(scratch, proxy), ...given.objectStorage },
});

beforeAll(async () => {
  store = await startSwift();
  proxy = await startFaultProxy(store.port);
  await store.createBucket('scans');
  const tiled = await pyramid();
  await store.put('scans', 'books/pyramid.tif', tiled);
  for (let page = 1; page <= 12; page++) await store.put('scans', `books/one/p${page}.jpg`, await scan(page * 10));
  await store.put('scans', 'books/closed/.keep', '');
  await store.put('scans', 'books/closed/p1.jpg', await scan(250));
  mkdirSync(local);
  writeFileSync(path.join(local, 'pyramid.tif'), tiled);
  writeFileSync(path.join(local, 'mine.jpg'), await scan(7));
}, 180_000);

afterAll(async () => {
  await proxy?.close();
  await store?.close();
  rmSync(scratch, { recursive: true, force: true });
});

afterEach(async () => {
  proxy.fault = { kind: 'none' };
  await app?.close();
});

const tile = (x: number, y: number): string => `/iiif/3/pyramid.tif/${x},${y},256,256/256,256/0/default.jpg`;
const readsOf = (requests: readonly string[]): readonly string[] =>
  requests.filter((request) => request.includes('bytes='));

describe('requests to a bucket', () => {
  it('are two at the first sight of a pyramid beside the listing, one for a further tile, none for one that is cached', async () => {
    app = await startApp(settings());
    await app.get('/api/folder.json');
    proxy.takeRequests();
    expect((await app.get(tile(0, 0))).status).toBe(200);
    const first = proxy.takeRequests();
    expect(readsOf(first).length).toBeLessThanOrEqual(2);
    expect((await app.get(tile(512, 256))).status).toBe(200);
    expect(readsOf(proxy.takeRequests())).toHaveLength(1);
    expect((await app.get(tile(512, 256))).status).toBe(200);
    expect(proxy.takeRequests()).toEqual([]);
  });

  it('are at most three for each thumbnail of a folder', async () => {
    app = await startApp(settings());
    await app.get('/api/dlInfo-json.jsp?fn=one');
    proxy.takeRequests();
    for (let page = 1; page <= 12; page++) {
      const thumbnail = await app.get(`/Scaler?fn=one&pn=${page}&dw=100`);
      expect(thumbnail.status).toBe(200);
      expect((await sharp(thumbnail.body).metadata()).width).toBe(100);
    }
    expect(proxy.takeRequests().length).toBeLessThanOrEqual(12 * 3);
  });

  it.each([0, 1])(
    'read the tiles of a region alone, for the same picture as from a folder, in %i processes',
    async (processes) => {
      const regions = ['100,100,700,500/350,', '0,0,3000,2000/90,', '2900,1900,100,100/77,', '1000,0,2000,2000/400,'];
      const spoolDirectory = mkdtempSync(path.join(scratch, 'spool-'));
      app = await startApp(settings({ objectStorage: { spoolDirectory }, render: { processes } }));
      for (const region of regions) {
        const remote = await app.get(`/iiif/3/pyramid.tif/${region}/0/default.jpg`);
        const here = await app.get(`/iiif/3/here%2Fpyramid.tif/${region}/0/default.jpg`);
        expect([remote.status, here.status]).toEqual([200, 200]);
        expect(remote.body.equals(here.body), region).toBe(true);
      }
      expect(readdirSync(spoolDirectory)).not.toContain('lectern-copies');
    },
  );

  it('are shared by all who ask for the same file at the same time', async () => {
    app = await startApp(settings());
    await app.get('/api/dlInfo-json.jsp?fn=one');
    proxy.takeRequests();
    const answers = await Promise.all(
      [...Array(20).keys()].map((index) => app.get(`/Scaler?fn=one&pn=5&dw=${100 + index}`)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(readsOf(proxy.takeRequests()).length).toBeLessThanOrEqual(2);
  });
});

describe('a bucket', () => {
  it('is served beside folders, with their listings, facts, manifests and originals', async () => {
    app = await startApp(settings());
    const folder = JSON.parse(String((await app.get('/api/folder.json')).body));
    expect(JSON.stringify(folder)).toMatch(/"here".*"one"/);
    const info = JSON.parse(String((await app.get('/iiif/3/one%2Fp2.jpg/info.json')).body));
    expect([info.width, info.height]).toEqual([300, 200]);
    expect((await app.get('/iiif/3/here%2Fmine.jpg/info.json')).status).toBe(200);
    const manifest = JSON.parse(String((await app.get('/presentation/3/one/manifest.json')).body));
    expect(manifest.items).toHaveLength(12);
    const original = await app.get('/Scaler?fn=one/p3.jpg&mo=rawfile');
    expect(original.body.equals(await scan(30))).toBe(true);
  });

  it('sends an original whole whose parts take longer than a request waits for an answer', async () => {
    const long = Buffer.alloc(7 * 2 ** 20, await scan(60));
    await store.put('scans', 'books/long/p1.jpg', long);
    app = await startApp(settings());
    expect((await app.get('/iiif/3/long%2Fp1.jpg/info.json')).status).toBe(200);
    proxy.fault = { kind: 'none', delayMs: 800 };
    const original = await app.get('/Scaler?fn=long/p1.jpg&mo=rawfile');
    expect(original.body.equals(long)).toBe(true);
  });

  it('obeys the rules of access', async () => {
    app = await startApp(settings({ access: { paths: [{ path: 'closed', roles: ['staff'] }] } }));
    expect((await app.get('/iiif/3/closed%2Fp1.jpg/info.json')).status).toBeGreaterThanOrEqual(401);
    expect((await app.get('/iiif/3/one%2Fp1.jpg/info.json')).status).toBe(200);
  });

  it('shows another version of an image after the time for it, and at once where its bytes are read', async () => {
    app = await startApp(settings());
    await store.put('scans', 'books/one/p12.jpg', await scan(120));
    expect((await app.get('/Scaler?fn=one&pn=12&dw=50')).status).toBe(200);
    await store.put('scans', 'books/one/p12.jpg', await scan(200));
    const original = await app.get('/Scaler?fn=one/p12.jpg&mo=rawfile');
    expect([200, 503]).toContain(original.status);
    const again = await app.get('/Scaler?fn=one/p12.jpg&mo=rawfile');
    expect(again.body.equals(await scan(200))).toBe(true);
  });

  it('is never listed where the settings say so', async () => {
    proxy.takeRequests();
    app = await startApp(settings({ objectStorage: { list: false } }));
    for (const name of ['one%2Fp1.jpg', 'one%2Fp2', 'pyramid'])
      expect((await app.get(`/iiif/3/${name}/info.json`)).status).toBe(200);
    expect((await app.get('/iiif/3/none/info.json')).status).toBe(404);
    const folder = await app.get('/api/folder.json?fn=one');
    expect([folder.status, String(folder.body)]).toEqual([404, expect.stringMatching(/folders are not listed/)]);
    expect(requestedOf(proxy.takeRequests()).lists).toBe(0);
  });

  it('that refuses the key is named at start, without the key', async () => {
    const secretAccessKeyFile = path.join(scratch, 'wrong');
    writeFileSync(secretAccessKeyFile, 'another');
    const wrong = settings({ objectStorage: { secretAccessKeyFile } });
    await expect(startApp(wrong)).rejects.toThrow(/^the object store refuses the key for the bucket scans$/);
    const unlisted = settings({ objectStorage: { secretAccessKeyFile, list: false } });
    await expect(startApp(unlisted)).rejects.toThrow(/^the object store refuses the key for the bucket scans$/);
    await expect(startApp(settings({ objectStorage: { region: 'eu-elsewhere-1' } }))).rejects.toThrow(
      /^the bucket scans is in another region; set objectStorage\.region$/,
    );
    await expect(startApp(settings({ objectStorage: { endpoint: undefined, region: undefined } }))).rejects.toThrow(
      /^there is no region for the bucket scans; set objectStorage\.region or the environment of the AWS SDK$/,
    );
    const missing = settings({ library: { folders: ['s3://nothing-here'] } });
    await expect(startApp(missing)).rejects.toThrow(/^there is no bucket nothing-here$/);
    app = await startApp(settings());
  });
});

const faults: readonly (readonly [string, Fault, number])[] = [
  ['does not answer', { kind: 'stalled' }, 504],
  ['sends a byte a second', { kind: 'slow-body' }, 504],
  ['ends connections', { kind: 'reset' }, 502],
  ['cuts its answers', { kind: 'cut' }, 502],
  ['ignores ranges', { kind: 'ignored-range' }, 502],
  ['sends answers of another length', { kind: 'wrong-length' }, 502],
  ['answers 500', { kind: 'status', status: 500 }, 502],
  ['answers 503', { kind: 'status', status: 503 }, 503],
  ['refuses the key', { kind: 'status', status: 403 }, 502],
  ['sends bytes of another version', { kind: 'other-etag' }, 503],
];

/** What needs the store, each in another way. */
const addresses = [
  '/iiif/3/one%2Fp1.jpg/info.json',
  '/iiif/2/one%2Fp2.jpg/full/50,/0/default.jpg',
  '/Scaler?fn=one/p3.jpg&dw=50',
  '/Scaler?fn=one/p3&dw=50&mo=errtxt',
  '/Scaler?fn=one/p4.jpg&mo=rawfile',
  '/Scaler?fn=one&pn=5&dw=50',
  '/api/dlInfo-json.jsp?fn=one&pn=6',
  '/api/folder.json?fn=one',
  '/presentation/3/one/manifest.json',
];

describe('a store that', () => {
  it.each(faults)('%s gives an error in time, and other folders go on', async (_, fault, expected) => {
    app = await startApp(settings());
    expect((await app.get('/iiif/3/pyramid.tif/info.json')).status).toBe(200);
    expect((await app.get(tile(0, 0))).status).toBe(200);
    proxy.fault = fault;
    const startMs = performance.now();
    const failing = [tile(1024, 512), tile(1280, 512), tile(1024, 768)].map(async (address) => {
      const answer = await app.get(address);
      const { status, headers, body } = answer;
      return { status, retryAfter: headers['retry-after'], text: String(body), ms: performance.now() - startMs };
    });
    const other = await app.get('/iiif/3/here%2Fmine.jpg/full/max/0/default.jpg');
    expect(other.status).toBe(200);
    expect((await app.get(tile(0, 0))).status).toBe(200);
    for (const { status, retryAfter, text, ms } of await Promise.all(failing)) {
      expect(status, text).toBe(expected);
      expect(retryAfter).toMatch(/^[1-9]\d*$/);
      // Another version is looked for again and again, by requests that are answered.
      expect(ms).toBeLessThan(fault.kind === 'other-etag' ? 15_000 : 5500);
      expect(text).not.toMatch(/s3:|scans|127\.0\.0\.1|tester/);
    }
    proxy.fault = { kind: 'none' };
    await expect.poll(async () => (await app.get(tile(1024, 512))).status).toBe(200);
    expect(app.logLines.join('\n')).not.toContain(storeKey.secretAccessKey);
  });

  it.each([
    ['does not answer', { kind: 'stalled' }, 504],
    ['ends connections', { kind: 'reset' }, 502],
    ['is saturated', { kind: 'status', status: 503 }, 503],
  ] as const)('%s is told so at each address, with the time to ask again', async (_, fault, expected) => {
    app = await startApp(settings());
    proxy.fault = fault;
    const answers = await Promise.all(
      addresses.map(async (address) => {
        const { status, headers } = await app.get(address);
        return `${address} ${status} ${/^[1-9]\d*$/.test(headers['retry-after'] ?? '')}`;
      }),
    );
    expect(answers).toEqual(addresses.map((address) => `${address} ${expected} true`));
  });

  it('fails for one object answers for all others', async () => {
    app = await startApp(settings());
    proxy.fault = { kind: 'status', status: 500, only: 'pyramid.tif' };
    for (let x = 0; x < 12; x++) expect((await app.get(tile(256 * x, 0))).status).toBe(502);
    for (let page = 1; page <= 12; page++)
      expect((await app.get(`/Scaler?fn=one/p${page}.jpg&dw=60`)).status).toBe(200);
  });

  it('is slow, but sends all the time, is awaited: 4 MiB a second', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const image = sharp({ create: { width: 3000, height: 2400, channels: 3, background: 'gray', noise } });
    const large = await image.jpeg({ quality: 92 }).toBuffer();
    expect(large.length).toBeGreaterThan(4 * 2 ** 20);
    await store.put('scans', 'books/long/large.jpg', large);
    app = await startApp(settings());
    proxy.fault = { kind: 'slow', bytesPerSecond: 2 ** 20 };
    // Parts of 4 MiB, of which each takes longer than a request waits for an answer.
    expect((await app.get('/iiif/3/long%2Flarge.jpg/full/200,/0/default.jpg')).status).toBe(200);
  });
});
