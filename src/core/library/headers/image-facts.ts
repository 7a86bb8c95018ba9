/** Builds ImageHeaders for the formats with one image, and converts units of resolution. */
import type { Decoding } from '../../image/model/decoding.ts';
import type { SourceFormat } from '../../image/model/formats.ts';
import type { Dpi, Size } from '../../image/model/geometry.ts';
import type { ImageHeader, Orientation, StoredColor } from '../../image/model/image-set.ts';
import { HeaderError } from './header-error.ts';

export interface ExifFacts {
  readonly orientation: Orientation;
  readonly dpi?: Dpi | undefined;
}

export interface ImageFacts {
  readonly size: Size;
  readonly color: StoredColor;
  readonly bits: number;
  readonly decoding: Decoding;
  readonly alpha?: boolean;
  readonly profile?: boolean;
  readonly exif?: ExifFacts | undefined;
  /** Takes precedence over the resolution in the EXIF block. */
  readonly dpi?: Dpi | undefined;
}

/** The header of a file that holds one image at one size. */
export function imageHeader(format: SourceFormat, facts: ImageFacts): ImageHeader {
  const { size, color, bits, decoding, alpha = false, profile = false, exif } = facts;
  const { orientation = 1, dpi: exifDpi } = exif ?? {};
  const dpi = facts.dpi ?? exifDpi;
  if (size.width < 1 || size.height < 1) throw new HeaderError(`The ${format} header says a size of zero.`);
  const level = { ...size, location: { kind: 'only' }, decoding } as const;
  return { format, pages: [{ levels: [level], orientation, color, bits, alpha, profile, ...(dpi && { dpi }) }] };
}

/** Gray samples of one bit are bilevel. */
export const grayOf = (bits: number): StoredColor => (bits === 1 ? 'bilevel' : 'gray');

export const inchesPerCentimeter = 1 / 2.54;
export const inchesPerMeter = 1 / 0.0254;

/** Four decimals preserve the values in files (11811 a meter is 299.9994), and drop the rounding error of the division. */
const toDpi = (samples: number, inchesPerUnit: number): number => Math.round((samples / inchesPerUnit) * 1e4) / 1e4;

/** Converts samples per unit to samples per inch; undefined unless both axes are finite and positive. */
export function dpiOf(x: number, y: number, inchesPerUnit = 1): Dpi | undefined {
  const dpi = { x: toDpi(x, inchesPerUnit), y: toDpi(y, inchesPerUnit) };
  const usable = Number.isFinite(dpi.x) && Number.isFinite(dpi.y) && dpi.x > 0 && dpi.y > 0;
  return usable ? dpi : undefined;
}
