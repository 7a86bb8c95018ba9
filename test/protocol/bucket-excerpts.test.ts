/** TIFF files in a bucket are rendered from the tiles or strips that a region needs, to the same bytes as from the whole file. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp, { type TiffOptions } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adobeRgb } from '../fixtures/files/icc-profile.mjs';
import { randomNumbers } from '../fixtures/files/random.mjs';
import { blockTiff, type Samples } from '../pixels/block-tiff.ts';
import { type ComputedBucket, startComputedBucket } from '../s3/computed-bucket.ts';
import { type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-bucket-excerpts-'));
const folder = path.join(scratch, 'folder');
const spoolDirectory = path.join(scratch, 'spool');
/** The size of most images, of which a level of more than a megapixel is measured where the range of samples is unknown. */
const full = { width: 1300, height: 1100 } as const;
const twice = { width: 2600, height: 2200 } as const;

type Store = (value: number, isAlpha: boolean) => number;

const byte: Store = (value) => Math.round(value * 255);

/** A drawing with noise, halved so often. */
function drawn<Values extends Samples['values']>(
  { width: fullWidth, height: fullHeight }: { readonly width: number; readonly height: number },
  { channels, halvings, store }: { readonly channels: number; readonly halvings: number; readonly store: Store },
  make: (length: number) => Values,
) {
  const [width, height] = [fullWidth >> halvings, fullHeight >> halvings];
  const random = randomNumbers(7);
  const values = make(width * height * channels);
  for (let at = 0, y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const wave = 0.5 + 0.3 * Math.sin((x << halvings) / 90) + 0.2 * (random() - 0.5);
      for (let channel = 0; channel < channels; channel++, at++)
        values[at] = store(channel === 3 ? 1 - x / width / 2 : Math.abs(wave - channel / 5), channel === 3);
    }
  }
  return { width, height, channels, values };
}

const halved = (count: number, level: (halvings: number) => Samples): Samples[] =>
  Array.from({ length: count }, (_, halvings) => level(halvings));
const bytes = (channels: number, count = 1): Samples[] =>
  halved(count, (halvings) => drawn(full, { channels, halvings, store: byte }, (length) => new Uint8Array(length)));
const words = (channels: number, count: number): Samples[] =>
  halved(count, (halvings) =>
    drawn(twice, { channels, halvings, store: (value) => value * 4000 }, (length) => new Uint16Array(length)),
  );
const floats = (count: number): Samples[] =>
  halved(count, (halvings) =>
    drawn(twice, { channels: 1, halvings, store: (value) => value * 7 - 2 }, (length) => new Float32Array(length)),
  );

const palette = Array.from({ length: 768 }, (_, at) => (at * 7919) % 65_536);

const written: Readonly<Record<string, () => Buffer>> = {
  'big-endian, 16 bits, tiles': () => blockTiff(words(1, 3), { tile: 256, littleEndian: false }),
  'BigTIFF, gray, SubIFDs': () => blockTiff(bytes(1, 3), { tile: 128, big: true, inSubDirectories: true }),
  'samples in strips of their own': () => blockTiff(bytes(3), { rows: 32, isPlanar: true }),
  'gaps between tiles, as of GDAL': () => blockTiff(bytes(3), { tile: 256, gap: 8 }),
  'alpha, tiles': () => blockTiff(bytes(4, 2), { tile: 256 }),
  'palette, tiles': () => blockTiff(bytes(1), { tile: 256, photometric: 3, tags: [[320, 3, palette]] }),
  'white is zero, strips': () => blockTiff(bytes(1), { rows: 64, photometric: 0 }),
  'floats with a predictor, tiles': () => blockTiff(floats(3), { tile: 256, predictor: 3 }),
  'one strip without compression': () => blockTiff(bytes(3), { isCompressed: false }),
  'strips without compression, big-endian': () =>
    blockTiff(bytes(3), { rows: 7, isCompressed: false, littleEndian: false }),
  'planes in strips without compression': () => blockTiff(bytes(3), { rows: 40, isPlanar: true, isCompressed: false }),
  'a profile, tiles': () => blockTiff(bytes(3, 2), { tile: 256, tags: [[34_675, 7, adobeRgb]] }),
} satisfies Readonly<Record<string, () => Buffer>>;

const tiled = { tile: true, tileWidth: 256, tileHeight: 256 } as const;

