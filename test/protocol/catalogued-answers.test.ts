/** What a catalogue is asked for answers: searches, sitemaps, collections and lists, the same as without one, without a list of the store. */
// @module-tag postgres
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { BucketReader } from '../../src/features/catalogue/bucket-reader.ts';
import { fillByCrawl } from '../../src/features/catalogue/fill/fill.ts';
import { takeChanges } from '../../src/features/catalogue/postgres/changes.ts';
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
/** So many that they are not listed, and fewer than have parts in a collection. */
const boxes = 120;

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
    'books/ordered/001.png': png,
    'books/ordered/002.png': png,
    'books/ordered/herbal.png': png,
    'books/ordered/metadata.yaml': text(
      'label: {en: [Ordered herbal], de: [Geordnetes Kräuterbuch]}\nmetadata:\n- label: Mark\n  value: Rar. 7\npages: [002.png, herbal.png, 001.png]\n',
    ),
    'books/chapters/1.png': png,
    'books/chapters/2.png': png,
    'books/chapters/metadata.yaml': text(
      'label: A book of parts\nstructures:\n- label: Part of mosses\n  pages: [1.png]\n- label: Part of ferns\n  pages: [2.png]\n',
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
  for (let index = 0; index < boxes; index++) objects[`shelf/b${index}/1.png`] = png;
  objects['shelf/b7/metadata.yaml'] = text('label: Dried leaves\n');
  objects['shelf/metadata.yaml'] = text('label: All of it\n');
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

const json = async (app: RunningApp, target: string) => {
  const { status, body } = await app.get(target);
  expect(status, `${target}: ${body.toString().slice(0, 300)}`).toBe(200);
  return JSON.parse(body.toString());
};
const names = async (app: RunningApp, query: string, below = '') => {
  const { found, complete } = await json(app, `/api/search.json?fn=${below}&q=${encodeURIComponent(query)}`);
  return { found, complete };
};

/** The same once it is complete: the first search reads metadata and covers, which may take longer than the second that it has. */
async function allNames(app: RunningApp, query: string, below = '') {
  let answer = await names(app, query, below);
  const isComplete = async (): Promise<boolean> => {
    answer = await names(app, query, below);
    return answer.complete;
  };
  // Of more finds than an answer takes it says that it is not whole.
  if (!answer.complete && answer.found.length < 200) await expect.poll(isComplete, { timeout: 15_000 }).toBe(true);
  return answer;
}

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
  ...[
    'herbal',
    'HERBAL',
    'krauterbuch',
    'nuremberg printed',
    'roses',
    'frontispiece',
    'unique',
    'he',
    'alto',
    'rar',
    'ordered',
    '002',
    'mosses',
    'part',
    'parts ferns',
    'geordnetes',
  ].map((query) => [query, 'books'] as const),
  ...['p0000042', '42', 'p00 99', 'png', 'nothing-has-this'].map((query) => [query, 'flat'] as const),
];

