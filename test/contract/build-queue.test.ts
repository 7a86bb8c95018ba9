/** What every queue of builds does: that of one process, and that which servers share through a real Redis. */
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ImageError } from '../../src/core/image/model/errors.ts';
import { RedisLink } from '../../src/core/pyramids/queue/redis-link.ts';
import { startRedis, type TestRedis } from '../fixtures/redis-server.ts';
import {
  localQueue,
  made,
  requestFor,
  type SharedOptions,
  sharedQueue,
  type TestQueue,
  until,
} from './build-queues.ts';

let redis: TestRedis | undefined;
let count = 0;

/** A connection to such a queue that builds nothing. */
const linkTo = (queue: string): Promise<RedisLink> =>
  RedisLink.open({
    address: redis?.address ?? '',
    readPassword: async () => undefined,
    prefix: 'test',
    takeoverMs: 1000,
    queue,
    building: undefined,
  });

/** A queue in a Redis that the first one starts. */
async function queueInRedis(name: string, options: Partial<SharedOptions> = {}): Promise<TestQueue> {
  redis ??= await startRedis();
  return sharedQueue({ address: redis.address, name, ...options });
}
afterAll(() => redis?.close());

function describeQueue(name: string, tags: string[], open: () => TestQueue | Promise<TestQueue>): void {
  describe(`a queue ${name}`, { tags }, () => contract(open));
}
describeQueue('of one process', [], localQueue);
describeQueue('shared through Redis', ['redis'], () => queueInRedis(`contract-${count++}`));

function contract(open: () => TestQueue | Promise<TestQueue>): void {
  let test: TestQueue;
  beforeEach(async () => {
    test = await open();
  });
  afterEach(() => test.close());

  it('builds what is requested, and is empty then', async () => {
    test.queue.add(requestFor('/a.jpg'));
    test.queue.add(requestFor('/b.jpg'));
    await until(() => test.begun.length === 2, 'two builds');
    expect([...test.begun].sort()).toEqual(['/a.jpg', '/b.jpg']);
    await until(() => test.queue.load().waiting === 0, 'an empty queue');
    expect(test.queue.load()).toMatchObject({ building: 0, failed: 0 });
    expect(test.faults).toEqual([]);
  });

  it('builds once what is requested often', async () => {
    test.hold(true);
    for (let times = 0; times < 5; times++) test.queue.add(requestFor('/a.jpg'));
    await until(() => test.begun.length === 1, 'a build');
    for (let times = 0; times < 5; times++) test.queue.add(requestFor('/a.jpg'));
    await until(() => test.queue.load().building === 1, 'a build that runs');
    test.hold(false);
    await until(() => test.queue.load().waiting === 0, 'an empty queue');
    expect(test.begun).toEqual(['/a.jpg']);
  });

  it('builds the pyramids of copies of a file, each at its path', async () => {
    test.hold(true);
    const paths = ['/copies/a.jpg', '/copies/b.jpg', '/copies/c.jpg'];
    for (const path of paths) test.queue.add(requestFor(path));
    await until(() => test.queue.load().waiting === 3, 'three in the queue');
    test.hold(false);
    await until(() => test.begun.length === 3, 'three builds');
    expect([...test.begun].sort()).toEqual(paths);
  });

  it('ends what it builds when it is closed, and begins nothing then', async () => {
    test.hold(true);
    test.queue.add(requestFor('/a.jpg'));
    test.queue.add(requestFor('/b.jpg'));
    await until(() => test.begun.length === 1, 'a build');
    const [first] = test.begun;
    await test.close();
    test.queue.add(requestFor('/c.jpg'));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(test.begun).toEqual([first]);
  });

  it.each([
    ['an outcome', { kind: 'failed', reason: 'It is damaged.' } as const],
    ['an error of the program', new Error('It is damaged.')],
  ])('reports a build that failed by %s once, and does not try it again', async (_, failure) => {
    test.answer('/bad.jpg', failure);
    test.queue.add(requestFor('/bad.jpg'));
    await until(() => test.queue.load().failed === 1, 'a failed build');
    expect(test.faults).toEqual(['/bad.jpg: no derived pyramid could be made: It is damaged.']);
    const attempts = test.begun.length;
    test.queue.add(requestFor('/bad.jpg'));
    test.queue.add(requestFor('/good.jpg'));
    await until(() => test.begun.includes('/good.jpg'), 'the other build');
    expect(test.begun).toHaveLength(attempts + 1);
  });

  it('reports that there is no space, and tries nothing else at once', async () => {
    test.answer('/a.jpg', { kind: 'no-space', reason: 'The disk is full.' });
    test.queue.add(requestFor('/a.jpg'));
    await until(() => test.faults.length === 1, 'a report');
    expect(test.faults).toEqual(['no derived pyramids are made: The disk is full.']);
    expect(test.begun).toEqual(['/a.jpg']);
    await until(() => test.queue.load().building === 0, 'no build');
    expect(test.queue.load().failed).toBe(0);
  });

  it('tries a build again soon where the store did not answer, later each time, and builds the others', async () => {
    test.answer('/a.jpg', { kind: 'no-answer', reason: 'The store is late.' });
    const sinceMs = performance.now();
    test.queue.add(requestFor('/a.jpg'));
    await until(() => test.begun.length === 1, 'a build');
    test.queue.add(requestFor('/b.jpg'));
    await until(() => test.begun.filter((path) => path === '/a.jpg').length === 2, 'another attempt');
    expect(performance.now() - sinceMs).toBeGreaterThan(1900);
    expect(test.begun).toContain('/b.jpg');
    expect(test.faults[0]).toBe('no derived pyramids are made: The store is late.');
    test.answer('/a.jpg', made);
    await until(() => test.queue.load().waiting === 0, 'an empty queue');
    expect(test.queue.load()).toMatchObject({ building: 0, failed: 0 });
  });

  it('ends at once while it waits for the store to answer', async () => {
    test.answer('/a.jpg', { kind: 'no-answer', reason: 'The store is late.' });
    test.queue.add(requestFor('/a.jpg'));
    await until(() => test.faults.length === 1, 'a report');
    const sinceMs = performance.now();
    await test.close();
    expect(performance.now() - sinceMs).toBeLessThan(1500);
  });
}

