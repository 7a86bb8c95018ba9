/** The list of changes at its addresses: what everyone may see, in time, incrementally, with what is closed deleted. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { type Activity, collectionAt, faultsOf, harvest, pagesOf, type Read } from '../harvester.ts';
import { onePixel } from '../unit/temporary-library.ts';
import { type RunningApp, startApp } from './running-app.ts';

let scratch: string;
let root: string;
const apps: RunningApp[] = [];
let nowMs = 0;

const write = (name: string, content: string | Buffer = onePixel): void => {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
};

beforeEach(() => {
  scratch = mkdtempSync(path.join(tmpdir(), 'lectern-discovery-'));
  root = path.join(scratch, 'images');
  nowMs = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs);
  for (const name of ['herbal/1.gif', 'herbal/2.gif', 'maps/north/1.gif', 'closed/letters/1.gif', 'typed/1.gif'])
    write(name);
  write('empty/readme.txt', 'no image');
});
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
  vi.restoreAllMocks();
  rmSync(scratch, { recursive: true });
});

const directory = () => path.join(scratch, 'changes');

async function start(settings: SettingsInput = {}): Promise<RunningApp> {
  const app = await startApp({ library: { folders: [root] }, changes: { directory: directory() }, ...settings });
  apps.push(app);
  return app;
}

const readerOf =
  (app: RunningApp): Read =>
  async (address) =>
    JSON.parse((await app.get(address.replace(app.url, ''))).body.toString());

const changesOf = (app: RunningApp): string => `${app.url}/activity/all-changes.json`;

/** The kind of each manifest's change, by the path of its folder. */
async function kindsOf(app: RunningApp): Promise<Readonly<Record<string, string>>> {
  const read = readerOf(app);
  const pages = await pagesOf(await collectionAt(changesOf(app), read), read);
  const activities = pages.flatMap(({ orderedItems }) => orderedItems);
  return Object.fromEntries(activities.map(({ type, object }) => [folderOf(object?.id ?? type), type]));
}

const folderOf = (address: string): string => address.replace(/^.*\/presentation\/3\/|\/manifest\.json$/g, '');

/** Lets the time pass after which the library is walked again, asks, and waits until the list is as it should be. */
async function laterKindsOf(app: RunningApp, expected: Readonly<Record<string, string>>): Promise<void> {
  nowMs += 3_600_000;
  await vi.waitFor(async () => expect(await kindsOf(app)).toEqual(expected), { timeout: 30_000 });
}

const all = {
  Refresh: 'Refresh',
  'closed/letters': 'Create',
  herbal: 'Create',
  'maps/north': 'Create',
  typed: 'Create',
};

