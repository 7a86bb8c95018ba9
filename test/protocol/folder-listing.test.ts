/** The reading room’s API of folders: texts, the requested part of the images, and only what the caller may see. */
import { mkdirSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { FolderListing } from '../../src/core/image/folder/folder-listing.ts';
import { type LibraryWithSecrets, makeLibrary, picture } from './library-with-secrets.ts';
import { type RunningApp, startApp } from './running-app.ts';

const metadata = `
label: { en: A herbal, de: Ein Kräuterbuch }
summary: { fr: [Un, Deux] }
metadata:
  - { label: { en: Author, de: Autor }, value: { en: Unknown, de: Unbekannt } }
  - Date: 1890
requiredStatement: { label: Source, value: The museum }
rights: https://creativecommons.org/publicdomain/mark/1.0/
viewingDirection: right-to-left
behavior: paged
non-paged: b.png
facing-pages: [torn, two]
pages:
  - c: Cover
  - a: { de: Blatt 1, en: Leaf 1 }
contents:
  - { label: { en: Preface, de: Vorrede }, pages: [a, c] }
  - label: Plants
    contents:
      - { label: Mint, pages: [two] }
      - { label: Nowhere, pages: [] }
`;

const files = ['a.jpg', 'b.jpg', 'b.png', 'c.jpg', 'torn.jpg', 'two.tif'];

let library: LibraryWithSecrets;
let app: RunningApp;
beforeAll(async () => {
  library = await makeLibrary();
  const pages = await Promise.all([picture('png', 40, 30), picture('png', 40, 30)]);
  const two = await sharp(pages, { join: { animated: true } })
    .tiff()
    .toBuffer();
  for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) library.write(`shelf/herbal/${name}`, await picture('jpeg', 90, 60));
  library.write('shelf/herbal/b.png', await picture('png'));
  library.write('shelf/herbal/torn.jpg', 'torn');
  library.write('shelf/herbal/two.tif', two);
  library.write('shelf/herbal/metadata.yaml', metadata);
  library.write('shelf/first/deep/down/x.jpg', await picture('jpeg'));
  library.write('shelf/metadata.yaml', 'label: The shelf\n');
  for (let number = 1; number <= 12; number++) library.write(`many/sub${10 + number}/p.jpg`, await picture('jpeg'));
  for (let number = 1; number <= 12; number++) library.write(`many/p${10 + number}.jpg`, await picture('jpeg'));
  mkdirSync(library.in('bare'));
  app = await startApp({ library: { folders: [library.root] }, http: { contextPath: '/digilib' } });
});
afterAll(async () => {
  await app.close();
  library.remove();
});

async function folderOf(query: string, from: RunningApp = app, prefix = '/digilib'): Promise<FolderListing> {
  const { status, headers, body } = await from.get(`${prefix}/api/folder.json?${query}`);
  expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  return JSON.parse(body.toString());
}

