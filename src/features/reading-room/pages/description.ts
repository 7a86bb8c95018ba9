/** What the pages of the reading room say in their HTML, in the language of the reader, with their titles. */

import { type PageLanguage, wordIn } from '../../../core/http/words.ts';
import type { CitationFields } from '../../../core/image/folder/citation-fields.ts';
import type { FolderLink, ShownLink, ShownText } from '../../../core/image/folder/folder-listing.ts';
import type { FolderWish } from '../../../core/image/folder/folder-wish.ts';
import type { SiteFooter } from './footer.ts';

/** A page of the reading room, as its address names it. Paths are decoded. */
export type PagePlace =
  | {
      readonly kind: 'folder';
      readonly path: string;
      /** The position of the first image and folder, from 1. */
      readonly from: number;
      /** The order of the folders in it, and which of them. */
      readonly wish?: FolderWish | undefined;
    }
  /** An image, or the page `pn` (from 1) of the folder that the path names. */
  | { readonly kind: 'image'; readonly path: string; readonly page: number };

/** A folder as what readers cite: a book, a map, a box of letters. */
export interface WorkDescription {
  /** The path of the folder; empty for the library's root. */
  readonly path: string;
  /** Empty for a root without a label. */
  readonly title: string;
  readonly summary: readonly string[];
  readonly metadata: readonly ShownText[];
  readonly attribution: readonly string[];
  /** The address of a license or rights statement. */
  readonly rights: string | null;
  readonly homepage: readonly ShownLink[];
  readonly citation: CitationFields;
  /** The folders around it, the root first. */
  readonly parents: readonly FolderLink[];
}

/** A picture that stands for a page: its path and its size in upright pixels. */
export interface DescribedPicture {
  readonly path: string;
  /** The name of the tier that has these pixels, where the caller does not see the whole image. */
  readonly tier?: string;
  readonly width: number;
  readonly height: number;
}

export interface LabeledPath {
  readonly path: string;
  readonly label: string;
}

export type PageDescription =
  | {
      readonly kind: 'folder';
      readonly work: WorkDescription;
      readonly cover: DescribedPicture | undefined;
      /** Those of the described part. */
      readonly folders: readonly FolderLink[];
      readonly images: readonly LabeledPath[];
      readonly totalFolders: number;
      readonly totalImages: number;
      /** The position at which the part begins, and the largest number of images and folders in it. */
      readonly from: number;
      readonly count: number;
      readonly wish: FolderWish | undefined;
      /** Whether the folders in it can be ordered and chosen. */
      readonly isArrangeable: boolean;
    }
  | {
      readonly kind: 'image';
      readonly work: WorkDescription;
      readonly picture: DescribedPicture;
      readonly label: string;
      /** The position of the image among those of its folder, from 1. */
      readonly at: number;
      readonly total: number;
      readonly before: LabeledPath | undefined;
      readonly after: LabeledPath | undefined;
    };

/** The site that a page belongs to, as the client sees it. */
export interface PageSite {
  /** The absolute address below which all addresses begin, with a slash at its end. */
  readonly base: string;
  /** The name of the library; empty where it has none. */
  readonly name: string;
  /** What stands for slashes in identifiers of IIIF addresses. */
  readonly iiifSlash: string;
  /** Where people sign in and come back to the page, relative to the base; undefined where nobody can. */
  readonly signIn?: string | undefined;
  /** What the site says at the end of its pages. */
  readonly footer?: SiteFooter | undefined;
}

/** What stands for a library without a name. */
const program = 'Lectern';

export const siteName = ({ name }: PageSite): string => name || program;

/** The title of a folder; the root is called by the library's name. */
export const folderTitle = ({ path, title }: FolderLink, site: PageSite, language: PageLanguage): string =>
  (path === '' ? site.name : '') || title || path || wordIn(language, 'library');

export const workTitle = ({ work }: PageDescription, site: PageSite, language: PageLanguage): string =>
  folderTitle(work, site, language);

/** What the page shows, without the site's name: an image with the work that it is of, or a folder. */
export function headingOf(page: PageDescription, site: PageSite, language: PageLanguage): string {
  const title = workTitle(page, site, language);
  return page.kind === 'image' && page.label !== title ? `${title}, ${page.label}` : title;
}

/** As the scripts of the page set it. */
export function titleOf(page: PageDescription, site: PageSite, language: PageLanguage): string {
  const title = workTitle(page, site, language);
  const parts = page.kind === 'image' ? [page.label, title, siteName(site)] : [title, siteName(site)];
  return [...new Set(parts)].join(' – ');
}

/** More characters are cut by those who show descriptions. */
const mostCharacters = 300;

function shortened(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  if (plain.length <= mostCharacters) return plain;
  const cut = plain.slice(0, mostCharacters).replace(/\p{Surrogate}$/u, '');
  return `${cut.replace(/\s+\S{0,40}$/u, '')} …`;
}

/** The summary, or else what the metadata says; empty where it says nothing. An image adds its place in the work. */
export function descriptionOf(page: PageDescription, site: PageSite, language: PageLanguage): string {
  const { summary, metadata } = page.work;
  const pairs = metadata.map(({ label, value }) => `${label}: ${value.join(', ')}`).join('. ');
  const about = summary.join(' ') || pairs;
  if (page.kind === 'folder') return shortened(about);
  const place = `${headingOf(page, site, language)} (${page.at}/${page.total})`;
  return shortened(about === '' ? place : `${place}. ${about}`);
}
