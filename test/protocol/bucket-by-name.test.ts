/** Images in buckets that are found by their names: what is asked of the store for each kind of answer, and that nothing is listed for an image. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { type ComputedBucket, type ComputedBucketOptions, startComputedBucket } from '../s3/computed-bucket.ts';
import { frontDirectoryTiff } from '../s3/large-pyramid.ts';
import { type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-by-name-'));
const secretAccessKeyFile = path.join(scratch, 'secret');
const closed = Buffer.from(
  '<resource><meta><access-conditions><access type="group"><name>staff</name></access></access-conditions></meta></resource>',
);

let tiled: Buffer;
let bucket: ComputedBucket | undefined;
let app: RunningApp | undefined;

const nameOf = (index: number): string => `p${String(index).padStart(7, '0')}.tif`;

const scan = (width: number): Promise<Buffer> =>
  sharp({ create: { width, height: 20, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();

beforeAll(async () => {
  writeFileSync(secretAccessKeyFile, 'secret');
  tiled = await frontDirectoryTiff();
});

async function stop(): Promise<void> {
  await app?.close();
  await bucket?.close();
  [app, bucket] = [undefined, undefined];
}
afterEach(stop);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A server on a million images in one folder. */
async function start(settings: SettingsInput = {}, given: Partial<ComputedBucketOptions> = {}): Promise<void> {
  await stop();
  bucket = await startComputedBucket({
    ...{ bucket: 'flat', prefix: 'scans/', images: 1_000_000, nameOf, bytes: tiled },
    ...given,
  });
  const { endpoint } = bucket;
  const spoolDirectory = mkdtempSync(path.join(scratch, 'spool-'));
  app = await startApp({
    ...settings,
    library: { folders: ['s3://flat/scans'], ...settings.library },
    objectStorage: {
      ...{ endpoint, pathStyle: true, accessKeyId: 'reader', secretAccessKeyFile, spoolDirectory },
      ...settings.objectStorage,
    },
  });
}

async function get(address: string): Promise<ReceivedResponse> {
  if (app === undefined) throw new TypeError('no server was started');
  return app.get(address);
}

/** The status of an answer, and what was asked of the store for it, in alphabetical order. */
async function ask(address: string): Promise<readonly [number, ...string[]]> {
  bucket?.takeRequests();
  const { status } = await get(address);
  return [status, ...[...(bucket?.takeRequests() ?? [])].sort()];
}

const tile = (name: string, x = 0): string => `/iiif/3/${name}/${x},0,256,256/256,256/0/default.jpg`;

/** Asked for once in each folder: redactions may be in them. */
const redactionsIn = (folder: string) => [`GET ${folder}/metadata.yaml`, `GET ${folder}/metadata.yml`];

