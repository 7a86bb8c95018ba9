/** What a PDF consists of, as plain data: who writes one needs neither a library of images nor a server. */
import type { Dpi, Orientation, Rect, Size } from '../../../core/image/model/geometry.ts';
import type { PageText } from '../../../core/image/page-text/page-text.ts';

/** A pair on the cover, such as a piece of metadata or the rights. */
export interface CoverRow {
  readonly label: string;
  /** A paragraph each. */
  readonly values: readonly string[];
  /** Where the values lead to. */
  readonly address?: string;
}

/** The first page; what is absent or empty takes no room. */
export interface Cover {
  /** A PNG or JPEG file. */
  readonly logo?: Buffer;
  /** The lines beside the logo, such as the name of a library and a line below it. */
  readonly heading: readonly string[];
  readonly title: string;
  readonly subtitle?: string;
  readonly rows: readonly CoverRow[];
  /** At the foot: where the document is from and when it was made. */
  readonly foot: readonly CoverRow[];
}

export interface OutlineEntry {
  readonly title: string;
  /** The page that it leads to, from 0, without the cover. */
  readonly page: number;
  readonly entries: readonly OutlineEntry[];
}

/** What is said of the whole document in its metadata. */
export interface DocumentFacts {
  readonly title: string;
  readonly authors: readonly string[];
  readonly description?: string;
  readonly rights?: string;
  /** Its permanent address. */
  readonly address?: string;
  readonly createdMs: number;
  /** BCP 47, of the cover and of texts that say nothing else. */
  readonly language: string;
  /** Whether pages are turned from right to left. */
  readonly rightToLeft: boolean;
}

export interface DocumentPlan {
  readonly facts: DocumentFacts;
  readonly cover: Cover;
  readonly outline: readonly OutlineEntry[];
}

/** How the image of a page lies on its sheet. */
export type Sheet =
  /** The sheet is as large as the original. */
  | { readonly kind: 'original'; readonly dpi: Dpi }
  /** DIN A4, upright or across as the image is; the image is scaled to fit. */
  | { readonly kind: 'a4' };

/** What all pages have. */
interface PageFacts {
  readonly label: string;
  /** The size of the upright image in pixels of its highest resolution, in which the boxes of the text are. */
  readonly size: Size;
  readonly sheet: Sheet;
}

export interface PicturedPage extends PageFacts {
  readonly picture: {
    /** A whole JPEG file, of any size. */
    readonly jpeg: Buffer;
    /** How the pixels of the JPEG file have to be turned. */
    readonly orientation: Orientation;
  };
  readonly text?: PageText;
}

/** A page whose picture can't be made. */
export interface MissingPage extends PageFacts {
  /** The sentence that stands in its place. */
  readonly missing: string;
}

export type DocumentPage = PicturedPage | MissingPage;

/** The size of a sheet and the place of the image on it, in points of 1/72 inch, from the lower left corner. */
export interface SheetLayout {
  readonly sheet: Size;
  readonly image: Rect;
}
