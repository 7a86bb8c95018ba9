/** The addresses that a page's HTML names: its own, its picture, its manifest and its image service. */

import { folderPagePath, imagePagePath } from '../../../core/image/addresses/folder-address.ts';
import { foldersBelow, formatIdentifierSegment } from '../../../core/image/addresses/iiif-addresses.ts';
import { wishPairs } from '../../../core/image/folder/folder-wish.ts';
import { joinTier } from '../../../core/image/model/identifier.ts';
import type { DescribedPicture, PageDescription, PageSite } from './description.ts';

/** The sides of the largest small rendering, in pixels: what previews of links show sharply. */
const mostPixels = 1200;

export interface SmallPicture {
  readonly address: string;
  readonly width: number;
  readonly height: number;
}

/** The address of the image service of a picture. */
const serviceOf = ({ path, tier }: DescribedPicture, { base, iiifSlash }: PageSite): string =>
  `${base}iiif/3/${formatIdentifierSegment(joinTier(path, tier), iiifSlash)}`;

/** An image fitted into the largest small rendering, never enlarged, by the Image API 3.0. */
export function smallPicture(picture: DescribedPicture, site: PageSite): SmallPicture {
  const { width, height } = picture;
  const ratio = Math.min(1, mostPixels / width, mostPixels / height);
  const size = { width: Math.max(1, Math.round(width * ratio)), height: Math.max(1, Math.round(height * ratio)) };
  // The canonical form of the whole image has `max` (Image API 3.0, section 4.7).
  const asked = ratio === 1 ? 'max' : `${size.width},${size.height}`;
  return { address: `${serviceOf(picture, site)}/full/${asked}/0/default.jpg`, ...size };
}

/** A document of the IIIF APIs that a page leads to. */
export interface LinkedDocument {
  readonly kind: 'manifest' | 'collection' | 'picture';
  readonly address: string;
  /** The media type with its profile, as the document is sent to who asks for linked data. */
  readonly mediaType: string;
}

const linkedData = (api: 'presentation' | 'image'): string =>
  `application/ld+json;profile="http://iiif.io/api/${api}/3/context.json"`;

/** The manifest or collection of a page's folder, and the image service of an image. */
export function linkedDocuments(page: PageDescription, site: PageSite): readonly LinkedDocument[] {
  const { base, iiifSlash } = site;
  const folders = foldersBelow(`${base}presentation/3`, iiifSlash);
  const { path } = page.work;
  const presentation = { mediaType: linkedData('presentation') };
  const manifest: LinkedDocument = { kind: 'manifest', address: folders.manifest(path), ...presentation };
  if (page.kind === 'image') {
    const address = `${serviceOf(page.picture, site)}/info.json`;
    return [manifest, { kind: 'picture', address, mediaType: linkedData('image') }];
  }
  const collection: LinkedDocument = { kind: 'collection', address: folders.collection(path), ...presentation };
  return [...(page.totalImages > 0 ? [manifest] : []), ...(page.totalFolders > 0 ? [collection] : [])];
}

/** The one address of a page, whatever address led to it. */
export const canonicalAddress = (page: PageDescription, { base }: PageSite): string =>
  base + (page.kind === 'image' ? imagePagePath(page.picture.path) : folderPagePath(page.work.path, page.from));

/** The pages before and after a page: of an image the neighbors, of a long folder the neighboring parts. */
export function neighborAddresses(page: PageDescription, { base }: PageSite): { before?: string; after?: string } {
  if (page.kind === 'image') {
    const { before, after } = page;
    return {
      ...(before && { before: base + imagePagePath(before.path) }),
      ...(after && { after: base + imagePagePath(after.path) }),
    };
  }
  const { from, count, work, wish } = page;
  const total = Math.max(page.totalFolders, page.totalImages);
  const partAt = (at: number): string => base + folderPagePath(work.path, at, wishPairs(wish));
  return {
    ...(from > 1 && { before: partAt(Math.max(1, from - count)) }),
    ...(from + count <= total && { after: partAt(from + count) }),
  };
}