describe('an image among a million in one folder', () => {
  it('takes three requests until its first tile, of which none is a list, and once those for the metadata of the folder', async () => {
    await start();
    const [first, second] = [nameOf(500_000), nameOf(999_999)];
    const requests = (name: string) => [`GET scans/${name}`, `GET scans/${name}`, `GET scans/${name}.meta`];
    expect(await ask(tile(first, 1024))).toEqual([
      ...[200, 'GET scans/index.meta', ...redactionsIn('scans')],
      ...requests(first),
    ]);
    expect(await ask(tile(second, 1024))).toEqual([200, ...requests(second)]);
    expect(await ask(tile(second, 512))).toEqual([200, `GET scans/${second}`]);
    expect(await ask(tile(second, 512))).toEqual([200]);
  });

  it('takes two where images have no metadata beside them', async () => {
    await start({ objectStorage: { metaFiles: false } });
    const both = [`GET scans/${nameOf(7)}`, `GET scans/${nameOf(7)}`];
    expect(await ask(tile(nameOf(7), 1024))).toEqual([200, ...redactionsIn('scans'), ...both]);
  });

  it('that is missing is asked for once, beside lists of the keys that begin with its name', async () => {
    await start({ objectStorage: { metaFiles: false } });
    const requests = ['GET scans/q.tif', 'LIST scans/q', 'LIST scans/q.tif/'];
    expect(await ask('/iiif/3/q.tif/info.json')).toEqual([404, ...redactionsIn('scans'), ...requests]);
    expect(await ask('/iiif/3/q.tif/info.json')).toEqual([404]);
  });

  it('is found without its extension by a list of a few keys, or by the extensions of the settings', async () => {
    await start({ objectStorage: { metaFiles: false } });
    const object = `GET scans/${nameOf(7)}`;
    const first = [...redactionsIn('scans'), object, 'LIST scans/p0000007'];
    expect(await ask('/iiif/3/p0000007/info.json')).toEqual([200, ...first]);
    expect(await ask('/iiif/3/p0000007/info.json')).toEqual([200]);
    await start({ objectStorage: { metaFiles: false, extensions: ['jpg', 'tif'] } });
    expect(await ask('/iiif/3/p0000007/info.json')).toEqual([
      ...[200, ...redactionsIn('scans'), 'GET scans/p0000007.jpg'],
      object,
    ]);
  });

  it('is the page of a number by as many pages of a list as precede it', async () => {
    await start({ objectStorage: { metaFiles: false } }, { prefix: 'scans/many/' });
    const page = (number: number) => ask(`/api/ImgInfo-json.jsp?fn=many&pn=${number}`);
    expect(await page(5)).toEqual([
      ...[200, ...redactionsIn('scans/many'), `GET scans/many/${nameOf(4)}`],
      ...['LIST scans/many', 'LIST scans/many/'],
    ]);
    expect(await page(900)).toEqual([200, `GET scans/many/${nameOf(899)}`]);
    expect(await page(2001)).toEqual([200, `GET scans/many/${nameOf(2000)}`, 'LIST scans/many/', 'LIST scans/many/']);
  });

  it('has a prescaled version that is found by its name, unless that is one of another image', async () => {
    const others = { 'half/p0000003.png': await scan(100), 'half/p0000004.tif': await scan(200) };
    const folders = ['s3://flat/scans', 's3://flat/half'];
    const smallest = async (index: number): Promise<Buffer> =>
      (await get(`/Scaler?fn=${nameOf(index)}&mo=rawfile`)).body;
    const inHalf = () => bucket?.takeRequests().filter((request) => request.includes('half'));
    await start({ library: { folders } }, { others });
    inHalf();
    expect(await smallest(4)).toEqual(others['half/p0000004.tif']);
    expect(inHalf()).toEqual(['GET half/p0000004.tif']);
    expect(await smallest(3)).toEqual(others['half/p0000003.png']);
    expect(inHalf()).toEqual(['GET half/p0000003.tif', 'LIST half/p0000003', 'GET half/p0000003.png']);
    await start({ library: { folders } }, { others: { ...others, 'scans/p0000003.png': await scan(70) } });
    expect(await smallest(3)).toEqual(tiled);
  });

  it('is closed by metadata beside it and by the metadata of its folders', async () => {
    const others = {
      [`scans/${nameOf(3)}.meta`]: closed,
      'scans/inside/index.meta': closed,
      'scans/inside/a.png': await scan(50),
      'scans/around/index.meta': closed,
      'scans/around/below/b.png': await scan(50),
    };
    await start({ access: { types: [{ type: 'group:staff', roles: ['staff'] }] } }, { others });
    const statusOf = async (name: string): Promise<number> => (await get(`/iiif/3/${name}/info.json`)).status;
    expect(await statusOf(nameOf(3))).toBe(401);
    expect(await statusOf('p0000003')).toBe(401);
    expect(await statusOf('inside%2Fa.png')).toBe(401);
    expect(await statusOf('around%2Fbelow%2Fb')).toBe(401);
    expect(await statusOf(nameOf(4))).toBe(200);
  });

  it('is covered by metadata beside it and of its folder, also where no image has .meta files', async () => {
    const redaction = '<r><meta><redactions><redaction region="0,0,9,9"/></redactions></meta></r>';
    const others = {
      [`scans/${nameOf(3)}.meta`]: Buffer.from(redaction),
      'scans/inside/metadata.yaml': Buffer.from('redactions: { b.png: full }'),
      'scans/inside/a.png': await scan(50),
      'scans/inside/b.png': await scan(60),
      'scans/wrong/metadata.yml': Buffer.from('redactions: { c.png: full }'),
      'scans/wrong/a.png': await scan(50),
    };
    const statusOf = async (name: string): Promise<number> => (await get(`/Scaler?fn=${name}&mo=rawfile`)).status;
    for (const metaFiles of [true, false]) {
      await start({ objectStorage: { metaFiles } }, { others });
      expect(await statusOf(nameOf(3))).toBe(metaFiles ? 403 : 200);
      expect(await statusOf(nameOf(4))).toBe(200);
      expect(await statusOf('inside/a.png')).toBe(200);
      expect(await statusOf('inside/b')).toBe(403);
      expect(await statusOf('wrong/a.png')).toBe(403);
    }
    // Without lists, nobody knows which pages are meant.
    await start({ objectStorage: { list: false } }, { others, mayList: false });
    expect([await statusOf(nameOf(3)), await statusOf(nameOf(4))]).toEqual([403, 200]);
    expect([await statusOf('inside/a.png'), await statusOf('inside/b.png')]).toEqual([403, 403]);
  });

  it('is closed under each of its paths, whether it is there or not', async () => {
    const others = { 'scans/inside/a.png': await scan(50) };
    for (const mayList of [true, false]) {
      await start(
        {
          library: { virtualFolders: [{ link: 'new', folder: 's3://flat/scans/inside' }] },
          access: { paths: [{ path: 'inside', roles: ['staff'] }] },
          objectStorage: { list: mayList },
        },
        { others, mayList },
      );
      for (const name of [
        'inside%2Fa.png',
        'new%2Fa.png',
        'new%2Fa',
        'new%2Fnone.png',
        'new%2Fnone',
        'new%2Fno%2Fnone',
      ])
        expect([name, (await get(`/iiif/3/${name}/info.json`)).status]).toEqual([name, 401]);
      expect((await get('/api/folder.json?fn=new')).status).toBe(401);
      expect((await get('/iiif/3/none.png/info.json')).status).toBe(404);
    }
  });
});

