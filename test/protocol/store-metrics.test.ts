/** What a server tells of its object store: in metrics, in readiness and in the log, while it answers and while it does not. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram } from '../../scripts/test-needs.mjs';
import { type ComputedBucket, startComputedBucket } from '../s3/computed-bucket.ts';
import { type FaultProxy, startFaultProxy } from '../s3/fault-proxy.ts';
import { storeSettings } from '../s3/store-settings.ts';
import { type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-store-metrics-'));
let store: ComputedBucket;
let proxy: FaultProxy;
let app: RunningApp;

beforeAll(async () => {
  const bytes = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'gray' } })
    .jpeg()
    .toBuffer();
  store = await startComputedBucket({
    bucket: 'scans',
    prefix: 'books/',
    images: 2000,
    nameOf: (index) => `page ${String(index).padStart(4, '0')}.jpg`,
    bytes,
  });
  proxy = await startFaultProxy(Number(new URL(store.endpoint).port));
  app = await startApp({
    library: { folders: ['s3://scans/books'] },
    objectStorage: storeSettings(scratch, proxy),
  });
});
afterAll(async () => {
  await app.close();
  await proxy.close();
  await store.close();
  rmSync(scratch, { recursive: true });
});

const metrics = async (): Promise<string> => (await app.get('/metrics')).body.toString();

/** The sum of a metric over the samples whose labels have all of these texts. */
const sumOf = (text: string, name: string, ...labels: readonly string[]): number =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`lectern_${name}{`) && labels.every((label) => line.includes(label)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);

const picture = (page: number): string => `/Scaler?fn=page%20${String(page).padStart(4, '0')}&dw=20`;

describe('a bucket', () => {
  it('is counted request by request as the store gets them', async () => {
    const before = await metrics();
    proxy.takeRequests();
    for (const page of [1, 2, 3]) expect((await app.get(picture(page))).status).toBe(200);
    const sent = proxy.takeRequests();
    const after = await metrics();
    const grown = (name: string, ...labels: readonly string[]): number =>
      sumOf(after, name, ...labels) - sumOf(before, name, ...labels);
    expect(sent.length).toBeGreaterThan(2);
    expect(grown('store_requests_total', 'bucket="scans"')).toBe(sent.length);
    expect(grown('store_request_seconds_count', 'bucket="scans"')).toBe(sent.length);
    expect(grown('store_bytes_total', 'operation="get"')).toBeGreaterThan(300);
    expect(grown('store_failures_total')).toBe(0);
    expect(after).toContain('\nlectern_degraded{part="bucket scans"} 0\n');
    expect(after).toMatch(/\nlectern_copies_max_bytes \d+\n/);
  });

  it('has metrics of which promtool finds no fault', { tags: 'prometheus' }, async () => {
    const own = (await metrics())
      .split('\n')
      .filter((line) => /^(?:# \w+ )?lectern_/.test(line))
      .join('\n');
    const { stdout, stderr } = spawnSync(findProgram('promtool') ?? 'promtool', ['check', 'metrics'], {
      input: `${own}\n`,
      encoding: 'utf8',
    });
    expect(stdout + stderr).toBe('');
  });

  it('that is gone leaves the server ready, degraded, and is logged once, and once when it is back', async () => {
    const lines = (): readonly string[] => app.logLines.filter((line) => line.includes('the object store'));
    proxy.fault = { kind: 'status', status: 500 };
    const statuses: number[] = [];
    for (let page = 100; page < 130; page++) statuses.push((await app.get(picture(page))).status);
    expect(statuses.filter((status) => ![502, 503, 504].includes(status))).toEqual([]);
    const ready = await app.get('/readyz');
    expect([ready.status, ready.headers['lectern-degraded']]).toEqual([200, 'root%201, bucket%20scans']);
    expect(JSON.parse(ready.body.toString())).toMatchObject({ ready: true, degraded: ['root 1', 'bucket scans'] });
    const alive = await app.get('/healthz');
    expect([alive.status, alive.headers['lectern-degraded']]).toEqual([200, 'root%201, bucket%20scans']);
    const text = await metrics();
    expect(text).toContain('\nlectern_degraded{part="bucket scans"} 1\n');
    expect(sumOf(text, 'store_failures_total', 'reason="server-error"')).toBeGreaterThan(5);
    expect(lines()).toHaveLength(1);
    const failed = app.logLines.filter((line) => /"code":"store-(?:failed|late)"/.test(line));
    expect(failed).toHaveLength(1);
    proxy.fault = { kind: 'none' };
    await expect.poll(async () => (await app.get(picture(200))).status, { timeout: 8000 }).toBe(200);
    await expect
      .poll(async () => (await app.get('/readyz')).headers['lectern-degraded'], { timeout: 8000 })
      .toBe(undefined);
    expect(lines().map((line) => JSON.parse(line).msg)).toEqual([
      'a request to the object store failed; further failures are counted until it answers',
      'the object store answers again',
    ]);
  }, 40_000);
});
