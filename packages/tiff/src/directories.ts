/** Reads the directories of a TIFF structure (TIFF, BigTIFF, EXIF): their tags, and the offsets of the values. */
import { type ByteSource, ifIntact, readExactly, required, TiffError } from './bytes.ts';

/** One tag of a directory. Its values, of which there may be millions, are read only on request. */
export interface TiffEntry {
  /** One of the keys of `valueTypes`. */
  readonly type: number;
  readonly count: number;
  /** The offset of the values in the file; small ones are stored in the entry itself. */
  readonly offset: number;
}

export interface TiffDirectory {
  /** The offset of the directory in the file. */
  readonly offset: number;
  readonly entries: ReadonlyMap<number, TiffEntry>;
  /** The directories that tag 330 lists, up to the first damaged one, without sub-directories of their own. */
  readonly subDirectories: readonly TiffDirectory[];
}

/** The bytes of a TIFF structure, and their encoding. */
export interface TiffBytes {
  readonly source: ByteSource;
  readonly littleEndian: boolean;
  /** BigTIFF: counts and offsets of 64 bits. */
  readonly big: boolean;
}

export interface TiffFile extends TiffBytes {
  /** The chain of directories; an index here is what libvips counts as `page`. */
  readonly directories: readonly [TiffDirectory, ...TiffDirectory[]];
  /** Whether a directory is named that lies beyond the end of the file. */
  readonly isCutOff: boolean;
}

const maxChain = 4096;
const maxDirectories = 10_000;
const maxSubDirectories = 64;
const maxEntries = 1000;
/** Directories may overlap, so a small file could list many more entries than it has bytes. */
const maxTotalEntries = 200_000;

/** Tags of TIFF 6.0, of its technical notes and of EXIF, by what they say. */
export const tags = {
  newSubfileType: 254,
  subfileType: 255,
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  stripOffsets: 273,
  orientation: 274,
  samples: 277,
  rowsPerStrip: 278,
  stripLengths: 279,
  xResolution: 282,
  yResolution: 283,
  planar: 284,
  group3Options: 292,
  group4Options: 293,
  resolutionUnit: 296,
  pageNumber: 297,
  predictor: 317,
  whitePoint: 318,
  palette: 320,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileLengths: 325,
  subDirectories: 330,
  inkSet: 332,
  extraSamples: 338,
  sampleFormat: 339,
  jpegTables: 347,
  ycbcrCoefficients: 529,
  ycbcrSubsampling: 530,
  ycbcrPositioning: 531,
  referenceBlackWhite: 532,
  profile: 34_675,
} as const;

type Decode = (view: DataView, at: number, littleEndian: boolean) => number;

export const valueTypes: ReadonlyMap<number, { readonly bytes: number; readonly decode: Decode }> = new Map([
  [1, { bytes: 1, decode: (view, at) => view.getUint8(at) }],
  [2, { bytes: 1, decode: (view, at) => view.getUint8(at) }],
  [3, { bytes: 2, decode: (view, at, little) => view.getUint16(at, little) }],
  [4, { bytes: 4, decode: (view, at, little) => view.getUint32(at, little) }],
  [5, { bytes: 8, decode: (view, at, little) => view.getUint32(at, little) / view.getUint32(at + 4, little) }],
  [6, { bytes: 1, decode: (view, at) => view.getInt8(at) }],
  [7, { bytes: 1, decode: (view, at) => view.getUint8(at) }],
  [8, { bytes: 2, decode: (view, at, little) => view.getInt16(at, little) }],
  [9, { bytes: 4, decode: (view, at, little) => view.getInt32(at, little) }],
  [10, { bytes: 8, decode: (view, at, little) => view.getInt32(at, little) / view.getInt32(at + 4, little) }],
  [11, { bytes: 4, decode: (view, at, little) => view.getFloat32(at, little) }],
  [12, { bytes: 8, decode: (view, at, little) => view.getFloat64(at, little) }],
  [13, { bytes: 4, decode: (view, at, little) => view.getUint32(at, little) }],
  [16, { bytes: 8, decode: (view, at, little) => Number(view.getBigUint64(at, little)) }],
  [17, { bytes: 8, decode: (view, at, little) => Number(view.getBigInt64(at, little)) }],
  [18, { bytes: 8, decode: (view, at, little) => Number(view.getBigUint64(at, little)) }],
]);

