// @module-tag redis
// @module-tag postgres
// @module-tag prometheus
// @module-tag nginx
/**
 * Three servers and a worker with one bucket, one Redis and one catalogue in PostgreSQL, each of which fails while clients ask for what is
 * cached and for tiles that no server has seen: nothing is wrong, nothing is lost, what is cached goes on, and the metrics of that very run
 * raise the alerts of the fault and no others. An hour without the store takes 13 s here, since lists and versions are asked for again
 * after a second and not after a minute; a scrape each half second stands for a minute of Prometheus.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram } from '../../scripts/test-needs.mjs';
import { startPostgres, type TestPostgres } from '../fixtures/postgres-server.ts';
import { freePort, startRedis, type TestRedis } from '../fixtures/redis-server.ts';
import { type ServerProcess, startServerProcess } from '../fixtures/server-process.ts';
import { blobs } from '../protocol/blob-image.ts';
import { startApp } from '../protocol/running-app.ts';
import { type ComputedBucket, startComputedBucket } from '../s3/computed-bucket.ts';
import { type Fault, type FaultProxy, startFaultProxy } from '../s3/fault-proxy.ts';
import { ask, type Expected, startLoad, type Tally } from './cold-load.ts';
import { record, type Scraped } from './recorded-metrics.ts';

const bin = fileURLToPath(new URL('../../bin/lectern.cjs', import.meta.url));
const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-faults-'));
const secretAccessKeyFile = path.join(scratch, 'secret');
const images = 20_000;
const tilesOfImage = 12;

let bucket: ComputedBucket;
let proxy: FaultProxy;
let redis: TestRedis;
let postgres: TestPostgres;
let worker: ChildProcess | undefined;
let nginx: ChildProcess | undefined;
const servers: (ServerProcess | undefined)[] = [];
const ports: number[] = [];
let workerPort = 0;
let tiles: readonly Buffer[] = [];
const cached: Expected[] = [];

const nameOf = (index: number): string => `p${String(index).padStart(6, '0')}.tif`;
const tileOf = (image: number, tile: number): string =>
  `/iiif/3/flat%2F${nameOf(image)}/${256 * (tile % 4)},${256 * Math.floor(tile / 4)},256,256/256,256/0/default.jpg`;

/** Images in an order in which neighbors do not follow each other; none twice. */
let taken = 100;
const unseen = (): Expected => {
  const index = taken++;
  const tile = index % tilesOfImage;
  return { address: tileOf((index * 7919) % images, tile), body: tiles[tile] ?? Buffer.alloc(0) };
};

let turn = 0;
const seen = (): Expected => cached[turn++ % cached.length] ?? unseen();

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const variables = (name: string, endpoint = proxy.endpoint): NodeJS.ProcessEnv => ({
  XDG_CACHE_HOME: path.join(scratch, name),
  LECTERN_REDIS__ADDRESS: redis.address,
  LECTERN_REDIS__BUILDS: 'false',
  LECTERN_PYRAMIDS__DIRECTORY: path.join(scratch, 'pyramids'),
  LECTERN_CATALOGUE__POSTGRES: postgres.address,
  LECTERN_OBJECT_STORAGE__ENDPOINT: endpoint,
  LECTERN_OBJECT_STORAGE__PATH_STYLE: 'true',
  LECTERN_OBJECT_STORAGE__ACCESS_KEY_ID: 'reader',
  LECTERN_OBJECT_STORAGE__SECRET_ACCESS_KEY_FILE: secretAccessKeyFile,
  LECTERN_OBJECT_STORAGE__REFRESH_SECONDS: '1',
  LECTERN_SEARCH__ENABLED: 'false',
});

async function startServer(number: number): Promise<void> {
  servers[number] = await startServerProcess(['s3://scans'], variables(`server-${number}`), ports[number]);
}

const running = (): readonly number[] => ports.filter((_, number) => servers[number] !== undefined);

const startWorker = (): ChildProcess =>
  spawn(process.execPath, [bin, 'worker', '--jobs', '1', '--port', String(workerPort), 's3://scans'], {
    env: { PATH: process.env['PATH'], ...variables('worker') },
    stdio: 'ignore',
  });

const metricsAt = async (port: number): Promise<string | undefined> => {
  const { status, body } = await ask(port, '/metrics');
  return status === 200 ? body.toString() : undefined;
};

/** The metrics of the servers, which are asked whether they are ready too, as an orchestrator does, and of the worker. */
const instances = (): readonly Scraped[] => [
  { instance: 'worker', read: () => metricsAt(workerPort) },
  ...ports.map((port, number) => ({
    instance: `server-${number}`,
    read: () => {
      void ask(port, '/readyz');
      return metricsAt(port);
    },
  })),
];

