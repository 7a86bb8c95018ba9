/** Buckets of three layouts that are computed, in a catalogue by inventory: what is asked of the store, and equal answers without it. */
// @module-tag postgres
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bookOf, infoOf, missingImages, someImages, tileOf } from '../../bench/lib/catalogue/addresses.mjs';
import { writeInventory } from '../../bench/lib/catalogue/inventory.mjs';
import { indexAtOrBehind, layoutsOf, metadataOf } from '../../bench/lib/catalogue/keys.mjs';
import { startStore } from '../../bench/lib/catalogue/store.mjs';
import { titleOf } from '../../bench/lib/catalogue/words.mjs';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { BucketReader } from '../../src/features/catalogue/bucket-reader.ts';
import { fillByInventory } from '../../src/features/catalogue/fill/fill.ts';
import { Database } from '../../src/features/catalogue/postgres/database.ts';
import { migrate } from '../../src/features/catalogue/postgres/migrate.ts';
import { startPostgres, type TestPostgres } from '../fixtures/postgres-server.ts';
import { type RunningApp, startApp } from './running-app.ts';

const layouts = layoutsOf(90_000);
const [books, flat, levels] = layouts;
const bucket = 'scans';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-layouts-'));
const secretAccessKeyFile = path.join(scratch, 'secret');
const eventsTokenFile = path.join(scratch, 'token');

let postgres: TestPostgres;
let store: Awaited<ReturnType<typeof startStore>>;
let app: RunningApp;
let without: RunningApp;

function settingsWith(more: SettingsInput): SettingsInput {
  const spoolDirectory = mkdtempSync(path.join(scratch, 'spool-'));
  const { endpoint } = store;
  return {
    library: { folders: [`s3://${bucket}`] },
    objectStorage: { endpoint, pathStyle: true, accessKeyId: 'reader', secretAccessKeyFile, spoolDirectory },
    ...more,
  };
}

beforeAll(async () => {
  writeFileSync(secretAccessKeyFile, 'secret');
  writeFileSync(eventsTokenFile, 'told');
  const image = await sharp({ create: { width: 700, height: 500, channels: 3, background: 'teal' } })
    .tiff({ tile: true, pyramid: true, tileWidth: 256, tileHeight: 256, compression: 'jpeg' })
    .toBuffer();
  store = await startStore({ bucket, layouts, image });
  const folder = path.join(scratch, 'inventory');
  const { manifest } = await writeInventory(folder, { bucket, layouts, image, createdMs: Date.now() });
  postgres = await startPostgres();
  const database = new Database({ address: postgres.address, connections: 2 });
  const credentials = { accessKeyId: 'reader', secretAccessKey: 'secret' };
  const reader = new BucketReader({ endpoint: store.endpoint, pathStyle: true, credentials });
  await migrate(database);
  const { signal } = new AbortController();
  const { objects } = await fillByInventory(manifest, undefined, { database, reader, signal });
  expect(objects).toBe(90_000);
  await database.close();
  await reader.close();
  app = await startApp(
    settingsWith({ catalogue: { postgres: postgres.address, notifications: true, eventsTokenFile } }),
  );
  without = await startApp(settingsWith({}));
}, 60_000);

afterAll(async () => {
  await app.close();
  await without.close();
  await store.close();
  await postgres.close();
  rmSync(scratch, { recursive: true, force: true });
});

async function requestsFor(address: string, status = 200): Promise<readonly string[]> {
  store.take();
  expect((await app.get(address)).status, address).toBe(status);
  return store.take().requests;
}

describe.each(layouts)('$name', (layout) => {
  it('takes no list for an image, and two requests at most for its first tile', async () => {
    for (const key of someImages(layout, 10, 1)) {
      // The metadata of a folder is read once.
      const all = await requestsFor(tileOf(key));
      const requests = all.filter((request) => !request.endsWith('/metadata.yaml'));
      expect(all.length - requests.length).toBeLessThanOrEqual(1);
      expect(new Set(requests), key).toEqual(new Set([`GET ${key}`]));
      expect(requests.length).toBeLessThanOrEqual(2);
      expect(await requestsFor(tileOf(key))).toEqual([]);
    }
  });

  it('takes no request for what is not there', async () => {
    for (const key of missingImages(layout, 10)) expect(await requestsFor(infoOf(key), 404)).toEqual([]);
  });
});

it('an image at a position of a long folder takes no list', async () => {
  for (const position of [1, 10_000, flat.count]) {
    store.take();
    const { body } = await app.get(`/api/ImgInfo-json.jsp?fn=flat&pn=${position}`);
    expect(body.toString()).toContain(flat.keyOf(position - 1));
    expect(store.take().requests.filter((request) => request.startsWith('LIST'))).toEqual([]);
  }
});

/** What a folder has: covers and sizes may be missing on a machine that is busy. */
function namesIn(body: Buffer): unknown {
  const { path, title, folders, images, totalImages } = JSON.parse(body.toString());
  const namesOf = (some: readonly { readonly name: string }[]) => some.map(({ name }) => name);
  return { path, title, totalImages, folders: namesOf(folders), images: namesOf(images) };
}

/** Asks again where 100 headers took longer than a request has, as on a machine that is busy; those that were read are kept. */
async function bodyOf(server: RunningApp, address: string): Promise<Buffer> {
  let answer = await server.get(address);
  const status = async (): Promise<number> => {
    if (answer.status !== 200) answer = await server.get(address);
    return answer.status;
  };
  await expect.poll(status, { timeout: 30_000, interval: 500 }).toBe(200);
  return answer.body;
}

it('folders are the same with the catalogue as from lists of the store, and take no list', async () => {
  const book = bookOf(books, 10);
  for (const folder of [book, bookOf(books, 11), 'levels', 'levels/03', levels.prefix + levels.keyOf(7).slice(0, 5)]) {
    const address = `/api/folder.json?fn=${encodeURIComponent(folder)}`;
    const listed = namesIn(await bodyOf(without, address));
    store.take();
    expect(namesIn(await bodyOf(app, address)), folder).toEqual(listed);
    expect(store.take().requests.filter((request) => request.startsWith('LIST'))).toEqual([]);
  }
  expect((await app.get(`/api/folder.json?fn=${encodeURIComponent(book)}`)).body.toString()).toContain(
    `The ${titleOf(10).word} of ${titleOf(10).author}`,
  );
});

it('the computed store finds each key, and lists folders as they are', async () => {
  for (const layout of layouts)
    for (const index of [0, 1, 499, 500, layout.count - 1])
      expect(indexAtOrBehind(layout, layout.prefix + layout.keyOf(index))).toBe(index);
  const { names, next } = store.objects.list({ prefix: 'books/', from: '', max: 2, delimiter: true });
  expect(names).toEqual([`${bookOf(books, 0)}/`, `${bookOf(books, 1)}/`]);
  expect(next?.startsWith(bookOf(books, 2))).toBe(true);
  expect(store.objects.get(`${bookOf(books, 10)}/metadata.yaml`)?.bytes.toString()).toBe(metadataOf(10));
  expect(store.objects.get('flat/none.tif')).toBeUndefined();
});
