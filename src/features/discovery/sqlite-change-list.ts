/** The list of changes in one SQLite file: a row for each manifest, which moves to the end when the manifest changes. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  Change,
  ChangeCounts,
  ChangeKind,
  ChangeList,
  ChangeListState,
  ChangePage,
  SeenManifest,
} from '../../core/storage/change-list.ts';
import {
  openSqliteFile,
  removeSqliteFiles,
  type SqliteConnection,
  SqliteStatements,
} from '../../core/storage/sqlite-file.ts';

/** Another one means that the file is made anew. */
const schemaVersion = 1;

/**
 * Rows are in the order of the list; `next` is where the next one goes, and counts up for ever, so that pages keep their numbers.
 * The list begins with a refresh: whoever read one that is gone learns that all manifests follow anew.
 */
const schema = `
  CREATE TABLE change (place INTEGER PRIMARY KEY, path TEXT UNIQUE, kind TEXT NOT NULL, version TEXT NOT NULL,
    listed INTEGER NOT NULL, changed INTEGER NOT NULL);
  CREATE INDEX deletion ON change (place) WHERE kind = 'delete';
  CREATE TABLE list (next INTEGER NOT NULL, total INTEGER NOT NULL, listed INTEGER NOT NULL, whole INTEGER NOT NULL);
`;

/** Writing waits this long for another process that writes, in ms. */
const busyMs = 2000;

/** Deletions that are kept: those of longer ago are forgotten. */
const mostDeletions = 100_000;

/** Places of the list that are compared with what was seen in one transaction, which takes a few milliseconds. */
const comparedAtOnce = 2000;

export interface SqliteChangeListOptions {
  readonly file: string;
  readonly maxBytes: number;
  /** Changes of a page. */
  readonly pageSize: number;
  readonly now: () => number;
  /** Called with the path of a manifest that is another one than before, or gone. */
  readonly onChanged?: (path: string) => void;
}

interface ChangeRow {
  readonly kind: ChangeKind;
  readonly path: string | null;
  readonly listed: number;
  readonly changed: number;
}

const openFile = (file: string, nowMs: number): SqliteConnection =>
  openSqliteFile(file, {
    version: schemaVersion,
    schema: `${schema}
      INSERT INTO change VALUES (0, NULL, 'refresh', '', ${nowMs}, ${nowMs});
      INSERT INTO list VALUES (1, 1, ${nowMs}, 0);`,
    mode: 0o700,
    failure: () => new Error('The list of changes can’t be made anew.'),
  });

const none: ChangeCounts = { create: 0, update: 0, delete: 0, refused: 0 };

/** Whether an error says that the file is damaged. */
const isDamage = (error: unknown): boolean =>
  error instanceof Error && /^SQLITE_(?:CORRUPT|NOTADB)/.test(String((error as { code?: unknown }).code));

export class SqliteChangeList implements ChangeList {
  readonly #options: SqliteChangeListOptions;
  readonly #database: SqliteConnection;
  readonly #statements: SqliteStatements;
  #isDamaged = false;

