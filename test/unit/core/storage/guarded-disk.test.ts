/** A disk that fails or hangs: reads end in time, writes pause, and each kind of error is reported once while it lasts. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { nodeFileSystem } from '../../../../src/core/storage/file-system.ts';
import { GuardedDisk } from '../../../../src/core/storage/guarded-disk.ts';

const failure = (code: string): Error => Object.assign(new Error(`${code}: the disk says no`), { code });

let faults: string[] = [];
let hanging: (() => void)[] = [];
let disk: GuardedDisk;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  faults = [];
  hanging = [];
  disk = new GuardedDisk('test folder /x', {
    onFault: (message) => faults.push(message),
    fileSystem: { ...nodeFileSystem, list: () => new Promise((resolve) => hanging.push(() => resolve([]))) },
  });
});
afterEach(() => vi.useRealTimers());

const fail = () => Promise.reject(failure('EIO'));

it('gives the result of a read', async () => {
  expect(await disk.read(async () => 'bytes')).toBe('bytes');
  expect(faults).toEqual([]);
});

it('gives nothing where a read fails, and reports that once until a read succeeds and a minute has passed', async () => {
  for (let round = 0; round < 3; round++) expect(await disk.read(fail)).toBeUndefined();
  vi.advanceTimersByTime(120_000);
  await disk.read(fail);
  expect(faults).toEqual(['The test folder /x can’t be read.']);
  expect(disk.faults.count).toBe(4);
  await disk.read(async () => 'bytes');
  await disk.read(fail);
  expect(faults).toHaveLength(2);
});

it('gives nothing after 2 s, and at once while an operation hangs', async () => {
  const first = disk.read(() => disk.files.list('/x'));
  await vi.advanceTimersByTimeAsync(1999);
  expect(disk.isHanging).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect([await first, disk.isHanging, disk.isWritable]).toEqual([undefined, true, false]);
  expect(await disk.read(async () => 'bytes')).toBeUndefined();
  expect(faults).toEqual(['The test folder /x does not answer; it is left out until it does.']);
  for (const end of hanging) end();
  await vi.advanceTimersByTimeAsync(0);
  expect([disk.isHanging, await disk.read(async () => 'bytes')]).toEqual([false, 'bytes']);
});

it('runs two reads at once', async () => {
  let running = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
  };
  await Promise.all(Array.from({ length: 10 }, () => disk.read(work)));
  expect(most).toBe(2);
});

it('pauses writes after a failure, for times that double until a write succeeds', () => {
  const pauses: number[] = [];
  for (let round = 0; round < 8; round++) {
    disk.writeFailed(failure('ENOSPC'));
    let seconds = 0;
    for (; !disk.isWritable; seconds++) vi.advanceTimersByTime(1000);
    pauses.push(seconds);
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  expect(faults).toEqual(['Nothing can be written to the test folder /x at the moment.']);
  disk.writeSucceeded();
  disk.writeFailed(failure('ENOSPC'));
  vi.advanceTimersByTime(1000);
  expect([disk.isPaused, faults.length]).toEqual([false, 2]);
});