describe('a search of names', () => {
  it('finds in a catalogue what it finds by a walk, and asks the store for no list', async () => {
    const [plain, app] = [await start(), await withCatalogue()];
    const expected: object[] = [];
    for (const [query, below] of queries) expected.push(await allNames(plain, query, below));
    bucket.takeRequests();
    for (const [index, [query, below]] of queries.entries())
      expect(await allNames(app, query, below), query).toEqual(expected[index]);
    const { found, complete } = await allNames(app, 'seventh');
    expect(found).toMatchObject([{ path: volume(7), name: 'The seventh volume', cover: `${volume(7)}/1.png` }]);
    expect(complete).toBe(true);
    expect(lists()).toEqual([]);
  });

  it('finds the same where the catalogue was filled before it told of folders, and where images came since', async () => {
    const [plain, app] = [await start(), await withCatalogue()];
    const searched = ['ordered', 'rar', 'mosses', '002'];
    const expected: object[] = [];
    for (const query of searched) expected.push(await allNames(plain, query, 'books'));
    const database = new Database({ address, connections: 1 });
    try {
      const columns = ['titles', 'inside', 'has_pages', 'first_page', 'described_images'];
      await database.ask(`alter table lectern.folders ${columns.map((column) => `drop column ${column}`).join(', ')}`);
      await database.ask('update lectern.version set version = 2');
      await migrate(database);
      for (const change of ['titles = null', 'described_images = 77']) {
        await database.ask(`update lectern.folders set ${change}`);
        for (const [index, query] of searched.entries())
          expect(await allNames(app, query, 'books'), `${query}, ${change}`).toEqual(expected[index]);
      }
    } finally {
      await database.close();
    }
    await fill();
    for (const [index, query] of searched.entries())
      expect(await allNames(app, query, 'books'), query).toEqual(expected[index]);
  });

  it('of a closed folder finds nothing for who may not see it, and all for who may', async () => {
    const [app, open] = [await withCatalogue(closed), await withCatalogue(toStaff)];
    bucket.takeRequests();
    const pathsOf = async (asked: RunningApp, query: string) => {
      const { found, complete } = await allNames(asked, query);
      return [...found.map((one: { readonly path: string }) => one.path).sort(), complete];
    };
    const others = [
      'books/atlas/herbal-map.png',
      'books/herbal',
      'books/herbal-b',
      'books/herbal-b/deep/herbal-deep.png',
      'books/ordered',
      'books/ordered/herbal.png',
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

const locationsIn = (xml: string): readonly string[] =>
  [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, one = '']) => one);
const text = async (app: RunningApp, target: string): Promise<string> => (await app.get(target)).body.toString();
const targetOf = (address: string): string => {
  const { pathname, search } = new URL(address.replaceAll('&amp;', '&'));
  return pathname + search;
};

/** All addresses of the parts of a sitemap, without the host. */
async function sitemapOf(app: RunningApp): Promise<readonly string[]> {
  const parts = locationsIn(await text(app, '/sitemap.xml'));
  const pages: string[] = [];
  for (const part of parts) pages.push(...locationsIn(await text(app, targetOf(part))).map(targetOf));
  return pages;
}

describe('a sitemap', () => {
  it('has all pages and their dates, and no list of the store is asked for', async () => {
    const app = await withCatalogue(closed);
    bucket.takeRequests();
    const pages = await sitemapOf(app);
    // The second index has the parts of the first one.
    expect(await sitemapOf(app)).toEqual(pages);
    expect(bucket.takeRequests()).toEqual([]);
    const plain = await start(closed);
    const expected = await sitemapOf(plain);
    // A walk of the bucket does not come to the end of very many folders in time.
    const ofBooks = (all: readonly string[]) => all.filter((page) => page.includes('/books')).sort();
    expect(ofBooks(pages)).toEqual(ofBooks(expected));
    expect(pages.filter((page) => page.includes('/series')).length).toBe(1 + 2 * volumes);
    expect(pages.filter((page) => page.includes('/flat')).length).toBe(1 + images);
    expect(pages.filter((page) => page.includes('closed'))).toEqual([]);
    expect(pages).toContain('/view/books/atlas/north.png');
    const part = await text(app, '/sitemap-part.xml?folder=flat&from=5999');
    expect(part).toContain(`${nameOf(5998)}</loc><lastmod>2026-01-02T03:04:05.000Z</lastmod>`);
    expect(locationsIn(part)[0]).toContain(nameOf(5998));
    expect((await app.get('/sitemap-part.xml?folder=books/closed&from=0')).status).toBe(404);
    expect((await app.get('/sitemap-part.xml?folder=missing&from=0')).status).toBe(404);
  });

  it('has no date of a folder where the latest image may be one that is closed by itself', async () => {
    const own = { access: { paths: [{ path: `flat/${nameOf(3)}`, roles: ['staff'] }] } };
    const datesOf = async (settings: SettingsInput) => {
      const part = await text(await withCatalogue(settings), '/sitemap-part.xml?folder=flat&from=0');
      const entry = (page: string) => part.split('<url>').find((one) => one.includes(`${page}</loc>`)) ?? '';
      return [entry('/browse/flat'), entry(nameOf(2)), entry(nameOf(3))].map((one) => one.includes('<lastmod>'));
    };
    expect(await datesOf({})).toEqual([true, true, true]);
    expect(await datesOf(own)).toEqual([false, true, false]);
  });
});

/** Without the addresses of the servers. */
const same = (body: Buffer, { url }: RunningApp): unknown =>
  JSON.parse(body.toString().replaceAll(url, 'http://server'));

describe('a folder with very many names', () => {
  const long = { objectStorage: { maxListedNames: 4000 } };
  const targets = [
    'fn=flat&from=3001&count=3',
    'fn=flat&pn=5000&count=7',
    `fn=flat/${nameOf(41)}&count=10`,
    'fn=flat&label=p0000042&count=2',
    'fn=flat&from=5999&count=50',
    'fn=series&from=1090&count=20',
    'fn=&count=10',
  ];

  it('is shown part by part as one that is listed, and not listed', async () => {
    const [app, plain] = [await withCatalogue(long), await start()];
    bucket.takeRequests();
    const got: unknown[] = [];
    for (const target of targets) got.push(same((await app.get(`/api/folder.json?${target}`)).body, app));
    expect(lists()).toEqual([]);
    for (const [index, target] of targets.entries())
      expect(got[index], target).toEqual(same((await plain.get(`/api/folder.json?${target}`)).body, plain));
  });

  it('has pages of HTML, and the image at any position', async () => {
    const app = await withCatalogue(long);
    bucket.takeRequests();
    // Of a page that takes long, only the frame is sent.
    const shown = { timeout: 15_000 };
    await expect.poll(() => text(app, '/browse/flat?from=5901'), shown).toContain(nameOf(5999));
    expect(await text(app, '/browse/flat?from=5901')).not.toContain(nameOf(5899));
    await expect.poll(() => text(app, `/view/flat/${nameOf(4000)}`), shown).toContain(nameOf(4001));
    expect(await text(app, '/api/ImgInfo-json.jsp?fn=flat&pn=5555')).toContain(nameOf(5554));
    expect((await app.get('/browse/flat?from=7001')).status).toBe(404);
    // Without notifications it is asked whether an image has the name.
    expect(lists()).toEqual(['LIST flat']);
    const manifestStatus = async () => (await app.get('/presentation/3/flat/manifest.json')).status;
    await expect.poll(manifestStatus, shown).toBe(413);
  });
});

describe('a collection of very many folders', () => {
  it('has parts, which are read from the catalogue', async () => {
    const app = await withCatalogue();
    bucket.takeRequests();
    const three = await json(app, '/presentation/3/series/collection.json');
    expect(three.items.length).toBe(6);
    expect(three.items[5]).toMatchObject({ type: 'Collection', label: { none: ['1001–1100'] } });
    const last = await json(app, targetOf(three.items[5].id));
    expect(last).toMatchObject({ id: three.items[5].id, partOf: [{ id: three.id, type: 'Collection' }] });
    expect(last.items.length).toBe(100);
    expect(last.items[99]).toMatchObject({ type: 'Manifest', label: { none: ['v1099'] } });
    const first = await json(app, targetOf(three.items[0].id));
    expect(first.items[7].label).toEqual({ none: ['The seventh volume'] });
    expect(lists()).toEqual([]);
  });

  it('has pages in version 2.1', async () => {
    const app = await withCatalogue();
    const whole = await json(app, '/presentation/2/series/collection.json');
    expect(whole.total).toBe(1100);
    expect(whole).not.toHaveProperty('manifests');
    const first = await json(app, targetOf(whole.first));
    expect([first.within, first.startIndex, first.prev, first.manifests.length]).toEqual([
      whole['@id'],
      0,
      undefined,
      200,
    ]);
    const last = await json(app, targetOf(whole.last));
    expect([last.startIndex, last.next, last.manifests.length]).toEqual([1000, undefined, 100]);
    expect((await app.get('/presentation/2/series/collection.json?page=7')).status).toBe(404);
  });

  it('has none where there are some more than 100, which take a few queries together', async () => {
    const [app, plain] = [await withCatalogue(), await start()];
    const target = '/presentation/3/shelf/collection.json';
    // Lists of that many folders may take longer than a request has; those that were read are kept.
    await expect.poll(async () => (await plain.get(target)).status, { timeout: 30_000 }).toBe(200);
    const expected = same((await plain.get(target)).body, plain);
    const queries = async (): Promise<number> =>
      Number(/^lectern_catalogue_queries_total (\d+)$/m.exec(await text(app, '/metrics'))?.[1]);
    const before = await queries();
    bucket.takeRequests();
    const { body } = await app.get(target);
    expect((await queries()) - before).toBeLessThan(30);
    expect(lists()).toEqual([]);
    expect(same(body, app)).toEqual(expected);
    expect(body.toString()).toContain('Dried leaves');
  });

  it('answers as before where there are few', async () => {
    const [app, plain] = [await withCatalogue(closed), await start(closed)];
    for (const target of ['/presentation/3/books/collection.json', '/presentation/2/books/collection.json?page=2'])
      expect(same((await app.get(target)).body, app)).toEqual(same((await plain.get(target)).body, plain));
    expect(await text(app, '/presentation/3/books/collection.json')).not.toContain('closed');
  });
});

describe('a folder with very many names, of which one is closed', () => {
  it('tells nobody of it, nor counts it', async () => {
    const app = await withCatalogue({ access: { paths: [{ path: 'series/V0003', roles: ['staff'] }] } });
    bucket.takeRequests();
    const listing = await json(app, '/api/folder.json?fn=series&count=5');
    expect(listing.totalFolders).toBe(volumes - 1);
    expect(listing.folders.map(({ name }: { readonly name: string }) => name)).toEqual([
      'v0000',
      'v0001',
      'v0002',
      'v0004',
      'v0005',
    ]);
    const whole = await json(app, '/presentation/2/series/collection.json');
    expect(whole.total).toBe(volumes - 1);
    expect(await text(app, targetOf(whole.first))).not.toContain('v0003');
    expect((await sitemapOf(app)).filter((page) => page.includes('v0003'))).toEqual([]);
    expect(await allNames(app, 'v0003')).toEqual({ found: [], complete: true });
    // The path of the rule is asked for at the start, as the name of an image too.
    expect(lists().filter((request) => request.endsWith('/'))).toEqual([]);
  });
});

describe('a catalogue that ends meanwhile', () => {
  it('makes searches incomplete and sitemaps wait, and no bucket is walked', async () => {
    const app = await withCatalogue();
    await allNames(app, 'p0000042');
    await postgres.kill();
    bucket.takeRequests();
    expect(await names(app, 'p0000043')).toEqual({ found: [], complete: false });
    const { status, headers } = await app.get('/sitemap.xml');
    expect([status, headers['retry-after'] !== undefined]).toEqual([504, true]);
    expect((await app.get('/sitemap-part.xml?folder=flat&from=1')).status).toBe(504);
    expect(lists().length).toBeLessThan(5);
    await postgres.start();
    await allNames(app, 'p0000043');
    expect((await app.get('/sitemap.xml')).status).toBe(200);
  });
});

describe('a list of changes', () => {
  const folders = (page: { readonly orderedItems: readonly { type: string; object?: { id: string } }[] }) =>
    page.orderedItems.map(
      ({ type, object }) => `${type} ${object?.id.replace(/^.*presentation\/3\/|\/manifest\.json$/g, '') ?? ''}`,
    );

  it('is of the catalogue, and no list of the store is asked for; what is told of later is in it later', async () => {
    const started = Date.now();
    const now = vi.spyOn(Date, 'now').mockReturnValue(started);
    const directory = mkdtempSync(path.join(scratch, 'changes-'));
    // Nobody learns of what happens to the closed image of an open folder.
    const paths = [...(closed.access?.paths ?? []), { path: 'books/ordered/001.png', roles: ['staff'] }];
    const app = await withCatalogue({ access: { paths }, changes: { directory } });
    bucket.takeRequests();
    await expect.poll(async () => (await app.get('/activity/all-changes.json')).status, { timeout: 15_000 }).toBe(200);
    const { totalItems } = await json(app, '/activity/all-changes.json');
    // A refresh, the volumes, the boxes, the flat folder, and those of the books that are open.
    expect(totalItems).toBe(1 + volumes + boxes + 1 + 5);
    // The folder with a closed image is described as everyone sees it.
    const others = bucket.takeRequests().filter((one) => !/^GET books\/(?:ordered\/|index\.meta)/.test(one));
    expect(others).toEqual([]);
    expect(folders(await json(app, '/activity/page-0.json')).slice(0, 7)).toEqual([
      'Refresh ',
      'Create books/atlas',
      'Create books/chapters',
      'Create books/herbal',
      'Create books/herbal-b/deep',
      'Create books/ordered',
      'Create flat',
    ]);

    const database = new Database({ address, connections: 1 });
    const removed = (key: string) => ({ bucket: 'flat', key, object: undefined, atMs: started, sequencer: undefined });
    await takeChanges(database, [
      removed('books/atlas/north.png'),
      removed('books/ordered/001.png'),
      removed(`${volume(3)}/1.png`),
    ]);
    await database.ask(`update folders set described = 'metadata.yaml:0' where path like '%/books/herbal'`, []);
    await database.close();
    now.mockReturnValue(started + 3_600_000);
    const last = async () => folders(await json(app, '/activity/page-1.json')).slice(-3);
    await expect
      .poll(last, { timeout: 15_000 })
      .toEqual(['Update books/atlas', 'Update books/herbal', `Delete ${volume(3)}`]);
    now.mockRestore();
  });
});
