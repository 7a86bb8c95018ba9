/** What one server has read of objects, which others find in the catalogue. */
// @module-tag postgres
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pMap from 'p-map';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { runIndexing } from '../../src/app/run-indexing.ts';
import { readSettings } from '../../src/app/settings/configuration.ts';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { crawl } from '../fixtures/catalogue-of.ts';
import { startPostgres, type TestPostgres } from '../fixtures/postgres-server.ts';
import { scanOf, startCodexBucket } from '../s3/codex-bucket.ts';
import type { ComputedBucket } from '../s3/computed-bucket.ts';
import { type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-facts-'));
const secretAccessKeyFile = path.join(scratch, 'secret');
const eventsTokenFile = path.join(scratch, 'token');
const apps: RunningApp[] = [];

let postgres: TestPostgres;
let address: string;
let bucket: ComputedBucket;

beforeAll(async () => {
  writeFileSync(secretAccessKeyFile, 'secret');
  writeFileSync(eventsTokenFile, 'told-by-the-store\n');
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

async function openBucket(pages: number): Promise<void> {
  bucket = await startCodexBucket(pages);
  address = await postgres.createDatabase();
  await crawl(address, 'books', bucket.endpoint);
}

/** Of a server or command, which has an index of its own. */
const settingsOf = (given: SettingsInput = {}): SettingsInput => ({
  library: { folders: ['s3://books'] },
  catalogue: { postgres: address, notifications: true, eventsTokenFile },
  index: { directory: mkdtempSync(path.join(scratch, 'index-')) },
  objectStorage: {
    ...{ endpoint: bucket.endpoint, pathStyle: true, accessKeyId: 'reader', secretAccessKeyFile },
    spoolDirectory: mkdtempSync(path.join(scratch, 'spool-')),
  },
  ...given,
});

async function start(given?: SettingsInput): Promise<RunningApp> {
  const app = await startApp(settingsOf(given));
  apps.push(app);
  return app;
}

/** Ends a server, which writes what it has read. */
async function end(app: RunningApp): Promise<void> {
  apps.splice(apps.indexOf(app), 1);
  await app.close();
}

const info = (index: number): string => `/iiif/3/${encodeURIComponent(`codex/${scanOf(index)}.tif`)}/info.json`;
const manifest = '/presentation/3/codex/manifest.json';

const indexes = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** Of info.json of the first ones. */
const statusesOf = (app: RunningApp, count: number): Promise<readonly number[]> =>
  pMap(indexes(count), async (index) => (await app.get(info(index))).status, { concurrency: 8 });

/** What a server writes that has read all objects, each of which has the bytes of the first one of its kind. */
const readAll = `
  insert into lectern.facts select o.folder, o.name, f.part, f.version, f.fact from lectern.objects o
  join lectern.facts f on right(f.name, 4) = right(o.name, 4) and f.folder = o.folder on conflict do nothing`;

/** What was asked of the store since the last call, by the kind of key. */
function taken(): { readonly scans: number; readonly texts: number; readonly others: number } {
  const requests = bucket.takeRequests();
  const [scans, texts] = ['.tif', '.xml'].map((end) => requests.filter((one) => one.endsWith(end)).length);
  return { scans: scans ?? 0, texts: texts ?? 0, others: requests.length - (scans ?? 0) - (texts ?? 0) };
}

/** How many queries a server has made for answers. */
async function queriesOf(app: RunningApp): Promise<number> {
  const metrics = (await app.get('/metrics')).body.toString();
  return Number(/^lectern_catalogue_queries_total (\d+)$/m.exec(metrics)?.[1]);
}

const none = { scans: 0, texts: 0, others: 0 };
const rowsOf = async (): Promise<number> =>
  Number((await postgres.query(address, 'select count(*)::integer as rows from lectern.facts'))[0]?.['rows']);

/** What the store tells of an object that was removed, or replaced by one with this ETag. */
function tell(app: RunningApp, key: string, eTag?: string): Promise<ReceivedResponse> {
  const object = { key, size: 1, ...(eTag !== undefined && { eTag }) };
  const eventName = eTag === undefined ? 's3:ObjectRemoved:Delete' : 's3:ObjectCreated:Put';
  const one = { eventName, eventTime: new Date().toISOString(), s3: { bucket: { name: 'books' }, object } };
  const headers = { authorization: 'Bearer told-by-the-store', 'content-type': 'application/json' };
  return app.get('/catalogue/events', { method: 'POST', headers, body: JSON.stringify({ Records: [one] }) });
}

describe('servers with one catalogue', () => {
  it('read no header that another one has read', async () => {
    await openBucket(200);
    const first = await start();
    expect(new Set(await statusesOf(first, 200))).toEqual(new Set([200]));
    expect(taken().scans).toBeGreaterThanOrEqual(200);
    await end(first);
    expect(await rowsOf()).toBe(200);
    const second = await start();
    taken();
    expect(new Set(await statusesOf(second, 200))).toEqual(new Set([200]));
    expect(taken()).toEqual(none);
    const metrics = (await second.get('/metrics')).body.toString();
    expect(metrics).toContain('lectern_catalogue_facts_total{outcome="found"} 200\n');
    expect(metrics).toContain('lectern_catalogue_facts_total{outcome="written"} 0\n');
  });

  it('read an object anew when it is another one, and forget what is gone', async () => {
    await openBucket(3);
    const first = await start();
    await statusesOf(first, 3);
    await end(first);
    expect(await rowsOf()).toBe(3);
    const second = await start();
    expect((await tell(second, `codex/${scanOf(0)}.tif`)).status).toBe(204);
    expect((await tell(second, `codex/${scanOf(1)}.tif`, 'fedcba9876543210fedcba9876543210')).status).toBe(204);
    expect(await rowsOf()).toBe(2);
    taken();
    expect((await second.get(info(2))).status).toBe(200);
    expect(taken().scans).toBe(0);
    await second.get(info(1));
    expect(taken().scans).toBeGreaterThan(0);
  });

  it('take the manifest of 5,000 pages with texts from a few queries', async () => {
    const pages = 5000;
    await openBucket(pages);
    const first = await start();
    expect((await first.get(info(0))).status).toBe(200);
    expect((await first.get(`/api/text/codex/${scanOf(0)}.json`)).status).toBe(200);
    await end(first);
    await postgres.query(address, readAll);
    expect(await rowsOf()).toBe(2 * pages);
    const second = await start({ limits: { deadlineMs: 60_000 } });
    taken();
    const before = await queriesOf(second);
    const { status, body } = await second.get(manifest);
    expect(status).toBe(200);
    const { items } = JSON.parse(body.toString());
    expect([items.length, items.filter(({ seeAlso }: { seeAlso?: unknown }) => seeAlso).length]).toEqual([
      pages,
      pages,
    ]);
    expect(taken()).toEqual(none);
    expect((await queriesOf(second)) - before).toBeLessThan(40);
  });

  it('find the formats of texts that `lectern index` has read, and the headers', async () => {
    await openBucket(40);
    const options = settingsOf({ search: { directory: mkdtempSync(path.join(scratch, 'texts-')) } });
    const { pages } = await runIndexing(readSettings(options, {}, undefined), pino({ level: 'silent' }), {});
    expect(pages).toBe(40);
    expect(await rowsOf()).toBe(80);
    const app = await start();
    taken();
    expect((await app.get(manifest)).status).toBe(200);
    expect(taken()).toEqual(none);
  });

  it('read themselves while the database is away, and share it afterwards', async () => {
    await openBucket(60);
    const first = await start();
    expect((await first.get(info(0))).status).toBe(200);
    await postgres.kill();
    try {
      expect(new Set(await statusesOf(first, 60))).toEqual(new Set([200]));
    } finally {
      await postgres.start();
    }
    await vi.waitFor(async () => expect(await rowsOf()).toBe(60), { timeout: 30_000, interval: 500 });
    const second = await start();
    taken();
    expect(new Set(await statusesOf(second, 60))).toEqual(new Set([200]));
    expect(taken()).toEqual(none);
  }, 60_000);

  it('answer without it while it hangs', async () => {
    await openBucket(60);
    const app = await start();
    expect((await app.get(info(0))).status).toBe(200);
    postgres.hang();
    try {
      expect(new Set(await statusesOf(app, 60))).toEqual(new Set([200]));
    } finally {
      postgres.resume();
    }
  }, 60_000);
});
