/** Derived pyramids over HTTP: requests for slow regions start a build, after which tiles come from the pyramid, unchanged. */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { adobeRgb } from '../fixtures/files/icc-profile.mjs';
import { repeatTile } from '../fixtures/jpeg2000/repeated-tiles.mjs';
import { sampleOf } from '../sweep.ts';
import { blobs } from './blob-image.ts';
import { type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-pyramids-'));
const folder = path.join(scratch, 'scans');
const apps: RunningApp[] = [];

async function start(settings: SettingsInput = {}): Promise<RunningApp & { readonly store: string }> {
  const store = mkdtempSync(path.join(scratch, 'store-'));
  const app = await startApp({
    library: { folders: [folder] },
    http: { explain: true },
    // Without a cache each request reads a part of the source.
    cache: { memoryBytes: 0, directory: false },
    ...settings,
    pyramids: { directory: store, ...settings.pyramids },
  });
  apps.push(app);
  return { ...app, store };
}

const pyramidsIn = (store: string): readonly string[] => readdirSync(store).filter((name) => name.endsWith('.tif'));

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Pyramids are built at low priority, which takes long on a busy machine; only the test's own time-out limits it. */
async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let attempt = 0; attempt < 1000; attempt++) {
    if (await holds()) return;
    await pause(50);
  }
  throw new Error(`it never came to this: ${what}`);
}

async function linesOf(app: RunningApp, address: string): Promise<readonly string[]> {
  const answer = await app.get(`${address}?explain=1`);
  const { lines } = JSON.parse(answer.body.toString()) as { lines: { name: string; text: string }[] };
  return lines.map(({ name, text }) => `${name}: ${text}`);
}

const isFromPyramid = async (app: RunningApp, address: string): Promise<boolean> =>
  (await linesOf(app, address)).includes('read a derived pyramid: yes');

async function request(app: RunningApp, address: string, times: number): Promise<void> {
  for (let count = 0; count < times; count++) expect((await app.get(address)).status).toBe(200);
}

/** More regions than are rendered before a pyramid of any of these images is built. */
const many = 30;

/** Requests tiles until the image's pyramid is used. */
async function makePyramid(app: RunningApp, address: string): Promise<void> {
  await until(async () => {
    await request(app, address, 1);
    return isFromPyramid(app, address);
  }, 'a pyramid');
}

async function rgbOf({ body }: ReceivedResponse): Promise<{ readonly data: Buffer; readonly size: string }> {
  const { data, info } = await sharp(body)
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, size: `${info.width} x ${info.height}` };
}

/** Mean and greatest difference of two pictures of one size. */
async function differenceOf(
  one: ReceivedResponse,
  other: ReceivedResponse,
): Promise<{ readonly mean: number; readonly most: number }> {
  const [a, b] = [await rgbOf(one), await rgbOf(other)];
  expect(b.size).toBe(a.size);
  let [sum, most] = [0, 0];
  for (let at = 0; at < a.data.length; at++) {
    const difference = Math.abs((a.data[at] ?? 0) - (b.data[at] ?? 0));
    sum += difference;
    most = Math.max(most, difference);
  }
  return { mean: sum / a.data.length, most };
}

