/** JPEG 2000 files over HTTP: their documents say what their headers do, in the library as everywhere. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { isImageName } from '../../src/core/image/model/formats.ts';
import { box } from '../fixtures/jpeg2000/boxes.mjs';
import { manifestSchema3, parserWarnings } from '../unit/features/presentation/model/schema.ts';
import { type RunningApp, startApp } from './running-app.ts';

const fixtures = fileURLToPath(new URL('../fixtures/jpeg2000', import.meta.url));
const names = readdirSync(fixtures).filter(isImageName);
const library = mkdtempSync(path.join(tmpdir(), 'lectern-jpeg2000-'));
const [first, scaled] = ['first', 'scaled'].map((name) => path.join(library, name));

let app: RunningApp;
beforeAll(async () => {
  for (const folder of ['first/all', 'first/extensions', 'first/prescaled', 'scaled/prescaled'])
    mkdirSync(path.join(library, folder), { recursive: true });
  for (const name of names) copyFileSync(path.join(fixtures, name), path.join(library, 'first/all', name));
  copyFileSync(path.join(fixtures, 'large-precincts.jp2'), path.join(library, 'first/prescaled/scan.jp2'));
  copyFileSync(path.join(fixtures, 'gray.jp2'), path.join(library, 'scaled/prescaled/scan.j2k'));
  for (const extension of ['jp2', 'J2K', 'jpx', 'jpf', 'j2c', 'jpc', 'jph', 'jhc', 'jpeg', 'jp3'])
    copyFileSync(path.join(fixtures, 'gray.jp2'), path.join(library, 'first/extensions', `${extension}.${extension}`));
  const upright = readFileSync(path.join(fixtures, 'untiled-lossless.jp2'));
  writeFileSync(path.join(library, 'first/extensions/turned.jp2'), turned(upright, 6));
  mkdirSync(path.join(library, 'first/closed'));
  copyFileSync(path.join(fixtures, 'gray.jp2'), path.join(library, 'first/closed/gray.jp2'));
  app = await startApp({
    library: { folders: [first ?? '', scaled ?? ''] },
    access: { paths: [{ path: 'closed', roles: ['staff'] }] },
  });
});
afterAll(async () => {
  await app.close();
  rmSync(library, { recursive: true });
});

/** A file with an EXIF block that says its orientation. */
function turned(file: Buffer, orientation: number): Buffer {
  const entry = Buffer.from([0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]);
  const exif = Buffer.concat([Buffer.from('II*\0\x08\0\0\0\x01\0', 'latin1'), entry, Buffer.alloc(4)]);
  return Buffer.concat([file, box('uuid', Buffer.from('JpgTiffExif->JP2', 'latin1'), exif)]);
}

interface Pixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

