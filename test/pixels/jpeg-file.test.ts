/** Parts of JPEG files are, byte by byte, those that libvips decodes, however the file is coded. */
import { statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { buildJpeg, noise, samplings } from '../../packages/jpeg/test/build-jpeg.ts';
import type { Rect } from '../../src/core/image/model/geometry.ts';
import { planPart } from '../../src/core/image/plan/plan-render.ts';
import type { Render } from '../../src/core/image/plan/plan-types.ts';
import { execute } from '../../src/core/render/execute.ts';
import { openJpegPart } from '../../src/core/render/sources/open-region.ts';
import { withOpenedFile } from '../../src/core/render/sources/opened-file.ts';
import { fingerprintOf } from '../../src/core/storage/storage.ts';
import { randomNumbers } from '../fixtures/files/random.mjs';
import { sampleOf } from '../sweep.ts';
import { imageOf } from '../unit/core/image/image-builder.ts';

const size = { width: 403, height: 309 };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lectern-jpeg-part-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Patches of random colors. */
function patches(): Sharp {
  const random = randomNumbers(8);
  const pixels = Buffer.from(Array.from({ length: 80 * 60 * 3 }, () => Math.floor(random() * 256)));
  return sharp(pixels, { raw: { width: 80, height: 60, channels: 3 } }).resize({
    ...size,
    fit: 'fill',
    kernel: 'cubic',
  });
}

const regions: readonly Rect[] = [
  { x: 0, y: 0, width: 1, height: 1 },
  { x: 0, y: 0, width: 100, height: 80 },
  { x: 17, y: 33, width: 64, height: 64 },
  { x: 128, y: 64, width: 128, height: 128 },
  { x: 401, y: 307, width: 2, height: 2 },
  { x: 300, y: 250, width: 103, height: 59 },
  { x: 0, y: 200, width: 200, height: 109 },
];

async function planFor(stream: Buffer, region: Rect, color: 'rgb' | 'gray' = 'rgb'): Promise<Render> {
  const file = path.join(folder, `${Math.random()}.jpg`);
  await writeFile(file, stream);
  const [resolution] = imageOf(size).resolutions;
  const plan = planPart(resolution, region, region, 'png');
  const stats = statSync(file, { bigint: true });
  const { size: bytes } = statSync(file);
  return {
    ...plan,
    sourceColor: color,
    read: region,
    file: { ...plan.file, path: file, bytes, fingerprint: fingerprintOf(stats) },
  };
}

const isCut = (plan: Render, region: Rect): Promise<boolean> =>
  withOpenedFile(plan, async (opened) => (await openJpegPart(opened, region)) !== undefined);

const pixels = (image: Sharp): Promise<Buffer> => image.raw().toBuffer();

async function expectParts(stream: Buffer, { isGray = false } = {}): Promise<void> {
  const space = isGray ? 'b-w' : 'srgb';
  const plan = await planFor(stream, { x: 0, y: 0, width: 8, height: 8 }, isGray ? 'gray' : 'rgb');
  for (const region of regions) {
    const { bytes } = await execute({ ...plan, read: region, scaled: region, size: region });
    const { x: left, y: top, width, height } = region;
    const expected = sharp(stream, { failOn: 'none' }).toColourspace(space).extract({ left, top, width, height });
    const actual = sharp(bytes).toColourspace(space);
    expect((await pixels(actual)).equals(await pixels(expected)), JSON.stringify(region)).toBe(true);
    expect(await isCut(plan, region), JSON.stringify(region)).toBe(true);
  }
}

describe('as sharp writes them', () => {
  test.each([
    ['half chroma', { chromaSubsampling: '4:2:0' }],
    ['full chroma', { chromaSubsampling: '4:4:4' }],
    ['common tables', { optimiseCoding: false }],
    ['the best quality', { quality: 100, chromaSubsampling: '4:2:0' }],
    ['the lowest quality', { quality: 2 }],
  ])('%s', async (_name, options) => {
    await expectParts(await patches().jpeg(options).toBuffer());
  });

  it('gray', async () => {
    await expectParts(await patches().toColourspace('b-w').jpeg().toBuffer(), { isGray: true });
  });

  it('with a profile that is converted', async () => {
    const stream = await patches().withIccProfile('p3').jpeg({ quality: 100 }).toBuffer();
    const region = { x: 100, y: 200, width: 90, height: 80 };
    const plan = await planFor(stream, region);
    const { bytes } = await execute({ ...plan, samples: { ...plan.samples, profile: 'convert' } });
    const whole = await execute({
      ...plan,
      samples: { ...plan.samples, profile: 'convert' },
      read: { x: 0, y: 0, ...size },
      scaled: size,
      size,
    });
    const expected = sharp(whole.bytes).extract({ left: 100, top: 200, width: 90, height: 80 });
    expect((await pixels(sharp(bytes))).equals(await pixels(expected))).toBe(true);
  });
});

describe.each(Object.entries(samplings).filter(([name]) => !name.startsWith('more')))('%s', (_name, factors) => {
  test.each(sampleOf([0, 1, 26, 7], 2))(
    'restarts behind every %i units',
    { tags: 'sampled' },
    async (restartInterval) => {
      const isGray = factors.length === 1;
      await expectParts(buildJpeg({ ...size, factors, coefficients: noise, restartInterval }), { isGray });
    },
  );
});

describe('libvips reads the file', () => {
  const region = { x: 10, y: 200, width: 50, height: 50 };

  it.each([
    ['that is progressive', { progressive: true }],
    ['with optimized scans', { mozjpeg: true }],
  ])('%s', async (_name, options) => {
    const stream = await patches().jpeg(options).toBuffer();
    const plan = await planFor(stream, region);
    expect(await isCut(plan, region)).toBe(false);
    const expected = sharp(stream).extract({ left: 10, top: 200, width: 50, height: 50 });
    expect((await pixels(sharp((await execute(plan)).bytes))).equals(await pixels(expected))).toBe(true);
  });

  it('for most of the image', async () => {
    const most = { x: 0, y: 0, width: 300, height: 300 };
    expect(await isCut(await planFor(await patches().jpeg().toBuffer(), most), most)).toBe(false);
  });

  it('that is cut short before the part or behind it, and says so', async () => {
    const stream = await patches().jpeg().toBuffer();
    const cut = stream.subarray(0, stream.length / 3);
    expect(await isCut(await planFor(cut, region), region)).toBe(false);
    await expect(execute(await planFor(cut, region))).rejects.toMatchObject({ code: 'damaged' });
    const above = { x: 10, y: 10, width: 50, height: 20 };
    await expect(execute(await planFor(cut, above))).rejects.toMatchObject({ code: 'damaged' });
    const shown = { ...(await planFor(cut, above)), truncated: true } as const;
    await expect(execute(shown)).resolves.toMatchObject({ width: 50, height: 20 });
  });
});