async function learn(): Promise<void> {
  const app = await startApp({
    library: { folders: ['s3://scans'] },
    ...{ cache: { directory: false }, index: { directory: false }, pyramids: { maxBytes: 0, automatic: false } },
    objectStorage: {
      ...{ endpoint: bucket.endpoint, pathStyle: true, accessKeyId: 'reader', secretAccessKeyFile },
      spoolDirectory: mkdtempSync(path.join(scratch, 'spool-')),
    },
  });
  const bodyOf = async (address: string): Promise<Buffer> => {
    const { status, body } = await app.get(address);
    if (status !== 200) throw new Error(`${address} is answered with ${status}`);
    return body;
  };
  tiles = await Promise.all(Array.from({ length: tilesOfImage }, (_, tile) => bodyOf(tileOf(0, tile))));
  for (let tile = 0; tile < tilesOfImage; tile++) {
    const address = tileOf(tile, tile);
    cached.push({ address, body: tiles[tile] ?? Buffer.alloc(0) });
  }
  for (let page = 0; page < 6; page++) {
    const address = `/Scaler?fn=book/${page}.jpg&dw=120`;
    cached.push({ address, body: await bodyOf(address) });
  }
  await app.close();
}

/** Fills the catalogue with a part of the bucket. */
async function crawl(): Promise<void> {
  const env = { PATH: process.env['PATH'], ...variables('crawl', bucket.endpoint) };
  const child = spawn(process.execPath, [bin, 'catalogue', 'crawl', 's3://scans/book'], { env, stdio: 'inherit' });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`the crawl ends with ${code}`);
}

