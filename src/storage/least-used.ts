/** Finds the last use up to which entries must be evicted to free a number of bytes, without sorting a million entries. */
import { setImmediate } from 'node:timers/promises';

/** Entries as two columns, which are replaced when the table grows; a last use of 0 marks a free slot. */
export interface Uses {
  readonly columns: { readonly sizes: Uint32Array; readonly uses: Float64Array };
}

/** Entries used before `lastUseMs` have `olderBytes` together; with those used at that time they have at least the requested bytes. */
export interface Cut {
  readonly lastUseMs: number;
  readonly olderBytes: number;
}

/** A span of time with both ends in it, the bytes that are older, and how many entries it holds. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly olderBytes: number;
  readonly count: number;
}

const buckets = 4096;

/** At most this many entries are sorted. */
const maxSortedEntries = 4096;

const tablesAtOnce = 16;

/** Visits all tables; requests are answered in between, so the tables may change from one to the next. */
export async function visitTables<Table>(tables: readonly Table[], visit: (table: Table) => void): Promise<void> {
  for (const [index, table] of tables.entries()) {
    if (index % tablesAtOnce === tablesAtOnce - 1) await setImmediate();
    visit(table);
  }
}

/** Calls with the use and the size of each entry in a span. */
function visitEntries(
  tables: readonly Uses[],
  { from, to }: Pick<Span, 'from' | 'to'>,
  visit: (use: number, size: number) => void,
): Promise<void> {
  return visitTables(tables, ({ columns: { uses, sizes } }) => {
    for (let slot = 0; slot < uses.length; slot++) {
      const use = uses[slot] ?? 0;
      if (use !== 0 && use >= from && use <= to) visit(use, sizes[slot] ?? 0);
    }
  });
}

async function spanOf(tables: readonly Uses[]): Promise<Span> {
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  let count = 0;
  await visitEntries(tables, { from: 0, to: Number.POSITIVE_INFINITY }, (use) => {
    count++;
    if (use < from) from = use;
    if (use > to) to = use;
  });
  return { from, to, olderBytes: 0, count };
}

/** The part of a span in which the sum passes `bytes`. */
async function narrow(tables: readonly Uses[], span: Span, bytes: number): Promise<Span> {
  const sums = new Float64Array(buckets);
  const counts = new Uint32Array(buckets);
  const firsts = new Float64Array(buckets).fill(Number.POSITIVE_INFINITY);
  const lasts = new Float64Array(buckets);
  const perMs = buckets / (span.to - span.from);
  await visitEntries(tables, span, (use, size) => {
    const bucket = Math.min(buckets - 1, Math.floor((use - span.from) * perMs));
    sums[bucket] = (sums[bucket] ?? 0) + size;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
    firsts[bucket] = Math.min(firsts[bucket] ?? use, use);
    lasts[bucket] = Math.max(lasts[bucket] ?? use, use);
  });
  let { olderBytes } = span;
  let bucket = 0;
  while (bucket < buckets - 1 && olderBytes + (sums[bucket] ?? 0) < bytes) {
    olderBytes += sums[bucket] ?? 0;
    bucket++;
  }
  return { from: firsts[bucket] ?? 0, to: lasts[bucket] ?? 0, olderBytes, count: counts[bucket] ?? 0 };
}

async function cutBySorting(tables: readonly Uses[], span: Span, bytes: number): Promise<Cut> {
  const entries: { readonly use: number; readonly size: number }[] = [];
  await visitEntries(tables, span, (use, size) => entries.push({ use, size }));
  entries.sort((a, b) => a.use - b.use);
  let olderBytes = span.olderBytes;
  let atLast = { use: 0, size: 0 };
  for (const { use, size } of entries) {
    if (use === atLast.use) atLast = { use, size: atLast.size + size };
    else {
      olderBytes += atLast.size;
      atLast = { use, size };
    }
    if (olderBytes + atLast.size >= bytes) break;
  }
  return { lastUseMs: atLast.use, olderBytes };
}

/** The cut at which the least recently used entries have at least `bytes`; the latest use of all, where they have fewer. */
export async function lastUseUpTo(tables: readonly Uses[], bytes: number): Promise<Cut> {
  if (bytes <= 0) return { lastUseMs: 0, olderBytes: 0 };
  let span = await spanOf(tables);
  while (span.count > maxSortedEntries && span.from < span.to) span = await narrow(tables, span, bytes);
  // Many entries can have the same time; these need no sorting.
  if (span.from >= span.to) return { lastUseMs: span.to, olderBytes: span.olderBytes };
  return cutBySorting(tables, span, bytes);
}
