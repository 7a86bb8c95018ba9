/** A second endpoint with the same bucket, which is read where the first one fails: what is answered, and by which of the two. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { type ComputedBucket, startComputedBucket } from '../s3/computed-bucket.ts';
import { type Fault, type FaultProxy, startFaultProxy } from '../s3/fault-proxy.ts';
import { type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-bucket-fallback-'));
const secretAccessKeyFile = path.join(scratch, 'secret');

interface Side {
  readonly objects: Record<string, Buffer>;
  readonly bucket: ComputedBucket;
  readonly proxy: FaultProxy;
}

let first: Side;
let second: Side;
let app: RunningApp;

async function startSide(objects: Record<string, Buffer>): Promise<Side> {
  const bucket = await startComputedBucket({
    ...{ bucket: 'scans', prefix: 'none/', images: 0, nameOf: String, bytes: Buffer.alloc(0), others: objects },
  });
  return { objects, bucket, proxy: await startFaultProxy(Number(new URL(bucket.endpoint).port)) };
}

beforeAll(async () => {
  writeFileSync(secretAccessKeyFile, 'secret');
  const objects: Record<string, Buffer> = {};
  for (let page = 1; page <= 9; page++)
    objects[`book/p${page}.jpg`] = await sharp({
      create: { width: 300, height: 200 + page, channels: 3, background: { r: 20 * page, g: 90, b: 10 } },
    })
      .jpeg()
      .toBuffer();
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const long = sharp({ create: { width: 900, height: 800, channels: 3, background: 'gray', noise } });
  objects['long.tif'] = await long.tiff({ compression: 'none' }).toBuffer();
  const closed = '<access type="group"><name>staff</name></access>';
  objects['book/p9.jpg.meta'] = Buffer.from(
    `<resource><meta><access-conditions>${closed}</access-conditions></meta></resource>`,
  );
  first = await startSide({ ...objects });
  // It lags.
  second = await startSide({ ...objects });
  delete second.objects['book/p8.jpg'];
  delete second.objects['book/p9.jpg.meta'];
});

afterEach(async () => {
  for (const { proxy } of [first, second]) proxy.fault = { kind: 'none' };
  await app.close();
});

afterAll(async () => {
  for (const { bucket, proxy } of [first, second]) {
    await proxy.close();
    await bucket.close();
  }
  rmSync(scratch, { recursive: true, force: true });
});

/** With empty caches. */
function settings(given: SettingsInput = {}): SettingsInput {
  const spoolDirectory = mkdtempSync(path.join(scratch, 'spool-'));
  mkdirSync(spoolDirectory, { recursive: true });
  return {
    library: { folders: ['s3://scans'] },
    cache: { directory: false },
    index: { directory: false },
    pyramids: { maxBytes: 0, automatic: false },
    ...given,
    objectStorage: {
      ...{
        endpoint: first.proxy.endpoint,
        pathStyle: true,
        accessKeyId: 'reader',
        secretAccessKeyFile,
        spoolDirectory,
      },
      fallback: { endpoint: second.proxy.endpoint },
    },
  };
}

const picture = (page: number): string => `/iiif/3/book%2Fp${page}.jpg/full/100,/0/default.jpg`;
const statusOf = async (address: string, roles = ''): Promise<number> =>
  (await app.get(address, { headers: { 'x-roles': roles } })).status;

const metricOf = async (name: string): Promise<number> =>
  Number(
    new RegExp(`^lectern_${name}\\{bucket="scans"\\} (\\d+)`, 'm').exec(String((await app.get('/metrics')).body))?.[1],
  );

const takeRequests = (): readonly [first: number, second: number] => {
  const [one, other] = [first, second].map(({ proxy }) => proxy.takeRequests().length);
  return [one ?? 0, other ?? 0];
};

const failures: readonly (readonly [string, Fault])[] = [
  ['ends connections', { kind: 'reset' }],
  ['answers 503', { kind: 'status', status: 503 }],
  ['hangs', { kind: 'stalled' }],
];

