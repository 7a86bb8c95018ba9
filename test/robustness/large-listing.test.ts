/**
 * A folder of 100,000 keys in a bucket behind 30 ms for each request: what the first page of it costs a server that has never seen
 * it, and one that starts anew. The store is an imitation, since no real one takes in so many keys within the time of a test.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServerProcess, startServerProcess } from '../fixtures/server-process.ts';
import { type ListedBucket, startListedBucket } from '../s3/listed-bucket.ts';

const keys = 100_000;
const delayMs = 30;
const pageWithinMs = 2000;

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-listing-'));
let bucket: ListedBucket;
const servers: ServerProcess[] = [];

beforeAll(async () => {
  const background = { r: 20, g: 90, b: 160 };
  const bytes = await sharp({ create: { width: 300, height: 200, channels: 3, background } })
    .jpeg()
    .toBuffer();
  bucket = await startListedBucket({ bucket: 'many', keys, bytes, delayMs });
  writeFileSync(path.join(scratch, 'secret'), 'secret');
});
afterAll(async () => {
  for (const server of servers) server.kill();
  await bucket?.close();
  rmSync(scratch, { recursive: true, force: true });
});

/** A server may begin to list before it is asked for anything. */
async function start(refreshSeconds: number): Promise<ServerProcess> {
  bucket.takePages();
  const server = await startServerProcess(['s3://many'], {
    XDG_CACHE_HOME: path.join(scratch, 'cache'),
    LECTERN_OBJECT_STORAGE__ENDPOINT: bucket.endpoint,
    LECTERN_OBJECT_STORAGE__PATH_STYLE: 'true',
    LECTERN_OBJECT_STORAGE__ACCESS_KEY_ID: 'reader',
    LECTERN_OBJECT_STORAGE__SECRET_ACCESS_KEY_FILE: path.join(scratch, 'secret'),
    LECTERN_OBJECT_STORAGE__REFRESH_SECONDS: String(refreshSeconds),
  });
  servers.push(server);
  return server;
}

/** The first page of the folder, which has to name all of its images; and the ms that it took. */
async function firstPage(server: ServerProcess): Promise<number> {
  const { status, body, ms } = await server.get('/api/folder.json?fn=scans');
  expect(status, body.subarray(0, 500).toString()).toBe(200);
  expect(body.toString()).toContain(String(keys));
  return ms;
}

it('is listed once, and a server that starts anew shows it without waiting for the store', async () => {
  const first = await start(60);
  const listedMs = await firstPage(first);
  const listedPages = bucket.takePages();
  await expect
    .poll(() => first.get('/api/folder.json?fn=scans').then(({ ms }) => ms), { timeout: 30_000 })
    .toBeLessThan(1000);
  // The list is stored behind the answer.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  first.kill();

  const second = await start(60);
  const keptMs = await firstPage(second);
  const keptPages = bucket.takePages();
  second.kill();

  // So old that it would be awaited where it is in memory only.
  const third = await start(1);
  const staleMs = await firstPage(third);
  const picture = await third.get('/Scaler?fn=scans/p099999&dw=100');
  expect(picture.status).toBe(200);
  await expect.poll(() => bucket.takePages(), { timeout: 30_000, interval: 5000 }).toBe(0);
  console.log(
    `first page of ${keys} keys: ${Math.round(listedMs)} ms with ${listedPages} lists, after a start ${Math.round(keptMs)} ms with ${keptPages}, with a stale list ${Math.round(staleMs)} ms`,
  );
  expect(listedPages).toBeGreaterThanOrEqual(keys / 1000);
  expect(keptPages).toBeLessThanOrEqual(5);
  expect(keptMs).toBeLessThan(pageWithinMs);
  expect(staleMs).toBeLessThan(2 * pageWithinMs);
});