beforeAll(async () => {
  writeFileSync(secretAccessKeyFile, 'secret');
  mkdirSync(path.join(scratch, 'pyramids'));
  const tiff = blobs(1024, 768).tiff({
    tile: true,
    pyramid: true,
    tileWidth: 256,
    tileHeight: 256,
    compression: 'jpeg',
  });
  const others: Record<string, Buffer> = {};
  for (let page = 0; page < 6; page++)
    others[`book/${page}.jpg`] = await blobs(400, 300 + page)
      .jpeg()
      .toBuffer();
  const large = await blobs(4000, 3000).jpeg({ quality: 90 }).toBuffer();
  for (let index = 0; index < 3; index++) others[`large/${index}.jpg`] = large;
  bucket = await startComputedBucket({
    ...{ bucket: 'scans', prefix: 'flat/', images, nameOf, bytes: await tiff.toBuffer(), others },
  });
  proxy = await startFaultProxy(Number(new URL(bucket.endpoint).port));
  [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
  await learn();
  await crawl();
  for (let number = 0; number < 3; number++) ports.push(await freePort());
  workerPort = await freePort();
  await Promise.all(ports.map((_, number) => startServer(number)));
  worker = startWorker();
  // Twice, so that each server has them on its disk.
  for (let round = 0; round < 2; round++)
    for (const port of ports)
      for (const { address, body } of cached) {
        const answer = await ask(port, address);
        expect([address, answer.status, answer.body.equals(body)]).toEqual([address, 200, true]);
      }
}, 180_000);

afterAll(async () => {
  for (const server of servers) server?.kill();
  worker?.kill('SIGKILL');
  nginx?.kill('SIGKILL');
  await proxy?.close();
  await bucket?.close();
  await redis?.close();
  await postgres?.close();
  rmSync(scratch, { recursive: true, force: true });
});

/** Alerts that a machine that is too busy for this test raises by itself. */
const ofMachine: readonly string[] = ['LecternBusy', 'LecternSlow'];

interface Run {
  readonly cached: Tally;
  readonly cold: Tally;
  readonly alerts: readonly string[];
  /** From the end of the fault until each server answers what it has never seen, in ms. */
  readonly recoveryMs: number;
}

/** Until each server answers for the tiles of an image that it has never seen, in ms. */
async function recovery(): Promise<number> {
  const startedMs = performance.now();
  await Promise.all(
    running().map(async (port) => {
      for (;;) {
        const { address, body } = unseen();
        const answer = await ask(port, address);
        if (answer.status === 200 && answer.body.equals(body)) return;
        if (performance.now() - startedMs > 30_000) throw new Error(`${address} is ${answer.status} after 30 s`);
        await pause(50);
      }
    }),
  );
  return Math.round(performance.now() - startedMs);
}

/** Asks for cached and for unseen answers from before a fault until it is over. */
async function during(name: string, fault: () => Promise<void>, end: () => Promise<void>): Promise<Run> {
  const recording = record(instances);
  const load = startLoad({ ports: running, next: seen, readers: 2, mayRefuse: false });
  const cold = startLoad({ ports: running, next: unseen, readers: 2, mayRefuse: true });
  await pause(2000);
  await fault();
  await end();
  const recoveryMs = await recovery();
  const run = { cached: await load.end(), cold: await cold.end(), alerts: await recording.stop(), recoveryMs };
  console.log(
    `${name}: ${run.cached.right} cached, ${run.cold.right} unseen, refused ${JSON.stringify(run.cold.refused)}, slowest ${run.cached.slowestMs} and ${run.cold.slowestMs} ms, recovery ${recoveryMs} ms, alerts ${run.alerts.join()}`,
  );
  return run;
}

/** `may` are alerts that belong to the fault too, and depend on how many requests meet it. */
function expectRun(run: Run, must: readonly string[], may: readonly string[] = []): void {
  expect(run.cached.faults).toEqual([]);
  expect(run.cold.faults).toEqual([]);
  expect(run.cached.right).toBeGreaterThan(20);
  expect(run.alerts).toEqual(expect.arrayContaining([...must]));
  expect(run.alerts.filter((alert) => ![...must, ...may, ...ofMachine].includes(alert))).toEqual([]);
  // Cached answers need nothing of what failed: what they take is what a busy machine adds.
  expect(run.recoveryMs).toBeLessThan(3000 + 2 * run.cached.slowestMs);
}

const store =
  (fault: Fault, ms = 13_000) =>
  async (): Promise<void> => {
    proxy.fault = fault;
    await pause(ms);
  };
const healStore = async (): Promise<void> => {
  proxy.fault = { kind: 'none' };
};

/** Whether a server does without the catalogue. */
const isAnyWithoutCatalogue = async (): Promise<boolean> => {
  // What is not asked for is not missed.
  await Promise.all(ports.map((port) => ask(port, '/api/folder.json?fn=book')));
  const answers = await Promise.all(ports.map((port) => ask(port, '/readyz')));
  return answers.some(({ body }) => {
    const { degraded = [] } = JSON.parse(body.toString()) as { degraded?: unknown };
    return JSON.stringify(degraded).includes('catalogue');
  });
};

/** Whether each server and the worker share their queue: each tries again after a time of its own. */
async function areAllSharing(): Promise<boolean> {
  const metrics = await Promise.all([...ports, workerPort].map(metricsAt));
  return metrics.every((text = '') => /^lectern_pyramid_queue_shared 1$/m.test(text));
}

const nothing = async (): Promise<void> => undefined;

describe('three servers, a worker, a bucket, a Redis and a catalogue', () => {
  it('raise no alert while nothing fails', { timeout: 60_000 }, async () => {
    const run = await during('nothing', () => pause(6000), nothing);
    expectRun(run, []);
    expect(run.cold.refused).toEqual({});
  });

  it('go on where the store ends connections', { timeout: 90_000 }, async () => {
    const run = await during('resets', store({ kind: 'reset' }), healStore);
    expectRun(run, ['LecternFailures', 'LecternStoreGone'], ['LecternRootGone', 'LecternStoreFailing']);
  });

  it('go on where the store stalls', { timeout: 90_000 }, async () => {
    const run = await during('stalls', store({ kind: 'stalled' }), healStore);
    const may = ['LecternRootGone', 'LecternStoreFailing', 'LecternStoreSlow', 'LecternTimeouts', 'LecternFailures'];
    expectRun(run, ['LecternStoreGone'], may);
  });

  it('go on where the store is saturated', { timeout: 90_000 }, async () => {
    const run = await during('saturated', store({ kind: 'status', status: 503 }), healStore);
    expectRun(run, ['LecternFailures', 'LecternStoreSaturated'], ['LecternRootGone', 'LecternStoreGone']);
  });

  it('go on where the store is gone for an hour, and a server starts anew meanwhile', {
    timeout: 120_000,
  }, async () => {
    const run = await during(
      'gone, with a restart',
      async () => {
        proxy.fault = { kind: 'reset' };
        await pause(5000);
        const [server] = servers;
        servers[0] = undefined;
        server?.kill();
        await pause(500);
        await startServer(0);
        for (const { address, body } of cached) {
          const answer = await ask(ports[0] ?? 0, address);
          expect([address, answer.status, answer.body.equals(body)]).toEqual([address, 200, true]);
        }
        await pause(6000);
      },
      healStore,
    );
    expectRun(run, ['LecternFailures', 'LecternStoreGone'], ['LecternRootGone', 'LecternStoreFailing']);
  });

  it.each(['killed', 'hung'] as const)(
    'go on while PostgreSQL is %s, and use it again',
    { timeout: 90_000 },
    async (how) => {
      const run = await during(
        `PostgreSQL ${how}`,
        async () => {
          if (how === 'killed') await postgres.kill();
          else postgres.hang();
          // The catalogue has this folder, which is listed by the store meanwhile.
          const endMs = Date.now() + 10_000;
          while (Date.now() < endMs) {
            for (const port of ports) expect((await ask(port, '/api/folder.json?fn=book')).status).toBe(200);
            await pause(200);
          }
        },
        async () => {
          if (how === 'killed') await postgres.start();
          else postgres.resume();
        },
      );
      expectRun(run, ['LecternCatalogueDown']);
      await expect.poll(isAnyWithoutCatalogue, { interval: 200 }).toBe(false);
    },
  );

  it('go on while Redis is killed', { timeout: 90_000 }, async () => {
    const run = await during(
      'Redis killed',
      async () => {
        await redis.kill();
        await pause(10_000);
      },
      () => redis.start(),
    );
    expectRun(run, ['LecternRedisDown']);
    await expect.poll(areAllSharing, { timeout: 30_000, interval: 200 }).toBe(true);
  });

  it('go on while the worker is killed, and its pyramids wait', { timeout: 90_000 }, async () => {
    const run = await during(
      'worker killed',
      async () => {
        worker?.kill('SIGKILL');
        for (let index = 0; index < 3; index++)
          for (let x = 0; x < 12; x++)
            await ask(ports[index] ?? 0, `/iiif/3/large%2F${index}.jpg/${x * 200},100,600,600/300,300/0/default.jpg`);
        await pause(12_000);
      },
      async () => {
        worker = startWorker();
      },
    );
    expectRun(run, ['LecternQueueStuck', 'LecternWorkerGone']);
    const waiting = async () => {
      const metrics = await Promise.all(ports.map((port) => ask(port, '/metrics')));
      return metrics.some(({ body }) => /^lectern_build_queue_(?:waiting|building)\{.*\} [1-9]/m.test(body.toString()));
    };
    await expect.poll(waiting, { timeout: 60_000, interval: 300 }).toBe(false);
  });
});

/** The example of nginx for several servers, for these. */
function nginxConfiguration(port: number): string {
  const example = fileURLToPath(new URL('../../deploy/nginx-many.conf', import.meta.url));
  const [one, ...others] = ports;
  const text = readFileSync(example, 'utf8')
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('lectern-1:8080', `127.0.0.1:${one}`)
    .replace(/server lectern-2:8080([^;]*);/, (_, options) =>
      others.map((other) => `server 127.0.0.1:${other}${options};`).join('\n'),
    );
  writeFileSync(path.join(scratch, 'example.conf'), text);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${scratch}/${name};`,
  );
  const file = path.join(scratch, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${scratch}/pid; error_log ${scratch}/error.log;
events { worker_connections 256; }
http { access_log off; ${temporary.join(' ')} include ${scratch}/example.conf; }`,
  );
  return file;
}

