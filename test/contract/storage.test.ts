/** What every storage of files does, on local folders and on a bucket of a real object store. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DiskStorage } from '../../src/core/storage/disk/disk-storage.ts';
import { codeOf } from '../../src/core/storage/file-errors.ts';
import type { ReadSteps } from '../../src/core/storage/read-steps.ts';
import { S3Storage } from '../../src/core/storage/s3/s3-storage.ts';
import { Spool } from '../../src/core/storage/spool.ts';
import { fingerprintOf, type Storage } from '../../src/core/storage/storage.ts';
import { type ObjectStore, startSwift, storeKey } from '../s3/swift.ts';

/** A storage, and how the test changes what is in it. */
interface Subject {
  readonly storage: Storage;
  /** The path of a folder of the storage. */
  readonly root: string;
  put(name: string, bytes: Buffer | string): Promise<void>;
  remove(name: string): Promise<void>;
}

const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-storage-'));
let store: ObjectStore | undefined;

afterAll(async () => {
  await store?.close();
  rmSync(scratch, { recursive: true, force: true });
});

function localFolder(): Subject {
  const root = path.join(scratch, 'local');
  return {
    storage: new DiskStorage(),
    root,
    async put(name, bytes) {
      mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      writeFileSync(path.join(root, name), bytes);
    },
    remove: async (name) => rmSync(path.join(root, name)),
  };
}

/** Lists each folder again whenever it is asked for. */
async function bucket(): Promise<Subject> {
  const opened = await startSwift();
  store = opened;
  await opened.createBucket('contract');
  const { endpoint } = opened;
  const spool = new Spool({ directory: scratch, maxBytes: 2 ** 30, onFault: (message) => expect.fail(message) });
  return {
    storage: new S3Storage({
      ...{ bucket: 'contract', bucketPath: 's3:/contract', endpoint, pathStyle: true, credentials: storeKey, spool },
      refreshMs: -1,
      pageKeys: 20,
    }),
    root: 's3:/contract/a prefix',
    put: (name, bytes) => opened.put('contract', `a prefix/${name}`, bytes),
    remove: (name) => opened.remove('contract', `a prefix/${name}`),
  };
}

const namesIn = async (storage: Storage, folder: string): Promise<readonly string[]> => {
  const names: string[] = [];
  for await (const entries of storage.list(folder)) for (const { name, kind } of entries) names.push(`${kind} ${name}`);
  return names.sort();
};

const codeOfRejection = async (result: Promise<unknown>): Promise<string | undefined> =>
  result.then(
    () => 'none',
    (error: unknown) => codeOf(error),
  );

describe('a local folder', () => contract(localFolder));
describe('a bucket', { tags: 'object-store' }, () => contract(bucket));

