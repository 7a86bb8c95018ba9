/** Buckets whose objects are in a catalogue in PostgreSQL: filled, told of changes, and what is asked of the store then. */
// @module-tag postgres
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { BucketReader } from '../../src/features/catalogue/bucket-reader.ts';
import { type FillResult, fillByCrawl, fillByInventory } from '../../src/features/catalogue/fill/fill.ts';
import { Database } from '../../src/features/catalogue/postgres/database.ts';
import { migrate } from '../../src/features/catalogue/postgres/migrate.ts';
import { startPostgres, type TestPostgres } from '../fixtures/postgres-server.ts';
import { type ComputedBucket, type ComputedBucketOptions, startComputedBucket } from '../s3/computed-bucket.ts';
import { frontDirectoryTiff } from '../s3/large-pyramid.ts';
import { type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-catalogue-'));
const secretAccessKeyFile = path.join(scratch, 'secret');
const eventsTokenFile = path.join(scratch, 'token');

const images = 12_000;
const nameOf = (index: number): string => `p${String(index).padStart(7, '0')}.tif`;

let postgres: TestPostgres;
let address: string;
let tiled: Buffer;
let small: Buffer;
let bucket: ComputedBucket;
const apps: RunningApp[] = [];

beforeAll(async () => {
  writeFileSync(secretAccessKeyFile, 'secret');
  writeFileSync(eventsTokenFile, 'told-by-the-store\n');
  tiled = await frontDirectoryTiff();
  small = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  postgres = await startPostgres();
});
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
  await bucket.close();
});
afterAll(async () => {
  await postgres.close();
  rmSync(scratch, { recursive: true, force: true });
});

const accessOf = ({ endpoint }: ComputedBucket) => ({
  ...{ endpoint, pathStyle: true },
  credentials: { accessKeyId: 'reader', secretAccessKey: 'secret' },
});

async function openBucket(given: Partial<ComputedBucketOptions> = {}): Promise<Record<string, Buffer>> {
  const others: Record<string, Buffer> = {
    'books/herbal/001.png': small,
    'books/herbal/002.png': small,
    'books/herbal/metadata.yaml': Buffer.from('label: Kräuterbuch\nsummary: Printed at Nuremberg\n'),
    'books/atlas/north.png': small,
    ...given.others,
  };
  bucket = await startComputedBucket({
    ...{ bucket: 'flat', prefix: 'flat/', images, nameOf, bytes: tiled },
    ...given,
    others,
  });
  address = await postgres.createDatabase();
  return others;
}

async function fill(how: 'crawl' | string, signal = new AbortController().signal): Promise<FillResult> {
  const database = new Database({ address, connections: 2 });
  const reader = new BucketReader(accessOf(bucket));
  const part = { bucket: 'flat', prefix: '' };
  try {
    await migrate(database);
    const run = { database, reader, signal };
    return await (how === 'crawl' ? fillByCrawl(part, run) : fillByInventory(how, part, run));
  } finally {
    await database.close();
    await reader.close();
  }
}

async function start(catalogue: SettingsInput['catalogue'] = {}, settings: SettingsInput = {}): Promise<RunningApp> {
  const { endpoint } = bucket;
  const spoolDirectory = mkdtempSync(path.join(scratch, 'spool-'));
  const app = await startApp({
    library: { folders: ['s3://flat'] },
    catalogue: { postgres: address, notifications: true, eventsTokenFile, ...catalogue },
    ...settings,
    objectStorage: {
      ...{ endpoint, pathStyle: true, accessKeyId: 'reader', secretAccessKeyFile, spoolDirectory },
      ...settings.objectStorage,
    },
  });
  apps.push(app);
  bucket.takeRequests();
  return app;
}

/** The status of an answer, and what was asked of the store for it. */
async function ask(app: RunningApp, target: string): Promise<readonly [number, ...string[]]> {
  bucket.takeRequests();
  const { status } = await app.get(target);
  return [status, ...[...bucket.takeRequests()].sort()];
}

const tile = (path: string, x = 0): string =>
  `/iiif/3/${encodeURIComponent(path)}/${x},0,256,256/256,256/0/default.jpg`;
