/** What is left of the list of changes where the server that writes it is killed at any moment of its walk. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SqliteChangeList } from '../../src/features/discovery/sqlite-change-list.ts';
import { startServerProcess } from '../fixtures/server-process.ts';
import { collectionAt, harvest, pagesOf, type Read } from '../harvester.ts';
import { onePixel } from '../unit/temporary-library.ts';

const kills = Number(process.env['LECTERN_ROBUSTNESS_CHANGE_KILLS'] ?? 6);
const folders = 3000;

let scratch: string;
let root: string;
beforeAll(() => {
  scratch = mkdtempSync(path.join(tmpdir(), 'lectern-change-kills-'));
  root = path.join(scratch, 'images');
  for (let folder = 0; folder < folders; folder++) {
    mkdirSync(path.join(root, `f${folder}`), { recursive: true });
    writeFileSync(path.join(root, `f${folder}`, '1.gif'), onePixel);
  }
}, 120_000);
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

it('is whole after each kill, and complete after the next walk', { timeout: 300_000 }, async () => {
  const directory = path.join(scratch, 'changes');
  const env = { LECTERN_CHANGES__DIRECTORY: directory, LECTERN_INDEX__DIRECTORY: path.join(scratch, 'index') };
  const totals: number[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const server = await startServerProcess([root], env);
    const asked = server.get('/activity/all-changes.json');
    await pause(100 + ((kill * 397) % 1500));
    server.kill();
    await asked;
    const file = path.join(scratch, `${kill}.sqlite`);
    for (const end of ['', '-wal']) copyFileSync(path.join(directory, `changes.sqlite${end}`), file + end);
    const list = new SqliteChangeList({ file, maxBytes: 2 ** 30, pageSize: 1000, now: () => Date.now() });
    const { total, last } = await list.state();
    const counts = [];
    for (let page = 0; page <= last; page++) counts.push((await list.page(page))?.changes.length ?? 0);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(total);
    totals.push(total);
    await list.close();
  }
  // What was written stays.
  expect(totals).toEqual([...totals].sort((a, b) => a - b));

  const server = await startServerProcess([root], env);
  const url = `http://127.0.0.1:${server.port}`;
  const read: Read = async (address) => JSON.parse((await server.get(address.replace(url, ''))).body.toString());
  const address = `${url}/activity/all-changes.json`;
  await expect.poll(async () => (await server.get('/activity/all-changes.json')).status, { timeout: 60_000 }).toBe(200);
  const { manifests } = await harvest(address, read, { manifests: new Set(), sinceMs: undefined });
  expect(manifests.size).toBe(folders);
  const activities = (await pagesOf(await collectionAt(address, read), read)).flatMap((page) => page.orderedItems);
  expect(activities.filter(({ type }) => type !== 'Create').map(({ type }) => type)).toEqual(['Refresh']);
  expect(await server.stop()).toBe(0);
});
