/** What each kind of answer reads of a bucket: how many requests, and how many bytes. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runIndexing } from '../../src/app/run-indexing.ts';
import { readSettings } from '../../src/app/settings/configuration.ts';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { type ComputedBucket, startComputedBucket } from '../s3/computed-bucket.ts';
import { pyramidOf } from '../s3/large-pyramid.ts';
import { type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-bucket-bytes-'));
const secretAccessKeyFile = path.join(scratch, 'secret');
const kB = 1000;

let bucket: ComputedBucket | undefined;
let app: RunningApp | undefined;

/** Noise, of which a JPEG takes some half a byte for each pixel. */
function noise(width: number, height: number) {
  const gaussian = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  return sharp({ create: { width, height, channels: 3, background: 'gray', noise: gaussian } });
}

beforeAll(() => writeFileSync(secretAccessKeyFile, 'secret'));

async function stop(): Promise<void> {
  await app?.close();
  await bucket?.close();
  [app, bucket] = [undefined, undefined];
}
afterEach(stop);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A bucket of these objects, and the settings of a server on it, with empty caches. */
async function openBucket(others: Readonly<Record<string, Buffer>>): Promise<SettingsInput> {
  await stop();
  bucket = await startComputedBucket({
    ...{ bucket: 'scans', prefix: 'none/', images: 0, nameOf: String, bytes: Buffer.alloc(0), others },
  });
  const caches = mkdtempSync(path.join(scratch, 'caches-'));
  const spoolDirectory = path.join(caches, 'spool');
  mkdirSync(spoolDirectory);
  return {
    library: { folders: ['s3://scans'] },
    index: { directory: path.join(caches, 'index') },
    search: { directory: path.join(caches, 'search') },
    objectStorage: {
      ...{ endpoint: bucket.endpoint, pathStyle: true, accessKeyId: 'reader', secretAccessKeyFile, spoolDirectory },
      metaFiles: false,
    },
  };
}

/** A server on a bucket of these objects, which has just started. */
async function start(others: Readonly<Record<string, Buffer>>): Promise<void> {
  const settings = await openBucket(others);
  app = await startApp(settings);
  bucket?.takeRequests();
  bucket?.takeBytes();
}

/** Each folder is asked once whether it has redactions. */
const isOfImage = (request: string): boolean => request !== 'LIST ' && !/metadata\.ya?ml$/.test(request);

/** What an answer took of the bucket. */
async function ask(address: string): Promise<{ readonly requests: number; readonly bytes: number; body: Buffer }> {
  if (app === undefined || bucket === undefined) throw new TypeError('no server was started');
  const { status, body } = await app.get(address);
  expect([address, status]).toEqual([address, 200]);
  // At its start the server asks whether the bucket answers.
  const requests = bucket.takeRequests().filter(isOfImage);
  return { requests: requests.length, bytes: bucket.takeBytes(), body };
}

describe('a pyramid whose directories follow their pixels', () => {
  it('is read by its directories alone, and then a tile at a time', async () => {
    const pyramid = await pyramidOf(6000, 5000);
    await start({ 'page.tif': pyramid });
    const tile = (x: number): string => `/iiif/3/page.tif/${x},0,256,256/256,256/0/default.jpg`;
    const first = await ask(tile(1024));
    // The header, three blocks of directories, and the tile; the pixels are random, and a directory may lie across two blocks.
    expect(first.requests).toBeGreaterThanOrEqual(5);
    expect(first.requests).toBeLessThanOrEqual(7);
    expect(first.bytes).toBeLessThan(500 * kB);
    const second = await ask(tile(2048));
    expect([second.requests, second.bytes < 30 * kB]).toEqual([1, true]);
  });
});

