import { spawn } from 'node:child_process';
import { utimesSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  collectionSchema2,
  collectionSchema3,
  manifestSchema2,
  manifestSchema3,
  parserWarnings,
} from '../unit/features/presentation/model/schema.ts';
import { type LibraryWithSecrets, makeLibrary, picture } from './library-with-secrets.ts';
import { type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

const json = (answer: ReceivedResponse): object => JSON.parse(answer.body.toString()) as object;

/** The manifests of a collection and of all collections below it, each validated. */
async function manifestsBelow(app: RunningApp, address: string): Promise<object[]> {
  const answer = await app.get(address.slice(app.url.length));
  expect(answer.status, address).toBe(200);
  const document = json(answer);
  if ('type' in document && document.type === 'Manifest') {
    expect(manifestSchema3.parse(document).id).toBe(address);
    expect(parserWarnings(document)).toEqual([]);
    return [document];
  }
  const { items } = collectionSchema3.parse(document);
  const others = items.filter(({ id }) => !address.startsWith(id.replace(/manifest\.json$/, '')));
  return (await Promise.all(others.map(({ id }) => manifestsBelow(app, id)))).flat();
}

describe('the golden library', () => {
  let app: RunningApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  const get = (path: string, accept?: string): Promise<ReceivedResponse> =>
    app.get(path, accept === undefined ? {} : { headers: { accept } });

  it('gives the manifests recorded from digilib', async () => {
    const checker = spawn(process.execPath, [pathOf('../fixtures/golden/check.mjs'), app.url, '--group', 'manifester']);
    let output = '';
    for await (const chunk of checker.stdout) output += String(chunk);
    expect(output.trim().split('\n').at(-1)).toBe('10/10');
  });

  it('is a tree of collections and manifests that are valid', async () => {
    const manifests = await manifestsBelow(app, `${app.url}/presentation/3/collection.json`);
    expect(manifests.length).toBeGreaterThan(9);
  });

  it('has manifests that begin at a canvas of theirs, and at no other', async () => {
    const { id, items } = manifestSchema3.parse(json(await get('/presentation/3/photos/manifest.json')));
    const canvas = items[1]?.id ?? '';
    const startOf = async (start: string): Promise<unknown> => {
      const manifest = json(await get(`/presentation/3/photos/manifest.json?start=${encodeURIComponent(start)}`));
      expect(parserWarnings(manifest)).toEqual([]);
      return (manifestSchema3.parse(manifest).id === id && 'start' in manifest && manifest.start) || undefined;
    };
    expect(await startOf(canvas)).toEqual({ id: canvas, type: 'Canvas' });
    expect(await startOf('https://elsewhere.example/canvas/1')).toBeUndefined();
    expect(await startOf('')).toBeUndefined();
  });

  it('is the same in 2.1', async () => {
    const { manifests, collections } = collectionSchema2.parse(json(await get('/presentation/2/collection.json')));
    expect(manifests).toHaveLength(8);
    expect(collections).toHaveLength(2);
    const manifest = manifestSchema2.parse(json(await get('/presentation/2/books/book1/manifest.json')));
    expect(manifest.sequences[0].canvases).toHaveLength(12);
    expect(parserWarnings(manifest)).toEqual([]);
  });

  it('names images that exist, with their sizes', async () => {
    const { items } = manifestSchema3.parse(json(await get('/presentation/3/names/manifest.json')));
    expect(items).toHaveLength(6);
    for (const { thumbnail, items: pages, width, height } of items) {
      const { body } = pages[0].items[0];
      for (const image of [body, thumbnail[0]]) {
        const answer = await get(image.id.slice(app.url.length));
        expect(answer.status, image.id).toBe(200);
        expect(await sharp(answer.body).metadata()).toMatchObject({ width: image.width, height: image.height });
        for (const service of image.service) {
          const address = '@id' in service ? service['@id'] : service.id;
          const information = json(await get(`${address.slice(app.url.length)}/info.json`));
          expect(information).toMatchObject({ width, height });
          expect(Object.values(information)).toContain(address);
        }
      }
    }
  });

  it('has upright sizes', async () => {
    const { items } = manifestSchema3.parse(json(await get('/presentation/3/photos/manifest.json')));
    const turned = items.find(({ id }) => id.includes('exif6'));
    expect(turned).toMatchObject({ width: 533, height: 800 });
  });

  it.each([
    ['/presentation/3/books!book2/manifest.json'],
    ['/presentation/3/books%2Fbook2/manifest.json'],
    ['/presentation/3//books/./book2/manifest.json'],
    ['/presentation/3/books/book2/canvas/leaf01-tif'],
    ['/presentation/3/books/book2/page/leaf01-tif'],
  ])('answers %s with the manifest, under its one address', async (path) => {
    const answer = await get(path);
    expect(json(answer)).toMatchObject({ id: `${app.url}/presentation/3/books/book2/manifest.json` });
  });

  it.each([
    ['/Manifester/IIIF/books!book2', '@id', '/Manifester/IIIF/books!book2/manifest'],
    ['/Manifester/IIIF/2/books%2Fbook2/manifest', '@id', '/Manifester/IIIF/2/books!book2/manifest'],
    ['/Manifester/IIIF/3/books!book2!leaf01.tif', 'id', '/Manifester/IIIF/3/books!book2/manifest'],
    ['/Manifester/IIIF/3/books!book2/annotation/x', 'id', '/Manifester/IIIF/3/books!book2/manifest'],
  ])('answers %s in digilib’s form', async (path, name, id) => {
    expect(json(await get(path))).toMatchObject({ [name]: app.url + id });
  });

  it.each([
    ['/presentation/3/books/manifest.json', '/presentation/3/books/collection.json'],
    ['/presentation/2/books/book1/collection.json', '/presentation/2/books/book1/manifest.json'],
  ])('redirects from %s to the collection or manifest', async (path, location) => {
    const answer = await get(path);
    expect([answer.status, answer.headers.location]).toEqual([303, app.url + location]);
  });

  it.each([
    '/presentation/3/empty/manifest.json',
    '/presentation/3/empty/collection.json',
    '/presentation/3/missing/manifest.json',
    '/presentation/3/books/book1',
    '/presentation/3/books/book1/page0001.jpg/manifest.json',
    '/presentation/4/books/book1/manifest.json',
    '/presentation/3/../hires/books/book1/manifest.json',
    '/presentation/3/%2e%2e/manifest.json',
    '/presentation/3/..%2Fscaled/collection.json',
    '/presentation/3/%252e%252e/collection.json',
    '/presentation/3/..!scaled/collection.json',
    '/presentation/3/%c0%ae%c0%ae/manifest.json',
    '/presentation/3/books%00/manifest.json',
    '/presentation/3/books%5Cbook1/manifest.json',
    '/Manifester/IIIF/..!scaled',
    '/Manifester/IIIF/3/%2e%2e%2fscaled/manifest',
    '/Manifester/IIIF/books/book1',
    '/Manifester/IIIF/',
    '/Manifester/IIIF/nothing!here',
  ])('answers 404 at %s', async (path) => {
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.body.toString()).not.toContain('golden');
  });

  it('is sent as JSON, and as JSON-LD to clients that accept it', async () => {
    const path = '/presentation/3/books/book2/manifest.json';
    expect((await get(path)).headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=3600, stale-while-revalidate=600, stale-if-error=86400',
      vary: 'Accept',
    });
    expect((await get(path, 'application/ld+json')).headers['content-type']).toBe(
      'application/ld+json;profile="http://iiif.io/api/presentation/3/context.json"',
    );
    expect((await get('/Manifester/IIIF/books!book2', 'application/ld+json')).headers['content-type']).toBe(
      'application/ld+json;profile="http://iiif.io/api/presentation/2/context.json"',
    );
  });

  it.each([
    ['application/ld+json;q=0', 'application/json; charset=utf-8'],
    ['application/ld+json;q=0.5, application/json', 'application/json; charset=utf-8'],
    ['application/json;q=0.5, application/ld+json;q=0.6', 'application/ld+json;profile='],
  ])('is negotiated by q values: %s', async (accept, mediaType) => {
    for (const path of ['/presentation/3/books/book2/manifest.json', '/Manifester/IIIF/books!book2']) {
      const { headers } = await get(path, accept);
      expect([path, headers['content-type']?.startsWith(mediaType)]).toEqual([path, true]);
    }
  });

  it.each(['/servlet/Manifester/IIIF', '/authenticated/servlet/Manifester/IIIF'])(
    'is answered at %s in all forms',
    async (prefix) => {
      for (const version of ['', '/2', '/3']) {
        for (const rest of ['', '/', '/manifest', '/canvas/page1']) {
          const [plain, servlet] = await Promise.all(
            ['/Manifester/IIIF', prefix].map((mount) => get(`${mount}${version}/books!book2${rest}`)),
          );
          expect([version, rest, servlet?.status]).toEqual([version, rest, 200]);
          expect(servlet?.body.toString().replaceAll(prefix, '/Manifester/IIIF')).toBe(plain?.body.toString());
        }
      }
    },
  );

  it('is answered 304 to a matching If-None-Match', async () => {
    const path = '/presentation/3/books/book2/manifest.json';
    const { etag = '' } = (await get(path)).headers;
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    for (const tag of [etag, `"x", W/${etag}`, '*']) {
      const again = await app.get(path, { headers: { 'if-none-match': tag } });
      expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag]);
    }
    expect((await app.get(path, { headers: { 'if-none-match': '"x"' } })).status).toBe(200);
  });

  it('answers HEAD with the headers only', async () => {
    const path = '/presentation/3/books/book2/manifest.json';
    const [whole, head] = [await get(path), await app.get(path, { method: 'HEAD' })];
    expect([head.status, head.body.length]).toEqual([200, 0]);
    expect(head.headers['content-length']).toBe(String(whole.body.length));
    expect(head.headers.etag).toBe(whole.headers.etag);
  });
});

