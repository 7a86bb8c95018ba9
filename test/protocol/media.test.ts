/** Sound and video beside scans: served by ranges, named in manifests, and closed as images are. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mp3Of, wavOf, webmOf } from '../fixtures/media-files.ts';
import { type RunningApp, startApp } from './running-app.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-media-'));
const outside = mkdtempSync(path.join(tmpdir(), 'lectern-outside-'));
let app: RunningApp;
let closed: RunningApp;
const talk = wavOf(5);

function write(name: string, content: Buffer | string): void {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), content);
}

const typed = (type: string): string =>
  `<resource><meta><access-conditions>${type}</access-conditions></meta></resource>`;

beforeAll(async () => {
  const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#486' } })
    .jpeg()
    .toBuffer();
  write('talks/talk.wav', talk);
  write('talks/talk.jpg', picture);
  write('talks/talk.de.vtt', 'WEBVTT\n\n00:00.000 --> 00:02.000\nGuten Tag');
  write('talks/talk.vtt', 'WEBVTT\n\n00:00.000 --> 00:02.000\nGood day');
  write('talks/talk.txt', 'Good day');
  write('talks/film.webm', await webmOf(3, { width: 160, height: 90 }));
  write('talks/broken.mp3', 'no sound');
  write('talks/lonely.vtt', 'WEBVTT');
  write('talks/lonely.txt', 'not of any sound');
  write(
    'talks/metadata.yaml',
    'pages:\n  talk.wav: The talk\nstructures:\n  - label: Part one\n    pages: [talk.wav]\n',
  );
  write('alone/song.mp3', mp3Of(100));
  write('around/inside/song.mp3', mp3Of(100));
  write('images/a.jpg', picture);
  write('secret/song.wav', talk);
  write('secret/song.vtt', 'WEBVTT');
  write('typed/free.wav', talk);
  write('typed/closed.wav', talk);
  write('typed/closed.wav.meta', typed('<access type="group"><name>staff</name></access>'));
  write('typed/closed.vtt', 'WEBVTT');
  write('typed/covered.wav', talk);
  write('typed/metadata.yaml', 'redactions: { covered.wav: full }\n');
  writeFileSync(path.join(outside, 'out.wav'), talk);
  symlinkSync(path.join(outside, 'out.wav'), path.join(folder, 'talks', 'out.wav'));
  app = await startApp({ library: { folders: [folder] } });
  closed = await startApp({
    library: { folders: [folder] },
    http: { trustedProxies: ['127.0.0.1'] },
    access: {
      rolesHeader: 'X-Roles',
      tiers: [{ name: 'small', maxSide: 20 }],
      paths: [
        { path: 'secret', roles: ['staff'] },
        { path: 'alone', roles: ['staff'], everyone: 'small' },
      ],
      types: [{ type: 'group:staff', roles: ['staff'] }],
    },
  });
});
afterAll(async () => {
  await app?.close();
  await closed?.close();
  for (const one of [folder, outside]) rmSync(one, { recursive: true });
});

const json = async (address: string, on = app, headers = {}): Promise<Record<string, unknown>> =>
  JSON.parse((await on.get(address, { headers })).body.toString());

describe('a file of sound', () => {
  it('is sent as it is, with what players and caches need', async () => {
    const { status, headers, body } = await app.get('/media/talks/talk.wav');
    expect(status).toBe(200);
    expect(body.equals(talk)).toBe(true);
    expect(headers).toMatchObject({
      'content-type': 'audio/wav',
      'content-length': String(talk.length),
      'accept-ranges': 'bytes',
      'cache-control': 'no-cache',
      'access-control-allow-origin': '*',
      'content-disposition': 'inline; filename="talk.wav"',
    });
    expect(headers['access-control-expose-headers']).toContain('Content-Range');
    expect(headers.etag).toMatch(/^".+"$/);
    expect(headers['last-modified']).toBeDefined();
  });

  it('is sent in ranges', async () => {
    const range = async (value: string, more = {}) =>
      app.get('/media/talks/talk.wav', { headers: { range: value, ...more } });
    const { status, headers, body } = await range('bytes=100-199');
    expect([status, headers['content-range'], body.equals(talk.subarray(100, 200))]).toEqual([
      206,
      `bytes 100-199/${talk.length}`,
      true,
    ]);
    expect((await range('bytes=-5')).body.equals(talk.subarray(-5))).toBe(true);
    expect((await range(`bytes=${talk.length}-`)).status).toBe(416);
    const etag = headers.etag ?? '';
    expect((await range('bytes=0-9', { 'if-range': etag })).status).toBe(206);
    expect((await range('bytes=0-9', { 'if-range': '"other"' })).status).toBe(200);
    expect((await range('bytes=0-9', { 'if-range': headers['last-modified'] })).status).toBe(206);
  });

  it('is answered to HEAD, conditions and OPTIONS', async () => {
    const head = await app.get('/media/talks/talk.wav', { method: 'HEAD' });
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, String(talk.length), 0]);
    const { etag } = head.headers;
    expect((await app.get('/media/talks/talk.wav', { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await app.get('/media/talks/talk.wav', { headers: { 'if-match': '"other"' } })).status).toBe(412);
    expect((await app.get('/media/talks/talk.wav', { method: 'OPTIONS' })).status).toBeLessThan(300);
    utimesSync(path.join(folder, 'talks/talk.wav'), 1, 1);
    expect((await app.get('/media/talks/talk.wav', { headers: { 'if-none-match': etag } })).status).toBe(200);
  });

  it.each([
    ['talks/film.webm', 'video/webm'],
    ['alone/song.mp3', 'audio/mpeg'],
    ['talks/talk.vtt', 'text/vtt; charset=utf-8'],
    ['talks/talk.de.vtt', 'text/vtt; charset=utf-8'],
    ['talks/talk.txt', 'text/plain; charset=utf-8'],
  ])('of %s has its media type', async (name, type) => {
    const { status, headers } = await app.get(`/media/${name}`);
    expect([status, headers['content-type']]).toEqual([200, type]);
  });

  it.each([
    'talks/talk.jpg',
    'talks/metadata.yaml',
    'talks/lonely.vtt',
    'talks/lonely.txt',
    'talks/out.wav',
    'talks/none.wav',
    'talks/talk',
    'talks',
    '../out.wav',
    '%2e%2e/out.wav',
    'talks/%00.wav',
  ])('is not found at %s, where there is none', async (name) => {
    expect((await app.get(`/media/${name}`)).status).toBe(404);
  });
});

interface Item {
  readonly id: string;
  readonly [name: string]: unknown;
}

describe('the manifest', () => {
  it('has canvases of sound and video behind the images, with what their headers tell', async () => {
    const manifest = await json('/presentation/3/talks/manifest.json');
    const items = manifest['items'] as readonly Item[];
    expect(items.map(({ duration, width, height, label }) => [label, duration, width, height])).toEqual(
      [
        [{ none: ['talk.jpg'] }, undefined, 60, 40],
        [{ none: ['broken'] }, undefined, undefined, undefined],
        [{ none: ['film'] }, 3, 160, 90],
        [expect.objectContaining({ none: ['The talk'] }), 5, undefined, undefined],
      ].map(([label, ...rest], index) => [index === 0 ? expect.anything() : label, ...rest]),
    );
    const film = items[2] as unknown as { items: { items: { body: Item; target: string }[] }[] } & Item;
    expect(film.items[0]?.items[0]?.body).toEqual({
      id: `${app.url}/media/talks/film.webm`,
      type: 'Video',
      format: 'video/webm',
      duration: 3,
      width: 160,
      height: 90,
    });
    expect(film.items[0]?.items[0]?.target).toBe(film.id);
    expect(film.id).toBe(`${app.url}/presentation/3/talks/canvas/film-webm`);
    expect(JSON.stringify(manifest['structures'])).toContain('talk-wav');
  });

  it('names captions, a transcript and the image beside a file', async () => {
    const manifest = await json('/presentation/3/talks/manifest.json');
    const canvas = (manifest['items'] as readonly Item[]).find(({ id }) => id.endsWith('/talk-wav'));
    if (canvas === undefined) throw new TypeError('the manifest has no canvas of the talk');
    const [page] = canvas['annotations'] as { items: Item[] }[];
    expect(page?.items[0]).toMatchObject({
      motivation: 'supplementing',
      target: canvas.id,
      body: {
        type: 'Choice',
        items: [
          { id: `${app.url}/media/talks/talk.de.vtt`, format: 'text/vtt', language: 'de' },
          { id: `${app.url}/media/talks/talk.vtt`, format: 'text/vtt' },
        ],
      },
    });
    expect((canvas['rendering'] as Item[]).map(({ id, format }) => [id, format])).toEqual([
      [`${app.url}/media/talks/talk.de.vtt`, 'text/vtt'],
      [`${app.url}/media/talks/talk.vtt`, 'text/vtt'],
      [`${app.url}/media/talks/talk.txt`, 'text/plain'],
    ]);
    expect(canvas['accompanyingCanvas']).toMatchObject({ type: 'Canvas', width: 60, height: 40 });
  });

  it('of a folder of sound alone is there, and in the collection around it', async () => {
    const manifest = await json('/presentation/3/alone/manifest.json');
    expect((manifest['items'] as readonly Item[]).map(({ id }) => id)).toEqual([
      `${app.url}/presentation/3/alone/canvas/song-mp3`,
    ]);
    const root = await json('/presentation/3/collection.json');
    expect((root['items'] as readonly Item[]).map(({ id }) => id)).toContain(
      `${app.url}/presentation/3/alone/manifest.json`,
    );
  });

  it('of version 2 has the images alone, and says so where there is none', async () => {
    const text = (await app.get('/presentation/2/talks/manifest.json')).body.toString();
    expect(text).not.toContain('film');
    const { status, body } = await app.get('/presentation/2/alone/manifest.json');
    expect([status, body.toString()]).toEqual([404, expect.stringContaining('version 3')]);
  });
});

describe('the list of a folder', () => {
  it('has its sound and video', async () => {
    const { media } = (await json('/api/folder.json?fn=talks')) as { media?: unknown };
    expect(media).toEqual([
      { path: 'talks/broken.mp3', label: 'broken.mp3', kind: 'sound', duration: null, image: null },
      { path: 'talks/film.webm', label: 'film.webm', kind: 'video', duration: 3, image: null },
      { path: 'talks/talk.wav', label: 'The talk', kind: 'sound', duration: 5, image: 'talks/talk.jpg' },
    ]);
    expect(await json('/api/folder.json?fn=images')).not.toHaveProperty('media');
  });

  it('is what the page of a file tells of', async () => {
    expect((await app.get('/view/talks/talk.wav')).status).toBe(200);
    expect((await app.get('/view/talks/none.wav')).status).toBe(404);
  });
});

describe('where access is closed', () => {
  const staff = { 'x-roles': 'staff' };
  const statusOf = async (address: string, headers = {}): Promise<number> =>
    (await closed.get(address, { headers })).status;

  it.each([
    ['a folder', '/media/secret/song.wav'],
    ['captions in a folder', '/media/secret/song.vtt'],
    ['a type', '/media/typed/closed.wav'],
    ['captions of a file with a type', '/media/typed/closed.vtt'],
    ['a tier without originals', '/media/alone/song.mp3'],
  ])('by %s, the file is for those with the role alone', async (_kind, address) => {
    expect(await statusOf(address)).toBeGreaterThanOrEqual(401);
    expect(await statusOf(address)).toBeLessThanOrEqual(403);
    const { status, headers } = await closed.get(address, { headers: staff });
    expect([status, headers['cache-control']]).toEqual([200, 'private, no-cache']);
    // HEAD and ranges tell nothing either.
    const head = await closed.get(address, { method: 'HEAD', headers: { range: 'bytes=0-1' } });
    expect(head.status).toBe(await statusOf(address));
    expect(head.headers).not.toHaveProperty('content-range');
  });

  it('a file that is covered is closed to all', async () => {
    expect(await statusOf('/media/typed/covered.wav', staff)).toBe(403);
  });

  it('names that nothing has are answered as those that are closed', async () => {
    const [there, none] = await Promise.all(
      ['/media/secret/song.wav', '/media/secret/none.wav'].map((address) => closed.get(address)),
    );
    expect([none?.status, none?.body.toString()]).toEqual([there?.status, there?.body.toString()]);
  });

  it('no manifest and no list names it', async () => {
    const addresses = ['/presentation/3/typed/manifest.json', '/api/folder.json?fn=typed'];
    for (const address of addresses) {
      const text = (await closed.get(address)).body.toString();
      expect(text).toContain('free');
      expect(text).not.toMatch(/closed|covered/);
      expect((await closed.get(address, { headers: staff })).body.toString()).toContain('closed');
    }
    expect(await statusOf('/view/typed/closed.wav')).toBe(401);
    expect(await statusOf('/view/typed/free.wav')).toBe(200);
  });
});

describe('a server without the feature', () => {
  it('serves no sound, and names none', async () => {
    const other = await startApp({ library: { folders: [folder] }, withoutFeatures: ['media'] });
    try {
      expect((await other.get('/media/talks/talk.wav')).status).toBe(404);
      expect((await other.get('/presentation/3/talks/manifest.json')).body.toString()).not.toContain('/media/');
      expect((await other.get('/presentation/3/alone/manifest.json')).status).toBe(404);
    } finally {
      await other.close();
    }
  });
});
