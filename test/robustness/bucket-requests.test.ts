/**
 * Requests and bytes for each kind of answer on two different object stores, as the table in docs/guide/object-storage.md says. Where an
 * answer takes others, the message has the lines for the table.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp, { type Sharp } from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { randomIntegers } from '../fixtures/files/random.mjs';
import { type RunningApp, startApp } from '../protocol/running-app.ts';
import { startCeph } from '../s3/ceph.ts';
import { startFaultProxy } from '../s3/fault-proxy.ts';
import { frontDirectoryTiff } from '../s3/large-pyramid.ts';
import { storeSettings } from '../s3/store-settings.ts';
import { type ObjectStore, startSwift } from '../s3/swift.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-bucket-requests-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const guide = fileURLToPath(new URL('../../docs/guide/object-storage.md', import.meta.url));

/** Noise, enlarged: the files are about as long as those of scans, and the same in each run. */
function scan(width: number, height: number): Sharp {
  const random = randomIntegers(width);
  const size = { width: width >> 1, height: height >> 1, channels: 3 } as const;
  const noise = Buffer.alloc(size.width * size.height * 3);
  for (let at = 0; at < noise.length; at++) noise[at] = 80 + (random() % 96);
  return sharp(noise, { raw: size }).resize(width, height);
}

const tiles = { tile: true, tileWidth: 256, tileHeight: 256, pyramid: true } as const;

/** The number of scans in a folder. */
const pages = 20;

async function makeObjects(): Promise<Readonly<Record<string, Buffer>>> {
  const page = scan(4000, 3000);
  const jpeg = async (width: number, height: number): Promise<Buffer> =>
    scan(width, height).jpeg({ quality: 85 }).toBuffer();
  const small = await jpeg(300, 200);
  const tiff = path.join(scratch, 'page.tif');
  const jp2 = path.join(scratch, 'page.jp2');
  await page.clone().tiff({ compression: 'none' }).toFile(tiff);
  execFileSync('opj_compress', ['-i', tiff, '-o', jp2, ...'-r 7 -t 512,512 -p RPCL -TLM -PLT'.split(' ')], {
    stdio: 'ignore',
  });
  const book = Array.from({ length: pages }, (_, index) => [`book/p${1000 + index}.jpg`, small] as const);
  return {
    'a/front.tif': await frontDirectoryTiff(),
    'b/pyramid.tif': await scan(6000, 5000)
      .tiff({ ...tiles, compression: 'jpeg', quality: 85 })
      .toBuffer(),
    'c/deflate.tif': await page
      .clone()
      .tiff({ ...tiles, compression: 'deflate', predictor: 'horizontal' })
      .toBuffer(),
    'd/lzw.tif': await page
      .clone()
      .tiff({ ...tiles, compression: 'lzw', predictor: 'horizontal' })
      .toBuffer(),
    'e/strips.tif': await page.clone().tiff({ compression: 'lzw', predictor: 'horizontal' }).toBuffer(),
    'f/plain.tif': await page.clone().tiff({ compression: 'none' }).toBuffer(),
    'g/small.jpg': await jpeg(1000, 800),
    'h/middle.jpg': await jpeg(3000, 2000),
    'i/large.jpg': await jpeg(6000, 4000),
    'j/page.jp2': readFileSync(jp2),
    ...Object.fromEntries(book),
  };
}

let made: ReturnType<typeof makeObjects> | undefined;

const objects = (): ReturnType<typeof makeObjects> => {
  made ??= makeObjects();
  return made;
};

const tile = (name: string, x: number, y: number): string => `/iiif/3/${name}/${x},${y},256,256/max/0/default.jpg`;

