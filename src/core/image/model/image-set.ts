/** The facts of an image that are available before a pixel is read: its resolutions, and their levels. */

import type { Jpeg2000 } from '@lectern/jpeg2000/model';
import type { Decoding } from './decoding.ts';
import type { SourceFormat } from './formats.ts';
import type { Dpi, Size } from './geometry.ts';
import type { Identifier } from './identifier.ts';
import type { ImageMetadata } from './image-metadata.ts';
import type { StoredTiles } from './stored-tiles.ts';

/** EXIF orientation: how the stored rows and columns have to be turned to be seen upright (1 = as stored). */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/**
 * Where in its file a level is stored: the file's only image, a TIFF directory of the chain, a SubIFD of it, or the image of
 * a JPEG 2000 code-stream after `reduction` halvings, 0 for the full size.
 */
export type LevelLocation =
  | { readonly kind: 'only' }
  | { readonly kind: 'page'; readonly page: number }
  | { readonly kind: 'subifd'; readonly page: number; readonly subifd: number }
  | { readonly kind: 'reduction'; readonly reduction: number };

/** One stored size of an image; width and height in pixels as stored, before orientation. */
export interface Level extends Size {
  readonly location: LevelLocation;
  /** The stored tile grid's cell in pixels of this level; absent where rows are stored in strips or streams. */
  readonly tile?: Size;
  /** How the tiles are stored; absent where there are none. */
  readonly stored?: StoredTiles;
  readonly decoding: Decoding;
  /**
   * Present where the level shows the whole image, whatever its size was rounded to; other writers halve the size and leave
   * out the last column or row of an odd one.
   */
  readonly showsWhole?: true;
}

/** The factor by which a level is reduced, where its location says it; sizes are rounded. */
export const statedReduction = ({ location }: Level): number | undefined =>
  location.kind === 'reduction' ? 2 ** location.reduction : undefined;

/** How the stored samples are to be understood. */
export type StoredColor = 'rgb' | 'gray' | 'palette' | 'bilevel' | 'cmyk' | 'lab' | 'other';

/** The facts of one page of a file, read from its header alone. */
export interface PageFacts {
  /** Level 0 is the full size; each further level is smaller. All as stored, before orientation. */
  readonly levels: readonly [Level, ...Level[]];
  readonly orientation: Orientation;
  /** From the image's own header, along the axes as stored; absent where it says nothing usable. */
  readonly dpi?: Dpi;
  readonly color: StoredColor;
  /** Bits of one sample. */
  readonly bits: number;
  /** The type of the samples where they are not unsigned integers. */
  readonly samples?: 'signed' | 'float';
  readonly alpha: boolean;
  /** Whether the header carries an ICC profile. */
  readonly profile: boolean;
  /** The color space that the profile describes: sRGB, also of gray; absent where it is another one or was not checked. */
  readonly profileSpace?: 'srgb';
  /** Of JPEG 2000 files: what is needed to decode them. */
  readonly jpeg2000?: Jpeg2000;
}

/** The contents of a file's header; the format is determined by its bytes, never by its name. */
export interface ImageHeader {
  readonly format: SourceFormat;
  readonly pages: readonly [PageFacts, ...PageFacts[]];
  /** Present where the header names pixels or directories beyond the end of the file, as in one that is half copied. */
  readonly truncated?: true;
}

/** The file behind a resolution. The path is the server's own and never leaves it. */
export interface SourceFile {
  readonly path: string;
  /** Length in bytes. */
  readonly bytes: number;
  /** Last modification in ms since 1970. */
  readonly modifiedMs: number;
  /** Changes when the file's content does: size, modification time (ns), inode. */
  readonly fingerprint: string;
}

/** One version of an image: a file of one base directory, with the levels stored in it. */
export interface Resolution extends Size, PageFacts {
  /** `width` and `height`, from Size, are upright: orientation applied. */
  readonly file: SourceFile;
  readonly format: SourceFormat;
  /** Whether the file ends as its format requires; only such a file is sent in place of a picture. */
  readonly complete: boolean;
  /** Present where a part of the file's pixels is missing, of this or of another page. */
  readonly truncated?: true;
}

/** The resolutions of one image; the first is the highest. */
export interface ImageSet {
  readonly identifier: Identifier;
  /** The highest resolution's file name alone, with its extension. */
  readonly name: string;
  /** Which page of its file the image is, from 1, and how many pages the file has. */
  readonly page: number;
  readonly pageCount: number;
  readonly resolutions: readonly [Resolution, ...Resolution[]];
  /** The derived pyramid: the highest resolution as an upright sRGB pyramid of JPEG tiles. */
  readonly derived?: Resolution;
  readonly metadata: ImageMetadata;
}

declare const admitted: unique symbol;

/** Something that the caller may see. Only `admit()` makes one. */
export type Admitted<T> = T & {
  readonly [admitted]: true;
  /** Whether everyone may see it and its metadata; shared caches may not store what is not open. */
  readonly isOpen: boolean;
};

/** The highest resolution of an image. */
export const highest = (image: ImageSet): Resolution => image.resolutions[0];

/** Whether an orientation exchanges width and height. */
export const isTransposed = (orientation: Orientation): boolean => orientation >= 5;

/**
 * Pixels an inch along the upright image's axes, from its metadata, else from the header of the highest resolution;
 * undefined where neither has them.
 */
export function dpiOf(image: ImageSet): Dpi | undefined {
  const { dpi, orientation } = highest(image);
  if (image.metadata.dpi !== undefined || dpi === undefined) return image.metadata.dpi;
  return isTransposed(orientation) ? { x: dpi.y, y: dpi.x } : dpi;
}
