/** The data set of a folder: equal to what the addresses answer, made once, sent in ranges, and to those alone who may see it. */
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Fastify from 'fastify';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { anyone } from '../../src/core/access/policy.ts';
import { trustProxies } from '../../src/core/http/origin.ts';
import { type DataSetRoutesParts, dataSetRoutes } from '../../src/features/documents/data-set/data-set-routes.ts';
import { DocumentStore } from '../../src/features/documents/pdf/document-store.ts';
import { makeTemporaryLibrary, type TemporaryLibrary } from '../unit/temporary-library.ts';
import { readZip } from '../zip-reader.ts';
import { type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

const library: TemporaryLibrary = makeTemporaryLibrary();
const root = path.join(library.around, 'scans');
const apps: RunningApp[] = [];
afterAll(async () => {
  for (const app of apps) await app.close();
  library.remove();
});

const picture = (width: number, height: number, background = '#a06030'): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();

const alto = (word: string): string =>
  `<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Layout><Page WIDTH="900" HEIGHT="600"><PrintSpace>
<TextBlock ID="b"><TextLine HPOS="10" VPOS="10" WIDTH="200" HEIGHT="20"><String CONTENT="${word}" HPOS="10" VPOS="10" WIDTH="200" HEIGHT="20"/></TextLine></TextBlock>
</PrintSpace></Page></Layout></alto>`;

beforeAll(async () => {
  library.write('scans/herbal/b 1.jpg', await picture(900, 600));
  // Smaller than the pictures of data sets: its file is the picture.
  library.write('scans/herbal/a.jpg', await picture(90, 60, '#3060a0'));
  library.write(
    'scans/herbal/a.png',
    await sharp(await picture(700, 900))
      .png()
      .toBuffer(),
  );
  library.write('scans/herbal/torn.jpg', (await picture(900, 600)).subarray(0, 40));
  library.write(
    'scans/herbal/metadata.yaml',
    'label: A herbal\nmetadata:\n- {label: Author, value: N. N.}\npages: [b 1.jpg]\n',
  );
  library.write('scans/herbal/b 1.xml', alto('Rosa'));
  library.write('scans/herbal/a.jpg.txt', 'Words of a page');
  library.write('scans/closed/1.jpg', await picture(900, 600));
  library.write('scans/mixed/1.jpg', await picture(900, 600));
  library.write('scans/mixed/2.jpg', await picture(900, 600));
  library.write('scans/folders/inner/1.jpg', await picture(90, 60));
});

async function start(settings: SettingsInput = {}): Promise<RunningApp> {
  const app = await startApp({ library: { folders: [root] }, ...settings });
  apps.push(app);
  return app;
}

/** The data set, once it is made. */
async function dataSetAt(app: RunningApp, address: string, headers = {}): Promise<ReceivedResponse> {
  for (;;) {
    const answer = await app.get(address, { headers });
    if (answer.status !== 503) return answer;
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  }
}

interface ListedFile {
  readonly file: string;
  readonly address: string;
}

type ListedPage = Readonly<Record<'picture' | 'text' | 'textFile', ListedFile | undefined>> & {
  readonly canvas: string;
  readonly label: string;
};

const pagesIn = (entries: ReadonlyMap<string, Buffer>): readonly ListedPage[] =>
  JSON.parse(entries.get('pages.json')?.toString() ?? '');

describe('a data set', () => {
  let app: RunningApp;
  let answer: ReceivedResponse;
  let entries: ReadonlyMap<string, Buffer>;
  beforeAll(async () => {
    app = await start({ dataSets: { pictureSize: 300 } });
    answer = await dataSetAt(app, '/dataset/herbal.zip');
    entries = readZip(answer.body);
  });

  it('equals what the addresses answer: manifest, texts and pictures, byte by byte', async () => {
    const compared = ['pages.json', 'metadata.json'];
    const compare = async (file: string, address: string): Promise<void> => {
      const { status, body } = await app.get(address.replace(app.url, ''));
      expect([file, status, entries.get(file)?.equals(body)]).toEqual([file, 200, true]);
      compared.push(file);
    };
    await compare('manifest.json', '/presentation/3/herbal/manifest.json');
    for (const { picture, text, textFile } of pagesIn(entries))
      for (const listed of [picture, text, textFile])
        if (listed !== undefined) await compare(listed.file, listed.address);
    // Nothing else is in it.
    expect([...entries.keys()].sort()).toEqual(compared.sort());
  });

  it('has a picture of each page at the size of the settings, and its texts', async () => {
    const pages = pagesIn(entries);
    const files = pages.map(({ picture, text, textFile }) => [picture?.file, text?.file, textFile?.file]);
    expect(files).toEqual([
      ['pictures/b 1.jpg', 'texts/b 1.txt', 'texts/b 1.xml'],
      ['pictures/a.jpg', 'texts/a.txt', undefined],
      ['pictures/a (2).jpg', undefined, undefined],
    ]);
    const sizes = await Promise.all(
      pages.map(async ({ picture }) => {
        const { width, height } = await sharp(entries.get(picture?.file ?? '')).metadata();
        return [width, height];
      }),
    );
    expect(sizes).toEqual([
      [300, 200],
      [90, 60],
      [233, 300],
    ]);
    expect(entries.get('texts/b 1.txt')?.toString()).toBe('Rosa\n');
  });

  it('has the canvases of the manifest in their order, and its metadata', () => {
    const manifest = JSON.parse(entries.get('manifest.json')?.toString() ?? '');
    expect(pagesIn(entries).map(({ canvas }) => canvas)).toEqual(manifest.items.map(({ id }: { id: string }) => id));
    const { id, label, metadata } = manifest;
    expect(JSON.parse(entries.get('metadata.json')?.toString() ?? '')).toEqual({ id, label, metadata });
  });

  it('is named by the manifest, in both versions, and by the list of changes', async () => {
    const address = `${app.url}/dataset/herbal.zip`;
    const json = async (path: string) => JSON.parse((await app.get(path)).body.toString());
    const format = 'application/zip';
    expect((await json('/presentation/3/herbal/manifest.json')).rendering).toContainEqual(
      expect.objectContaining({ id: address, type: 'Dataset', format }),
    );
    expect((await json('/presentation/2/herbal/manifest.json')).rendering).toContainEqual(
      expect.objectContaining({ '@id': address, format }),
    );
    await app.get('/activity/all-changes.json');
    const { orderedItems } = await json('/activity/page-0.json');
    const herbal = orderedItems.find(({ object }: { object?: { id: string } }) => object?.id.includes('/herbal/'));
    expect(herbal.object.seeAlso).toEqual([expect.objectContaining({ id: address, type: 'Dataset', format })]);
    expect((await app.get('/llms.txt')).body.toString()).toContain(`${app.url}/dataset/FOLDER.zip`);
  });

  it('is sent in ranges, and 304 to whoever has it', async () => {
    const { etag, 'content-length': length, 'accept-ranges': ranges, 'content-type': type } = answer.headers;
    expect([answer.status, length, ranges, type]).toEqual([
      200,
      String(answer.body.length),
      'bytes',
      'application/zip',
    ]);
    expect(answer.headers['content-disposition']).toBe('attachment; filename="herbal.zip"');
    expect((await app.get('/dataset/herbal.zip', { headers: { 'if-none-match': etag } })).status).toBe(304);
    const part = await app.get('/dataset/herbal.zip', { headers: { range: 'bytes=100-199', 'if-range': etag } });
    expect([part.status, part.headers['content-range']]).toEqual([206, `bytes 100-199/${length}`]);
    expect(part.body.equals(answer.body.subarray(100, 200))).toBe(true);
    expect((await app.get('/dataset/herbal.zip', { headers: { range: `bytes=${length}-` } })).status).toBe(416);
    const head = await app.get('/dataset/herbal.zip', { method: 'HEAD' });
    expect([head.status, head.headers['content-length'], head.headers.etag, head.body.length]).toEqual([
      200,
      length,
      etag,
      0,
    ]);
  });

  it('is made once, and anew where a file has changed', async () => {
    const again = await dataSetAt(app, '/dataset/herbal.zip');
    expect([again.headers.etag, again.body.equals(answer.body)]).toEqual([answer.headers.etag, true]);
    library.write('scans/herbal/a.jpg.txt', 'Other words of a page');
    const changed = await dataSetAt(app, '/dataset/herbal.zip');
    expect(changed.headers.etag).not.toBe(answer.headers.etag);
    expect(readZip(changed.body).get('texts/a.txt')?.toString()).toBe('Other words of a page\n');
  });

  it.each([
    '/dataset/nowhere.zip',
    '/dataset/folders.zip',
    '/dataset/herbal.pdf',
    '/dataset/',
    '/dataset/%FF.zip',
    '/dataset/..%2Fherbal.zip',
  ])('is not at %s', async (address) => expect((await app.get(address)).status).toBe(404));
});

describe('the settings', () => {
  it('leave out pictures', async () => {
    const app = await start({ dataSets: { pictureSize: 0 } });
    const entries = readZip((await dataSetAt(app, '/dataset/mixed.zip')).body);
    expect([...entries.keys()]).toEqual(['manifest.json', 'metadata.json', 'pages.json']);
  });

  it('leave out data sets, which nothing names then', async () => {
    const app = await start({ dataSets: { enabled: false } });
    expect((await app.get('/dataset/herbal.zip')).status).toBe(404);
    for (const address of [
      '/presentation/3/herbal/manifest.json',
      '/presentation/2/herbal/manifest.json',
      '/activity/page-0.json',
      '/llms.txt',
      '/openapi.json',
    ])
      expect((await app.get(address)).body.toString(), address).not.toMatch(/\/dataset\//);
  });

  it('bound all that is kept, and each of them', async () => {
    const directory = path.join(library.around, 'kept');
    const app = await start({ dataSets: { directory, maxDocumentBytes: 2 ** 20, pictureSize: 0 } });
    await dataSetAt(app, '/dataset/herbal.zip');
    const kept = readdirSync(path.join(directory, 'lectern-data-sets')).filter((name) => name.endsWith('.zip'));
    expect(kept).toHaveLength(1);
    writeFileSync(
      path.join(root, 'mixed', 'manifest.json'),
      JSON.stringify({ noise: Array.from({ length: 200_000 }, () => Math.random()) }),
    );
    expect((await dataSetAt(app, '/dataset/mixed.zip')).status).toBe(413);
    expect(readdirSync(path.join(directory, 'lectern-data-sets')).filter((name) => name.endsWith('.zip'))).toEqual(
      kept,
    );
  });
});

describe('a data set with rules of access', () => {
  const access = {
    rolesHeader: 'X-Roles',
    tiers: [
      { name: 'small', maxSide: 100, documents: true, texts: true },
      { name: 'seen', maxSide: 200, documents: false },
    ],
    paths: [
      { path: 'closed', roles: ['staff'] },
      { path: 'mixed/2.jpg', roles: ['staff'] },
      { path: 'herbal', roles: ['staff'], everyone: 'small' },
      { path: 'folders', roles: ['staff'], everyone: 'seen' },
    ],
  };
  const staff = { 'x-roles': 'staff' };
  let app: RunningApp;
  beforeAll(async () => {
    app = await start({ access, http: { trustedProxies: ['127.0.0.1'] }, dataSets: { pictureSize: 300 } });
  });

  it('is of those alone who may see the folder, also where they know its tag', async () => {
    const own = await dataSetAt(app, '/dataset/closed.zip', staff);
    expect([own.status, own.headers['cache-control']]).toEqual([200, 'private, no-cache']);
    const denied = await app.get('/dataset/closed.zip', { headers: { 'if-none-match': own.headers.etag } });
    expect([denied.status, denied.headers.etag]).toEqual([401, undefined]);
    const missing = await app.get('/dataset/closed%2Fnowhere.zip');
    expect([missing.status, missing.body.toString()]).toEqual([denied.status, denied.body.toString()]);
  });

  it('has the pages that the caller may see, and no others', async () => {
    const [theirs, mine] = [
      await dataSetAt(app, '/dataset/mixed.zip', staff),
      await dataSetAt(app, '/dataset/mixed.zip'),
    ];
    const namesIn = ({ body }: ReceivedResponse): readonly string[] =>
      [...readZip(body).keys()].filter((name) => name.startsWith('pictures/'));
    expect([namesIn(theirs), namesIn(mine)]).toEqual([['pictures/1.jpg', 'pictures/2.jpg'], ['pictures/1.jpg']]);
    expect(readZip(mine.body).get('manifest.json')?.toString()).not.toContain('2-jpg');
    expect(theirs.headers.etag).not.toBe(mine.headers.etag);
  });

  it('has pictures and texts of a tier as its addresses answer them', async () => {
    const entries = readZip((await dataSetAt(app, '/dataset/herbal.zip')).body);
    expect(pagesIn(entries).map(({ text }) => text?.file)).toEqual(['texts/b 1.txt', 'texts/a.txt', undefined]);
    for (const { picture, textFile } of pagesIn(entries)) {
      const { status, body } = await app.get(picture?.address.replace(app.url, '') ?? '');
      expect([status, entries.get(picture?.file ?? '')?.equals(body)]).toEqual([200, true]);
      const { width = 0, height = 0 } = await sharp(body).metadata();
      expect(Math.max(width, height)).toBeLessThanOrEqual(100);
      // A file with places is of the whole image.
      expect(textFile).toBeUndefined();
    }
  });

  it('has neither pixels nor words that are covered, and is another one for who sees them', async () => {
    const covered = 'redactions: {1.jpg: [{region: "pct:0,0,100,100", roles: [staff]}]}\n';
    library.write('scans/covered/1.jpg', await picture(900, 600));
    library.write('scans/covered/1.xml', alto('Secret'));
    library.write('scans/covered/metadata.yaml', covered);
    const [theirs, mine] = [
      await dataSetAt(app, '/dataset/covered.zip', staff),
      await dataSetAt(app, '/dataset/covered.zip'),
    ];
    const [whole, entries] = [readZip(theirs.body), readZip(mine.body)];
    expect(mine.headers.etag).not.toBe(theirs.headers.etag);
    expect([...entries.keys()].filter((name) => name.endsWith('.xml'))).toEqual([]);
    expect(whole.get('texts/1.txt')?.toString()).toBe('Secret\n');
    expect(JSON.stringify([...entries].map(([, content]) => content.toString('latin1')))).not.toContain('Secret');
    const { channels } = await sharp(entries.get('pictures/1.jpg')).stats();
    expect(channels.map(({ max }) => max < 8)).toEqual([true, true, true]);
    for (const { picture } of pagesIn(entries)) {
      const { body } = await app.get(picture?.address.replace(app.url, '') ?? '');
      expect(entries.get(picture?.file ?? '')?.equals(body)).toBe(true);
    }
  });

  it('is denied where the tier gives no documents', async () =>
    expect((await app.get('/dataset/folders%2Finner.zip')).status).toBe(401));
});

it('is 503 with a time while it is being made, and made on for whoever comes again', async () => {
  const directory = path.join(library.around, 'slow');
  const kind = { folder: 'lectern-data-sets', extension: '.zip' };
  const bounds = { maxBytes: 2 ** 20, maxDocumentBytes: 2 ** 20, workers: 1, maxWaiting: 1 };
  const documentStore = new DocumentStore({ directory, kind, ...bounds, onFault: (message) => expect.fail(message) });
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let begun = 0;
  async function* make(_owner: object, _signal: AbortSignal, onPage: () => void): AsyncGenerator<Buffer> {
    begun += 1;
    onPage();
    yield Buffer.from('begin ');
    await finished;
    yield Buffer.from('end');
  }
  const selection = { isOpen: true, path: 'herbal', pages: [] } as never;
  const parts: DataSetRoutesParts = {
    ...{ documentStore, contextPath: '', cacheControl: 'public', deadlineMs: 5, trusted: trustProxies([]) },
    callers: { callerOf: async () => anyone },
    dataSets: { prepare: async () => ({ selection, key: 'k'.repeat(64), pages: 41, work: () => 0, make }) },
  };
  const server = Fastify();
  server.decorateRequest('origin', '');
  server.decorateRequest('imageName', undefined);
  server.decorate('outgoing', { reserve: async () => ({ release: () => undefined }) } as never);
  server.decorate('failures', { report: () => undefined } as never);
  dataSetRoutes(server, parts, () => undefined);
  const get = () => server.inject({ url: '/dataset/herbal.zip' });
  const first = await get();
  const second = await vi.waitFor(async () => {
    const answer = await get();
    expect(answer.body).toContain('1 of 41 pages');
    return answer;
  });
  expect([first.statusCode, second.statusCode, second.headers['retry-after']]).toEqual([503, 503, '10']);
  expect(begun).toBe(1);
  finish();
  let last = await get();
  while (last.statusCode === 503) last = await get();
  expect([last.statusCode, last.body, begun]).toEqual([200, 'begin end', 1]);
  await server.close();
  await documentStore.close();
});
