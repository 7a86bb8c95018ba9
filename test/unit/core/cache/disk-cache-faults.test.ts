/** A disk that is full, read-only, missing, blocked or hanging: answers are made without it, and it is used again when it works. */
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FileSystem, nodeFileSystem } from '../../../../src/core/storage/file-system.ts';
import { bytesIn, fileOf, filesIn, fill, makeFolder, open, request, until } from './cache-folder.ts';

const maxBytes = 1024 ** 3;
const mebibyte = 1024 * 1024;
const home = 'lectern-derivatives';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});

afterEach(() => vi.useRealTimers());

const failure = (code: string): Error => Object.assign(new Error(`${code}: the disk says no`), { code });

/** Node’s file operations, some of which call `before` first, which can reject or wait. */
function intercepted(operations: readonly (keyof FileSystem)[], before: () => Promise<void>): FileSystem {
  const real: FileSystem = nodeFileSystem;
  const changed = operations.map((name) => {
    const operation = real[name] as (...values: readonly unknown[]) => Promise<unknown>;
    return [name, (...values: readonly unknown[]) => before().then(() => operation(...values))];
  });
  return { ...real, ...Object.fromEntries(changed) };
}

/** A failure that can be switched off. */
function makeFailure(code: string) {
  const state = { fails: true };
  const trouble = async (): Promise<void> => {
    if (state.fails) throw failure(code);
  };
  return { state, trouble };
}

/** Something that waits for as long as it is reported to. */
function makeBarrier() {
  let release = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    release = resolve;
  });
  const counts = { waiting: 0 };
  const pass = async (): Promise<void> => {
    counts.waiting++;
    await opened;
    counts.waiting--;
  };
  return { pass, counts, release: () => release() };
}

describe('a disk that can’t be written', () => {
  it.each<readonly [string, string, readonly (keyof FileSystem)[]]>([
    ['is full', 'ENOSPC', ['create']],
    ['is over a quota', 'EDQUOT', ['makeFolder']],
    ['is full when the file is moved', 'ENOSPC', ['rename']],
    ['is read-only', 'EROFS', ['makeFolder', 'create']],
    ['belongs to somebody else', 'EACCES', ['makeFolder', 'create', 'list']],
    ['is broken', 'EIO', ['list']],
    ['has no file descriptors left', 'EMFILE', ['create']],
    ['is full when the tag is written', 'ENOSPC', ['createText']],
  ])(
    '(it %s) is reported once, not used during a pause, and used again when it works',
    async (_label, code, operations) => {
      const directory = makeFolder();
      const { state, trouble } = makeFailure(code);
      const { cache, reported } = open({ disk: { directory, maxBytes }, fileSystem: intercepted(operations, trouble) });
      for (const key of ['a', 'b', 'a', 'b']) await request(cache, key);
      await until(() => cache.stats().disk?.state === 'paused');
      expect(reported).toEqual([{ message: expect.stringContaining('can be written'), cause: failure(code) }]);
      expect(bytesIn(directory)).toBe(0);
      expect(cache.stats().disk?.waitingBytes).toBe(0);
      state.fails = false;
      expect(await request(cache, 'a')).toBe('made');
      expect(cache.stats().disk?.waitingBytes).toBe(0);
      vi.advanceTimersByTime(1000);
      expect(await request(cache, 'a')).toBe('made');
      await until(() => cache.stats().disk?.entries === 1);
      expect(cache.stats().disk?.state).toBe('ready');
      expect(await request(cache, 'a')).toBe('cached');
      expect(reported).toHaveLength(1);
    },
  );

  it('is tried again after 1 s, then after pauses that double up to a minute; a success resets the pause', async () => {
    let attempts = 0;
    let fails = true;
    const trouble = async (): Promise<void> => {
      attempts++;
      if (fails) throw failure('EIO');
    };
    const { cache, reported } = open({
      disk: { directory: makeFolder(), maxBytes },
      fileSystem: intercepted(['create'], trouble),
    });
    await until(() => cache.stats().disk?.state === 'ready');
    let key = 0;
    const secondsOfAttempts: number[] = [];
    const runFor = async (seconds: number): Promise<void> => {
      secondsOfAttempts.length = 0;
      for (let second = 0; second < seconds; second++) {
        const before = attempts;
        await request(cache, `key ${key++}`);
        await until(() => cache.stats().disk?.waitingBytes === 0);
        if (attempts > before) secondsOfAttempts.push(second);
        vi.advanceTimersByTime(1000);
      }
    };
    await runFor(250);
    expect(secondsOfAttempts).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
    expect(reported).toHaveLength(1);
    fails = false;
    vi.advanceTimersByTime(60_000);
    await runFor(1);
    fails = true;
    await runFor(5);
    expect(secondsOfAttempts).toEqual([0, 1, 3]);
    expect(reported).toHaveLength(2);
  });

  it('in the middle of a file leaves no part of it', async () => {
    const directory = makeFolder();
    const create: FileSystem['create'] = async (file) => {
      const opened = await nodeFileSystem.create(file);
      let left = 1.5 * mebibyte;
      const write = async (bytes: Buffer): Promise<number> => {
        if (left === 0) throw failure('ENOSPC');
        const count = await opened.write(bytes.subarray(0, left));
        left -= count;
        return count;
      };
      return { ...opened, write };
    };
    const { cache, reported } = open({ disk: { directory, maxBytes }, fileSystem: { ...nodeFileSystem, create } });
    await request(cache, 'a', 3 * mebibyte);
    await cache.close();
    expect(reported).toHaveLength(1);
    expect(filesIn(directory)).toEqual([`${home}/CACHEDIR.TAG`]);
  });

  it('but can be read still answers what it has', async () => {
    const directory = makeFolder();
    await fill(directory, ['a']);
    const { trouble } = makeFailure('EROFS');
    const writing = intercepted(['create', 'makeFolder', 'setModified', 'unlink', 'rename'], trouble);
    const { cache } = open({ disk: { directory, maxBytes }, fileSystem: writing });
    await request(cache, 'b');
    await until(() => cache.stats().disk?.state === 'paused');
    expect(await request(cache, 'a')).toBe('cached');
  });
});

