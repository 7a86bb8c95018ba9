/** Which JPEG files have all of their pixels, also while damaged ones are decoded beside them. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { planPart } from '../../../../../src/core/image/plan/plan-render.ts';
import { execute } from '../../../../../src/core/render/execute.ts';
import { fingerprintOf } from '../../../../../src/core/storage/storage.ts';
import { imageOf } from '../../image/image-builder.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lectern-jpeg-damage-'));
afterAll(() => rmSync(folder, { recursive: true }));

const size = { width: 400, height: 300 };
const endOfImage = Buffer.from([0xff, 0xd9]);
const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../../../../fixtures/jpeg/${name}.jpg`, import.meta.url));
const progressive = await sharp({
  create: { ...size, channels: 3, background: '#369', noise: { type: 'gaussian', mean: 128, sigma: 30 } },
})
  .jpeg({ progressive: true })
  .toBuffer();
const half = (jpeg: Buffer): Buffer => Buffer.concat([jpeg.subarray(0, jpeg.length >> 1), endOfImage]);

/** A JPEG with a scan more that has bytes which no decoder needs before the end marker. */
const withStray = (jpeg: Buffer, bytes: number): Buffer =>
  Buffer.concat([jpeg.subarray(0, -2), Buffer.alloc(bytes, 7), endOfImage]);

let count = 0;

/** The code of the error of a small picture of the file; undefined where it is made. */
async function fault(jpeg: Buffer): Promise<string | undefined> {
  const file = path.join(folder, `${count++}.jpg`);
  writeFileSync(file, jpeg);
  const [resolution] = imageOf(size).resolutions;
  const plan = planPart(resolution, { x: 0, y: 0, ...size }, { width: 40, height: 30 }, 'png');
  const stats = statSync(file, { bigint: true });
  const source = { ...plan.file, path: file, bytes: jpeg.length, fingerprint: fingerprintOf(stats) };
  try {
    await execute({ ...plan, file: source });
    return undefined;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('a whole file beside damaged ones', () => {
  const whole = [
    ['progressive', progressive],
    ['of several scans', fixture('several-scans')],
    ['with arithmetic coding', fixture('arithmetic')],
    ['with arithmetic coding and restarts', fixture('arithmetic-restarts')],
    ['progressive with arithmetic coding', fixture('arithmetic-progressive')],
    ['with arithmetic coding and plain below', fixture('arithmetic-plain-below')],
  ] as const;

  it.each(whole)('%s is a picture, and they are none', async (_label, jpeg) => {
    const others = [half(progressive), half(fixture('arithmetic')), half(jpeg), withStray(progressive, 500)];
    const faults = await Promise.all([...others, jpeg, ...others, jpeg].map(fault));
    const refused = others.map(() => 'damaged');
    expect(faults).toEqual([...refused, undefined, ...refused, undefined]);
  });
});

describe('bytes before the end marker of several scans', () => {
  it.each([
    [5, undefined],
    [95, undefined],
    [110, 'damaged'],
    [5000, 'damaged'],
  ])('%i', async (bytes, expected) => {
    expect(await fault(withStray(progressive, bytes))).toBe(expected);
  });

  it.each(['arithmetic', 'arithmetic-gray', 'arithmetic-cmyk'])('are no data that %s lacks', async (name) => {
    expect(await fault(withStray(fixture(name), 20))).toBeUndefined();
  });
});
