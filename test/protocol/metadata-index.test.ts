/** The metadata index: facts that one server has read are available to the next one. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { callsOf } from '../unit/core/library/counted-calls.ts';
import { infoAddress, membersOf, picture } from './library-with-secrets.ts';
import { startApp } from './running-app.ts';

vi.mock('node:fs/promises', async (importOriginal) =>
  (await import('../unit/core/library/counted-calls.ts')).countedCalls(importOriginal),
);
vi.mock('node:fs', async (importOriginal) =>
  (await import('../unit/core/library/counted-calls.ts')).countedSyncCalls(importOriginal),
);

let scratch = '';
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'lectern-index-')));
  mkdirSync(path.join(scratch, 'scans'));
  for (const name of ['a', 'b']) writeFileSync(path.join(scratch, `scans/${name}.jpg`), await picture('jpeg'));
});
afterAll(() => {
  vi.useRealTimers();
  rmSync(scratch, { recursive: true });
});

/** The file system calls of a server for the scans while it answers, and the sizes in its responses. */
async function ask(directory: string | false): Promise<readonly string[]> {
  const app = await startApp({
    library: { folders: [path.join(scratch, 'scans')] },
    http: { contextPath: '/digilib' },
    index: { directory: directory === false ? false : path.join(scratch, directory) },
  });
  const calls = await callsOf(scratch, async () => {
    for (const name of ['a', 'b.jpg']) {
      expect(membersOf(await app.get(infoAddress(name)))['img.pix_x']).toBe('60');
    }
  });
  await app.close();
  return calls.filter((call) => call.startsWith('open scans'));
}

const both = ['open scans/a.jpg', 'open scans/b.jpg'];

it('is stored in the directory of the settings', async () => {
  expect(await ask('one')).toEqual(both);
  expect(await ask('two')).toEqual(both);
  expect(await ask('one')).toEqual([]);
  utimesSync(path.join(scratch, 'scans/a.jpg'), 1000, 1000);
  expect(await ask('one')).toEqual(['open scans/a.jpg']);
});

it('is not stored if the settings say so', async () => {
  const before = readdirSync(scratch);
  for (let round = 0; round < 2; round++) expect(await ask(false)).toEqual(both);
  expect(readdirSync(scratch)).toEqual(before);
});
