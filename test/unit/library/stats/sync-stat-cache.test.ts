import { lstatSync, mkdtempSync, realpathSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SyncStatCache } from '../../../../src/library/stats/sync-stat-cache.ts';

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'lectern-looks-')));
const isLocal =
  process.platform === 'linux' &&
  [0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630].includes(statfsSync(folder).type);
afterAll(() => rmSync(folder, { recursive: true }));

const stats = (file: string) => lstatSync(file, { bigint: true });

describe.skipIf(!isLocal)('a quick look', () => {
  const file = path.join(folder, 'a');

  it('is taken only at what a usual look found on a local disk', () => {
    writeFileSync(file, '1');
    const looks = new SyncStatCache([folder]);
    expect(looks.lstat(file)).toBeUndefined();
    looks.remember(file, stats(file));
    expect(looks.lstat(file)?.ino).toBe(stats(file).ino);
    expect(looks.lstat(path.join(folder, 'b'))).toBeUndefined();
  });

  it('is not taken at what lies on another device, as a mount inside of the folder does', () => {
    const looks = new SyncStatCache([folder]);
    looks.remember(
      file,
      Object.assign(Object.create(Object.getPrototypeOf(stats(file))), { dev: stats(file).dev + 1n }),
    );
    expect(looks.lstat(file)).toBeUndefined();
    const network = new SyncStatCache(['/proc']);
    network.remember('/proc/self/stat', stats('/proc/self/stat'));
    expect(network.lstat('/proc/self/stat')).toBeUndefined();
  });

  it('sees what is there now, and leaves what is gone to the usual look', async () => {
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    const looks = new SyncStatCache([folder]);
    looks.remember(file, stats(file));
    const before = looks.lstat(file)?.ino;
    writeFileSync(path.join(folder, 'next'), '2');
    renameSync(path.join(folder, 'next'), file);
    await turn();
    expect(looks.lstat(file)?.ino).not.toBe(before);
    rmSync(file);
    await turn();
    expect(looks.lstat(file)).toBeUndefined();
  });
});
