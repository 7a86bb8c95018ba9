/** Derivatives in memory, and single flight for concurrent requests. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { entryOverheadBytes } from '../../../../src/core/cache/memory-cache.ts';
import { bytesOf, makeFolder, open, request } from './cache-folder.ts';

const mebibyte = 1024 * 1024;

describe('a thousand equal requests at once', () => {
  it('make one derivative, and all get it', async () => {
    const { cache } = open({ memoryBytes: mebibyte });
    const make = vi.fn(async () => bytesOf('a'));
    const answers = await Promise.all(Array.from({ length: 1000 }, () => cache.getOrCreate('a', make)));
    expect(make).toHaveBeenCalledTimes(1);
    expect(new Set(answers).size).toBe(1);
    expect(cache.stats()).toMatchObject({ hits: { memory: 0, disk: 0, joined: 999 }, misses: 1 });
  });

  it('make one where nothing is cached at all', async () => {
    const { cache } = open({ memoryBytes: 0 });
    const make = vi.fn(async () => bytesOf('a'));
    await Promise.all(Array.from({ length: 1000 }, () => cache.getOrCreate('a', make)));
    await cache.getOrCreate('a', make);
    expect(make).toHaveBeenCalledTimes(2);
    expect(cache.peek('a')).toBeUndefined();
  });

  it('fail together where making fails, and the next request makes it again', async () => {
    const { cache } = open({ memoryBytes: mebibyte });
    const failure = new Error('no such picture');
    const answers = await Promise.allSettled(
      Array.from({ length: 1000 }, () => cache.getOrCreate('a', () => Promise.reject(failure))),
    );
    expect(answers.every((answer) => answer.status === 'rejected' && answer.reason === failure)).toBe(true);
    expect(cache.peek('a')).toBeUndefined();
    expect(await request(cache, 'a')).toBe('made');
  });

  it('fail where `make` throws synchronously', async () => {
    const { cache } = open({ memoryBytes: mebibyte });
    const broken = (): Promise<Buffer> => {
      throw new Error('at once');
    };
    await expect(cache.getOrCreate('a', broken)).rejects.toThrow('at once');
    expect(await request(cache, 'a')).toBe('made');
  });
});

describe('in memory', () => {
  it('keeps what was made without waiting from the second time on', () => {
    const { cache } = open({ memoryBytes: mebibyte });
    cache.keep('a', bytesOf('a'));
    expect(cache.peek('a')).toBeUndefined();
    cache.keep('a', bytesOf('a'));
    expect(cache.peek('a')).toEqual(bytesOf('a'));
    expect(cache.stats()).toMatchObject({ hits: { memory: 1 }, misses: 2 });
  });

  const cost = (length: number, key: string): number => length + key.length + entryOverheadBytes;

  it('a derivative that was made is found synchronously, under its own key only', async () => {
    const { cache } = open({ memoryBytes: mebibyte });
    await request(cache, 'a');
    expect(cache.peek('a')).toEqual(bytesOf('a'));
    expect(cache.peek('b')).toBeUndefined();
    expect(await request(cache, 'a')).toBe('cached');
    expect(cache.stats().hits.memory).toBe(2);
  });

  it('an entry of an eighth of the bound is stored, and a longer one is not', async () => {
    const { cache } = open({ memoryBytes: 80_000 });
    const most = 10_000 - cost(0, 'a');
    await request(cache, 'a', most);
    await request(cache, 'b', most + 1);
    expect(cache.peek('a')).toBeDefined();
    expect(cache.peek('b')).toBeUndefined();
  });

  it('the bound holds to the byte, and the least recently used entry goes first', async () => {
    const each = cost(1000, 'k0');
    const { cache } = open({ memoryBytes: 10 * each });
    for (let index = 0; index < 10; index++) await request(cache, `k${index}`);
    expect(cache.stats().memory).toEqual({ entries: 10, bytes: 10 * each, maxBytes: 10 * each, evictions: 0 });
    cache.peek('k0');
    await request(cache, 'kx');
    expect(cache.stats().memory).toEqual({ entries: 10, bytes: 10 * each, maxBytes: 10 * each, evictions: 1 });
    expect(cache.peek('k0')).toBeDefined();
    expect(cache.peek('k1')).toBeUndefined();
  });

  it('a part of something larger is copied, so that the rest does not stay in memory with it', async () => {
    const { cache } = open({ memoryBytes: mebibyte });
    const pool = Buffer.alloc(mebibyte, 7);
    const answer = await cache.getOrCreate('a', async () => pool.subarray(500, 600));
    expect(answer).toEqual(Buffer.alloc(100, 7));
    expect(answer.buffer.byteLength).toBe(100);
    expect(cache.peek('a')).toBe(answer);
  });

  it('nothing stays without requests for a while where it is on disk, and what is not there does', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const onDisk = open({ memoryBytes: mebibyte, restMs: 1000, disk: { directory: makeFolder(), maxBytes: mebibyte } });
    const inMemory = open({ memoryBytes: mebibyte, restMs: 1000 });
    for (const { cache } of [onDisk, inMemory]) await request(cache, 'a');
    for (let times = 0; times < 3; times++) {
      vi.advanceTimersByTime(900);
      expect(onDisk.cache.peek('a')).toEqual(bytesOf('a'));
    }
    vi.advanceTimersByTime(1100);
    expect(onDisk.cache.stats().memory).toMatchObject({ entries: 0, bytes: 0, evictions: 0 });
    expect(inMemory.cache.peek('a')).toEqual(bytesOf('a'));
    expect(await request(onDisk.cache, 'a')).toBe('cached');
    expect(onDisk.cache.stats()).toMatchObject({ hits: { disk: 1 }, memory: { entries: 1 } });
  });

  it('a buffer of its own is not copied', async () => {
    const { cache } = open({ memoryBytes: mebibyte });
    const own = Buffer.alloc(50_000);
    expect(await cache.getOrCreate('a', async () => own)).toBe(own);
  });
});
