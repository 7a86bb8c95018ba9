/** The contract of both usage indexes, compared with a plain map. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CompactUsageIndex } from '../../../../src/core/storage/compact-usage-index.ts';
import { type UsageIndex, UsageMap } from '../../../../src/core/storage/usage-index.ts';

const nameOf = (number: number): string => createHash('sha256').update(String(number)).digest('hex').slice(0, 32);

/** Names with the same first word: all of them have the same ideal slot. */
const crowdedNameOf = (number: number): string => `ffffffff${number.toString(16).padStart(24, '0')}`;

const implementations: readonly (readonly [string, () => UsageIndex, (number: number) => string])[] = [
  ['the map', () => new UsageMap(), nameOf],
  ['the compact index', () => new CompactUsageIndex(), nameOf],
  ['the compact index, with names that collide at the end of a table', () => new CompactUsageIndex(), crowdedNameOf],
];

afterEach(() => vi.useRealTimers());

describe.each(implementations)('%s', (_label, create, name) => {
  const apply = {
    use: (index: UsageIndex, number: number, size: number) => index.use(name(number), size),
    find: (index: UsageIndex, number: number, size: number) => index.find(name(number), size, 1000 + number),
    delete: (index: UsageIndex, number: number) => index.delete(name(number)),
  };

  const leastUsed = async (index: UsageIndex, bytes: number): Promise<readonly string[]> =>
    [...(await index.leastUsed(bytes))].sort((a, b) => a.lastUseMs - b.lastUseMs).map((candidate) => candidate.name);

  it('has the entries that a map would have', async () => {
    const step = fc.record({
      kind: fc.constantFrom('use', 'find', 'delete'),
      number: fc.integer({ min: 0, max: 60 }),
      size: fc.integer({ min: 1, max: 1e6 }),
    });
    const all = Array.from({ length: 61 }, (_, number) => number);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 200 }), async (steps) => {
        const index = create();
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
    const index = create();
    const count = 2000;
    for (let one = 0; one < count; one++) index.use(name(one), 10);
    expect(index.totals()).toEqual({ entries: count, bytes: 10 * count });
    index.beginWalk();
    for (let one = 0; one < count; one += 2) index.find(name(one), 10, 1);
    index.use(name(1), 20);
    expect([index.confirm(name(3)), index.confirm(name(count))]).toEqual([true, false]);
    await index.endWalk();
    expect(index.totals()).toEqual({ entries: count / 2 + 2, bytes: 5 * count + 30 });
    expect([0, 1, 2, 3, 4, 5].map((one) => index.has(name(one)))).toEqual([true, true, true, true, true, false]);
  });

  it('chooses the least recently used entries, as many as the bytes need', async () => {
    const index = create();
    for (const number of [3, 1, 2, 0]) index.use(name(number), 10);
    index.use(name(3), 10);
    expect(await leastUsed(index, 0)).toEqual([]);
    expect(await leastUsed(index, 1)).toEqual([name(1)]);
    expect(await leastUsed(index, 20)).toEqual([name(1), name(2)]);
    expect(await leastUsed(index, 21)).toEqual([name(1), name(2), name(0)]);
    expect(await leastUsed(index, 1e9)).toEqual([name(1), name(2), name(0), name(3)]);
  });

  it('chooses no more than needed where all have the same time', async () => {
    const index = create();
    for (let number = 0; number < 100; number++) index.find(name(number), 10, 5000);
    expect(await leastUsed(index, 95)).toHaveLength(10);
  });

  it('keeps a later use that it has already', async () => {
    const index = create();
    index.find(name(0), 10, 2000);
    index.find(name(1), 10, 3000);
    index.find(name(0), 20, 4000);
    index.find(name(0), 20, 1000);
    expect(await leastUsed(index, 1)).toEqual([name(1)]);
    expect(index.totals()).toEqual({ entries: 2, bytes: 30 });
  });

  it('does not evict others before a file whose time is in the future', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
    const index = create();
    index.find(name(0), 10, 9_000_000);
    vi.setSystemTime(1_000_001);
    index.use(name(1), 10);
    expect(await leastUsed(index, 10)).toEqual([name(0)]);
  });

  it('notices whether a candidate was used or deleted since it was chosen', async () => {
    const index = create();
    for (const number of [0, 1, 2]) index.use(name(number), 10);
    const chosen = [...(await index.leastUsed(30))].sort((a, b) => a.lastUseMs - b.lastUseMs);
    index.use(name(1), 10);
    index.delete(name(2));
    expect(chosen.map((candidate) => index.isUnusedSince(candidate))).toEqual([true, false, false]);
  });
});