const bySharp: Readonly<Record<string, TiffOptions>> = {
  'Deflate, tiles': { ...tiled, compression: 'deflate', predictor: 'horizontal', pyramid: true },
  'LZW, tiles': { ...tiled, compression: 'lzw', predictor: 'horizontal', pyramid: true },
  'LZW without a predictor, tiles': { ...tiled, compression: 'lzw', predictor: 'none' },
  'PackBits, tiles': { ...tiled, compression: 'packbits' },
  'no compression, tiles': { ...tiled, compression: 'none', pyramid: true },
  'Deflate, strips': { compression: 'deflate', predictor: 'horizontal' },
  'LZW, strips': { compression: 'lzw' },
  'JPEG, strips': { compression: 'jpeg', quality: 95 },
};

/** Where the places of the tiles of the first level are, by its directory at the end of the header. */
function firstTileOf(file: Buffer): { readonly at: number; readonly bytes: number } {
  const directory = file.readUInt32LE(4);
  const entry = (tag: number): number => {
    for (let at = directory + 2; ; at += 12) if (file.readUInt16LE(at) === tag) return file.readUInt32LE(at + 8);
  };
  return { at: file.readUInt32LE(entry(324)), bytes: file.readUInt32LE(entry(325)) };
}

/** A tile is zeros, or the last bytes are missing. */
const damaged: Readonly<Record<string, (file: Buffer) => Buffer>> = {
  'hole.tif': (file) => {
    const { at, bytes } = firstTileOf(file);
    return Buffer.concat([file.subarray(0, at), Buffer.alloc(bytes), file.subarray(at + bytes)]);
  },
  'cut.tif': (file) => file.subarray(0, Math.floor(file.length * 0.9)),
};

const names = [...Object.keys(written), ...Object.keys(bySharp)];
const nameOf = (kind: string): string => `p${names.indexOf(kind)}.tif`;

let files: Readonly<Record<string, Buffer>> = {};
let bucket: ComputedBucket;
let onBucket: RunningApp;
let onFolder: RunningApp;

beforeAll(async () => {
  mkdirSync(folder);
  mkdirSync(spoolDirectory);
  const { values, width, height } = drawn(full, { channels: 3, halvings: 0, store: byte }, Buffer.alloc);
  const image = sharp(values, { raw: { width, height, channels: 3 } });
  const others: Record<string, Buffer> = {};
  for (const [kind, write] of Object.entries(written)) others[nameOf(kind)] = write();
  for (const [kind, options] of Object.entries(bySharp))
    others[nameOf(kind)] = await image.clone().tiff(options).toBuffer();
  for (const [name, damage] of Object.entries(damaged)) others[name] = damage(blockTiff(bytes(3), { tile: 256 }));
  others['small.tif'] = blockTiff(bytes(1), { tile: 256 });
  for (const [name, content] of Object.entries(others)) writeFileSync(path.join(folder, name), content);
  files = others;
  bucket = await startComputedBucket({
    bucket: 'scans',
    prefix: 'none/',
    images: 0,
    nameOf: String,
    bytes: Buffer.alloc(0),
    others,
  });
  const secretAccessKeyFile = path.join(scratch, 'secret');
  writeFileSync(secretAccessKeyFile, 'secret');
  onFolder = await startApp({ library: { folders: [folder] } });
  onBucket = await startApp({
    library: { folders: ['s3://scans'] },
    objectStorage: {
      ...{ endpoint: bucket.endpoint, pathStyle: true, accessKeyId: 'reader', secretAccessKeyFile, spoolDirectory },
      metaFiles: false,
      // Otherwise objects are asked for again in between.
      refreshSeconds: 3600,
    },
  });
});

afterAll(async () => {
  await Promise.all([onBucket?.close(), onFolder?.close()]);
  await bucket?.close();
  rmSync(scratch, { recursive: true, force: true });
});

const copies = (): number =>
  readdirSync(spoolDirectory, { recursive: true }).filter((name) => String(name).endsWith('.copy')).length;

const random = randomNumbers(20_261_126);
const within = (most: number): number => Math.floor(random() * most);

/** Regions in the size that they have, and reduced: anywhere, on a seam, and at the last edge. */
const regions = (): readonly string[] => {
  const [width, height] = [40 + within(260), 40 + within(200)];
  const at = (x: number, y: number): string => `${x},${y},${width},${height}`;
  return [
    `${at(within(full.width - width), within(full.height - height))}/max`,
    `${at(within(full.width - width), within(full.height - height))}/${Math.ceil(width / 3)},`,
    `${at(256 - 20, 512 - 20)}/max`,
    `${at(full.width - width, full.height - height)}/max`,
    `${full.width - 1},${full.height - 1},1,1/max`,
  ];
};

/** The pixels: the density of a picture depends on which tiles were decoded before. */
const pixelsOf = async ({ status, body }: ReceivedResponse): Promise<unknown> =>
  status === 200 ? sharp(body).raw().toBuffer() : status;

