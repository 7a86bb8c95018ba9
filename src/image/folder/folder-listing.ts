/** What the reading room asks of the library: a folder a part at a time, and names that hold a text. Shared with the web package. */

/** A line of a folder's metadata as it is shown: paragraphs in the language that was asked for. */
export interface ShownText {
  readonly label: string;
  readonly value: readonly string[];
}

/** A folder on the way from the root. */
export interface FolderLink {
  /** The folder's path inside the library; empty for the root. */
  readonly path: string;
  /** What it is called; empty for a root that its metadata does not name. */
  readonly title: string;
}

/** A folder inside of the one that is shown. */
export interface FolderCard extends FolderLink {
  readonly name: string;
  /** How many image files and folders lie in it. */
  readonly images: number;
  readonly folders: number;
  /** The path of an image that stands for the folder; null where none was found near its top. */
  readonly cover: string | null;
}

/** An image file of the folder. */
export interface ImageCard {
  /** The image's path inside the library, with the extension of its file: what `fn` takes. */
  readonly path: string;
  /** The file's name with its extension. */
  readonly name: string;
  /** The `pn` that leads to it, from 1. */
  readonly pn: number;
  /** What the page is called: by the folder's metadata, or else by its name or number. */
  readonly label: string;
  /** Upright pixels of the highest resolution; null where the file can't be read. */
  readonly width: number | null;
  readonly height: number | null;
  /** How many pages lie in the file; those after the first have the path with `;2`, `;3` … */
  readonly pages: number;
}

/** A chapter of a folder, with the page at which it begins. */
export interface ContentsEntry {
  readonly label: string;
  /** The path of its first page: what `fn` takes. */
  readonly path: string;
  /** The place of that page's file among those of the folder, from 1. */
  readonly at: number;
  /** The chapters inside of it. */
  readonly contents: readonly ContentsEntry[];
}

/** The order in which a folder is read. */
export type ReadingDirection = 'left-to-right' | 'right-to-left';

/** The answer of `GET {base_url}/api/folder.json`: a folder, with the part of its images that was asked for. */
export interface FolderListing extends FolderLink {
  /** Texts of the folder's metadata file. */
  readonly summary: readonly string[];
  readonly metadata: readonly ShownText[];
  /** Who must be named, as the metadata says last: its required statement. */
  readonly attribution: readonly string[];
  /** The address of a license or rights statement; null where none is said. */
  readonly rights: string | null;
  readonly direction: ReadingDirection;
  /** Its chapters, as its manifest has them; of all of it, whichever part was asked for. */
  readonly contents: readonly ContentsEntry[];
  /** The folders around it, the root first. */
  readonly parents: readonly FolderLink[];
  /** Folders inside of it, those of the part that was asked for. */
  readonly folders: readonly FolderCard[];
  readonly totalFolders: number;
  /** Images in the order in which they are shown, from the place `from` on. */
  readonly images: readonly ImageCard[];
  readonly totalImages: number;
  /** The place of the first image and folder of this part, from 1. */
  readonly from: number;
  /** The place of the image that `fn`, with `pn` or `label`, names among those of its folder, from 1; null where none is meant. */
  readonly at: number | null;
}

/** Where an image is among those of its folder, as far as the caller may see them. */
export interface FoundPosition {
  readonly at: number;
  readonly total: number;
}

/** Something that holds the text that was searched for in its name, or in what metadata says of it. */
export interface FoundName {
  readonly kind: 'folder' | 'image';
  /** The path inside the library. */
  readonly path: string;
  /** The folder's title, or the file's name. */
  readonly name: string;
  /** What the folder's metadata calls an image, in the reader's language; null where it says nothing, and for folders. */
  readonly label: string | null;
  /** Null for folders, and where it would take too long to tell. */
  readonly place: FoundPosition | null;
  /** The path of the folder that it is in. */
  readonly folder: string;
  /** The path of an image to show with it: itself, or a folder's cover; null where there is none. */
  readonly cover: string | null;
}

/** The answer of `GET {base_url}/api/search.json`. */
export interface SearchAnswer {
  readonly query: string;
  readonly found: readonly FoundName[];
  /** Whether everything was searched; false where there is more, or time ran out. */
  readonly complete: boolean;
}
