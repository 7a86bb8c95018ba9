/** Derivatives on disk: what is stored, for how long, and that no other bytes than the right ones are ever answered. */
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addressOf, fileBytesOf } from '../../../../src/core/cache/entry-file.ts';
import { type FileSystem, nodeFileSystem } from '../../../../src/core/storage/file-system.ts';
import { bytesIn, bytesOf, fileOf, filesIn, fill, makeFolder, open, request, until } from './cache-folder.ts';

const gibibyte = 1024 ** 3;
const hour = 60 * 60 * 1000;
const home = 'lectern-derivatives';

afterEach(() => vi.useRealTimers());

const keys = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `key ${index + 100}`);
const fileBytes = (key: string, length = 1000): number => fileBytesOf(addressOf(key), Buffer.alloc(length));

describe('on disk, a derivative', () => {
  it.each([
    ['of some bytes', 'a', 1000],
    ['of no bytes', 'a', 0],
    ['of many bytes', 'a', 3_000_000],
    ['under a key with quotes and line ends', '{"file":"a\n\\"}', 10],
    ['under a long key', 'x'.repeat(5000), 10],
    ['under an empty key', '', 10],
    ['under a key with half a surrogate pair', 'a\ud800', 10],
  ])('%s is there after a restart', async (_label, key, length) => {
    const directory = makeFolder();
    await fill(directory, [key], length);
    const { cache, reported } = open({ disk: { directory, maxBytes: gibibyte } });
    expect(await request(cache, key, length)).toBe('cached');
    expect(cache.stats()).toMatchObject({ hits: { memory: 0, disk: 1, joined: 0 }, misses: 0, faults: 0 });
    expect(reported).toEqual([]);
  });

  it('is answered while it still waits to be written', async () => {
    const directory = makeFolder();
    const { cache } = open({ disk: { directory, maxBytes: gibibyte } });
    await request(cache, 'a');
    expect(await request(cache, 'a')).toBe('cached');
    expect(cache.stats().disk?.waitingBytes).toBe(fileBytes('a'));
    await cache.close();
    expect(cache.stats().disk).toMatchObject({ state: 'closed', entries: 1, bytes: fileBytes('a'), waitingBytes: 0 });
    expect(bytesIn(directory)).toBe(fileBytes('a'));
  });

  it('that was read is in memory from then on', async () => {
    const directory = makeFolder();
    await fill(directory, ['a']);
    const { cache } = open({ memoryBytes: 1e6, disk: { directory, maxBytes: gibibyte } });
    await request(cache, 'a');
    expect(cache.peek('a')).toEqual(bytesOf('a'));
  });

  it('is stored in a folder that is created, readable by nobody else, with a tag for backup programs', async () => {
    const directory = path.join(makeFolder(), 'not', 'there', 'yet');
    await fill(directory, ['a']);
    const tag = readFileSync(path.join(directory, home, 'CACHEDIR.TAG'), 'utf8');
    expect(tag.startsWith('Signature: 8a477f597d28d172789f06886806bc55\n')).toBe(true);
    expect(statSync(path.join(directory, home)).mode & 0o077).toBe(0);
    expect(statSync(fileOf(directory, 'a')).mode & 0o077).toBe(0);
  });

  it('is not written after the cache was closed', async () => {
    const directory = makeFolder();
    const { cache } = open({ disk: { directory, maxBytes: gibibyte } });
    await cache.close();
    await request(cache, 'a');
    await cache.close();
    expect(filesIn(directory)).toEqual([]);
  });

  it('is stored in a directory that is a symbolic link', async () => {
    const directory = makeFolder();
    const link = path.join(makeFolder(), 'link');
    symlinkSync(directory, link);
    await fill(link, ['a']);
    const { cache, reported } = open({ disk: { directory, maxBytes: gibibyte } });
    expect(await request(cache, 'a')).toBe('cached');
    expect(reported).toEqual([]);
  });
});