describe('a second endpoint', () => {
  it.each(failures)(
    'answers where the first one %s, until that answers again',
    { timeout: 60_000 },
    async (_, fault) => {
      app = await startApp(settings());
      takeRequests();
      expect(await statusOf(picture(1))).toBe(200);
      const [asked, others] = takeRequests();
      expect([asked > 0, others]).toEqual([true, 0]);
      first.proxy.fault = fault;
      // The first ones may wait for the first endpoint too long, until its circuits are open.
      for (const address of [
        ...[2, 3, 4, 5].map(picture),
        ...['/presentation/3/book/manifest.json', '/browse/book', '/iiif/3/book%2Fp6/info.json'],
      ])
        await expect.poll(() => statusOf(address), { message: address }).toBe(200);
      expect([await metricOf('store_fallback'), (await metricOf('store_fallbacks_total')) > 3]).toEqual([1, true]);
      const ready = await app.get('/readyz');
      expect([ready.status, ready.headers['lectern-degraded']]).toEqual([200, 'endpoint%20of%20bucket%20scans']);
      first.proxy.fault = { kind: 'none' };
      await expect
        .poll(
          async () => {
            await app.get('/iiif/3/book%2Fp7.jpg/info.json');
            return metricOf('store_fallback');
          },
          { timeout: 3000, interval: 100 },
        )
        .toBe(0);
      takeRequests();
      expect(await statusOf('/iiif/3/book%2Fp2.jpg/full/33,/0/default.jpg')).toBe(200);
      expect(takeRequests()[1]).toBe(0);
      const messages = app.logLines.map((line) => (JSON.parse(line) as { msg: string }).msg);
      expect(messages.filter((message) => /^(?:a request to the|the) (?:object store|fallback)/.test(message))).toEqual(
        [
          'a request to the object store failed; further failures are counted until it answers',
          'the object store fails, and its fallback endpoint answers for it',
          'the object store answers again',
        ],
      );
    },
  );

  it('says for a short time alone that something is missing', { timeout: 60_000 }, async () => {
    app = await startApp(settings());
    first.proxy.fault = { kind: 'reset' };
    expect(await statusOf(picture(8))).toBe(404);
    first.proxy.fault = { kind: 'none' };
    await expect.poll(() => statusOf(picture(8)), { timeout: 3500, interval: 100 }).toBe(200);
  });

  it('changes nothing of what is known: a closed image stays closed', { timeout: 60_000 }, async () => {
    const access = { rolesHeader: 'X-Roles', types: [{ type: 'group:staff', roles: ['staff'] }] };
    app = await startApp(settings({ access, http: { trustedProxies: ['127.0.0.1'] } }));
    expect([await statusOf(picture(9)), await statusOf(picture(9), 'staff')]).toEqual([401, 200]);
    first.proxy.fault = { kind: 'reset' };
    await pause(1500);
    expect([await statusOf(picture(9)), await statusOf(picture(9), 'staff')]).toEqual([401, 200]);
  });

  it('does not open what a file that it lacks may close, and shows what is known to be open', {
    timeout: 60_000,
  }, async () => {
    const access = { rolesHeader: 'X-Roles', types: [{ type: 'group:staff', roles: ['staff'] }] };
    app = await startApp(settings({ access, http: { trustedProxies: ['127.0.0.1'] } }));
    expect(await statusOf(picture(1))).toBe(200);
    first.proxy.fault = { kind: 'reset' };
    for (const closed of [picture(9), '/Scaler?fn=book/p9&dw=100', '/iiif/3/book%2Fp9/full/100,/0/default.jpg'])
      expect(await statusOf(closed), closed).toBe(502);
    expect(await statusOf('/api/folder.json?fn=book')).toBe(502);
    expect(await statusOf('/iiif/3/book%2Fp1.jpg/full/90,/0/default.jpg')).toBe(200);
  });

  it('gives bytes of the known version alone', { timeout: 60_000 }, async () => {
    app = await startApp(settings());
    expect(await statusOf('/iiif/3/long.tif/info.json')).toBe(200);
    first.proxy.fault = { kind: 'reset' };
    second.proxy.fault = { kind: 'other-etag' };
    const original = '/Scaler?fn=long.tif&mo=rawfile';
    const other = await app.get(original);
    expect([other.status, other.headers['retry-after']]).toEqual([502, expect.stringMatching(/^[1-9]\d*$/)]);
    second.proxy.fault = { kind: 'none' };
    const { status, body } = await app.get(original);
    expect([status, body.equals(first.objects['long.tif'] ?? Buffer.alloc(0))]).toEqual([200, true]);
  });

  it('that fails too leaves the failure of the first one', { timeout: 60_000 }, async () => {
    app = await startApp(settings());
    first.proxy.fault = { kind: 'status', status: 503 };
    second.proxy.fault = { kind: 'reset' };
    const { status, headers } = await app.get(picture(7));
    expect([status, headers['retry-after']]).toEqual([503, expect.stringMatching(/^[1-9]\d*$/)]);
  });
});
