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
