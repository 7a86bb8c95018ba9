/** Finds how far back in time must be cut to free so many bytes, without sorting a million entries. */

/** Entries as two columns; a last use of 0 is none. */
export interface Uses {
  readonly sizes: Uint32Array;
  readonly uses: Float64Array;
}

/** A span of time with both ends in it, and the bytes that are older. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly olderBytes: number;
}

const buckets = 1024;

/** So few entries are sorted. */
const fewEntries = 4096;

const bucketOf = ({ from, to }: Span, use: number): number =>
  Math.min(buckets - 1, Math.floor(((use - from) / (to - from)) * buckets));

function spanOf({ uses }: Uses): Span {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const use of uses) {
    if (use === 0) continue;
    if (use < from) from = use;
    if (use > to) to = use;
  }
  return { from, to, olderBytes: 0 };
}

/** Calls with the use and the size of each entry in a span. */
function forEachIn({ uses, sizes }: Uses, { from, to }: Span, visit: (use: number, size: number) => void): void {
  for (let slot = 0; slot < uses.length; slot++) {
    const use = uses[slot] ?? 0;
    if (use !== 0 && use >= from && use <= to) visit(use, sizes[slot] ?? 0);
  }
}

/** The part of a span in which the sum passes `bytes`, and how many entries it holds. */
function narrow(entries: Uses, span: Span, bytes: number): { readonly span: Span; readonly count: number } {
  const sums = new Float64Array(buckets);
  const counts = new Uint32Array(buckets);
  const firsts = new Float64Array(buckets).fill(Number.POSITIVE_INFINITY);
  const lasts = new Float64Array(buckets);
  forEachIn(entries, span, (use, size) => {
    const bucket = bucketOf(span, use);
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
  return { span: { from: firsts[bucket] ?? 0, to: lasts[bucket] ?? 0, olderBytes }, count: counts[bucket] ?? 0 };
}

/** The earliest last use for which it and the older ones have at least so many bytes; all, where these are too few. */
export function lastUseUpTo(entries: Uses, bytes: number): number {
  if (bytes <= 0) return 0;
  let span = spanOf(entries);
  let count = Number.POSITIVE_INFINITY;
  while (count > fewEntries && span.from < span.to) ({ span, count } = narrow(entries, span, bytes));
  if (span.from >= span.to) return span.to;
  const few: { readonly use: number; readonly size: number }[] = [];
  forEachIn(entries, span, (use, size) => few.push({ use, size }));
  few.sort((a, b) => a.use - b.use);
  let sum = span.olderBytes;
  for (const { use, size } of few) {
    sum += size;
    if (sum >= bytes) return use;
  }
  return span.to;
}
