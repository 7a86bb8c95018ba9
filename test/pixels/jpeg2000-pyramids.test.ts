/** Derived pyramids of JPEG 2000 files show what is rendered from the files themselves, but for JPEG’s loss. */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, it, test } from 'vitest';
import { isTransposed, type Orientation } from '../../src/core/image/model/geometry.ts';
import type { Resolution } from '../../src/core/image/model/image-set.ts';
import { planPart } from '../../src/core/image/plan/plan-render.ts';
import { pyramidTile, slownessOf } from '../../src/core/image/plan/slow-sources.ts';
import { createFileProbe } from '../../src/core/library/file-facts.ts';
import { makePyramid } from '../../src/core/pyramids/make.ts';
import { execute } from '../../src/core/render/execute.ts';
import { repeatTile } from '../fixtures/jpeg2000/repeated-tiles.mjs';
import { temporaryFolder } from './pictures.ts';

const fixtures = fileURLToPath(new URL('../fixtures/jpeg2000/', import.meta.url));
const fixture = (name: string): Buffer => readFileSync(path.join(fixtures, name));
const folder = temporaryFolder();
const probe = createFileProbe();
const enough = 2 ** 30;

async function sourceOf(name: string, bytes = fixture(name), orientation: Orientation = 1): Promise<Resolution> {
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  const [found] = await probe(file);
  if (found === undefined) throw new Error(`${name} can’t be read`);
  const { width, height } = found.levels[0];
  const upright = isTransposed(orientation) ? { width: height, height: width } : { width, height };
  return { ...found, ...upright, orientation };
}

const rgbOf = (image: Sharp) => image.toColourspace('srgb').removeAlpha().raw().toBuffer({ resolveWithObject: true });

/** The mean and the greatest difference of samples. */
function differenceOf(one: Buffer, other: Buffer): { readonly mean: number; readonly most: number } {
  expect(one.length).toBe(other.length);
  let [sum, most] = [0, 0];
  for (let at = 0; at < one.length; at++) {
    const difference = Math.abs((one[at] ?? 0) - (other[at] ?? 0));
    sum += difference;
    most = Math.max(most, difference);
  }
  return { mean: sum / one.length, most };
}

/** Makes the pyramid of a source; the pixels of its first level, and those that are rendered from the source itself. */
async function made(source: Resolution) {
  const target = path.join(folder, 'pyramid.tif');
  for (const end of ['', '.colors', '.turned']) rmSync(`${target}${end}`, { force: true });
  await makePyramid({ source, target, tile: pyramidTile(source), quality: 85 }, enough);
  const whole = { x: 0, y: 0, width: source.width, height: source.height };
  const { bytes } = await execute(planPart(source, whole, source, 'png'));
  const [pyramid] = await probe(target);
  return {
    pyramid,
    bytes: statSync(target).size,
    level: await rgbOf(sharp(target)),
    direct: await rgbOf(sharp(bytes)),
    encoded: await rgbOf(sharp(await sharp(bytes).jpeg({ quality: 85 }).toBuffer())),
  };
}

describe('the first level of a pyramid is the picture of the file itself as JPEG has it', () => {
  test.each<[string, string, Orientation?]>([
    ['large-lossy.jp2', 'RGB without tiles, in several parts'],
    ['large-precincts.jp2', 'gray with precincts'],
    ['large-tiles.jp2', 'gray in tiles'],
    ['tiled-lossless.jp2', 'RGB in small tiles'],
    ['image-offset.jp2', 'an image off the grid’s origin'],
    ['tile-offset.jp2', 'tiles off the grid’s origin'],
    ['sycc-420.jp2', 'sYCC, subsampled'],
    ['sycc-444.jp2', 'sYCC'],
    ['palette.jp2', 'a palette'],
    ['cmyk.jp2', 'inks'],
    ['gray-1.jp2', 'one bit'],
    ['gray-12.jp2', 'gray of 12 bits'],
    ['gray-16.jp2', 'gray of 16 bits'],
    ['rgb-12.jp2', 'RGB of 12 bits'],
    ['rgb-16.jp2', 'RGB of 16 bits'],
    ['adobe-rgb.jp2', 'an ICC profile'],
    ['gray-profile.jp2', 'an ICC profile of gray'],
    ['four-components.jp2', 'a component that is not shown'],
    ['high-throughput.jph', 'High-Throughput JPEG 2000'],
    ['large-lossy.jp2', 'turned by a quarter', 6],
    ['rgb-16.jp2', 'mirrored, of 16 bits', 2],
  ])('%s: %s', async (name, _, orientation) => {
    const source = await sourceOf(name, fixture(name), orientation);
    const { pyramid, level, direct, encoded } = await made(source);
    expect(pyramid).toMatchObject({
      width: source.width,
      height: source.height,
      orientation: 1,
      bits: 8,
      profile: false,
    });
    expect(level.info).toMatchObject({ width: source.width, height: source.height });
    const loss = differenceOf(direct.data, encoded.data);
    const found = differenceOf(direct.data, level.data);
    expect(found.mean).toBeLessThanOrEqual(loss.mean * 1.1);
    expect(found.most).toBeLessThanOrEqual(loss.most + 10);
    // The last column and row of a tile that reaches beyond the image are repeated in other ways.
    expect(differenceOf(level.data, encoded.data).mean).toBeLessThan(1);
  });

  it('of 20 megapixels in tiles', { tags: 'exhaustive' }, async () => {
    const source = await sourceOf('tiles.j2k', repeatTile(fixture('large-tiles.jp2'), 20, 16));
    expect(slownessOf(source)).toMatchObject({ kind: 'slow', reason: expect.stringMatching(/JPEG 2000 compression/) });
    const { pyramid, level, direct } = await made(source);
    expect(pyramid?.levels.length).toBe(6);
    expect(differenceOf(direct.data, level.data).mean).toBeLessThan(2);
  });
});

describe('no pyramid is made', () => {
  it('of a file with transparency, which the JPEG tiles of a pyramid can’t hold', async () => {
    const source = await sourceOf('rgb-alpha.jp2');
    expect(slownessOf({ ...source, width: 3000, height: 3000 }).kind).toBe('unfit');
  });

  it('of a file whose parts take more memory than there is, before any is decoded', async () => {
    const source = await sourceOf('large-lossy.jp2');
    const job = { source, target: path.join(folder, 'none.tif'), tile: pyramidTile(source), quality: 85 };
    await expect(makePyramid(job, 40 * 2 ** 20)).rejects.toThrow(
      /^Its code-stream can be decoded in parts only that take \d+ MiB of memory, and a process that makes pyramids may have 40 MiB\.$/,
    );
  });

  it('of a file that is damaged', async () => {
    const whole = fixture('progression-lrcp.jp2');
    const start = whole.lastIndexOf(Buffer.of(0xff, 0x93)) + 2;
    const source = await sourceOf('damaged.jp2', Buffer.from(whole).fill(0xfe, start, start + 200));
    const job = { source, target: path.join(folder, 'none.tif'), tile: pyramidTile(source), quality: 85 };
    await expect(makePyramid(job, enough)).rejects.toThrow(/^The file is damaged: .+\.$/);
  });
});
