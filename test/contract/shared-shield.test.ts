// @module-tag redis
/** Budgets and held networks of servers that share a Redis, and of each alone while it is lost. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { readSettings } from '../../src/app/settings/configuration.ts';
import { coreSettings } from '../../src/config/core-settings.ts';
import type { Charge } from '../../src/features/shield/budgets.ts';
import { Holds } from '../../src/features/shield/holds.ts';
import { SharedShield } from '../../src/features/shield/shared-shield.ts';
import { startRedis, type TestRedis } from '../fixtures/redis-server.ts';

let redis: TestRedis;
let client: Redis;
const open: SharedShield[] = [];
const faults: string[] = [];

beforeAll(async () => {
  redis = await startRedis();
  client = new Redis(redis.address);
  client.on('error', () => undefined);
});
afterAll(async () => {
  client.disconnect();
  await redis.close();
});
beforeEach(async () => {
  await client.flushall();
});
afterEach(() => {
  for (const shield of open.splice(0)) shield.close();
  faults.length = 0;
});

async function server(answerWithinMs = 20_000) {
  const holds = new Holds();
  const shield = new SharedShield({
    ...{ holds, answerWithinMs },
    redis: coreSettings.redis.parse({ address: redis.address }) ?? (undefined as never),
    onFault: (message) => faults.push(message),
  });
  holds.tell = (network, untilMs) => shield.tell(network, untilMs);
  open.push(shield);
  await shield.start();
  return { holds, shield };
}

const charge = (amount: number, others: Partial<Charge> = {}): Charge => ({
  ...{ resource: 'processor', scope: 'caller', key: '10.0.0.1', amount },
  // Comes back in 1000 s, so that a test is over before.
  rule: { size: 1000, perMs: 0.001 },
  ...others,
});

it('What one server takes, the others have no more', async () => {
  const [one, other] = [await server(), await server()];
  expect(await one.shield.take([charge(600)])).toBeUndefined();
  const refused = await other.shield.take([charge(600)]);
  expect(refused?.scope).toBe('caller');
  expect(refused?.waitMs).toBeGreaterThan(100_000);
  expect(refused?.waitMs).toBeLessThanOrEqual(200_000);
  // The refusal took nothing.
  expect(await other.shield.take([charge(400)])).toBeUndefined();
  expect(await one.shield.take([charge(1, { key: '10.0.0.2' })])).toBeUndefined();
  expect(await one.shield.take([charge(600, { resource: 'originals' })])).toBeUndefined();
});

it('Of several buckets, nothing is taken where one has not enough', async () => {
  const { shield } = await server();
  const network = charge(1, { scope: 'network', key: '10.0.0.0/24', amount: 800 });
  expect(await shield.take([charge(100), network])).toBeUndefined();
  expect((await shield.take([charge(100), network]))?.scope).toBe('network');
  expect(await shield.take([charge(900)])).toBeUndefined();
});

it('A bucket gives once what is larger, when it is full', async () => {
  const { shield } = await server();
  expect(await shield.take([charge(5000)])).toBeUndefined();
  expect((await shield.take([charge(1)]))?.waitMs).toBeGreaterThan(3_900_000);
});

it('A key lasts until its bucket is full again, and strangers together have none', async () => {
  const { shield } = await server();
  await shield.take([charge(100), charge(100, { scope: 'strangers', key: '' })]);
  const keys = await client.keys('*');
  expect(keys).toEqual(['lectern:shield:processor:caller:10.0.0.1']);
  const msLeft = await client.pttl(keys[0] ?? '');
  expect(msLeft).toBeGreaterThan(0);
  expect(msLeft).toBeLessThanOrEqual(101_000);
  await shield.take([charge(1, { key: 'soon', rule: { size: 1000, perMs: 1000 } })]);
  await expect.poll(() => client.exists('lectern:shield:processor:caller:soon'), { timeout: 30_000 }).toBe(0);
  // What has come back is there.
  await shield.take([charge(1000, { key: 'quick', rule: { size: 1000, perMs: 1000 } })]);
  await expect
    .poll(() => shield.take([charge(1000, { key: 'quick', rule: { size: 1000, perMs: 1000 } })]), { timeout: 30_000 })
    .toBeUndefined();
});

it('Holds are known to all servers, and so is their release', async () => {
  const [one, other] = [await server(), await server()];
  const untilMs = Date.now() + 3_600_000;
  await one.holds.hold('10.0.0.7', untilMs);
  await expect.poll(() => other.holds.until('10.0.0.0/24'), { timeout: 30_000 }).toBe(untilMs);
  expect((await server()).holds.list()).toEqual([{ network: '10.0.0.0/24', untilMs }]);
  await other.holds.release('10.0.0.0/24');
  await expect.poll(() => one.holds.list(), { timeout: 30_000 }).toEqual([]);
});

it('Holds in Redis are bounded, and what is none is left out', async () => {
  const untilMs = Date.now() + 3_600_000;
  const members = Array.from({ length: 1100 }, (_, index) => [
    String(untilMs + index),
    `10.${index >> 8}.${index & 255}.0/24`,
  ]);
  await client.zadd('lectern:shield:holds', ...members.flat(), String(untilMs + 9999), 'everyone', '1', '11.0.0.0/24');
  const { holds } = await server();
  expect(holds.list()).toHaveLength(999);
  expect(holds.until('10.0.0.0/24')).toBeUndefined();
  expect(await client.zcard('lectern:shield:holds')).toBe(1000);
  expect(await client.pttl('lectern:shield:holds')).toBeGreaterThan(0);
});

it('A server is alone while Redis is lost, and tells what it holds once it is back', async () => {
  const { shield, holds } = await server();
  const untilMs = Date.now() + 3_600_000;
  await holds.hold('10.0.0.7', untilMs);
  await redis.kill();
  expect(await shield.take([charge(5000)])).toBeUndefined();
  expect(await shield.take([charge(5000)])).toBeUndefined();
  await holds.hold('10.0.1.7', untilMs);
  expect(holds.list()).toHaveLength(2);
  expect(faults[0]).toContain('Redis does not answer');
  await redis.start();
  await expect
    .poll(() => client.zrange('lectern:shield:holds', '0', '-1'), { timeout: 30_000 })
    .toEqual(['10.0.0.0/24', '10.0.1.0/24']);
  await expect.poll(() => shield.take([charge(5000)]), { timeout: 30_000 }).toMatchObject({ scope: 'caller' });
});

it('A Redis that hangs delays one request for a moment, and then none', async () => {
  const { shield } = await server(100);
  redis.hang();
  expect(await shield.take([charge(1)])).toBeUndefined();
  expect(faults[0]).toContain('Redis does not answer');
  // There is no connection now that could be waited for.
  expect(await shield.take([charge(1)])).toBeUndefined();
  redis.resume();
});

it('One that was closed asks nothing more', async () => {
  const { shield } = await server();
  shield.close();
  await shield.tell('10.0.0.0/24', Date.now() + 1000);
  expect(await shield.take([charge(5000)])).toBeUndefined();
  expect([await client.keys('*'), faults]).toEqual([[], []]);
});

it('Servers of one library share what a caller has', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lectern-shared-shield-'));
  mkdirSync(path.join(folder, 'scans/book'), { recursive: true });
  await sharp({ create: { width: 90, height: 60, channels: 3, background: '#a06030' } })
    .jpeg()
    .toFile(path.join(folder, 'scans/book/1.jpg'));
  const settings = readSettings(
    {
      ...{
        index: { directory: false },
        cache: { directory: false },
        pyramids: { maxBytes: 0 },
        render: { processes: 0 },
      },
      ...{ search: { enabled: false }, redis: { address: redis.address }, library: { folders: [`${folder}/scans`] } },
      ...{ pdf: { directory: folder }, dataSets: { directory: folder }, changes: { directory: folder } },
      shield: { budgets: { processorSeconds: 0.01 } },
    },
    {},
    undefined,
  );
  const apps = [
    await createApp(settings, pino({ level: 'silent' })),
    await createApp(settings, pino({ level: 'silent' })),
  ];
  for (const app of apps) app.start();
  const statusAt = async (at: number) => (await apps[at]?.server.inject('/zip/book.zip'))?.statusCode;
  const connected = async () => {
    const list = String(await client.client('LIST'));
    return list.match(/cmd=zrange/g)?.length;
  };
  await expect.poll(connected, { timeout: 30_000 }).toBe(2);
  const statuses = [await statusAt(0), await statusAt(1), await statusAt(1), await statusAt(0)];
  for (const app of apps) await app.server.close();
  rmSync(folder, { recursive: true });
  expect(statuses).toEqual([200, 200, 429, 429]);
});