describe('a JPEG that is decoded as a whole', () => {
  it('takes two requests, each byte once, and its original takes none beyond these', async () => {
    const jpeg = await noise(1700, 1600).jpeg({ quality: 80 }).toBuffer();
    expect(jpeg.length).toBeGreaterThan(1000 * kB);
    await start({ 'page.jpg': jpeg });
    const thumbnail = await ask('/iiif/3/page.jpg/full/200,/0/default.jpg');
    expect([thumbnail.requests, thumbnail.bytes]).toEqual([2, jpeg.length]);
    const original = await ask('/Scaler?fn=page.jpg&mo=rawfile');
    expect([original.requests, original.body.equals(jpeg)]).toEqual([0, true]);
  });

  it('of more than 4 MiB is not read for its header, and each byte of it once for its pixels', async () => {
    const jpeg = await noise(4200, 3000).jpeg({ quality: 80 }).toBuffer();
    expect(jpeg.length).toBeGreaterThan(4500 * kB);
    await start({ 'page.jpg': jpeg });
    const info = await ask('/iiif/3/page.jpg/info.json');
    expect([info.requests, info.bytes < 530 * kB]).toEqual([2, true]);
    const thumbnail = await ask('/iiif/3/page.jpg/full/200,/0/default.jpg');
    expect(thumbnail.bytes).toBeLessThan(jpeg.length - 500 * kB);
  });
});

describe('an original', () => {
  it('of 2 MB takes three requests: its first bytes, its directory, and all the rest at once', async () => {
    const tiff = await noise(900, 800).tiff({ compression: 'none' }).toBuffer();
    expect(tiff.length).toBeGreaterThan(2000 * kB);
    await start({ 'page.tif': tiff });
    const original = await ask('/Scaler?fn=page.tif&mo=rawfile');
    expect(original.body.equals(tiff)).toBe(true);
    expect([original.requests, original.bytes - tiff.length < 300 * kB]).toEqual([3, true]);
  });
});

const altoOf = (word: string): Buffer =>
  Buffer.from(
    '<alto xmlns="http://www.loc.gov/standards/alto/ns-v4#"><Layout><Page ID="p" PHYSICAL_IMG_NR="1" WIDTH="40" HEIGHT="40"><PrintSpace>' +
      `<TextBlock ID="b"><TextLine><String CONTENT="${word}" HPOS="1" VPOS="1" WIDTH="30" HEIGHT="9"/></TextLine></TextBlock>` +
      '</PrintSpace></Page></Layout></alto>',
  );

describe('the index of texts', () => {
  it('reads each text once, and none of those that are unchanged in the next run, by another process', async () => {
    const image = await noise(40, 40).jpeg().toBuffer();
    const names = Array.from({ length: 40 }, (_, index) => `book/p${100 + index}`);
    const book =
      '<html><body><div class="ocr_page" title="image p100.jpg"><span class="ocrx_word">kraut</span></div></body></html>';
    const others = Object.fromEntries([
      ...names.flatMap((name, index) => [
        [`${name}.jpg`, image],
        ...(index > 0 ? [[`${name}.xml`, altoOf(`wort${index}`)]] : []),
      ]),
      ['book/book.html', Buffer.from(book)],
      ['book/p101.txt', Buffer.from('is not read, since there is a better one')],
    ]) as Record<string, Buffer>;
    const settings = readSettings(await openBucket(others), {}, undefined);
    const run = () => runIndexing(settings, pino({ level: 'silent' }), {});
    const texts = () => bucket?.takeRequests().filter((request) => /^GET .*\.(?:xml|txt|html)$/.test(request));
    expect((await run()).written).toBe(40);
    expect(texts()).toHaveLength(40);
    expect(await run()).toMatchObject({ files: 40, written: 0, removed: 0 });
    expect(texts()).toEqual([]);
  });
});

describe('a server that starts anew', () => {
  it('asks for nothing but what may have changed: neither lists nor headers nor texts', async () => {
    const image = await noise(40, 40).jpeg().toBuffer();
    const names = Array.from({ length: 30 }, (_, index) => `book/p${100 + index}`);
    const pages = names.flatMap((name) => [
      [`${name}.jpg`, image],
      [`${name}.xml`, altoOf('wort')],
    ]);
    const settings = await openBucket(Object.fromEntries(pages) as Record<string, Buffer>);
    const addresses = ['/presentation/3/book/manifest.json', '/api/folder.json?fn=book'];
    for (const expected of [expect.arrayContaining(['LIST book/']), []]) {
      app = await startApp(settings);
      bucket?.takeRequests();
      for (const address of addresses) expect([address, (await app.get(address)).status]).toEqual([address, 200]);
      expect(bucket?.takeRequests().filter((request) => request !== 'LIST ')).toEqual(expected);
      await app.close();
    }
  });
});
