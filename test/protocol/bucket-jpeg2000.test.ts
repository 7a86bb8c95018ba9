/**
 * What regions of JPEG 2000 files read of a bucket: how many requests, and how many bytes.
 * @module-tag openjpeg
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ComputedBucket, startComputedBucket } from '../s3/computed-bucket.ts';
import { encodeLarge } from '../s3/large-jpeg2000.ts';
import { type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-bucket-jpeg2000-'));
const secretAccessKeyFile = path.join(scratch, 'secret');
const disk = path.join(scratch, 'disk');
const kB = 1000;

let bucket: ComputedBucket;
let app: RunningApp;
let local: RunningApp;
const files = new Map<string, Buffer>();

/** The options of opj_compress for each file, of 1.2 MB each. */
const options = {
  'tiles.jp2': '-r 8 -t 512,512 -n 6 -p RPCL -TLM',
  'tiles.j2k': '-r 8 -t 512,512 -n 6 -p RPCL -TLM',
  'precincts.jp2': '-r 8 -n 6 -c [256,256] -p RPCL -PLT',
  'tile-parts.jp2': '-r 16,8 -t 1024,1024 -n 6 -p RLCP -TLM -PLT -TP R',
  'resolutions.jp2': '-r 8 -n 6 -p RLCP -SOP -EPH',
  'layers.jp2': '-r 16,8 -n 6 -p LRCP',
} as const;

function fileOf(name: string): Buffer {
  const file = files.get(name);
  if (file === undefined) throw new TypeError(`no file ${name}`);
  return file;
}

/** The marker of the tile-part of a tile. */
const tilePartOf = (tile: number): Buffer => Buffer.of(0xff, 0x90, 0, 10, 0, tile);

/** The tile of the region that is asked for of damaged files. */
const askedTile = 10;

/** Files of which a part is missing, by the name of the whole one. */
const damages: Readonly<Record<string, (whole: Buffer) => Buffer>> = {
  'zeros-tiles.jp2': (whole) => Buffer.from(whole).fill(0, Math.floor(whole.length * 0.97)),
  'zeros-precincts.jp2': (whole) => Buffer.from(whole).fill(0, Math.floor(whole.length * 0.9)),
  'cut-tiles.j2k': (whole) => Buffer.concat([whole.subarray(0, Math.floor(whole.length * 0.9)), Buffer.of(0xff, 0xd9)]),
  'moved-tiles.j2k': (whole) => {
    const changed = Buffer.from(whole);
    changed.fill(0, changed.indexOf(tilePartOf(askedTile)), changed.indexOf(tilePartOf(askedTile)) + 12);
    return changed;
  },
};

beforeAll(async () => {
  writeFileSync(secretAccessKeyFile, 'secret');
  mkdirSync(disk);
  await encodeLarge({ width: 2048, height: 1536 }, (encode) => {
    for (const [name, how] of Object.entries(options)) files.set(name, encode(path.extname(name), how));
  });
  for (const [name, change] of Object.entries(damages)) files.set(name, change(fileOf(name.replace(/^[^-]+-/, ''))));
  for (const [name, bytes] of files) writeFileSync(path.join(disk, name), bytes);
  local = await startApp({ library: { folders: [disk] } });
}, 300_000);

async function stop(): Promise<void> {
  await app?.close();
  await bucket?.close();
}
afterEach(stop);
afterAll(async () => {
  await local?.close();
  rmSync(scratch, { recursive: true, force: true });
});

/** A server with empty caches on a bucket of these objects. */
async function start(): Promise<void> {
  const others = Object.fromEntries(files);
  bucket = await startComputedBucket({
    ...{ bucket: 'scans', prefix: 'none/', images: 0, nameOf: String, bytes: Buffer.alloc(0), others },
  });
  const caches = mkdtempSync(path.join(scratch, 'caches-'));
  const spoolDirectory = path.join(caches, 'spool');
  mkdirSync(spoolDirectory);
  app = await startApp({
    library: { folders: ['s3://scans'] },
    index: { directory: path.join(caches, 'index') },
    search: { directory: path.join(caches, 'search') },
    objectStorage: {
      ...{ endpoint: bucket.endpoint, pathStyle: true, accessKeyId: 'reader', secretAccessKeyFile, spoolDirectory },
      metaFiles: false,
    },
  });
  bucket.takeRequests();
  bucket.takeBytes();
}

