/** What a request asks of the disk: as little as can be, and never less. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Library } from '../../../src/library/library.ts';
import { identifierOf, locate, makeTemporaryLibrary, onePixel, type TemporaryLibrary } from '../temporary-library.ts';
import { callsOf } from './counted-calls.ts';

vi.mock('node:fs/promises', async (importOriginal) =>
  (await import('./counted-calls.ts')).countedCalls(importOriginal),
);
vi.mock('node:fs', async (importOriginal) => (await import('./counted-calls.ts')).countedLooks(importOriginal));

let temporary: TemporaryLibrary;
beforeEach(() => {
  // What has just been made may change without a trace, so nothing would be kept of it.
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

async function ask(library: Library, name: string, page = 1): Promise<void> {
  const located = await library.locate(identifierOf(name), page);
  if (located === undefined) throw new Error(`there is no ${name}`);
  await library.imageMetadata(located);
  if ((await library.describe(located)) === undefined) throw new Error(`${name} can’t be read`);
}

const asked = (work: () => Promise<unknown>) => callsOf(temporary.around, work);

const alongTheWay = ['lstat scans', 'lstat scans/a', 'lstat scans/a/b', 'lstat scans/a/b/page1.jpg'];

it.each([
  ['a/b/page1.jpg', alongTheWay],
  ['a/b/page1', alongTheWay],
  ['a/b/page1.png', alongTheWay],
  ['a/b/page1;1', alongTheWay],
  ['a/b', alongTheWay],
  ['top', ['lstat scans', 'lstat scans/top.jpg']],
])('looks once at each folder on the way and once at the file: %s', async (name, expected) => {
  const library = temporary.open();
  await ask(library, name);
  expect(await asked(() => ask(library, name))).toEqual(expected);
});

it('looks at the metadata files that there are, and at no others', async () => {
  temporary.write('scans/a/index.meta', '<r/>');
  temporary.write('scans/a/b/page1.jpg.meta', '<r/>');
  const library = temporary.open();
  await ask(library, 'a/b/page1');
  expect(await asked(() => ask(library, 'a/b/page1'))).toEqual(
    [...alongTheWay, 'lstat scans/a/b/page1.jpg.meta', 'lstat scans/a/index.meta'].sort(),
  );
});

it('looks at prescaled versions in the same way', async () => {
  const picture = path.join(import.meta.dirname, '../../fixtures/golden/images/scaled/books/book1/page0001.jpg');
  temporary.write('small/a/b/page1.jpg', readFileSync(picture));
  const library = temporary.open({ roots: [`${temporary.around}/scans`, `${temporary.around}/small`] });
  await ask(library, 'a/b/page1');
  expect(await asked(() => ask(library, 'a/b/page1'))).toEqual(
    [...alongTheWay, 'lstat small', 'lstat small/a', 'lstat small/a/b', 'lstat small/a/b/page1.jpg'].sort(),
  );
});

it('looks once for all who ask for the first time in the same turn', async () => {
  const library = temporary.open();
  const names = ['a/b/page1', 'a/b/page2', 'a/b/page1.jpg'];
  const calls = await asked(() => Promise.all(names.map((name) => ask(library, name))));
  expect(calls.filter((call) => call.startsWith('lstat'))).toEqual([...alongTheWay, 'lstat scans/a/b/page2.jpg']);
});

it('resolves a path with a link each time, and what is behind it', async () => {
  temporary.link('b', 'scans/a/alias');
  const library = temporary.open();
  await ask(library, 'a/alias/page1');
  expect(await asked(() => locate(library, 'a/alias/page1'))).toContain('realpath scans/a/alias');
});

it('lists a folder again after it was changed, and then no more', async () => {
  const library = temporary.open();
  await ask(library, 'a/b/page1');
  temporary.write('scans/a/c/page1.jpg', onePixel);
  expect(await asked(() => ask(library, 'a/b/page1'))).toEqual([...alongTheWay, 'readdir scans/a']);
  expect(await asked(() => ask(library, 'a/b/page1'))).toEqual(alongTheWay);
});

it.each(['nothing/here', 'a/nothing', 'a/b/page1.jpg/below'])(
  'looks at most at each place on the way: %s',
  async (name) => {
    const library = temporary.open();
    await ask(library, 'a/b/page1');
    await library.locate(identifierOf(name), 1);
    const calls = await asked(() => library.locate(identifierOf(name), 1));
    expect(calls.every((call) => call.startsWith('lstat '))).toBe(true);
    expect(calls.length).toBeLessThanOrEqual(name.split('/').length + 1);
  },
);

it('keeps nothing of what may have changed without a trace', async () => {
  vi.useRealTimers();
  const library = temporary.open();
  await ask(library, 'a/b/page1');
  const calls = await asked(() => ask(library, 'a/b/page1'));
  expect(calls).toEqual(expect.arrayContaining(['readdir scans/a/b', 'open scans/a/b/page1.jpg']));
});

it('reads a folder and a header once for many who ask for the first time', async () => {
  const library = temporary.open();
  const calls = await asked(() => Promise.all(Array.from({ length: 20 }, () => ask(library, 'a/b/page1'))));
  const longer = calls.filter((call) => /^(readdir|open)/.test(call));
  expect(longer).toEqual(['open scans/a/b/page1.jpg', 'readdir scans/a', 'readdir scans/a/b']);
});

it('does not read headers to find a page', async () => {
  const library = temporary.open();
  expect(await asked(() => library.locate(identifierOf('a/b'), 2))).toEqual(
    expect.not.arrayContaining([expect.stringMatching(/^open/)]),
  );
});
