/** Queries for single objects, and for the names in folders page by page. */
import type { CatalogueObject, CataloguePage } from '../../../core/storage/catalogue.ts';
import type { Queries } from './database.ts';
import { nameOfPath, unpackedTag } from './stored-forms.ts';

interface ObjectRow {
  readonly name: string;
  readonly size: string;
  readonly modified: string;
  readonly etag: Buffer;
}

const objectOf = ({ size, modified, etag }: Omit<ObjectRow, 'name'>): CatalogueObject => ({
  size: Number(size),
  etag: unpackedTag(etag),
  modifiedMs: Number(modified),
});

const namedObject = (row: ObjectRow) => [row.name, objectOf(row)] as const;

/** An object by the path of its folder and its name. */
export interface WantedObject {
  readonly path: string;
  readonly name: string;
}

const finding = `
  select q.at, o.size, o.modified, o.etag from unnest($1::text[], $2::text[]) with ordinality q (path, name, at)
  join folders f on f.path = q.path join objects o on o.folder = f.id and o.name = q.name`;

export async function findObjects(
  database: Queries,
  wanted: readonly WantedObject[],
): Promise<readonly (CatalogueObject | undefined)[]> {
  const rows = await database.ask<Omit<ObjectRow, 'name'> & { at: string }>(finding, [
    wanted.map(({ path }) => path),
    wanted.map(({ name }) => name),
  ]);
  const found = new Map(rows.map((row) => [Number(row.at), objectOf(row)]));
  return wanted.map((_, index) => found.get(index + 1));
}

/** Names in a page. */
const pageNames = 5000;

/** In the order of the indexes: of a join all that follow would be sorted. */
const objectsAfter = `
  select o.name, o.size, o.modified, o.etag from objects o
  where o.folder = (select id from folders where path = $1) and o.name > $2 order by o.name limit ${pageNames}`;

const foldersAfter = `
  select f.path from folders f
  where f.parent = (select id from folders where path = $1) and f.path > $2 order by f.path limit ${pageNames}`;

/** A position is the name of an object behind `o`, or that of a folder behind `f`. */
export async function listPage(database: Queries, path: string, after = 'o'): Promise<CataloguePage> {
  if (after.startsWith('o')) {
    const rows = await database.ask<ObjectRow>(objectsAfter, [path, after.slice(1)]);
    const objects = rows.map(namedObject);
    if (rows.length === pageNames) return { objects, folders: [], next: `o${rows.at(-1)?.name}` };
    return { ...(await listPage(database, path, 'f')), objects };
  }
  const rows = await database.ask<{ path: string }>(foldersAfter, [path, `${path}/${after.slice(1)}`]);
  const folders = rows.map((row) => nameOfPath(row.path));
  return { objects: [], folders, next: rows.length === pageNames ? `f${folders.at(-1)}` : undefined };
}

/** Entries of one name that are taken for all of it. */
const maxNamed = 100;

const namedObjects = `
  select o.name, o.size, o.modified, o.etag from folders f join objects o on o.folder = f.id
  where f.path = $1 and o.name >= $2 || '.' and o.name < $2 || '/' order by o.name limit ${maxNamed}`;

const namedFolders = `
  select path from folders where path = $1 || '/' || $2
  union all
  (select f.path from folders around join folders f on f.parent = around.id
  where around.path = $1 and f.path >= $1 || '/' || $2 || '.' and f.path < $1 || '/' || $2 || '/' limit ${maxNamed})`;

export async function namedEntries(database: Queries, path: string, stem: string): Promise<CataloguePage | undefined> {
  const [objects, folders] = await Promise.all([
    database.ask<ObjectRow>(namedObjects, [path, stem]),
    database.ask<{ path: string }>(namedFolders, [path, stem]),
  ]);
  if (Math.max(objects.length, folders.length) >= maxNamed) return undefined;
  return { objects: objects.map(namedObject), folders: folders.map((row) => nameOfPath(row.path)), next: undefined };
}
