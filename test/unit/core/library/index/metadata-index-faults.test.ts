/** A disk of the index that fails or hangs: the library answers as if there were no index. */
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MetadataIndex } from '../../../../../src/core/library/index/metadata-index.ts';
import type { Library } from '../../../../../src/core/library/library.ts';
import { type FileSystem, nodeFileSystem } from '../../../../../src/core/storage/file-system.ts';
import { identifierOf, makeTemporaryLibrary, onePixel, type TemporaryLibrary } from '../../../temporary-library.ts';

const failure = (code: string): Error => Object.assign(new Error(`${code}: the disk says no`), { code });

let temporary: TemporaryLibrary;
let directory = '';
let faults: string[] = [];
let index: MetadataIndex;
let library: Library;
/** The operation that fails or hangs. */
let faulty: { readonly operation?: keyof FileSystem; readonly code?: string } = {};

/** Node's file operations, of which the faulty one rejects with its code, or never returns where there is none. */
function faultyFileSystem(): FileSystem {
  const intercept = (operation: keyof FileSystem) => ({
    [operation]: (...values: unknown[]) => {
      if (faulty.operation !== operation) {
        return (nodeFileSystem[operation] as (...values: unknown[]) => unknown)(...values);
      }
      return faulty.code === undefined ? new Promise(() => undefined) : Promise.reject(failure(faulty.code));
    },
  });
  return { ...nodeFileSystem, ...intercept('append'), ...intercept('openToRead'), ...intercept('list') };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.now() + 60_000 });
  temporary = makeTemporaryLibrary();
  for (const name of ['a', 'b', 'c']) temporary.write(`scans/${name}.jpg`, onePixel);
  directory = path.join(temporary.around, 'index');
  mkdirSync(directory);
  faults = [];
  faulty = {};
  const onFault = (message: string) => void faults.push(message);
  index = new MetadataIndex({ directory, maxBytes: 10_000_000, onFault, fileSystem: faultyFileSystem() });
  library = temporary.open({ store: index });
});

afterEach(() => {
  vi.useRealTimers();
  temporary.remove();
});

async function describeImage(name: string): Promise<void> {
  const located = await library.locate(identifierOf(name), 1);
  expect((located && (await library.describe(located)))?.resolutions[0].width).toBe(1);
}

const storedFiles = (): readonly string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.facts'));

const unwritable = (): string => `Nothing can be written to the metadata index ${directory} at the moment.`;
const unreadable = (): string => `The metadata index ${directory} can’t be read.`;

it('a full disk is reported once, and written to again after a pause', async () => {
  faulty = { operation: 'append', code: 'ENOSPC' };
  await describeImage('a');
  await index.close();
  await describeImage('b');
  await index.close();
  expect(faults).toEqual([unwritable()]);
  faulty = {};
  vi.advanceTimersByTime(61_000);
  await describeImage('c');
  await index.close();
  expect(storedFiles()).toHaveLength(1);
  expect(faults).toHaveLength(1);
});

it('a disk that can’t be read is reported once', async () => {
  faulty = { operation: 'openToRead', code: 'EIO' };
  for (const name of ['a', 'b', 'c']) await describeImage(name);
  expect(faults).toEqual([unreadable()]);
});

it('a disk that hangs delays one read, and is not read until it answers', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] });
  faulty = { operation: 'openToRead' };
  const first = describeImage('a');
  await vi.advanceTimersByTimeAsync(10);
  await vi.waitFor(() => vi.advanceTimersByTimeAsync(500).then(() => expect(faults).toHaveLength(1)));
  await first;
  for (const name of ['b', 'c']) await describeImage(name);
  expect(faults).toEqual([`The metadata index ${directory} does not answer; it is left out until it does.`]);
});

it('a disk that hangs during a write delays only closing, for 2 s', async () => {
  faulty = { operation: 'append' };
  await describeImage('a');
  const closed = index.close();
  await describeImage('b');
  await closed;
  expect(storedFiles()).toEqual([]);
});

describe('a listing that fails while the bound is enforced', () => {
  it.each(['EIO', 'EMFILE', 'EACCES'])('(%s) is reported, and answers go on', async (code) => {
    faulty = { operation: 'list', code };
    await describeImage('a');
    await index.close();
    await describeImage('b');
    expect(faults).toEqual([unwritable()]);
  });

  it.each(['ENOENT', 'ENOTDIR'])('because the folder is gone (%s) is no fault', async (code) => {
    faulty = { operation: 'list', code };
    await describeImage('a');
    await index.close();
    expect(faults).toEqual([]);
  });
});
