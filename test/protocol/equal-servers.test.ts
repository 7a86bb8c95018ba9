/** Servers with the same settings on the same folder give the same answers, whatever each of them has in its caches. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { blobs } from './blob-image.ts';
import { type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-equal-'));
const at = (...names: readonly string[]): string => path.join(scratch, ...names);

/** The first is asked before, and twice; the others have nothing in their caches. */
const servers: RunningApp[] = [];

async function startServer(name: string): Promise<RunningApp> {
  const app = await startApp({
    library: { folders: [at('scans'), at('prescaled')] },
    http: { publicAddress: 'https://library.example', explain: true },
    index: { directory: at(name, 'index') },
    cache: { directory: at(name, 'cache') },
    pyramids: { directory: at(name, 'pyramids'), maxBytes: 2 ** 30 },
  });
  servers.push(app);
  return app;
}

beforeAll(async () => {
  for (const folder of ['scans/book', 'prescaled/book']) mkdirSync(at(folder), { recursive: true });
  const scan = blobs(3300, 2600);
  const tiles = { compression: 'jpeg', tile: true, tileWidth: 256, tileHeight: 256, pyramid: true } as const;
  await scan.clone().jpeg({ quality: 92 }).toFile(at('scans/book/plain.jpg'));
  await scan.clone().resize(400).jpeg().toFile(at('prescaled/book/plain.jpg'));
  await scan.clone().tiff(tiles).toFile(at('scans/book/tiled.tif'));
  writeFileSync(at('scans/book/plain.txt'), 'Wasser');
  writeFileSync(
    at('scans/book/metadata.yaml'),
    'label: A book\nrights: http://creativecommons.org/publicdomain/zero/1.0/\n',
  );
  await startServer('one');
  await startServer('other');
}, 60_000);
afterAll(async () => {
  for (const server of servers) await server.close();
  rmSync(scratch, { recursive: true });
});

const cut = '/iiif/3/book!plain.jpg/1024,512,512,512/512,/0/default.jpg';

const kinds: Readonly<Record<string, string>> = {
  'a picture': '/iiif/3/book!plain.jpg/full/600,/0/default.jpg',
  'a thumbnail from a prescaled version': '/iiif/3/book!plain.jpg/full/200,/0/default.jpg',
  'a part': cut,
  'a stored tile': '/iiif/3/book!tiled.tif/0,0,256,256/256,/0/default.jpg',
  'a PNG': '/iiif/2/book!tiled.tif/0,0,300,300/150,/0/gray.png',
  'a WebP': '/iiif/3/book!tiled.tif/0,0,300,300/150,/90/default.webp',
  'a picture of the Scaler': '/Scaler?fn=book/plain&dw=300&rot=10&brgt=20',
  'an original file': '/Scaler?fn=book/plain&mo=file,hires',
  'info.json': '/iiif/3/book!plain.jpg/info.json',
  'info.json of version 2': '/iiif/2/book!tiled.tif/info.json',
  'digilib’s facts of an image': '/api/ImgInfo-json.jsp?fn=book/plain',
  'a manifest': '/presentation/3/book/manifest.json',
  'a manifest of version 2': '/presentation/2/book/manifest.json',
  'a collection': '/presentation/3/collection.json',
  'a list': '/api/folder.json?fn=book',
  'a text': '/api/text/book/plain.jpg.json',
  'the texts of a folder': '/txt/book.txt',
  'a PDF': '/pdf/book.pdf?size=300&lang=en',
  'a PDF of digilib': '/PDFCache',
  'an archive': '/zip/book.zip?size=200',
  'a data set': '/dataset/book.zip',
  'a page of the reading room': '/view/book/plain.jpg',
  'an error': '/iiif/3/book!none.jpg/info.json',
};

/** The address of a PDF of digilib, which a form begins. */
async function addressFrom(app: RunningApp, address: string): Promise<string> {
  if (address !== '/PDFCache') return address;
  const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
  const { headers: sent } = await app.get(address, { method: 'POST', headers, body: 'fn=book&pgs=1-2&dw=200' });
  const { pathname, search } = new URL(String(sent.location));
  return pathname + search;
}

