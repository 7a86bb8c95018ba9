/** What one server has learned of images is known to the next one. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { callsOf } from '../unit/library/counted-calls.ts';
import { infoAddress, membersOf, picture } from './library-with-secrets.ts';
import { startApp } from './running-app.ts';

vi.mock('node:fs/promises', async (importOriginal) =>
  (await import('../unit/library/counted-calls.ts')).countedCalls(importOriginal),
);

let around = '';
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  around = realpathSync(mkdtempSync(path.join(tmpdir(), 'lectern-kept-')));
  mkdirSync(path.join(around, 'scans'));
  for (const name of ['a', 'b']) writeFileSync(path.join(around, `scans/${name}.jpg`), await picture('jpeg'));
});
afterAll(() => {
  vi.useRealTimers();
  rmSync(around, { recursive: true });
});

/** What a server reads of the scans while it answers, and what it says of their sizes. */
async function ask(directory: string | false): Promise<readonly string[]> {
  const app = await startApp({
    library: { folders: [path.join(around, 'scans')] },
    http: { contextPath: '/digilib' },
    index: { directory: directory === false ? false : path.join(around, directory) },
  });
  const calls = await callsOf(around, async () => {
    for (const name of ['a', 'b.jpg']) {
      expect(membersOf(await app.get(infoAddress(name)))['img.pix_x']).toBe('60');
    }
  });
  await app.close();
  return calls.filter((call) => call.startsWith('open scans'));
}

const both = ['open scans/a.jpg', 'open scans/b.jpg'];

it('is in the directory that the settings name', async () => {
  expect(await ask('one')).toEqual(both);
  expect(await ask('two')).toEqual(both);
  expect(await ask('one')).toEqual([]);
  utimesSync(path.join(around, 'scans/a.jpg'), 1000, 1000);
  expect(await ask('one')).toEqual(['open scans/a.jpg']);
});

it('is nowhere where the settings say so', async () => {
  const before = readdirSync(around);
  for (let round = 0; round < 2; round++) expect(await ask(false)).toEqual(both);
  expect(readdirSync(around)).toEqual(before);
});
