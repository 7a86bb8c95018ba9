import {
  lstatSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { KnownStats, LocalDisks } from '../../../../../src/core/storage/disk/known-stats.ts';

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
    const cache = new KnownStats(new LocalDisks());
    expect(cache.lstat(file)).toBeUndefined();
    cache.remember(file, stats(file));
    expect(cache.lstat(file)?.ino).toBe(stats(file).ino);
    expect(cache.lstat(path.join(folder, 'b'))).toBeUndefined();
  });

  it('is not made on a disk that may hang, nor of a link whose disk is not known', () => {
    const link = path.join(folder, 'link');
    symlinkSync('/proc/self/stat', link);
    const cache = new KnownStats(new LocalDisks());
    cache.remember('/proc/self/stat', stats('/proc/self/stat'));
    cache.remember(link, stats(link));
    expect([cache.lstat('/proc/self/stat'), cache.lstat(link)]).toEqual([undefined, undefined]);
    cache.remember(folder, stats(folder));
    cache.remember(link, stats(link));
    expect(cache.lstat(link)?.isSymbolicLink()).toBe(true);
  });

  it('returns the current stats, and undefined for a file that was removed', async () => {
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    const cache = new KnownStats(new LocalDisks());
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
