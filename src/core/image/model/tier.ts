/** Tiers: how a caller may see an image that it may not see whole. */
import type { Watermark } from './covers.ts';
import type { OutputFormat } from './formats.ts';
import type { Size } from './geometry.ts';

/** What everyone with a tier gets of an image: a picture within limits, and what else belongs to it or not. */
export interface Tier {
  /** As in settings and in identifiers: `small` of `book/page1;tier=small`. */
  readonly name: string;
  /** The longest side in pixels; absent for no limit. */
  readonly maxSide?: number | undefined;
  /** The area in pixels; absent for no limit. */
  readonly maxPixels?: number | undefined;
  /** The formats of pictures; absent for all. */
  readonly formats?: readonly OutputFormat[] | undefined;
  /** Whether files are sent as they are: of images, and of texts with places. */
  readonly originals: boolean;
  /** Whether its pictures are in PDF documents and archives. */
  readonly documents: boolean;
  /** Whether its words are sent, shown and found, and the annotations of its files. */
  readonly texts: boolean;
  /** What is drawn on its pictures. */
  readonly watermark?: Watermark | undefined;
  /** Whether info.json of the whole image may be read: its size, and no pixel of it. */
  readonly wholeInfo?: boolean | undefined;
}

/** The terms on which a caller sees an image that it may not see whole, or did not ask for whole. */
export interface Terms {
  readonly tier: Tier;
  /** The code of the error for what the tier does not have: whether credentials may help the caller. */
  readonly denial: 'denied' | 'login-needed';
  /** Whether the caller asked for this tier by its identifier, so that the answer is the same for all who may see it. */
  readonly isNamed: boolean;
  /** Whether everyone may see the tier. */
  readonly isForAll: boolean;
}

/** Rounding error of divisions. */
const rounding = 1e-9;

/** The size of an image in a tier: the largest of its shape within the limits; undefined where the image itself is within them. */
export function sizeInTier({ width, height }: Size, tier: Tier): Size | undefined {
  const { maxSide = Number.POSITIVE_INFINITY, maxPixels = Number.POSITIVE_INFINITY } = tier;
  const factor = Math.min(maxSide / Math.max(width, height), Math.sqrt(maxPixels / (width * height)));
  if (factor >= 1) return undefined;
  const scaled = (side: number): number => Math.max(1, Math.floor(side * factor + rounding));
  return { width: scaled(width), height: scaled(height) };
}
