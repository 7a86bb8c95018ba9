// @module-tag redis
/**
 * Servers and workers that share a folder of pyramids and a Redis, as processes of their own: each pyramid is made once, whoever
 * is killed, and every request is answered.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startRedis, type TestRedis } from '../fixtures/redis-server.ts';
import { type ServerProcess, startServerProcess } from '../fixtures/server-process.ts';
import { blobs } from '../protocol/blob-image.ts';
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

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-shared-'));
const scans = path.join(scratch, 'scans');

let redis: TestRedis;
let store = '';
let processes: { kill(): void }[] = [];

beforeAll(async () => {
  mkdirSync(scans);
  await blobs(9000, 7000).jpeg({ quality: 90 }).toFile(path.join(scans, 'large.jpg'));
  for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) await blobs(4000, 3000).jpeg().toFile(path.join(scans, name));
});
beforeEach(async () => {
  redis = await startRedis();
  store = mkdtempSync(path.join(scratch, 'store-'));
});
afterEach(async () => {
  for (const one of processes) one.kill();
  processes = [];
  await redis.close();
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const variables = () => ({
  LECTERN_REDIS__ADDRESS: redis.address,
  LECTERN_REDIS__TAKEOVER_SECONDS: '2',
  LECTERN_PYRAMIDS__DIRECTORY: store,
});

async function startServer(env: NodeJS.ProcessEnv = {}): Promise<ServerProcess> {
  const server = await startServerProcess([scans], { ...variables(), ...env });
  processes.push(server);
  return server;
}

function startWorker(): WorkerProcess {
  const worker = startWorkerProcess(scans, variables());
  processes.push(worker);
  return worker;
}

const tile = (name: string, x: number): string => `/iiif/3/${name}/${x},2400,512,512/512,512/0/default.jpg`;

/** Requests enough tiles that the pyramid of the image is wanted; each has to be answered. */
async function requestPyramid(server: ServerProcess, name: string): Promise<void> {
  const answers = await Promise.all([0, 1, 2, 3, 4, 5].map((x) => server.get(tile(name, x * 512))));
  for (const { status } of answers) expect(status).toBe(200);
}

const pyramids = (): readonly string[] => readdirSync(store).filter((name) => name.endsWith('.tif'));
const isBuilding = (): boolean =>
  readdirSync(store).includes('work') && readdirSync(path.join(store, 'work')).some((name) => name.endsWith('.part'));

it('makes a pyramid once, whichever of three servers are asked for it, and all of them use it', async () => {
  const servers = await Promise.all([startServer(), startServer(), startServer()]);
  for (const server of servers) await until(() => isShared(server), 'a shared queue');
  await Promise.all(
    servers.flatMap((server) => ['a.jpg', 'b.jpg', 'c.jpg'].map((name) => requestPyramid(server, name))),
  );
  await until(() => pyramids().length === 3, 'three pyramids');
  for (const server of servers) await until(() => isIdle(server), 'an empty queue');
  expect(await madeByAll(servers)).toBe(3);
  for (const server of servers)
    await until(async () => (await metric(server, 'pyramids')) === 3, 'three known pyramids');
});

it('begins a build again in another worker when one is killed in the middle of it, and ends up with one pyramid', async () => {
  const server = await startServer({ LECTERN_REDIS__BUILDS: 'false' });
  await until(() => isShared(server), 'a shared queue');
  const first = startWorker();
  await requestPyramid(server, 'large.jpg');
  await until(isBuilding, 'a build');
  const second = startWorker();
  await first.run('SIGKILL');
  expect(madeBy(first)).toBe(0);
  await until(() => madeBy(second) === 1, 'the build by the other worker');
  await until(() => isIdle(server), 'an empty queue');
  expect(pyramids()).toHaveLength(1);
  expect(await metric(server, 'pyramids_failed')).toBe(0);
  expect(await metric(server, 'pyramids_made_total')).toBe(0);
  expect(await second.run('SIGTERM')).toBe(0);
});

it('answers and builds while Redis is killed in the middle of a build, and makes nothing twice', async () => {
  const servers = await Promise.all([startServer(), startServer()]);
  const [one, two] = servers;
  for (const server of servers) await until(() => isShared(server), 'a shared queue');
  await requestPyramid(one, 'large.jpg');
  await until(isBuilding, 'a build');
  await redis.kill();
  for (const server of servers) await requestPyramid(server, 'a.jpg');
  await redis.start();
  for (const server of servers) await requestPyramid(server, 'b.jpg');
  await requestPyramid(two, 'large.jpg');
  for (const server of servers) await until(() => isShared(server), 'a shared queue');
  await until(() => pyramids().length === 3, 'three pyramids');
  for (const server of servers) await until(() => isIdle(server), 'an empty queue');
  expect(await madeByAll(servers)).toBe(3);
  for (const { log } of servers) expect(log.filter((line) => line.includes('Redis')).length).toBeLessThanOrEqual(2);
});

it('builds what a killed server was building', async () => {
  const [one, two] = await Promise.all([startServer(), startServer({ LECTERN_REDIS__BUILDS: 'false' })]);
  for (const server of [one, two]) await until(() => isShared(server), 'a shared queue');
  await requestPyramid(two, 'large.jpg');
  await until(isBuilding, 'a build');
  one.kill();
  const three = await startServer();
  await until(() => pyramids().length === 1, 'a pyramid');
  await until(() => isIdle(three), 'an empty queue');
  expect(await madeByAll([two, three])).toBe(1);
  expect((await two.get(tile('large.jpg', 2048))).status).toBe(200);
});
