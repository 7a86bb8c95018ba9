// @module-tag redis
// @module-tag object-store
/**
 * Three servers and workers that share a bucket of scans, a bucket of pyramids and a Redis, but no folder: each pyramid is put
 * into the bucket once, whoever is killed, and all servers read it, also those that did not build it.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startRedis, type TestRedis } from '../fixtures/redis-server.ts';
import { type ServerProcess, startServerProcess } from '../fixtures/server-process.ts';
import { blobs } from '../protocol/blob-image.ts';
import { type FaultProxy, startFaultProxy } from '../s3/fault-proxy.ts';
import { storeVariables } from '../s3/store-settings.ts';
import { type ObjectStore, startSwift } from '../s3/swift.ts';
import {
  isIdle,
  isShared,
  madeBy,
  madeByAll,
  metric,
  startWorkerProcess,
  until,
  type WorkerProcess,
} from './building-processes.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-shared-pyramids-'));
const small = ['a.jpg', 'b.jpg', 'c.jpg'] as const;

let store: ObjectStore;
let proxy: FaultProxy;
let redis: TestRedis;
/** A part of the bucket of pyramids for each test. */
let prefix = 0;
let processes: { kill(): void }[] = [];

beforeAll(async () => {
  store = await startSwift();
  proxy = await startFaultProxy(store.port);
  await store.createBucket('scans');
  await store.createBucket('derived');
  await store.put('scans', 'large.jpg', await blobs(9000, 7000).jpeg({ quality: 90 }).toBuffer());
  for (const name of small) await store.put('scans', name, await blobs(4000, 3000).jpeg().toBuffer());
}, 180_000);
beforeEach(async () => {
  redis = await startRedis();
  prefix++;
});
afterEach(async () => {
  proxy.fault = { kind: 'none' };
  for (const one of processes) one.kill();
  processes = [];
  await redis.close();
});
afterAll(async () => {
  await proxy?.close();
  await store?.close();
  rmSync(scratch, { recursive: true, force: true });
});

/** Each process has folders of its own, as on machines of their own. */
function variables(work = mkdtempSync(path.join(scratch, 'work-'))): NodeJS.ProcessEnv {
  return {
    ...storeVariables(scratch, proxy),
    XDG_CACHE_HOME: mkdtempSync(path.join(scratch, 'cache-')),
    LECTERN_PYRAMIDS__SHARED: `s3://derived/${prefix}`,
    LECTERN_PYRAMIDS__DIRECTORY: work,
    LECTERN_REDIS__ADDRESS: redis.address,
    LECTERN_REDIS__TAKEOVER_SECONDS: '2',
    LECTERN_HTTP__EXPLAIN: 'true',
  };
}

async function startServer(env: NodeJS.ProcessEnv = {}): Promise<ServerProcess> {
  const server = await startServerProcess(['s3://scans'], { ...variables(), ...env });
  processes.push(server);
  await until(() => isShared(server), 'a shared queue');
  return server;
}

function startWorker(work?: string): WorkerProcess {
  const worker = startWorkerProcess('s3://scans', variables(work));
  processes.push(worker);
  return worker;
}

const tile = (name: string, x: number): string => `/iiif/3/${name}/${x},2400,512,512/512,512/0/default.jpg`;

/** Requests enough tiles that the pyramid of the image is wanted; each has to be answered. */
async function requestPyramid(server: ServerProcess, name: string): Promise<void> {
  const answers = await Promise.all([0, 1, 2, 3, 4, 5].map((x) => server.get(tile(name, x * 512))));
  for (const { status } of answers) expect(status).toBe(200);
}

async function readsPyramid(server: ServerProcess, name: string): Promise<boolean> {
  const { body } = await server.get(`${tile(name, 1536)}?explain=1`);
  const { lines } = JSON.parse(body.toString()) as { lines: { name: string; text: string }[] };
  return lines.some((line) => line.name === 'read a derived pyramid' && line.text === 'yes');
}

