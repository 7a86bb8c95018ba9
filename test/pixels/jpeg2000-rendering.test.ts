/** Pictures of JPEG 2000 files, and the errors of damaged ones. */
import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readerOf } from '../../packages/jpeg2000/src/bytes.ts';
import { RegionReader } from '../../packages/jpeg2000/src/region.ts';
import type { Rect } from '../../src/core/image/model/geometry.ts';
import { planPart } from '../../src/core/image/plan/plan-render.ts';
import type { Render } from '../../src/core/image/plan/plan-types.ts';
import { bufferSource } from '../../src/core/library/headers/byte-source.ts';
import { readHeader } from '../../src/core/library/headers/header.ts';
import { execute } from '../../src/core/render/execute.ts';
import { fingerprintOf } from '../../src/core/storage/storage.ts';
import { imageOf } from '../unit/core/image/image-builder.ts';

const fixtures = fileURLToPath(new URL('../fixtures/jpeg2000/', import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lectern-jpeg2000-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A plan for a part of a fixture, whose bytes `change` changes after its header was read. */
async function planFor(name: string, part?: Rect, change?: (bytes: Buffer) => Buffer): Promise<Render> {
  const bytes = readFileSync(path.join(fixtures, name));
  const { pages } = await readHeader(bufferSource(bytes));
  const [page] = pages;
  const file = path.join(folder, `${change ? 'changed-' : ''}${name}`);
  await writeFile(file, change ? change(Buffer.from(bytes)) : bytes);
  const { width, height } = page.levels[0];
  const [resolution] = imageOf({ width, height }).resolutions;
  const fingerprint = fingerprintOf(statSync(file, { bigint: true }));
  const source = {
    ...resolution,
    ...page,
    width,
    height,
    format: 'jp2',
    file: { ...resolution.file, path: file, bytes: statSync(file).size, fingerprint },
  } as const;
  const shown = part ?? { x: 0, y: 0, width, height };
  return planPart(source, shown, { width: shown.width, height: shown.height }, 'png');
}

async function render(plan: Render) {
  const { bytes } = await execute(plan);
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

describe('pictures', () => {
  it.each([
    'rgb-alpha.jp2',
    'rgb-16.jp2',
    'gray-12.jp2',
    'palette.jp2',
    'sycc-420.jp2',
    'cmyk.jp2',
    'adobe-rgb.jp2',
    'gray-profile.jp2',
    'gray-1.jp2',
    'high-throughput.jph',
  ])('of a region of %s are that region of the whole picture', async (name) => {
    const whole = await render(await planFor(name));
    const part = { x: 101, y: 37, width: 80, height: 60 };
    const found = await render(await planFor(name, part));
    expect(found).toMatchObject({ width: 80, height: 60, channels: whole.channels });
    const { x: left, y: top, width, height } = part;
    const raw = { width: whole.width, height: whole.height, channels: whole.channels };
    const expected = await sharp(whole.data, { raw }).extract({ left, top, width, height }).raw().toBuffer();
    expect(found.data.equals(expected)).toBe(true);
    expect(new Set(found.data).size).toBeGreaterThan(1);
  });

  it('of 16 bits have the high bytes of the samples, rounded', async () => {
    const plan = await planFor('rgb-16.jp2');
    const { data, width, height } = await render(plan);
    const { jpeg2000, file } = plan;
    if (jpeg2000 === undefined) throw new TypeError('no JPEG 2000 file');
    const read = { reduction: 0, region: { x: 0, y: 0, width, height }, lenient: false, bits: 16 } as const;
    const opened = { readAt: readerOf(readFileSync(file.path)), bytes: file.bytes, key: 'deep', header: jpeg2000 };
    const { samples } = await new RegionReader().readRegion(opened, read);
    const worst = data.reduce((most, value, at) => Math.max(most, Math.abs(value - (samples[at] ?? 0) / 257)), 0);
    expect(worst).toBeLessThanOrEqual(1);
  });
});

describe('a damaged file', () => {
  const cut = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length * 0.6));
  /** The bits of the first packet’s header: the code-blocks’ lengths are then beyond all bounds. */
  const garbled = (bytes: Buffer): Buffer => {
    const start = bytes.lastIndexOf(Buffer.of(0xff, 0x93)) + 2;
    return bytes.fill(0xfe, start, start + 200);
  };

  it.each([
    ['that is cut off', 'untiled-lossless.jp2', cut],
    ['of which tiles are missing', 'tiled-lossless.jp2', cut],
    ['whose packet headers are garbled', 'progression-lrcp.jp2', garbled],
  ])('%s answers that it is damaged, each time', async (_, name, change) => {
    const plan = await planFor(name, undefined, change);
    await expect(execute(plan)).rejects.toMatchObject({ code: 'damaged' });
    await expect(execute(plan)).rejects.toMatchObject({ code: 'damaged' });
    await expect(execute(await planFor(name))).resolves.toBeDefined();
  });

  it.each(['untiled-lossless.jp2', 'tiled-lossless.jp2'])(
    '%s shows what it has where its header says that it is cut off',
    async (name) => {
      const plan: Render = { ...(await planFor(name, undefined, cut)), truncated: true };
      const [found, whole] = [await render(plan), await render(await planFor(name))];
      expect(found.data.length).toBe(whole.data.length);
      expect(found.data.equals(whole.data)).toBe(false);
      // The start of the file is that of the picture, or a coarser one of all of it.
      const start = found.data.subarray(0, 90).map((value, at) => Math.abs(value - (whole.data[at] ?? 0)));
      expect(Math.max(...start)).toBeLessThan(64);
    },
  );
});
