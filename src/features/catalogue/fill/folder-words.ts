/** The words of folders: their names, and what the metadata files in them say, which are read when they are new or changed. */
import pMap from 'p-map';
import type {
  FolderMetadata,
  LanguageMap,
  metadataFiles,
  Structure,
} from '../../../core/image/folder/folder-metadata.ts';
import { foldedText, hasText, inDisplayOrder, textsOfLabel } from '../../../core/image/folder/page-labels.ts';
import { maxBytes, parseMetadata } from '../../../core/library/metadata/parse-metadata.ts';
import { formOf } from '../../../core/library/metadata/reader.ts';
import type { BucketReader } from '../bucket-reader.ts';
import type { Database, Queries } from '../postgres/database.ts';
import { someImages } from '../postgres/positions.ts';
import { nameOfPath } from '../postgres/stored-forms.ts';
import { isMetadata, metadataRank, versionOf } from '../postgres/summaries.ts';

interface UndescribedFolder {
  readonly id: number;
  readonly path: string;
  /** The name of its metadata file; null where it has none any more. */
  readonly file: string | null;
  readonly described: string | null;
  /** The number of its images. */
  readonly images: number;
}

/** Its metadata, with the names of its images. */
interface ReadFolder {
  readonly metadata: FolderMetadata;
  readonly images: readonly string[];
}

/** Folders of one query, and files that are read at the same time. */
const foldersAtOnce = 500;
const filesAtOnce = 16;

/** Pages that metadata may label in a folder. */
const maxPages = 20_000;

/** Characters of all words of a folder. */
const maxWords = 500_000;

/** Characters of what is said of a folder as a whole. */
const maxTitles = 50_000;

/** Folders that are looked at: one, or those below it too. */
export type FolderScope = 'alone' | 'below';

const inScope = (scope: FolderScope): string =>
  scope === 'alone' ? 'f.path = $1' : `(f.path = $1 or f.path > $1 || '/' and f.path < $1 || '0')`;

const undescribed = (scope: FolderScope): string => `
  select f.id, f.path, f.images, m.name as file, m.version as described from (
    select distinct on (o.folder) o.folder, o.name, ${versionOf} as version from objects o
    where ${isMetadata} order by o.folder, ${metadataRank}
  ) m join folders f on f.id = m.folder
  where ${inScope(scope)} and f.id > $2
    and (f.described is distinct from m.version or f.described_images is distinct from f.images)
  union all
  select f.id, f.path, f.images, null, null from folders f
  where ${inScope(scope)} and f.described is not null and f.id > $2
    and not exists (select from objects o where o.folder = f.id and ${isMetadata})
  order by id limit ${foldersAtOnce}`;

const titlesOf = (structures: readonly Structure[]): readonly LanguageMap[] =>
  structures.flatMap(({ label, structures: inside }) => [label, ...titlesOf(inside)]);

const folded = (texts: readonly string[]): string =>
  foldedText(texts.join('\n')).replaceAll('\0', '').slice(0, maxWords);

/** What of metadata is searched, as the columns of the folder have it. */
function searchedOf(name: string, { metadata, images }: ReadFolder) {
  const { label, summary, metadata: pairs = [], requiredStatement, pageLabels, pageOrder, structures = [] } = metadata;
  const texts = [label, summary, ...pairs.map(({ value }) => value), requiredStatement?.value].flatMap(textsOfLabel);
  const inside = [...titlesOf(structures), ...(pageLabels?.values() ?? [])].flatMap(textsOfLabel);
  const insideWords = folded(inside);
  const titles = JSON.stringify({ label, summary, metadata: metadata.metadata, requiredStatement });
  const isShort = titles.length <= maxTitles && insideWords.length < maxWords && images.length < maxPages;
  return {
    words: folded([name, ...texts, ...inside]),
    titles: isShort ? titles : '',
    inside: insideWords,
    hasPages: pageOrder !== undefined || [...(pageLabels?.values() ?? [])].some(hasText),
    firstPage: pageOrder === undefined ? null : (inDisplayOrder(images, pageOrder, (one) => [one])[0] ?? null),
  };
}

const describing = `
  update folders set words = $2, described = $3, described_images = $4, titles = $5, inside = $6, has_pages = $7,
    first_page = $8 where id = $1`;

async function readFolder(
  { path, file }: UndescribedFolder,
  queries: Queries,
  reader: BucketReader,
): Promise<ReadFolder> {
  if (file === null) return { metadata: {}, images: [] };
  const [bucket = '', ...folders] = path.split('/');
  const bytes = await reader.readWhole(bucket, [...folders, file].join('/'), maxBytes);
  if (bytes === undefined) return { metadata: {}, images: [] };
  const images = (await someImages(queries, path, { from: 1, count: maxPages })).map(({ name }) => name);
  const form = await formOf(file as (typeof metadataFiles)[number]);
  const { metadata } = await parseMetadata(form, bytes.toString('utf8'), file, { images, jsonFiles: new Set() });
  return { metadata, images };
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
      const read = await readFolder(folder, patiently, reader);
      const { words, titles, inside, hasPages, firstPage } = searchedOf(nameOfPath(folder.path), read);
      const { id, described, images } = folder;
      await patiently.ask(describing, [id, words, described, images, titles, inside, hasPages, firstPage]);
    };
    await pMap(folders, describe, { concurrency: filesAtOnce });
    count += folders.length;
    last = folders.at(-1)?.id ?? last;
    if (folders.length < foldersAtOnce) return count;
  }
}
