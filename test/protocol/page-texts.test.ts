/** The words of pages over HTTP: found beside scans, placed on the image, read anew when their files change. */
import { utimesSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { altoOf, jpegOf, type LibraryFolder, makeLibraryFolder } from '../fixtures/page-texts.ts';
import { type RunningApp, startApp } from './running-app.ts';

let library: LibraryFolder;
let app: RunningApp;

beforeAll(async () => {
  library = makeLibraryFolder();
  const page = await jpegOf(1000, 1500);
  for (const name of ['plain', 'alto', 'beside', 'none', 'faulty', 'changing']) library.write(`book/${name}.jpg`, page);
  library.write('book/plain.txt', '\ufeffTwo lines\nof text\n\nand a block\n');
  library.write(
    'book/alto/alto.xml',
    altoOf([
      ['Look', 100, 200, 80, 40],
      ['closely', 200, 200, 120, 40],
    ]),
  );
  library.write('book/alto.txt', 'Words without places');
  library.write('book/beside.xml', altoOf([['scaled', 50, 100, 40, 20]], { width: 500, height: 750 }));
  library.write('book/faulty.xml', '<alto>\n<Layout>\n<Page></alto>');
  app = await startApp({ library: { folders: [library.root] } });
});
afterAll(async () => {
  await app.close();
  library.remove();
});

const jsonOf = async (name: string) => {
  const { status, body } = await app.get(`/api/text/${name}.json`);
  return { status, answer: JSON.parse(body.toString()) };
};

const wordsOf = (answer: { blocks: { lines: { words: { text: string; box?: number[] }[] }[] }[] }) =>
  answer.blocks.flatMap(({ lines }) => lines.flatMap(({ words }) => words.map(({ text, box }) => [text, box])));

describe('the text of a page', () => {
  it('is read from plain text, by lines and blocks', async () => {
    const { status, answer } = await jsonOf('book/plain.jpg');
    expect(status).toBe(200);
    expect(answer).toEqual({
      direction: 'ltr',
      width: 1000,
      height: 1500,
      source: { format: 'plain', name: 'plain.txt' },
      blocks: [
        {
          lines: [{ words: [{ text: 'Two' }, { text: 'lines' }] }, { words: [{ text: 'of' }, { text: 'text' }] }],
        },
        { lines: [{ words: [{ text: 'and' }, { text: 'a' }, { text: 'block' }] }] },
      ],
    });
  });

  it('is read from ALTO in a folder inside, in preference to plain text beside', async () => {
    const { answer } = await jsonOf('book/alto.jpg');
    expect(answer.source).toEqual({ format: 'alto', name: 'alto.xml' });
    expect(answer.language).toBe('en');
    expect(wordsOf(answer)).toEqual([
      ['Look', [100, 200, 80, 40]],
      ['closely', [200, 200, 120, 40]],
    ]);
    expect(answer.blocks[0].box).toEqual([100, 200, 220, 40]);
  });

  it('is scaled from the scan that was recognized', async () => {
    expect(wordsOf((await jsonOf('book/beside')).answer)).toEqual([['scaled', [100, 200, 80, 40]]]);
  });

  it('is sent as plain text, with an ETag', async () => {
    const first = await app.get('/api/text/book/alto.jpg.txt');
    expect([first.status, first.headers['content-type'], first.body.toString()]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'Look closely\n',
    ]);
    const etag = String(first.headers['etag']);
    expect((await app.get('/api/text/book/alto.jpg.txt', { headers: { 'if-none-match': etag } })).status).toBe(304);
  });

  it('is sent as the file itself, without scripts', async () => {
    const { status, headers, body } = await app.get('/api/text/book/alto.jpg.xml');
    expect([status, headers['content-type']]).toEqual([200, 'application/xml']);
    expect(headers['content-security-policy']).toContain('sandbox');
    expect(body.toString()).toContain('<String CONTENT="Look"');
    expect((await app.get('/api/text/book/alto.jpg.html')).status).toBe(404);
  });

  it.each(['book/none.jpg', 'book/missing.jpg', 'elsewhere/none'])('is 404 where there is none: %s', async (name) => {
    expect((await jsonOf(name)).status).toBe(404);
  });

  it('is 404 for a faulty file, whose line the log names, and the image stays', async () => {
    expect((await jsonOf('book/faulty.jpg')).status).toBe(404);
    expect(app.logLines.join('')).toMatch(/"file":"[^"]*faulty\.xml","line":3/);
    expect((await app.get('/iiif/3/book!faulty.jpg/info.json')).status).toBe(200);
  });

  it('is read anew when its file changes, comes or goes, without a restart', async () => {
    const text = async () => (await app.get('/api/text/book/changing.jpg.txt')).body.toString();
    expect((await app.get('/api/text/book/changing.jpg.txt')).status).toBe(404);
    library.write('book/txt/changing.txt', 'first');
    expect(await text()).toBe('first\n');
    utimesSync(path.join(library.root, 'book/txt/changing.txt'), new Date(2020, 1), new Date(2020, 1));
    expect(await text()).toBe('first\n');
    library.write('book/txt/changing.txt', 'other');
    expect(await text()).toBe('other\n');
    library.write('book/changing.xml', altoOf([['placed', 1, 2, 30, 40]]));
    expect(await text()).toBe('placed\n');
  });
});

