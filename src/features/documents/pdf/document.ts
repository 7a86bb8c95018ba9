/**
 * What a PDF consists of, as plain data, and the layout of its sheets: who writes one needs neither a library of
 * images nor a server.
 */
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

/** Points of 1/72 inch. */
export const a4: Size = { width: 595.28, height: 841.89 };

const a4Margin = 28.35;

/** No reader shows larger sheets, and none smaller ones (ISO 32000-1, annex C.2), in points. */
const [leastSide, largestSide] = [3, 14_400];

/** The resolution of images that say none: that of most scans. */
const usualDpi = 300;

/** Programs write these where nobody said a resolution; a camera's picture would be a meter wide. */
const meaninglessDpi: ReadonlySet<number> = new Set([1, 72, 96]);
const largestScreen = 2000;

/**
 * The resolution at which an image has its true size: `stated` is what somebody said of it, `stored` is from the header of
 * its file. Both are along the axes of the upright image.
 */
export function trueDpi(stated: Dpi | undefined, stored: Dpi | undefined, { width, height }: Size): Dpi {
  if (stated !== undefined) return stated;
  if (stored === undefined) return { x: usualDpi, y: usualDpi };
  const isMeaningless = meaninglessDpi.has(Math.round(stored.x)) && Math.max(width, height) > largestScreen;
  return isMeaningless ? { x: usualDpi, y: usualDpi } : stored;
}

const rounded = (length: number): number => Math.round(length * 1000) / 1000;

function originalLayout({ width, height }: Size, { x, y }: Dpi): SheetLayout {
  const wide = (width * 72) / x;
  const high = (height * 72) / y;
  const shrink = Math.min(1, largestSide / Math.max(wide, high));
  const enlarge = Math.max(1, leastSide / Math.min(wide * shrink, high * shrink));
  const sheet = { width: rounded(wide * shrink * enlarge), height: rounded(high * shrink * enlarge) };
  const whole = { width: Math.min(sheet.width, largestSide), height: Math.min(sheet.height, largestSide) };
  return { sheet: whole, image: { x: 0, y: 0, ...whole } };
}

function a4Layout({ width, height }: Size): SheetLayout {
  const sheet = width > height ? { width: a4.height, height: a4.width } : a4;
  const room = { width: sheet.width - 2 * a4Margin, height: sheet.height - 2 * a4Margin };
  const scale = Math.min(room.width / width, room.height / height);
  const size = { width: rounded(width * scale), height: rounded(height * scale) };
  const image = { x: rounded((sheet.width - size.width) / 2), y: rounded((sheet.height - size.height) / 2), ...size };
  return { sheet, image };
}

/** The layout of an image of this size in upright pixels. */
export const layoutOf = (size: Size, sheet: Sheet): SheetLayout =>
  sheet.kind === 'a4' ? a4Layout(size) : originalLayout(size, sheet.dpi);
