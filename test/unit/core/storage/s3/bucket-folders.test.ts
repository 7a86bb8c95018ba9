import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { BucketFolders } from '../../../../../src/core/storage/s3/bucket-folders.ts';
import type { ListedPage } from '../../../../../src/core/storage/s3/bucket-requests.ts';

/** A bucket with this number of keys in pages of 1000, each of which takes a moment. */
function bucketOf(keys: number) {
  const state = { pages: 0, size: 1, fails: false };
  return {
    state,
    async list(_prefix: string, token = '0'): Promise<ListedPage> {
      state.pages++;
      await pause(1);
      if (state.fails) throw new Error('the store fails');
      const from = Number(token);
      const to = Math.min(keys, from + 1000);
      const objects = Array.from({ length: to - from }, (_, index) => {
        const object = { size: state.size, etag: `"${from + index}"`, modifiedMs: 0 };
        return [`p${String(from + index).padStart(6, '0')}.tif`, object] as const;
      });
      return { objects, folders: [], next: to < keys ? String(to) : undefined };
    },
  };
}

describe('a folder of 100,000 keys', () => {
  it('is listed page by page, once for all who ask, and delays nothing else', async () => {
    const bucket = bucketOf(100_000);
    const folders = new BucketFolders(bucket, { refreshMs: 60_000 });
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const startMs = performance.now();
    const [one, other] = await Promise.all([folders.folder('scans/'), folders.folder('scans/')]);
    delay.disable();
    const wholeNs = (performance.now() - startMs) * 1e6;
    expect(one).toBe(other);
    expect(one.files.size).toBe(100_000);
    expect(bucket.state.pages).toBe(100);
    // A listing in one piece delays others as long as it takes.
    expect(delay.percentile(99)).toBeLessThan(wholeNs / 4);
    expect(folders.known('scans/')).toBe(one);
    expect(bucket.state.pages).toBe(100);
  });

  it('is read again in the background when it is old, and then has the same version for the same names', async () => {
    const bucket = bucketOf(3000);
    const folders = new BucketFolders(bucket, { refreshMs: 50 });
    const first = await folders.folder('');
    await pause(100);
    bucket.state.size = 2;
    expect(folders.known('')).toBe(first);
    await expect.poll(() => folders.known('')?.files.get('p000000.tif')?.size).toBe(2);
    expect(folders.known('')?.version).toBe(first.version);
  });

  it('stays as it was while the store fails, and is awaited only where there is none', async () => {
    const bucket = bucketOf(10);
    const folders = new BucketFolders(bucket, { refreshMs: 1 });
    const first = await folders.folder('');
    bucket.state.fails = true;
    await pause(100);
    expect(await folders.folder('')).toBe(first);
    await expect(folders.folder('other/')).rejects.toThrow('the store fails');
  });
});

/** A bucket with these names in the order of their bytes, two to a page. */
function bucketWith(names: readonly string[]) {
  const sorted = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const state = { pages: 0, fails: false };
  const list = async (_prefix: string, token = '0'): Promise<ListedPage> => {
    state.pages++;
    if (state.fails) throw new Error('the store fails');
    const from = Number(token);
    const object = { size: 1, etag: '"e"', modifiedMs: 0 };
    const objects = sorted.slice(from, from + 2).map((name) => [name, object] as const);
    return { objects, folders: [], next: from + 2 < sorted.length ? String(from + 2) : undefined };
  };
  return { state, list };
}

async function firstNames(folders: BucketFolders, count: number): Promise<readonly string[]> {
  const taken: string[] = [];
  for await (const names of folders.namesInOrder('')) {
    taken.push(...names);
    if (taken.length >= count) break;
  }
  return taken.slice(0, count);
}

describe('the first names of a folder', () => {
  const names = [...Array(20).keys()].map((index) => `p${String(index).padStart(2, '0')}`);

  it('take as many pages of a list as have them, once, and the rest goes on from there', async () => {
    const bucket = bucketWith(names);
    const folders = new BucketFolders(bucket, { refreshMs: 60_000 });
    expect(await firstNames(folders, 3)).toEqual(names.slice(0, 3));
    expect(await firstNames(folders, 4)).toEqual(names.slice(0, 4));
    expect(bucket.state.pages).toBe(2);
    expect([...(await folders.folder('')).files.keys()]).toEqual(names);
    expect(bucket.state.pages).toBe(10);
  });

  it('are those in code-unit order, also where UTF-8 has another one', async () => {
    const others = ['a', 'b', '\uFF41', '\uFF42', '\u{1F600}', '\u{1F601}'];
    const folders = new BucketFolders(bucketWith(others), { refreshMs: 60_000 });
    expect(await firstNames(folders, 6)).toEqual([...others].sort());
    expect([...others].sort()[2]).toBe('\u{1F600}');
  });

  it('stay those that were listed while the store fails', async () => {
    const bucket = bucketWith(names);
    const folders = new BucketFolders(bucket, { refreshMs: 20 });
    await firstNames(folders, 3);
    bucket.state.fails = true;
    await pause(50);
    expect(await firstNames(folders, 3)).toEqual(names.slice(0, 3));
    await expect(firstNames(folders, 5)).rejects.toThrow('the store fails');
  });
});

describe('a folder with very many keys', () => {
  it('keeps the names alone, and is not listed where there are more than the bound', async () => {
    const folder = await new BucketFolders(bucketOf(12_000), { refreshMs: 60_000 }).folder('');
    expect([folder.files.size, folder.files.get('p000000.tif'), folder.files.get('p011999.tif')]).toEqual([
      12_000,
      undefined,
      undefined,
    ]);
    const bucket = bucketOf(12_000);
    const bounded = new BucketFolders(bucket, { refreshMs: 60_000, maxListedNames: 5000 });
    await expect(bounded.folder('')).rejects.toThrow(/^This folder has more than 5000 names, and is not listed; /);
    const { pages } = bucket.state;
    await expect(bounded.folder('')).rejects.toMatchObject({ code: 'too-large' });
    expect(pages).toBe(6);
    expect(bucket.state.pages).toBe(pages);
  });
});
