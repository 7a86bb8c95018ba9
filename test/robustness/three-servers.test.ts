// @module-tag redis
// @module-tag object-store
/**
 * Three servers and a worker as processes of their own, with one bucket, one shared cache, one folder of pyramids and one Redis, under
 * mixed load, while each of them is killed and the store stalls: no answer is wrong or truncated, each pyramid is built once.
 * An hour without the store takes half a minute here: lists are refreshed after 1 s and not after 60.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRedis, type TestRedis } from '../fixtures/redis-server.ts';
import { startServerProcess } from '../fixtures/server-process.ts';
import { blobs } from '../protocol/blob-image.ts';
import { startApp } from '../protocol/running-app.ts';
import { type FaultProxy, startFaultProxy } from '../s3/fault-proxy.ts';
import { storeSettings, storeVariables } from '../s3/store-settings.ts';
import { type ObjectStore, startSwift } from '../s3/swift.ts';
import { type KnownAnswer, MixedLoad, type Place, type Tally } from './mixed-load.ts';

const stallMs = Number(process.env['LECTERN_ROBUSTNESS_STALL_SECONDS'] ?? 30) * 1000;
const delayMs = 5;
const readers = 3;
const scans = 12;
/** In each part of the run another large JPEG is requested, so that a pyramid is being built in each. */
const parts = ['server-0', 'server-1', 'server-2', 'worker', 'redis'] as const;
const large = parts.map((part) => `${part}.jpg`);

const bin = fileURLToPath(new URL('../../bin/lectern.cjs', import.meta.url));
const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-three-'));
const pyramidFolder = path.join(scratch, 'pyramids');

let store: ObjectStore;
let proxy: FaultProxy;
let redis: TestRedis;
let worker: ChildProcess;
let load: MixedLoad;
const places: Place[] = [];
/** The answers that are always requested, those that are requested first while the store stalls, and those of each large JPEG. */
const common: KnownAnswer[] = [];
const unseen: KnownAnswer[] = [];
const regions = new Map<string, KnownAnswer[]>();

const iiif = (file: string, region: string, size: string): string =>
  `/iiif/3/${encodeURIComponent(file)}/${region}/${size}/0/default.jpg`;
/** So many that one of three servers, which share their pictures, has to render enough of them to want the pyramid. */
const regionsOf = (name: string): readonly string[] =>
  [0, 512, 1024, 1536].flatMap((x) =>
    [0, 1024, 2048].map((y) => iiif(`large/${name}`, `${x},${y},512,512`, '512,512')),
  );
const commonAddresses = (): readonly (readonly [string, KnownAnswer['comparison']])[] => [
  ...[0, 256, 512, 768, 1024].map((x) => [iiif('maps/map.tif', `${x},512,256,256`, '256,256'), 'bytes'] as const),
  [iiif('maps/map.tif', 'full', '300,'), 'bytes'],
  ['/iiif/3/maps%2Fmap.tif/info.json', 'text'],
  ...Array.from({ length: scans }, (_, index) => [`/Scaler?fn=book&pn=${index + 1}&dw=120`, 'bytes'] as const),
  ['/iiif/3/book%2F03.jpg/info.json', 'text'],
  ['/presentation/3/book/manifest.json', 'text'],
];
const unseenAddresses = (): readonly (readonly [string, KnownAnswer['comparison']])[] => [
  ...[0, 256, 512, 768].map((x) => [iiif('maps/map.tif', `${x},1024,256,256`, '256,256'), 'bytes'] as const),
  ...large.map((name) => [iiif(`large/${name}`, '100,200,300,300', '300,300'), 'pixels'] as const),
  ...[1, 2, 3].map((page) => [`/Scaler?fn=elsewhere&pn=${page}&dw=100`, 'bytes'] as const),
];

const pause = (ms: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms));

async function until(holds: () => boolean, what: string, withinMs = 120_000): Promise<void> {
  const endMs = Date.now() + withinMs;
  while (!holds()) {
    if (Date.now() > endMs) throw new Error(`it never came to this: ${what}`);
    await pause(50);
  }
}