async function pixels(address: string): Promise<Pixels> {
  const { status, body } = await app.get(address);
  expect(status, address).toBe(200);
  const { data, info } = await sharp(body)
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

async function document(address: string): Promise<Record<string, unknown>> {
  const { status, body } = await app.get(address);
  expect(status, address).toBe(200);
  return JSON.parse(body.toString()) as Record<string, unknown>;
}
const information = (name: string) => document(`/iiif/3/all!${name}/info.json`);

/** Sizes as info.json names them: halved and rounded up once for each reduction, the smallest first. */
const halvings = (width: number, height: number, count: number) =>
  Array.from({ length: count + 1 }, (_, index) => ({
    width: Math.ceil(width / 2 ** (count - index)),
    height: Math.ceil(height / 2 ** (count - index)),
  }));

describe('info.json', () => {
  it.each([
    ['large-tiles.jp2', 1601, 1203, 4, 256, [1, 2, 4, 8]],
    ['large-lossy.jp2', 1601, 1203, 5, 512, [1, 2, 4]],
    ['tiled-lossless.jp2', 203, 155, 3, 512, [1]],
    ['one-resolution.jp2', 203, 155, 0, 512, [1]],
    ['eight-resolutions.jp2', 203, 155, 7, 512, [1]],
    ['image-offset.jp2', 203, 155, 5, 512, [1]],
    ['sycc-420.jp2', 203, 155, 5, 512, [1]],
    ['palette.jp2', 203, 155, 5, 512, [1]],
    ['ppm.j2k', 203, 155, 3, 512, [1]],
    ['brand.jpx', 203, 155, 5, 512, [1]],
    ['high-throughput.jph', 203, 155, 5, 512, [1]],
    ['names.j2c', 203, 155, 5, 512, [1]],
  ] as const)(
    'of %s has the resolutions and tiles of the code-stream',
    async (name, width, height, levels, tile, scaleFactors) => {
      const { sizes, ...others } = await information(name);
      expect(others).toMatchObject({ width, height, tiles: [{ width: tile, height: tile, scaleFactors }] });
      expect(sizes).toEqual(halvings(width, height, levels));
    },
  );

  it('names the sizes of a prescaled version and of its resolutions too', async () => {
    const { sizes } = await document('/iiif/3/prescaled!scan.jp2/info.json');
    expect(sizes).toContainEqual({ width: 201, height: 151 });
    expect(sizes).toContainEqual({ width: 1601, height: 1203 });
  });

  it('exists of every file', async () => {
    for (const name of names) expect(await information(name)).toMatchObject({ type: 'ImageService3' });
  });
});

test('the info object and ImgInfo have the size, and the dots per inch of the resolution box', async () => {
  const info = await document('/api/dlInfo-json.jsp?fn=all/resolution.jp2');
  expect(info).toMatchObject({
    'img.pix_x': '203',
    'img.pix_y': '155',
    'img.fn': 'resolution.jp2',
    'img.dpix': '300',
    'img.dpiy': '200',
  });
  expect(await document('/api/ImgInfo-json.jsp?fn=all/resolution.jp2')).toEqual({
    filename: 'resolution.jp2',
    auth_required: false,
    aspect: 203 / 155,
    dpi_x: 299.9994,
    dpi_y: 199.9996,
    width: 203,
    height: 155,
  });
});

test('files of all extensions are images, whatever their letters', async () => {
  const { items } = manifestSchema3.parse(await document('/presentation/3/extensions/manifest.json'));
  expect(items).toHaveLength(10);
});

test('the manifest has all files with their sizes, and is valid', async () => {
  const manifest = await document('/presentation/3/all/manifest.json');
  const { items } = manifestSchema3.parse(manifest);
  expect(items).toHaveLength(names.length);
  expect(parserWarnings(manifest)).toEqual([]);
  expect(items.filter(({ width, height }) => width === 203 && height === 155)).toHaveLength(names.length - 3);
});

test.each([
  ['untiled-lossy.jp2', 'image/jp2'],
  ['brand.jpx', 'image/jpx'],
  ['names.j2c', 'image/j2c'],
  ['high-throughput.jph', 'image/jph'],
  ['high-throughput-16.jhc', 'image/jphc'],
])('the original of %s is sent as %s', async (name, type) => {
  const { status, headers } = await app.get(`/Scaler?fn=all/${name}&mo=file`);
  expect([status, headers['content-type']]).toEqual([200, type]);
});

/** The mean difference of two samples, in 255ths. */
const meanDifference = (one: Uint8Array, other: Uint8Array): number =>
  one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length;

describe('pictures', () => {
  it('are upright, as EXIF says', async () => {
    const whole = await pixels('/iiif/3/extensions!turned.jp2/full/max/0/default.png');
    expect(whole).toEqual(await pixels('/iiif/3/all!untiled-lossless.jp2/full/max/90/default.png'));
    const part = await pixels('/iiif/3/extensions!turned.jp2/30,40,50,60/max/0/default.png');
    // Turned by a quarter to the right, what was at the left is at the top: x is counted from what was the lower edge.
    expect(part).toEqual(await pixels('/iiif/3/all!untiled-lossless.jp2/40,75,60,50/max/90/default.png'));
  });

  it.each(['large-lossy.jp2', 'large-tiles.jp2', 'large-precincts.jp2'])(
    'of the tiles of %s fit together without a seam, at all scale factors',
    async (name) => {
      const { width, height, tiles } = (await information(name)) as {
        readonly width: number;
        readonly height: number;
        readonly tiles: readonly [{ readonly width: number; readonly scaleFactors: readonly number[] }];
      };
      const [{ width: side, scaleFactors }] = tiles;
      for (const factor of scaleFactors) {
        // The part that has whole pixels: those of the last tiles share what remains.
        const size = { width: Math.floor(width / factor), height: Math.floor(height / factor) };
        const all = `0,0,${size.width * factor},${size.height * factor}`;
        const whole = await pixels(`/iiif/3/all!${name}/${all}/${size.width},${size.height}/0/default.png`);
        for (let y = 0; y < size.height; y += side) {
          for (let x = 0; x < size.width; x += side) {
            const [left, top] = [x * factor, y * factor];
            const [w, h] = [Math.min(side, size.width - x), Math.min(side, size.height - y)];
            const region = [left, top, w * factor, h * factor];
            const part = { left: x, top: y, width: w, height: h };
            const tile = await pixels(`/iiif/3/all!${name}/${region}/${part.width},${part.height}/0/default.png`);
            const raw = { width: whole.width, height: whole.height, channels: 3 } as const;
            const expected = await sharp(whole.data, { raw }).extract(part).raw().toBuffer();
            const difference = meanDifference(tile.data, expected);
            expect(difference, `${name} ${factor} ${x} ${y}`).toBeLessThan(factor === 1 ? 1e-9 : 0.3);
            // Without its neighbors, the last column continues the slope.
            const lastColumn = (data: Buffer) => data.filter((_, at) => Math.floor(at / 3) % w === w - 1);
            expect(meanDifference(lastColumn(tile.data), lastColumn(expected))).toBeLessThan(factor === 1 ? 1e-9 : 12);
          }
        }
      }
    },
  );
});

it.each([
  ['/iiif/3/closed!gray.jp2/info.json', 401],
  ['/iiif/3/closed!gray.jp2/full/max/0/default.jpg', 401],
  ['/Scaler?fn=closed/gray.jp2&dw=50', 403],
  ['/Scaler?fn=closed/gray.jp2&mo=file', 403],
  ['/Scaler?fn=closed/gray.jp2&mo=rawfile', 403],
])('a closed file is not shown at %s', async (address, status) => {
  expect((await app.get(address)).status).toBe(status);
});

test('the original as it is stored has no type of a picture', async () => {
  const { status, headers } = await app.get('/Scaler?fn=all/gray.jp2&mo=rawfile');
  expect([status, headers['content-type']]).toEqual([200, 'application/octet-stream']);
});
