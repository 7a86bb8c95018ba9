/** The store of derived pyramids: its bound, which pyramids are evicted, and the lock for each pyramid. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { isLocked, takeLock } from '../../../../src/core/pyramids/lock.ts';
import {
  contentKey,
  contentOf,
  lockName,
  pyramidName,
  pyramidOfWork,
  workName,
} from '../../../../src/core/pyramids/pyramid-store.ts';
import { LocalPyramidStore } from '../../../../src/core/pyramids/store.ts';
import { imageOf } from '../image/image-builder.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-store-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(path.join(scratch, 'store-'));
});

const nameOf = (index: number): string => pyramidName(index.toString(16).padStart(24, '0'), '/scans/x.jpg');

/** A store with pyramids of 1,000 bytes, whose last uses were `ages` minutes ago. */
async function storeOf(ages: readonly number[], maxBytes = 1000 * ages.length): Promise<LocalPyramidStore> {
  const store = new LocalPyramidStore({ directory, maxBytes });
  await store.prepare();
  for (const [index, minutes] of ages.entries()) {
    writeFileSync(path.join(directory, nameOf(index)), Buffer.alloc(1000));
    const used = path.join(directory, 'used', nameOf(index));
    writeFileSync(used, '');
    const when = Date.now() / 1000 - minutes * 60;
    utimesSync(used, when, when);
  }
  return store;
}

/** The same, with another protection time: a file that was just written counts as used just now. */
async function storeProtecting(
  protectedMs: number,
  ages: readonly number[],
  maxBytes = 1000 * ages.length,
): Promise<LocalPyramidStore> {
  await storeOf(ages, maxBytes);
  return new LocalPyramidStore({ directory, maxBytes, protectedMs });
}

const left = (): readonly string[] =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.tif'))
    .sort();
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('names', () => {
  const [source] = imageOf({ width: 5000, height: 4000 }).resolutions;

  test.each([
    ['another version of the file', { ...source, file: { ...source.file, fingerprint: 'other' } }, 85],
    ['another orientation', { ...source, orientation: 6 as const }, 85],
    ['another quality', source, 84],
  ])('differ for %s', (_, other, quality) => {
    expect(contentKey(other, quality)).not.toBe(contentKey(source, 85));
  });

  it('differ for another path, with the same content', () => {
    const content = contentKey(source, 85);
    const names = ['/a/x.jpg', '/b/x.jpg'].map((realPath) => pyramidName(content, realPath));
    expect(new Set(names).size).toBe(2);
    expect(names.map(contentOf)).toEqual([content, content]);
  });

  test.each(['x.tif', 'lectern-.tif', 'lectern-1.tif', `${nameOf(1)}.bak`, `../${nameOf(1)}`, `${nameOf(1)}\n`])(
    '%j is not ours',
    (name) => expect([contentOf(name), pyramidOfWork(name)]).toEqual([undefined, undefined]),
  );

  test.each([
    lockName(nameOf(1)),
    workName(nameOf(1), '0123456789abcdef'),
    `${workName(nameOf(1), '0123456789abcdef')}.colors`,
  ])('%s belongs to its pyramid', (name) => expect(pyramidOfWork(name)).toBe(nameOf(1)));
});

describe('space', () => {
  it('is made by evicting the least recently used pyramids, and no more than needed', async () => {
    const store = await storeProtecting(0, [30, 60, 40]);
    await store.refresh();
    await pause(5);
    store.use(nameOf(0));
    await pause(5);
    store.use(nameOf(1));
    await pause(5);
    expect(await store.makeSpace(900, 0)).toBeUndefined();
    expect(left()).toEqual([nameOf(0), nameOf(1)]);
    expect(await store.makeSpace(1500, 0)).toBeUndefined();
    expect(left()).toEqual([nameOf(1)]);
  });

  it('is not made by evicting pyramids that were used recently', async () => {
    const store = await storeOf([30, 60, 40]);
    expect(await store.makeSpace(900, 0)).toMatch(/^The store of 1 MB is full of pyramids that are in use\.$/);
    expect(left()).toHaveLength(3);
  });

  it('is not made by evicting pyramids that another process has used since', async () => {
    const store = await storeProtecting(2000, [30, 60]);
    await store.refresh();
    await pause(2100);
    const now = new Date();
    for (const index of [0, 1]) utimesSync(path.join(directory, 'used', nameOf(index)), now, now);
    expect(await store.makeSpace(500, 0)).toMatch(/in use/);
    expect(left()).toHaveLength(2);
  });

  it('is not made where all pyramids that may be evicted do not suffice', async () => {
    const store = await storeProtecting(0, [30, 60]);
    expect(await store.makeSpace(2500, 0)).toMatch(/in use/);
    expect(left()).toHaveLength(2);
  });

  it('is not made by evicting pyramids that are to be kept', async () => {
    const store = await storeProtecting(0, [30, 60]);
    await pause(5);
    expect(await store.makeSpace(900, 0, new Set([nameOf(0)]))).toBeUndefined();
    expect(left()).toEqual([nameOf(0)]);
  });

  it('is there within the bound, and nothing is evicted', async () => {
    const store = await storeProtecting(0, [30, 60], 5000);
    expect(await store.makeSpace(3000, 0)).toBeUndefined();
    expect(left()).toHaveLength(2);
  });

  it('is not made on a disk that is full', async () => {
    const store = await storeOf([], 1e18);
    expect(await store.makeSpace(1e16, 0)).toMatch(/^The disk has [\d,]+ MB left, and [\d,]+ MB should be free\.$/);
  });
});

