/** The file system calls of a request: as few as possible, but never too few to detect a change. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Library } from '../../../../src/core/library/library.ts';
import {
  identifierOf,
  locate,
  makeTemporaryLibrary,
  onePixel,
  type TemporaryLibrary,
} from '../../temporary-library.ts';
import { callsOf } from './counted-calls.ts';

vi.mock('node:fs/promises', async (importOriginal) =>
  (await import('./counted-calls.ts')).countedCalls(importOriginal),
);
vi.mock('node:fs', async (importOriginal) => (await import('./counted-calls.ts')).countedSyncCalls(importOriginal));

let temporary: TemporaryLibrary;
beforeEach(() => {
  // Files that have just been written may change with the same fingerprint, so nothing of them would be cached.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  temporary = makeTemporaryLibrary();
  temporary.write('scans/a/b/page1.jpg', onePixel);
  temporary.write('scans/a/b/page2.jpg', onePixel);
  temporary.write('scans/top.jpg', onePixel);
});
afterEach(() => {
  temporary.remove();
  vi.useRealTimers();
});

async function describe(library: Library, name: string, page = 1): Promise<void> {
  const located = await library.locate(identifierOf(name), page);
  if (located === undefined) throw new Error(`there is no ${name}`);
  await library.imageMetadata(located);
  if ((await library.describe(located)) === undefined) throw new Error(`${name} can’t be read`);
}

const callsOfWork = (work: () => Promise<unknown>) => callsOf(temporary.around, work);

const alongThePath = ['lstat scans', 'lstat scans/a', 'lstat scans/a/b', 'lstat scans/a/b/page1.jpg'];

it.each([
  ['a/b/page1.jpg', alongThePath],
  ['a/b/page1', alongThePath],
  ['a/b/page1.png', alongThePath],
  ['a/b/page1;1', alongThePath],
  ['a/b', alongThePath],
  ['top', ['lstat scans', 'lstat scans/top.jpg']],
])('makes one stat of each folder along the path and one of the file: %s', async (name, expected) => {
  const library = temporary.open();
  await describe(library, name);
  expect(await callsOfWork(() => describe(library, name))).toEqual(expected);
});

it('makes stats of the metadata files that exist, and of no others', async () => {
  temporary.write('scans/a/index.meta', '<r/>');
  temporary.write('scans/a/b/page1.jpg.meta', '<r/>');
  const library = temporary.open();
  await describe(library, 'a/b/page1');
  expect(await callsOfWork(() => describe(library, 'a/b/page1'))).toEqual(
    [...alongThePath, 'lstat scans/a/b/page1.jpg.meta', 'lstat scans/a/index.meta'].sort(),
  );
});

it('makes the same stats of prescaled versions', async () => {
  const picture = path.join(import.meta.dirname, '../../../fixtures/golden/images/scaled/books/book1/page0001.jpg');
  temporary.write('small/a/b/page1.jpg', readFileSync(picture));
  const library = temporary.open({ roots: [`${temporary.around}/scans`, `${temporary.around}/small`] });
  await describe(library, 'a/b/page1');
  expect(await callsOfWork(() => describe(library, 'a/b/page1'))).toEqual(
    [...alongThePath, 'lstat small', 'lstat small/a', 'lstat small/a/b', 'lstat small/a/b/page1.jpg'].sort(),
  );
});

it('makes each stat of a known path once for all requests of the same turn', async () => {
  const library = temporary.open();
  await describe(library, 'a/b/page1');
  const names = ['a/b/page1', 'a/b/page2', 'a/b/page1.jpg'];
  const calls = await callsOfWork(() => Promise.all(names.map((name) => describe(library, name))));
  expect(calls.filter((call) => call.startsWith('lstat'))).toEqual([...alongThePath, 'lstat scans/a/b/page2.jpg']);
});

it('resolves a path with a link for each request', async () => {
  temporary.link('b', 'scans/a/alias');
  const library = temporary.open();
  await describe(library, 'a/alias/page1');
  expect(await callsOfWork(() => locate(library, 'a/alias/page1'))).toContain('realpath scans/a/alias');
});

it('reads a folder once after it was changed', async () => {
  const library = temporary.open();
  await describe(library, 'a/b/page1');
  temporary.write('scans/a/c/page1.jpg', onePixel);
  expect(await callsOfWork(() => describe(library, 'a/b/page1'))).toEqual([...alongThePath, 'readdir scans/a']);
  expect(await callsOfWork(() => describe(library, 'a/b/page1'))).toEqual(alongThePath);
});

it.each(['nothing/here', 'a/nothing', 'a/b/page1.jpg/below'])(
  'makes at most one stat of each folder along the path: %s',
  async (name) => {
    const library = temporary.open();
    await describe(library, 'a/b/page1');
    await library.locate(identifierOf(name), 1);
    const calls = await callsOfWork(() => library.locate(identifierOf(name), 1));
    expect(calls.every((call) => call.startsWith('lstat '))).toBe(true);
    expect(calls.length).toBeLessThanOrEqual(name.split('/').length + 1);
  },
);

it('caches nothing of files that may change with the same fingerprint', async () => {
  vi.useRealTimers();
  const library = temporary.open();
  await describe(library, 'a/b/page1');
  const calls = await callsOfWork(() => describe(library, 'a/b/page1'));
  expect(calls).toEqual(expect.arrayContaining(['readdir scans/a/b', 'open scans/a/b/page1.jpg']));
});

it('reads a folder and a header once for many first requests', async () => {
  const library = temporary.open();
  const calls = await callsOfWork(() => Promise.all(Array.from({ length: 20 }, () => describe(library, 'a/b/page1'))));
  const reads = calls.filter((call) => /^(readdir|open)/.test(call));
  expect(reads).toEqual(['open scans/a/b/page1.jpg', 'readdir scans/a', 'readdir scans/a/b']);
});

it('does not read headers to find a page', async () => {
  const library = temporary.open();
  expect(await callsOfWork(() => library.locate(identifierOf('a/b'), 2))).toEqual(
    expect.not.arrayContaining([expect.stringMatching(/^open/)]),
  );
});