const info = (path: string): string => `/iiif/3/${encodeURIComponent(path)}/info.json`;

/** The store tells of an object that was written, or removed. */
async function tell(app: RunningApp, key: string, size: number | undefined): Promise<number> {
  const object = { key, ...(size !== undefined && { size, eTag: randomBytes(16).toString('hex') }) };
  const eventName = size === undefined ? 's3:ObjectRemoved:Delete' : 's3:ObjectCreated:Put';
  const record = { eventName, eventTime: new Date().toISOString(), s3: { bucket: { name: 'flat' }, object } };
  const { status } = await app.get('/catalogue/events', {
    method: 'POST',
    headers: { authorization: 'Bearer told-by-the-store', 'content-type': 'application/json' },
    body: JSON.stringify({ Records: [record] }),
  });
  return status;
}

const foundFor = async (app: RunningApp, word: string): Promise<readonly string[]> => {
  const { found } = JSON.parse(String((await app.get(`/api/search.json?q=${word}`)).body)) as {
    readonly found: readonly { readonly path: string }[];
  };
  return found.map(({ path }) => path);
};

describe('a server with a catalogue that is told of changes', () => {
  it('finds what changed metadata says, and no more what it said, within seconds', async () => {
    const objects = await openBucket();
    await fill('crawl');
    const app = await start();
    expect(await foundFor(app, 'nuremberg')).toEqual(['books/herbal']);
    expect(await foundFor(app, 'cartography')).toEqual([]);
    objects['books/herbal/metadata.yaml'] = Buffer.from('label: Herbal\nsummary: Printed at Basel\n');
    objects['books/atlas/metadata.yaml'] = Buffer.from('label: Cartography\n');
    for (const key of ['books/herbal/metadata.yaml', 'books/atlas/metadata.yaml'])
      expect(await tell(app, key, objects[key]?.length)).toBe(204);
    await expect.poll(() => foundFor(app, 'cartography'), { timeout: 8000 }).toEqual(['books/atlas']);
    await expect.poll(() => foundFor(app, 'basel'), { timeout: 8000 }).toEqual(['books/herbal']);
    expect(await foundFor(app, 'nuremberg')).toEqual([]);
    delete objects['books/atlas/metadata.yaml'];
    expect(await tell(app, 'books/atlas/metadata.yaml', undefined)).toBe(204);
    await expect.poll(() => foundFor(app, 'cartography'), { timeout: 8000 }).toEqual([]);
    expect(bucket.takeRequests().filter((request) => request.startsWith('LIST'))).toEqual([]);
  }, 40_000);

  it('asks the store for the bytes of images alone', async () => {
    await openBucket();
    expect(await fill('crawl')).toEqual({ objects: images + 4, described: 1, isStopped: false });
    const app = await start();
    const key = `flat/${nameOf(700)}`;
    expect(await ask(app, tile(key, 1024))).toEqual([200, `GET ${key}`, `GET ${key}`]);
    expect(await ask(app, tile(key, 768))).toEqual([200, `GET ${key}`]);
    expect(await ask(app, info(`flat/${nameOf(701).slice(0, -4)}`))).toEqual([200, `GET flat/${nameOf(701)}`]);
    expect(await ask(app, info('flat/missing.tif'))).toEqual([404]);
    expect(await ask(app, info('missing/missing.tif'))).toEqual([404]);
  });

  it('lists folders without a list of the store', async () => {
    await openBucket();
    await fill('crawl');
    const app = await start();
    const listing = JSON.parse((await app.get('/api/folder.json?fn=books')).body.toString());
    expect(listing.folders).toMatchObject([
      { path: 'books/atlas', images: 1 },
      { path: 'books/herbal', title: 'Kräuterbuch', images: 2 },
    ]);
    expect((await app.get('/presentation/3/books/herbal/manifest.json')).status).toBe(200);
    expect((await app.get('/api/ImgInfo-json.jsp?fn=flat&pn=9000')).body.toString()).toContain(nameOf(8999));
    expect(bucket.takeRequests().filter((request) => request.startsWith('LIST'))).toEqual([]);
  });
});
