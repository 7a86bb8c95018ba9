/** The facts of an image that are available before a pixel is read: its resolutions, their levels and tiles, and its metadata. */
import type { Jpeg2000 } from '@lectern/jpeg2000/model';
import type { Covers } from './covers.ts';
import type { SourceFormat } from './formats.ts';
import {
  type Dpi,
  intersect,
  isTransposed,
  mapRect,
  type Orientation,
  outward,
  type Rect,
  type Size,
} from './geometry.ts';
import type { Identifier } from './identifier.ts';
import { joinRedactions, type Redactions } from './redaction.ts';
import type { Terms } from './tier.ts';

export interface Decoding {
  /** Bytes of a decoded pixel in memory. */
  readonly pixelBytes: number;
  /** Bytes for each pixel of the level that the decoder holds from its first row to its last; absent where it streams. */
  readonly heldBytes?: number;
  /** Number of rows that are compressed together; absent for tiles, and where each row is decoded by itself. */
  readonly stripRows?: number;
}

/** Bytes of a pixel of `channels` samples; samples of less than 8 bits take a byte each. */
export const pixelBytesOf = (channels: number, bits: number): number => channels * Math.max(1, Math.ceil(bits / 8));

/** Context of an image: a text or a link. */
export type ImageContext =
  | { readonly kind: 'text'; readonly text: string }
  /** At least one of the two is present. The link is the text of the file, unchecked. */
  | { readonly kind: 'link'; readonly link?: string; readonly name?: string };

/** The facts of an image in its metadata files (digilib.md, section 3, “Metadata”). */
export interface ImageMetadata {
  /** Pixels an inch of the upright image. Takes precedence over the image’s own header. */
  readonly dpi?: Dpi;
  readonly contexts: readonly ImageContext[];
  /** `free`, or a type with its name such as `group:mpiwg`, or a type alone; absent where the files name none. */
  readonly access?: string;
  readonly title?: string;
  /** What is covered of it. */
  readonly redactions?: Redactions;
}

/** The access of an image whose metadata file can't be read: it might forbid access to everyone. */
export const unreadableAccess = '(unreadable)';

/** Metadata of an image without metadata files. */
export const noImageMetadata: ImageMetadata = { contexts: [] };

/** Merges metadata of several files: each field comes from the first that has it, and redactions from all. */
export function mergeMetadata(sources: readonly ImageMetadata[]): ImageMetadata {
  const contexts = sources.find((one) => one.contexts.length > 0)?.contexts ?? [];
  const redactions = joinRedactions(sources.map((one) => one.redactions));
  return Object.assign({}, ...sources.toReversed(), { contexts }, redactions && { redactions });
}

/** Bytes of a file. */
export interface StoredBytes {
  /** Offset in the file. */
  readonly at: number;
  /** Length in bytes. */
  readonly bytes: number;
}

/** A list of numbers in a file; it can hold millions, so it is not read as a whole. */
export interface StoredNumbers {
  /** Offset of the first in the file. */
  readonly at: number;
  readonly count: number;
  readonly bytesEach: 2 | 4 | 8;
  readonly littleEndian: boolean;
}

/** Checksums (CRC-32) of a file that we made, which detect every flipped bit of what is read of it. */
export interface Checksums {
  /** The checksum of each tile of the level, row by row. */
  readonly tiles: StoredNumbers;
  /** The parts of the file that are not tiles: headers, tables, the positions of the tiles. */
  readonly otherParts: readonly StoredBytes[];
  /** The checksum of these parts together. */
  readonly otherCrc32: number;
}

/** Where the tiles of a level lie in its file. */
export interface PlacedTiles {
  /** Number of tiles in a row and in a column of the level's grid. */
  readonly columns: number;
  readonly rows: number;
  /** Offset of each tile in the file, row by row; 0 where a tile is not stored. */
  readonly offsets: StoredNumbers;
  /** Length of each tile in bytes. */
  readonly lengths: StoredNumbers;
  /** Present in derived pyramids. */
  readonly checksums?: Checksums;
}

/** Tiles that become JPEG files when a header is put before them. */
export interface JpegTiles extends PlacedTiles {
  readonly kind: 'jpeg';
  readonly samples: 'ycbcr' | 'rgb' | 'gray';
  /** The tables that the tiles share, as a JPEG stream without an image (TIFF Technical Note 2); absent where they share none. */
  readonly tables?: StoredBytes;
  /** The level’s ICC profile, where it has one that can go into a JPEG. */
  readonly profile?: StoredBytes;
}