describe('a file that is not what was written', () => {
  const flip = (file: string, position: number): void => {
    const bytes = readFileSync(file);
    bytes[position] = (bytes[position] ?? 0) ^ 1;
    writeFileSync(file, bytes);
  };
  const headerBytes = fileBytes('a', 0);

  it.each<readonly [string, (file: string, directory: string) => void]>([
    ['empty', (file) => truncateSync(file, 0)],
    ['shorter by a byte', (file) => truncateSync(file, fileBytes('a') - 1)],
    ['cut in its header', (file) => truncateSync(file, 20)],
    ['longer by a byte', (file) => appendFileSync(file, 'x')],
    ['longer than any of ours', (file) => truncateSync(file, 3 * gibibyte)],
    ['of zeros', (file) => writeFileSync(file, Buffer.alloc(fileBytes('a')))],
    ['a bit changed in its first byte', (file) => flip(file, 0)],
    ['another version', (file) => flip(file, 8)],
    ['a bit changed in the length of the key', (file) => flip(file, 12)],
    ['a bit changed in the length of the payload', (file) => flip(file, 16)],
    ['a bit changed in the checksum', (file) => flip(file, 20)],
    ['a bit changed in the key', (file) => flip(file, headerBytes - 2)],
    ['a bit changed in the first byte of the payload', (file) => flip(file, headerBytes)],
    ['a bit changed in the last byte', (file) => flip(file, fileBytes('a') - 1)],
    ['that of another key', (file, directory) => copyFileSync(fileOf(directory, 'b'), file)],
    [
      'a symbolic link',
      (file, directory) => {
        rmSync(file);
        symlinkSync(fileOf(directory, 'b'), file);
      },
    ],
  ])('(%s) is removed, counted, reported, and made anew', async (_label, damage) => {
    const directory = makeFolder();
    await fill(directory, ['a', 'b']);
    damage(fileOf(directory, 'a'), directory);
    // Above all of their lengths, so that none is evicted before it is read.
    const { cache, reported } = open({ disk: { directory, maxBytes: 8 * gibibyte } });
    expect(await request(cache, 'a')).toBe('made');
    expect(cache.stats().faults).toBe(1);
    expect(reported.map(({ message }) => message)).toEqual([expect.stringContaining('is removed and made anew')]);
    await cache.close();
    const again = open({ disk: { directory, maxBytes: gibibyte } });
    expect(await request(again.cache, 'a')).toBe('cached');
    expect(await request(again.cache, 'b')).toBe('cached');
    expect(again.reported).toEqual([]);
  });

  it('is counted once where a walk finds it while it is read', async () => {
    for (let times = 0; times < 20; times++) {
      const directory = makeFolder();
      await fill(directory, ['a']);
      truncateSync(fileOf(directory, 'a'), 3 * gibibyte);
      const { cache } = open({ disk: { directory, maxBytes: 8 * gibibyte } });
      await request(cache, 'a');
      await cache.close();
      expect(cache.stats().faults).toBe(1);
    }
  });

  it('is reported once where there are many, and all are counted', async () => {
    const directory = makeFolder();
    await fill(directory, keys(20));
    for (const key of keys(20)) truncateSync(fileOf(directory, key), 100);
    const { cache, reported } = open({ disk: { directory, maxBytes: gibibyte } });
    for (const key of keys(20)) expect(await request(cache, key)).toBe('made');
    expect(reported).toHaveLength(1);
    expect(cache.stats().faults).toBe(20);
  });
});

