import { closeSync, fstatSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openAtOnce, useAtOnce, useInThreads } from '../../../../../src/core/storage/disk/open-file.ts';
import { SyncReads } from '../../../../../src/core/storage/read-steps.ts';
import type { StoredFile } from '../../../../../src/core/storage/storage.ts';

const own = import.meta.filename;
const buffer = Buffer.alloc(8);

/** Opens another file, which gets the number of the descriptor that was closed last, and returns whether it is still open after `use`. */
async function leavesOpen(fd: number, use: () => Promise<unknown>): Promise<boolean> {
  const other = openSync('package.json', 'r');
  expect(other).toBe(fd);
  await expect(use()).rejects.toThrow('closed');
  try {
    fstatSync(other);
  } catch {
    return false;
  }
  closeSync(other);
  return true;
}

test('a read or stat after the file was closed touches no file that has its number since', async () => {
  const handle = openAtOnce(own);
  const { fd } = handle;
  handle.close();
  handle.close();
  expect(await leavesOpen(fd, () => handle.read(buffer, 0, 8, 0))).toBe(true);
  expect(await leavesOpen(fd, () => handle.stat())).toBe(true);
});

test('a file that is closed while it is read is closed after the read, once', async () => {
  const handle = openAtOnce(own);
  const { fd } = handle;
  const reading = handle.read(buffer, 0, 8, 0);
  handle.close();
  expect(() => fstatSync(fd)).not.toThrow();
  expect(await reading).toBe(8);
  expect(buffer.toString()).toBe('import {');
  expect(await leavesOpen(fd, () => handle.read(buffer, 0, 8, 0))).toBe(true);
});

test.each([
  ['a short read', (file: StoredFile) => file.read(0, 8)],
  ['a long read', (file: StoredFile) => file.read(0, 2 ** 20)],
  ['the path', (file: StoredFile) => file.realPath()],
  ['stats', (file: StoredFile) => file.stats()],
])('%s after the work on a file fails', async (_, use) => {
  const file = await useAtOnce(own, new SyncReads(), async (opened) => opened);
  await expect(use(file)).rejects.toThrow('closed');
});

test('nothing is opened after the work on a file', async () => {
  const file = await useInThreads(own, async (opened) => opened);
  await expect(file.read(0, 8)).rejects.toThrow('closed');
});
