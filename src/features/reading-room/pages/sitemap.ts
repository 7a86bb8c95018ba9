/**
 * Sitemaps (https://www.sitemaps.org/protocol.html): all pages of folders and images in order, cut into parts. A part is named
 * by the page with which it begins, so that it is written without counting what is before it.
 */
import { folderPagePath, imagePagePath } from '../../../core/image/addresses/folder-address.ts';
import { escapeHtml } from '../../../core/parsing/markup.ts';

/** A folder with the names of its images; the order of both is that of the sitemap. */
export interface SitemapFolder {
  readonly path: string;
  readonly images: readonly string[];
}

/** A page: of the folder itself for 0, else of the image at this position, from 1. */
export interface SitemapStart {
  readonly folder: string;
  readonly at: number;
}

export interface SitemapLimits {
  readonly addresses: number;
  /** Bytes of an uncompressed part. */
  readonly bytes: number;
}

/** What the protocol allows in one file. */
export const protocolLimits: SitemapLimits = { addresses: 50_000, bytes: 50 * 1024 * 1024 };

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** What precedes and follows the entries of a part, and of the index. */
export const partEnds = [`${declaration}<urlset ${namespace}>\n`, '</urlset>\n'] as const;
export const indexEnds = [`${declaration}<sitemapindex ${namespace}>\n`, '</sitemapindex>\n'] as const;

const [opening, closing] = partEnds;

/** Addresses are ASCII, so that characters are bytes. */
const entryOf = (address: string): string => `<url><loc>${escapeHtml(address)}</loc></url>\n`;

const addressAt = (base: string, { path, images }: SitemapFolder, at: number): string =>
  base +
  (at === 0 ? folderPagePath(path) : imagePagePath(path === '' ? (images[at - 1] ?? '') : `${path}/${images[at - 1]}`));

/** Entries that are sent at once: other requests have their turn between two pieces. */
const entriesPerPiece = 1000;

/** Counts what a part still takes. */
class Part {
  readonly #limits: SitemapLimits;
  #addresses = 0;
  #bytes = opening.length + closing.length;

  constructor(limits: SitemapLimits) {
    this.#limits = limits;
  }

  /** Whether the part takes one more entry, which is counted then. */
  takes(entry: string): boolean {
    if (this.#addresses === this.#limits.addresses || this.#bytes + entry.length > this.#limits.bytes) return false;
    this.#addresses += 1;
    this.#bytes += entry.length;
    return true;
  }
}

/** The pieces of the part that begins at a page; `folders` begin with the folder of the start. */
export async function* sitemapPart(
  folders: AsyncIterable<SitemapFolder>,
  base: string,
  start: SitemapStart,
  limits: SitemapLimits = protocolLimits,
): AsyncGenerator<string> {
  const part = new Part(limits);
  yield opening;
  let { at } = start;
  for await (const folder of folders) {
    let piece: string[] = [];
    for (; at <= folder.images.length; at += 1) {
      const entry = entryOf(addressAt(base, folder, at));
      if (!part.takes(entry)) {
        yield piece.join('') + closing;
        return;
      }
      piece.push(entry);
      if (piece.length === entriesPerPiece) {
        yield piece.join('');
        piece = [];
      }
    }
    yield piece.join('');
    at = 0;
  }
  yield closing;
}

/** The address of a part, relative to the base. */
export const partAddress = ({ folder, at }: SitemapStart): string =>
  `sitemap-part.xml?folder=${encodeURIComponent(folder)}&from=${at}`;

/** The pieces of the index: an entry for each part. A piece may be empty, where a folder begins no part. */
export async function* sitemapIndex(
  folders: AsyncIterable<SitemapFolder>,
  base: string,
  limits: SitemapLimits = protocolLimits,
): AsyncGenerator<string> {
  yield indexEnds[0];
  let part: Part | undefined;
  for await (const folder of folders) {
    const starts: string[] = [];
    for (let at = 0; at <= folder.images.length; at += 1) {
      const entry = entryOf(addressAt(base, folder, at));
      if (part?.takes(entry)) continue;
      part = new Part(limits);
      part.takes(entry);
      starts.push(`<sitemap><loc>${escapeHtml(base + partAddress({ folder: folder.path, at }))}</loc></sitemap>\n`);
    }
    yield starts.join('');
  }
  yield indexEnds[1];
}