describe('the bound on disk', () => {
  const each = fileBytes('key 100');

  it.each([
    ['many', 20, 20 * each],
    ['four', 4, 4 * each],
    ['not quite three', 2, 3 * each - 1],
    ['one', 1, each],
  ])(
    'holds to the byte with room for %s after every step, temporary files included',
    async (_label, most, maxBytes) => {
      const directory = makeFolder();
      const seen: number[] = [];
      const fileSystem = {
        ...nodeFileSystem,
        create: async (file: string) => {
          const opened = await nodeFileSystem.create(file);
          const close = async (): Promise<void> => {
            await opened.close();
            seen.push(bytesIn(directory));
          };
          return { ...opened, close };
        },
      };
      const { cache } = open({ disk: { directory, maxBytes }, fileSystem });
      for (const key of keys(100)) await request(cache, key);
      await cache.close();
      expect(seen).toHaveLength(100);
      expect(Math.max(...seen)).toBe(most * each);
      expect(cache.stats().disk).toMatchObject({ bytes: bytesIn(directory), dropped: 0 });
    },
  );

  it('evicts down to 95 %', async () => {
    const directory = makeFolder();
    const { cache } = open({ disk: { directory, maxBytes: 100 * each } });
    for (const key of keys(101)) await request(cache, key);
    await cache.close();
    expect(cache.stats().disk).toMatchObject({ entries: 96, bytes: 96 * each, evictions: 5 });
    expect(filesIn(directory)).toHaveLength(96 + 1);
  });

  it('evicts the least recently used entry first, also across a restart', async () => {
    const directory = makeFolder();
    await fill(directory, keys(10));
    for (const [index, key] of keys(10).entries()) {
      const usedS = Date.now() / 1000 - 10_000 + index;
      utimesSync(fileOf(directory, key), usedS, usedS);
    }
    const { cache } = open({ disk: { directory, maxBytes: 10 * each } });
    expect(await request(cache, 'key 100')).toBe('cached');
    await request(cache, 'new');
    await cache.close();
    const left = keys(10).filter((key) => filesIn(directory).some((file) => fileOf(directory, key).endsWith(file)));
    expect(left).toEqual(['key 100', ...keys(10).slice(2)]);
  });

  it('holds at once where it is smaller than before', async () => {
    const directory = makeFolder();
    await fill(directory, keys(10));
    const { cache } = open({ disk: { directory, maxBytes: 5 * each } });
    await until(() => cache.stats().disk?.evictions === 6);
    expect(bytesIn(directory)).toBe(4 * each);
  });

  it('refuses what is longer than all of it', async () => {
    const directory = makeFolder();
    const { cache } = open({ disk: { directory, maxBytes: each - 1 } });
    await request(cache, 'key 100');
    await cache.close();
    expect(bytesIn(directory)).toBe(0);
    expect(cache.stats().disk?.dropped).toBe(1);
  });
});

describe('the last use', () => {
  it('is recorded in the file when an hour has passed, and not before', async () => {
    const directory = makeFolder();
    await fill(directory, ['old', 'young']);
    const nowMs = Date.now();
    const agoMs = { old: 2 * hour, young: hour / 2 };
    for (const [key, ms] of Object.entries(agoMs)) {
      utimesSync(fileOf(directory, key), (nowMs - ms) / 1000, (nowMs - ms) / 1000);
    }
    const { cache } = open({ disk: { directory, maxBytes: gibibyte } });
    await request(cache, 'old');
    await request(cache, 'young');
    await cache.close();
    expect(statSync(fileOf(directory, 'old')).mtimeMs).toBeGreaterThanOrEqual(nowMs - 1000);
    expect(statSync(fileOf(directory, 'young')).mtimeMs).toBeLessThan(nowMs - hour / 2 + 1000);
  });

  it('of an entry in memory counts on disk too, and an entry that is missing there is written again', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const directory = makeFolder();
    const { cache } = open({ memoryBytes: 1e6, disk: { directory, maxBytes: gibibyte } });
    await request(cache, 'a');
    await request(cache, 'gone');
    await until(() => cache.stats().disk?.entries === 2);
    rmSync(fileOf(directory, 'gone'));
    vi.setSystemTime(Date.now() + 2 * hour);
    cache.peek('a');
    cache.peek('gone');
    await until(() => cache.stats().disk?.entries === 1);
    expect(Math.abs(statSync(fileOf(directory, 'a')).mtimeMs - Date.now())).toBeLessThan(hour);
    vi.setSystemTime(Date.now() + 2 * hour);
    cache.peek('gone');
    await cache.close();
    expect(statSync(fileOf(directory, 'gone')).size).toBe(fileBytes('gone'));
  });
});

describe('at the start', () => {
  it('old temporary files are removed, and new ones stay for the process that may be writing them', async () => {
    const directory = makeFolder();
    await fill(directory, ['a']);
    const folder = path.join(directory, home, 'temporary');
    const nameOf = (digit: string): string => `${digit.repeat(32)}-${digit.repeat(16)}.temporary`;
    for (const digit of ['a', 'b']) writeFileSync(path.join(folder, nameOf(digit)), 'half');
    writeFileSync(path.join(folder, 'notes.txt'), 'mine');
    for (const name of [nameOf('a'), 'notes.txt']) utimesSync(path.join(folder, name), 1000, 1000);
    const { cache } = open({ disk: { directory, maxBytes: gibibyte } });
    await until(() => cache.stats().disk?.state === 'ready');
    expect(readdirSync(folder).sort()).toEqual([nameOf('b'), 'notes.txt']);
    expect(cache.stats().disk?.entries).toBe(1);
  });

  it('an entry is found before the folder is walked', async () => {
    const directory = makeFolder();
    await fill(directory, ['a']);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const list = (folder: string) => released.then(() => nodeFileSystem.list(folder));
    const { cache } = open({ disk: { directory, maxBytes: gibibyte }, fileSystem: { ...nodeFileSystem, list } });
    expect(await request(cache, 'a')).toBe('cached');
    expect(cache.stats().disk?.state).toBe('indexing');
    release();
    await until(() => cache.stats().disk?.state === 'ready');
  });
});