beforeAll(async () => {
  mkdirSync(folder);
  const file = (name: string): string => path.join(folder, name);
  const tiles = {
    compression: 'jpeg',
    quality: 92,
    tile: true,
    tileWidth: 256,
    tileHeight: 256,
    pyramid: true,
  } as const;
  await blobs(6400, 4800).jpeg({ quality: 92 }).toFile(file('plain.jpg'));
  await blobs(3300, 2600).jpeg({ quality: 92 }).withMetadata({ orientation: 6 }).toFile(file('turned.jpg'));
  await blobs(3300, 2600).toColourspace('cmyk').withIccProfile('cmyk').jpeg({ quality: 92 }).toFile(file('cmyk.jpg'));
  const deep = await blobs(2200, 1600).toColourspace('rgb16').raw({ depth: 'ushort' }).toBuffer();
  const twelve = new Uint16Array(deep.buffer, deep.byteOffset, deep.length / 2).map((value) => value >> 4);
  const raw = { width: 2200, height: 1600, channels: 3 } as const;
  await sharp(twelve, { raw }).toColourspace('rgb16').tiff({ compression: 'deflate' }).toFile(file('deep.tif'));
  const profile = path.join(scratch, 'adobe.icc');
  writeFileSync(profile, adobeRgb);
  await blobs(2200, 1600).tiff(tiles).withIccProfile(profile).toFile(file('adobe.tif'));
  await blobs(2400, 1600).ensureAlpha(0.5).png({ compressionLevel: 1 }).toFile(file('clear.png'));
  copyFileSync(file('plain.jpg'), file('replaced.jpg'));
  const tiles2000 = readFileSync(new URL('../fixtures/jpeg2000/large-tiles.jp2', import.meta.url));
  writeFileSync(file('tiles.j2k'), repeatTile(tiles2000, 12, 8));
  copyFileSync(new URL('../fixtures/jpeg2000/large-lossy.jp2', import.meta.url), file('untiled.jp2'));
}, 120_000);

afterAll(async () => {
  for (const app of apps) await app.close();
  rmSync(scratch, { recursive: true, force: true });
});

const iiif = (name: string, picture: string): string => `/iiif/3/${name}/${picture}`;
const tile = (name: string, x = 512, y = 1024): string => iiif(name, `${x},${y},512,512/512,512/0/default.jpg`);

describe('a JPEG of 30 megapixels', () => {
  let app: RunningApp & { readonly store: string };
  const before = new Map<string, ReceivedResponse>();
  const pictures: readonly (readonly [string, number])[] = [
    [tile('plain.jpg'), 1.5],
    [tile('plain.jpg', 3072, 4096), 1.5],
    [iiif('plain.jpg', '6144,4608,256,192/256,192/0/default.jpg'), 1.5],
    [iiif('plain.jpg', '2048,2048,2048,2048/512,512/0/default.jpg'), 1.5],
    // At small scales, sharp edges differ because of the kernel of the stored levels.
    [iiif('plain.jpg', 'full/400,300/0/default.jpg'), 4],
    [iiif('plain.jpg', '100,333,1000,800/700,560/90/gray.webp'), 3],
    ['/Scaler?fn=plain.jpg&dw=500&wx=0.3&wy=0.3&ww=0.2&wh=0.2', 1.5],
  ];

  beforeAll(async () => {
    app = await start();
    expect(await linesOf(app, tile('plain.jpg'))).toContain(
      'read a derived pyramid: no: there is none yet, though it is a JPEG of 30.7 megapixels without tiles',
    );
    expect(pyramidsIn(app.store)).toEqual([]);
    for (const [address] of pictures) before.set(address, await app.get(address));
    await makePyramid(app, tile('plain.jpg'));
  });

  it.each(pictures)('%s is the same from the pyramid, with another ETag', async (address, tolerance) => {
    const [old, now] = [before.get(address), await app.get(address)];
    if (old === undefined) throw new Error('not requested before');
    expect(now.status).toBe(200);
    expect(now.headers.etag).not.toBe(old.headers.etag);
    expect(now.headers['last-modified']).toBe(old.headers['last-modified']);
    expect((await differenceOf(old, now)).mean).toBeLessThan(tolerance);
  });

  it('has whole tiles spliced from the pyramid', async () => {
    const lines = await linesOf(app, tile('plain.jpg'));
    expect(lines.find((line) => line.startsWith('file'))).toMatch(/^file: derived pyramid of plain\.jpg, \d+ bytes$/);
    expect(lines).toContain('splice a stored tile: yes');
    expect(lines.join()).not.toContain(app.store);
  });

  it('has the same info.json and info object as before', async () => {
    const other = await start({ pyramids: { maxBytes: 0 } });
    const information = async (one: RunningApp) =>
      JSON.parse((await one.get('/iiif/3/plain.jpg/info.json')).body.toString());
    const { id: _, partOf: __, ...before } = await information(other);
    expect(await information(app)).toMatchObject(before);
  });

  it.each([
    ['a PNG', iiif('plain.jpg', '512,512,512,512/512,512/0/default.png'), 'the picture is to be made without loss'],
    [
      'the whole at full size',
      iiif('plain.jpg', 'full/max/90/default.jpg'),
      'the whole image is asked for at its full size',
    ],
  ])('is read from the source for %s', async (_, address, reason) => {
    expect(await linesOf(app, address)).toContain(`read a derived pyramid: no: ${reason}`);
  });

  it.each(['/iiif/3/plain.jpg/full/max/0/default.jpg', '/Scaler?fn=plain.jpg&mo=file'])(
    '%s sends the file',
    async (address) => {
      expect((await app.get(address)).body.equals(readFileSync(path.join(folder, 'plain.jpg')))).toBe(true);
    },
  );

  it('is used by the next server, and built only once', async () => {
    const next = await start({ pyramids: { directory: app.store } });
    await until(() => isFromPyramid(next, tile('plain.jpg')), 'the pyramid of the server before');
    expect(pyramidsIn(app.store)).toHaveLength(1);
  });

  it('is read from the source if the settings keep ICC profiles', async () => {
    const keeping = await start({ render: { profiles: 'keep' }, pyramids: { directory: app.store } });
    await until(
      async () =>
        (await linesOf(keeping, tile('plain.jpg'))).some((line) => line.includes('the settings keep ICC profiles')),
      'a pyramid that is not used',
    );
  });
});

