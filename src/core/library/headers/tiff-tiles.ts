/** Reads how the tiles of a TIFF directory are stored: whether each one can be sent as a JPEG file with a header added, or be decoded without libvips. */

import { readNumber, readNumbers, type TiffBytes, type TiffDirectory, tags } from '@lectern/tiff';
import type { Size } from '../../image/model/geometry.ts';
import type {
  DeflateTiles,
  JpegTiles,
  PlacedTiles,
  StoredBytes,
  StoredNumbers,
  StoredTiles,
} from '../../image/model/image-set.ts';
import { ifIntact, readExactly } from './byte-source.ts';
import { isSrgbProfile, profileSpace } from './icc.ts';

const jpegCompression = 7;

/** Adobe's number, and that of libtiff before. */
const deflateCompressions: ReadonlySet<number> = new Set([8, 32_946]);

const compressions: ReadonlyMap<number, string> = new Map([
  [1, 'without compression'],
  [5, 'with LZW compression'],
  [6, 'with the old JPEG compression of TIFF 6.0'],
  [8, 'with deflate compression'],
  [32_773, 'with PackBits compression'],
  [32_946, 'with deflate compression'],
  [33_003, 'with JPEG 2000 compression'],
  [33_005, 'with JPEG 2000 compression'],
  [34_712, 'with JPEG 2000 compression'],
  [34_887, 'with LERC compression'],
  [34_925, 'with LZMA compression'],
  [50_000, 'with Zstandard compression'],
  [50_001, 'with WebP compression'],
  [50_002, 'with JPEG XL compression'],
]);

/** PhotometricInterpretation and SamplesPerPixel of the kinds of samples that a JPEG file can declare. */
const sampleKinds: ReadonlyMap<string, JpegTiles['samples']> = new Map([
  ['6/3', 'ycbcr'],
  ['2/3', 'rgb'],
  ['1/1', 'gray'],
]);

interface Picture extends Size {
  readonly tile: Size;
}

/** How the tiles of a directory are stored; `opaque` also where this is damaged, since libvips may be able to read them. */
export async function readStoredTiles(
  file: TiffBytes,
  directory: TiffDirectory,
  picture: Picture,
): Promise<StoredTiles> {
  const found = (await ifIntact(findTiles(file, directory, picture))) ?? 'what the file says of its tiles is damaged';
  return typeof found === 'string' ? { kind: 'opaque', reason: found } : found;
}

/** The tiles, or the reason why they can't be sent. */
async function findTiles(
  file: TiffBytes,
  directory: TiffDirectory,
  picture: Picture,
): Promise<JpegTiles | DeflateTiles | string> {
  const compression = (await readNumber(file, directory, tags.compression)) ?? 1;
  if (compression === jpegCompression) return findJpegTiles(file, directory, picture);
  const reason = `its tiles are stored ${compressions.get(compression) ?? `with compression ${compression}`}`;
  const found = deflateCompressions.has(compression) && (await ifIntact(findDeflateTiles(file, directory, picture)));
  return found ? { kind: 'deflate', ...found, reason } : reason;
}

/** The tiles; undefined where libvips has to decode them, also where what the file says of them is damaged. */
async function findDeflateTiles(file: TiffBytes, directory: TiffDirectory, picture: Picture) {
  const number = async (tag: number) => (await readNumber(file, directory, tag)) ?? 1;
  const samples = await readSampleKind(file, directory);
  const isUsual = 'kind' in samples && samples.kind !== 'ycbcr' && (await number(tags.sampleFormat)) === 1;
  const predictor = await number(tags.predictor);
  const places = placeTiles(file, directory, picture);
  if (!isUsual || (predictor !== 1 && predictor !== 2) || typeof places === 'string') return undefined;
  return { ...places, channels: samples.kind === 'gray' ? 1 : 3, areDifferences: predictor === 2 } as const;
}

async function findJpegTiles(file: TiffBytes, directory: TiffDirectory, picture: Picture): Promise<JpegTiles | string> {
  const samples = await readSampleKind(file, directory);
  if (!('kind' in samples)) return samples.reason;
  const places = placeTiles(file, directory, picture);
  if (typeof places === 'string') return places;
  const tables = bytesAt(directory, tags.jpegTables);
  if (tables && !(await areTables(file, tables))) return 'the JPEG tables that its tiles share are damaged or unusual';
  const profile = await readProfile(file, directory, samples.kind);
  const more = { ...(tables && { tables }), ...(profile && { profile }) };
  return { kind: 'jpeg', ...places, samples: samples.kind, ...more };
}

/** Where the tiles lie, or what is wrong with what the file says of that. */
function placeTiles(file: TiffBytes, directory: TiffDirectory, picture: Picture): PlacedTiles | string {
  const columns = Math.ceil(picture.width / picture.tile.width);
  const rows = Math.ceil(picture.height / picture.tile.height);
  const offsets = numbersAt(file, directory, tags.tileOffsets);
  const lengths = numbersAt(file, directory, tags.tileLengths);
  if (!offsets || !lengths) return 'the file does not say rightly where its tiles lie';
  if (offsets.count !== columns * rows || lengths.count !== columns * rows) {
    return `the file lists ${offsets.count} tiles with ${lengths.count} lengths, and its size needs ${columns * rows}`;
  }
  return { columns, rows, offsets, lengths };
}

