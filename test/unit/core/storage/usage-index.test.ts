/** The usage index, compared with a plain map. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { UsageIndex } from '../../../../src/core/storage/usage-index.ts';

const name = (number: number): string => createHash('sha256').update(String(number)).digest('hex').slice(0, 32);

afterEach(() => vi.useRealTimers());

describe('the usage index', () => {
  const apply = {
    use: (index: UsageIndex, number: number, size: number) => index.use(name(number), size),
    find: (index: UsageIndex, number: number, size: number) => index.find(name(number), size, 1000 + number),
    delete: (index: UsageIndex, number: number) => index.delete(name(number)),
  };

  const leastUsed = async (index: UsageIndex, bytes: number): Promise<readonly string[]> =>
    (await index.leastUsed(bytes)).map((candidate) => candidate.name);

  it('has the entries that a map would have', async () => {
    const step = fc.record({
      kind: fc.constantFrom('use', 'find', 'delete'),
      number: fc.integer({ min: 0, max: 60 }),
      size: fc.integer({ min: 1, max: 1e6 }),
    });
    const all = Array.from({ length: 61 }, (_, number) => number);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 200 }), async (steps) => {
        const index = new UsageIndex();
        const model = new Map<number, number>();
        for (const { kind, number, size } of steps) {
          apply[kind](index, number, size);
          if (kind === 'delete') model.delete(number);
          else model.set(number, size);
        }
        const bytes = [...model.values()].reduce((sum, size) => sum + size, 0);
        expect(index.totals()).toEqual({ entries: model.size, bytes });
        expect(all.filter((number) => index.has(name(number)))).toEqual([...model.keys()].sort((a, b) => a - b));
        expect((await index.leastUsed(bytes)).map((candidate) => candidate.name).sort()).toEqual(
          [...model.keys()].map(name).sort(),
        );
      }),
    );
  });

  it('keeps its entries while it grows, and deletes those that a walk has not found', async () => {
    const index = new UsageIndex();
    const count = 2000;
    for (let one = 0; one < count; one++) index.use(name(one), 10);
    expect(index.totals()).toEqual({ entries: count, bytes: 10 * count });
    index.beginWalk();
    for (let one = 0; one < count; one += 2) index.find(name(one), 10, 1);
    index.use(name(1), 20);
    expect([index.confirm(name(3)), index.confirm(name(count))]).toEqual([true, false]);
    index.endWalk();
    expect(index.totals()).toEqual({ entries: count / 2 + 2, bytes: 5 * count + 30 });
    expect([0, 1, 2, 3, 4, 5].map((one) => index.has(name(one)))).toEqual([true, true, true, true, true, false]);
  });

  it('chooses the least recently used entries, as many as the bytes need', async () => {
    const index = new UsageIndex();
    for (const number of [3, 1, 2, 0]) index.use(name(number), 10);
    index.use(name(3), 10);
    expect(await leastUsed(index, 0)).toEqual([]);
    expect(await leastUsed(index, 1)).toEqual([name(1)]);
    expect(await leastUsed(index, 20)).toEqual([name(1), name(2)]);
    expect(await leastUsed(index, 21)).toEqual([name(1), name(2), name(0)]);
    expect(await leastUsed(index, 1e9)).toEqual([name(1), name(2), name(0), name(3)]);
  });

  it('chooses as sorting does, whatever the lengths are', async () => {
    const entry = fc.record({ use: fc.integer({ min: 1, max: 50 }), size: fc.integer({ min: 1, max: 1000 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 60 }), fc.integer({ min: 1, max: 30_000 }), async (all, bytes) => {
        const index = new UsageIndex();
        for (const [number, { use, size }] of all.entries()) index.find(name(number), size, use);
        const sorted = all.map((one, number) => ({ ...one, number })).sort((a, b) => a.use - b.use);
        let sum = 0;
        const last = sorted.findIndex(({ size }) => {
          sum += size;
          return sum >= bytes;
        });
        const expected = sorted.slice(0, last < 0 ? sorted.length : last + 1).map(({ number }) => name(number));
        expect(await leastUsed(index, bytes)).toEqual(expected);
      }),
    );
  });

  it('chooses no more than needed where all have the same time', async () => {
    const index = new UsageIndex();
    for (let number = 0; number < 100; number++) index.find(name(number), 10, 5000);
    expect(await leastUsed(index, 95)).toHaveLength(10);
  });

  it('keeps a later use that it has already', async () => {
    const index = new UsageIndex();
    index.find(name(0), 10, 2000);
    index.find(name(1), 10, 3000);
    index.find(name(0), 20, 4000);
    index.find(name(0), 20, 1000);
    expect(await leastUsed(index, 1)).toEqual([name(1)]);
    expect(index.totals()).toEqual({ entries: 2, bytes: 30 });
  });

  it('does not evict others before a file whose time is in the future', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
    const index = new UsageIndex();
    index.find(name(0), 10, 9_000_000);
    vi.setSystemTime(1_000_001);
    index.use(name(1), 10);
    expect(await leastUsed(index, 10)).toEqual([name(0)]);
  });

  it('notices whether a candidate was used or deleted since it was chosen', async () => {
    const index = new UsageIndex();
    for (const number of [0, 1, 2]) index.use(name(number), 10);
    const chosen = await index.leastUsed(30);
    index.use(name(1), 10);
    index.delete(name(2));
    expect(chosen.map((candidate) => index.isUnusedSince(candidate))).toEqual([true, false, false]);
  });
});
