/** Starts all stats that finding an image will likely need at once, judging by the last listing of its folder. */
import { type Identifier, splitLast, splitPage } from '../image/model/identifier.ts';
import type { Folders } from './listings/folders.ts';
import { type Listing, pathIn } from './listings/listing.ts';
import { folderMetaFile, metaFileOf } from './metadata/meta-files.ts';
import type { RequestStatCache } from './stats/request-stat-cache.ts';

interface PrefetchParts {
  readonly first: Folders;
  readonly others: readonly Folders[];
  readonly statCache: RequestStatCache;
}

export function prefetchImageStats(identifier: Identifier, page: number, parts: PrefetchParts): void {
  const { first, statCache } = parts;
  const inside = first.prefetchStats(identifier.segments, statCache);
  const { parent, name } = splitLast(identifier);
  const around = inside === undefined && parent ? first.prefetchStats(parent.segments, statCache) : undefined;
  if (inside !== undefined) prefetchFileStats(inside, identifier, inside.images[page - 1], parts);
  else if (parent && around) {
    prefetchFileStats(around, parent, around.has(name) ? name : around.find(splitPage(name).file), parts);
  }
}

function prefetchFileStats(
  listing: Listing,
  folder: Identifier,
  name: string | undefined,
  { first, others, statCache }: PrefetchParts,
): void {
  if (name === undefined) return;
  statCache.prefetch(pathIn(listing, name));
  const { parent } = splitLast(folder);
  for (const metaFile of [folderMetaFile, metaFileOf(name)]) {
    if (listing.metaFiles.has(metaFile)) statCache.prefetch(pathIn(listing, metaFile));
  }
  const above = parent && first.prefetchStats(parent.segments, statCache);
  if (above?.metaFiles.has(folderMetaFile)) statCache.prefetch(pathIn(above, folderMetaFile));
  for (const folders of others) {
    const other = folders.prefetchStats(folder.segments, statCache);
    const version = other?.find(name);
    if (other && version !== undefined) statCache.prefetch(pathIn(other, version));
  }
}