describe('a folder', () => {
  it('has the texts of its metadata in the requested language', async () => {
    expect(await folderOf('fn=shelf/herbal&lang=de-AT,en')).toMatchObject({
      path: 'shelf/herbal',
      title: 'Ein Kräuterbuch',
      summary: ['Un', 'Deux'],
      metadata: [
        { label: 'Autor', value: ['Unbekannt'] },
        { label: 'Date', value: ['1890'] },
        { label: 'Source', value: ['The museum'] },
      ],
      attribution: ['The museum'],
      rights: 'https://creativecommons.org/publicdomain/mark/1.0/',
      direction: 'right-to-left',
      behavior: ['paged'],
      unpaired: [
        { at: 4, page: 1, behavior: 'non-paged' },
        { at: 5, page: 1, behavior: 'facing-pages' },
        { at: 6, page: 1, behavior: 'facing-pages' },
      ],
      parents: [
        { path: '', title: '' },
        { path: 'shelf', title: 'The shelf' },
      ],
      at: null,
    });
    expect((await folderOf('fn=shelf/herbal')).title).toBe('A herbal');
  });

  it('lists its images in the order and with the labels of its manifest, with their sizes and pages', async () => {
    const { images, totalImages } = await folderOf('fn=shelf/herbal&lang=de');
    expect(totalImages).toBe(files.length);
    expect(images.map(({ name, label, pn, width, height, pages }) => [name, label, pn, width, height, pages])).toEqual([
      ['c.jpg', 'Cover', 4, 90, 60, 1],
      ['a.jpg', 'Blatt 1', 1, 90, 60, 1],
      ['b.jpg', 'b.jpg', 2, 90, 60, 1],
      ['b.png', 'b.png', 3, 60, 40, 1],
      ['torn.jpg', 'torn', 5, null, null, 1],
      ['two.tif', 'two', 6, 40, 30, 2],
    ]);
    const manifest = await app.get('/digilib/presentation/3/shelf/herbal/manifest.json');
    const labels = JSON.parse(manifest.body.toString()).items.map(({ label }: { label: Record<string, string[]> }) =>
      Object.values(label).at(0)?.at(0),
    );
    expect(labels).toEqual(['Cover', 'Blatt 1', 'b.jpg', 'b.png', 'two (1)', 'two (2)']);
  });

  it('lists its subfolders, each with its counts and a cover image from below', async () => {
    const { folders, totalFolders, images } = await folderOf('fn=shelf');
    expect([totalFolders, images]).toEqual([2, []]);
    expect(folders).toEqual([
      {
        path: 'shelf/first',
        name: 'first',
        title: 'first',
        summary: '',
        images: 0,
        folders: 1,
        cover: 'shelf/first/deep/down/x.jpg',
      },
      {
        path: 'shelf/herbal',
        name: 'herbal',
        title: 'A herbal',
        summary: 'Un',
        images: 6,
        folders: 0,
        cover: 'shelf/herbal/c.jpg',
      },
    ]);
    expect((await folderOf('')).folders.find(({ path }) => path === 'bare')).toMatchObject({ images: 0, cover: null });
  });

  const parts: readonly (readonly [string, number, readonly string[], readonly string[], number | null])[] = [
    ['fn=many&count=3', 1, ['p11', 'p12', 'p13'], ['sub11', 'sub12', 'sub13'], null],
    ['fn=many&count=3&from=11', 11, ['p21', 'p22'], ['sub21', 'sub22'], null],
    ['fn=many&count=3&from=40', 40, [], [], null],
    ['fn=many/p15.jpg&count=3', 4, ['p14', 'p15', 'p16'], ['sub14', 'sub15', 'sub16'], 5],
    ['fn=many/p15&count=3', 4, ['p14', 'p15', 'p16'], ['sub14', 'sub15', 'sub16'], 5],
    ['fn=many/p15.jpg&count=2&from=1', 1, ['p11', 'p12'], ['sub11', 'sub12'], 5],
    ['fn=many&pn=12&count=5', 11, ['p21', 'p22'], ['sub21', 'sub22'], 12],
    ['fn=many&pn=99&count=2', 1, ['p11', 'p12'], ['sub11', 'sub12'], null],
  ];
  it.each(parts)('%s is the part from %i', async (query, from, images, folders, at) => {
    const page = await folderOf(query);
    expect(page).toMatchObject({ from, at, totalImages: 12, totalFolders: 12 });
    expect(page.images.map(({ label }) => label)).toEqual(images);
    expect(page.folders.map(({ name }) => name)).toEqual(folders);
  });

  it('has its chapters in the requested language, each with the page at which it begins', async () => {
    const { contents } = await folderOf('fn=shelf/herbal&lang=de&count=1&from=3');
    expect(contents).toEqual([
      { label: 'Vorrede', path: 'shelf/herbal/a.jpg', at: 2, page: 'Blatt 1', contents: [] },
      {
        label: 'Plants',
        path: 'shelf/herbal/two.tif',
        at: 6,
        page: 'two',
        contents: [{ label: 'Mint', path: 'shelf/herbal/two.tif', at: 6, page: 'two', contents: [] }],
      },
    ]);
    expect((await folderOf('fn=many')).contents).toEqual([]);
  });

  it.each([
    ['cover', 1],
    ['LEAF 1', 2],
    ['blatt 1', 2],
    ['b.png', 4],
    ['two', 6],
    ['Leaf', null],
  ])('has the position of the page with the label “%s”', async (label, at) => {
    const page = await folderOf(`fn=shelf/herbal&count=1&label=${encodeURIComponent(label)}`);
    expect([page.at, page.from]).toEqual([at, at ?? 1]);
  });

  it('is found by an unreadable image in it, and by a page of a multi-page file', async () => {
    expect((await folderOf('fn=shelf/herbal/torn.jpg')).at).toBe(5);
    expect((await folderOf('fn=shelf/herbal/two.tif%3B2')).at).toBe(6);
  });

  it('has an ETag, and must be revalidated', async () => {
    const { headers } = await app.get('/digilib/api/folder.json?fn=many');
    expect(headers['cache-control']).toBe('no-cache');
    const again = await app.get('/digilib/api/folder.json?fn=many', {
      headers: { 'if-none-match': headers.etag ?? '' },
    });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  const wrong: readonly (readonly [string, number, string])[] = [
    ['fn=nowhere', 404, 'not-found'],
    ['fn=../lib-secret', 404, 'not-found'],
    ['fn=shelf/nothing.jpg', 404, 'not-found'],
    ['fn=many&from=0', 400, 'bad-request'],
    ['fn=many&count=x', 400, 'bad-request'],
    ['fn=many&pn=-1', 400, 'bad-request'],
  ];
  it.each(wrong)('%s is answered %i in JSON', async (query, status, error) => {
    const answer = await app.get(`/digilib/api/folder.json?${query}`);
    expect([answer.status, JSON.parse(answer.body.toString())]).toEqual([
      status,
      { error, message: expect.stringMatching(/\.$/) },
    ]);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('numbers its pages if so configured, and lists virtual folders', async () => {
    const other = await startApp({
      library: {
        folders: [library.in('shelf')],
        virtualFolders: [{ link: 'elsewhere/many', folder: library.in('many') }],
      },
      iiif: { pageLabels: 'number' },
    });
    const { images } = await folderOf('fn=elsewhere/many&from=3&count=2', other, '');
    expect(images.map(({ path, label }) => [path, label])).toEqual([
      ['elsewhere/many/p13.jpg', '3'],
      ['elsewhere/many/p14.jpg', '4'],
    ]);
    expect((await folderOf('', other, '')).folders.map(({ path }) => path)).toEqual(['elsewhere', 'first', 'herbal']);
    await other.close();
  });
});

describe('with access rules', () => {
  const staff = { 'x-roles': 'staff' };
  let guarded: RunningApp;
  beforeAll(async () => {
    library.write('guarded/closed/secret.jpg', await picture('jpeg'));
    library.write('guarded/open/a.jpg', await picture('jpeg'));
    library.write('guarded/open/b.jpg', await picture('jpeg'));
    library.write('guarded/hidden/only.jpg', await picture('jpeg'));
    guarded = await startApp({
      library: { folders: [library.in('guarded')] },
      http: { trustedProxies: ['127.0.0.1'] },
      access: {
        rolesHeader: 'X-Roles',
        paths: ['closed', 'open/b.jpg', 'hidden/only.jpg'].map((path) => ({ path, roles: ['staff'] })),
      },
    });
  });
  afterAll(() => guarded.close());

  const get = async (query: string, headers = {}) => {
    const answer = await guarded.get(`/api/folder.json?${query}`, { headers });
    return { ...answer, json: JSON.parse(answer.body.toString()) };
  };

  it('folders and images are listed only for callers who may see them', async () => {
    const top = (await get('')).json;
    expect([top.totalFolders, top.folders.map(({ name }: { name: string }) => name)]).toEqual([2, ['hidden', 'open']]);
    expect(top.folders.map(({ images, cover }: FolderListing['folders'][number]) => [images, cover])).toEqual([
      [0, null],
      [1, 'open/a.jpg'],
    ]);
    expect((await get('', staff)).json.totalFolders).toBe(3);
    expect((await get('fn=open')).json.images.map(({ name }: { name: string }) => name)).toEqual(['a.jpg']);
    expect((await get('fn=open', staff)).json.totalImages).toBe(2);
  });

  test.each([
    ['fn=closed', {}, 401, 'login-needed'],
    ['fn=closed/secret.jpg', {}, 401, 'login-needed'],
    ['fn=closed/nothing', {}, 401, 'login-needed'],
    ['fn=open/b.jpg', {}, 401, 'login-needed'],
    ['fn=hidden', {}, 401, 'login-needed'],
    ['fn=closed', { 'x-roles': 'reader' }, 403, 'denied'],
    ['fn=hidden', { 'x-roles': 'reader' }, 403, 'denied'],
    ['fn=nothing', {}, 404, 'not-found'],
  ])('%s for %o is answered %i', async (query, headers, status, error) => {
    const answer = await get(query, headers);
    expect([answer.status, answer.json]).toEqual([status, { error, message: expect.any(String) }]);
  });

  it('responses stay out of shared caches', async () => {
    expect((await get('fn=open')).headers['cache-control']).toBe('private, no-cache');
  });

  it('a search finds only what the caller may see', async () => {
    const found = async (q: string, headers = {}): Promise<readonly string[]> => {
      const { body } = await guarded.get(`/api/search.json?q=${q}`, { headers });
      return JSON.parse(body.toString()).found.map(({ path }: { path: string }) => path);
    };
    expect(await found('e')).toEqual(['hidden', 'open']);
    expect(await found('e', staff)).toEqual(['closed', 'hidden', 'open', 'closed/secret.jpg']);
    expect(await found('jpg')).toEqual(['open/a.jpg']);
  });
});
