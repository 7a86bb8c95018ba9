/** The words of folders: their names, and what the metadata files in them say, which are read when they are new or changed. */
import pMap from 'p-map';
import {
  type FolderMetadata,
  type LanguageMap,
  metadataFiles,
  type Structure,
} from '../../../core/image/folder/folder-metadata.ts';
import { foldedText, textsOfLabel } from '../../../core/image/folder/page-labels.ts';
import { maxBytes, parseMetadata } from '../../../core/library/metadata/parse-metadata.ts';
import { formOf } from '../../../core/library/metadata/reader.ts';
import type { BucketReader } from '../bucket-reader.ts';
import type { Database, Queries } from '../postgres/database.ts';
import { someImages } from '../postgres/positions.ts';
import { nameOfPath } from '../postgres/stored-forms.ts';

interface UndescribedFolder {
  readonly id: number;
  readonly path: string;
  /** The name of its metadata file; null where it has none any more. */
  readonly file: string | null;
  readonly described: string | null;
}

/** Folders of one query, and files that are read at the same time. */
const foldersAtOnce = 500;
const filesAtOnce = 16;

/** Pages that metadata may label in a folder. */
const maxPages = 20_000;

/** Characters of all words of a folder. */
const maxWords = 500_000;

const names = metadataFiles.map((name) => `'${name}'`).join(', ');
const isMetadata = `o.name in (${names})`;
const versionOf = `o.name || ':' || encode(o.etag, 'hex')`;

/** Folders that are looked at: one, or those below it too. */
export type FolderScope = 'alone' | 'below';

const inScope = (scope: FolderScope): string =>
  scope === 'alone' ? 'f.path = $1' : `(f.path = $1 or f.path > $1 || '/' and f.path < $1 || '0')`;

const undescribed = (scope: FolderScope): string => `
  select f.id, f.path, m.name as file, m.version as described from (
    select distinct on (o.folder) o.folder, o.name, ${versionOf} as version from objects o
    where ${isMetadata} order by o.folder, array_position(array[${names}], o.name)
  ) m join folders f on f.id = m.folder
  where ${inScope(scope)} and f.described is distinct from m.version and f.id > $2
  union all
  select f.id, f.path, null, null from folders f
  where ${inScope(scope)} and f.described is not null and f.id > $2
    and not exists (select from objects o where o.folder = f.id and ${isMetadata})
  order by id limit ${foldersAtOnce}`;

const titlesOf = (structures: readonly Structure[]): readonly LanguageMap[] =>
  structures.flatMap(({ label, structures: inside }) => [label, ...titlesOf(inside)]);

function wordsOf(name: string, metadata: FolderMetadata): string {
  const { label, summary, metadata: pairs = [], requiredStatement, pageLabels, structures = [] } = metadata;
  const texts = [label, summary, ...pairs.map(({ value }) => value), requiredStatement?.value, ...titlesOf(structures)];
  const all = [...texts, ...(pageLabels?.values() ?? [])].flatMap(textsOfLabel);
  return foldedText([name, ...all].join('\n'))
    .replaceAll('\0', '')
    .slice(0, maxWords);
}

async function metadataOf(
  { path, file }: UndescribedFolder,
  queries: Queries,
  reader: BucketReader,
): Promise<FolderMetadata> {
  if (file === null) return {};
  const [bucket = '', ...folders] = path.split('/');
  const bytes = await reader.readWhole(bucket, [...folders, file].join('/'), maxBytes);
  if (bytes === undefined) return {};
  const images = (await someImages(queries, path, { from: 1, count: maxPages })).map(({ name }) => name);
  const form = await formOf(file as (typeof metadataFiles)[number]);
  return (await parseMetadata(form, bytes.toString('utf8'), file, { images, jsonFiles: new Set() })).metadata;
}

/** Reads what is new or changed in a folder and below; resolves to the number of folders. Rejects where the store fails. */
export async function describeFolders(
  { patiently }: Pick<Database, 'patiently'>,
  { path, scope }: { readonly path: string; readonly scope: FolderScope },
  reader: BucketReader,
): Promise<number> {
  let count = 0;
  for (let last = 0; ; ) {
    const folders = await patiently.ask<UndescribedFolder>(undescribed(scope), [path, last]);
    const describe = async (folder: UndescribedFolder): Promise<void> => {
      const words = wordsOf(nameOfPath(folder.path), await metadataOf(folder, patiently, reader));
      const values = [folder.id, words, folder.described];
      await patiently.ask('update folders set words = $2, described = $3 where id = $1', values);
    };
    await pMap(folders, describe, { concurrency: filesAtOnce });
    count += folders.length;
    last = folders.at(-1)?.id ?? last;
    if (folders.length < foldersAtOnce) return count;
  }
}
