/** Reads orientation and resolution from TIFF directories, in TIFF files and in the EXIF blocks of other formats. */

import { readDirectories, readNumber, type TiffBytes, type TiffDirectory } from '@lectern/tiff';
import type { Orientation } from '../../image/model/image-set.ts';
import { type ByteSource, readExactly, sliceSource } from './byte-source.ts';
import { ifIntact } from './header-error.ts';
import { dpiOf, type ExifFacts, inchesPerCentimeter } from './image-facts.ts';

const tags = { orientation: 274, xResolution: 282, yResolution: 283, resolutionUnit: 296 } as const;

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
