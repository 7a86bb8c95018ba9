/** Writes a small TIFF of some strips or tiles of another one, as they are stored: they decode to the same pixels. */
import { readExactly } from './bytes.ts';
import {
  readNumber,
  readNumbers,
  type TiffBytes,
  type TiffDirectory,
  type TiffEntry,
  tags,
  valueTypes,
} from './directories.ts';

/** The strips or tiles of a directory: a grid for each plane, one plane behind the other. */
export interface BlockGrid {
  readonly kind: 'tiles' | 'strips';
  /** The size of the image, and of a block, in pixels. */
  readonly image: Size;
  readonly block: Size;
  readonly columns: number;
  readonly rows: number;
  /** More than one where each sample has its own. */
  readonly planes: number;
  readonly offsets: TiffEntry;
  readonly lengths: TiffEntry;
  /** Bytes of a row of a strip without compression, of which single rows can be read. */
  readonly rowBytes?: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A rectangle of the image in pixels. */
export interface Area extends Size {
  readonly x: number;
  readonly y: number;
}

/** Bytes of the file. */
export interface Place {
  readonly at: number;
  readonly bytes: number;
}

/** What has to be read of the file for an excerpt: of whole strips or tiles, or of rows. */
export interface ExcerptPlan {
  /** The pixels that the excerpt has: at least those asked for. */
  readonly area: Area;
  readonly rowsPerStrip: number;
  readonly places: readonly Place[];
}

/**
 * Compressions of blocks that need nothing but tags of their directory: none, CCITT, LZW, JPEG, Deflate, PackBits, LZMA, Zstandard, WebP.
 */
const compressions: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 7, 8, 32_773, 32_946, 34_925, 50_000, 50_001]);

const ycbcr = 6;

/** The tags that say how blocks are decoded, and the resolution, which encoders take on. */
const copiedTags: readonly number[] = [
  tags.bits,
  tags.compression,
  tags.photometric,
  tags.fillOrder,
  tags.samples,
  tags.xResolution,
  tags.yResolution,
  tags.planar,
  tags.group3Options,
  tags.group4Options,
  tags.resolutionUnit,
  tags.predictor,
  tags.whitePoint,
  tags.palette,
  tags.tileWidth,
  tags.tileHeight,
  tags.inkSet,
  tags.extraSamples,
  tags.sampleFormat,
  tags.jpegTables,
  tags.ycbcrCoefficients,
  tags.ycbcrSubsampling,
  tags.ycbcrPositioning,
  tags.referenceBlackWhite,
  tags.profile,
];

/** Longer values of a tag are not copied. */
const maxValueBytes = 2 ** 20;

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value > 0;

/** Bytes of a row of a strip; undefined where the rows are compressed, or share samples. */
async function rowBytesOf(file: TiffBytes, directory: TiffDirectory, width: number): Promise<number | undefined> {
  const number = (tag: number) => readNumber(file, directory, tag);
  if (((await number(tags.compression)) ?? 1) !== 1 || (await number(tags.photometric)) === ycbcr) return undefined;
  const samples = (await number(tags.planar)) === 2 ? 1 : ((await number(tags.samples)) ?? 1);
  return Math.ceil((width * samples * ((await number(tags.bits)) ?? 1)) / 8);
}

/** The strips or tiles of a directory; undefined where excerpts can’t be made of them. Throws TiffError where it is damaged. */
export async function readBlockGrid(file: TiffBytes, directory: TiffDirectory): Promise<BlockGrid | undefined> {
  const number = async (tag: number, otherwise: number) => (await readNumber(file, directory, tag)) ?? otherwise;
  if (!compressions.has(await number(tags.compression, 1))) return undefined;
  const image = { width: await number(tags.width, 0), height: await number(tags.height, 0) };
  const kind = directory.entries.has(tags.tileOffsets) ? 'tiles' : 'strips';
  const isTiled = kind === 'tiles';
  const block = isTiled
    ? { width: await number(tags.tileWidth, 0), height: await number(tags.tileHeight, 0) }
    : { width: image.width, height: Math.min(image.height, (await number(tags.rowsPerStrip, 0)) || image.height) };
  const planes = (await number(tags.planar, 1)) === 2 ? await number(tags.samples, 1) : 1;
  if (![image.width, image.height, block.width, block.height, planes].every(isCount)) return undefined;
  const offsets = directory.entries.get(isTiled ? tags.tileOffsets : tags.stripOffsets);
  const lengths = directory.entries.get(isTiled ? tags.tileLengths : tags.stripLengths);
  const [columns, rows] = [Math.ceil(image.width / block.width), Math.ceil(image.height / block.height)];
  const count = columns * rows * planes;
  if (offsets?.count !== count || lengths?.count !== count) return undefined;
  const rowBytes = isTiled ? undefined : await rowBytesOf(file, directory, image.width);
  return { kind, image, block, columns, rows, planes, offsets, lengths, ...(rowBytes && { rowBytes }) };
}

