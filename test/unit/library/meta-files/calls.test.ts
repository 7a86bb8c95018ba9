import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  locate,
  makeTemporaryLibrary,
  metadataOf,
  onePixel,
  pathsOf,
  type TemporaryLibrary,
} from '../../temporary-library.ts';
import { callsOf as callsBelow } from '../counted-calls.ts';

vi.mock('node:fs/promises', async (importOriginal) =>
  (await import('../counted-calls.ts')).countedCalls(importOriginal),
);
vi.mock('node:fs', async (importOriginal) => (await import('../counted-calls.ts')).countedLooks(importOriginal));

let temporary: TemporaryLibrary;
beforeEach(() => {
  // What has just been made may change without a trace, so nothing would be kept of it.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  temporary = makeTemporaryLibrary();
  temporary.write('scans/book/plain.jpg', onePixel);
  temporary.write('scans/book/told.jpg', onePixel);
  temporary.write('scans/book/told.jpg.meta', '<r><meta><title>x</title></meta></r>');
});
afterEach(() => {
  temporary.remove();
  vi.useRealTimers();
});

const callsOf = (work: () => Promise<unknown>) => callsBelow(temporary.around, work);

it('asks nothing more where no metadata is there: the folder around was looked at on the way', async () => {
  const lectern = temporary.open();
  await metadataOf(lectern, 'book/plain.jpg');
  const located = await locate(lectern, 'book/plain.jpg');
  expect(await callsOf(() => lectern.imageMetadata(located))).toEqual([]);
});

it('asks once for what was located once', async () => {
  const lectern = temporary.open();
  const located = await locate(lectern, 'book/told.jpg');
  expect(await callsOf(() => lectern.imageMetadata(located))).toContain('lstat scans/book/told.jpg.meta');
  const asked = await callsOf(() => lectern.describe(located));
  expect(asked.filter((call) => call.endsWith('.meta'))).toEqual([]);
});

it('reads a file once for many who ask at once', async () => {
  const lectern = temporary.open();
  const ask = () => metadataOf(lectern, 'book/told.jpg');
  const asked = await callsOf(() => Promise.all(Array.from({ length: 20 }, ask)));
  expect(asked.filter((call) => call.startsWith('open '))).toEqual(['open scans/book/told.jpg.meta']);
});

it('finds the places of an image that is no link without asking the disk', async () => {
  const folder = `${temporary.around}/scans/book`;
  const lectern = temporary.open({ virtualFolders: [{ link: 'shown', folder }] });
  await locate(lectern, 'shown/plain.jpg');
  const asked = await callsOf(async () => {
    expect(pathsOf((await locate(lectern, 'shown/plain.jpg')).paths)).toEqual(['shown/plain.jpg', 'book/plain.jpg']);
  });
  const usual = ['lstat scans/book', 'lstat scans/book/plain.jpg'];
  expect(asked.filter((call) => !usual.includes(call))).toEqual([]);
});
