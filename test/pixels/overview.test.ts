/** Parts of large images that are made of an overview fail where the file lacks pixels, however many were made of it before. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Pixels } from '@lectern/tiff';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { planPart } from '../../src/core/image/plan/plan-render.ts';
import type { OpenedRender } from '../../src/core/render/sources/opened-file.ts';
import { cachedOverview } from '../../src/core/render/sources/overviews.ts';
import { imageOf } from '../unit/core/image/image-builder.ts';
import { createRenderer, temporaryFolder } from './pictures.ts';

const size = { width: 3200, height: 2600 };
const folder = temporaryFolder();
const { iiif } = createRenderer(folder);
const pathOf = (name: string): string => path.join(folder, name);

beforeAll(async () => {
  const noise = sharp({
    create: { ...size, channels: 3, background: 'teal', noise: { type: 'gaussian', mean: 128, sigma: 30 } },
  });
  await noise.clone().jpeg().toFile(pathOf('whole.jpg'));
  await noise.clone().jpeg({ progressive: true }).toFile(pathOf('scans.jpg'));
  await noise.png({ compressionLevel: 1 }).toFile(pathOf('whole.png'));
  for (const name of ['whole.jpg', 'scans.jpg', 'whole.png']) {
    const bytes = readFileSync(pathOf(name));
    const part = bytes.subarray(0, Math.round(bytes.length * 0.9));
    writeFileSync(pathOf(`cut-${name}`), part);
    // libjpeg does no more than warn of missing data before an end marker.
    writeFileSync(pathOf(`ended-${name}`), Buffer.concat([part, Buffer.from([0xff, 0xd9])]));
  }
});

/** Both lie above what is missing. */
const tiles = ['0,0,1600,1300/400,325/0/default.jpg', '1600,0,1600,1300/400,325/0/default.jpg'];

describe('a file that is cut short', () => {
  test.each(['whole.jpg', 'scans.jpg', 'whole.png'])('%s', async (name) => {
    for (const tile of [...tiles, ...tiles]) {
      expect(await iiif(name, tile)).toMatchObject({ width: 400, height: 325 });
      await expect(iiif(`cut-${name}`, tile)).rejects.toThrow(/damaged|cut short/);
      await expect(iiif(`ended-${name}`, tile)).rejects.toThrow(/damaged|cut short/);
    }
  });
});

describe('an overview', () => {
  const [resolution] = imageOf({ width: 3000, height: 2000, format: 'gif' }).resolutions;
  const part = { x: 0, y: 0, width: 1500, height: 1000 };
  const plan = planPart(resolution, part, { width: 300, height: 200 }, 'jpeg') as OpenedRender;
  const before = plan.resample?.before ?? size;
  const pixels: Pixels = { data: Buffer.alloc(3), width: 1, height: 1, channels: 3 };

  it('is decoded once for all that need it, and again where it failed', async () => {
    let count = 0;
    const fail = async (): Promise<Pixels> => {
      count++;
      throw new Error('no disk');
    };
    const succeed = async (): Promise<Pixels> => {
      count++;
      return pixels;
    };
    const failed = await Promise.allSettled([1, 2].map(() => cachedOverview(plan, before, 'srgb', fail)));
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(count).toBe(1);
    const shared = await Promise.all([1, 2].map(() => cachedOverview(plan, before, 'srgb', succeed)));
    expect(shared).toEqual([pixels, pixels]);
    expect(count).toBe(2);
  });

  it('is another one for another version of the file, color space, kernel and use of the profile', async () => {
    const small = { width: 100, height: 80 };
    let count = 0;
    const decode = async (): Promise<Pixels> => {
      count++;
      return pixels;
    };
    const others: readonly OpenedRender[] = [
      { ...plan, file: { ...plan.file, fingerprint: 'other' } },
      { ...plan, kernel: 'nearest' },
      { ...plan, samples: { ...plan.samples, profile: 'convert' } },
    ];
    for (const other of [...others, ...others]) await cachedOverview(other, small, 'srgb', decode);
    for (const space of ['srgb', 'b-w', 'b-w'] as const) await cachedOverview(plan, small, space, decode);
    expect(count).toBe(5);
  });
});
