/** Cuts JPEGs without decoding them, as `jpegtran -crop` does: what is left keeps its coefficients. */
import { completed, type DifferenceTable } from './huffman-table.ts';
import { type Rect, type Scan, type Size, scanOf, unitsOf } from './scan.ts';
import type { ScanPlaces } from './scan-places.ts';
import { type CodedPart, ScanReader } from './scan-reader.ts';

/** A longer scan would block the server's thread for more than about 10 ms. */
export const maxScanBytes = 1024 * 1024;

export const endOfImage = Buffer.of(0xff, 0xd9);

/** Everything before the coded data, for another size and with a restart behind so many units: 0 for none. */
export function headerOf(
  stream: Buffer,
  { headerAt, dataAt, sizeAt, restartIntervalsAt }: Scan,
  size: Size,
  interval = 0,
): Buffer {
  const header = Buffer.from(stream.subarray(0, dataAt));
  header.writeUInt16BE(size.height, sizeAt);
  header.writeUInt16BE(size.width, sizeAt + 2);
  for (const at of restartIntervalsAt) header.writeUInt16BE(interval, at);
  if (interval === 0 || restartIntervalsAt.length > 0) return header;
  const segment = Buffer.of(0xff, 0xdd, 0, 4, interval >> 8, interval & 255);
  return Buffer.concat([header.subarray(0, headerAt), segment, header.subarray(headerAt)]);
}

/** libjpeg smooths chroma that is stored with half of the columns where it has more than two of them, which these columns of pixels have not. */
const [firstNarrow, lastNarrow] = [2, 4];

/** Whether decoders would not smooth chroma as they do in the whole. */
export const isTooNarrow = ({ components, unit }: Scan, { width }: Size): boolean =>
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

/** A JPEG file up to its coded data. */
export interface JpegHeader {
  readonly bytes: Buffer;
  readonly scan: Scan;
}

/** The units that a part of the picture is decoded from: those that it touches, and one more at each side, with which chroma is smoothed. */
export function unitsAround(scan: Scan, { x, y, width, height }: Rect): Rect {
  const { unit } = scan;
  const all = unitsOf(scan);
  const left = Math.max(0, Math.floor(x / unit.width) - 1);
  const top = Math.max(0, Math.floor(y / unit.height) - 1);
  const right = Math.min(all.width, Math.ceil((x + width) / unit.width) + 1);
  const bottom = Math.min(all.height, Math.ceil((y + height) / unit.height) + 1);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** The pixels of units, without the padding behind the picture's edge. */
export function pixelsOf({ size, unit }: Scan, { x, y, width, height }: Rect): Rect {
  const [left, top] = [x * unit.width, y * unit.height];
  return {
    x: left,
    y: top,
    width: Math.min(width * unit.width, size.width - left),
    height: Math.min(height * unit.height, size.height - top),
  };
}

/** The segment that defines a table for differences (section B.2.4.2). */
function tableSegment(destination: number, { counts, symbols }: DifferenceTable): Buffer {
  const length = 3 + counts.length + symbols.length;
  return Buffer.from([0xff, 0xc4, length >> 8, length & 255, destination, ...counts, ...symbols]);
}

/** The scan’s tables for differences, each with a code for every category; undefined where one has no room for them. */
function completedTables({ blocks }: Scan): ReadonlyMap<number, DifferenceTable> | undefined {
  const tables = new Map<number, DifferenceTable>();
  for (const { destination, differences } of blocks) {
    const table = tables.get(destination) ?? completed(differences);
    if (table === undefined) return undefined;
    tables.set(destination, table);
  }
  return tables;
}

/** The file's header for another size, with tables that replace those before them. */
function headerFor({ bytes, scan }: JpegHeader, size: Size, tables: ReadonlyMap<number, DifferenceTable>): Buffer {
  const header = headerOf(bytes, scan, size);
  const segments = [...tables].map(([destination, table]) => tableSegment(destination, table));
  return Buffer.concat([header.subarray(0, scan.headerAt), ...segments, header.subarray(scan.headerAt)]);
}

/** The part of the file that these units are read from; their places are known. */
export function codedPartOf(
  places: ScanPlaces,
  { x, y, width, height }: Rect,
): { readonly at: number; readonly bytes: number } {
  const { at } = places.before(y, x);
  return { at, bytes: places.endOf(y + height - 1, x + width) - at };
}

/**
 * A JPEG of these units, which `part` has. Decoded it equals the same part of the whole, except for one unit at each edge that is not one
 * of the whole. Undefined where the data are damaged.
 */
export function cropJpeg(source: JpegHeader, places: ScanPlaces, part: CodedPart, units: Rect): Buffer | undefined {
  const { scan } = source;
  const tables = completedTables(scan);
  if (tables === undefined) return undefined;
  const blocks = scan.blocks.map((block) => ({
    ...block,
    differences: tables.get(block.destination) ?? block.differences,
  }));
  const output = [headerFor(source, pixelsOf(scan, units), tables)];
  const last = units.y + units.height - 1;
  for (let row = units.y; row <= last; row++) {
    const place = places.before(row, units.x);
    const end = places.endOf(row, units.x + units.width);
    const bytes = part.bytes.subarray(place.at - part.at, end - part.at);
    const reader = new ScanReader(scan, { bytes, at: place.at }, place, blocks);
    if (row === units.y) reader.beginOutput();
    reader.skipUnits(row * unitsOf(scan).width + units.x - place.unit);
    reader.copyUnits(units.width);
    if (reader.fault !== undefined) return undefined;
    output.push(reader.takeOutput(row === last ? 'end' : 'go-on'));
  }
  return Buffer.concat([...output, endOfImage]);
}
