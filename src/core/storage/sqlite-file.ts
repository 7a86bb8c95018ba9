/** Files of SQLite with nothing in them that can't be made anew: one that is damaged or of another version gives way to a new one. */
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import Database from 'libsql';

export type SqliteConnection = InstanceType<typeof Database>;

export interface SqliteForm {
  /** Another one means that the file is made anew. */
  readonly version: number;
  /** What has to be set before the first table, beside the write-ahead log. */
  readonly pragmas?: string;
  /** Makes the tables, and what is in them to begin with. */
  readonly schema: string;
  /** Of the folder, if it is made. */
  readonly mode?: number;
  /** The error where no file can be made in place of a damaged one. */
  readonly failure: () => Error;
}

export function removeSqliteFiles(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
}

/** The version of a file: 0 for a new one; undefined where it is no database. */
export function versionOf(database: SqliteConnection): number | undefined {
  try {
    return Number((database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version);
  } catch {
    return undefined;
  }
}

/** Opens a file for reading and writing, with its folder. Throws what `failure` makes. */
export function openSqliteFile(file: string, { version, pragmas = '', schema, mode, failure }: SqliteForm) {
  mkdirSync(path.dirname(file), { recursive: true, ...(mode !== undefined && { mode }) });
  for (let attempt = 1; ; attempt++) {
    const database = new Database(file);
    const found = versionOf(database);
    if (found === version) return database;
    if (found === 0) {
      database.exec(`${pragmas} PRAGMA journal_mode = WAL`);
      database.exec(`BEGIN IMMEDIATE; ${schema} PRAGMA user_version = ${version}; COMMIT`);
      return database;
    }
    database.close();
    if (attempt === 2) throw failure();
    removeSqliteFiles(file);
  }
}

export const openReadOnly = (file: string): SqliteConnection => new Database(file, { readonly: true } as never);

/** The statements of a connection, each of which is compiled once. */
export class SqliteStatements {
  readonly #database: SqliteConnection;
  readonly #compiled = new Map<string, ReturnType<SqliteConnection['prepare']>>();

  constructor(database: SqliteConnection) {
    this.#database = database;
  }

  all<T>(sql: string, values: readonly unknown[]): readonly T[] {
    const statement = this.#compiled.get(sql) ?? this.#database.prepare(sql);
    this.#compiled.set(sql, statement);
    // As a list: libsql takes a value that stands alone as named values.
    return statement.all(values) as readonly T[];
  }

  /** Lets them go, before the connection is closed. */
  clear(): void {
    this.#compiled.clear();
  }
}
