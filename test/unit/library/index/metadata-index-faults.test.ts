/** Disks that fail or hang where the index is kept: the library is served as if there were no index. */
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MetadataIndex } from '../../../../src/library/index/metadata-index.ts';
import type { Library } from '../../../../src/library/library.ts';
import { identifierOf, makeTemporaryLibrary, onePixel, type TemporaryLibrary } from '../../temporary-library.ts';

/** What happens to operations below a directory. */
const disk = vi.hoisted(() => ({ directory: '', failing: '', hanging: '' }));

vi.mock('node:fs/promises', async (importOriginal) => {
  const original = await importOriginal<Record<string, unknown>>();
  const faulty =
    (name: string, operation: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      const isThere = disk.directory !== '' && String(args[0]).startsWith(disk.directory);
      if (isThere && disk.hanging === name) return new Promise(() => undefined);
      if (isThere && disk.failing === name) {
        return Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }));
      }
      return operation(...args);
    };
  return Object.fromEntries(
    Object.entries(original).map(([name, value]) => [
      name,
      typeof value === 'function' ? faulty(name, value as (...args: unknown[]) => unknown) : value,
    ]),
  );
});

let temporary: TemporaryLibrary;
let faults: string[] = [];
let index: MetadataIndex;
let library: Library;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.now() + 60_000 });
  temporary = makeTemporaryLibrary();
  for (const name of ['a', 'b', 'c']) temporary.write(`scans/${name}.jpg`, onePixel);
  const directory = path.join(temporary.around, 'index');
  mkdirSync(directory);
  faults = [];
  Object.assign(disk, { directory, failing: '', hanging: '' });
  index = new MetadataIndex({ directory, maxBytes: 10_000_000, onFault: (message) => faults.push(message) });
  library = temporary.open({ store: index });
});

afterEach(() => {
  vi.useRealTimers();
  disk.directory = '';
  temporary.remove();
});

async function ask(name: string): Promise<void> {
  const located = await library.locate(identifierOf(name), 1);
  expect((located && (await library.describe(located)))?.resolutions[0].width).toBe(1);
}

const keptFiles = (): readonly string[] =>
  readdirSync(disk.directory, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.facts'));

it('a full disk is said once, and after a minute it is tried again', async () => {
  disk.failing = 'appendFile';
  await ask('a');
  await index.close();
  await ask('b');
  await index.close();
  expect(faults).toEqual([`Nothing can be kept in ${disk.directory} at the moment.`]);
  disk.failing = '';
  vi.advanceTimersByTime(61_000);
  await ask('c');
  await index.close();
  expect(keptFiles()).toHaveLength(1);
  expect(faults).toHaveLength(1);
});

it('a disk that can’t be read is left out', async () => {
  disk.failing = 'open';
  for (const name of ['a', 'b', 'c']) await ask(name);
  expect(faults).toEqual([`What was kept in ${disk.directory} can’t be read at the moment.`]);
});

it('a disk that hangs is waited for once, and then left out', async () => {
  disk.hanging = 'open';
  for (const name of ['a', 'b', 'c']) await ask(name);
  expect(faults).toEqual([`What was kept in ${disk.directory} can’t be read at the moment.`]);
});

it('a disk that hangs while it is written to holds up nothing but the end, for 2 s', async () => {
  disk.hanging = 'appendFile';
  await ask('a');
  const end = index.close();
  await ask('b');
  await end;
  expect(keptFiles()).toEqual([]);
});
