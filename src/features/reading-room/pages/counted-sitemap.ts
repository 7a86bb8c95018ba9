/**
 * Sitemaps (https://www.sitemaps.org/protocol.html) of folders that are counted, with the dates of the images: an index names the
 * parts by positions alone, and a part reads no more than it says.
 */
import type { CountedFolder, CountedFolders } from '../../../core/access/counted-folders.ts';
import { folderPagePath, imagePagePath } from '../../../core/image/addresses/folder-address.ts';
import { escapeHtml } from '../../../core/parsing/markup.ts';
import { indexEnds, partAddress, partEnds, type SitemapStart } from './sitemap.ts';

/** Of the longest keys, which have 1024 bytes, this number takes less than the 50 MiB of the protocol. */
export const partAddresses = 10_000;

const dateOf = (ms: number): string => (ms > 0 ? `<lastmod>${new Date(ms).toISOString()}</lastmod>` : '');

/** Where a part begins, and when the latest image in its folders was written, in ms since 1970. */
export interface DatedPart extends SitemapStart {
  readonly changedMs: number;
}

/** The parts of all pages. */
export async function* countedParts(
  folders: AsyncIterable<CountedFolder>,
  most = partAddresses,
): AsyncGenerator<DatedPart> {
  let part: (SitemapStart & { changedMs: number }) | undefined;
  let left = 0;
  for await (const { path, images, changedMs } of folders)
    for (let at = 0; at <= images; ) {
      if (left === 0) {
        if (part !== undefined) yield part;
        part = { folder: path, at, changedMs: 0 };
        left = most;
      }
      const taken = Math.min(left, images + 1 - at);
      left -= taken;
      if (part !== undefined) part.changedMs = Math.max(part.changedMs, changedMs);
      at += taken;
    }
  if (part !== undefined) yield part;
}

/** Entries that are sent at once. */
const entriesAtOnce = 500;

/** The pieces of the index: an entry for each part. */
export async function* countedIndex(parts: AsyncIterable<DatedPart>, base: string): AsyncGenerator<string> {
  let entries: string[] = [indexEnds[0]];
  for await (const { changedMs, ...start } of parts) {
    entries.push(`<sitemap><loc>${escapeHtml(base + partAddress(start))}</loc>${dateOf(changedMs)}</sitemap>\n`);
    if (entries.length < entriesAtOnce) continue;
    yield entries.join('');
    entries = [];
  }
  yield entries.join('') + indexEnds[1];
}

/** Pages that are read at once. */
const pagesAtOnce = 2000;

/** Images of a folder by their positions, from 1 on. */
interface FolderPart {
  readonly folder: CountedFolder;
  /** The page of the folder itself is at 0. */
  readonly from: number;
  readonly to: number;
}

/** The folders of a part, and longer ones piece by piece, some at a time. */
async function* partsOf(
  folders: AsyncIterable<CountedFolder>,
  start: number,
  most: number,
): AsyncGenerator<readonly FolderPart[]> {
  let left = most;
  let pages = 0;
  let parts: FolderPart[] = [];
  let from = start;
  for await (const folder of folders) {
    while (from <= folder.images && left > 0) {
      const to = Math.min(folder.images, from + Math.min(left, pagesAtOnce) - 1);
      parts.push({ folder, from, to });
      left -= to - from + 1;
      pages += to - from + 1;
      from = to + 1;
      if (pages < pagesAtOnce) continue;
      yield parts;
      parts = [];
      pages = 0;
    }
    from = 0;
    if (left === 0) break;
  }
  yield parts;
}

const isWhole = ({ folder, from, to }: FolderPart): boolean => from === 0 && to === folder.images;

const entry = (address: string, ms: number): string => `<url><loc>${escapeHtml(address)}</loc>${dateOf(ms)}</url>\n`;

async function pieceOf(parts: readonly FolderPart[], counted: CountedFolders, base: string): Promise<string> {
  const whole = parts.filter((part) => isWhole(part) && part.folder.images > 0).map(({ folder }) => folder);
  const known = new Map((await counted.imagesIn(whole)).map((images, index) => [whole[index], images]));
  const entries: string[] = [];
  for (const { folder, from, to } of parts) {
    const { path, changedMs } = folder;
    if (from === 0) entries.push(entry(base + folderPagePath(path), changedMs));
    const first = Math.max(1, from);
    const images =
      known.get(folder) ?? (to < first ? [] : await counted.images(folder, { from: first, count: to - first + 1 }));
    for (const { name, modifiedMs } of images)
      entries.push(entry(base + imagePagePath(path === '' ? name : `${path}/${name}`), modifiedMs));
  }
  return entries.join('');
}

/** The pieces of the part that begins at a page. */
export async function* countedPart(
  counted: CountedFolders,
  folders: AsyncIterable<CountedFolder>,
  base: string,
  { at }: SitemapStart,
  most = partAddresses,
): AsyncGenerator<string> {
  yield partEnds[0];
  for await (const parts of partsOf(folders, at, most)) yield await pieceOf(parts, counted, base);
  yield partEnds[1];
}
