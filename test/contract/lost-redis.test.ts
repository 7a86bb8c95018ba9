// @module-tag redis
/** A Redis that is lost costs only the sharing: builds go on in each process, and are shared again when it is back. */
import { expect, test } from 'vitest';
import { freePort, startRedis, type TestRedis } from '../fixtures/redis-server.ts';
import { requestFor, type SharedOptions, sharedQueue, type TestQueue, until } from './build-queues.ts';

interface Faulty {
  readonly redis: TestRedis;
  start(options?: Partial<SharedOptions>): TestQueue;
}

/** Each test has a Redis of its own; they mostly wait, so they run beside each other. */
const it = test.extend<{ faulty: Faulty }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures that this one needs.
  faulty: async ({}, use) => {
    const redis = await startRedis();
    const open: TestQueue[] = [];
    await use({
      redis,
      start(options = {}) {
        const queue = sharedQueue({ address: redis.address, name: 'faults', ...options });
        open.push(queue);
        return queue;
      },
    });
    redis.resume();
    await Promise.all(open.map((one) => one.close()));
    await redis.close();
  },
}).concurrent;

const isShared = ({ queue }: TestQueue, shared = true): Promise<void> =>
  until(() => queue.load().isShared === shared, shared ? 'a shared queue' : 'a queue of its own');

const allBegun = (queues: readonly TestQueue[]): readonly string[] => queues.flatMap(({ begun }) => begun).sort();

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

it('builds once what several servers request, and one that leaves building to others builds nothing', async ({
  faulty: { start },
}) => {
  const [one, two, idle] = [start(), start(), start({ isBuilding: false })];
  const all = [one, two, idle];
  await Promise.all(all.map((queue) => isShared(queue)));
  for (const queue of all) queue.hold(true);
  for (const { queue } of all) for (const path of ['/a.jpg', '/b.jpg', '/c.jpg']) queue.add(requestFor(path));
  await until(() => allBegun(all).length === 2, 'a build in each server');
  for (const queue of all) queue.hold(false);
  await until(() => idle.queue.load().waiting === 0 && allBegun(all).length === 3, 'all builds');
  await pause(300);
  expect(allBegun(all)).toEqual(['/a.jpg', '/b.jpg', '/c.jpg']);
  expect(idle.begun).toEqual([]);
});

it('builds by itself while Redis is gone, says so once, and shares again when it is back, empty', async ({
  faulty: { redis, start },
}) => {
  const [one, two] = [start(), start()];
  await Promise.all([isShared(one), isShared(two)]);
  await redis.kill();
  await Promise.all([isShared(one, false), isShared(two, false)]);
  one.queue.add(requestFor('/a.jpg'));
  two.queue.add(requestFor('/b.jpg'));
  await until(() => allBegun([one, two]).length === 2, 'a build in each');
  expect([one.begun, two.begun]).toEqual([['/a.jpg'], ['/b.jpg']]);
  await pause(1500);
  expect(one.faults).toHaveLength(1);
  expect(one.faults[0]).toMatch(/^pyramids are built without sharing them through Redis: /);
  await redis.start();
  await Promise.all([isShared(one), isShared(two)]);
  one.queue.add(requestFor('/c.jpg'));
  two.queue.add(requestFor('/c.jpg'));
  await until(() => allBegun([one, two]).includes('/c.jpg'), 'a shared build');
  await until(() => one.queue.load().waiting === 0, 'an empty queue');
  expect(allBegun([one, two])).toEqual(['/a.jpg', '/b.jpg', '/c.jpg']);
});

it('builds itself what it has put into a Redis that dies with it', async ({ faulty: { redis, start } }) => {
  const server = start({ isBuilding: false });
  await isShared(server);
  for (const path of ['/a.jpg', '/b.jpg']) server.queue.add(requestFor(path));
  await until(() => server.queue.load().waiting === 2, 'two that wait for a worker');
  expect(server.begun).toEqual([]);
  await redis.kill();
  await until(() => server.begun.length === 2, 'builds by the server');
});

it('builds by itself while Redis hangs, and shares again when it answers', async ({ faulty: { redis, start } }) => {
  const server = start();
  await isShared(server);
  server.hold(true);
  server.queue.add(requestFor('/a.jpg'));
  await until(() => server.begun.length === 1, 'a build');
  redis.hang();
  await isShared(server, false);
  server.queue.add(requestFor('/b.jpg'));
  server.hold(false);
  await until(() => server.begun.includes('/b.jpg'), 'a build of its own');
  redis.resume();
  await isShared(server);
  await until(() => server.queue.load().waiting === 0, 'an empty queue');
  server.queue.add(requestFor('/c.jpg'));
  await until(() => server.begun.includes('/c.jpg'), 'a shared build');
});

it('starts without Redis, and shares once there is one', async ({ faulty: { redis, start } }) => {
  await redis.kill();
  const server = start();
  server.queue.add(requestFor('/a.jpg'));
  await until(() => server.begun.length === 1, 'a build of its own');
  expect(server.queue.load().isShared).toBe(false);
  await redis.start();
  await isShared(server);
});

it('builds by itself while the password is wrong, and takes on the right one', async ({ faulty: { redis, start } }) => {
  await redis.start('right');
  let password = 'wrong';
  const server = start({ password: () => password });
  server.queue.add(requestFor('/a.jpg'));
  await until(() => server.begun.length === 1, 'a build of its own');
  expect(server.faults).toHaveLength(1);
  expect(server.faults[0]).toMatch(/WRONGPASS|invalid/i);
  expect(server.faults[0]).not.toContain('wrong ');
  password = 'right';
  await isShared(server);
});

it('does not hang where something else than Redis listens, or nothing', async ({ faulty: { redis, start } }) => {
  const server = start({ address: `redis://127.0.0.1:${await freePort()}` });
  server.queue.add(requestFor('/a.jpg'));
  await until(() => server.begun.length === 1, 'a build of its own');
  redis.hang();
  const other = start();
  other.queue.add(requestFor('/b.jpg'));
  await until(() => other.begun.length === 1, 'a build of its own');
});

it('closes in time while Redis hangs in the middle of a build', async ({ faulty: { redis, start } }) => {
  const server = start();
  await isShared(server);
  server.hold(true);
  server.queue.add(requestFor('/a.jpg'));
  await until(() => server.begun.length === 1, 'a build');
  redis.hang();
  const begunMs = performance.now();
  await server.close();
  expect(performance.now() - begunMs).toBeLessThan(8000);
});

it('gives back what it builds when it is closed, so that another one builds it at once', async ({
  faulty: { start },
}) => {
  const one = start({ takeoverMs: 60_000 });
  await isShared(one);
  one.hold(true);
  one.queue.add(requestFor('/a.jpg'));
  await until(() => one.begun.length === 1, 'a build');
  await one.close();
  const two = start({ takeoverMs: 60_000 });
  await until(() => two.begun.length === 1, 'the build by another one');
  expect(two.begun).toEqual(['/a.jpg']);
});
