/** A server that starts anew while the store of its bucket fails: what it answered before needs no new byte, and is answered again. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { type ComputedBucket, startComputedBucket } from '../s3/computed-bucket.ts';
import { type Fault, type FaultProxy, startFaultProxy } from '../s3/fault-proxy.ts';
import { type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-bucket-restart-'));
const secretAccessKeyFile = path.join(scratch, 'secret');

let bucket: ComputedBucket;
let proxy: FaultProxy;
let app: RunningApp;
const objects: Record<string, Buffer> = {};

const meta = (access: string): Buffer =>
  Buffer.from(`<resource><meta><access-conditions>${access}</access-conditions></meta></resource>`);

beforeAll(async () => {
  writeFileSync(secretAccessKeyFile, 'secret');
  for (const [index, name] of ['book/p1', 'book/p2', 'typed/closed', 'typed/free', 'typed/unseen'].entries())
    objects[`${name}.jpg`] = await sharp({
      create: { width: 300, height: 200 + index, channels: 3, background: { r: 40 * index, g: 90, b: 10 } },
    })
      .jpeg()
      .toBuffer();
  const map = sharp({ create: { width: 1024, height: 768, channels: 3, background: '#375a1b' } });
  objects['map.tif'] = await map.tiff({ tile: true, pyramid: true, compression: 'jpeg' }).toBuffer();
  objects['book/metadata.yaml'] = Buffer.from('label: Kräuterbuch\n');
  const closed = meta('<access type="group"><name>staff</name></access>');
  objects['typed/closed.jpg.meta'] = closed;
  objects['typed/unseen.jpg.meta'] = closed;
  objects['typed/free.jpg.meta'] = meta('<access type="free"/>');
  bucket = await startComputedBucket({
    ...{ bucket: 'scans', prefix: 'none/', images: 0, nameOf: String, bytes: Buffer.alloc(0), others: objects },
  });
  proxy = await startFaultProxy(Number(new URL(bucket.endpoint).port));
});

afterEach(async () => {
  proxy.fault = { kind: 'none' };
  await app.close();
});

afterAll(async () => {
  await proxy.close();
  await bucket.close();
  rmSync(scratch, { recursive: true, force: true });
});

/** A server whose folders on the disk are those of its name. */
function settingsOf(name: string, given: SettingsInput = {}): SettingsInput {
  const caches = path.join(scratch, name);
  const spoolDirectory = path.join(caches, 'spool');
  mkdirSync(spoolDirectory, { recursive: true });
  return {
    library: { folders: ['s3://scans'] },
    cache: { directory: path.join(caches, 'pictures') },
    index: { directory: path.join(caches, 'index') },
    pyramids: { directory: path.join(caches, 'pyramids') },
    search: { directory: path.join(caches, 'search') },
    ...given,
    objectStorage: {
      ...{ endpoint: proxy.endpoint, pathStyle: true, accessKeyId: 'reader', secretAccessKeyFile, spoolDirectory },
      ...given.objectStorage,
    },
  };
}

const seen: readonly string[] = [
  '/iiif/3/book%2Fp1.jpg/full/100,/0/default.jpg',
  '/iiif/3/book%2Fp1/full/100,/0/default.jpg',
  '/iiif/3/map.tif/256,256,256,256/256,256/0/default.jpg',
  '/iiif/3/map.tif/info.json',
  '/iiif/3/book%2Fp2/info.json',
  '/Scaler?fn=book&pn=2&dw=90',
  '/api/dlInfo-json.jsp?fn=book/p1',
  '/presentation/3/book/manifest.json',
  '/api/folder.json?fn=book',
  '/browse/book',
  '/view/book/p1.jpg',
];

const unseen: readonly string[] = [
  '/iiif/3/map.tif/0,0,256,256/256,256/0/default.jpg',
  '/iiif/3/typed%2Ffree.jpg/info.json',
  '/iiif/3/typed%2Ffree/info.json',
  '/presentation/3/typed/manifest.json',
];

/** The server of each start has another port, and digilib’s info object names its request. */
const textOf = (body: Buffer): string =>
  body
    .toString('latin1')
    .replaceAll(String(app.port), 'port')
    .replace(/\)@[0-9a-f]{8}/, '');

async function answersOf(addresses: readonly string[]) {
  const answers: (readonly [address: string, status: number, tag: unknown, body: string])[] = [];
  for (const address of addresses) {
    const { status, headers, body } = await app.get(address);
    // Documents name the address of the server, and so do their tags.
    answers.push([address, status, /dw=|default/.test(address) ? headers.etag : undefined, textOf(body)]);
  }
  return answers;
}

const failures: readonly (readonly [string, Fault])[] = [
  ['ends connections', { kind: 'reset' }],
  ['answers 503', { kind: 'status', status: 503 }],
  ['hangs', { kind: 'stalled' }],
];

describe('a server that starts while its store', () => {
  it.each(failures)(
    '%s answers what it has answered before, and then anew',
    { timeout: 60_000 },
    async (name, fault) => {
      const settings = settingsOf(name);
      app = await startApp(settings);
      const before = await answersOf(seen);
      expect(before.map(([address, status]) => [address, status])).toEqual(seen.map((address) => [address, 200]));
      await app.close();
      proxy.fault = fault;
      app = await startApp(settings);
      expect(await answersOf(seen)).toEqual(before);
      const ready = await app.get('/readyz');
      expect([ready.status, ready.headers['lectern-degraded']]).toEqual([200, 'root%201, bucket%20scans']);
      for (const address of unseen) {
        const { status, headers, body } = await app.get(address);
        expect([502, 503, 504], `${address}: ${body}`).toContain(status);
        expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
      }
      proxy.fault = { kind: 'none' };
      const statuses = async () => Promise.all(unseen.map(async (address) => (await app.get(address)).status));
      await expect.poll(statuses, { timeout: 3000, interval: 100 }).toEqual(unseen.map(() => 200));
    },
  );

  it('fails opens nothing that was closed, and nothing of which that is not known', { timeout: 60_000 }, async () => {
    const access = { rolesHeader: 'X-Roles', types: [{ type: 'group:staff', roles: ['staff'] }] };
    const http = { trustedProxies: ['127.0.0.1'] };
    const settings = settingsOf('rules', { access, http });
    const statusOf = async (name: string, roles = '') =>
      (await app.get(`/iiif/3/typed%2F${name}.jpg/full/50,/0/default.jpg`, { headers: { 'x-roles': roles } })).status;
    app = await startApp(settings);
    expect([await statusOf('closed', 'staff'), await statusOf('closed'), await statusOf('free')]).toEqual([
      200, 401, 200,
    ]);
    await app.close();
    proxy.fault = { kind: 'reset' };
    app = await startApp(settings);
    expect([await statusOf('closed', 'staff'), await statusOf('closed'), await statusOf('free')]).toEqual([
      200, 401, 200,
    ]);
    expect(await statusOf('unseen')).toBe(502);
  });
});