describe('the files on disk', () => {
  it('of other processes are found, and forgotten when they are removed', async () => {
    const store = await storeOf([30]);
    await store.refresh();
    expect([store.has(nameOf(0)), store.load()]).toEqual([true, { count: 1, bytes: 1000 }]);
    expect(store.mayHave(contentOf(nameOf(0)) ?? '')).toBe(true);
    writeFileSync(path.join(directory, nameOf(7)), 'other');
    await store.refresh();
    expect(store.load()).toEqual({ count: 2, bytes: 1005 });
    rmSync(directory, { recursive: true });
    await store.refresh();
    expect([store.isEmpty, store.mayHave(contentOf(nameOf(0)) ?? '')]).toEqual([true, false]);
  });

  it('that are not ours are never deleted', async () => {
    const store = await storeProtecting(0, [30], 1000);
    const foreign = ['photo.tif', 'lectern-notes.tif', path.join('work', 'draft.tif'), path.join('used', 'mine')];
    for (const name of foreign) writeFileSync(path.join(directory, name), Buffer.alloc(5000));
    await store.refresh();
    await pause(5);
    expect(await store.makeSpace(1000, 0)).toBeUndefined();
    await store.drop('photo.tif');
    await store.sweep();
    expect(left()).toEqual(['lectern-notes.tif', 'photo.tif']);
    expect(foreign.every((name) => existsSync(path.join(directory, name)))).toBe(true);
  });

  it('that makers left when they died are deleted, but not those that are being written', async () => {
    const store = await storeOf([]);
    const work = (name: string): string => path.join(directory, 'work', name);
    const release = await store.lock(nameOf(1));
    for (const index of [1, 2]) writeFileSync(work(workName(nameOf(index), '0123456789abcdef')), 'half');
    writeFileSync(work(`${workName(nameOf(2), '0123456789abcdef')}.colors`), 'half');
    await store.sweep();
    expect(readdirSync(path.join(directory, 'work')).sort()).toEqual(
      [lockName(nameOf(1)), workName(nameOf(1), '0123456789abcdef')].sort(),
    );
    await release?.();
    await store.sweep();
    expect(readdirSync(path.join(directory, 'work'))).toEqual([]);
  });
});

describe('a lock', () => {
  const lock = (): string => path.join(directory, 'x.lock');
  const write = (holder: object, ageMs = 0): void => {
    writeFileSync(lock(), JSON.stringify(holder));
    const when = (Date.now() - ageMs) / 1000;
    utimesSync(lock(), when, when);
  };

  /** Runs a test with a process that lives until the test ends. */
  async function withProcess(use: (child: ChildProcess) => Promise<void>): Promise<void> {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)']);
    await use(child).finally(() => child.kill('SIGKILL'));
  }

  it('is held by one maker, until it is released', async () => {
    const release = await takeLock(lock());
    expect(release).toBeDefined();
    expect(await takeLock(lock())).toBeUndefined();
    expect(await isLocked(lock())).toBe(true);
    await release?.();
    expect(await isLocked(lock())).toBe(false);
    expect(await takeLock(lock())).toBeDefined();
  });

  it('that many want is taken by one', async () => {
    write({ pid: 2 ** 22 + 1, host: hostname() });
    const taken = await Promise.all(Array.from({ length: 20 }, () => takeLock(lock())));
    expect(taken.filter((release) => release !== undefined)).toHaveLength(1);
  });

  it('of another process is held as long as that process lives', async () => {
    await withProcess(async (child) => {
      write({ pid: child.pid, host: hostname() });
      expect(await takeLock(lock())).toBeUndefined();
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
      expect(await takeLock(lock())).toBeDefined();
    });
  });

  test.each<[string, object, number, boolean]>([
    ['of another machine', { pid: 1, host: 'elsewhere.example' }, 0, false],
    ['of another machine, renewed two minutes ago', { pid: 1, host: 'elsewhere.example' }, 120_000, false],
    ['of another machine, not renewed for four minutes', { pid: 1, host: 'elsewhere.example' }, 240_000, true],
    ['of another machine, of yesterday', { pid: 1, host: 'elsewhere.example' }, 86_400_000, true],
    ['with the id of this process, of an earlier process', { pid: process.pid, host: hostname() }, 0, true],
    ['that is being written', {}, 0, false],
    ['that was never written', {}, 60_000, true],
  ])('%s', async (_, holder, ageMs, isStale) => {
    write(holder, ageMs);
    expect((await takeLock(lock())) !== undefined).toBe(isStale);
  });

  it('is renewed as long as it is held, and not after that', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const release = await takeLock(lock());
      const renewedMs = (): number => statSync(lock()).mtimeMs;
      utimesSync(lock(), 1000, 1000);
      await vi.advanceTimersByTimeAsync(20_000);
      await expect.poll(renewedMs).toBeGreaterThan(Date.now() - 60_000);
      await release?.();
      write({ pid: 1, host: 'elsewhere.example' }, 60_000);
      const beforeMs = renewedMs();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(renewedMs()).toBe(beforeMs);
    } finally {
      vi.useRealTimers();
    }
  });

  it('in a folder that does not exist is an error', async () => {
    await expect(takeLock(path.join(directory, 'gone', 'x.lock'))).rejects.toThrow(/ENOENT/);
  });
});

it('moves a finished file to the pyramid’s name, and leaves nothing else', async () => {
  const store = await storeOf([]);
  const work = store.workPathOf(workName(nameOf(3), '0123456789abcdef'));
  mkdirSync(path.dirname(work), { recursive: true });
  writeFileSync(work, 'finished');
  await store.commit(nameOf(3), work);
  expect([left(), existsSync(work), store.has(nameOf(3))]).toEqual([[nameOf(3)], false, true]);
});