/** Asks until a document that is made is kept, since it has a tag only then. */
async function answerOf(app: RunningApp, named: string): Promise<ReceivedResponse> {
  const address = await addressFrom(app, named);
  let answer = await app.get(address);
  if (!/^\/(?:pdf\/|PDFCache|dataset)/.test(address)) return answer;
  await vi.waitFor(
    async () => {
      answer = await app.get(address);
      expect([answer.status, typeof answer.headers.etag]).toEqual([200, 'string']);
    },
    { timeout: 60_000, interval: 100 },
  );
  return answer;
}

/** What may differ: when it was sent, how long it took, and which request it was. */
const facts = ({ status, headers, body }: ReceivedResponse) => {
  const { date: _date, 'server-timing': _timing, 'x-request-id': _id, ...rest } = headers;
  return { status, headers: rest, bytes: body.length };
};

function expectEqual(one: ReceivedResponse, other: ReceivedResponse, address = ''): void {
  expect(facts(other), address).toEqual(facts(one));
  expect(other.body.equals(one.body), address).toBe(true);
}

const pair = (): readonly [RunningApp, RunningApp] => {
  const [one, other] = servers;
  if (one === undefined || other === undefined) throw new TypeError('a server did not start');
  return [one, other];
};

const isFromPyramid = async (app: RunningApp): Promise<boolean> =>
  (await app.get(`${cut}?explain=1`)).body.toString().includes('"derived pyramid of');

describe('two servers', () => {
  it.each(Object.entries(kinds))(
    'give the same: %s',
    async (_kind, address) => {
      const [one, other] = pair();
      const first = await answerOf(one, address);
      const cached = await answerOf(one, address);
      expectEqual(first, cached);
      expectEqual(first, await answerOf(other, address));
      expect(first.status).toBe(address.includes('none') ? 404 : 200);
    },
    90_000,
  );

  it.each(['an archive', 'a data set', 'a PDF'])('give the same bytes an hour later: %s', async (kind) => {
    const [one] = pair();
    const address = String(kinds[kind]);
    const first = await answerOf(one, address);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    try {
      expect((await answerOf(one, address)).body.equals(first.body)).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it('say the same of a picture that is made from a pyramid by one of them alone, but for its tag', async () => {
    const [one, other] = pair();
    const before = await other.get(cut);
    for (const x of [0, 512, 1024, 1536]) await one.get(`/iiif/3/book!plain.jpg/${x},1024,512,512/512,/0/default.jpg`);
    await vi.waitFor(async () => expect(await isFromPyramid(one)).toBe(true), { timeout: 60_000, interval: 100 });
    expect(await isFromPyramid(other)).toBe(false);
    const [made, plain] = [await one.get(cut), await other.get(cut)];
    expectEqual(before, plain);
    // Other bytes have another tag, and the same address, date and version.
    expect(made.body.equals(plain.body)).toBe(false);
    expect(made.headers.etag).not.toBe(plain.headers.etag);
    const { etag: _one, 'content-length': _length, ...rest } = facts(made).headers;
    expect(facts(plain).headers).toMatchObject(rest);
    for (const address of Object.values(kinds).filter((one) => /info|manifest|folder/i.test(one)))
      expectEqual(await one.get(address), await other.get(address), address);
  }, 90_000);

  it('give the same once both have made the pyramid, each in its own folder', async () => {
    const [one, other] = pair();
    for (const x of [0, 512, 1024, 1536])
      await other.get(`/iiif/3/book!plain.jpg/${x},1024,512,512/512,/0/default.jpg`);
    await vi.waitFor(async () => expect(await isFromPyramid(other)).toBe(true), { timeout: 60_000, interval: 100 });
    for (const address of Object.values(kinds))
      expectEqual(await answerOf(one, address), await answerOf(other, address), address);
    for (const x of [0, 512, 1536]) {
      const address = `/iiif/3/book!plain.jpg/${x},0,512,512/256,/0/default.jpg`;
      expectEqual(await one.get(address), await other.get(address), address);
    }
  }, 120_000);
});
