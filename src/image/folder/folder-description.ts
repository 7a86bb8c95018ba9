/** What a folder holds, with what is said of it: found by the service, put into manifests and collections by the IIIF dialect. */

import type { Size } from '../model/geometry.ts';
import type { FolderMetadata } from './folder-metadata.ts';

/** An image file of a folder by its place in it, from 1: the `pn` that leads to it. */
export interface FolderEntry {
  readonly index: number;
  /** The file's name with its extension. */
  readonly name: string;
}

/** A folder's image files, as far as the caller may see them. */
export interface FolderList {
  /** The folder's path inside the library. */
  readonly path: string;
  /** How many image files lie in it: the largest `pn`. */
  readonly count: number;
  readonly entries: readonly FolderEntry[];
}

/** What a caller learns of a folder or an image: what it is, that it asks for more rights, or nothing. */
export type Disclosure<T> =
  | {
      readonly kind: 'shown';
      readonly value: T;
      /** Whether there are rules of access at all. */
      readonly guarded: boolean;
    }
  | { readonly kind: 'denied' }
  | { readonly kind: 'none' };

/** One page of a folder, in upright pixels of its highest resolution. */
export interface PageDescription extends Size {
  /** The path of the image inside the library, with the extension of its file and the suffix of a page inside of it. */
  readonly path: string;
  /** The file's name with its extension. */
  readonly file: string;
  /** Of several pages in one file, which (from 1); absent for a file with one page. */
  readonly pageInFile?: number;
}

/** A folder with images: what becomes a manifest. */
export interface FolderDescription {
  /** The folder's path inside the library; empty for the root. */
  readonly path: string;
  readonly name: string;
  /** In page order; files that can't be read have none. */
  readonly pages: readonly PageDescription[];
  readonly metadata: FolderMetadata;
}

/** A folder inside of a folder of folders. */
export interface FolderMember {
  readonly path: string;
  readonly name: string;
  readonly kind: 'manifest' | 'collection';
  readonly metadata: FolderMetadata;
}

/** A folder of folders: what becomes a collection. */
export interface FolderOfFolders {
  readonly path: string;
  readonly name: string;
  readonly metadata: FolderMetadata;
  readonly members: readonly FolderMember[];
}
