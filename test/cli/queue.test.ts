// @module-tag redis
/** `lectern queue`, `lectern worker` and `lectern pyramid --enqueue` with a real Redis. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startRedis, type TestRedis } from '../fixtures/redis-server.ts';
import { startServerProcess } from '../fixtures/server-process.ts';
import { blobs } from '../protocol/blob-image.ts';
import { startSwift, storeKey } from '../s3/swift.ts';
import { runCommand, runInProcess } from './run-command.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-queue-'));
const scans = path.join(scratch, 'scans');
const store = path.join(scratch, 'pyramids');
const config = path.join(scratch, 'lectern.json');
let redis: TestRedis;

beforeAll(async () => {
  redis = await startRedis();
  mkdirSync(scans);
  await blobs(4000, 3000).jpeg().toFile(path.join(scans, 'good.jpg'));
  const whole = await blobs(4000, 3000).jpeg().toBuffer();
  writeFileSync(path.join(scans, 'cut.jpg'), whole.subarray(0, whole.length / 2));
  const settings = {
    library: { folders: [scans] },
    redis: { address: redis.address },
    pyramids: { directory: store },
  };
  writeFileSync(config, JSON.stringify(settings));
});
afterAll(async () => {
  await redis.close();
  rmSync(scratch, { recursive: true, force: true });
});

const queue = (...args: readonly string[]) => runInProcess(['queue', ...args, '--config', config]);

it('answers health and metrics of a worker, in which the queue that all share counts once', async () => {
  const worker = runCommand(['worker', '--jobs', '3', '--port', '0', '--config', config]);
  const origin = await vi.waitFor(
    () => {
      const [, address] = /^Health and metrics: (http:\S+)$/m.exec(worker.output.stdout) ?? [];
      if (address === undefined) throw new Error('not yet');
      return address;
    },
    { timeout: 30_000 },
  );
  expect(await (await fetch(`${origin}/healthz`)).text()).toBe('alive\n');
  await vi.waitFor(async () => expect((await fetch(`${origin}/readyz`)).headers.get('lectern-degraded')).toBeNull(), {
    timeout: 20_000,
  });
  const text = await (await fetch(`${origin}/metrics`)).text();
  expect(text).toMatch(/^lectern_build_queue_waiting\{queue="pyramids-\w+"\} 0$/m);
  expect(text).toMatch(/^lectern_build_jobs 3$/m);
  expect(text).toMatch(/^lectern_pyramids_made_total 0$/m);
  expect(text).toMatch(/^lectern_pyramid_queue_shared 1$/m);
  expect(text).not.toMatch(/^lectern_pyramids_waiting/m);
  worker.child.kill('SIGTERM');
  expect((await worker.ended).code).toBe(0);
});

it('puts pyramids into the queue, which a worker builds, and lists what waits', async () => {
  expect((await queue('list')).stdout).toBe('0 waiting, 0 being built, 0 failed.\n');
  const put = await runInProcess(['pyramid', '--enqueue', '--config', config, scans]);
  expect(put).toMatchObject({ code: 0, stderr: '' });
  expect(put.stdout).toContain('2 pyramids put into the queue');
  expect((await queue('list')).stdout).toBe('2 waiting, 0 being built, 0 failed.\n');
  // Again, which changes nothing.
  await runInProcess(['pyramid', '--enqueue', '--config', config, scans]);
  expect((await queue('list')).stdout).toBe('2 waiting, 0 being built, 0 failed.\n');

  const worker = runCommand(['worker', '--jobs', '1', '--config', config]);
  await vi.waitFor(() => expect(worker.output.stdout).toMatch(/^made lectern-\S+ of .*good\.jpg: /m), {
    timeout: 50_000,
  });
  await vi.waitFor(async () => expect((await queue('list')).stdout).toMatch(/^1 waiting, 0 being built/), {
    timeout: 30_000,
    interval: 500,
  });
  worker.child.kill('SIGTERM');
  expect((await worker.ended).code).toBe(0);
  expect(readdirSync(store).filter((name) => name.endsWith('.tif'))).toHaveLength(1);
  expect(readFileSync(path.join(store, 'identity'), 'utf8')).toMatch(/^[0-9a-f]{16}$/);
});

it('builds pyramids of images in a bucket, which a server on another machine finds under the same name', {
  tags: 'object-store',
}, async () => {
  const swift = await startSwift();
  const secret = path.join(scratch, 'secret');
  writeFileSync(secret, storeKey.secretAccessKey);
  try {
    await swift.createBucket('scans');
    await swift.put('scans', 'book/page.jpg', readFileSync(path.join(scans, 'good.jpg')));
    const directory = path.join(scratch, 'bucket-pyramids');
    const env = {
      LECTERN_REDIS__ADDRESS: redis.address,
      LECTERN_REDIS__BUILDS: 'false',
      LECTERN_PYRAMIDS__DIRECTORY: directory,
      LECTERN_OBJECT_STORAGE__ENDPOINT: swift.endpoint,
      LECTERN_OBJECT_STORAGE__PATH_STYLE: 'true',
      LECTERN_OBJECT_STORAGE__ACCESS_KEY_ID: storeKey.accessKeyId,
      LECTERN_OBJECT_STORAGE__SECRET_ACCESS_KEY_FILE: secret,
      // Its own spool.
      XDG_CACHE_HOME: path.join(scratch, 'server-cache'),
    };
    const server = await startServerProcess(['s3://scans'], env);
    try {
      for (const x of [0, 512, 1024, 1536, 2048, 2560]) {
        const tile = `/iiif/3/book%2Fpage.jpg/${x},2400,512,512/512,512/0/default.jpg`;
        expect((await server.get(tile)).status).toBe(200);
      }
      const worker = runCommand(['worker', '--jobs', '1', 's3://scans'], {
        env: { ...env, XDG_CACHE_HOME: path.join(scratch, 'worker-cache') },
      });
      await vi.waitFor(
        () => expect(worker.output.stdout).toMatch(/^made lectern-\S+ of s3:\/scans\/book\/page\.jpg: /m),
        {
          timeout: 50_000,
        },
      );
      await vi.waitFor(
        async () => expect((await server.get('/metrics')).body.toString()).toMatch(/^lectern_pyramids 1$/m),
        { timeout: 20_000, interval: 500 },
      );
      worker.child.kill('SIGTERM');
      expect((await worker.ended).code).toBe(0);
    } finally {
      server.kill();
    }
  } finally {
    await swift.close();
  }
});

it('says what is wrong with its use', async () => {
  expect(await queue('retry')).toMatchObject({ code: 2, stderr: 'lectern: name ids of failed builds, or --all\n' });
  expect(await queue('remove', 'nosuch')).toMatchObject({
    code: 1,
    stdout: 'no builds removed.\n',
    stderr: 'lectern: nosuch is not among the failed builds\n',
  });
  for (const command of [['queue', 'list'], ['worker']]) {
    const { code, stderr } = await runInProcess(command);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'lectern: the setting redis.address names no Redis, so there is no shared queue\n',
    });
  }
});

it('says that Redis can’t be reached', async () => {
  await redis.kill();
  const { code, stderr } = await queue('list');
  expect(code).toBe(2);
  expect(stderr).toMatch(/^lectern: the queue in redis:\/\/127\.0\.0\.1:\d+ can’t be used: .*ECONNREFUSED/);
});

it('refuses a password in the address, which lists of settings would show', async () => {
  const { code, stderr } = await runInProcess(['config'], {
    env: { LECTERN_REDIS__ADDRESS: 'redis://:secret@127.0.0.1:6379' },
  });
  expect(code).toBe(2);
  expect(stderr).toContain('must not contain the password');
  expect(stderr).not.toContain('secret');
});
