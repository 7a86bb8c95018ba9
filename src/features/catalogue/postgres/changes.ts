/** Takes changes of single objects into the tables, and tells of those that other servers took. */
import type { Client, PoolClient } from 'pg';
import type { CatalogueObject } from '../../../core/storage/catalogue.ts';
import type { Database } from './database.ts';
import { FolderIds } from './folder-ids.ts';
import { foldedName, folderPath, kindOf, packedTag, splitKey } from './stored-forms.ts';

/** A change of an object that the store or a server tells. */
export interface ObjectChange {
  readonly bucket: string;
  readonly key: string;
  /** Undefined where the object was removed. */
  readonly object: CatalogueObject | undefined;
  /** When it happened, in ms since 1970. */
  readonly atMs: number;
  /** Grows with each change of the key, as text; where the store tells none, the time decides. */
  readonly sequencer?: string | undefined;
}

/** Servers are told on these channels: of changes, and of a filling that has ended. */
const changed = 'lectern_changes';
export const filled = 'lectern_filled';

/** Any number: changes are taken one transaction after the other, so that their numbers are seen in their order. */
const lock = 6_214_072;

const changing = 'select change_object($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as taken';

async function takeOne(client: PoolClient, change: ObjectChange, folder: number): Promise<boolean> {
  const { bucket, key, object, atMs, sequencer } = change;
  const { name } = splitKey(key);
  const told = [Math.round(atMs), sequencer ?? null];
  const stored = object && [object.size, packedTag(object.etag), Math.round(object.modifiedMs)];
  const values = [
    `${bucket}/${key}`,
    folder,
    name,
    kindOf(name),
    foldedName(name),
    ...(stored ?? [0, null, 0]),
    ...told,
  ];
  const { rows } = await client.query<{ taken: boolean }>(changing, values);
  return rows[0]?.taken ?? false;
}

/** Resolves to those of the changes that were taken: the others are older than what is known. */
export async function takeChanges(
  database: Database,
  changes: readonly ObjectChange[],
): Promise<readonly ObjectChange[]> {
  const valid = changes.filter(({ key }) => key !== '' && !key.includes('\0'));
  return database.transaction(async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [lock]);
    const ids = new FolderIds();
    const taken: ObjectChange[] = [];
    for (const change of valid) {
      const path = folderPath(change.bucket, splitKey(change.key).prefix);
      // A removal before it may have deleted the folder.
      const folder = (await ids.of([path], client)).get(path);
      if (folder === undefined) continue;
      if (await takeOne(client, change, folder)) taken.push(change);
      if (change.object === undefined) {
        await client.query('select drop_if_empty($1)', [folder]);
        ids.forget();
      }
    }
    if (taken.length > 0) await client.query(`notify ${changed}`);
    return taken;
  });
}

interface Told {
  /** A change of an object, by its bucket and key. */
  readonly onChange: (bucket: string, key: string) => void;
  /** Anything may have changed. */
  readonly onFilled: () => void;
}

/** How often changes are asked for where nobody tells of any, and when a connection is tried again, in ms. */
const pollMs = 30_000;
const retryMs = 2000;

/** Changes that are read at once. */
const maxRead = 10_000;

/** Follows the changes that all servers take. */
export class ChangeFollower {
  readonly #database: Database;
  readonly #told: Told;
  #last: string | undefined;
  #client: Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;
  #isClosed = false;

  constructor(database: Database, told: Told) {
    this.#database = database;
    this.#told = told;
  }

  /** Connects, and connects again whenever the connection is lost. */
  start(): void {
    void this.#listen();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#client?.end().catch(() => undefined);
    await this.#reading;
  }

  async #listen(): Promise<void> {
    try {
      const client = await this.#database.listener();
      if (this.#isClosed) return;
      this.#client = client;
      client.on('error', () => undefined);
      client.on('end', () => this.#later(retryMs));
      client.on('notification', ({ channel }) => {
        if (channel === filled) this.#told.onFilled();
        void this.#read();
      });
      await client.connect();
      await client.query(`listen ${changed}; listen ${filled}`);
      // What was told while nobody listened.
      await this.#read();
      this.#later(pollMs);
    } catch {
      await this.#client?.end().catch(() => undefined);
      this.#later(retryMs);
    }
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    const isLost = ms === retryMs;
    this.#timer = setTimeout(() => {
      if (isLost) void this.#listen();
      else void this.#read().then(() => this.#later(pollMs));
    }, ms);
    this.#timer.unref();
  }

  /** Reads what was changed since the last time; another time after that where one is under way. Never rejects. */
  #read(): Promise<void> {
    this.#reading = (this.#reading ?? Promise.resolve()).then(() => this.#readNext().catch(() => undefined));
    return this.#reading;
  }

  async #readNext(): Promise<void> {
    if (this.#last === undefined) {
      const [row] = await this.#database.ask<{ last: string }>('select coalesce(max(number), 0) as last from changes');
      this.#last = row?.last;
      return;
    }
    const rows = await this.#database.ask<{ number: string; path: string }>(
      `select number, path from changes where number > $1 order by number limit ${maxRead}`,
      [this.#last],
    );
    this.#last = rows.at(-1)?.number ?? this.#last;
    for (const { path } of rows) {
      const slash = path.indexOf('/');
      this.#told.onChange(path.slice(0, slash), path.slice(slash + 1));
    }
    if (rows.length === maxRead) await this.#readNext();
  }
}