describe('a disk that can’t be read', () => {
  it.each(['EIO', 'EACCES', 'ENOTDIR', 'EMFILE', 'ESTALE'])(
    '(%s) is treated as empty, and reported once',
    async (code) => {
      const directory = makeFolder();
      await fill(directory, ['a']);
      const { state, trouble } = makeFailure(code);
      const { cache, reported } = open({
        disk: { directory, maxBytes },
        fileSystem: intercepted(['openToRead'], trouble),
      });
      for (let round = 0; round < 3; round++) expect(await request(cache, `b${round}`)).toBe('made');
      expect(reported).toEqual([{ message: expect.stringContaining('can’t be read'), cause: failure(code) }]);
      expect(cache.stats().faults).toBe(3);
      state.fails = false;
      expect(await request(cache, 'a')).toBe('cached');
    },
  );
});

describe('a file where a folder should be', () => {
  const ways: readonly (readonly [string, (directory: string) => string])[] = [
    ['where the directory should be', (directory) => directory],
    ['where our folder should be', (directory) => path.join(directory, home)],
    ['where the folder of temporary files should be', (directory) => path.join(directory, home, 'temporary')],
    ['where the folder of the entry should be', (directory) => path.dirname(fileOf(directory, 'a'))],
  ];

  it.each(ways)(
    '(%s) is left alone and reported once, and the cache is used when it is gone',
    async (_label, pathOf) => {
      const directory = path.join(makeFolder(), 'cache');
      const blocked = pathOf(directory);
      await nodeFileSystem.makeFolder(path.dirname(blocked));
      writeFileSync(blocked, 'mine');
      const { cache, reported } = open({ disk: { directory, maxBytes } });
      expect(await request(cache, 'a')).toBe('made');
      await until(() => cache.stats().disk?.state === 'paused');
      expect(await request(cache, 'a')).toBe('made');
      expect(reported.filter(({ message }) => message.includes('can be written'))).toHaveLength(1);
      expect(reported.filter(({ message }) => message.includes('can’t be read')).length).toBeLessThanOrEqual(1);
      rmSync(blocked);
      vi.advanceTimersByTime(60_000);
      await request(cache, 'a');
      await until(() => cache.stats().disk?.entries === 1);
      expect(await request(cache, 'a')).toBe('cached');
    },
  );

  it('(a dangling link) is reported once, and the cache is used when it leads to a folder', async () => {
    const around = makeFolder();
    const directory = path.join(around, 'link');
    symlinkSync(path.join(around, 'absent', 'deep'), directory);
    const { cache, reported } = open({ disk: { directory, maxBytes } });
    expect(await request(cache, 'a')).toBe('made');
    await until(() => cache.stats().disk?.state === 'paused');
    expect(reported).toHaveLength(1);
    await nodeFileSystem.makeFolder(path.join(around, 'absent', 'deep'));
    vi.advanceTimersByTime(60_000);
    await request(cache, 'a');
    await until(() => cache.stats().disk?.entries === 1);
    expect(await request(cache, 'a')).toBe('cached');
  });
});