describe('the pyramid of', () => {
  it.each(
    sampleOf(
      [
        ['an Adobe RGB pyramid', 'adobe.tif', '256,512,256,256/256,256/0/default.jpg'],
        ['a TIFF of 12 bits in 16', 'deep.tif', '512,1024,512,512/512,512/0/default.jpg'],
        ['a CMYK JPEG', 'cmyk.jpg', '512,1024,512,512/512,512/0/default.jpg'],
        ['a JPEG that is turned by EXIF', 'turned.jpg', '512,1024,512,512/512,512/0/default.jpg'],
      ],
      2,
    ),
  )('%s has its colors, and its tiles are spliced', { tags: 'sampled' }, async (_, name, picture) => {
    const app = await start();
    const address = iiif(name, picture);
    const before = await app.get(address);
    await makePyramid(app, address);
    expect(await linesOf(app, address)).toContain('splice a stored tile: yes');
    const { mean, most } = await differenceOf(before, await app.get(address));
    expect(mean).toBeLessThan(1.5);
    expect(most).toBeLessThan(30);
  });
});

it('is not built for an image with transparency, which the plan explains', async () => {
  const app = await start();
  const address = tile('clear.png');
  await request(app, address, many);
  expect(await linesOf(app, address)).toContain(
    'read a derived pyramid: no: the image has transparency, which the JPEG tiles of a pyramid can’t hold',
  );
});

it('a replaced file is never shown from an old pyramid, even if size and time are the same', async () => {
  const app = await start();
  const address = tile('replaced.jpg');
  await makePyramid(app, address);
  const file = path.join(folder, 'replaced.jpg');
  const old = readFileSync(file);
  const gray = await sharp(old).greyscale().jpeg({ quality: 70 }).toBuffer();
  expect(gray.length).toBeLessThan(old.length);
  utimesSync(file, 1, 1);
  writeFileSync(file, Buffer.concat([gray, Buffer.alloc(old.length - gray.length)]));
  utimesSync(file, 1, 1);
  const { data } = await rgbOf(await app.get(address));
  expect(Math.abs((data[0] ?? 0) - (data[1] ?? 255))).toBeLessThan(3);
  expect(await isFromPyramid(app, address)).toBe(false);
});