describe('a queue of one process alone', () => {
  it('builds what was requested last first, also what was requested before', async () => {
    const { queue, begun, hold, close } = localQueue();
    hold(true);
    queue.add(requestFor('/first.jpg'));
    await until(() => begun.length === 1, 'a build');
    for (const path of ['/a.jpg', '/b.jpg', '/c.jpg', '/a.jpg']) queue.add(requestFor(path));
    expect(queue.load().waiting).toBe(4);
    hold(false);
    await until(() => begun.length === 4, 'four builds');
    expect(begun).toEqual(['/first.jpg', '/a.jpg', '/c.jpg', '/b.jpg']);
    await close();
  });

  it('forgets the oldest of more than a thousand requests', async () => {
    const { queue, begun, hold, close } = localQueue();
    hold(true);
    queue.add(requestFor('/first.jpg'));
    await until(() => begun.length === 1, 'a build');
    for (let index = 0; index <= 1000; index++) queue.add(requestFor(`/${index}.jpg`));
    expect(queue.load().waiting).toBe(1001);
    hold(false);
    await until(() => queue.load().waiting === 0, 'an empty queue');
    expect([begun[1], begun.at(-1)]).toEqual(['/1000.jpg', '/1.jpg']);
    await close();
  });
});

describe('queues that share Redis', { tags: 'redis' }, () => {
  it('build what a reader waits for before what is made ahead, also if it was requested ahead before', async () => {
    const { queue, begun, hold, close } = await queueInRedis('ahead');
    const link = await linkTo('ahead');
    const addAhead = async (path: string): Promise<void> => {
      const { id, ...request } = requestFor(path);
      await link.add(id, request, 'ahead');
    };
    hold(true);
    queue.add(requestFor('/first.jpg'));
    await until(() => begun.length === 1, 'a build');
    for (const path of ['/ahead-1.jpg', '/ahead-2.jpg', '/ahead-3.jpg']) await addAhead(path);
    queue.add(requestFor('/reader.jpg'));
    await until(() => queue.load().waiting === 5, 'five in the queue');
    queue.add(requestFor('/ahead-3.jpg'));
    await new Promise((resolve) => setTimeout(resolve, 200));
    await addAhead('/reader.jpg');
    hold(false);
    await until(() => begun.length === 5, 'five builds');
    expect(begun).toEqual(['/first.jpg', '/reader.jpg', '/ahead-3.jpg', '/ahead-1.jpg', '/ahead-2.jpg']);
    await Promise.all([link.close(true), close()]);
  });

  it('list a build that failed, and try it again or forget it only when they are told to', async () => {
    const { queue, begun, answer, close } = await queueInRedis('failed');
    const link = await linkTo('failed');
    expect([await link.failed(10), await link.retry('nosuch'), await link.remove('nosuch')]).toEqual([
      [],
      false,
      false,
    ]);
    answer('/bad.jpg', { kind: 'failed', reason: 'It is damaged.' });
    queue.add(requestFor('/bad.jpg'));
    await until(() => queue.load().failed === 1, 'a failed build');
    const [failed] = await link.failed(10);
    expect(failed).toMatchObject({ path: '/bad.jpg', reason: 'It is damaged.' });
    expect(failed?.failedMs).toBeGreaterThan(Date.now() - 60_000);
    const attempts = begun.length;
    expect(await link.retry(failed?.id ?? '')).toBe(true);
    await until(() => begun.length > attempts, 'another attempt');
    await until(async () => (await link.failed(10)).length === 1, 'another failure');
    expect(await link.remove(failed?.id ?? '')).toBe(true);
    expect([await link.remove(failed?.id ?? ''), await link.failed(10)]).toEqual([false, []]);
    answer('/bad.jpg', made);
    const before = begun.length;
    queue.add(requestFor('/bad.jpg'));
    await until(() => begun.length === before + 1, 'the next request');
    expect(await link.retry(failed?.id ?? '')).toBe(false);
    await link.close(true);
    await close();
  });

  it('keep a build whose file could not be looked at because the store did not answer', async () => {
    let asked = 0;
    const beforeProbe = (): void => {
      if (asked++ === 0) throw new ImageError('store-late', 'The store is late.');
    };
    const { queue, begun, faults, close } = await queueInRedis('late', { beforeProbe });
    await until(() => queue.load().isShared === true, 'a shared queue');
    queue.add(requestFor('/a.jpg'));
    await until(() => begun.length === 1, 'a build');
    expect(asked).toBe(2);
    expect(faults).toEqual(['no derived pyramids are made: The store is late.']);
    await close();
  });

  it('learn of each build of another process, also of one that began and ended between two checks', async () => {
    let heard = 0;
    const listening = await queueInRedis('heard', { isBuilding: false, onBuiltByOthers: () => heard++ });
    const building = await queueInRedis('heard');
    await until(() => listening.queue.load().isShared === true, 'a shared queue');
    for (const path of ['/a.jpg', '/b.jpg', '/c.jpg']) {
      const before = heard;
      building.queue.add(requestFor(path));
      await until(() => heard > before, `word of ${path}`);
    }
    expect(listening.begun).toEqual([]);
    await Promise.all([listening.close(), building.close()]);
  });
});