describe('folders that hold only texts', () => {
  const foldersIn = async (path: string) =>
    JSON.parse((await app.get(`/api/folder.json?fn=${path}`)).body.toString()).folders.map(
      ({ name }: { name: string }) => name,
    );

  it('are not listed, and make no collection of a book', async () => {
    expect(await foldersIn('book')).toEqual([]);
    const { status, headers } = await app.get('/presentation/3/book/collection.json');
    expect([status, headers['location']]).toEqual([303, `${app.url}/presentation/3/book/manifest.json`]);
  });

  it('beside the scans are not listed either, and a folder of images with such a name is', async () => {
    const page = await jpegOf(100, 100);
    library.write('shelf/scans/p1.jpg', page);
    library.write('shelf/alto/p1.xml', altoOf([['beside', 1, 2, 30, 40]]));
    library.write('shelf/txt/scans/p2.txt', 'by the folder’s name');
    library.write('shelf/scans/p2.jpg', page);
    library.write('shelf/page/p3.jpg', page);
    expect(await foldersIn('shelf')).toEqual(['page', 'scans']);
    expect((await app.get('/api/text/shelf/scans/p1.jpg.txt')).body.toString()).toBe('beside\n');
    expect((await app.get('/api/text/shelf/scans/p2.jpg.txt')).body.toString()).toBe('by the folder’s name\n');
  });

  it('never have images, and text files are none', async () => {
    const { images } = JSON.parse((await app.get('/api/folder.json?fn=book')).body.toString());
    expect(images.map(({ name, hasText }: { name: string; hasText: boolean }) => [name, hasText])).toEqual([
      ['alto.jpg', true],
      ['beside.jpg', true],
      ['changing.jpg', true],
      ['faulty.jpg', true],
      ['none.jpg', false],
      ['plain.jpg', true],
    ]);
  });
});

describe('texts of closed images and folders', () => {
  let closed: LibraryFolder;
  let guarded: RunningApp;
  const reader = { headers: { 'x-roles': 'reader' } };

  beforeAll(async () => {
    closed = makeLibraryFolder();
    const page = await jpegOf(100, 100);
    for (const folder of ['open', 'secret']) {
      closed.write(`${folder}/p1.jpg`, page);
      closed.write(`${folder}/txt/p1.txt`, `words of ${folder}`);
    }
    closed.write('open/p2.jpg', page);
    closed.write('open/p2.txt', 'words of a closed image');
    closed.write(
      'open/p2.jpg.meta',
      '<resource><meta><access-conditions><access type="private"/></access-conditions></meta></resource>',
    );
    closed.write('partly/p1.jpg', page);
    closed.write('partly/txt/p1.txt', 'closed words of an open image');
    guarded = await startApp({
      library: { folders: [closed.root] },
      http: { trustedProxies: ['127.0.0.1'] },
      access: {
        rolesHeader: 'x-roles',
        paths: [
          { path: 'secret', roles: ['reader'] },
          { path: 'partly/txt', roles: ['reader'] },
        ],
        types: [{ type: 'private', roles: ['reader'] }],
      },
    });
  });
  afterAll(async () => {
    await guarded.close();
    closed.remove();
  });

  it.each([
    ['open/p1.jpg', 200],
    ['secret/p1.jpg', 401],
    ['secret/missing.jpg', 401],
    ['open/p2.jpg', 401],
    ['partly/p1.jpg', 404],
  ])('%s is answered %i, and to a reader with the role 200', async (path, status) => {
    for (const form of ['json', 'txt']) {
      const answer = await guarded.get(`/api/text/${path}.${form}`);
      expect(answer.status).toBe(status);
      expect(answer.headers['cache-control']).not.toContain('public');
      const missing = path.includes('missing');
      expect((await guarded.get(`/api/text/${path}.${form}`, reader)).status).toBe(missing ? 404 : 200);
    }
  });

  it('are not hinted at in the listing of their folder', async () => {
    const listed = async (options = {}) =>
      JSON.parse((await guarded.get('/api/folder.json?fn=partly', options)).body.toString()).images[0].hasText;
    expect([await listed(), await listed(reader)]).toEqual([false, true]);
  });
});
