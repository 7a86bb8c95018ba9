/** Queries for what tells of folders that were found, so that these are not listed. */
import { metadataFiles } from '../../../core/image/folder/folder-metadata.ts';
import type { FolderSummary } from '../../../core/storage/catalogue.ts';
import type { Queries } from './database.ts';
import { within } from './like.ts';

const names = metadataFiles.map((name) => `'${name}'`).join(', ');

/** Whether an object `o` is a file with metadata, the rank of its name, and its version as `described` has it. */
export const isMetadata = `o.name in (${names})`;
export const metadataRank = `array_position(array[${names}], o.name)`;
export const versionOf = `o.name || ':' || encode(o.etag, 'hex')`;

/** Metadata may name images that came later, or are gone. */
const isCurrent = `f.described = m.version and f.described_images = f.images`;

const summariesOf = `
  select q.at, f.images, coalesce(page.name, first.name) as first,
    case when m.version is null then '{}' when ${isCurrent} then nullif(f.titles, '') end as titles,
    m.version is not null and f.has_pages as pages,
    m.version is not null and f.inside like all ($2::text[]) as inside
  from unnest($1::text[]) with ordinality q (path, at) join folders f on f.path = q.path
  left join lateral (select o.name from objects o where o.folder = f.id and o.kind = 1 order by o.name limit 1) first on true
  left join lateral (
    select ${versionOf} as version from objects o where o.folder = f.id and ${isMetadata} order by ${metadataRank} limit 1
  ) m on true
  left join objects page on page.folder = f.id and page.name = f.first_page and page.kind = 1`;

interface SummaryRow {
  readonly at: string;
  readonly images: number;
  readonly first: string | null;
  readonly titles: string | null;
  readonly pages: boolean;
  readonly inside: boolean;
}

export async function folderSummaries(
  database: Queries,
  paths: readonly string[],
  words: readonly string[],
): Promise<readonly (FolderSummary | undefined)[]> {
  const rows = await database.ask<SummaryRow>(summariesOf, [paths, words.map(within)]);
  const found = new Map(
    rows.map(({ at, images, first, titles, pages, inside }): [number, FolderSummary] => [
      Number(at),
      {
        firstImage: first ?? undefined,
        images,
        titles: titles ?? undefined,
        hasPages: pages,
        mayMatchInside: inside,
      },
    ]),
  );
  return paths.map((_, index) => found.get(index + 1));
}
