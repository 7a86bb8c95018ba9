import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  locate,
  makeTemporaryLibrary,
  metadataOf,
  onePixel,
  pathsOf,
  type TemporaryLibrary,
} from '../../../temporary-library.ts';
import { callsOf as callsBelow } from '../counted-calls.ts';

vi.mock('node:fs/promises', async (importOriginal) =>
  (await import('../counted-calls.ts')).countedCalls(importOriginal),
);
vi.mock('node:fs', async (importOriginal) => (await import('../counted-calls.ts')).countedSyncCalls(importOriginal));

let temporary: TemporaryLibrary;
beforeEach(() => {
  // Files that have just been written may change with the same fingerprint, so nothing of them would be cached.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  temporary = makeTemporaryLibrary();
  temporary.write('scans/book/plain.jpg', onePixel);
  temporary.write('scans/book/titled.jpg', onePixel);
  temporary.write('scans/book/titled.jpg.meta', '<r><meta><title>x</title></meta></r>');
});
afterEach(() => {
  temporary.remove();
  vi.useRealTimers();
});

const callsOf = (work: () => Promise<unknown>) => callsBelow(temporary.around, work);

it('makes no further call where there is no metadata: the folder was listed to locate the image', async () => {
  const lectern = temporary.open();
  await metadataOf(lectern, 'book/plain.jpg');
  const located = await locate(lectern, 'book/plain.jpg');
  expect(await callsOf(() => lectern.imageMetadata(located))).toEqual([]);
});

it('makes the calls for metadata once for each located image', async () => {
  const lectern = temporary.open();
  const located = await locate(lectern, 'book/titled.jpg');
  expect(await callsOf(() => lectern.imageMetadata(located))).toContain('lstat scans/book/titled.jpg.meta');
  const calls = await callsOf(() => lectern.describe(located));
  expect(calls.filter((call) => call.endsWith('.meta'))).toEqual([]);
});

it('reads a file once for many simultaneous requests', async () => {
  const lectern = temporary.open();
  const request = () => metadataOf(lectern, 'book/titled.jpg');
  const calls = await callsOf(() => Promise.all(Array.from({ length: 20 }, request)));
  expect(calls.filter((call) => call.startsWith('open '))).toEqual(['open scans/book/titled.jpg.meta']);
});

it('finds the paths of an image that is no link without any call', async () => {
  const folder = `${temporary.around}/scans/book`;
  const lectern = temporary.open({ virtualFolders: [{ link: 'shown', folder }] });
  await locate(lectern, 'shown/plain.jpg');
  const calls = await callsOf(async () => {
    expect(pathsOf((await locate(lectern, 'shown/plain.jpg')).paths)).toEqual(['shown/plain.jpg', 'book/plain.jpg']);
  });
  const expected = ['lstat scans/book', 'lstat scans/book/plain.jpg'];
  expect(calls.filter((call) => !expected.includes(call))).toEqual([]);
});