/** Blocks of a grid by their columns and rows. */
interface Blocks extends Area {}

function blocksAround({ block }: BlockGrid, { x, y, width, height }: Area): Blocks {
  const [column, row] = [Math.floor(x / block.width), Math.floor(y / block.height)];
  const columns = Math.floor((x + width - 1) / block.width) - column + 1;
  return { x: column, y: row, width: columns, height: Math.floor((y + height - 1) / block.height) - row + 1 };
}

/**
 * The pixels of blocks. Tiles are whole also where the image ends within them, as libvips refuses tiles that are much larger than their
 * image, unless these are all tiles.
 */
function areaOf({ kind, image, block, columns, rows }: BlockGrid, { x, y, width, height }: Blocks): Area {
  const [left, top] = [x * block.width, y * block.height];
  const whole = { x: left, y: top, width: width * block.width, height: height * block.height };
  if (width === columns && height === rows) return { ...whole, ...image };
  return kind === 'tiles' ? whole : { ...whole, height: Math.min(whole.height, image.height - top) };
}

/** The number of blocks that pixels lie in. */
export function countBlocks(grid: BlockGrid, area: Area): number {
  const { width, height } = blocksAround(grid, area);
  return width * height * grid.planes;
}

/** The first index and the number of blocks that follow each other in the lists of their places. */
function* runsOf({ columns, rows, planes }: BlockGrid, { x, y, width, height }: Blocks): Generator<[number, number]> {
  for (let plane = 0; plane < planes; plane++) {
    const first = (plane * rows + y) * columns + x;
    if (width === columns) yield [first, width * height];
    else for (let row = 0; row < height; row++) yield [first + row * columns, width];
  }
}

/** The rows of strips without compression that an area needs, as if they were one strip for each plane. */
function rowsOf(grid: BlockGrid, { y, height }: Area, places: readonly Place[]): readonly Place[] | undefined {
  const { block, rowBytes = 0, planes } = grid;
  const first = Math.floor(y / block.height);
  const strips = places.length / planes;
  const cut = places.map(({ at, bytes }, index) => {
    const top = (first + (index % strips)) * block.height;
    const [from, to] = [Math.max(y, top), Math.min(y + height, top + block.height)];
    const isWhole = (to - top) * rowBytes <= bytes;
    return isWhole ? { at: at + (from - top) * rowBytes, bytes: (to - from) * rowBytes } : undefined;
  });
  return cut.every((place) => place !== undefined) ? cut : undefined;
}

/**
 * What an excerpt with these pixels takes of the file; undefined where a block is not stored, or lies outside of the file. Throws
 * TiffError where the places of the blocks do.
 */
export async function planExcerpt(file: TiffBytes, grid: BlockGrid, pixels: Area): Promise<ExcerptPlan | undefined> {
  const blocks = blocksAround(grid, pixels);
  const places: Place[] = [];
  for (const [first, count] of runsOf(grid, blocks)) {
    const offsets = await readNumbers(file, grid.offsets, first, count);
    const lengths = await readNumbers(file, grid.lengths, first, count);
    for (const [index, at] of offsets.entries()) places.push({ at, bytes: lengths[index] ?? 0 });
  }
  if (!places.every(({ at, bytes }) => at > 0 && bytes > 0 && at + bytes <= file.source.size)) return undefined;
  if (!grid.rowBytes) return { area: areaOf(grid, blocks), rowsPerStrip: grid.block.height, places };
  const rows = rowsOf(grid, pixels, places);
  const area = { x: 0, width: grid.image.width, y: pixels.y, height: pixels.height };
  return rows && { area, rowsPerStrip: area.height, places: rows };
}

interface RawEntry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  /** In the byte order of the file. */
  readonly bytes: Buffer;
}

const long = 4;

/** Writes numbers as the file does that the excerpt is of, whose samples may have its byte order too. */
function writerFor({ littleEndian, big }: TiffBytes) {
  const short = (to: Buffer, value: number, at: number): number =>
    littleEndian ? to.writeUInt16LE(value, at) : to.writeUInt16BE(value, at);
  const word = (to: Buffer, value: number, at: number): number =>
    littleEndian ? to.writeUInt32LE(value, at) : to.writeUInt32BE(value, at);
  const long8 = (to: Buffer, value: number, at: number): number =>
    littleEndian ? to.writeBigUInt64LE(BigInt(value), at) : to.writeBigUInt64BE(BigInt(value), at);
  const entry = (tag: number, values: readonly number[]): RawEntry => {
    const bytes = Buffer.alloc(values.length * 4);
    for (const [index, value] of values.entries()) word(bytes, value, index * 4);
    return { tag, type: long, count: values.length, bytes };
  };
  return { short, offset: big ? long8 : word, count: big ? long8 : short, entry, offsetBytes: big ? 8 : 4 };
}

