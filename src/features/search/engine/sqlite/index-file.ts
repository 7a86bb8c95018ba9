/** The index in one SQLite file: pages with their payloads, and their words in FTS5. Blocks its thread while it works. */
import { statSync } from 'node:fs';
import path from 'node:path';
import {
  openReadOnly,
  openSqliteFile,
  type SqliteConnection,
  SqliteStatements,
  versionOf,
} from '../../../../core/storage/sqlite-file.ts';
import type { PageQuery } from '../query.ts';
import {
  ancestors,
  type EngineState,
  type FindRequest,
  type Found,
  fullIndex,
  type IndexedPage,
  type PageKey,
  type PagePayload,
  SearchEngineError,
} from '../search-engine.ts';
import { compress, decompress, leastSampleLength, makeDictionary } from './dictionary.ts';
import { indexFileName } from './index-file-name.ts';

/** Another one means that the file is made anew. */
const schemaVersion = 4;

/**
 * The words come folded, so FTS5 has only to part them at spaces: its tokenizer `ascii` takes every other character as part
 * of a word, and is the fastest. FTS5 keeps no copy of the text (`content=''`), which the payloads have. It merges its parts
 * as rarely as it can (`automerge`), since `optimize` merges them all: writing takes a sixth less.
 */
const schema = `
  CREATE TABLE folder (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
  CREATE TABLE page (id INTEGER PRIMARY KEY, folder INTEGER NOT NULL, name TEXT NOT NULL, fingerprint TEXT NOT NULL,
    dictionary INTEGER NOT NULL, text BLOB NOT NULL, boxes BLOB NOT NULL, UNIQUE (folder, name));
  CREATE TABLE dictionary (id INTEGER PRIMARY KEY, words BLOB NOT NULL);
  CREATE VIRTUAL TABLE words USING fts5(folders, text, content='', contentless_delete=1, tokenize='ascii');
  INSERT INTO words (words, rank) VALUES ('automerge', 16);
`;

/** Ranking reads each match of each word: with more matches than this the order is that of the index. */
const mostRanked = 2000;

/** Matches are counted up to this number. */
const mostCounted = 10_000;

/** Writing waits this long for another process that writes, in ms. */
const busyMs = 10_000;

export interface IndexFileOptions {
  readonly directory: string;
  readonly maxBytes: number;
  readonly isReadOnly?: boolean;
}

interface PageRow {
  readonly id: number;
  readonly folder: string;
  readonly name: string;
}

/** A phrase as FTS5 writes it; tokens hold neither quotation marks nor spaces. */
const phraseText = ({ spellings, isPrefix }: PageQuery[number]): string =>
  `(${spellings.map((tokens) => `"${tokens.join(' ')}"${isPrefix ? ' *' : ''}`).join(' OR ')})`;

/** The word of the pages that are in a folder itself; those below have `f` with its number too. */
const ownFolder = (id: number): string => `o${id}`;

function inodeOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.dev}:${stats.ino}`;
}

/** Everything in it can be made anew. */
const openWritable = (file: string): SqliteConnection =>
  openSqliteFile(file, {
    version: schemaVersion,
    pragmas: 'PRAGMA page_size = 16384; PRAGMA auto_vacuum = INCREMENTAL;',
    schema,
    failure: () => new SearchEngineError('The index of texts can’t be made anew.'),
  });

/** An open index. */
export class IndexFile {
  readonly #file: string;
  readonly #database: SqliteConnection;
  readonly #maxBytes: number;
  readonly #inode: string;
  readonly #dictionaries = new Map<number, Uint8Array>([[0, new Uint8Array()]]);
  readonly #statements: SqliteStatements;

  constructor({ directory, maxBytes, isReadOnly = false }: IndexFileOptions) {
    this.#file = path.join(directory, indexFileName);
    this.#maxBytes = maxBytes;
    this.#database = isReadOnly ? openReadOnly(this.#file) : openWritable(this.#file);
    this.#statements = new SqliteStatements(this.#database);
    this.#inode = inodeOf(this.#file);
    if (isReadOnly && versionOf(this.#database) !== schemaVersion) {
      this.#database.close();
      throw new SearchEngineError('There is no index of texts yet.');
    }
    this.#database.exec(`PRAGMA busy_timeout = ${busyMs}; PRAGMA cache_size = -32768; PRAGMA mmap_size = 0`);
    if (!isReadOnly) this.#database.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 2000');
  }

  #all<T>(sql: string, ...values: unknown[]): readonly T[] {
    return this.#statements.all(sql, values);
  }

  #folderId(path: string): number | undefined {
    return this.#all<{ id: number }>('SELECT id FROM folder WHERE path = ?', path)[0]?.id;
  }

  #requireFolderId(path: string): number {
    const known = this.#folderId(path);
    if (known !== undefined) return known;
    return this.#all<{ id: number }>('INSERT INTO folder (path) VALUES (?) RETURNING id', path)[0]?.id ?? 0;
  }

  #pageId(folder: number, name: string): number | undefined {
    return this.#all<{ id: number }>('SELECT id FROM page WHERE folder = ? AND name = ?', folder, name)[0]?.id;
  }

  /** The condition of FTS5; undefined where nothing can match. */
  #matchOf({ query, within, isShallow = false }: FindRequest): string | undefined {
    if (query.length === 0) return undefined;
    const inText = `text : (${query.map(phraseText).join(' AND ')})`;
    if (within === '' && !isShallow) return inText;
    const folder = this.#folderId(within);
    return folder === undefined ? undefined : `folders : ${isShallow ? ownFolder(folder) : `f${folder}`} AND ${inText}`;
  }

  find(request: FindRequest): Found {
    const match = this.#matchOf(request);
    if (match === undefined) return { pages: [], isAll: true, total: 0 };
    const counted = this.#all<{ count: number }>(
      'SELECT count(*) AS count FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)',
      match,
      mostCounted + 1,
    );
    const total = Math.min(counted[0]?.count ?? 0, mostCounted);
    const isRanked = total <= mostRanked;
    // What is not ranked comes in the order of the index, where FTS5 ends at the limit without seeing all matches.
    const [rank, order] = isRanked ? ['bm25(words, 0.0, 1.0)', 'rank, rowid'] : ['0', 'rowid'];
    const rows = this.#all<PageRow>(
      `SELECT page.id AS id, folder.path AS folder, page.name AS name
       FROM (SELECT rowid AS id, ${rank} AS rank FROM words WHERE words MATCH ? ORDER BY ${order} LIMIT ?) AS hit
       JOIN page ON page.id = hit.id JOIN folder ON folder.id = page.folder
       ORDER BY rank, hit.id`,
      match,
      request.limit,
    );
    return {
      pages: rows.map(({ folder, name }) => ({ folder, name })),
      isAll: rows.length === counted[0]?.count,
      total,
    };
  }

  read(pages: readonly PageKey[]): readonly (PagePayload | undefined)[] {
    const sql =
      'SELECT text, boxes, dictionary FROM page JOIN folder ON folder.id = page.folder WHERE folder.path = ? AND page.name = ?';
    return pages.map(({ folder, name }) => {
      const [row] = this.#all<{ text: ArrayBuffer; boxes: ArrayBuffer; dictionary: number }>(sql, folder, name);
      return (
        row && {
          text: decompress(Buffer.from(row.text), this.#dictionary(row.dictionary)),
          boxes: Buffer.from(row.boxes),
        }
      );
    });
  }

  /** The words of a dictionary; 0 is the empty one. */
  #dictionary(id: number): Uint8Array {
    const known = this.#dictionaries.get(id);
    if (known !== undefined) return known;
    const [row] = this.#all<{ words: ArrayBuffer }>('SELECT words FROM dictionary WHERE id = ?', id);
    const words = row === undefined ? new Uint8Array() : Buffer.from(row.words);
    this.#dictionaries.set(id, words);
    return words;
  }

  /** The dictionary for new pages: the latest; a first one is made as soon as there are enough of them. */
  #writingDictionary(pages: readonly IndexedPage[]): number {
    const [row] = this.#all<{ id: number | null }>('SELECT max(id) AS id FROM dictionary');
    if (row?.id) return row.id;
    if (pages.reduce((sum, { payload }) => sum + payload.text.length, 0) < leastSampleLength) return 0;
    const words = makeDictionary(pages.map(({ payload }) => payload.text));
    return this.#all<{ id: number }>('INSERT INTO dictionary (words) VALUES (?) RETURNING id', words)[0]?.id ?? 0;
  }

  #transaction(work: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  #removePage({ folder, name }: PageKey): void {
    const folderId = this.#folderId(folder);
    const id = folderId === undefined ? undefined : this.#pageId(folderId, name);
    if (id === undefined) return;
    this.#all('DELETE FROM words WHERE rowid = ?', id);
    this.#all('DELETE FROM page WHERE id = ?', id);
  }

  put(pages: readonly IndexedPage[]): void {
    if (this.#bytes() > this.#maxBytes) {
      throw new SearchEngineError(fullIndex);
    }
    this.#transaction(() => {
      const folders = new Map<string, readonly [id: number, tokens: string]>();
      const folderOf = (folder: string): readonly [number, string] => {
        const known = folders.get(folder);
        if (known !== undefined) return known;
        const tokens = ancestors(folder).map((above) => `f${this.#requireFolderId(above)}`);
        const id = this.#requireFolderId(folder);
        const made = [id, [...tokens, ownFolder(id)].join(' ')] as const;
        folders.set(folder, made);
        return made;
      };
      const dictionary = this.#writingDictionary(pages);
      const words = this.#dictionary(dictionary);
      for (const page of pages) {
        const [folder, folderTokens] = folderOf(page.folder);
        this.#removePage(page);
        const [row] = this.#all<{ id: number }>(
          'INSERT INTO page (folder, name, fingerprint, dictionary, text, boxes) VALUES (?, ?, ?, ?, ?, ?) RETURNING id',
          folder,
          page.name,
          page.fingerprint,
          dictionary,
          compress(page.payload.text, words),
          Buffer.from(page.payload.boxes),
        );
        this.#all('INSERT INTO words (rowid, folders, text) VALUES (?, ?, ?)', row?.id, folderTokens, page.words);
      }
    });
  }

  remove(pages: readonly PageKey[]): void {
    this.#transaction(() => {
      for (const page of pages) this.#removePage(page);
    });
  }

  fingerprints(folder: string): ReadonlyMap<string, string> {
    const sql =
      'SELECT page.name AS name, page.fingerprint AS fingerprint FROM page JOIN folder ON folder.id = page.folder WHERE folder.path = ?';
    return new Map(
      this.#all<{ name: string; fingerprint: string }>(sql, folder).map((row) => [row.name, row.fingerprint]),
    );
  }

  folders(): readonly string[] {
    const sql = 'SELECT path FROM folder WHERE EXISTS (SELECT 1 FROM page WHERE page.folder = folder.id)';
    return this.#all<{ path: string }>(sql).map((row) => row.path);
  }

  /** Whether the file was deleted or replaced since it was opened. */
  isGone(): boolean {
    return inodeOf(this.#file) !== this.#inode;
  }

  #bytes(): number {
    return ['', '-wal'].reduce(
      (sum, end) => sum + (statSync(this.#file + end, { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
  }

  state(): EngineState {
    const [row] = this.#all<{ count: number }>('SELECT count(*) AS count FROM page');
    return { pages: row?.count ?? 0, bytes: this.#bytes() };
  }

  /** Merges the parts that writing leaves, which makes searching quicker, and gives back the space that they took. */
  optimize(): void {
    this.#all("INSERT INTO words (words) VALUES ('optimize')");
    this.#database.exec('PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)');
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }
}