  constructor(options: SqliteChangeListOptions) {
    this.#options = options;
    this.#database = openFile(options.file, options.now());
    this.#statements = new SqliteStatements(this.#database);
    this.#database.exec(`PRAGMA busy_timeout = ${busyMs}; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -4096;
      CREATE TEMP TABLE seen (path TEXT PRIMARY KEY) WITHOUT ROWID`);
  }

  async state(): Promise<ChangeListState> {
    const [row] = this.#all<{ total: number; first: number; last: number; whole: number }>(
      `SELECT total, whole, (SELECT min(place) FROM change) AS first, (SELECT max(place) FROM change) AS last FROM list`,
    );
    const { total = 0, first = 0, last = 0, whole = 0 } = row ?? {};
    return { total, first: this.#pageOf(first), last: this.#pageOf(last), isWhole: whole === 1 };
  }

  async page(number: number): Promise<ChangePage | undefined> {
    const from = number * this.#options.pageSize;
    const end = from + this.#options.pageSize;
    const rows = this.#all<ChangeRow>(
      'SELECT kind, path, listed, changed FROM change WHERE place >= ? AND place < ? ORDER BY place',
      from,
      end,
    );
    if (rows.length === 0) return undefined;
    const [around] = this.#all<{ before: number | null; after: number | null }>(
      `SELECT (SELECT max(place) FROM change WHERE place < ?) AS before,
         (SELECT min(place) FROM change WHERE place >= ?) AS after`,
      from,
      end,
    );
    const numberOf = (place: number | null | undefined): number | undefined =>
      place === null || place === undefined ? undefined : this.#pageOf(place);
    const changes = rows.map(
      ({ kind, path: of, listed, changed }): Change => ({ kind, path: of ?? '', listedMs: listed, changedMs: changed }),
    );
    return { changes, before: numberOf(around?.before), after: numberOf(around?.after) };
  }

  async begin(): Promise<void> {
    this.#all('DELETE FROM temp.seen');
  }

  async note(manifests: readonly SeenManifest[]): Promise<ChangeCounts> {
    return this.#transaction(() => {
      const counts = { ...none };
      for (const manifest of manifests) {
        this.#all('INSERT OR IGNORE INTO temp.seen VALUES (?)', manifest.path);
        const kind = this.#kindOf(manifest);
        if (kind === undefined) continue;
        const isRefused = kind === 'create' && this.#isFull();
        counts[isRefused ? 'refused' : kind] += 1;
        if (!isRefused) this.#list(kind, manifest.path, manifest);
        if (kind === 'update') this.#options.onChanged?.(manifest.path);
      }
      return counts;
    });
  }

  async end(sawAll: boolean): Promise<ChangeCounts> {
    let deleted = 0;
    const [places] = this.#all<{ from: number; end: number }>(
      'SELECT (SELECT min(place) FROM change) AS "from", next AS "end" FROM list',
    );
    const { from = 0, end = 0 } = places ?? {};
    for (let at = from; sawAll && at < end; at += comparedAtOnce) {
      deleted += this.#deleteUnseen(at, Math.min(end, at + comparedAtOnce));
      await nextTurn();
    }
    this.#forgetDeletions();
    this.#all('UPDATE list SET whole = 1 WHERE whole = 0');
    this.#all('DELETE FROM temp.seen');
    return { ...none, delete: deleted };
  }

  async close(): Promise<void> {
    if (!this.#isDamaged) this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#statements.clear();
    this.#database.close();
    if (this.#isDamaged) removeSqliteFiles(this.#options.file);
  }

  /** What has happened to a manifest; undefined for nothing. */
  #kindOf({ path: of, version }: SeenManifest): 'create' | 'update' | undefined {
    if (version === undefined) return undefined;
    const [row] = this.#all<{ kind: ChangeKind; version: string }>(
      'SELECT kind, version FROM change WHERE path = ?',
      of,
    );
    if (row === undefined || row.kind === 'delete') return 'create';
    return row.version === version ? undefined : 'update';
  }

  /** Puts a change to the end of the list, in place of the one before of the same manifest. */
  #list(
    kind: 'create' | 'update' | 'delete',
    of: string,
    { version = '', changedMs = 0 }: Partial<SeenManifest>,
  ): void {
    const [list] = this.#all<{ next: number; listed: number }>(
      'UPDATE list SET next = next + 1, listed = max(listed, ?) RETURNING next - 1 AS next, listed',
      this.#options.now(),
    );
    const before = this.#all('DELETE FROM change WHERE path = ? RETURNING place', of);
    if (before.length === 0) this.#all('UPDATE list SET total = total + 1');
    this.#all(
      'INSERT INTO change (place, path, kind, version, listed, changed) VALUES (?, ?, ?, ?, ?, ?)',
      list?.next,
      of,
      kind,
      version,
      list?.listed,
      Math.round(changedMs),
    );
  }

  /** How many manifests at some places were deleted, since the walk has not seen them. */
  #deleteUnseen(from: number, end: number): number {
    return this.#transaction(() => {
      const gone = this.#all<{ path: string }>(
        `SELECT path FROM change WHERE place >= ? AND place < ? AND path IS NOT NULL AND kind <> 'delete'
           AND path NOT IN (SELECT path FROM temp.seen)`,
        from,
        end,
      );
      for (const { path: of } of gone) {
        this.#list('delete', of, {});
        this.#options.onChanged?.(of);
      }
      return gone.length;
    });
  }

  #forgetDeletions(): void {
    this.#transaction(() => {
      const forgotten = this.#all(
        `DELETE FROM change WHERE place IN (
           SELECT place FROM change WHERE kind = 'delete' ORDER BY place DESC LIMIT -1 OFFSET ?) RETURNING place`,
        mostDeletions,
      );
      if (forgotten.length > 0) this.#all('UPDATE list SET total = total - ?', forgotten.length);
    });
  }

  #isFull(): boolean {
    const [row] = this.#all<{ bytes: number }>(
      'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
    );
    return (row?.bytes ?? 0) > this.#options.maxBytes;
  }

  #pageOf(place: number): number {
    return Math.floor(place / this.#options.pageSize);
  }

  #all<T>(sql: string, ...values: unknown[]): readonly T[] {
    try {
      return this.#statements.all(sql, values);
    } catch (error) {
      this.#isDamaged ||= isDamage(error);
      throw error;
    }
  }

  #transaction<T>(work: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}