describe('the samples', () => {
  it('have manifests and collections that are valid', async () => {
    const app = await startApp({ library: { folders: [pathOf('../../samples')] } });
    try {
      const manifests = await manifestsBelow(app, `${app.url}/presentation/3/collection.json`);
      expect(manifests).toHaveLength(3);
    } finally {
      await app.close();
    }
  });
});

describe('a library with files of its own', () => {
  let app: RunningApp;
  let library: LibraryWithSecrets;
  beforeAll(async () => {
    library = await makeLibrary();
    const page = await picture('jpeg');
    for (const folder of ['own', 'meta', 'broken', 'outside', 'pipe', 'named! x', 'shelf/what?']) {
      library.write(`${folder}/page.jpg`, page);
    }
    library.write('own/manifest.json', '{"mine": "漢"}\n');
    library.write('just/manifest.json', '{"just": true}');
    library.write('meta/manifest-meta.json', '{"label": {"en": ["Added"]}, "id": "x", "items": []}');
    library.write('broken/manifest.json', '{"secret": ');
    library.write('broken/manifest-meta.json', '"text"');
    library.write('../secret.json', '{"secret": 1}');
    library.link('../../secret.json', 'outside/manifest.json');
    library.link('../../secret.json', 'outside/manifest-meta.json');
    library.fifo('pipe/manifest.json');
    app = await startApp({
      library: { folders: [library.root] },
      http: { contextPath: '/digilib', trustedProxies: ['127.0.0.1'] },
    });
  });
  afterAll(async () => {
    await app.close();
    library.remove();
  });

  const manifest = async (folder: string): Promise<object> =>
    json(await app.get(`/digilib/presentation/3/${folder}/manifest.json`));

  it('sends them instead, to digilib’s clients too', async () => {
    expect(await manifest('own')).toEqual({ mine: '漢' });
    expect(await manifest('just')).toEqual({ just: true });
    expect(json(await app.get('/digilib/Manifester/IIIF/own'))).toEqual({ mine: '漢' });
    expect(json(await app.get('/digilib/Manifester/IIIF/just'))).toEqual({ just: true });
    const answer = await app.get('/digilib/presentation/2/own/manifest.json', {
      headers: { accept: 'application/ld+json' },
    });
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.body.toString()).toBe('{"mine": "漢"}\n');
  });

  it('merges their additions', async () => {
    const document = await manifest('meta');
    expect(document).toMatchObject({ label: { en: ['Added'] } });
    expect(manifestSchema3.parse(document).id).toBe(`${app.url}/digilib/presentation/3/meta/manifest.json`);
  });

  it('ignores invalid ones, and logs this once', async () => {
    for (let time = 0; time < 3; time++) manifestSchema3.parse(await manifest('broken'));
    expect(app.logLines.filter((line) => line.includes('"folder":"broken"'))).toHaveLength(2);
    expect(app.logLines.join('')).not.toContain('secret');
  });

  it.each(['outside', 'pipe'])('reads only regular files inside the library: %s', async (folder) => {
    expect(manifestSchema3.parse(await manifest(folder)).items).toHaveLength(1);
  });

  it('escapes the names of folders in addresses', async () => {
    const { items } = collectionSchema3.parse(json(await app.get('/digilib/presentation/3/collection.json')));
    const folder = items.find(({ id }) => id.includes('named'))?.id ?? '';
    expect(folder).toBe(`${app.url}/digilib/presentation/3/named%21%20x/manifest.json`);
    const named = manifestSchema3.parse(json(await app.get(folder.slice(app.url.length))));
    expect(named.id).toBe(folder);
    for (const service of named.items[0]?.thumbnail[0].service ?? []) {
      const address = '@id' in service ? service['@id'] : service.id;
      expect(address).toContain('named%21%20x%2Fpage.jpg');
      expect((await app.get(`${address.slice(app.url.length)}/info.json`)).status).toBe(200);
    }
    expect(manifestSchema3.parse(await manifest('named!%20x')).id).toBe(folder);
    expect(manifestSchema3.parse(await manifest('shelf!what%3F')).label).toEqual({ none: ['what?'] });
  });

  it('has a page that was added, and the new size of one that was replaced', async () => {
    const sizes = async (): Promise<unknown> => {
      // A folder that has not changed for some time is not listed again.
      utimesSync(library.in('changing'), changedAt, changedAt);
      return manifestSchema3.parse(await manifest('changing')).items.map(({ width, height }) => [width, height]);
    };
    let changedAt = Date.now() / 1000 - 3600;
    library.write('changing/1.jpg', await picture('jpeg', 60, 40));
    expect(await sizes()).toEqual([[60, 40]]);
    library.write('changing/1.jpg', await picture('jpeg', 90, 30));
    expect(await sizes()).toEqual([[90, 30]]);
    changedAt += 60;
    library.write('changing/2.jpg', await picture('jpeg', 20, 30));
    expect(await sizes()).toEqual([
      [90, 30],
      [20, 30],
    ]);
  });

  it('has each page of a multi-page file', async () => {
    const pages = await Promise.all([30, 30].map((height) => picture('png', 40, height)));
    library.write(
      'plates/scan.tif',
      await sharp(pages, { join: { animated: true } })
        .tiff()
        .toBuffer(),
    );
    const { items } = manifestSchema3.parse(await manifest('plates'));
    expect(items.map(({ label, width, height }) => [label, width, height])).toEqual([
      [{ none: ['scan (1)'] }, 40, 30],
      [{ none: ['scan (2)'] }, 40, 30],
    ]);
    for (const { items: canvas } of items) {
      const { id } = canvas[0].items[0].body;
      const answer = await app.get(id.slice(app.url.length));
      expect(answer.status, id).toBe(200);
      expect(await sharp(answer.body).metadata()).toMatchObject({ width: 40, height: 30 });
    }
  });

  it('has the properties of metadata.yaml', async () => {
    library.write('described/1.jpg', await picture('jpeg'));
    library.write('described/2.jpg', await picture('jpeg'));
    library.write('described/metadata.yaml', 'label: A book\nviewingDirection: right-to-left\n');
    const document = manifestSchema3.parse(await manifest('described'));
    expect(document).toMatchObject({ label: { none: ['A book'] }, viewingDirection: 'right-to-left' });
    const { items } = collectionSchema3.parse(json(await app.get('/digilib/presentation/3/collection.json')));
    expect(items.find(({ id }) => id.includes('described'))?.label).toEqual({ none: ['A book'] });
  });

  it('has addresses with the origin that a proxy names', async () => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'library.example' };
    const behind = json(await app.get('/digilib/presentation/3/meta/manifest.json', { headers }));
    expect(manifestSchema3.parse(behind)).toMatchObject({
      id: 'https://library.example/digilib/presentation/3/meta/manifest.json',
      partOf: [{ id: 'https://library.example/digilib/presentation/3/collection.json' }],
      items: [{ id: 'https://library.example/digilib/presentation/3/meta/canvas/page-jpg' }],
    });
    expect(JSON.stringify(behind)).not.toContain('127.0.0.1');
  });
});
