/** Takes the objects of a filling into the catalogue, with what is counted of folders. */
import type { PoolClient } from 'pg';
import type { Database } from '../postgres/database.ts';
import { indexesSql } from '../postgres/migrate.ts';

interface StagedArea {
  readonly area: number;
  /** The table of its objects. */
  readonly table: string;
  /** The path of the folder that they are in and below. */
  readonly path: string;
  /** The time of which they are. */
  readonly asOf: Date;
}

/** Sorting and making indexes takes a fraction of the time with this memory, which is used by one filling at a time. */
const memory = `set local maintenance_work_mem = '512MB'; set local work_mem = '256MB'; set local synchronous_commit = off`;

/** Any number: one filling at a time is taken into the catalogue. */
const lock = 6_214_073;

const inArea = `folder in (select id from folders where path = $1 or path > $1 || '/' and path < $1 || '0')`;

const columns = 'modified, size, folder, kind, name, folded, etag';

/** Names with the largest modification time, in the order in which folders are read. */
const staged = (table: string): string =>
  `select distinct on (folder, name) ${columns} from ${table} order by folder, name, modified desc`;

/** Into an empty table, of which the indexes are made afterwards. */
async function insertAll(client: PoolClient, table: string): Promise<void> {
  await client.query('drop index if exists objects_key, objects_names, objects_words, objects_metadata');
  await client.query(`insert into objects (${columns}) ${staged(table)}`);
  await client.query(await indexesSql());
}

/** What was told since the time of the filling is newer than what the filling says. */
async function insertDifferent(client: PoolClient, { table, path, asOf }: StagedArea): Promise<void> {
  await client.query(`analyze ${table}`);
  await client.query(`
    insert into objects (${columns}) ${staged(table)}
    on conflict (folder, name) do update set modified = excluded.modified, size = excluded.size, etag = excluded.etag
    where excluded.modified >= objects.modified
      and (excluded.size, excluded.etag) is distinct from (objects.size, objects.etag)`);
  await client.query(
    `delete from objects o where o.${inArea} and o.modified < $2
     and not exists (select from ${table} s where s.folder = o.folder and s.name = o.name)`,
    [path, asOf.getTime()],
  );
}

/** Removals that were told since the time of the filling. */
const removeTold = `
  delete from objects o using changes c, folders f
  where c.removed and c.at >= $1 and f.path = regexp_replace(c.path, '/[^/]*$', '')
    and o.folder = f.id and o.name = regexp_replace(c.path, '^.*/', '') and o.modified <= c.at`;

const countImages = `
  update folders f set images = c.images, changed = c.changed from (
    select a.id, count(o.name)::integer as images, coalesce(max(o.modified), 0) as changed
    from folders a left join objects o on o.folder = a.id and o.kind = 1
    where a.path = $1 or a.path > $1 || '/' and a.path < $1 || '0' group by a.id
  ) c where f.id = c.id and (f.images, f.changed) is distinct from (c.images, c.changed)`;

const countFolders = `
  update folders f set folders = c.folders from (
    select a.id, count(i.id)::integer as folders from folders a left join folders i on i.parent = a.id
    where $1 = a.path or a.path > $1 || '/' and a.path < $1 || '0' or left($1, length(a.path) + 1) = a.path || '/' group by a.id
  ) c where f.id = c.id and f.folders is distinct from c.folders`;

const dropEmpty = `
  delete from folders f where f.folders = 0 and f.parent is not null and f.path > $1 || '/' and f.path < $1 || '0'
    and not exists (select from objects o where o.folder = f.id)`;

/** Of folders with more images the positions of names are counted by blocks of this number. */
const blockImages = 4096;

const forgetBlocks = `delete from blocks where ${inArea} or folder not in (select id from folders)`;

const makeBlocks = `
  insert into blocks select folder, case when block = 0 then '' else min(name) end, count(*) from (
    select folder, name, (row_number() over (partition by folder order by name) - 1) / ${blockImages} as block
    from objects where kind = 1 and folder in (
      select id from folders where images > ${2 * blockImages} and (path = $1 or path > $1 || '/' and path < $1 || '0'))
  ) o group by folder, block`;

/** Changes of before say nothing that the filling does not say, but for those that come late. */
const forgetChanges = `delete from changes where at < $1 - 7 * 24 * 3600000::bigint`;

/** Each part is one transaction, and can be done again. */
export async function mergeStaged(database: Database, staged: StagedArea): Promise<void> {
  const { table, path, asOf } = staged;
  await database.transaction(async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [lock]);
    await client.query(memory);
    const { rows } = await client.query<{ any: boolean }>('select exists (select from objects) as any');
    if (rows[0]?.any) await insertDifferent(client, staged);
    else await insertAll(client, table);
    await client.query(removeTold, [asOf.getTime()]);
  });
  await database.transaction(async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [lock]);
    await client.query(memory);
    await client.query('analyze objects, folders');
    await client.query(countImages, [path]);
    for (let isEmptied = true; isEmptied; ) {
      await client.query(countFolders, [path]);
      isEmptied = ((await client.query(dropEmpty, [path])).rowCount ?? 0) > 0;
    }
    await client.query(forgetBlocks, [path]);
    await client.query(makeBlocks, [path]);
    await client.query(forgetChanges, [asOf.getTime()]);
  });
}
