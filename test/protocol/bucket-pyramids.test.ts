// @module-tag object-store
/** Derived pyramids in a bucket: one server makes them, all use them, and none depends on them. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { type Fault, type FaultProxy, startFaultProxy } from '../s3/fault-proxy.ts';
import { storeSettings } from '../s3/store-settings.ts';
import { type ObjectStore, startSwift, storeKey } from '../s3/swift.ts';
import { sampleOf } from '../sweep.ts';
import { blobs } from './blob-image.ts';
import { type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-bucket-pyramids-'));
const folder = path.join(scratch, 'folder');
const program = fileURLToPath(new URL('../../bin/lectern.cjs', import.meta.url));

let store: ObjectStore;
let proxy: FaultProxy;
const apps: RunningApp[] = [];
/** The keys of the pyramids of `ready/it.jpg` in the bucket and in the folder. */
let readyKeys: readonly string[] = [];

/** Large enough to be slow to cut. */
const scan = (): Promise<Buffer> => blobs(4000, 3000).jpeg({ quality: 92 }).toBuffer();

const settings = (given: SettingsInput = {}): SettingsInput => ({
  library: {
    folders: ['s3://scans/books'],
    virtualFolders: [
      { link: 'here', folder },
      { link: 'ahead', folder: 's3://scans/ahead' },
    ],
  },
  http: { explain: true },
  cache: { memoryBytes: 0, directory: false },
  index: { directory: false },
  ...given,
  pyramids: {
    shared: 's3://pictures/derived/pyramids',
    directory: mkdtempSync(path.join(scratch, 'work-')),
    ...given.pyramids,
  },
  objectStorage: storeSettings(scratch, proxy),
});

async function start(given: SettingsInput = {}): Promise<RunningApp> {
  const app = await startApp(settings(given));
  apps.push(app);
  return app;
}

beforeAll(async () => {
  store = await startSwift();
  proxy = await startFaultProxy(store.port);
  await store.createBucket('scans');
  await store.createBucket('pictures');
  mkdirSync(path.join(folder, 'ready'), { recursive: true });
  const bytes = await scan();
  for (const name of ['books/one', 'books/ready/it', 'ahead/two', 'ahead/three'])
    await store.put('scans', `${name}.jpg`, bytes);
  for (const name of ['mine', 'lost', 'rotten', 'ready/it']) writeFileSync(path.join(folder, `${name}.jpg`), bytes);
  await run(['pyramid', '--config', configFile(), 's3://scans/books/ready', path.join(folder, 'ready')]);
  readyKeys = await builtKeys();
}, 180_000);

/** A file of settings for a command, without a library. */
function configFile(): string {
  const file = path.join(mkdtempSync(path.join(scratch, 'config-')), 'settings.json');
  writeFileSync(file, JSON.stringify({ ...settings(), library: undefined }));
  return file;
}

afterEach(async () => {
  proxy.fault = { kind: 'none' };
  for (const app of apps.splice(0)) await app.close();
});

afterAll(async () => {
  await proxy?.close();
  await store?.close();
  rmSync(scratch, { recursive: true, force: true });
});

const tileOf = (identifier: string, x = 512, y = 512): string =>
  `/iiif/3/${encodeURIComponent(identifier)}/${x},${y},512,512/512,512/0/default.jpg`;

const regionOf = (identifier: string): string =>
  `/iiif/3/${encodeURIComponent(identifier)}/100,100,700,500/350,/0/default.jpg`;

async function isFromPyramid(app: RunningApp, address: string): Promise<boolean> {
  const { lines } = JSON.parse(String((await app.get(`${address}?explain=1`)).body)) as {
    lines: { name: string; text: string }[];
  };
  return lines.some(({ name, text }) => name === 'read a derived pyramid' && text === 'yes');
}

/** Also for tests that run at the same time, in which `expect.poll` can't be used. */
const usesPyramid = (app: RunningApp, address: string) =>
  vi.waitFor(async () => expect(await isFromPyramid(app, address)).toBe(true), { timeout: 45_000, interval: 200 });

