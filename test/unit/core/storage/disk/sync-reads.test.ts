/** Synchronous reads pause after a slow one, longer each time, and less long again after quick ones. */
import { closeSync, openSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { SyncReads } from '../../../../../src/core/storage/read-steps.ts';

const fd = openSync(import.meta.filename, 'r');
afterAll(() => closeSync(fd));

/** Reads for which a clock of the test says how long each takes, in ms. */
function createReads() {
  let nowMs = 0;
  let readMs = 0;
  let calls = 0;
  // Each read asks for the time before it, and after it.
  const now = (): number => {
    calls++;
    if (calls === 2) nowMs += readMs;
    return nowMs;
  };
  const reads = new SyncReads(now);
  const read = (ms: number): number => {
    readMs = ms;
    calls = 0;
    const buffer = Buffer.alloc(4);
    const bytes = reads.read(fd, buffer, 0, 4, 0);
    expect(buffer.toString('latin1')).toBe('/** ');
    calls = 3;
    return bytes;
  };
  return {
    reads,
    read,
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

it('count any other operation, also one that throws', () => {
  let nowMs = 0;
  const reads = new SyncReads(() => nowMs);
  expect(reads.run(() => 7)).toBe(7);
  expect(reads.areAllowed).toBe(true);
  expect(() =>
    reads.run(() => {
      nowMs += 5;
      throw new Error('gone');
    }),
  ).toThrow('gone');
  expect(reads.areAllowed).toBe(false);
});

it('are allowed until one is slow, and again after a pause', () => {
  const { reads, read, pass } = createReads();
  expect(reads.areAllowed).toBe(true);
  expect(read(0.02)).toBe(4);
  expect(reads.areAllowed).toBe(true);
  read(8);
  expect(reads.areAllowed).toBe(false);
  pass(19);
  expect(reads.areAllowed).toBe(false);
  pass(2);
  expect(reads.areAllowed).toBe(true);
});

it('pause longer after each slow one, for 5 s at most, and shortly again after many quick ones', () => {
  const { reads, read, pass } = createReads();
  for (let times = 0; times < 20; times++) read(8);
  pass(4990);
  expect(reads.areAllowed).toBe(false);
  pass(20);
  expect(reads.areAllowed).toBe(true);
  for (let times = 0; times < 100; times++) read(0.02);
  read(8);
  pass(21);
  expect(reads.areAllowed).toBe(true);
});
