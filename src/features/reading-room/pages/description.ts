/** What the pages of the reading room say in their HTML, in the language of the reader: found by the service. */
import type { CitationFields } from '../../../core/image/folder/citation-fields.ts';
import type { FolderLink, ShownLink, ShownText } from '../../../core/image/folder/folder-listing.ts';

/** A page of the reading room, as its address names it. Paths are decoded. */
export type PagePlace =
  | {
      readonly kind: 'folder';
      readonly path: string;
      /** The position of the first image and folder, from 1. */
      readonly from: number;
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
}