/** Has a server build a pyramid as readers make it do so. */
async function build(app: RunningApp, identifier: string): Promise<void> {
  for (let x = 0; x < 12; x++) expect((await app.get(tileOf(identifier, x * 256, 0))).status).toBe(200);
  await usesPyramid(app, tileOf(identifier)).catch((error: unknown) => {
    throw new Error(app.logLines.join('\n'), { cause: error });
  });
}

const builtKeys = () => store.keys('pictures', '');

/** The mean difference of two pictures, of 255. */
async function difference(one: Buffer, other: Buffer): Promise<number> {
  const [a, b] = await Promise.all([one, other].map((bytes) => sharp(bytes).raw().toBuffer()));
  let sum = 0;
  for (const [index, value] of a?.entries() ?? []) sum += Math.abs(value - (b?.[index] ?? 0));
  return a?.length === b?.length ? sum / (a?.length ?? 1) : 255;
}

describe('a pyramid in a bucket', () => {
  it.each(['one.jpg', 'here/mine.jpg'])(
    'of %s is made by one server and used by the next, a tile by one request',
    async (identifier) => {
      const before = (await builtKeys()).length;
      const directory = mkdtempSync(path.join(scratch, 'work-'));
      const first = await start({ pyramids: { directory } });
      const fromSource = await first.get(tileOf(identifier));
      await build(first, identifier);
      const keys = await builtKeys();
      expect(keys).toHaveLength(before + 1);
      expect(keys.every((key) => /^derived\/pyramids\/lectern-[0-9a-f]{24}-[0-9a-f]{24}\.tif$/.test(key))).toBe(true);
      expect(readdirSync(directory, { recursive: true }).filter((name) => /tif|part/.test(String(name)))).toEqual([]);
      await first.close();
      apps.length = 0;

      const second = await start({ pyramids: { automatic: false } });
      expect(await isFromPyramid(second, tileOf(identifier))).toBe(true);
      await second.get(tileOf(identifier, 0, 0));
      proxy.takeRequests();
      const tile = await second.get(tileOf(identifier));
      expect(tile.status).toBe(200);
      expect(proxy.takeRequests()).toHaveLength(1);
      expect(await difference(tile.body, fromSource.body)).toBeLessThan(6);
    },
    120_000,
  );

  it('gives regions from its tiles alone, without a copy of it', async () => {
    const spoolDirectory = mkdtempSync(path.join(scratch, 'spool-'));
    const given = settings({ pyramids: { automatic: false } });
    const app = await startApp({ ...given, objectStorage: { ...given.objectStorage, spoolDirectory } });
    apps.push(app);
    expect(await isFromPyramid(app, regionOf('here/ready/it.jpg'))).toBe(true);
    const region = await app.get(regionOf('here/ready/it.jpg'));
    expect(region.status).toBe(200);
    expect((await sharp(region.body).metadata()).width).toBe(350);
    expect(readdirSync(spoolDirectory)).not.toContain('lectern-copies');
  }, 60_000);

  it('that another process makes is used by a running server, without a restart', async () => {
    const app = await start({ pyramids: { automatic: false } });
    expect(await isFromPyramid(app, tileOf('ahead/two.jpg'))).toBe(false);
    const output = await run(['pyramid', '--config', configFile(), 's3://scans/ahead']);
    expect(output).toMatch(/2 images: 2 are slow to cut, 0 of these have a pyramid already\./);
    expect(output).toMatch(/Made 2 pyramids.*s3:\/\/pictures\/derived\/pyramids/);
    await usesPyramid(app, tileOf('ahead/two.jpg'));
    const again = await run(['pyramid', '--config', configFile(), 's3://scans/ahead']);
    expect(again).toMatch(/2 of these have a pyramid already\.\nMade no pyramids/);
  }, 120_000);

  it('that is lost costs nothing but its speed, and is made again', async () => {
    const app = await start();
    const before = new Set(await builtKeys());
    await build(app, 'here/lost.jpg');
    const [key = ''] = (await builtKeys()).filter((name) => !before.has(name));
    await store.remove('pictures', key);
    const tile = await app.get(tileOf('here/lost.jpg', 1024, 1024));
    expect(tile.status).toBe(200);
    expect(await isFromPyramid(app, tileOf('here/lost.jpg'))).toBe(false);
    await build(app, 'here/lost.jpg');
    expect(await builtKeys()).toContain(key);
  }, 120_000);

  it('whose bytes are damaged is not sent, but deleted and made again', async () => {
    const app = await start();
    const before = new Set(await builtKeys());
    const right = await app.get(tileOf('here/rotten.jpg', 1024, 1024));
    await build(app, 'here/rotten.jpg');
    await app.close();
    apps.length = 0;
    const [key = ''] = (await builtKeys()).filter((name) => !before.has(name));
    const bytes = await store.get('pictures', key);
    for (let at = 3000; at < bytes.length / 2; at += 500) bytes[at] = (bytes[at] ?? 0) ^ 255;
    await store.put('pictures', key, bytes);
    const again = await start();
    const tile = await again.get(tileOf('here/rotten.jpg', 1024, 1024));
    expect(tile.status).toBe(200);
    expect(await difference(tile.body, right.body)).toBeLessThan(6);
    await usesPyramid(again, tileOf('here/rotten.jpg'));
    expect((await store.get('pictures', key)).equals(bytes)).toBe(false);
  }, 120_000);
});

