/** Writes little-endian TIFF (TIFF 6.0, sections 2 and 15; TIFF Technical Note 2) and BigTIFF: the data, then the directory. */
import { tags } from './directories.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The types SHORT, LONG, UNDEFINED and LONG8, with the bytes of a value. */
const bytesOfType = { 3: 2, 4: 4, 7: 1, 16: 8 } as const;

/** A tag, the type of its values, and these. */
export type WrittenEntry = readonly [tag: number, type: keyof typeof bytesOfType, values: readonly number[] | Buffer];

const [short, long, undefinedType] = [3, 4, 7] as const;

/** Into bytes that are zero; numbers are at most 2 ** 48 - 1. */
const writeNumber = (to: Buffer, value: number, at: number, bytes: number): number =>
  to.writeUIntLE(value, at, Math.min(6, bytes));

function bytesOfValues([, type, values]: WrittenEntry): Buffer {
  if (Buffer.isBuffer(values)) return values;
  const each = bytesOfType[type];
  const bytes = Buffer.alloc(values.length * each);
  for (const [index, value] of values.entries()) writeNumber(bytes, value, index * each, each);
  return bytes;
}

/** Values and directories begin at even offsets. */
const even = (length: number): number => length + (length % 2);

const padded = (bytes: Buffer): Buffer => (bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)]));

/** Length of the header in bytes: what it is followed by begins there. */
export const headerBytes = { tiff: 8, bigTiff: 16 } as const;

/** The header of a file whose directory is at this even offset. */
export function headerOf(directoryAt: number, form: keyof typeof headerBytes): Buffer {
  const header = Buffer.alloc(headerBytes[form]);
  header.write(form === 'tiff' ? 'II*\0' : 'II+\0\b', 'latin1');
  writeNumber(header, directoryAt, form === 'tiff' ? 4 : 8, form === 'tiff' ? 4 : 8);
  return header;
}

/** A directory for this offset, and the values that its entries have no room for. The tags have to be in ascending order. */
export function directoryOf(entries: readonly WrittenEntry[], at: number, form: keyof typeof headerBytes): Buffer {
  const [countBytes, entryBytes, wordBytes] = form === 'tiff' ? [2, 12, 4] : [8, 20, 8];
  const directory = Buffer.alloc(countBytes + entries.length * entryBytes + wordBytes);
  const outside: Buffer[] = [];
  let outsideAt = at + directory.length;
  writeNumber(directory, entries.length, 0, countBytes);
  for (const [index, entry] of entries.entries()) {
    const [tag, type, { length }] = entry;
    const start = countBytes + index * entryBytes;
    directory.writeUInt16LE(tag, start);
    directory.writeUInt16LE(type, start + 2);
    writeNumber(directory, length, start + 4, wordBytes);
    const bytes = bytesOfValues(entry);
    if (bytes.length <= wordBytes) bytes.copy(directory, start + 4 + wordBytes);
    else {
      writeNumber(directory, outsideAt, start + 4 + wordBytes, wordBytes);
      outside.push(padded(bytes));
      outsideAt += even(bytes.length);
    }
  }
  return Buffer.concat([directory, ...outside]);
}

/** A file of these data, which begin behind the header. */
function fileOf(data: readonly Buffer[], entries: readonly WrittenEntry[]): Buffer {
  const end = data.reduce<number>((sum, { length }) => sum + length, headerBytes.tiff);
  const at = even(end);
  return Buffer.concat([headerOf(at, 'tiff'), ...data, Buffer.alloc(at - end), directoryOf(entries, at, 'tiff')]);
}

/** The pixels of a picture, row by row. */
export interface Pixels extends Size {
  /** Gray, gray and alpha, RGB, RGBA. */
  readonly channels: 1 | 2 | 3 | 4;
  /** Interleaved samples. */
  readonly data: Buffer;
}

/** Pixels of 8 bits and their ICC profile as an uncompressed file of one strip: of raw samples, libvips takes no profile. */
export function wrapPixels({ data, width, height, channels }: Pixels, profile?: Buffer): Buffer {
  const hasAlpha = channels === 2 || channels === 4;
  return fileOf(
    [data],
    [
      [tags.width, long, [width]],
      [tags.height, long, [height]],
      [tags.bits, short, Array.from({ length: channels }, () => 8)],
      [tags.compression, short, [1]],
      [tags.photometric, short, [channels > 2 ? 2 : 1]],
      [tags.stripOffsets, long, [headerBytes.tiff]],
      [tags.samples, short, [channels]],
      [tags.rowsPerStrip, long, [height]],
      [tags.stripLengths, long, [data.length]],
      [tags.planar, short, [1]],
      ...(hasAlpha ? [[tags.extraSamples, short, [2]] as const] : []),
      ...(profile ? [[tags.profile, undefinedType, profile] as const] : []),
    ],
  );
}

export interface TiledTiff extends Size {
  /** Size of a tile in pixels. */
  readonly tile: Size;
  readonly samples: 'ycbcr' | 'rgb' | 'gray';
  /** The tables that the tiles share, as a JPEG stream without an image. */
  readonly tables?: Buffer;
  readonly profile?: Buffer;
  /** The bytes of each tile, row by row. */
  readonly tiles: readonly Buffer[];
}

/** PhotometricInterpretation. */
const photometrics = { gray: 1, rgb: 2, ycbcr: 6 } as const;

/** A file of one level of JPEG tiles. YCbCrSubSampling is left out: readers take it from the first tile. */
export function tiledTiff({ width, height, tile, samples, tables, profile, tiles }: TiledTiff): Buffer {
  let at: number = headerBytes.tiff;
  const offsets = tiles.map(({ length }) => {
    at += length;
    return at - length;
  });
  const depths = samples === 'gray' ? [8] : [8, 8, 8];
  return fileOf(tiles, [
    [tags.width, long, [width]],
    [tags.height, long, [height]],
    [tags.bits, short, depths],
    [tags.compression, short, [7]],
    [tags.photometric, short, [photometrics[samples]]],
    [tags.samples, short, [depths.length]],
    [tags.planar, short, [1]],
    [tags.tileWidth, long, [tile.width]],
    [tags.tileHeight, long, [tile.height]],
    [tags.tileOffsets, long, offsets],
    [tags.tileLengths, long, tiles.map(({ length }) => length)],
    ...(tables ? [[tags.jpegTables, undefinedType, tables] as const] : []),
    ...(profile ? [[tags.profile, undefinedType, profile] as const] : []),
  ]);
}
