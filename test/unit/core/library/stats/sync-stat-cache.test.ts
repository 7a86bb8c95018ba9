import { lstatSync, mkdtempSync, realpathSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SyncStatCache } from '../../../../../src/core/library/stats/sync-stat-cache.ts';

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'lectern-stats-')));
const isLocal =
  process.platform === 'linux' &&
  [0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630].includes(statfsSync(folder).type);
afterAll(() => rmSync(folder, { recursive: true }));

const stats = (file: string) => lstatSync(file, { bigint: true });

describe.skipIf(!isLocal)('a synchronous stat', () => {
  const file = path.join(folder, 'a');

  it('is made only of paths that were read asynchronously on a local disk', () => {
    writeFileSync(file, '1');
    const cache = new SyncStatCache([folder]);
    expect(cache.lstat(file)).toBeUndefined();
    cache.remember(file, stats(file));
    expect(cache.lstat(file)?.ino).toBe(stats(file).ino);
    expect(cache.lstat(path.join(folder, 'b'))).toBeUndefined();
  });

  it('is not made on another device, such as a file system mounted inside of the folder', () => {
    const cache = new SyncStatCache([folder]);
    cache.remember(
      file,
      Object.assign(Object.create(Object.getPrototypeOf(stats(file))), { dev: stats(file).dev + 1n }),
    );
    expect(cache.lstat(file)).toBeUndefined();
    const network = new SyncStatCache(['/proc']);
    network.remember('/proc/self/stat', stats('/proc/self/stat'));
    expect(network.lstat('/proc/self/stat')).toBeUndefined();
  });

  it('is made of every path on a local disk where stats may wait', () => {
    writeFileSync(file, '1');
    const cache = new SyncStatCache([folder, '/proc'], { mayWait: true });
    expect(cache.lstat(file)?.ino).toBe(stats(file).ino);
    expect(cache.lstat(path.join(folder, 'missing'))).toBeUndefined();
    expect(cache.lstat(path.join(folder, 'missing/too'))).toBeUndefined();
    expect(cache.lstat('/proc/self/stat')).toBeUndefined();
  });

  it('returns the current stats, and undefined for a file that was removed', async () => {
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    const cache = new SyncStatCache([folder]);
    cache.remember(file, stats(file));
    const before = cache.lstat(file)?.ino;
    writeFileSync(path.join(folder, 'next'), '2');
    renameSync(path.join(folder, 'next'), file);
    await turn();
    expect(cache.lstat(file)?.ino).not.toBe(before);
    rmSync(file);
    await turn();
    expect(cache.lstat(file)).toBeUndefined();
  });
});
