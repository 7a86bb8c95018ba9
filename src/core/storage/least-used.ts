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

const tablesAtOnce = 16;

/** Visits all tables; requests are answered in between, so the tables may change from one to the next. */
export async function visitTables<Table>(tables: readonly Table[], visit: (table: Table) => void): Promise<void> {
  for (const [index, table] of tables.entries()) {
    if (index % tablesAtOnce === tablesAtOnce - 1) await setImmediate();
    visit(table);
  }
}

/** The bytes of the entries that were used until `timeMs`, the last of these uses, and the first use after it. */
async function splitAt(tables: readonly Uses[], timeMs: number) {
  let [bytes, lastUseMs, nextUseMs] = [0, 0, Number.POSITIVE_INFINITY];
  await visitTables(tables, ({ columns: { uses, sizes } }) => {
    for (let slot = 0; slot < uses.length; slot++) {
      const use = uses[slot] ?? 0;
      if (use > timeMs) nextUseMs = Math.min(nextUseMs, use);
      else if (use !== 0) {
        bytes += sizes[slot] ?? 0;
        lastUseMs = Math.max(lastUseMs, use);
      }
    }
  });
  return { bytes, lastUseMs, nextUseMs };
}

/** The cut at which the least recently used entries have at least `bytes`; the latest use of all, where they have fewer. */
export async function lastUseUpTo(tables: readonly Uses[], bytes: number): Promise<Cut> {
  if (bytes <= 0) return { lastUseMs: 0, olderBytes: 0 };
  let olderBytes = 0;
  let firstMs = (await splitAt(tables, 0)).nextUseMs;
  let lastMs = (await splitAt(tables, Number.POSITIVE_INFINITY)).lastUseMs;
  while (firstMs < lastMs) {
    // Between adjacent numbers there is no other, so the middle may be rounded to the last one.
    const middleMs = firstMs + (lastMs - firstMs) / 2;
    const split = await splitAt(tables, middleMs < lastMs ? middleMs : firstMs);
    if (split.bytes >= bytes) lastMs = split.lastUseMs;
    else {
      firstMs = split.nextUseMs;
      olderBytes = split.bytes;
    }
  }
  return { lastUseMs: lastMs, olderBytes };
}