describe('a directory that holds other things', () => {
  it('loses none of them, and they are not left out of backups', async () => {
    const directory = makeFolder();
    const others = [
      'letter.txt',
      '.ssh/id_ed25519',
      'ab/cd/picture.jpg',
      `ab/cd/abcd${'0'.repeat(28)}.derivative`,
      `temporary/${'a'.repeat(32)}-${'a'.repeat(16)}.temporary`,
      `${home}/notes.txt`,
      `${home}/ab/notes.txt`,
      `${home}/ab/cd/notes.txt`,
      `${home}/ab/cd/${'f'.repeat(32)}.derivative`,
      `${home}/ab/cd/abcd${'0'.repeat(28)}.derivative.bak`,
      `${home}/xyz/abcd${'0'.repeat(28)}.derivative`,
      `${home}/temporary/draft.temporary`,
    ];
    for (const name of others) {
      const file = path.join(directory, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, `precious ${name}`);
      utimesSync(file, 1000, 1000);
    }
    symlinkSync(directory, path.join(directory, home, 'ee'));
    for (let round = 0; round < 3; round++) {
      const { cache } = open({ disk: { directory, maxBytes: 5 * fileBytes('key 100') } });
      for (const key of keys(40)) await request(cache, key);
      await cache.close();
      expect(cache.stats().disk?.evictions).toBeGreaterThan(30);
    }
    for (const name of others) expect(readFileSync(path.join(directory, name), 'utf8')).toBe(`precious ${name}`);
    expect(readdirSync(directory).sort()).toEqual(['.ssh', 'ab', home, 'letter.txt', 'temporary']);
  });

  it('keeps its own tag', async () => {
    const directory = makeFolder();
    mkdirSync(path.join(directory, home));
    writeFileSync(path.join(directory, home, 'CACHEDIR.TAG'), 'mine');
    await fill(directory, ['a']);
    expect(readFileSync(path.join(directory, home, 'CACHEDIR.TAG'), 'utf8')).toBe('mine');
  });
});

describe('two servers on one directory', () => {
  it('on a local disk open only files that exist, including those that the other has written', async () => {
    const directory = makeFolder();
    const disk = { directory, maxBytes: 1e9, isLocal: true };
    let opened = 0;
    const counting: FileSystem = {
      ...nodeFileSystem,
      openToRead: (file) => {
        opened++;
        return nodeFileSystem.openToRead(file);
      },
    };
    const { cache: one } = open({ disk });
    const { cache: other } = open({ disk, fileSystem: counting });
    expect(await request(other, 'another')).toBe('made');
    expect(opened).toBe(0);
    await request(one, 'a');
    await until(() => one.stats().disk?.entries === 1);
    expect(await request(other, 'a')).toBe('cached');
    expect(opened).toBe(1);
  });

  it('answer with entries that the other has written, and tolerate that the other removes entries', async () => {
    const directory = makeFolder();
    const maxBytes = 10 * fileBytes('key 100');
    const { cache: one, reported } = open({ disk: { directory, maxBytes } });
    const { cache: other, reported: reportedByOther } = open({ disk: { directory, maxBytes } });
    await request(one, 'key 100');
    await until(() => one.stats().disk?.entries === 1);
    expect(await request(other, 'key 100')).toBe('cached');
    await Promise.all(keys(60).flatMap((key) => [request(one, key), request(other, key)]));
    for (const key of keys(60)) await Promise.all([request(one, key), request(other, key)]);
    await Promise.all([one.close(), other.close()]);
    expect([...reported, ...reportedByOther]).toEqual([]);
    // Each file is evicted by one of them; how many by each depends on which of them is faster.
    const evictions = [one, other].map((cache) => cache.stats().disk?.evictions ?? 0);
    for (const count of evictions) expect(count).toBeGreaterThan(0);
    expect(evictions.reduce((sum, count) => sum + count)).toBeGreaterThan(40);
    expect(one.stats().faults + other.stats().faults).toBe(0);
  });
});
