/** A JPEG that is encoded without libvips has the same bytes as libvips makes of the same pixels. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { wrapPixels } from '@lectern/tiff';
import sharp, { type Sharp, type TiffOptions } from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { anyone, openAccess } from '../../src/core/access/access.ts';
import { createAdmission } from '../../src/core/access/admit.ts';
import { outputFormats } from '../../src/core/image/model/formats.ts';
import type { Profiles } from '../../src/core/image/model/stored-samples.ts';
import { planImage } from '../../src/core/image/plan/plan.ts';
import type { Render } from '../../src/core/image/plan/plan-types.ts';
import { Library } from '../../src/core/library/library.ts';
import { DecodedTiles } from '../../src/core/render/decoded-tiles.ts';
import { execute } from '../../src/core/render/execute.ts';
import { parseQuery } from '../../src/features/digilib/query.ts';
import { toImageRequest } from '../../src/features/digilib/request.ts';
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
  return tiff(sharp(wrapPixels(pixels, { width, height, channels: 3 }, { profile: icc })).keepIccProfile());
}

const files: Readonly<Record<string, () => Promise<Buffer>>> = {
  colors: () => tiff(scene(width, height)),
  gray: () => tiff(scene(width, height, 1).toColourspace('b-w')),
  'an sRGB profile': () => withProfile(srgb),
  'a profile to convert': () => withProfile(adobeRgb),
  '16 bits': () => tiff(scene(width, height).toColourspace('rgb16'), { compression: 'deflate' }),
};

const queries = [
  'dw=201',
  'wx=0.21&wy=0.17&ww=0.5&wh=0.4&dw=200',
  'wx=0.1&wy=0.1&ww=0.3&wh=0.4&mo=clip&dw=210&dh=212',
  'wx=0.3&wy=0.2&ww=0.6&wh=0.7&dw=300&rot=90&mo=hmir',
  'wx=0.3&wy=0.2&ww=0.6&wh=0.7&dw=300&rot=180',
  'wx=0.55&wy=0.6&ww=0.45&wh=0.4&dw=500&brgt=20',
  'wx=0.01&wy=0.01&ww=0.01&wh=0.01&dw=60&mo=fill',
];

async function planFor(name: string, query: string, profiles: Profiles = 'convert'): Promise<Render> {
  const image = await admission.admit(name, 1, anyone);
  const rules = { limits: { maxArea: 100_000_000 }, sendFile: false, profiles };
  const { plan } = planImage(toImageRequest(parseQuery(query)), image, rules);
  return { ...(plan.kind === 'send-tile' ? plan.fallback : (plan as Render)), format: 'jpeg' };
}

beforeAll(async () => {
  for (const [name, make] of Object.entries(files)) writeFileSync(path.join(folder, `${name}.tif`), await make());
});

/** Encodes the pixels of a derivative without losses. */
async function encodeByLibvips(bytes: Buffer): Promise<Buffer> {
  const { channels } = await sharp(bytes).metadata();
  return sharp(bytes)
    .toColourspace(channels === 1 ? 'b-w' : 'srgb')
    .toFormat('jpeg', outputFormats.jpeg.encoder)
    .toBuffer();
}

test.each(Object.keys(files).flatMap((name) => queries.map((query) => [name, query] as const)))(
  '%s: %s',
  async (name, query) => {
    const plan = await planFor(`${name}.tif`, query);
    const expected = await encodeByLibvips((await execute({ ...plan, format: 'png' })).bytes);
    const tiles = new DecodedTiles(50_000_000);
    // The second time from decoded tiles.
    for (const each of [undefined, tiles, tiles]) {
      const { bytes, ...size } = await execute(plan, each);
      expect(bytes.equals(expected)).toBe(true);
      expect(await sharp(bytes).metadata()).toMatchObject(size);
    }
  },
);

test.each(queries)('a profile is kept: %s', async (query) => {
  const { bytes } = await execute(await planFor('a profile to convert.tif', query, 'keep'));
  expect((await sharp(bytes).metadata()).icc?.equals(adobeRgb)).toBe(true);
});