describe('a rolling restart behind nginx', () => {
  it('loses no request for tiles that no server has seen', { timeout: 120_000 }, async () => {
    const port = await freePort();
    nginx = spawn(findProgram('nginx') ?? 'nginx', ['-c', nginxConfiguration(port)], { stdio: 'ignore' });
    await expect.poll(async () => (await ask(port, '/healthz')).status).toBe(200);
    const recording = record(instances);
    const load = startLoad({ ports: () => [port], next: unseen, readers: 4, mayRefuse: false });
    const known = startLoad({ ports: () => [port], next: seen, readers: 2, mayRefuse: false });
    for (const number of ports.keys()) {
      await pause(2000);
      const server = servers[number];
      expect(await server?.stop()).toBe(0);
      await startServer(number);
    }
    await pause(2000);
    const [cold, warm, alerts] = [await load.end(), await known.end(), await recording.stop()];
    console.log(
      `rolling restart: ${cold.right} unseen within ${cold.slowestMs} ms, ${warm.right} cached, alerts ${alerts.join()}`,
    );
    expect([cold.faults, warm.faults]).toEqual([[], []]);
    expect(cold.right).toBeGreaterThan(100);
    expect(alerts.filter((alert) => !ofMachine.includes(alert))).toEqual([]);
  });
});
