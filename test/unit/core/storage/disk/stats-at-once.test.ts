import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DiskStorage } from '../../../../../src/core/storage/disk/disk-storage.ts';

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'lectern-at-once-')));
mkdirSync(path.join(folder, 'book'));
writeFileSync(path.join(folder, 'book', 'p1.jpg'), 'a picture');
symlinkSync(path.join(folder, 'book', 'p1.jpg'), path.join(folder, 'book', 'link.jpg'));
const at = (name: string): string => path.join(folder, 'book', name);
afterAll(() => rmSync(folder, { recursive: true }));

/** Whether a promise is settled without a thread: before any further turn of the event loop. */
async function isAtOnce(promise: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  const end = (): void => {
    isSettled = true;
  };
  promise.then(end, end);
  for (let times = 0; times < 10; times++) await Promise.resolve();
  return isSettled;
}

/** A storage that has met the folder. */
async function warm(): Promise<DiskStorage> {
  const storage = new DiskStorage([folder]);
  await storage.lstat(at('p1.jpg'));
  await storage.lstat(path.join(folder, 'book'));
  return storage;
}

test('in a folder that was met, paths are looked at without a thread', async () => {
  const storage = await warm();
  const [stats, followed, missing] = [
    storage.lstat(at('p1.jpg')),
    storage.follow(at('p1.jpg')),
    storage.lstat(at('no')),
  ];
  for (const promise of [stats, followed, missing]) expect(await isAtOnce(promise)).toBe(true);
  expect((await stats).size).toBe(9n);
  expect(await followed).toMatchObject({ real: at('p1.jpg'), stats: { size: 9n } });
  await expect(missing).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(storage.follow(at('no'))).rejects.toMatchObject({ code: 'ENOENT' });
  await storage.close();
});

test('a link is looked at without a thread, and followed by one, since it may lead to another disk', async () => {
  const storage = await warm();
  const [stats, followed] = [storage.lstat(at('link.jpg')), storage.follow(at('link.jpg'))];
  expect(await isAtOnce(stats)).toBe(true);
  expect((await stats).isSymbolicLink()).toBe(true);
  expect(await isAtOnce(followed)).toBe(false);
  expect(await followed).toMatchObject({ real: at('p1.jpg'), stats: { size: 9n } });
  await storage.close();
});

test('what is mounted in a folder is looked at by a thread', async () => {
  const storage = new DiskStorage(['/']);
  await storage.lstat('/');
  await storage.lstat('/');
  expect(await isAtOnce(storage.lstat('/proc'))).toBe(false);
  await storage.close();
});
