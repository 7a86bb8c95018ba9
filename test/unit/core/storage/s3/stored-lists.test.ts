import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BucketFolders } from '../../../../../src/core/storage/s3/bucket-folders.ts';
import type { ListedPage } from '../../../../../src/core/storage/s3/bucket-requests.ts';
import type { BucketFolder } from '../../../../../src/core/storage/s3/paged-list.ts';
import { StoredLists } from '../../../../../src/core/storage/s3/stored-lists.ts';

let directory: string;
let faults: string[];
let lists: StoredLists;

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'lectern-lists-'));
  faults = [];
  lists = new StoredLists({ directory, onFault: (message) => faults.push(message) });
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const folderOf = (names: number): BucketFolder => ({
  files: new Map(
    Array.from({ length: names }, (_, index) => [
      `p\u2028"${index}.tif`,
      { size: index, etag: `"e${index}"`, modifiedMs: 1_700_000_000_000 + index },
    ]),
  ),
  folders: new Set(['a', 'b']),
  isMarked: false,
  version: 2n ** 62n + 1n,
  listedMs: 1_700_000_000_000,
});

const files = (): readonly string[] =>
  readdirSync(path.join(directory, 'lectern-lists')).filter((name) => name.endsWith('.list'));
const fileOf = (name = files()[0] ?? ''): string => path.join(directory, 'lectern-lists', name);

it('gives back a long list as it was, by its key only', async () => {
  const folder = folderOf(2500);
  await lists.write('key', folder);
  expect(await lists.read('key')).toEqual(folder);
  expect(await lists.read('other')).toBeUndefined();
  expect(faults).toEqual([]);
});

it('keeps a short list, and none without names', async () => {
  const folder = { ...folderOf(1), folders: new Set<string>() };
  await lists.write('key', folder);
  expect(await lists.read('key')).toEqual(folder);
  await lists.write('other', { ...folderOf(0), folders: new Set() });
  expect(await lists.read('other')).toBeUndefined();
});

it('takes no list that was cut or damaged', async () => {
  await lists.write('key', folderOf(2500));
  const whole = readFileSync(fileOf());
  truncateSync(fileOf(), whole.length >> 1);
  expect(await lists.read('key')).toBeUndefined();
  const damaged = Buffer.from(whole);
  damaged[whole.length >> 1] = (damaged[whole.length >> 1] ?? 0) ^ 0x5a;
  writeFileSync(fileOf(), damaged);
  expect(await lists.read('key')).toBeUndefined();
  writeFileSync(fileOf(), whole);
  expect(await lists.read('key')).toBeDefined();
  expect(faults).toHaveLength(2);
});

/** A bucket with 3000 keys, each page of which takes so long, in ms. */
function slowBucket(pageMs: number) {
  const state = { pages: 0 };
  return {
    state,
    async list(_prefix: string, token = '0'): Promise<ListedPage> {
      state.pages++;
      await pause(pageMs);
      const from = Number(token);
      const objects = Array.from(
        { length: 1000 },
        (_, index) => [`p${from + index}.tif`, { size: 1, etag: '"e"', modifiedMs: 0 }] as const,
      );
      return { objects, folders: [], next: from < 2000 ? String(from + 1000) : undefined };
    },
  };
}

it('spares the next process the listing, which it then makes in the background', async () => {
  const kept = {
    read: () => lists.read('key'),
    write: (_: string, folder: BucketFolder) => lists.write('key', folder),
  };
  const before = new BucketFolders(slowBucket(0), { refreshMs: 60_000, kept });
  const folder = await before.folder('scans/');
  await expect.poll(() => files().length).toBe(1);

  const bucket = slowBucket(0);
  const after = new BucketFolders(bucket, { refreshMs: 60_000, kept });
  const [one, other] = await Promise.all([after.folder('scans/'), after.folder('scans/')]);
  expect(one).toBe(other);
  expect(one).toEqual(folder);
  expect(bucket.state.pages).toBe(0);

  // Stale at once: the new list is waited for, but not for as long as it takes.
  const slow = slowBucket(5000);
  const late = new BucketFolders(slow, { refreshMs: 0, kept });
  const startMs = performance.now();
  expect((await late.folder('scans/')).files.size).toBe(3000);
  expect(performance.now() - startMs).toBeLessThan(4000);
  expect(slow.state.pages).toBe(1);
});
