/** Images in buckets that are found by their names: what is asked of the store for each kind of answer, and that nothing is listed for an image. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { type ComputedBucket, type ComputedBucketOptions, startComputedBucket } from '../s3/computed-bucket.ts';
import { type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-by-name-'));
const secretAccessKeyFile = path.join(scratch, 'secret');
const closed = Buffer.from(
  '<resource><meta><access-conditions><access type="group"><name>staff</name></access></access-conditions></meta></resource>',
);

let tiled: Buffer;
let small: Buffer;
let bucket: ComputedBucket;
let app: RunningApp | undefined;

const nameOf = (index: number): string => `p${String(index).padStart(7, '0')}.tif`;

beforeAll(async () => {
  writeFileSync(secretAccessKeyFile, 'secret');
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const create = { width: 1024, height: 512, channels: 3, background: 'gray', noise } as const;
  tiled = await sharp({ create }).tiff({ tile: true, tileWidth: 256, tileHeight: 256, compression: 'jpeg' }).toBuffer();
  small = await sharp({ create: { ...create, width: 40, height: 30 } }).jpeg().toBuffer();
});

afterEach(async () => {
  await app?.close();
  await bucket?.close();
  app = undefined;
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A server on a million images in one folder, and the requests that its start took. */
async function start(
  settings: SettingsInput = {},
  given: Partial<ComputedBucketOptions> = {},
): Promise<readonly string[]> {
  bucket = await startComputedBucket({
    ...{ bucket: 'flat', prefix: 'scans/', images: 1_000_000, nameOf, bytes: tiled },
    ...given,
  });
  const { endpoint } = bucket;
  const spoolDirectory = mkdtempSync(path.join(scratch, 'spool-'));
  app = await startApp({
    ...settings,
    library: { folders: ['s3://flat/scans'], ...settings.library },
    objectStorage: {
      ...{ endpoint, pathStyle: true, accessKeyId: 'reader', secretAccessKeyFile, spoolDirectory },
      ...settings.objectStorage,
    },
  });
  return bucket.takeRequests();
}

/** The status of an answer, and what was asked of the store for it, in alphabetical order. */
async function ask(address: string): Promise<readonly [number, ...string[]]> {
  const { status } = (await app?.get(address)) ?? { status: 0 };
  return [status, ...[...(bucket.takeRequests() ?? [])].sort()];
}

const tile = (name: string, x = 0): string => `/iiif/3/${name}/${x},0,256,256/256,256/0/default.jpg`;

describe('an image among a million in one folder', () => {
  it('takes three requests until its first tile, of which none is a list, beside the metadata of the folder', async () => {
    await start();
    expect(await ask(tile(nameOf(500_000)))).toEqual([
      200,
      'GET scans/index.meta',
      `GET scans/${nameOf(500_000)}`,
      `GET scans/${nameOf(500_000)}`,
      `GET scans/${nameOf(500_000)}.meta`,
    ]);
    const second = await ask(tile(nameOf(999_999)));
    expect(second).toHaveLength(1 + 3);
    expect(second[0]).toBe(200);
    expect(second.join()).not.toContain('LIST');
    expect(await ask(tile(nameOf(999_999), 256))).toEqual([200, `GET scans/${nameOf(999_999)}`]);
    expect(await ask(tile(nameOf(999_999), 256))).toEqual([200]);
  });

  it('takes two where there is no metadata beside images', async () => {
    await start({ objectStorage: { metaFiles: false } });
    expect(await ask(tile(nameOf(7)))).toEqual([200, `GET scans/${nameOf(7)}`, `GET scans/${nameOf(7)}`]);
  });

  it('that is missing is asked for once, and not listed for', async () => {
    await start({ objectStorage: { metaFiles: false } });
    const [status, ...requests] = await ask('/iiif/3/q.tif/info.json');
    expect(status).toBe(404);
    expect(requests).toEqual(['GET scans/q.tif', 'LIST scans/q', 'LIST scans/q.tif/']);
    expect(await ask('/iiif/3/q.tif/info.json')).toEqual([404]);
  });

  it('is found without its extension by a list of a few keys, or by the extensions of the settings', async () => {
    await start({ objectStorage: { metaFiles: false } });
    expect(await ask('/iiif/3/p0000007/info.json')).toEqual([200, `GET scans/${nameOf(7)}`, 'LIST scans/p0000007']);
    expect(await ask('/iiif/3/p0000007/info.json')).toEqual([200]);
    await app?.close();
    await bucket.close();
    await start({ objectStorage: { metaFiles: false, extensions: ['jpg', 'tif'] } });
    expect(await ask('/iiif/3/p0000007/info.json')).toEqual([200, 'GET scans/p0000007.jpg', 'GET scans/p0000007.tif']);
  });

  it('is closed by metadata that is beside it', async () => {
    const others = { [`scans/${nameOf(3)}.meta`]: closed };
    await start({ access: { metadata: { default: [], 'group:staff': ['staff'] } } as never }, { others });
    expect((await ask(tile(nameOf(3))))[0]).toBe(401);
    expect((await ask(tile(nameOf(4))))[0]).toBe(200);
  });
});
