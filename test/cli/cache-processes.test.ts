/** Processes that share a cache directory, or are killed while they write to it, never return wrong bytes. */
import { expect, it } from 'vitest';
import { bytesIn, makeFolder } from '../unit/core/cache/cache-folder.ts';
import { expectCacheSurvivesKills, startCacheProcess } from './cache-process.ts';

it('after kill -9 while files are written no bytes are wrong, and partial files are removed', () =>
  expectCacheSurvivesKills(7));

it('two processes share one directory, read each other’s files, and evict from it without errors', async () => {
  const directory = makeFolder();
  const work = { directory, maxBytes: 400_000, keys: 60, length: 10_000, rounds: 1000 };
  const processes = [startCacheProcess(work), startCacheProcess(work)];
  expect(await Promise.all(processes.map(({ ended }) => ended))).toEqual([0, 0]);
  const stats = processes.map(({ output }) => JSON.parse(output.stdout.split('\n').at(-2) ?? ''));
  expect(processes.map(({ output }) => output.stderr)).toEqual(['', '']);
  for (const { hits, disk, faults } of stats) {
    expect(hits.disk).toBeGreaterThan(100);
    expect(disk.evictions).toBeGreaterThan(10);
    expect(faults).toBe(0);
  }
  expect(bytesIn(directory)).toBeLessThanOrEqual(2 * work.maxBytes);
});
