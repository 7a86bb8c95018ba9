/** Queries for what is counted of folders: positions of names from the nearest block of them, and folders in the order of a walk. */
import { metadataFiles } from '../../../core/image/folder/folder-metadata.ts';
import type {
  CataloguedImage,
  CataloguedSubfolder,
  FolderCounts,
  ImagePath,
  PositionRange,
  WalkPosition,
} from '../../../core/storage/catalogue.ts';
import type { Queries } from './database.ts';
import { nameOfPath } from './stored-forms.ts';

interface CountsRow {
  readonly images: number;
  readonly folders: number;
  readonly changed: string;
  readonly described: string | null;
}

const countsOf = ({ images, folders, changed, described }: CountsRow): FolderCounts => ({
  images,
  folders,
  changedMs: Number(changed),
  metadataVersion: described ?? '',
});

/** Folders whose names are empty or begin with a dot are shown nowhere. */
const isHidden = `(f.path = $1 || '/' or f.path >= $1 || '/.' and f.path < $1 || '//')`;

const counting = `
  select a.images, a.changed, a.described, a.folders - (
    select count(*)::integer from folders f where f.parent = a.id and ${isHidden}
  ) as folders from folders a where a.path = $1`;

export async function folderCounts(database: Queries, path: string): Promise<FolderCounts | undefined> {
  const [row] = await database.ask<CountsRow>(counting, [path]);
  return row && countsOf(row);
}

/** The block with the image at a position, and how many images precede it. */
const blockAt = `
  select first, before from (
    select first, sum(images) over (order by first) - images as before
    from blocks where folder = (select id from folders where path = $1)
  ) b where before < $2 order by before desc, first desc limit 1`;

type ImageRow = { readonly name: string; readonly modified: string };

const imageOf = ({ name, modified }: ImageRow): CataloguedImage => ({ name, modifiedMs: Number(modified) });

/** In the order of the index: of a join all that follow would be sorted. */
const imagesFrom = `
  select o.name, o.modified from objects o where o.folder = (select id from folders where path = $1)
  and o.kind = 1 and o.name >= $2 order by o.name offset $3 limit $4`;

export async function someImages(
  database: Queries,
  path: string,
  { from, count }: PositionRange,
): Promise<readonly CataloguedImage[]> {
  const [block] = await database.ask<{ first: string; before: string }>(blockAt, [path, from]);
  const skipped = from - 1 - Number(block?.before ?? 0);
  const rows = await database.ask<ImageRow>(imagesFrom, [path, block?.first ?? '', skipped, count]);
  return rows.map(imageOf);
}

/** Files that say something of their folder. */
const files = [...metadataFiles, 'manifest.json'].map((name) => `'${name}'`).join(', ');

const foldersFrom = `
  select f.path, f.images, f.folders = 0 and not exists (
    select from objects o where o.folder = f.id and o.name in (${files})
  ) as plain from (
    select f.id, f.path, f.images, f.folders from folders f where f.parent = (select id from folders where path = $1)
    and not ${isHidden} and f.path <> all ($4::text[]) order by f.path offset $2 limit $3
  ) f order by f.path`;

export async function someFolders(
  database: Queries,
  path: string,
  { from, count }: PositionRange,
  without: readonly string[] = [],
): Promise<readonly CataloguedSubfolder[]> {
  const hidden = without.map((name) => `${path}/${name}`);
  const values = [path, from - 1, count, hidden];
  const rows = await database.ask<{ path: string; images: number; plain: boolean }>(foldersFrom, values);
  return rows.map((row) => ({ name: nameOfPath(row.path), images: row.images, isPlain: row.plain }));
}

const imagesOf = `
  select q.at, o.name, o.modified from unnest($1::text[]) with ordinality q (path, at)
  join folders f on f.path = q.path join objects o on o.folder = f.id where o.kind = 1 order by q.at, o.name`;

export async function imagesInEach(
  database: Queries,
  paths: readonly string[],
): Promise<readonly (readonly CataloguedImage[])[]> {
  const rows = await database.ask<ImageRow & { at: string }>(imagesOf, [paths]);
  const images = paths.map((): CataloguedImage[] => []);
  for (const row of rows) images[Number(row.at) - 1]?.push(imageOf(row));
  return images;
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

const positions = `
  select q.at, count(*)::integer as place from unnest($1::text[], $2::text[]) with ordinality q (path, name, at)
  join folders f on f.path = q.path join objects o on o.folder = f.id and o.kind = 1 and o.name <= q.name collate "C"
  group by q.at, q.name having max(o.name) = q.name`;

/** Counts names, for which folders must not be long. */
export async function positionsOf(
  database: Queries,
  images: readonly ImagePath[],
): Promise<readonly (number | undefined)[]> {
  const rows = await database.ask<{ at: string; place: number }>(positions, [
    images.map(({ path }) => path),
    images.map(({ name }) => name),
  ]);
  const found = new Map(rows.map(({ at, place }) => [Number(at), place]));
  return images.map((_, index) => found.get(index + 1));
}

/** As the index of the walk has it. */
const inWalk = (path: string): string => path.replaceAll('/', '\x01');

const walking = `
  select path, images, folders, changed, described from folders
  where replace(path, '/', E'\\x01') collate "C" > $1 and replace(path, '/', E'\\x01') collate "C" < $2
  order by replace(path, '/', E'\\x01') collate "C" limit $3`;

export async function walkFolders(
  database: Queries,
  path: string,
  after: WalkPosition | undefined,
  count: number,
): Promise<readonly (FolderCounts & { readonly path: string })[]> {
  const start = inWalk(after?.path ?? path);
  const rows = await database.ask<CountsRow & { path: string }>(walking, [
    // What is inside of a folder begins with its path and the lowest character.
    after === undefined ? `${start}\x01` : after.isLeft ? `${start}\x01\u{10ffff}` : start,
    `${inWalk(path)}\x02`,
    count,
  ]);
  return rows.map((row) => ({ ...countsOf(row), path: row.path }));
}