/** What is asked for, in this order, of a server that has just started. Names of files are of images that nobody has asked for before. */
const answers: readonly (readonly [answer: string, address: string])[] = [
  ['Tile as stored, directories first: the first', tile('a!front.tif', 512, 512)],
  ['a further one', tile('a!front.tif', 1024, 1024)],
  ['the same again', tile('a!front.tif', 1024, 1024)],
  ['Tile as stored, libvips: the first', tile('b!pyramid.tif', 1024, 1024)],
  ['a further one', tile('b!pyramid.tif', 2048, 2048)],
  ['thumbnail of it', '/iiif/3/b!pyramid.tif/full/200,/0/default.jpg'],
  ['Tile with Deflate: the first', tile('c!deflate.tif', 1024, 1024)],
  ['a further one', tile('c!deflate.tif', 2048, 2048)],
  ['thumbnail of it', '/iiif/3/c!deflate.tif/full/200,/0/default.jpg'],
  ['Tile with LZW: the first', tile('d!lzw.tif', 1024, 1024)],
  ['a further one', tile('d!lzw.tif', 2048, 2048)],
  ['Region of strips with LZW: the first', tile('e!strips.tif', 1024, 1024)],
  ['a further one', tile('e!strips.tif', 2048, 2048)],
  ['Region of strips without compression: the first', tile('f!plain.tif', 1024, 1024)],
  ['a further one', tile('f!plain.tif', 2048, 2048)],
  ['JPEG below 512 KiB: thumbnail', '/iiif/3/g!small.jpg/full/200,/0/default.jpg'],
  ['a region', tile('g!small.jpg', 256, 256)],
  ['JPEG below 4 MiB: thumbnail', '/iiif/3/h!middle.jpg/full/200,/0/default.jpg'],
  ['a region', tile('h!middle.jpg', 1024, 1024)],
  ['its original', '/Scaler?fn=h/middle.jpg&mo=rawfile'],
  ['JPEG above 4 MiB: info.json', '/iiif/3/i!large.jpg/info.json'],
  ['thumbnail', '/iiif/3/i!large.jpg/full/200,/0/default.jpg'],
  ['a region', tile('i!large.jpg', 1024, 1024)],
  ['its original', '/Scaler?fn=i/large.jpg&mo=rawfile'],
  ['JPEG 2000 with TLM and PLT, 5 MB: tile', tile('j!page.jp2', 1024, 1024)],
  ['a further one', tile('j!page.jp2', 2048, 2048)],
  [`A JPEG in a folder of ${pages}: info.json`, '/iiif/3/book%2Fp1000.jpg/info.json'],
  ['info object of another one', '/api/dlInfo-json.jsp?fn=book/p1001.jpg'],
  ['one by its name without extension', '/api/dlInfo-json.jsp?fn=book/p1002'],
  ['An image that is not there', '/iiif/3/book%2Fp1999.jpg/info.json'],
  ['An image that is not there, without extension', '/iiif/3/book%2Fp1998/info.json'],
  ['An image by the number of its page', '/api/dlInfo-json.jsp?fn=book&pn=5'],
  ['Page of the folder (`folder.json`)', '/api/folder.json?fn=book'],
  ['Manifest of the folder, when its images are known', '/presentation/3/book/manifest.json'],
  ['Search of a name in 11 folders without a catalogue', '/api/search.json?q=p1007'],
];

interface Measured {
  readonly answer: string;
  readonly lists: number;
  readonly others: number;
  readonly kB: number;
}

async function measure(
  app: RunningApp,
  proxy: Awaited<ReturnType<typeof startFaultProxy>>,
): Promise<readonly Measured[]> {
  const measured: Measured[] = [];
  proxy.takeRequests();
  for (const [answer, address] of answers) {
    proxy.takeBytes();
    const { status } = await app.get(address);
    const requests = proxy.takeRequests();
    expect([address, status]).toEqual([address, answer.includes('not there') ? 404 : 200]);
    const lists = requests.filter((request) => request.includes('list-type=2')).length;
    const kB = Math.round(proxy.takeBytes() / 1000);
    measured.push({ answer, lists, others: requests.length - lists, kB });
  }
  return measured;
}

/** The rows of the table in the guide: the requests that hold for both stores, and the kB on this one. */
function documented(column: 'Swift' | 'Ceph'): readonly Measured[] {
  const table = readFileSync(guide, 'utf8').split('| Answer ')[1]?.split('\n\n')[0] ?? '';
  const [head = [], , ...rows] = table.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  // The first title was cut off.
  const at = head.findIndex((title) => title.includes(column)) + 1;
  return rows.map((cells) => {
    const [lists = 0, others = 0] = (cells[2] ?? '').split('+').map(Number);
    return { answer: cells[1] ?? '', lists, others, kB: Number(cells[at]?.replace(',', '')) };
  });
}

/** Other versions of libvips write files of somewhat other lengths, and stores name other things in lists. */
const isAbout = (kB: number, written: number): boolean => Math.abs(kB - written) <= 3 + written / 10;

const lineOf = ({ answer, lists, others, kB }: Measured): string => `| ${answer} | ${lists} + ${others} | ${kB} |`;

async function check(name: 'Swift' | 'Ceph', start: () => Promise<ObjectStore>): Promise<void> {
  const store = await start();
  const proxy = await startFaultProxy(store.port);
  let app: RunningApp | undefined;
  try {
    await store.createBucket('scans');
    for (const [key, bytes] of Object.entries(await objects())) await store.put('scans', key, bytes);
    app = await startApp({
      library: { folders: ['s3://scans'] },
      objectStorage: { ...storeSettings(scratch, proxy), metaFiles: false },
    });
    const measured = await measure(app, proxy);
    const written = documented(name);
    const wrong = measured.filter(({ answer, lists, others, kB }, index) => {
      const row = written[index];
      return !row || answer !== row.answer || lists !== row.lists || others !== row.others || !isAbout(kB, row.kB);
    });
    expect(wrong.map(lineOf), measured.map(lineOf).join('\n')).toEqual([]);
  } finally {
    await app?.close();
    await proxy.close();
    await store.close();
  }
}

describe('each kind of answer takes the requests and bytes of the table in the guide', () => {
  it('on Swift', { tags: ['object-store', 'openjpeg'], timeout: 300_000 }, () => check('Swift', startSwift));
  it('on Ceph', { tags: ['ceph', 'openjpeg'], timeout: 300_000 }, () => check('Ceph', startCeph));
});