describe('a pyramid that is damaged', () => {
  it.each([
    ['in a tile', (bytes: Buffer) => bytes.fill(0x55, 16, bytes.length / 2)],
    ['in its header', (bytes: Buffer) => bytes.fill(0xff, 4, 8)],
    ['by being cut short', (bytes: Buffer) => bytes.subarray(0, 5000)],
  ])('%s is deleted, and the source is read', async (_, damage) => {
    const app = await start({ pyramids: { automatic: true } });
    const address = tile('plain.jpg');
    const before = await app.get(address);
    await makePyramid(app, address);
    const [name = ''] = pyramidsIn(app.store);
    const file = path.join(app.store, name);
    writeFileSync(file, damage(readFileSync(file)));
    const answer = await app.get(address);
    expect(answer.status).toBe(200);
    expect((await differenceOf(before, answer)).mean).toBe(0);
    expect(pyramidsIn(app.store)).toEqual([]);
    expect(app.logLines.filter((line) => line.includes('a derived pyramid is damaged'))).toHaveLength(1);
  });
});

it('with a damaged tile is explained as not used: the source is read', async () => {
  const app = await start();
  const address = tile('plain.jpg');
  await makePyramid(app, address);
  const [name = ''] = pyramidsIn(app.store);
  const file = path.join(app.store, name);
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0x55, 16, bytes.length / 2));
  expect((await linesOf(app, address))[1]).toMatch(/^file: plain\.jpg, /);
  expect(pyramidsIn(app.store)).toEqual([]);
});

describe('the store', () => {
  it('is filled again if it is emptied while the server runs', async () => {
    const app = await start();
    const address = tile('plain.jpg');
    await makePyramid(app, address);
    rmSync(app.store, { recursive: true });
    expect((await app.get(address)).status).toBe(200);
    await makePyramid(app, address);
  });

  it('is reported once if it can’t be written to, and nothing else fails', async () => {
    const file = path.join(scratch, 'a-file');
    writeFileSync(file, '');
    const app = await start({ pyramids: { directory: path.join(file, 'store') } });
    const reports = () => app.logLines.filter((line) => line.includes('no derived pyramids are made'));
    await request(app, tile('plain.jpg'), many);
    await until(() => reports().length > 0, 'a line in the log');
    await request(app, tile('plain.jpg'), 2 * many);
    expect(reports()).toHaveLength(1);
  });

  it('stays empty if pyramids are not built automatically', async () => {
    const app = await start({ pyramids: { automatic: false } });
    await request(app, tile('adobe.tif', 0, 0), many);
    await pause(300);
    expect(pyramidsIn(app.store)).toEqual([]);
  });

  it.each([
    ['where only lossless pictures are requested', {}, 'png'],
    ['where the settings keep ICC profiles', { render: { profiles: 'keep' } }, 'jpg'],
  ] as const)('stays empty %s', async (_, settings, format) => {
    const app = await start(settings);
    await request(app, iiif('adobe.tif', `100,100,600,600/300,300/0/default.${format}`), many);
    await pause(300);
    expect(pyramidsIn(app.store)).toEqual([]);
  });
});

describe('a JPEG 2000', () => {
  it.each(
    sampleOf(
      [
        ['tiles.j2k', '512,1024,256,256/256,256', 2],
        ['untiled.jp2', '512,512,512,512/512,512', 20],
      ],
      1,
    ),
  )(
    '%s gets a pyramid, whose tiles are sent as they are stored',
    { tags: 'sampled' },
    async (name, part, tolerance) => {
      const app = await start();
      const address = iiif(name, `${part}/0/default.jpg`);
      const before = await app.get(address);
      await makePyramid(app, address);
      expect(await linesOf(app, address)).toContain('splice a stored tile: yes');
      const { mean } = await differenceOf(before, await app.get(address));
      expect(mean).toBeLessThan(tolerance);
      expect(pyramidsIn(app.store)).toHaveLength(1);
    },
  );
});
