/** Fills a part of the catalogue: all objects into a table of their own, batch by batch, and at the end into the catalogue. */

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { filled } from '../postgres/changes.ts';
import type { Database } from '../postgres/database.ts';
import { FolderIds } from '../postgres/folder-ids.ts';
import { foldedName, folderPath, kindOf, packedTag, splitKey } from '../postgres/stored-forms.ts';
import { mergeStaged } from './merge.ts';

/** An object as a list or an inventory tells it. */
export interface StagedObject {
  readonly key: string;
  readonly size: number;
  readonly etag: string;
  /** In ms since 1970. */
  readonly modifiedMs: number;
}

/** What is filled, and from what. */
export interface FillingOptions {
  readonly bucket: string;
  /** Empty, or with a slash at the end. */
  readonly prefix: string;
  /** Names the source: another one begins anew. */
  readonly source: string;
  /** The time of which the source is. */
  readonly asOf: Date;
}

/** Where a filling goes on. */
export interface FillingState {
  /** Undefined at the beginning. */
  readonly position: string | undefined;
  readonly objects: number;
  /** The time of which the objects are. */
  readonly asOf: Date;
}

/** As COPY reads them. */
const escaped = (text: string): string =>
  /[\\\t\n\r]/.test(text)
    ? text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
    : text;

function lineOf({ key, size, etag, modifiedMs }: StagedObject, folder: number): string {
  const { name } = splitKey(key);
  const folded = foldedName(name);
  const fields = [
    ...[modifiedMs, size, folder, kindOf(name), escaped(name)],
    ...[folded === null ? '\\N' : escaped(folded), `\\\\x${packedTag(etag).toString('hex')}`],
  ];
  return `${fields.join('\t')}\n`;
}

const isKey = (key: string): boolean => key !== '' && !key.includes('\0') && !/(?:^|\/)\.{1,2}(?:\/|$)/.test(key);

export class Filling {
  readonly #database: Database;
  readonly #options: FillingOptions;
  readonly #area: number;
  readonly #folders = new FolderIds();

  private constructor(database: Database, options: FillingOptions, area: number) {
    this.#database = database;
    this.#options = options;
    this.#area = area;
  }

  /** Goes on with one that was begun from the same source, or begins. */
  static async begin(
    database: Database,
    options: FillingOptions,
  ): Promise<{ readonly filling: Filling; readonly state: FillingState }> {
    const { bucket, prefix, source, asOf } = options;
    return database.transaction(async (client) => {
      const area = await areaOf(client, folderPath(bucket, prefix));
      const { rows } = await client.query<{ position: string | null; objects: string; as_of: Date }>(
        'select position, objects, as_of from fillings where area = $1 and source = $2',
        [area, source],
      );
      const filling = new Filling(database, options, area);
      const [begun] = rows;
      if (begun !== undefined) {
        const state = { position: begun.position ?? undefined, objects: Number(begun.objects), asOf: begun.as_of };
        return { filling, state };
      }
      await client.query(`drop table if exists ${tableOf(area)}`);
      await client.query(`create unlogged table ${tableOf(area)} (like objects)`);
      await client.query('delete from fillings where area = $1', [area]);
      await client.query('insert into fillings (area, source, as_of) values ($1, $2, $3)', [area, source, asOf]);
      return { filling, state: { position: undefined, objects: 0, asOf } };
    });
  }

  /** Takes some objects; a filling that is stopped goes on at the position behind the last of them. */
  async add(objects: readonly StagedObject[], position: string): Promise<void> {
    const { bucket, prefix } = this.#options;
    // The path of the folder of each, once for neighbors.
    const own = objects.filter(({ key }) => isKey(key) && key.startsWith(prefix));
    const paths = own.map(({ key }) => folderPath(bucket, splitKey(key).prefix));
    const { from } = await import('pg-copy-streams');
    await this.#database.transaction(async (client) => {
      const ids = await this.#folders.of(new Set(paths), client);
      const lines = own.map((object, index) => lineOf(object, ids.get(paths[index] ?? '') ?? 0));
      const copy = client.query(from(`copy ${tableOf(this.#area)} from stdin`));
      await pipeline(Readable.from([Buffer.from(lines.join(''))]), copy);
      await client.query('update fillings set position = $2, objects = objects + $3 where area = $1', [
        ...[this.#area, position, own.length],
      ]);
    });
  }

  /** Takes all that was added into the catalogue, and what is gone out of it. */
  async finish(): Promise<void> {
    const { bucket, prefix } = this.#options;
    const [area, table] = [this.#area, tableOf(this.#area)];
    const [row] = await this.#database.patiently.ask<{ as_of: Date }>('select as_of from fillings where area = $1', [
      area,
    ]);
    if (row === undefined) throw new Error('this filling was ended by another one');
    await mergeStaged(this.#database, { area, table, path: folderPath(bucket, prefix), asOf: row.as_of });
    await this.#database.transaction(async (client) => {
      await client.query(
        `update areas set filled_as_of = $2, filled_at = now(), objects = (select count(*) from ${table}) where id = $1`,
        [area, row.as_of],
      );
      await client.query('delete from fillings where area = $1', [area]);
      await client.query(`drop table ${table}`);
      await client.query(`notify ${filled}`);
    });
  }
}

const tableOf = (area: number): string => `staged_${area}`;

async function areaOf(client: PoolClient, path: string): Promise<number> {
  await client.query('insert into areas (path) values ($1) on conflict (path) do nothing', [path]);
  const { rows } = await client.query<{ id: number }>('select id from areas where path = $1', [path]);
  const [row] = rows;
  if (row === undefined) throw new TypeError('an area that was just made is gone');
  return row.id;
}