/** Waits until all of these servers read pyramids of these images, and answer from them. */
async function allRead(servers: readonly ServerProcess[], names: readonly string[]): Promise<void> {
  for (const server of servers)
    for (const name of names) {
      await until(() => readsPyramid(server, name), `a server that reads the pyramid of ${name}`);
      expect((await server.get(tile(name, 1536))).status).toBe(200);
    }
}

/** The pyramids of this test in the order in which they were put into the bucket, each as often as it was. */
const stored = (): readonly string[] => proxy.stored.filter((name) => name.startsWith(`/derived/${prefix}/`));

const isBuildingIn = (work: string): boolean =>
  readdirSync(work, { recursive: true }).some((name) => String(name).endsWith('.part'));

it('is made once, whichever of three servers are asked for it, and all of them read it', async () => {
  const servers = await Promise.all([startServer(), startServer(), startServer()]);
  await Promise.all(servers.flatMap((server) => small.map((name) => requestPyramid(server, name))));
  await allRead(servers, small);
  for (const server of servers) await until(() => isIdle(server), 'an empty queue');
  expect(stored()).toHaveLength(3);
  expect(new Set(stored()).size).toBe(3);
  expect(await madeByAll(servers)).toBe(3);
}, 180_000);

it('is made once by another worker when one is killed while it makes it', async () => {
  const servers = await Promise.all([0, 1, 2].map(() => startServer({ LECTERN_REDIS__BUILDS: 'false' })));
  const work = mkdtempSync(path.join(scratch, 'work-'));
  const first = startWorker(work);
  for (const server of servers) await requestPyramid(server, 'large.jpg');
  await until(() => isBuildingIn(work), 'a build');
  const second = startWorker();
  await first.run('SIGKILL');
  await allRead(servers, ['large.jpg']);
  expect([madeBy(first), madeBy(second), stored().length]).toEqual([0, 1, 1]);
  for (const server of servers) expect(await metric(server, 'pyramids_failed')).toBe(0);
  // What the killed one left on its disk goes at its next start.
  startWorker(work);
  await until(() => !isBuildingIn(work), 'no temporary files');
}, 180_000);

it('is made once by another server when one is killed while it puts it into the bucket', async () => {
  const builder = await startServer();
  const others = await Promise.all([0, 1].map(() => startServer({ LECTERN_REDIS__BUILDS: 'false' })));
  await Promise.all(others.map((server) => requestPyramid(server, 'large.jpg')));
  await until(async () => (await metric(builder, 'build_queue_building')) === 1, 'a build');
  // Each request is held back, so that the killed process has sent a part of the upload at most.
  proxy.takeRequests();
  proxy.fault = { kind: 'none', delayMs: 1500 };
  await until(
    () => proxy.takeRequests().some((request) => /^(?:PUT|POST) \/derived/.test(request)),
    'an upload that begins',
  );
  builder.kill();
  proxy.fault = { kind: 'none' };
  const next = await startServer();
  await allRead([...others, next], ['large.jpg']);
  for (const server of [...others, next]) await until(() => isIdle(server), 'an empty queue');
  expect(stored()).toHaveLength(1);
  expect(await madeByAll([...others, next])).toBe(1);
}, 180_000);

it('is not made again after one that was killed just after it had put it there', async () => {
  const builder = await startServer();
  const others = await Promise.all([0, 1].map(() => startServer({ LECTERN_REDIS__BUILDS: 'false' })));
  for (const server of others) await requestPyramid(server, 'a.jpg');
  await until(() => stored().length > 0, 'a pyramid in the bucket');
  builder.kill();
  const next = await startServer();
  await allRead([...others, next], ['a.jpg']);
  await until(() => isIdle(next), 'an empty queue');
  expect(stored()).toHaveLength(1);
  expect(await madeByAll([...others, next])).toBe(0);
}, 180_000);
