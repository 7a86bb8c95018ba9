/** Pictures that several servers share in a bucket or in a folder. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FaultProxy, startFaultProxy } from '../s3/fault-proxy.ts';
import { storeSettings } from '../s3/store-settings.ts';
import { type ObjectStore, startSwift } from '../s3/swift.ts';
import { type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-shared-'));
let store: ObjectStore;
let proxy: FaultProxy;

beforeAll(async () => {
  const create = { width: 400, height: 300, channels: 3, background: 'olive' } as const;
  await sharp({ create }).png().toFile(path.join(scratch, 'scan.png'));
});

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A server with no cache of its own but memory. */
const start = (): Promise<RunningApp> =>
  startApp({
    library: { folders: [scratch] },
    cache: { directory: false, shared: 's3://pictures/some where' },
    index: { directory: false },
    pyramids: { maxBytes: 0, automatic: false },
    objectStorage: storeSettings(scratch, proxy),
  });

const metric = async (app: RunningApp, name: string): Promise<string | undefined> =>
  String((await app.get('/metrics')).body)
    .split('\n')
    .find((line) => line.includes(name));

async function getFrom(address: string): Promise<{ body: Buffer; status: number; shared: string | undefined }> {
  const app = await start();
  try {
    const { body, status } = await app.get(address);
    return { body, status, shared: await metric(app, 'from="shared"') };
  } finally {
    await app.close();
  }
}

const putsOf = (requests: readonly string[]): readonly string[] =>
  requests.filter((request) => request.startsWith('PUT'));

describe('a picture that one server has made', { tags: 'object-store' }, () => {
  beforeAll(async () => {
    store = await startSwift();
    proxy = await startFaultProxy(store.port);
    await store.createBucket('pictures');
  });
  afterAll(async () => {
    await proxy?.close();
    await store?.close();
  });

  it('is written behind, and sent by another server, which does not make it', async () => {
    proxy.takeRequests();
    const first = await getFrom('/Scaler?fn=scan&dw=100');
    const puts = putsOf(proxy.takeRequests());
    expect(puts).toHaveLength(1);
    expect(first.shared).toMatch(/ 0$/);
    const second = await getFrom('/Scaler?fn=scan&dw=100');
    expect(second.shared).toMatch(/ 1$/);
    expect(second.body.equals(first.body)).toBe(true);
    expect(putsOf(proxy.takeRequests())).toEqual([]);
  });

  it('is made anew where its object is damaged, cut, or of another picture', async () => {
    const made = await getFrom('/Scaler?fn=scan&dw=110');
    const [put = ''] = putsOf(proxy.takeRequests());
    const key = decodeURIComponent(/\/pictures\/([^? ]+)/.exec(put)?.[1] ?? '');
    for (const bytes of [Buffer.alloc(5000, 1), Buffer.from('LECTERN\n'), Buffer.alloc(0)]) {
      await store.put('pictures', key, bytes);
      const again = await getFrom('/Scaler?fn=scan&dw=110');
      expect(again.shared).toMatch(/ 0$/);
      expect(again.body.equals(made.body)).toBe(true);
    }
    const healed = await getFrom('/Scaler?fn=scan&dw=110');
    expect(healed.shared).toMatch(/ 1$/);
  });

  it('is made where the store fails or does not answer, without waiting long', async () => {
    for (const fault of [{ kind: 'status', status: 500 }, { kind: 'stalled' }, { kind: 'cut' }] as const) {
      proxy.fault = fault;
      const app = await start();
      const startMs = performance.now();
      expect((await app.get('/Scaler?fn=scan&dw=120')).status).toBe(200);
      expect(performance.now() - startMs).toBeLessThan(8000);
      proxy.fault = { kind: 'none' };
      await app.close();
    }
  });
});

describe('a folder that servers share', () => {
  const folder = path.join(scratch, 'of all');
  const startWith = (shared: string): Promise<RunningApp> =>
    startApp({
      library: { folders: [scratch] },
      cache: { directory: false, shared },
      index: { directory: false },
      pyramids: { maxBytes: 0, automatic: false },
    });

  it('has the pictures of one for another, verified, and none that is damaged', async () => {
    const first = await startWith(folder);
    const made = await first.get('/Scaler?fn=scan&dw=130');
    await first.close();
    const second = await startWith(folder);
    const read = await second.get('/Scaler?fn=scan&dw=130');
    expect(await metric(second, 'from="shared"')).toMatch(/ 1$/);
    expect(read.body.equals(made.body)).toBe(true);
    await second.close();
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(({ name }) =>
      name.endsWith('.derivative'),
    );
    expect(files).toHaveLength(1);
    for (const { parentPath, name } of files) writeFileSync(path.join(parentPath, name), Buffer.alloc(5000, 1));
    const third = await startWith(folder);
    const again = await third.get('/Scaler?fn=scan&dw=130');
    expect(await metric(third, 'from="shared"')).toMatch(/ 0$/);
    expect(again.body.equals(made.body)).toBe(true);
    await third.close();
  });

  it('that can’t be written to costs nothing else', async () => {
    writeFileSync(path.join(scratch, 'no folder'), '');
    const app = await startWith(path.join(scratch, 'no folder'));
    expect((await app.get('/Scaler?fn=scan&dw=140')).status).toBe(200);
    await app.close();
  });
});
