/** Joins JPEGs that lie beside each other without decoding them: what comes out has their coefficients. */
import { endOfImage, headerOf, isTooNarrow, maxScanBytes } from './crop.ts';
import { type Scan, type Size, scanOf, unitsOf } from './scan.ts';
import { ScanReader } from './scan-reader.ts';

const restarts = Array.from({ length: 8 }, (_, number) => Buffer.of(0xff, 0xd0 + number));

/** The coded data of the left upper units, row by row, each `interval` of them as if a restart came before; or why there are none. */
function codedRows(stream: Buffer, scan: Scan, units: Size, interval: number): readonly (readonly Buffer[])[] | string {
  const reader = new ScanReader(scan, { bytes: stream, at: 0 });
  const rows: Buffer[][] = [];
  while (rows.length < units.height) {
    const row: Buffer[] = [];
    for (let at = 0; at < units.width; at += interval) {
      reader.beginOutput();
      reader.copyUnits(interval);
      if (reader.fault !== undefined) return reader.fault;
      row.push(reader.takeOutput('end'));
    }
    rows.push(row);
    if (rows.length < units.height) reader.skipUnits(unitsOf(scan).width - units.width);
  }
  return rows;
}

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));

/** Why streams with this header can't become a picture of this size. */
function whyNotJoined(streams: readonly Buffer[], scan: Scan, columns: number, size: Size): string | undefined {
  const { size: tile, unit, dataAt } = scan;
  const header = streams[0]?.subarray(0, dataAt) ?? endOfImage;
  if (!streams.every((stream) => stream.subarray(0, dataAt).equals(header))) return 'the tiles have other headers';
  if (tile.width % unit.width > 0 || tile.height % unit.height > 0) return 'the tiles end within units (MCUs)';
  if (
    streams.length !== columns * Math.ceil(size.height / tile.height) ||
    columns !== Math.ceil(size.width / tile.width)
  )
    return 'the tiles are not those of the picture';
  if (isTooNarrow(scan, { ...size, width: size.width % tile.width || tile.width }))
    return 'the last tile is so narrow that decoders would not smooth its colors';
  const scanBytes = streams.reduce((sum, { length }) => sum + length - dataAt, 0);
  if (scanBytes <= maxScanBytes) return undefined;
  return `the tiles’ bytes are too many to be joined without decoding: ${scanBytes}`;
}

/**
 * One JPEG of JPEGs with the same header, row by row, `columns` in each; what is right of and below `size` is left out. Or why they can't be joined,
 * as the end of a sentence. Its pixels are theirs, except where chroma is subsampled: decoders smooth it across the edges between them.
 */
export function joinJpegs(streams: readonly Buffer[], columns: number, size: Size): Buffer | string {
  const [first = endOfImage] = streams;
  const scan = scanOf(first);
  const fault = typeof scan === 'string' ? scan : whyNotJoined(streams, scan, columns, size);
  if (typeof scan === 'string' || fault !== undefined) return fault ?? '';
  const { size: tile, unit } = scan;
  const across = unitsOf(scan).width;
  const interval = commonDivisor(across, Math.ceil(size.width / unit.width) % across);
  const output = [headerOf(first, scan, size, interval)];
  for (let top = 0; top < size.height; top += tile.height) {
    const height = Math.ceil(Math.min(tile.height, size.height - top) / unit.height);
    const beside: (readonly (readonly Buffer[])[])[] = [];
    for (let column = 0; column < columns; column++) {
      const width = Math.ceil(Math.min(tile.width, size.width - column * tile.width) / unit.width);
      const stream = streams[columns * (top / tile.height) + column] ?? endOfImage;
      const coded = codedRows(stream, scan, { width, height }, interval);
      if (typeof coded === 'string') return coded;
      beside.push(coded);
    }
    for (let row = 0; row < height; row++) {
      for (const part of beside.flatMap((coded) => coded[row] ?? [])) {
        output.push(part, restarts[((output.length - 1) / 2) % 8] ?? endOfImage);
      }
    }
  }
  // In place of the last restart.
  output[output.length - 1] = endOfImage;
  return Buffer.concat(output);
}
