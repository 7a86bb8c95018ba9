/** Makes a JPEG smaller at its right and bottom without decoding it: what is left keeps its coefficients, as with `jpegtran -crop`. */
import type { Size } from './geometry.ts';
import { type Scan, scanOf, unitsOf } from './scan.ts';
import { ScanReader } from './scan-reader.ts';

/** A longer scan would block the server's thread for more than about 10 ms. */
const maxScanBytes = 1024 * 1024;

export const endOfImage = Buffer.of(0xff, 0xd9);

/** Everything before the coded data, for another size and without restarts. */
export function headerOf(stream: Buffer, { dataAt, sizeAt, restartIntervalsAt }: Scan, size: Size): Buffer {
  const header = Buffer.from(stream.subarray(0, dataAt));
  header.writeUInt16BE(size.height, sizeAt);
  header.writeUInt16BE(size.width, sizeAt + 2);
  for (const at of restartIntervalsAt) header.writeUInt16BE(0, at);
  return header;
}

/** libjpeg smooths chroma that is stored with half of the columns where it has more than two of them, which these columns of pixels have not. */
const [firstNarrow, lastNarrow] = [2, 4];

/** Whether decoders would not smooth chroma as they do in the whole. */
const isTooNarrow = ({ components, unit }: Scan, { width }: Size): boolean =>
  width >= firstNarrow && width <= lastNarrow && components.some(({ across }) => 16 * across === unit.width);

/**
 * The JPEG's left upper part of this size, or why it can't be cut out, as the end of a sentence. Decoded it equals the
 * same part of the whole, except for the last column and row where the chroma is subsampled: decoders smooth the chroma
 * with its neighbors, and those after the cut, which often are padding, are missing.
 */
export function cutJpeg(stream: Buffer, size: Size): Buffer | string {
  const scan = scanOf(stream);
  if (typeof scan === 'string') return scan;
  const { size: whole, unit, dataAt } = scan;
  if (size.width > whole.width || size.height > whole.height)
    return 'the picture is to be larger than the tile’s bytes say';
  if (isTooNarrow(scan, size)) return 'the picture is so narrow that decoders would not smooth its colors';
  const scanBytes = stream.length - dataAt;
  if (scanBytes > maxScanBytes) return `the tile’s bytes are too many to be cut without decoding: ${scanBytes}`;
  const reader = new ScanReader(scan, { bytes: stream, at: 0 });
  reader.beginOutput();
  const [columns, rows] = [Math.ceil(size.width / unit.width), Math.ceil(size.height / unit.height)];
  const skipped = unitsOf(scan).width - columns;
  for (let row = 1; row <= rows && reader.fault === undefined; row++) {
    reader.copyUnits(columns);
    if (row < rows) reader.skipUnits(skipped);
  }
  return reader.fault ?? Buffer.concat([headerOf(stream, scan, size), reader.takeOutput('end'), endOfImage]);
}