describe('a directory that is removed while it is used', () => {
  it.each([
    ['the whole of it', (directory: string) => [directory]],
    ['our folder', (directory: string) => [path.join(directory, home)]],
    [
      'all in our folder',
      (directory: string) => readdirSync(path.join(directory, home)).map((name) => path.join(directory, home, name)),
    ],
  ])('(%s) is created again, and its entries are forgotten', async (_label, pathsIn) => {
    const directory = path.join(makeFolder(), 'cache');
    const { cache, reported } = open({ disk: { directory, maxBytes } });
    const keys = Array.from({ length: 20 }, (_, index) => `key ${index}`);
    for (const key of keys) await request(cache, key);
    await until(() => cache.stats().disk?.entries === 20);
    for (const removed of pathsIn(directory)) rmSync(removed, { recursive: true });
    expect(await request(cache, 'key 3')).toBe('made');
    await until(() => cache.stats().disk?.entries === 1);
    expect(bytesIn(directory)).toBe(cache.stats().disk?.bytes);
    expect(filesIn(directory)).toContain(`${home}/CACHEDIR.TAG`);
    expect(await request(cache, 'key 3')).toBe('cached');
    expect(reported).toEqual([]);
  });
});

describe('a disk that hangs', () => {
  beforeEach(() => {
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  });

  /** Lets everything continue that waits for a real file operation. */
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  };

  it.each<readonly [string, keyof FileSystem]>([
    ['when a file is opened', 'openToRead'],
    ['when folders are listed', 'list'],
  ])('(%s) delays no answer by more than 2 s, and none while it hangs', async (_label, operation) => {
    const directory = makeFolder();
    const barrier = makeBarrier();
    const { cache, reported } = open({
      disk: { directory, maxBytes },
      fileSystem: intercepted([operation], barrier.pass),
    });
    await settle();
    const first = Promise.all(Array.from({ length: 50 }, (_, index) => request(cache, `key ${index}`)));
    await settle();
    expect(barrier.counts.waiting).toBeLessThanOrEqual(2);
    await vi.advanceTimersByTimeAsync(2000);
    expect(new Set(await first)).toEqual(new Set(['made']));
    expect(cache.stats().disk?.state).toBe('hanging');
    const before = barrier.counts.waiting;
    for (let index = 0; index < 50; index++) expect(await request(cache, `later ${index}`)).toBe('made');
    expect(barrier.counts.waiting).toBe(before);
    expect(reported.map(({ message }) => message)).toEqual([expect.stringContaining('does not answer')]);
    barrier.release();
    await until(() => cache.stats().disk?.state !== 'hanging');
    expect(await request(cache, 'after')).toBe('made');
    // Writing waits until nothing is being made.
    await vi.advanceTimersByTimeAsync(1000);
    vi.useRealTimers();
    await until(() => cache.stats().disk?.waitingBytes === 0 && (cache.stats().disk?.entries ?? 0) > 0);
    expect(await request(cache, 'after')).toBe('cached');
  });

  it('while it writes delays no answer, and an operation that returns after the cache was closed writes nothing', async () => {
    const directory = makeFolder();
    const barrier = makeBarrier();
    const { cache } = open({ disk: { directory, maxBytes }, fileSystem: intercepted(['create'], barrier.pass) });
    expect(await request(cache, 'a')).toBe('made');
    // The write begins when nothing has been made for a short time.
    while (barrier.counts.waiting === 0) {
      await settle();
      await vi.advanceTimersByTimeAsync(1);
    }
    const closed = cache.close();
    await vi.advanceTimersByTimeAsync(11_000);
    await closed;
    barrier.release();
    vi.useRealTimers();
    await until(() => barrier.counts.waiting === 0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await until(() => filesIn(directory).length === 1);
    expect(filesIn(directory)).toEqual([`${home}/CACHEDIR.TAG`]);
  });
});

