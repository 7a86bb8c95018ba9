/** Builds ImageHeaders for the formats with one image, with orientation and resolution from EXIF. */

import { readDirectories, readNumber, type TiffBytes, type TiffDirectory, tags } from '@lectern/tiff';
import type { SourceFormat } from '../../image/model/formats.ts';
import type { Dpi, Orientation, Size } from '../../image/model/geometry.ts';
import type { Decoding, ImageHeader, StoredColor } from '../../image/model/image-set.ts';
import { type ByteSource, HeaderError, ifIntact, readExactly, sliceSource } from './byte-source.ts';

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

/** The values of ResolutionUnit (EXIF 2.32, section 4.6.4): 2 is the inch and the default, 3 the centimeter. */
const inchesPerUnit: ReadonlyMap<number, number> = new Map([
  [2, 1],
  [3, inchesPerCentimeter],
]);

const isOrientation = (value: number): value is Orientation => Number.isInteger(value) && value >= 1 && value <= 8;

/** Orientation and resolution of a directory; missing, damaged and meaningless values are ignored. */
export async function readExifFacts(file: TiffBytes, directory: TiffDirectory): Promise<ExifFacts> {
  const number = (tag: number) => ifIntact(readNumber(file, directory, tag));
  const orientation = (await number(tags.orientation)) ?? 1;
  const x = await number(tags.xResolution);
  const y = await number(tags.yResolution);
  const unit = inchesPerUnit.get((await number(tags.resolutionUnit)) ?? 2);
  const dpi = x !== undefined && y !== undefined && unit !== undefined ? dpiOf(x, y, unit) : undefined;
  return { orientation: isOrientation(orientation) ? orientation : 1, dpi };
}

/** The facts of an EXIF block; undefined where it is damaged, since the image may be readable nevertheless. */
export async function readExif(block: ByteSource): Promise<ExifFacts | undefined> {
  // In JPEG this name precedes the block. In WebP and PNG it should not, but libvips writes it in WebP.
  const named = (await readExactly(block, 0, 6))?.toString('latin1') === 'Exif\0\0';
  const file = await ifIntact(readDirectories(named ? sliceSource(block, 6, block.size) : block, 1));
  return file && readExifFacts(file, file.directories[0]);
}
