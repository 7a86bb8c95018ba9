/** The images and folders in a folder, with its metadata: found by the service, presented by the dialects. */

import type { Size } from '../model/geometry.ts';
import type { TextFormat } from '../model/text-formats.ts';
import type { FolderMetadata } from './folder-metadata.ts';

/** An image file of a folder. */
export interface FolderEntry {
  /** Its position in the folder, from 1: its `pn`. */
  readonly index: number;
  /** The file's name with its extension. */
  readonly name: string;
}

/** A folder's image files, as far as the caller may see them. */
export interface FolderList {
  /** The folder's path inside the library. */
  readonly path: string;
  /** The number of its image files: the largest `pn`. */
  readonly count: number;
  readonly entries: readonly FolderEntry[];
}

/** What a caller may know of a folder or an image: the value, that access to it is denied, or that there is none. */
export type Disclosure<T> =
  | {
      readonly kind: 'shown';
      readonly value: T;
      /** Whether there are any access rules. */
      readonly guarded: boolean;
    }
  | { readonly kind: 'denied' }
  | { readonly kind: 'none' };

/**
 * The lists of annotations that a page can have, as their addresses name them: `annotations` are those in files beside its
 * image, `tours` the steps of guided views, `text` the lines of its text, `georef` the maps in files beside it.
 */
export const annotationLists = ['annotations', 'tours', 'text', 'georef'] as const;

export type AnnotationListName = (typeof annotationLists)[number];

/** One page of a folder, in upright pixels of its highest resolution. */
export interface PageDescription extends Size {
  /** The path of the image inside the library, with the extension of its file and the suffix of a page inside of it. */
  readonly path: string;
  /** The file's name with its extension. */
  readonly file: string;
  /** Of several pages in one file, which (from 1); absent for a file with one page. */
  readonly pageInFile?: number;
  /** The path of the whole image, present where not everyone sees that. */
  readonly closedPath?: string;
  /** When the file was written, in ms since 1970. */
  readonly modifiedMs?: number;
  /** Present where a part of the file's pixels is missing. */
  readonly truncated?: true;
  /** The lists of annotations that it has, absent for none. */
  readonly annotationLists?: readonly AnnotationListName[];
  /** The file with its text, absent where there is none. */
  readonly text?: PageTextFile;
}

/** The file with the text of a page. */
export interface PageTextFile {
  readonly format: TextFormat;
  /** What names the format and its version. */
  readonly profile?: string;
}

/** A folder with images, presented as a manifest. */
export interface FolderDescription {
  /** The folder's path inside the library; empty for the root. */
  readonly path: string;
  readonly name: string;
  /** In page order; unreadable files have none. */
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

/** A part of the members of a collection that has very many: its number, from 1; 0 for the collection of the parts themselves. */
export interface CollectionPart {
  readonly number: number;
  readonly parts: number;
  /** Folders in each part but the last one, and in all. */
  readonly size: number;
  readonly total: number;
}

/** A folder of folders, presented as a collection. */
export interface FolderOfFolders {
  readonly part?: CollectionPart;
  readonly path: string;
  readonly name: string;
  readonly metadata: FolderMetadata;
  readonly members: readonly FolderMember[];
}