describe('a folder with more names than are listed', () => {
  it('is answered with a sentence, is not listed again for it, and its images go on', async () => {
    await start({ objectStorage: { maxListedNames: 5000 } });
    const { status, body } = await get('/api/folder.json');
    expect([status, String(body)]).toEqual([413, expect.stringMatching(/more than 5000 names, and is not listed/)]);
    expect(bucket?.takeRequests().length).toBeLessThan(12);
    expect(await ask('/api/folder.json')).toEqual([413]);
    expect((await ask(tile(nameOf(8))))[0]).toBe(200);
  });
});

describe('a bucket whose key may not list it', () => {
  const settings: SettingsInput = { objectStorage: { list: false } };

  it('is never listed: images are found, also without extensions, and all else is answered with a sentence', async () => {
    await start(settings, { mayList: false, others: { 'scans/book/a.png': await scan(50) } });
    expect((await get(tile(nameOf(9)))).status).toBe(200);
    expect((await get('/iiif/3/p0000009/info.json')).status).toBe(200);
    expect((await get('/iiif/3/book%2Fa/info.json')).status).toBe(200);
    for (const address of [
      '/iiif/3/none.tif/info.json',
      '/api/folder.json?fn=book',
      '/Scaler?fn=book&pn=1&mo=errtxt',
    ]) {
      const { status, body } = await get(address);
      expect([address, status, String(body)]).toEqual([address, 404, expect.stringMatching(/folders are not listed/)]);
    }
    expect((await get('/presentation/3/book/manifest.json')).status).toBe(404);
    expect((await get('/api/dirInfo-json.jsp?fn=book')).status).toBe(200);
    expect(bucket?.takeRequests().filter((request) => request.startsWith('LIST'))).toEqual([]);
  });

  it('tells nobody what is in a folder that rules close', async () => {
    await start({ ...settings, access: { paths: [{ path: 'book', roles: ['staff'] }] } }, { mayList: false });
    for (const name of ['book%2Fa.png', 'book%2Fnone.png'])
      expect((await get(`/iiif/3/${name}/info.json`)).status).toBe(401);
    expect((await get('/api/folder.json?fn=book')).status).toBe(401);
  });

  it('is named at the start where the settings want lists', async () => {
    await expect(start({}, { mayList: false })).rejects.toThrow(/refuses the key for the bucket flat/);
  });
});

/** Files of a folder: the names of images, whose widths are their positions from 10 on, and one of a folder. */
const files = [
  'a.jpg',
  'a.tif',
  'b.JPG',
  'c/inside.png',
  'c.png',
  'd.tif/inside.png',
  'd.jpg',
  'e.f.png',
  'e.g.png',
  'h.tif.jpg',
  'ä.png',
  'o\u0308.png',
  'p1.png',
  'p10.png',
  'p1-2.png',
  'q.png.meta',
  'r;2.png',
] as const;
const requested = [
  ...[
    'a',
    'a.tif',
    'a.png',
    'a.jpg',
    'A',
    'b',
    'b.jpg',
    'b.JPG',
    'c',
    'c.png',
    'c.tif',
    'c/inside',
    'd',
    'd.tif',
    'd.jpg',
  ],
  ...[
    'e',
    'e.f',
    'e.f.jpg',
    'e.g',
    'e.x',
    'h',
    'h.tif',
    'h.tif.jpg',
    'h.png',
    'ä',
    'a\u0308',
    'a\u0308.png',
    'ö',
    'ö.png',
  ],
  ...[
    'o\u0308',
    'p1',
    'p',
    'p1.jpg',
    'p1;1',
    'p1;2',
    'p10',
    'p1-2',
    'q',
    'q.png',
    'q.png.meta',
    'r',
    'r;2',
    'r;2.png',
    'z',
    '',
  ],
];

describe('a name in a bucket', () => {
  it('stands for the same image as in a folder of a disk, whether the folder was listed or not', async () => {
    const folder = path.join(scratch, 'names');
    const others: Record<string, Buffer> = {};
    for (const [index, file] of files.entries()) {
      const bytes = await scan(10 + index);
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), bytes);
      others[`scans/${file}`] = bytes;
    }
    const found = async (name: string): Promise<string> =>
      `${name}: ${String((await get(`/api/ImgInfo-json.jsp?fn=${encodeURIComponent(name)}`)).body)}`;
    const all = async (): Promise<readonly string[]> => {
      const answers: string[] = [];
      for (const name of requested) answers.push(await found(name));
      return answers;
    };
    app = await startApp({ library: { folders: [folder] } });
    const onDisk = await all();
    expect(onDisk.filter((answer) => answer.includes('filename')).length).toBeGreaterThan(25);
    await start({}, { images: 0, others });
    expect(await all()).toEqual(onDisk);
    await get('/api/folder.json');
    expect(await all()).toEqual(onDisk);
  });
});
