/** Some thousand names of images in memory: how common words are, which decides how they are searched. */
import type { Database } from './database.ts';

/** Names in memory, some 2 MB, and how long they are used, in ms. */
const sampleSize = 20_000;
const sampleMs = 600_000;

export interface SampledNames {
  /** The number of all names, about. */
  readonly total: number;
  /** The part of names that have all of these words, from 0 to 1. */
  partWith(words: readonly string[]): number;
}

const totalSql = `select greatest(reltuples, 0)::float8 as total from pg_class where oid = 'objects'::regclass`;

/** The pages of the table are chosen by chance, since names that stand beside each other have the same words. */
const namesSql = (percentage: number): string => `
  select coalesce(o.folded, o.name) as name from objects o tablesample system (${percentage})
  where o.kind = 1 limit ${2 * sampleSize}`;

export class NameSample {
  readonly #database: Database;
  #names: Promise<SampledNames> | undefined;
  #readMs = Number.NEGATIVE_INFINITY;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Rejects where the database does not answer. */
  read(): Promise<SampledNames> {
    if (this.#names === undefined || Date.now() - this.#readMs > sampleMs) {
      this.#readMs = Date.now();
      this.#names = this.#read().catch((error: unknown) => {
        this.forget();
        throw error;
      });
    }
    return this.#names;
  }

  forget(): void {
    this.#names = undefined;
  }

  async #read(): Promise<SampledNames> {
    const [{ total } = { total: 0 }] = await this.#database.search<{ total: number }>(totalSql, []);
    const percentage = Math.min(100, (100 * sampleSize) / Math.max(1, total));
    const rows = await this.#database.search<{ name: string }>(namesSql(percentage), []);
    const names = rows.map(({ name }) => name);
    const partWith = (words: readonly string[]): number =>
      names.filter((name) => words.every((word) => name.includes(word))).length / Math.max(1, names.length);
    return { total, partWith };
  }
}