async function fillBucket(): Promise<void> {
  await store.createBucket('scans');
  await store.createBucket('pictures');
  const map = blobs(2048, 1536).tiff({ tile: true, pyramid: true, tileWidth: 256, compression: 'jpeg' });
  await store.put('scans', 'maps/map.tif', await map.toBuffer());
  for (let index = 0; index < scans; index++) {
    const background = { r: 20 * index, g: 250 - 20 * index, b: 90 };
    const scan = sharp({ create: { width: 600, height: 400 + 10 * index, channels: 3, background } }).jpeg();
    await store.put('scans', `book/${String(index).padStart(2, '0')}.jpg`, await scan.toBuffer());
    if (index < 3) await store.put('scans', `elsewhere/${index}.jpg`, await scan.toBuffer());
  }
  // Each with other bytes, and none of them with pixels that another one has.
  const picture = await blobs(4000, 3000).png({ compressionLevel: 1 }).toBuffer();
  for (const [index, name] of large.entries())
    await store.put(
      'scans',
      `large/${name}`,
      await sharp(picture)
        .modulate({ hue: index * 72 })
        .jpeg({ quality: 90 })
        .toBuffer(),
    );
}

/** The right answers: those of one server without cache, pyramids and faults. */
async function learnAnswers(): Promise<void> {
  const app = await startApp({
    library: { folders: ['s3://scans'] },
    cache: { directory: false },
    index: { directory: false },
    pyramids: { maxBytes: 0, automatic: false },
    objectStorage: storeSettings(scratch, store),
  });
  const learn = async (address: string, comparison: KnownAnswer['comparison']): Promise<KnownAnswer> => {
    const { status, body } = await app.get(address);
    if (status !== 200) throw new Error(`${address} is answered with ${status}`);
    return { address, comparison, body };
  };
  try {
    for (const [address, comparison] of commonAddresses()) common.push(await learn(address, comparison));
    for (const [address, comparison] of unseenAddresses()) unseen.push(await learn(address, comparison));
    for (const name of large) {
      const known: KnownAnswer[] = [];
      for (const address of regionsOf(name)) known.push(await learn(address, 'pixels'));
      regions.set(name, known);
    }
  } finally {
    await app.close();
  }
}

const variables = (): NodeJS.ProcessEnv => ({
  LECTERN_REDIS__ADDRESS: redis.address,
  LECTERN_REDIS__TAKEOVER_SECONDS: '2',
  LECTERN_PYRAMIDS__DIRECTORY: pyramidFolder,
  LECTERN_CACHE__SHARED: 's3://pictures/derivatives',
  ...storeVariables(scratch, proxy),
  LECTERN_OBJECT_STORAGE__REFRESH_SECONDS: '1',
});

const cacheOf = (name: string): { readonly XDG_CACHE_HOME: string } => ({ XDG_CACHE_HOME: path.join(scratch, name) });

const startServer = (number: number) =>
  startServerProcess(['s3://scans'], { ...variables(), ...cacheOf(`server-${number}`) });

const startWorker = (): ChildProcess =>
  spawn(process.execPath, [bin, 'worker', '--jobs', '1', 's3://scans'], {
    env: { PATH: process.env['PATH'], ...variables(), ...cacheOf('worker') },
    stdio: ['ignore', 'ignore', 'inherit'],
  });

/** The files that each pyramid has been, by its name: a second build replaces the file. */
const built = new Map<string, Set<number>>();
let isWatching = true;

async function watchPyramids(): Promise<void> {
  while (isWatching) {
    for (const name of readdirSync(pyramidFolder).filter((one) => one.endsWith('.tif'))) {
      const stats = statSync(path.join(pyramidFolder, name), { throwIfNoEntry: false });
      if (stats !== undefined) built.set(name, (built.get(name) ?? new Set()).add(stats.ino));
    }
    await pause(50);
  }
}
let watching: Promise<void> | undefined;

beforeAll(async () => {
  mkdirSync(pyramidFolder);
  store = await startSwift();
  redis = await startRedis();
  await fillBucket();
  await learnAnswers();
  proxy = await startFaultProxy(store.port);
  proxy.fault = { kind: 'none', delayMs };
  for (const current of await Promise.all([0, 1, 2].map(startServer)))
    places.push({ current, kills: 0, isDown: false });
  worker = startWorker();
  load = new MixedLoad(places);
  watching = watchPyramids();
}, 300_000);