describe('the list', () => {
  it('has each manifest, at an address that answers it, and with the time of its images', async () => {
    utimesSync(path.join(root, 'herbal/2.gif'), new Date('2024-05-06T07:08:09Z'), new Date('2024-05-06T07:08:09Z'));
    utimesSync(path.join(root, 'herbal/1.gif'), new Date('2023-01-01T00:00:00Z'), new Date('2023-01-01T00:00:00Z'));
    const app = await start();
    expect(await kindsOf(app)).toEqual(all);
    const read = readerOf(app);
    const [page] = await pagesOf(await collectionAt(changesOf(app), read), read);
    for (const { object } of page?.orderedItems.slice(1) ?? [])
      expect(await read(object?.id ?? '')).toMatchObject({ id: object?.id, type: 'Manifest' });
    const herbal = page?.orderedItems.find(({ object }) => object?.id.endsWith('/herbal/manifest.json'));
    expect(herbal?.startTime).toBe('2024-05-06T07:08:09.000Z');
  });

  it('is named by the collection of the whole library, in both versions, and by no other', async () => {
    const app = await start();
    const read = readerOf(app);
    const format = 'application/ld+json';
    expect(await read('/presentation/3/collection.json')).toMatchObject({ seeAlso: [{ id: changesOf(app), format }] });
    expect(await read('/presentation/2/collection.json')).toMatchObject({ seeAlso: { '@id': changesOf(app), format } });
    expect(await read('/presentation/3/maps/collection.json')).not.toHaveProperty('seeAlso');
    expect((await app.get('/llms.txt')).body.toString()).toContain(changesOf(app));
  });

  it('is linked data, unless the client prefers plain JSON, with a tag', async () => {
    const app = await start();
    const linked = 'application/ld+json;profile="http://iiif.io/api/discovery/1/context.json"';
    const typeFor = async (accept?: string) =>
      (await app.get('/activity/page-0.json', { headers: accept === undefined ? {} : { accept } })).headers[
        'content-type'
      ];
    expect([
      await typeFor(),
      await typeFor('application/ld+json'),
      await typeFor('application/json'),
      await typeFor('text/html'),
    ]).toEqual([linked, linked, 'application/json; charset=utf-8', 'application/json; charset=utf-8']);
    const { headers } = await app.get('/activity/page-0.json');
    expect([headers['cache-control'], headers['access-control-allow-origin']]).toEqual(['no-cache', '*']);
    expect((await app.get('/activity/page-0.json', { headers: { 'if-none-match': headers.etag } })).status).toBe(304);
  });

  it.each(['page-1.json', 'page-00.json', 'page--1.json', 'page-x.json', 'page-0', '', 'page-9999999999.json'])(
    'has no page %s',
    async (name) => expect((await (await start()).get(`/activity/${name}`)).status).toBe(404),
  );

  it('follows what happens to folders, and tells it incrementally', async () => {
    const app = await start();
    const read = readerOf(app);
    const first = await harvest(changesOf(app), read, { manifests: new Set(), sinceMs: undefined });
    const sinceMs = nowMs + 1;
    write('herbal/metadata.yaml', 'label: A herbal\n');
    write('new/1.gif');
    renameSync(path.join(root, 'maps'), path.join(scratch, 'away'));
    const expected = { ...all, herbal: 'Update', new: 'Create', 'maps/north': 'Delete' };
    await laterKindsOf(app, expected);
    const { manifests, processed } = await harvest(changesOf(app), read, { manifests: first.manifests, sinceMs });
    expect(processed.map(({ type }) => type).sort()).toEqual(['Create', 'Delete', 'Update']);
    expect([...manifests].map(folderOf).sort()).toEqual(['closed/letters', 'herbal', 'new', 'typed']);
    renameSync(path.join(scratch, 'away'), path.join(root, 'maps'));
    await laterKindsOf(app, { ...expected, 'maps/north': 'Create' });
  });

  it('tells of an image that is replaced by another of the same size', async () => {
    const app = await start();
    expect(await kindsOf(app)).toEqual(all);
    const file = path.join(root, 'typed/1.gif');
    writeFileSync(file, Buffer.concat([onePixel, Buffer.of(0)]));
    utimesSync(file, new Date('2026-01-01T00:00:00Z'), new Date('2026-01-01T00:00:00Z'));
    await laterKindsOf(app, { ...all, typed: 'Update' });
  });

  it('is there at once after a restart, and goes on', async () => {
    const first = await start();
    const before = await kindsOf(first);
    const pages = (await first.get('/activity/page-0.json')).body.toString().replaceAll(first.url, '');
    await apps.pop()?.close();
    const second = await start();
    expect((await second.get('/activity/page-0.json')).body.toString().replaceAll(second.url, '')).toBe(pages);
    expect(await kindsOf(second)).toEqual(before);
    rmSync(path.join(root, 'typed'), { recursive: true });
    await laterKindsOf(second, { ...all, typed: 'Delete' });
  });

  it('is 503 with a time, and says nothing of the machine, where the list can’t be written', async () => {
    const file = path.join(scratch, 'file');
    writeFileSync(file, '');
    const app = await start({ changes: { directory: file } });
    const { status, headers, body } = await app.get('/activity/all-changes.json');
    expect([status, headers['retry-after']]).toEqual([503, '60']);
    expect(body.toString()).not.toContain(scratch);
  });

  it('has addresses as proxies and context paths make them', async () => {
    const app = await start({ http: { contextPath: '/books', publicAddress: 'https://library.example' } });
    const collection = JSON.parse((await app.get('/books/activity/all-changes.json')).body.toString());
    expect(faultsOf('ChangeCollection', collection)).toEqual([]);
    expect(collection).toMatchObject({
      id: 'https://library.example/books/activity/all-changes.json',
      last: { id: 'https://library.example/books/activity/page-0.json' },
    });
    const page = JSON.parse((await app.get('/books/activity/page-0.json')).body.toString());
    const ids = page.orderedItems.flatMap(({ object }: Activity) => object?.id ?? []);
    expect(ids).toContain('https://library.example/books/presentation/3/maps/north/manifest.json');
  });
});