type Samples = { readonly kind: JpegTiles['samples'] } | { readonly reason: string };

async function readSampleKind(file: TiffBytes, directory: TiffDirectory): Promise<Samples> {
  const number = (tag: number) => readNumber(file, directory, tag);
  if (((await number(tags.planar)) ?? 1) !== 1) return { reason: 'its tiles hold one color each' };
  const bitsEntry = directory.entries.get(tags.bits);
  const bits = bitsEntry ? await readNumbers(file, bitsEntry, 0, 8) : [1];
  if (bits.some((each) => each !== 8)) return { reason: `its samples have ${bits.join(', ')} bits, not 8` };
  const [photometric, samples] = [await number(tags.photometric), (await number(tags.samples)) ?? 1];
  const kind = sampleKinds.get(`${photometric}/${samples}`);
  if (kind !== undefined) return { kind };
  if (photometric === 0) return { reason: 'its tiles are stored as negatives: white is zero' };
  return { reason: `its ${samples} samples a pixel are of a kind that a JPEG can’t name (photometric ${photometric})` };
}

const numberBytes: ReadonlyMap<number, StoredNumbers['bytesEach']> = new Map([
  [3, 2],
  [4, 4],
  [13, 4],
  [16, 8],
  [18, 8],
]);

/** The location of the numbers of a tag; undefined where there are none, or they would be outside the file. */
function numbersAt(file: TiffBytes, directory: TiffDirectory, tag: number): StoredNumbers | undefined {
  const entry = directory.entries.get(tag);
  const bytesEach = entry && numberBytes.get(entry.type);
  if (!entry || !bytesEach || !isInside(file, entry.offset, entry.count * bytesEach)) return undefined;
  return { at: entry.offset, count: entry.count, bytesEach, littleEndian: file.littleEndian };
}

/** The location of the values of a tag, in bytes; undefined where it has none. */
function bytesAt({ entries }: TiffDirectory, tag: number): StoredBytes | undefined {
  const entry = entries.get(tag);
  return entry && entry.count > 0 ? { at: entry.offset, bytes: entry.count } : undefined;
}

const isInside = ({ source }: TiffBytes, at: number, bytes: number): boolean =>
  Number.isSafeInteger(at) && at >= 0 && bytes > 0 && at + bytes <= source.size;

/** The largest length of shared tables, in bytes: eight Huffman and four quantization tables take less than 3 KiB. */
const maxTableBytes = 8192;

/**
 * The markers that shared tables may contain: DHT, DQT and COM. The start of each tile disables restarts that DRI defines here (ITU-T T.81, section
 * B.2.4.4), but a JPEG file of these tables and the tile would have them.
 */
const tableMarkers: ReadonlySet<number> = new Set([0xc4, 0xdb, 0xfe]);

/** Whether these bytes are a complete JPEG stream of tables alone. */
async function areTables(file: TiffBytes, { at, bytes }: StoredBytes): Promise<boolean> {
  const stream = bytes >= 4 && bytes <= maxTableBytes ? await readExactly(file.source, at, bytes) : undefined;
  if (stream?.readUInt16BE(0) !== 0xff_d8) return false;
  let position = 2;
  while (position + 4 <= stream.length) {
    const isTable = stream[position] === 0xff && tableMarkers.has(stream[position + 1] ?? 0);
    if (!isTable) return false;
    position += 2 + stream.readUInt16BE(position + 2);
  }
  return position === stream.length - 2 && stream.readUInt16BE(position) === 0xff_d9;
}

const maxProfileBytes = 1024 * 1024;

/** The location of the profile, if its color space is that of the samples. */
async function readProfile(
  file: TiffBytes,
  directory: TiffDirectory,
  samples: JpegTiles['samples'],
): Promise<StoredBytes | undefined> {
  const profile = bytesAt(directory, tags.profile);
  if (!profile || profile.bytes > maxProfileBytes || !isInside(file, profile.at, profile.bytes)) return undefined;
  const head = await readExactly(file.source, profile.at, Math.min(128, profile.bytes));
  return head && profileSpace(head) === (samples === 'gray' ? 'GRAY' : 'RGB ') ? profile : undefined;
}

/** The largest total length of the profiles that are read from a file, in bytes. */
const profileBudgetBytes = 8 * 1024 * 1024;

/** Returns a test whether tiles have a profile that describes sRGB. It reads a bounded number of bytes of a file. */
export function srgbRecognizer(file: TiffBytes): (tiles: StoredTiles | undefined) => Promise<boolean> {
  let budget = profileBudgetBytes;
  return async (tiles) => {
    if (tiles?.kind !== 'jpeg' || !tiles.profile || tiles.profile.bytes > budget) return false;
    budget -= tiles.profile.bytes;
    const profile = await readExactly(file.source, tiles.profile.at, tiles.profile.bytes);
    return profile !== undefined && isSrgbProfile(profile);
  };
}
