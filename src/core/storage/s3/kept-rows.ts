/** What is known of the names in one bucket, as rows that outlast the process. */
import { LRUCache } from 'lru-cache';
import type { StoredRows } from './stored-rows.ts';

/** No method rejects. */
export interface Kept<T> {
  /** Undefined where nothing is kept. */
  read(key: string): Promise<T | undefined>;
  write(key: string, value: T): void;
  forget(key: string): void;
  clear(): void;
}

/** How something that was seen is written as members of an array of JSON, behind the time when it was. */
interface RowForm<T> {
  /** Undefined for what can’t be one. */
  readonly parse: (seenMs: number, members: readonly unknown[]) => T | undefined;
  readonly format: (value: T) => readonly unknown[];
}

interface KeptRowsOptions<T> extends RowForm<T> {
  readonly rows: StoredRows;
  /** What the keys are of: the store, the bucket, and a word for the form of the rows. */
  readonly of: readonly string[];
  /** The same is not written again before this time in ms. */
  readonly rewriteMs: number;
}

/** Keys of which is known what was written last. */
const maxWritten = 100_000;

export function keptRows<T extends { readonly seenMs: number }>(options: KeptRowsOptions<T>): Kept<T> {
  const { rows, of, rewriteMs, parse, format } = options;
  const rowKey = (key: string): string => JSON.stringify([...of, key]);
  const written = new LRUCache<string, { readonly text: string; readonly seenMs: number }>({
    maxSize: maxWritten,
    sizeCalculation: () => 1,
  });
  return {
    async read(key) {
      const row = await rows.read(rowKey(key));
      const [seenMs, ...rest] = Array.isArray(row) ? (row as readonly unknown[]) : [];
      // What was seen in the future was seen by a clock that was wrong.
      if (typeof seenMs !== 'number' || seenMs > Date.now()) return undefined;
      const value = parse(seenMs, rest);
      if (value !== undefined) written.set(key, { text: JSON.stringify(rest), seenMs });
      return value;
    },
    write(key, value) {
      const members = format(value);
      const text = JSON.stringify(members);
      const last = written.get(key);
      if (last?.text === text && value.seenMs - last.seenMs < rewriteMs) return;
      written.set(key, { text, seenMs: value.seenMs });
      rows.write(rowKey(key), [value.seenMs, ...members]);
    },
    forget(key) {
      written.delete(key);
      rows.write(rowKey(key), null);
    },
    clear() {
      written.clear();
      void rows.clear();
    },
  };
}
