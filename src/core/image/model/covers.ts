/** What lies on an image as its caller sees it: redacted regions, and a watermark. */
import type { Rect, Size } from './geometry.ts';

/** Where a watermark lies on the upright image. */
export type WatermarkPlace = 'center' | 'tiled' | 'top-left' | 'top-right' | 'bottom-left' | 'bottom-right';

/** What is drawn: a picture of the site, or the outlines of a line of text (src/core/render/covers/marks.ts makes both). */
export interface Mark extends Size {
  /** A PNG or SVG file, whose own width and height the size is. */
  readonly bytes: Uint8Array;
  /** A hash of the bytes. */
  readonly hash: string;
}

/** A mark, and how it lies on an image. */
export interface Watermark {
  readonly mark: Mark;
  readonly place: WatermarkPlace;
  /** From 0, not seen, to 1. */
  readonly opacity: number;
  /** The width of the mark as a fraction of that of the image. */
  readonly width: number;
  /** The longest side in pixels below which a whole picture gets no mark: thumbnails. */
  readonly minSide: number;
}

/** What lies on an image; the same for all pictures, tiles and documents that are made of it. */
export interface Covers {
  /** Regions that are black, in pixels of the upright image at its full stored size, not of a tier of it. */
  readonly redactions: readonly Rect[];
  /** Present where another page of the file has some, so that no file may be sent. */
  readonly ofOtherPages?: true;
  readonly watermark?: Watermark;
  /** A hash of the above, short and without reserved characters, for cache keys and ETags. */
  readonly key: string;
}