describe('a list with rules of access', () => {
  // Requests from this machine have the role; the list is of those who have none.
  const open = {
    addresses: [{ address: '127.0.0.1', roles: ['staff'] }],
    paths: [{ path: 'closed', roles: ['staff'] }],
  };
  const closedMeta =
    '<resource><meta><access-conditions><access type="group"><name>staff</name></access></access-conditions></meta></resource>';

  it('has only what everyone may see, whoever asks', async () => {
    const app = await start({ access: open });
    const { 'closed/letters': _closed, ...visible } = all;
    expect(await kindsOf(app)).toEqual(visible);
    const text = (await app.get('/activity/page-0.json')).body.toString();
    expect(text).not.toMatch(/closed|letters/);
  });

  it('deletes a folder as soon as a rule closes it, also before the library is walked', async () => {
    const before = await start();
    expect(await kindsOf(before)).toEqual(all);
    await apps.pop()?.close();
    // The list is that of before; no walk has ended yet.
    const app = await start({ access: open });
    expect(await kindsOf(app)).toMatchObject({ 'closed/letters': 'Delete' });
    await laterKindsOf(app, { ...all, 'closed/letters': 'Delete' });
    const read = readerOf(app);
    const { processed } = await harvest(changesOf(app), read, { manifests: new Set(), sinceMs: nowMs - 3_600_000 });
    expect(processed.filter(({ type }) => type === 'Delete').map(({ object }) => folderOf(object?.id ?? ''))).toEqual([
      'closed/letters',
    ]);
  });

  it('deletes a folder whose images their metadata closes, and creates it again', async () => {
    const app = await start({
      access: {
        types: [
          { type: 'group:staff', roles: ['staff'] },
          { type: 'default', roles: ['staff'], until: '2000' },
        ],
      },
    });
    expect(await kindsOf(app)).toEqual(all);
    write('typed/1.gif.meta', closedMeta);
    await laterKindsOf(app, { ...all, typed: 'Delete' });
    rmSync(path.join(root, 'typed/1.gif.meta'));
    await laterKindsOf(app, all);
  });

  it('updates a folder of which something is covered, which leaves its manifest the same', async () => {
    const app = await start({ access: { paths: [{ path: 'closed', roles: ['staff'] }] } });
    const { 'closed/letters': _closed, ...visible } = all;
    expect(await kindsOf(app)).toEqual(visible);
    write('herbal/metadata.yaml', 'redactions: {1.gif: [{region: "pct:0,0,100,100", roles: [staff]}]}\n');
    await laterKindsOf(app, { ...visible, herbal: 'Update' });
  });

  it('has nothing where everything is closed', async () => {
    const app = await start({ access: { paths: [{ path: '', roles: ['staff'] }] } });
    expect(await kindsOf(app)).toEqual({ Refresh: 'Refresh' });
  });
});