/** Tiles of interleaved samples of 8 bits, gray or RGB, that are compressed with zlib. */
export interface DeflateTiles extends PlacedTiles {
  readonly kind: 'deflate';
  readonly channels: 1 | 3;
  /** Whether each sample but the first of a row is stored as the difference from the one before it (TIFF 6.0, section 14). */
  readonly areDifferences: boolean;
  /** Why they can't be sent, as of opaque tiles. */
  readonly reason: string;
}

export type StoredTiles =
  | JpegTiles
  | DeflateTiles
  /** Tiles that have to be decoded. The reason is the end of a sentence, such as “its tiles are stored with LZW compression”. */
  | { readonly kind: 'opaque'; readonly reason: string };

/**
 * Where in its file a level is stored: the file's only image, a TIFF directory of the chain, a SubIFD of it, or the image of
 * a JPEG 2000 code-stream after `reduction` halvings, 0 for the full size.
 */
export type LevelLocation =
  | { readonly kind: 'only' }
  | { readonly kind: 'page'; readonly page: number }
  | { readonly kind: 'subifd'; readonly page: number; readonly subifd: number }
  | { readonly kind: 'reduction'; readonly reduction: number };

/** Where a directory of a TIFF file is, and how its numbers are stored. */
export interface StoredDirectory {
  readonly at: number;
  readonly littleEndian: boolean;
  /** Whether the file is a BigTIFF. */
  readonly big: boolean;
}

/** One stored size of an image; width and height in pixels as stored, before orientation. */
export interface Level extends Size {
  readonly location: LevelLocation;
  /** Of TIFF files. */
  readonly directory?: StoredDirectory;
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
  /** Of a derived pyramid: the same on all servers that have made it, for keys and ETags in place of the above. */
  readonly content?: string;
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
  /**
   * Present where `width` and `height` are fewer pixels than the file has: what the file has. No picture may show more than
   * these fewer pixels.
   */
  readonly reducedFrom?: Resolution;
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
  /** Present where the image is a tier of that of the library; only `admit()` makes one. */
  readonly terms?: Terms;
  /** Present where something lies on the image as this caller sees it; only `admit()` sets it. */
  readonly covers?: Covers;
}

declare const admitted: unique symbol;

/** Something that the caller may see. Only `admit()` makes one. */
export type Admitted<T> = T & {
  readonly [admitted]: true;
  /** Whether everyone may see it and its metadata; shared caches may not store what is not open. */
  readonly isOpen: boolean;
};

/**
 * Whether everyone may see what the caller sees, though maybe at another address: an image that everyone sees so is the same
 * for all pages in a browser.
 */
export const isForAll = ({ isOpen, terms }: Admitted<ImageSet>): boolean => isOpen || terms?.isForAll === true;

/** Whether the caller may have files as they are: of the image, and of texts with places. */
export const hasFiles = ({ terms, covers }: ImageSet): boolean =>
  covers === undefined && (terms === undefined || terms.tier.originals);

/** Whether something of the image, or of another page of its file, is redacted. */
export const isCovered = ({ covers }: ImageSet): boolean =>
  covers !== undefined && (covers.redactions.length > 0 || covers.ofOtherPages === true);

/** The highest resolution of an image. */
export const highest = (image: ImageSet): Resolution => image.resolutions[0];

/** The highest resolution with all pixels that its file has, for what is made of files and not for a caller. */
export const storedHighest = ({ resolutions: [full] }: Pick<ImageSet, 'resolutions'>): Resolution =>
  full.reducedFrom ?? full;

/**
 * Pixels an inch along the upright image's axes, from its metadata, else from the header of the highest resolution;
 * undefined where neither has them.
 */
export function dpiOf(image: ImageSet): Dpi | undefined {
  const { dpi, orientation } = highest(image);
  if (image.metadata.dpi !== undefined || dpi === undefined) return image.metadata.dpi;
  return isTransposed(orientation) ? { x: dpi.y, y: dpi.x } : dpi;
}

/** A rectangle in pixels of the whole image on the one that is shown, on whole pixels around it. */
export function onShown(rect: Rect, image: ImageSet): Rect {
  const { width, height, reducedFrom } = highest(image);
  if (reducedFrom === undefined) return rect;
  const scale = { width: width / reducedFrom.width, height: height / reducedFrom.height };
  const shown = intersect(outward(mapRect(rect, scale, (length, factor) => length * factor)), { width, height });
  return shown ?? { x: 0, y: 0, width: 0, height: 0 };
}
