/** The index of what is on disk, against a plain map. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { DiskIndex } from '../../../src/cache/disk-index.ts';
import { lastUseUpTo } from '../../../src/cache/least-used.ts';

const nameOf = (number: number): string => createHash('sha256').update(String(number)).digest('hex').slice(0, 32);

/** Names with the same first word: they all want the same slot. */
const crowdedNameOf = (number: number): string => `ffffffff${number.toString(16).padStart(24, '0')}`;

const namings = [
  ['names spread evenly', nameOf],
  ['names that crowd at the end of the table', crowdedNameOf],
] as const;

describe.each(namings)('with %s, the index', (_label, name) => {
  const apply = {
    use: (index: DiskIndex, number: number, size: number) => index.use(name(number), size),
    find: (index: DiskIndex, number: number, size: number) => index.find(name(number), size, 1000 + number),
    delete: (index: DiskIndex, number: number) => index.delete(name(number)),
  };

  it('knows what a map would know', async () => {
    const step = fc.record({
      kind: fc.constantFrom('use', 'find', 'delete'),
      number: fc.integer({ min: 0, max: 60 }),
      size: fc.integer({ min: 1, max: 1e6 }),
    });
    const all = Array.from({ length: 61 }, (_, number) => number);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 200 }), async (steps) => {
        const index = new DiskIndex();
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

  it('keeps what it knows while it grows, and forgets what a walk has not seen', async () => {
    const index = new DiskIndex();
    const count = 2000;
    for (let one = 0; one < count; one++) index.use(name(one), 10);
    expect(index.totals()).toEqual({ entries: count, bytes: 10 * count });
    index.beginWalk();
    for (let one = 0; one < count; one += 2) index.find(name(one), 10, 1);
    index.use(name(1), 20);
    await index.endWalk();
    expect(index.totals()).toEqual({ entries: count / 2 + 1, bytes: 5 * count + 20 });
    expect([0, 1, 2, 3].map((one) => index.has(name(one)))).toEqual([true, true, true, false]);
  });
});

describe('the least used entries', () => {
  const namesOf = async (index: DiskIndex, bytes: number): Promise<readonly string[]> =>
    [...(await index.leastUsed(bytes))].sort((a, b) => a.lastUseMs - b.lastUseMs).map(({ name }) => name);

  it('are chosen by the order of their use, as many as the bytes need', async () => {
    const index = new DiskIndex();
    for (const number of [3, 1, 2, 0]) index.use(nameOf(number), 10);
    index.use(nameOf(3), 10);
    expect(await namesOf(index, 0)).toEqual([]);
    expect(await namesOf(index, 1)).toEqual([nameOf(1)]);
    expect(await namesOf(index, 20)).toEqual([nameOf(1), nameOf(2)]);
    expect(await namesOf(index, 21)).toEqual([nameOf(1), nameOf(2), nameOf(0)]);
    expect(await namesOf(index, 1e9)).toEqual([nameOf(1), nameOf(2), nameOf(0), nameOf(3)]);
  });

  it('are no more than needed where all have the same time', async () => {
    const index = new DiskIndex();
    for (let number = 0; number < 100; number++) index.find(nameOf(number), 10, 5000);
    expect(await namesOf(index, 95)).toHaveLength(10);
  });

  it('do not wait behind a file whose time lies in the future', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
    try {
      const index = new DiskIndex();
      index.find(nameOf(0), 10, 9_000_000);
      vi.setSystemTime(1_000_001);
      index.use(nameOf(1), 10);
      expect(await namesOf(index, 10)).toEqual([nameOf(0)]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('are known to have been used since they were chosen', async () => {
    const index = new DiskIndex();
    for (const number of [0, 1, 2]) index.use(nameOf(number), 10);
    const chosen = [...(await index.leastUsed(30))].sort((a, b) => a.lastUseMs - b.lastUseMs);
    index.use(nameOf(1), 10);
    index.delete(nameOf(2));
    expect(chosen.map((candidate) => index.isUnusedSince(candidate))).toEqual([true, false, false]);
  });

  it('are found among many as sorting would find them', async () => {
    const use = fc.oneof(fc.integer({ min: 0, max: 50 }), fc.double({ min: 1, max: 1e13, noNaN: true }));
    const entries = fc.array(fc.record({ use, size: fc.integer({ min: 1, max: 100 }) }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        entries,
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 1, max: 400 }),
        async (few, copies, percent) => {
          // Copies make more than are sorted at once.
          const all = Array.from({ length: copies }, (_, copy) =>
            few.map((entry) => ({ ...entry, use: entry.use && entry.use + copy })),
          ).flat();
          const sorted = all.filter((entry) => entry.use !== 0).sort((a, b) => a.use - b.use);
          const total = sorted.reduce((sum, { size }) => sum + size, 0);
          const bytes = Math.ceil((total * percent) / 400) || 1;
          let sum = 0;
          const expected = sorted.find(({ size }) => {
            sum += size;
            return sum >= bytes;
          })?.use;
          const uses = Float64Array.from(all, (entry) => entry.use);
          const sizes = Uint32Array.from(all, (entry) => entry.size);
          const older = sorted.filter((entry) => expected !== undefined && entry.use < expected);
          const olderBytes = older.reduce((bytesBefore, { size }) => bytesBefore + size, 0);
          const half = uses.length >> 1;
          const tables = [
            { columns: { uses: uses.subarray(0, half), sizes: sizes.subarray(0, half) } },
            { columns: { uses: uses.subarray(half), sizes: sizes.subarray(half) } },
          ];
          if (expected !== undefined)
            expect(await lastUseUpTo(tables, bytes)).toEqual({ lastUseMs: expected, olderBytes });
        },
      ),
      { numRuns: 60 },
    );
  });
});
