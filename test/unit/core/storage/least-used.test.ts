/** The last use up to which entries are evicted, compared with sorting. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lastUseUpTo } from '../../../../src/core/storage/least-used.ts';

it('finds the same cut as sorting does', async () => {
  const use = fc.oneof(fc.integer({ min: 0, max: 50 }), fc.double({ min: 1, max: 1e13, noNaN: true }));
  const entries = fc.array(fc.record({ use, size: fc.integer({ min: 1, max: 100 }) }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(
      entries,
      fc.integer({ min: 1, max: 400 }),
      fc.integer({ min: 1, max: 400 }),
      async (few, copies, percent) => {
        // Copies make more entries than are sorted at once.
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
