/** digilib's Texter: text files by number and name, by GET and from forms, admitted like the images that they belong to; from folders and buckets. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jpegOf, type LibraryFolder, makeLibraryFolder } from '../fixtures/page-texts.ts';
import { storeSettings } from '../s3/store-settings.ts';
import { type ObjectStore, startSwift } from '../s3/swift.ts';
import { type RunningApp, startApp } from './running-app.ts';

let library: LibraryFolder;
let scratch: LibraryFolder;
let store: ObjectStore | undefined;
let app: RunningApp;

beforeAll(async () => {
  library = makeLibraryFolder();
  const page = await jpegOf(100, 100);
  for (const name of ['p1', 'p2', 'closed']) library.write(`book/${name}.jpg`, page);
  library.write('book/txt/p1.txt', 'first');
  library.write('book/txt/p2.html', '<p>second</p><script>alert(1)</script>');
  library.write('book/txt/readme.xml', '<about/>');
  library.write('beside/p1.jpg', page);
  library.write('beside/p1.txt', 'beside the scan');
  library.write('beside/secrets.txt', 'of nobody');
  library.write('guarded/p1.jpg', page);
  library.write('guarded/p1.txt', 'closed words');
  library.write('mixed/p1.jpg', page);
  library.write('mixed/p2.jpg', page);
  library.write(
    'mixed/p2.jpg.meta',
    '<resource><meta><access-conditions><access type="private"/></access-conditions></meta></resource>',
  );
  for (const name of ['p1', 'p2', 'whole']) library.write(`mixed/txt/${name}.txt`, `words of ${name}`);
  scratch = makeLibraryFolder();
});
afterAll(async () => {
  await store?.close();
  library.remove();
  scratch.remove();
});

/** Copies the library into a bucket, and returns how to serve it from there. */
async function inBucket() {
  store = await startSwift();
  await store.createBucket('texts');
  await store.putFolder('texts', 'library/', library.root);
  return { library: { folders: ['s3://texts/library'] }, objectStorage: storeSettings(scratch.root, store) };
}

const start = (source: Parameters<typeof startApp>[0]): Promise<RunningApp> =>
  startApp({
    ...source,
    http: { contextPath: '/digilib', trustedProxies: ['127.0.0.1'] },
    access: {
      rolesHeader: 'x-roles',
      paths: [{ path: 'guarded', roles: ['reader'] }],
      types: [{ type: 'private', roles: ['reader'] }],
    },
  });

const get = async (address: string, headers = {}) => {
  const { status, headers: received, body } = await app.get(`/digilib${address}`, { headers });
  return { status, type: received['content-type'], body: body.toString(), policy: received['content-security-policy'] };
};

describe('Texter with a folder', () => contract(async () => ({ library: { folders: [library.root] } })));
describe('Texter with a bucket', { tags: 'object-store' }, () => contract(inBucket));

function contract(source: () => Promise<Parameters<typeof startApp>[0]>): void {
  beforeAll(async () => {
    app = await start(await source());
  });
  afterAll(() => app.close());

  it.each([
    ['/Texter?fn=book&pn=1', 'first'],
    ['/Texter?fn=book', 'first'],
    ['/servlet/Texter?fn=/book/&pn=1', 'first'],
    ['/authenticated/servlet/Texter?fn=book;pn=1', 'first'],
    ['/Texter/book?pn=1', 'first'],
    ['/Texter?book+1', 'first'],
    ['/Texter?fn=book/txt/p1.txt', 'first'],
    ['/Texter?fn=book/p1', 'first'],
    ['/Texter?fn=book&pn=3', '<about/>'],
    ['/Texter?fn=beside&pn=1', 'beside the scan'],
    ['/Texter?fn=beside/p1', 'beside the scan'],
  ])('%s is %s', async (address, text) => {
    const { status, body } = await get(address);
    expect([status, body]).toEqual([200, text]);
  });

  it('sends HTML and XML under a policy without scripts', async () => {
    for (const [page, type] of [
      [2, 'text/html'],
      [3, 'text/xml'],
    ] as const) {
      const answer = await get(`/Texter?fn=book&pn=${page}`);
      expect([answer.status, answer.type]).toEqual([200, type]);
      expect(answer.policy).toMatch(/default-src 'none'.*sandbox/);
    }
    expect((await get('/Texter?fn=book&pn=1')).type).toBe('text/plain; charset=utf-8');
  });

  it('answers a form that is sent by POST the same', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const posted = (body: string, type = headers) =>
      app.get('/digilib/servlet/Texter', { method: 'POST', headers: type, body });
    const { status, body } = await posted('fn=book&pn=1');
    expect([status, body.toString()]).toEqual([200, 'first']);
    expect((await posted('')).status).toBe(404);
    expect((await posted(`fn=${'a'.repeat(20_000)}`)).status).toBe(400);
    expect((await posted('{}', { 'content-type': 'application/json' })).status).toBe(400);
    expect((await app.get('/digilib/Scaler?fn=book&dw=10', { method: 'POST' })).status).toBe(405);
  });

  it.each([
    'fn=book&pn=4',
    'fn=book&pn=0',
    'fn=nowhere',
    'fn=book/p9',
    'fn=../book',
    'fn=beside&pn=2',
    'fn=beside/secrets.txt',
    '',
  ])('has nothing for %s', async (query) => {
    const { status, body } = await get(`/Texter?${query}`);
    expect([status, body]).toEqual([404, 'Text-File not found!\n']);
  });

  it.each([
    ['fn=guarded', 401, 'closed words'],
    ['fn=guarded/p1', 401, 'closed words'],
    ['fn=guarded/txt/p7', 401, undefined],
    ['fn=mixed&pn=1', 200, 'words of p1'],
    ['fn=mixed&pn=2', 401, 'words of p2'],
    ['fn=mixed/p2', 401, 'words of p2'],
    // A file of no single page may tell of all of them.
    ['fn=mixed/whole', 404, 'words of whole'],
  ])('%s is answered %i, and to a reader with the role: %s', async (query, status, text) => {
    expect((await get(`/Texter?${query}`)).status).toBe(status);
    const open = await get(`/Texter?${query}`, { 'x-roles': 'reader' });
    expect(open).toMatchObject(text === undefined ? { status: 404 } : { status: 200, body: text });
  });
}