afterAll(async () => {
  isWatching = false;
  await watching;
  for (const { current } of places) current.kill();
  worker?.kill('SIGKILL');
  await proxy?.close();
  await redis?.close();
  await store?.close();
  rmSync(scratch, { recursive: true, force: true });
});

function report(part: string, tally: Tally): Tally {
  const { right, slowestRightMs, refused, cut, slowestErrorMs, latenessMs } = tally;
  console.log(
    `${part}: ${right} right within ${slowestRightMs} ms, ${cut} cut by kills, refused ${JSON.stringify(refused)} within ${slowestErrorMs} ms, of which a busy machine took up to ${latenessMs} ms`,
  );
  return tally;
}

/** Runs the load with the regions of a further large JPEG while `disturb` does its work, and until it has a pyramid. */
async function loadWhile(part: (typeof parts)[number], disturb: () => Promise<void>): Promise<Tally> {
  let isOver = false;
  const known = regions.get(`${part}.jpg`) ?? [];
  const running = load.run([...common, ...known], readers, () => isOver);
  try {
    await pause(1500);
    await disturb();
    await until(() => built.size > parts.indexOf(part), `the pyramid of ${part}`);
    await pause(1500);
  } finally {
    isOver = true;
    await running;
  }
  return report(part, load.take());
}

/** All answers are right, except a few where the machine was too busy for the store. */
function expectAnswers({ right, refused, faults }: Tally): void {
  expect(faults).toEqual([]);
  const errors = Object.values(refused).reduce((sum, count) => sum + count, 0);
  expect(right).toBeGreaterThan(50);
  expect(errors).toBeLessThanOrEqual(right / 20);
}

describe('three servers with one bucket, one Redis and a worker', () => {
  for (const number of [0, 1, 2] as const)
    it(`give right answers while server ${number} is killed and started again`, async () => {
      const tally = await loadWhile(`server-${number}`, async () => {
        const place = places[number];
        if (place === undefined) throw new Error('there is no such server');
        place.kills++;
        place.isDown = true;
        place.current.kill();
        await pause(1000);
        place.current = await startServer(number);
        place.isDown = false;
      });
      expectAnswers(tally);
    });

  it('give right answers while the worker is killed and started again', async () => {
    expectAnswers(
      await loadWhile('worker', async () => {
        worker.kill('SIGKILL');
        await pause(1000);
        worker = startWorker();
      }),
    );
  });

  it('give right answers while Redis is killed and comes back empty', async () => {
    expectAnswers(
      await loadWhile('redis', async () => {
        await redis.kill();
        await pause(4000);
        await redis.start();
      }),
    );
  });

  it('answer from their caches while the store stalls for an hour, and refuse the rest within 5 s', async () => {
    // What each server has in its cache, after it was asked twice.
    for (const place of places) for (const known of [...common, ...common]) await load.request(known, place);
    expect(load.take().faults).toEqual([]);
    const cached = common.filter(({ comparison }) => comparison === 'bytes');
    const fromCache = new MixedLoad(places);
    const untilMs = Date.now() + stallMs;
    const isOver = (): boolean => Date.now() > untilMs;
    proxy.fault = { kind: 'stalled' };
    await Promise.all([fromCache.run(cached, 2, isOver), load.run([...common, ...unseen], 2, isOver)]);
    proxy.fault = { kind: 'none', delayMs };
    const tiles = report('stall, tiles from the caches', fromCache.take());
    expect(tiles.faults).toEqual([]);
    expect(tiles.refused).toEqual({});
    expect(tiles.right).toBeGreaterThan(stallMs / 100);
    expect(tiles.slowestRightMs).toBeLessThan(3000);
    const others = report('stall, others', load.take());
    expect(others.faults).toEqual([]);
    expect(Object.keys(others.refused)).not.toEqual([]);
  });

  it('answer everything again once the store does, and have built each pyramid once', async () => {
    await pause(3000);
    for (const place of places)
      for (const known of [...common, ...[...regions.values()].flat()]) await load.request(known, place);
    const { right, faults, refused } = report('after the stall', load.take());
    expect({ faults, refused }).toEqual({ faults: [], refused: {} });
    expect(right).toBe(places.length * (common.length + 12 * large.length));
    expect(built.size).toBe(large.length);
    expect([...built.values()].filter((files) => files.size > 1)).toEqual([]);
  });
});
