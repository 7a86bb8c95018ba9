/** Manifests of folders whose pages are not read within the time of a request, in a store that is not near. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../src/app/settings/settings.ts';
import { startCodexBucket } from '../s3/codex-bucket.ts';
import type { ComputedBucket } from '../s3/computed-bucket.ts';
import { type FaultProxy, startFaultProxy } from '../s3/fault-proxy.ts';
import { type ReceivedResponse, type RunningApp, startApp } from './running-app.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-manifests-'));
const secretAccessKeyFile = path.join(scratch, 'secret');
const pages = 600;
const manifest = '/presentation/3/codex/manifest.json';

let bucket: ComputedBucket;
let proxy: FaultProxy;
let app: RunningApp;

beforeAll(() => writeFileSync(secretAccessKeyFile, 'secret'));
afterEach(async () => {
  await app.close();
  await proxy.close();
  await bucket.close();
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A server for a folder in a store each of whose answers takes some time. */
async function start(delayMs: number, settings: SettingsInput): Promise<void> {
  bucket = await startCodexBucket(pages);
  proxy = await startFaultProxy(Number(new URL(bucket.endpoint).port));
  proxy.fault = { kind: 'none', delayMs };
  app = await startApp({
    library: { folders: ['s3://books'] },
    ...settings,
    objectStorage: {
      ...{ endpoint: proxy.endpoint, pathStyle: true, accessKeyId: 'reader', secretAccessKeyFile },
      spoolDirectory: mkdtempSync(path.join(scratch, 'spool-')),
    },
  });
  proxy.takeRequests();
}

/** All answers until the first one that is not 503, which are asked for as `Retry-After` says, though not for long. */
async function askUntilReady(target: string): Promise<readonly ReceivedResponse[]> {
  const answers: ReceivedResponse[] = [];
  for (let status = 503; status === 503 && answers.length < 60; ) {
    const answer = await app.get(target);
    answers.push(answer);
    status = answer.status;
    if (status === 503) await pause(Math.min(1000, Number(answer.headers['retry-after']) * 1000));
  }
  return answers;
}

const progressIn = ({ body }: ReceivedResponse): number => {
  const sentence = body.toString();
  const [, texts, done = ''] =
    /^(The texts of )?([\d,]+) of 600 pages have been read; ask again in \d+ s\.\n$/.exec(sentence) ?? [];
  expect(done, sentence).not.toBe('');
  return Number(done.replaceAll(',', '')) + (texts === undefined ? 0 : pages);
};

describe('a long folder with texts', () => {
  it('has a manifest that is 503 with its progress while they are read, which goes on, and then 200', async () => {
    await start(60, { limits: { deadlineMs: 1000 } });
    const answers = await askUntilReady(manifest);
    const last = answers.at(-1);
    expect(last?.status, last?.body.toString()).toBe(200);
    const { items } = JSON.parse(last?.body.toString() ?? '{}');
    expect([items.length, items.filter(({ seeAlso }: { seeAlso?: unknown }) => seeAlso).length]).toEqual([
      pages,
      pages,
    ]);
    const refused = answers.slice(0, -1);
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    const progress = refused.map(progressIn);
    if (progress.length > 2) expect(progress[1]).toBeGreaterThan(progress[0] ?? 0);
    expect(Math.max(...progress)).toBeLessThanOrEqual(2 * pages);
    const requests = proxy.takeRequests();
    for (const end of ['.tif', '.xml']) {
      const read = requests.filter((request) => request.includes(`${end}?`)).length;
      expect(read).toBeGreaterThanOrEqual(pages);
      // Some of those that a busy machine gives up are made again.
      expect(read).toBeLessThan(1.5 * pages);
    }
  }, 120_000);

  it('has a PDF that is described likewise, from what was read', async () => {
    await start(60, { limits: { deadlineMs: 1000 } });
    const answers = await askUntilReady('/api/pdf.json?fn=codex');
    const last = answers.at(-1);
    expect(JSON.parse(last?.body.toString() ?? '')).toMatchObject({ state: 'none', of: pages });
    expect(answers.length).toBeGreaterThan(1);
    for (const answer of answers.slice(0, -1)) expect(answer.body.toString()).toContain(' of 600 pages have been read');
  }, 120_000);
});