/** Each folder is asked once whether it has redactions. */
const isOfImage = (request: string): boolean => request !== 'LIST ' && !/metadata\.ya?ml$/.test(request);

/** What an answer took of the bucket; it is that of the same file on a disk. */
async function ask(address: string) {
  const { status, body } = await app.get(`/iiif/3/${address}`);
  // At its start the server asks whether the bucket answers.
  const requests = bucket.takeRequests().filter(isOfImage).length;
  const bytes = bucket.takeBytes();
  if (!address.endsWith('info.json')) {
    const onDisk = await local.get(`/iiif/3/${address}`);
    expect([address, status, body.equals(onDisk.body)]).toEqual([address, onDisk.status, true]);
  }
  return { status, requests, bytes };
}

const tile = (column: number, row: number): string => `${column * 512},${row * 512},512,512/512,512/0/default.png`;

describe('a JPEG 2000 file of which a region is asked for', () => {
  it('is read tile by tile where its header says their lengths', async () => {
    await start();
    const info = await ask('tiles.jp2/info.json');
    expect([info.requests, info.bytes < 80 * kB]).toEqual([2, true]);
    for (const [column, row] of [
      [2, 2],
      [3, 1],
    ] as const) {
      const { requests, bytes } = await ask(`tiles.jp2/${tile(column, row)}`);
      expect([requests, bytes < 110 * kB]).toEqual([1, true]);
    }
    // Two rows of two neighbors.
    const half = await ask('tiles.jp2/1024,512,1024,1024/512,512/0/default.png');
    expect([half.requests, half.bytes < 400 * kB]).toEqual([2, true]);
  });

  it('is read by the packets of its precincts where it says their lengths', async () => {
    await start();
    await ask('precincts.jp2/info.json');
    const { requests, bytes } = await ask(`precincts.jp2/${tile(2, 2)}`);
    expect([requests <= 5, bytes < 500 * kB]).toEqual([true, true]);
  });

  it('is read by resolutions and tiles where tile-parts and packets have lengths', async () => {
    await start();
    await ask('tile-parts.jp2/info.json');
    const { requests, bytes } = await ask(`tile-parts.jp2/${tile(2, 2)}`);
    expect([requests <= 3, bytes < 210 * kB]).toEqual([true, true]);
  });

  it('is read from its beginning for a small picture, without any lengths', async () => {
    await start();
    await ask('resolutions.jp2/info.json');
    const { requests, bytes } = await ask('resolutions.jp2/full/256,/0/default.png');
    expect([requests <= 2, bytes < 320 * kB]).toEqual([true, true]);
  });

  it('is copied where nothing says where the region is, and the copy is used for all that follows', async () => {
    await start();
    await ask('layers.jp2/info.json');
    const copied = await ask(`layers.jp2/${tile(2, 2)}`);
    expect([copied.requests, copied.bytes > 1000 * kB]).toEqual([1, true]);
    for (const address of [tile(3, 1), 'full/256,/0/default.png'])
      expect(await ask(`layers.jp2/${address}`)).toMatchObject({ requests: 0 });
  });

  it('is copied once as much of it was read in parts', async () => {
    await start();
    let bytes = 0;
    for (let row = 0; row < 3; row++)
      for (let column = 0; column < 4; column++) {
        bytes += (await ask(`tiles.jp2/${tile(column, row)}`)).bytes;
        bytes += (await ask(`tiles.jp2/${tile(column, row).replace('512,512/0', '500,500/0')}`)).bytes;
      }
    expect(bytes).toBeLessThan(2.3 * fileOf('tiles.jp2').length);
    expect(await ask(`tiles.jp2/${tile(2, 2).replace('512,512/0', '490,490/0')}`)).toMatchObject({ requests: 0 });
  });
});

describe('a JPEG 2000 file of which a part is missing', () => {
  it.each(Object.keys(damages))('%s is no picture, also where the region is there', async (name) => {
    await start();
    const region = tile(askedTile % 4, Math.floor(askedTile / 4));
    expect((await ask(`${name}/${region}`)).status).toBe(404);
    if (!name.startsWith('moved')) expect((await ask(`${name}/${tile(0, 0)}`)).status).toBe(404);
  });
});
