/** What a catalogue is asked for answers: searches, sitemaps, collections and lists, the same as without one, without a list of the store. */
// @module-tag postgres
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { BucketReader } from '../../src/features/catalogue/bucket-reader.ts';
import { fillByCrawl } from '../../src/features/catalogue/fill/fill.ts';
import { Database } from '../../src/features/catalogue/postgres/database.ts';
import { migrate } from '../../src/features/catalogue/postgres/migrate.ts';
import { startPostgres, type TestPostgres } from '../fixtures/postgres-server.ts';
import { type ComputedBucket, startComputedBucket } from '../s3/computed-bucket.ts';
import { type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-catalogued-'));
const secretAccessKeyFile = path.join(scratch, 'secret');

const images = 6000;
const nameOf = (index: number): string => `p${String(index).padStart(7, '0')}.png`;
const volumes = 1100;
const volume = (index: number): string => `series/v${String(index).padStart(4, '0')}`;

let postgres: TestPostgres;
let address: string;
let bucket: ComputedBucket;
const apps: RunningApp[] = [];

function objectsOf(png: Buffer): Record<string, Buffer> {
  const text = (words: string): Buffer => Buffer.from(words);
  const objects: Record<string, Buffer> = {
    'books/herbal/001.png': png,
    'books/herbal/002 Ünique.png': png,
    'books/herbal/metadata.yaml': text(
      'label: Kräuterbuch\nsummary: Printed at Nuremberg\nstructures:\n- label: Of Roses\n  pages: [001.png]\npages:\n  001.png: Frontispiece\n',
    ),
    'books/herbal/alto/001.txt': text('words of a page'),
    'books/atlas/north.png': png,
    'books/atlas/herbal-map.png': png,
    'books/closed/herbal/secret-herbal.png': png,
    'books/closed/metadata.yaml': text('label: Closed herbal\n'),
    'books/herbal-b/deep/herbal-deep.png': png,
    '.hidden/herbal.png': png,
  };
  for (let index = 0; index < volumes; index++) objects[`${volume(index)}/1.png`] = png;
  objects[`${volume(7)}/metadata.yaml`] = text('label: The seventh volume\n');
  return objects;
}

async function fill(): Promise<void> {
  const database = new Database({ address, connections: 2 });
  const access = { endpoint: bucket.endpoint, pathStyle: true };
  const reader = new BucketReader({ ...access, credentials: { accessKeyId: 'reader', secretAccessKey: 'secret' } });
  try {
    await migrate(database);
    const signal = new AbortController().signal;
    await fillByCrawl({ bucket: 'flat', prefix: '' }, { database, reader, signal });
  } finally {
    await database.close();
    await reader.close();
  }
}

async function start(settings: SettingsInput = {}): Promise<RunningApp> {
  const spoolDirectory = mkdtempSync(path.join(scratch, 'spool-'));
  const app = await startApp({
    library: { folders: ['s3://flat'] },
    search: { enabled: false },
    ...settings,
    objectStorage: {
      ...{ endpoint: bucket.endpoint, pathStyle: true, accessKeyId: 'reader', secretAccessKeyFile, spoolDirectory },
      ...settings.objectStorage,
    },
  });
  apps.push(app);
  return app;
}

const withCatalogue = (settings: SettingsInput = {}): Promise<RunningApp> =>
  start({ catalogue: { postgres: address }, ...settings });

/** The rules close a folder to all who have no role. */
const closed: SettingsInput = { access: { paths: [{ path: 'books/closed', roles: ['staff'] }] } };

const toStaff: SettingsInput = {
  access: { ...closed.access, addresses: [{ address: '127.0.0.1', roles: ['staff'] }] },
};

const json = async (app: RunningApp, target: string) => JSON.parse((await app.get(target)).body.toString());
const names = async (app: RunningApp, query: string, below = '') => {
  const { found, complete } = await json(app, `/api/search.json?fn=${below}&q=${encodeURIComponent(query)}`);
  return { found, complete };
};
const lists = (): readonly string[] => bucket.takeRequests().filter((request) => request.startsWith('LIST'));

beforeAll(async () => {
  writeFileSync(secretAccessKeyFile, 'secret');
  const png = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  postgres = await startPostgres();
  address = await postgres.createDatabase();
  bucket = await startComputedBucket({
    bucket: 'flat',
    prefix: 'flat/',
    images,
    nameOf,
    bytes: png,
    others: objectsOf(png),
  });
  await fill();
});
afterAll(async () => {
  for (const app of apps.splice(0)) await app.close();
  await bucket.close();
  await postgres.close();
  rmSync(scratch, { recursive: true, force: true });
});

const queries: readonly (readonly [query: string, below: string])[] = [
  ...['herbal', 'HERBAL', 'krauterbuch', 'nuremberg printed', 'roses', 'frontispiece', 'unique', 'he', 'alto'].map(
    (query) => [query, 'books'] as const,
  ),
  ...['p0000042', '42', 'p00 99', 'png', 'nothing-has-this'].map((query) => [query, 'flat'] as const),
];

describe('a search of names', () => {
  it('finds in a catalogue what it finds by a walk, and asks the store for no list', async () => {
    const [plain, app] = [await start(), await withCatalogue()];
    const expected: object[] = [];
    for (const [query, below] of queries) expected.push(await names(plain, query, below));
    bucket.takeRequests();
    for (const [index, [query, below]] of queries.entries())
      expect(await names(app, query, below), query).toEqual(expected[index]);
    const { found, complete } = await names(app, 'seventh');
    expect(found).toMatchObject([{ path: volume(7), name: 'The seventh volume', cover: `${volume(7)}/1.png` }]);
    expect(complete).toBe(true);
    expect(lists()).toEqual([]);
  });

  it('of a closed folder finds nothing for who may not see it, and all for who may', async () => {
    const [app, open] = [await withCatalogue(closed), await withCatalogue(toStaff)];
    bucket.takeRequests();
    const pathsOf = async (asked: RunningApp, query: string) => {
      const { found, complete } = await names(asked, query);
      return [...found.map((one: { readonly path: string }) => one.path).sort(), complete];
    };
    const others = [
      'books/atlas/herbal-map.png',
      'books/herbal',
      'books/herbal-b',
      'books/herbal-b/deep/herbal-deep.png',
    ];
    const secret = 'books/closed/herbal/secret-herbal.png';
    expect(await pathsOf(app, 'herbal')).toEqual([...others, true]);
    expect(await pathsOf(app, 'secret')).toEqual([true]);
    expect(await pathsOf(open, 'secret')).toEqual([secret, true]);
    expect(await pathsOf(open, 'herbal')).toEqual([
      ...[...others, 'books/closed', 'books/closed/herbal', secret].sort(),
      true,
    ]);
    expect(lists()).toEqual([]);
  });
});