/** The output of a command of the server. */
function run(flags: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += String(chunk);
      });
    }
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(output) : reject(new Error(`exit code ${code}: ${output}`))));
  });
}

const faults: readonly (readonly [string, Fault])[] = [
  ['does not answer', { kind: 'stalled' }],
  ['sends a byte a second', { kind: 'slow-body' }],
  ['cuts its answers', { kind: 'cut' }],
  ['ignores ranges', { kind: 'ignored-range' }],
  ['sends answers of another length', { kind: 'wrong-length' }],
  ['answers 503', { kind: 'status', status: 503 }],
  ['refuses the key', { kind: 'status', status: 403 }],
  ['sends bytes of another version', { kind: 'other-etag' }],
];

describe('a store of pyramids that', () => {
  /** A server of the folder alone, with its own proxy, and copies of all pyramids in a part of the bucket that no other test uses. */
  async function startWithOwn(name: string): Promise<readonly [app: RunningApp, proxy: FaultProxy]> {
    const ready = path.join(folder, 'ready');
    const own = await startFaultProxy(store.port);
    for (const key of readyKeys)
      await store.put('pictures', key.replace('derived/pyramids', name), await store.get('pictures', key));
    const given = settings({ pyramids: { automatic: false, shared: `s3://pictures/${name}` } });
    const objectStorage = storeSettings(mkdtempSync(path.join(scratch, 'store-')), own);
    return [await startApp({ ...given, library: { folders: [ready] }, objectStorage }), own];
  }

  // They mostly wait.
  it.concurrent.each(sampleOf(faults, 4))(
    '%s leaves images of folders to be read from themselves, in time',
    { tags: 'sampled', timeout: 120_000 },
    async (kind, fault) => {
      const [app, own] = await startWithOwn(kind.replaceAll(' ', '-'));
      try {
        await usesPyramid(app, tileOf('it.jpg'));
        expect((await app.get(tileOf('it.jpg', 0, 0))).status).toBe(200);
        own.fault = fault;
        const startMs = performance.now();
        const tiles = await Promise.all([1, 2, 3].map((row) => app.get(tileOf('it.jpg', 1024, row * 512))));
        expect(tiles.map(({ status }) => status)).toEqual([200, 200, 200]);
        expect(performance.now() - startMs).toBeLessThan(5000);
        own.fault = { kind: 'none' };
        await usesPyramid(app, tileOf('it.jpg'));
        expect(app.logLines.join('\n')).not.toContain(storeKey.secretAccessKey);
      } finally {
        await app.close();
        await own.close();
      }
    },
  );

  it('stalls together with that of the masters is replaced by the bytes of a small one in memory, in time', async () => {
    const app = await start({ pyramids: { automatic: false } });
    expect(await isFromPyramid(app, tileOf('ready/it.jpg'))).toBe(true);
    expect((await app.get(tileOf('ready/it.jpg', 0, 0))).status).toBe(200);
    proxy.fault = { kind: 'stalled' };
    const startMs = performance.now();
    const { status } = await app.get(tileOf('ready/it.jpg', 1024, 512));
    expect(status).toBe(200);
    expect(performance.now() - startMs).toBeLessThan(5000);
  }, 60_000);
});
