/** Queries for the names in folders: found by path, paged by key, and by position from the nearest block of names. */
import type { CatalogueObject, CataloguePage, FolderCounts, NamePart } from '../../../core/storage/catalogue.ts';
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

const objectsAfter = `
  select o.name, o.size, o.modified, o.etag from folders f join objects o on o.folder = f.id
  where f.path = $1 and o.name > $2 order by o.name limit ${pageNames}`;

const foldersAfter = `
  select f.path from folders around join folders f on f.parent = around.id
  where around.path = $1 and f.path > $2 order by f.path limit ${pageNames}`;

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

type CountsRow = { readonly images: number; readonly folders: number; readonly changed: string };

const countsOf = ({ images, folders, changed }: CountsRow): FolderCounts => ({
  images,
  folders,
  changedMs: Number(changed),
});

export async function folderCounts(database: Queries, path: string): Promise<FolderCounts | undefined> {
  const [row] = await database.ask<CountsRow>('select images, folders, changed from folders where path = $1', [path]);
  return row && countsOf(row);
}

/** The block with the image at a position, and how many images precede it. */
const blockAt = `
  select first, before from (
    select first, sum(images) over (order by first) - images as before
    from blocks where folder = (select id from folders where path = $1)
  ) b where before < $2 order by before desc, first desc limit 1`;

const imagesFrom = `
  select o.name from folders f join objects o on o.folder = f.id
  where f.path = $1 and o.kind = 1 and o.name >= $2 order by o.name offset $3 limit $4`;

const foldersFrom = `
  select f.path as name from folders around join folders f on f.parent = around.id
  where around.path = $1 order by f.path offset $2 limit $3`;

export async function someNames(database: Queries, path: string, part: NamePart): Promise<readonly string[]> {
  const { kind, from, count } = part;
  if (kind === 'folder') {
    const rows = await database.ask<{ name: string }>(foldersFrom, [path, from - 1, count]);
    return rows.map(({ name }) => nameOfPath(name));
  }
  const [block] = await database.ask<{ first: string; before: string }>(blockAt, [path, from]);
  const skipped = from - 1 - Number(block?.before ?? 0);
  const rows = await database.ask<{ name: string }>(imagesFrom, [path, block?.first ?? '', skipped, count]);
  return rows.map(({ name }) => name);
}

const position = `
  with f as (select id from folders where path = $1),
    own as (select first from blocks where folder = (select id from f) and first <= $2 order by first desc limit 1)
  select (select coalesce(sum(images), 0) from blocks where folder = (select id from f) and first < (select first from own))
    + (select count(*) from objects where folder = (select id from f) and kind = 1
      and name >= coalesce((select first from own), '') and name <= $2) as at
  from objects where folder = (select id from f) and name = $2 and kind = 1`;

export async function positionOf(database: Queries, path: string, name: string): Promise<number | undefined> {
  const [row] = await database.ask<{ at: string }>(position, [path, name]);
  return row && Number(row.at);
}

/** As the index of the walk has it. */
const inWalk = (path: string): string => path.replaceAll('/', '\x01');

const walking = `
  select path, images, folders, changed from folders
  where replace(path, '/', E'\\x01') collate "C" > $1 and replace(path, '/', E'\\x01') collate "C" < $2
  order by replace(path, '/', E'\\x01') collate "C" limit $3`;

export async function walkFolders(
  database: Queries,
  path: string,
  after: string | undefined,
  count: number,
): Promise<readonly (FolderCounts & { readonly path: string })[]> {
  const start = inWalk(after ?? path);
  const rows = await database.ask<CountsRow & { path: string }>(walking, [
    after === undefined ? `${start}\x01` : start,
    `${inWalk(path)}\x02`,
    count,
  ]);
  return rows.map((row) => ({ ...countsOf(row), path: row.path }));
}