describe('a TIFF in a bucket has the pixels of the same file in a folder, and is not copied, with', () => {
  it.each(names)('%s', async (kind) => {
    const before = copies();
    for (const region of regions()) {
      const address = `/iiif/3/${nameOf(kind)}/${region}/0/default.png`;
      const [whole, parts] = await Promise.all([onFolder.get(address), onBucket.get(address)]);
      expect([address, whole.status, parts.status]).toEqual([address, 200, 200]);
      expect([address, await pixelsOf(parts)]).toEqual([address, await pixelsOf(whole)]);
    }
    expect(copies()).toBe(before);
  });
});

/** What an answer took of the bucket: its status, and how many requests and kB. */
async function ask(
  address: string,
): Promise<{ readonly status: number; readonly requests: number; readonly kB: number }> {
  bucket.takeRequests();
  bucket.takeBytes();
  const { status } = await onBucket.get(address);
  return { status, requests: bucket.takeRequests().length, kB: Math.ceil(bucket.takeBytes() / 1000) };
}

const tile = (kind: string, x: number, y: number, side = 256): string =>
  `/iiif/3/${nameOf(kind)}/${x},${y},${side},${side}/max/0/default.jpg?of=requests`;

const fileKB = (kind: string): number => Math.floor((files[nameOf(kind)]?.length ?? 0) / 1000);

describe('a region of a TIFF in a bucket takes', () => {
  it('one request for a tile with Deflate, one for each row of tiles on a seam, and none for the same again', async () => {
    const kind = 'Deflate, tiles';
    await ask(`/iiif/3/${nameOf(kind)}/info.json`);
    const one = await ask(tile(kind, 512, 512));
    expect(one).toMatchObject({ status: 200, requests: 1 });
    expect(one.kB).toBeLessThan(fileKB(kind) / 15);
    expect(await ask(tile(kind, 700, 700))).toMatchObject({ status: 200, requests: 2 });
    expect(await ask(tile(kind, 512, 512))).toMatchObject({ status: 200, requests: 0 });
  });

  it('one request for tiles between which GDAL writes their lengths', async () => {
    const kind = 'gaps between tiles, as of GDAL';
    await ask(`/iiif/3/${nameOf(kind)}/info.json`);
    expect(await ask(`/iiif/3/${nameOf(kind)}/0,0,1024,256/max/0/default.jpg`)).toMatchObject({ requests: 1 });
  });

  it('one request for strips, and of those without compression no more than their rows', async () => {
    const [packed, plain] = ['Deflate, strips', 'one strip without compression'];
    for (const kind of [packed, plain]) await ask(`/iiif/3/${nameOf(kind)}/info.json`);
    const strips = await ask(tile(packed, 512, 800, 64));
    expect([strips.requests, strips.kB < fileKB(packed) / 3]).toEqual([1, true]);
    const rows = await ask(tile(plain, 512, 800, 64));
    expect([rows.requests, rows.kB]).toEqual([1, Math.ceil((64 * full.width * 3) / 1000)]);
  });

  it('of 16 bits the level on which their range is measured, once', async () => {
    const kind = 'big-endian, 16 bits, tiles';
    await ask(tile(kind, 0, 0));
    expect(await ask(tile(kind, 1024, 1024))).toMatchObject({ status: 200, requests: 1 });
  });

  it('a copy where it needs more than half of the file, from which all that follows is made', async () => {
    const all = await ask('/iiif/3/small.tif/full/400,/0/default.jpg');
    expect(all.status).toBe(200);
    expect(await ask('/iiif/3/small.tif/256,256,256,256/max/0/default.jpg')).toMatchObject({
      status: 200,
      requests: 0,
    });
  });
});

describe('a damaged TIFF in a bucket', () => {
  it('has the pictures of its sound tiles, and none of one that is a hole of zeros, as in a folder', async () => {
    const [sound, hole] = ['600,600,200,200', '0,0,200,200'];
    const statuses = async (app: RunningApp): Promise<readonly number[]> => {
      const answers: number[] = [];
      for (const region of [sound, hole])
        answers.push((await app.get(`/iiif/3/hole.tif/${region}/max/0/default.jpg`)).status);
      return answers;
    };
    expect(await statuses(onBucket)).toEqual([200, 404]);
    expect(await statuses(onFolder)).toEqual([200, 404]);
  });

  it('that ends before its last tile has none at all, which its directories alone say', async () => {
    const { status, kB } = await ask('/iiif/3/cut.tif/0,0,200,200/max/0/default.jpg');
    expect([status, kB < 200]).toEqual([404, true]);
  });
});