const viewOf = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** How many directories and entries may still be read, which bounds the time for a file. */
interface Budget {
  directories: number;
  entries: number;
  /** Whether a directory was beyond the end of the file. */
  isCutOff: boolean;
}

/**
 * Reads the chain of directories and the SubIFDs of each, at most `directories` in total. A damaged first directory is an
 * error; at a damaged later one, a loop or a bound, reading stops.
 */
export async function readDirectories(source: ByteSource, directories = maxDirectories): Promise<TiffFile> {
  const { file, first } = await readStart(source);
  const budget: Budget = { directories, entries: maxTotalEntries, isCutOff: false };
  const start = await readDirectory(file, first, budget);
  const chain: [TiffDirectory, ...TiffDirectory[]] = [await withSubDirectories(file, start.directory, budget)];
  const visited = new Set([first]);
  let next = start.next;
  while (next !== 0 && !visited.has(next) && chain.length < maxChain && budget.directories > 0) {
    visited.add(next);
    const read = await readFurther(file, next, budget);
    if (!read) break;
    chain.push(await withSubDirectories(file, read.directory, budget));
    next = read.next;
  }
  return { ...file, directories: chain, isCutOff: budget.isCutOff };
}

/** The byte order, the kind of TIFF and the offset of the first directory. */
async function readStart(source: ByteSource): Promise<{ file: TiffBytes; first: number }> {
  const cut = 'The TIFF header is cut short.';
  const order = required(await readExactly(source, 0, 4), cut).toString('latin1');
  if (!/^(?:II[*+]\0|MM\0[*+])$/.test(order)) throw new TiffError('The TIFF header has no known byte order.');
  const file = { source, littleEndian: order.startsWith('I'), big: order.includes('+') };
  if (!file.big) return { file, first: word(file, viewOf(required(await readExactly(source, 4, 4), cut)), 0) };
  const view = viewOf(required(await readExactly(source, 4, 12), cut));
  if (view.getUint16(0, file.littleEndian) !== 8 || view.getUint16(2, file.littleEndian) !== 0) {
    throw new TiffError('The BigTIFF header says an unknown offset size.');
  }
  return { file, first: word(file, view, 4) };
}

/** The directory at an offset that is known, without those that it names. A damaged one is an error. */
export async function readDirectoryAt(file: TiffBytes, offset: number): Promise<TiffDirectory> {
  const budget = { directories: 1, entries: maxEntries, isCutOff: false };
  return (await readDirectory(file, offset, budget)).directory;
}

/** The directory at `offset`, and the offset of the next one (0 where there is none). */
async function readDirectory(
  file: TiffBytes,
  offset: number,
  budget: Budget,
): Promise<{ directory: TiffDirectory; next: number }> {
  const [countBytes, entryBytes, wordBytes] = file.big ? [8, 20, 8] : [2, 12, 4];
  const outside = 'A TIFF directory lies outside the file.';
  if (offset < 8) throw new TiffError(outside);
  const counter = viewOf(required(await readExactly(file.source, offset, countBytes), outside));
  const count = file.big ? Number(counter.getBigUint64(0, file.littleEndian)) : counter.getUint16(0, file.littleEndian);
  if (count < 1 || count > Math.min(maxEntries, budget.entries)) {
    throw new TiffError('A TIFF directory has no entries, or too many.');
  }
  budget.directories -= 1;
  budget.entries -= count;
  const start = offset + countBytes;
  const bytes = required(await readExactly(file.source, start, count * entryBytes), outside);
  const entries = parseEntries(file, bytes, start);
  const end = await readExactly(file.source, start + count * entryBytes, wordBytes);
  return { directory: { offset, entries, subDirectories: [] }, next: end ? word(file, viewOf(end), 0) : 0 };
}

