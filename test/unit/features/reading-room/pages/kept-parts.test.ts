/** Parts that take a walk are read once for many requests. */
import { beforeEach, expect, it, vi } from 'vitest';
import { KeptParts } from '../../../../../src/features/reading-room/pages/kept-parts.ts';

let nowMs = 0;
let reads = 0;
beforeEach(() => {
  nowMs = 0;
  reads = 0;
});

const kept = (max = 10) => new KeptParts<number>({ freshMs: 10, keptMs: 60, max, now: () => nowMs });

/** Three parts that tell which reading they are from. */
async function* read(): AsyncGenerator<number> {
  reads += 1;
  const own = reads * 10;
  yield* [own, own + 1, own + 2];
}

async function* failing(): AsyncGenerator<number> {
  reads += 1;
  yield 1;
  throw new Error('late');
}

async function all(parts: KeptParts<number>, from = read): Promise<number[]> {
  const found: number[] = [];
  for await (const part of parts.parts(from)) found.push(part);
  return found;
}

it('parts are read once for some time', async () => {
  const parts = kept();
  expect(await all(parts)).toEqual([10, 11, 12]);
  nowMs = 9;
  expect(await all(parts)).toEqual([10, 11, 12]);
  expect(reads).toBe(1);
});

it('older ones are given while they are read again, once for all who ask meanwhile', async () => {
  const parts = kept();
  await all(parts);
  nowMs = 30;
  expect(await Promise.all([all(parts), all(parts)])).toEqual([
    [10, 11, 12],
    [10, 11, 12],
  ]);
  await vi.waitFor(async () => expect(await all(parts)).toEqual([20, 21, 22]));
  expect(reads).toBe(2);
});

it('the oldest ones are given no more', async () => {
  const parts = kept();
  await all(parts);
  nowMs = 60;
  expect(await all(parts)).toEqual([20, 21, 22]);
});

it('parts of which the reading failed or was left, and too many, are not kept', async () => {
  const parts = kept();
  await expect(all(parts, failing)).rejects.toThrow('late');
  for await (const part of parts.parts(read)) if (part > 0) break;
  expect(await all(parts)).toEqual([30, 31, 32]);
  const few = kept(2);
  await all(few);
  expect(await all(few)).toEqual([50, 51, 52]);
});

it('older ones remain where they cannot be read again', async () => {
  const parts = kept();
  await all(parts);
  nowMs = 30;
  expect(await all(parts, failing)).toEqual([10, 11, 12]);
  await vi.waitFor(() => expect(reads).toBe(2));
  expect(await all(parts, failing)).toEqual([10, 11, 12]);
});
