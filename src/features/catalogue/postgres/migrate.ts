/** Brings the tables of the catalogue to the version that this code needs. */
import { readFile } from 'node:fs/promises';
import type { Database } from './database.ts';

/** The files that change the tables, in their order. */
const steps = ['catalogue-1.sql', 'catalogue-facts.sql', 'catalogue-titles.sql'] as const;

const sqlOf = (name: string): Promise<string> =>
  readFile(new URL(`../../../../assets/${name}`, import.meta.url), 'utf8');

export const indexesSql = (): Promise<string> => sqlOf('catalogue-indexes.sql');

/** Any number, the same on all servers. */
const lock = 6_214_071;

/** Makes or changes the tables, once for all who do so at the same time. Throws where a newer version has made them. */
export const migrate = (database: Database): Promise<void> =>
  database.transaction(async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [lock]);
    await client.query('create schema if not exists lectern');
    await client.query('create table if not exists lectern.version (version integer not null)');
    const { rows } = await client.query<{ version: number }>('select version from lectern.version');
    const version = rows[0]?.version ?? 0;
    if (version > steps.length)
      throw new Error(
        `the catalogue was made by a newer version of Lectern (${version}, this one knows ${steps.length})`,
      );
    if (version === steps.length) return;
    for (const step of steps.slice(version)) await client.query(await sqlOf(step));
    if (version === 0) await client.query(await indexesSql());
    await client.query('delete from lectern.version');
    await client.query('insert into lectern.version values ($1)', [steps.length]);
  });