/** As `readDirectory`; undefined for a damaged directory, and for one beyond the end of the file, which is recorded. */
async function readFurther(file: TiffBytes, offset: number, budget: Budget) {
  const read = await ifIntact(readDirectory(file, offset, budget));
  if (read === undefined && (await isBeyondEnd(file, offset))) budget.isCutOff = true;
  return read;
}

async function isBeyondEnd(file: TiffBytes, offset: number): Promise<boolean> {
  const [countBytes, entryBytes] = file.big ? [8, 20] : [2, 12];
  const counter = await readExactly(file.source, offset, countBytes);
  if (counter === undefined) return true;
  const view = viewOf(counter);
  const count = file.big ? Number(view.getBigUint64(0, file.littleEndian)) : view.getUint16(0, file.littleEndian);
  return count <= maxEntries && offset + countBytes + count * entryBytes > file.source.size;
}

/** A count or an offset: 64 bits in BigTIFF, else 32. */
const word = (file: TiffBytes, view: DataView, at: number): number =>
  file.big ? Number(view.getBigUint64(at, file.littleEndian)) : view.getUint32(at, file.littleEndian);

/** The entries in `bytes`, which are at `start` in the file. Unknown types are ignored, as TIFF 6.0 requires. */
function parseEntries(file: TiffBytes, bytes: Buffer, start: number): ReadonlyMap<number, TiffEntry> {
  const [entryBytes, wordBytes] = file.big ? [20, 8] : [12, 4];
  const entries = new Map<number, TiffEntry>();
  const view = viewOf(bytes);
  for (let at = 0; at < bytes.length; at += entryBytes) {
    const tag = view.getUint16(at, file.littleEndian);
    const type = view.getUint16(at + 2, file.littleEndian);
    const valueType = valueTypes.get(type);
    if (!valueType || entries.has(tag)) continue;
    const count = word(file, view, at + 4);
    const slot = at + 4 + wordBytes;
    const fits = count * valueType.bytes <= wordBytes;
    entries.set(tag, { type, count, offset: fits ? start + slot : word(file, view, slot) });
  }
  return entries;
}

async function withSubDirectories(file: TiffBytes, directory: TiffDirectory, budget: Budget): Promise<TiffDirectory> {
  const entry = directory.entries.get(tags.subDirectories);
  if (!entry || budget.directories <= 0) return directory;
  const offsets = (await ifIntact(readNumbers(file, entry, 0, maxSubDirectories))) ?? [];
  const visited = new Set([directory.offset]);
  const subDirectories: TiffDirectory[] = [];
  for (const offset of offsets) {
    if (visited.has(offset) || budget.directories <= 0) break;
    visited.add(offset);
    const read = await readFurther(file, offset, budget);
    if (!read) break;
    subDirectories.push(read.directory);
  }
  return { ...directory, subDirectories };
}

/** At most `limit` values of an entry from the index `first` on, as numbers; a rational is its quotient. */
export async function readNumbers(file: TiffBytes, entry: TiffEntry, first: number, limit: number): Promise<number[]> {
  const valueType = required(valueTypes.get(entry.type), 'A TIFF value has an unknown type.');
  const count = Math.max(0, Math.min(limit, entry.count - first));
  const start = entry.offset + first * valueType.bytes;
  const bytes = await readExactly(file.source, start, count * valueType.bytes);
  const view = viewOf(required(bytes, 'A TIFF value lies outside the file.'));
  return Array.from({ length: count }, (_, index) =>
    valueType.decode(view, index * valueType.bytes, file.littleEndian),
  );
}

/** The first value of a tag; undefined where the directory does not have the tag, or no value for it. */
export async function readNumber(file: TiffBytes, directory: TiffDirectory, tag: number): Promise<number | undefined> {
  const entry = directory.entries.get(tag);
  return entry && (await readNumbers(file, entry, 0, 1))[0];
}
