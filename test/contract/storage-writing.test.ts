// @module-tag object-store
/** Files that the server puts into a bucket of its own, on a real object store: whole, once, and found by name. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeOf } from '../../src/core/storage/file-errors.ts';
import { SingleObjects } from '../../src/core/storage/s3/single-objects.ts';
import { partBytes } from '../../src/core/storage/s3/upload.ts';
import { Spool } from '../../src/core/storage/spool.ts';
import { fingerprintOf } from '../../src/core/storage/storage.ts';
import { startFaultProxy } from '../s3/fault-proxy.ts';
import { type ObjectStore, startSwift, storeKey } from '../s3/swift.ts';
import { sampleOf } from '../sweep.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-writing-'));
const root = 's3:/of the server';
let store: ObjectStore;
const opened: SingleObjects[] = [];

beforeAll(async () => {
  store = await startSwift();
  await store.createBucket('written');
}, 120_000);

afterAll(async () => {
  for (const storage of opened) await storage.close();
  await store?.close();
  rmSync(scratch, { recursive: true, force: true });
});

/** As another server has it. */
function open({ endpoint }: { readonly endpoint: string } = store): SingleObjects {
  const spool = new Spool({ directory: scratch, maxBytes: 2 ** 30, onFault: (message) => expect.fail(message) });
  const storage = new SingleObjects({
    ...{ bucket: 'written', endpoint, pathStyle: true, credentials: storeKey },
    ...{ rootPath: root, prefix: 'a prefix/', spool },
  });
  opened.push(storage);
  return storage;
}

function localFile(bytes: Buffer): string {
  const file = path.join(scratch, randomBytes(6).toString('hex'));
  writeFileSync(file, bytes);
  return file;
}

it.each(sampleOf([1, 100_000, partBytes + 1, partBytes, 2.5 * partBytes], 3))(
  'a file of %i bytes is put whole, once',
  { tags: 'sampled', timeout: 60_000 },
  async (length) => {
    const bytes = randomBytes(length);
    const file = `${root}/${length}.tif`;
    const [one, other] = [open(), open()];
    const results = await Promise.all([one, other].map(({ writing }) => writing.putNew(file, localFile(bytes))));
    expect(results).toContain(true);
    expect(await other.writing.putNew(file, localFile(bytes))).toBe(false);
    const stats = await one.lstat(file);
    expect(stats.size).toBe(BigInt(length));
    expect((await store.get('written', `a prefix/${length}.tif`)).equals(bytes)).toBe(true);
    const version = { path: file, bytes: length, fingerprint: fingerprintOf(stats) };
    const at = Math.max(0, length - 10);
    expect(await one.handle(version).readRange(at, length - at, 'pixels')).toEqual(bytes.subarray(at));
  },
);

it('a store that refuses conditions of writing, as Swift does, gets the second file without one', async () => {
  const proxy = await startFaultProxy(store.port);
  const { writing } = open(proxy);
  const putCount = (): number => proxy.takeRequests().filter((request) => request.startsWith('PUT ')).length;
  expect(await writing.putNew(`${root}/first.tif`, localFile(randomBytes(1_000_000)))).toBe(true);
  expect(putCount()).toBe(2);
  expect(await writing.putNew(`${root}/second.tif`, localFile(randomBytes(1_000_000)))).toBe(true);
  expect(putCount()).toBe(1);
  expect(await writing.putNew(`${root}/second.tif`, localFile(randomBytes(1_000_000)))).toBe(false);
  expect(putCount()).toBe(0);
  await proxy.close();
});

it('what is missing is asked for again after others are told of, and what is deleted is gone', async () => {
  const [one, other] = [open(), open()];
  const file = `${root}/later.tif`;
  expect(await one.lstat(file).catch(codeOf)).toBe('ENOENT');
  await other.writing.putNew(file, localFile(Buffer.from('later')));
  expect(await one.lstat(file).catch(codeOf)).toBe('ENOENT');
  one.writing.forgetAbsent();
  expect((await one.lstat(file)).size).toBe(5n);
  await other.writing.remove(file);
  await other.writing.remove(file);
  expect(await other.lstat(file).catch(codeOf)).toBe('ENOENT');
});

it('a version that another has replaced is noticed when it is read, and not used', async () => {
  const storage = open();
  const file = `${root}/replaced.tif`;
  await storage.writing.putNew(file, localFile(Buffer.from('one version')));
  const version = { path: file, bytes: 11, fingerprint: fingerprintOf(await storage.lstat(file)) };
  await store.put('written', 'a prefix/replaced.tif', Buffer.from('two version'));
  await expect(storage.handle(version).readRange(0, 11, 'pixels')).rejects.toMatchObject({ code: 'changed' });
  expect(await storage.lstat(file).catch(codeOf)).toBe('ENOENT');
});