/** The values of tags as they are stored; undefined where one is too long, or lies outside of the file. */
async function copyEntries(file: TiffBytes, { entries }: TiffDirectory): Promise<readonly RawEntry[] | undefined> {
  const copied: RawEntry[] = [];
  for (const tag of copiedTags) {
    const found = entries.get(tag);
    if (found === undefined) continue;
    const length = found.count * (valueTypes.get(found.type)?.bytes ?? 0);
    const bytes = length <= maxValueBytes ? await readExactly(file.source, found.offset, length) : undefined;
    if (bytes === undefined) return undefined;
    copied.push({ tag, type: found.type, count: found.count, bytes });
  }
  return copied;
}

/** A header and a directory, whose `dataOffsets` are those of data that follow them; and the values that the entries have no room for. */
function headOf(file: TiffBytes, entries: readonly RawEntry[]): Buffer {
  const { short, offset, count, offsetBytes } = writerFor(file);
  const [headerBytes, countBytes] = file.big ? [16, 8] : [8, 2];
  const entryBytes = 4 + 2 * offsetBytes;
  const directory = Buffer.alloc(headerBytes + countBytes + entries.length * entryBytes + offsetBytes);
  directory.write(file.littleEndian ? 'II' : 'MM', 'latin1');
  short(directory, file.big ? 43 : 42, 2);
  if (file.big) short(directory, 8, 4);
  offset(directory, headerBytes, headerBytes - offsetBytes);
  count(directory, entries.length, headerBytes);
  const outside: Buffer[] = [];
  let at = directory.length;
  for (const [index, { tag, type, count: values, bytes }] of entries.entries()) {
    const start = headerBytes + countBytes + index * entryBytes;
    short(directory, tag, start);
    short(directory, type, start + 2);
    offset(directory, values, start + 4);
    if (bytes.length <= offsetBytes) {
      bytes.copy(directory, start + 4 + offsetBytes);
      continue;
    }
    offset(directory, at, start + 4 + offsetBytes);
    // Values begin at even offsets.
    const padding = Buffer.alloc(bytes.length % 2);
    outside.push(bytes, padding);
    at += bytes.length + padding.length;
  }
  return Buffer.concat([directory, ...outside]);
}

/** The blocks of an excerpt; rows of strips without compression are one strip for each plane. */
function joined({ rowBytes, planes }: BlockGrid, blocks: readonly Buffer[]): readonly Buffer[] {
  if (!rowBytes) return blocks;
  const each = blocks.length / planes;
  return Array.from({ length: planes }, (_, plane) => Buffer.concat(blocks.slice(plane * each, (plane + 1) * each)));
}

/**
 * The excerpt, of the bytes at the places of its plan; undefined where tags can’t be copied. In the byte order and the form of the file, so that
 * values and samples are taken as they are.
 */
export async function writeExcerpt(
  file: TiffBytes,
  directory: TiffDirectory,
  grid: BlockGrid,
  { area, rowsPerStrip }: ExcerptPlan,
  read: readonly Buffer[],
): Promise<Buffer | undefined> {
  const copied = await copyEntries(file, directory);
  if (copied === undefined) return undefined;
  const blocks = joined(grid, read);
  const { entry } = writerFor(file);
  const isTiled = grid.kind === 'tiles';
  const entriesFor = (first: number): readonly RawEntry[] => {
    let at = first;
    const offsets = blocks.map(({ length }) => {
      at += length;
      return at - length;
    });
    const lengths = blocks.map(({ length }) => length);
    const own = [
      entry(tags.width, [area.width]),
      entry(tags.height, [area.height]),
      entry(isTiled ? tags.tileOffsets : tags.stripOffsets, offsets),
      entry(isTiled ? tags.tileLengths : tags.stripLengths, lengths),
      ...(isTiled ? [] : [entry(tags.rowsPerStrip, [rowsPerStrip])]),
    ];
    return [...own, ...copied].sort((one, other) => one.tag - other.tag);
  };
  const { length } = headOf(file, entriesFor(0));
  return Buffer.concat([headOf(file, entriesFor(length)), ...blocks]);
}
