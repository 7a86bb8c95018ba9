/** Pictures rendered from tiles that are decoded here equal, byte for byte, those that libvips renders from the file. */
import { writeFileSync } from 'node:fs';
import { type FileHandle, open as openFile } from 'node:fs/promises';
import path from 'node:path';
import { wrapPixels } from '@lectern/tiff';
import sharp, { type Sharp, type TiffOptions } from 'sharp';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { createAdmission } from '../../src/core/access/admit.ts';
import { anyone, openAccess } from '../../src/core/access/policy.ts';
import { planImage } from '../../src/core/image/plan/plan.ts';
import type { Render } from '../../src/core/image/plan/plan-types.ts';
import { Library } from '../../src/core/library/library.ts';
import { execute } from '../../src/core/render/execute.ts';
import type { OpenedRender } from '../../src/core/render/sources/opened-file.ts';
import { readDecoded } from '../../src/core/render/tiles/decoded-tiles.ts';
import { createChunks } from '../../src/core/render/tiles/tile-checksums.ts';
import { parseQuery } from '../../src/features/digilib/parameters.ts';
import { toImageRequest } from '../../src/features/digilib/scaler-request.ts';
import { adobeRgb, srgb } from '../fixtures/files/icc-profile.mjs';
import { scene } from './jpeg-pyramid.ts';
import { temporaryFolder } from './pictures.ts';

const folder = temporaryFolder();
const [width, height] = [700, 530];
const library = new Library({ roots: [folder], followLinksOutside: false, orientation: 'apply', onUnreadable() {} });
const admission = createAdmission(library, openAccess);

const tiff = (image: Sharp, options: TiffOptions = {}): Promise<Buffer> =>
  image
    .tiff({ compression: 'jpeg', quality: 85, tile: true, tileWidth: 128, tileHeight: 96, pyramid: true, ...options })
    .toBuffer();

async function withProfile(icc: Buffer): Promise<Buffer> {
  const pixels = await scene(width, height).raw().toBuffer();
  return tiff(sharp(wrapPixels({ data: pixels, width, height, channels: 3 }, icc)).keepIccProfile());
}

const rgba = (): Sharp => scene(width, height).ensureAlpha(0.5);

const decodedHere: Record<string, () => Promise<Buffer>> = {
  'jpeg tiles': () => tiff(scene(width, height)),
  'gray jpeg tiles': () => tiff(scene(width, height, 1).toColourspace('b-w')),
  'deflate tiles': () => tiff(scene(width, height), { compression: 'deflate', predictor: 'horizontal' }),
  'deflate tiles without a predictor': () => tiff(scene(width, height), { compression: 'deflate', predictor: 'none' }),
  'gray deflate tiles': () =>
    tiff(scene(width, height, 1).toColourspace('b-w'), { compression: 'deflate', predictor: 'horizontal' }),
  'an sRGB profile': () => withProfile(srgb),
  'tiles as large as the image': () => tiff(scene(width, height), { tileWidth: 1024, tileHeight: 1024 }),
};

const readByLibvips: Record<string, () => Promise<Buffer>> = {
  'uncompressed tiles': () => tiff(scene(width, height), { compression: 'none' }),
  strips: () => tiff(scene(width, height), { tile: false, pyramid: false }),
  alpha: () => tiff(rgba(), { compression: 'deflate' }),
  '16 bits': () => tiff(scene(width, height).toColourspace('rgb16'), { compression: 'deflate' }),
  'a profile to convert': () => withProfile(adobeRgb),
};

const queries = [
  'wx=0.21&wy=0.17&ww=0.5&wh=0.4&dw=200',
  'wx=0.3&wy=0.2&ww=0.6&wh=0.7&dw=300&rot=90&mo=hmir',
  'wx=0.55&wy=0.6&ww=0.45&wh=0.4&dw=500&brgt=20&cont=0.5',
  'dw=150',
  'dw=90&rot=33',
  'wx=0.01&wy=0.01&ww=0.01&wh=0.01&dw=60&mo=fill',
  'wx=0.9&wy=0.8&ww=0.1&wh=0.2&dw=100',
];

async function planFor(name: string, query: string): Promise<Render> {
  const image = await admission.admit(name, 1, anyone);
  const { plan } = planImage(toImageRequest(parseQuery(query)), image, {
    limits: { maxArea: 100_000_000 },
    sendFile: false,
  });
  return plan.kind === 'send-tile' ? plan.fallback : (plan as Render);
}

beforeAll(async () => {
  for (const [name, make] of Object.entries({ ...decodedHere, ...readByLibvips })) {
    writeFileSync(path.join(folder, `${name}.tif`), await make());
  }
});

describe.each(Object.keys(decodedHere))('%s', (name) => {
  test.each(queries)('gives the same bytes as libvips: %s', async (query) => {
    const plan = await planFor(name, query);
    const { tiles: _tiles, ...ofLibvips } = plan;
    const expected = await execute(ofLibvips);
    expect((await execute(plan)).bytes.equals(expected.bytes)).toBe(true);
    expect(await readDecoded(await openedFor(plan))).toBeDefined();
  });
});

const opened: FileHandle[] = [];
afterAll(() => Promise.all(opened.map((handle) => handle.close())));

/** The plan with its file open until the end of the tests. */
async function openedFor(plan: Render): Promise<OpenedRender> {
  const { path: readPath } = plan.file;
  const handle = await openFile(readPath);
  opened.push(handle);
  return { ...plan, file: { ...plan.file, readPath, handle, chunks: createChunks() } };
}

describe('decoded tiles', () => {
  it.each(Object.keys(readByLibvips))('are not made if libvips does more than decode: %s', async (name) => {
    expect(await readDecoded(await openedFor(await planFor(name, queries[0] ?? '')))).toBeUndefined();
  });

  it('equal what sharp reads', async () => {
    const plan = await openedFor(await planFor('gray jpeg tiles', queries[2] ?? ''));
    const read = await readDecoded(plan);
    const { x: left = 0, y: top = 0, ...size } = plan.read ?? { width: 1, height: 1 };
    const page = plan.location.kind === 'page' ? plan.location.page : 0;
    const direct = await sharp(plan.file.path, { page })
      .extract({ left, top, ...size })
      .toColourspace('b-w')
      .raw();
    expect(read).toMatchObject({ ...size, channels: 1 });
    expect(read?.data.equals(await direct.toBuffer())).toBe(true);
  });
});