function contract(open: () => Subject | Promise<Subject>): void {
  let subject: Subject;
  const at = (name: string): string => `${subject.root}/${name}`;
  const fingerprint = async (name: string): Promise<string> =>
    fingerprintOf(await subject.storage.lstat(name === '' ? subject.root : at(name)));

  beforeAll(async () => {
    subject = await open();
    await subject.put('scan.tif', Buffer.from([...Array(1000).keys()].map((value) => value % 251)));
    await subject.put('Bände/ä b/+%[1].txt', 'words');
    await subject.put('Bände/other.txt', '');
  });

  it('lists the names of a folder with their kinds, in whatever letters', async () => {
    expect(await namesIn(subject.storage, subject.root)).toEqual(['file scan.tif', 'folder Bände']);
    expect(await namesIn(subject.storage, at('Bände'))).toEqual(['file other.txt', 'folder ä b']);
    expect(await namesIn(subject.storage, at('Bände/ä b'))).toEqual(['file +%[1].txt']);
  });

  it('lists a folder that needs several pages whole', async () => {
    const names = [...Array(50).keys()].map((index) => `many/${String(index).padStart(4, '0')}.txt`);
    for (let from = 0; from < names.length; from += 20)
      await Promise.all(names.slice(from, from + 20).map((name) => subject.put(name, '')));
    expect(await namesIn(subject.storage, at('many'))).toHaveLength(50);
    await Promise.all(names.map((name) => subject.remove(name)));
  });

  it('tells the stats of files and folders', async () => {
    const file = await subject.storage.lstat(at('scan.tif'));
    expect([file.size, file.isFile(), file.isDirectory(), file.isSymbolicLink()]).toEqual([1000n, true, false, false]);
    expect(Math.abs(Number(file.mtimeMs) - Date.now())).toBeLessThan(120_000);
    const folder = (await subject.storage.follow(at('Bände'))).stats;
    expect([folder.isFile(), folder.isDirectory()]).toEqual([false, true]);
  });

  it.each(['none', 'none/scan.tif', 'scan.tif/below', 'Bände/none', 'scan'])('finds nothing at %s', async (name) => {
    expect(await codeOfRejection(subject.storage.lstat(at(name)))).toMatch(/^(?:ENOENT|ENOTDIR)$/);
    expect(await codeOfRejection(subject.storage.use(at(name), async () => undefined))).toMatch(/^(?:ENOENT|ENOTDIR)$/);
    expect(await codeOfRejection(namesIn(subject.storage, at(name)))).toMatch(/^(?:ENOENT|ENOTDIR)$/);
  });

  it.each([
    [0, 10, 10],
    [990, 10, 10],
    [990, 20, 10],
    [1000, 10, 0],
    [500, 0, 0],
  ])('reads from %i on %i bytes: there are %i', async (from, length, expected) => {
    const bytes = await subject.storage.use(at('scan.tif'), (file) => file.read(from, length));
    expect([...bytes]).toEqual([...Array(expected).keys()].map((index) => (from + index) % 251));
  });

  it('reads a file with characters that addresses reserve, and an empty one', async () => {
    for (const [name, text] of [
      ['Bände/ä b/+%[1].txt', 'words'],
      ['Bände/other.txt', ''],
    ] as const) {
      await subject.storage.use(at(name), async (file) => {
        expect(String(await file.read(0, 100))).toBe(text);
        expect(await file.realPath()).toBe(at(name));
      });
    }
  });

  it('has handles of a version: ranges, steps, the whole as a stream and as a copy on a disk', async () => {
    const path = at('scan.tif');
    const whole = Buffer.from([...Array(1000).keys()].map((value) => value % 251));
    const file = { path, bytes: 1000, fingerprint: await fingerprint('scan.tif') };
    const handle = subject.storage.handle(file);
    expect(await handle.readRange(10, 20, 'pixels')).toEqual(whole.subarray(10, 30));
    function* steps(): ReadSteps<readonly (Buffer | undefined)[]> {
      return [yield { at: 0, bytes: 3 }, yield { at: 990, bytes: 20 }];
    }
    expect(await handle.readSteps(steps)).toEqual([whole.subarray(0, 3), undefined]);
    expect(await (await handle.read()).readWhole()).toEqual(whole);
    expect(Buffer.concat(await (await handle.read()).stream(5, 14).toArray())).toEqual(whole.subarray(5, 15));
    expect(await handle.withLocalCopy(async (copy) => readFileSync(copy.path))).toEqual(whole);
    await handle.requireAnswer();
    await handle.requireCurrent();
    const other = subject.storage.handle({ ...file, fingerprint: 'another' });
    const results = [other.requireCurrent(), other.read(), other.readRange(0, 1, 'pixels'), other.readSteps(steps)];
    expect(await Promise.all(results.map((result) => codeOfRejection(result)))).toEqual(Array(4).fill('changed'));
  });

  it('has another fingerprint for another content of the same length, and for other names', async () => {
    await subject.put('changing.txt', 'one');
    const [file, folder] = [await fingerprint('changing.txt'), await fingerprint('')];
    expect([await fingerprint('changing.txt'), await fingerprint('')]).toEqual([file, folder]);
    await subject.put('changing.txt', 'two');
    expect(await fingerprint('changing.txt')).not.toBe(file);
    await subject.put('added.txt', '');
    const withAdded = await fingerprint('');
    expect(withAdded).not.toBe(folder);
    await subject.remove('added.txt');
    expect(await fingerprint('')).not.toBe(withAdded);
    await subject.remove('changing.txt');
  });
}
