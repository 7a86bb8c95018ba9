/** Begins to look at all that is likely to decide about an image, by what was known of its folder. */
import { type Identifier, splitLast, splitPage } from '../image/model/identifier.ts';
import type { Folders } from './listings/folders.ts';
import { type Listing, pathIn } from './listings/listing.ts';
import { folderMetaFile, metaFileOf } from './meta-files/precedence.ts';
import type { RequestStatCache } from './stats/request-stat-cache.ts';

/** Where is looked, and the request for which. */
interface Foresight {
  readonly first: Folders;
  readonly others: readonly Folders[];
  readonly moment: RequestStatCache;
}

/** Asks the moment for all of it at once, instead of one thing after the other, as finding the image will. */
export function prefetchImageStats(identifier: Identifier, page: number, foresight: Foresight): void {
  const { first, moment } = foresight;
  const inside = first.foresee(identifier.segments, moment);
  const { parent, name } = splitLast(identifier);
  const around = inside === undefined && parent ? first.foresee(parent.segments, moment) : undefined;
  if (inside !== undefined) prefetchFileStats(inside, identifier, inside.images[page - 1], foresight);
  else if (parent && around) {
    prefetchFileStats(around, parent, around.has(name) ? name : around.find(splitPage(name).file), foresight);
  }
}

function prefetchFileStats(
  listing: Listing,
  folder: Identifier,
  name: string | undefined,
  { first, others, moment }: Foresight,
): void {
  if (name === undefined) return;
  moment.prefetch(pathIn(listing, name));
  const { parent } = splitLast(folder);
  for (const metaFile of [folderMetaFile, metaFileOf(name)]) {
    if (listing.metaFiles.has(metaFile)) moment.prefetch(pathIn(listing, metaFile));
  }
  const above = parent && first.foresee(parent.segments, moment);
  if (above?.metaFiles.has(folderMetaFile)) moment.prefetch(pathIn(above, folderMetaFile));
  for (const folders of others) {
    const other = folders.foresee(folder.segments, moment);
    const version = other?.find(name);
    if (other && version !== undefined) moment.prefetch(pathIn(other, version));
  }
}