describe('a disk that is slow', () => {
  it('delays no answer: at most 32 MiB wait to be written, and the rest is dropped', async () => {
    const directory = makeFolder();
    const barrier = makeBarrier();
    const { cache } = open({ disk: { directory, maxBytes }, fileSystem: intercepted(['create'], barrier.pass) });
    for (let index = 0; index < 40; index++) await request(cache, `key ${index}`, mebibyte);
    const waiting = cache.stats().disk;
    expect(waiting?.waitingBytes).toBeGreaterThan(31 * mebibyte);
    expect(waiting?.waitingBytes).toBeLessThanOrEqual(32 * mebibyte);
    expect(waiting?.dropped).toBe(9);
    barrier.release();
    await cache.close();
    expect(cache.stats().disk).toMatchObject({ entries: 31, waitingBytes: 0 });
    expect(cache.stats().disk?.bytes).toBe(bytesIn(directory));
  });
});

const mount = (directory: string) => spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', directory]);

const unmount = (directory: string) => spawnSync('umount', ['--lazy', directory]);

describe('a small disk', { tags: 'mount' }, () => {
  let directory = '';
  beforeEach(() => {
    directory = makeFolder();
    mount(directory);
  });
  afterEach(() => {
    unmount(directory);
  });

  it('that is full is not written to, and stores what fits', async () => {
    const { cache, reported } = open({ disk: { directory, maxBytes } });
    const length = 50_000;
    for (let index = 0; index < 100; index++) {
      await request(cache, `key ${index}`, length);
      await until(() => cache.stats().disk?.waitingBytes === 0);
      vi.advanceTimersByTime(60_000);
      // Pending operations then appear to have taken a minute.
      await until(() => cache.stats().disk?.state === 'ready');
    }
    expect(cache.stats().disk?.dropped).toBeGreaterThan(0);
    expect(cache.stats().disk?.entries).toBeGreaterThan(5);
    expect(cache.stats().disk?.evictions).toBeGreaterThan(20);
    await cache.close();
    expect(bytesIn(directory)).toBe(cache.stats().disk?.bytes);
    const last = [90, 91, 92, 93, 94, 95, 96, 97, 98, 99];
    expect(await Promise.all(last.map((index) => request(cache, `key ${index}`, length)))).toContain('cached');
    expect(reported.every(({ cause }) => (cause as NodeJS.ErrnoException).code === 'ENOSPC')).toBe(true);
  });

  it('that becomes read-only is only read, and written when that is possible again', async () => {
    const { cache, reported } = open({ disk: { directory, maxBytes } });
    await request(cache, 'a');
    await until(() => cache.stats().disk?.entries === 1);
    spawnSync('mount', ['-o', 'remount,ro', directory]);
    await request(cache, 'b');
    await until(() => cache.stats().disk?.state === 'paused');
    expect(await request(cache, 'a')).toBe('cached');
    expect(reported.map(({ cause }) => (cause as NodeJS.ErrnoException).code)).toEqual(['EROFS']);
    spawnSync('mount', ['-o', 'remount,rw', directory]);
    vi.advanceTimersByTime(1000);
    await request(cache, 'b');
    await until(() => cache.stats().disk?.entries === 2);
    await cache.close();
  });
});
