/** Writes TIFF: samples, part by part, as one uncompressed BigTIFF, and the orientation tag of a file. */
import { writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Rect } from '../image/model/geometry.ts';

export interface StripedImage {
  readonly width: number;
  readonly height: number;
  /** Gray or RGB, 8 bits each. */
  readonly channels: 1 | 3;
}

const headerBytes = 16;

/** The rows of a strip of the file: readers read one strip at a time. */
const rowsPerStrip = 16;

const [short, long, long8] = [3, 4, 16];

type Entry = readonly [tag: number, type: number, count: number, value: number];

function entryBytes([tag, type, count, value]: Entry): Buffer {
  const bytes = Buffer.alloc(20);
  bytes.writeUInt16LE(tag, 0);
  bytes.writeUInt16LE(type, 2);
  bytes.writeBigUInt64LE(BigInt(count), 4);
  // Little-endian: a smaller number occupies the first bytes of the field.
  bytes.writeBigUInt64LE(BigInt(value), 12);
  return bytes;
}

/** Consecutive 64-bit numbers. */
function wordBytes(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 8);
  for (const [index, value] of values.entries()) bytes.writeBigUInt64LE(BigInt(value), index * 8);
  return bytes;
}

/** The bytes after the samples: offsets and lengths of the strips, and the directory. */
function tail({ width, height, channels }: StripedImage, end: number): Buffer {
  const rowBytes = width * channels;
  const count = Math.ceil(height / rowsPerStrip);
  const rows = (index: number): number => Math.min(rowsPerStrip, height - index * rowsPerStrip);
  const indexes = Array.from({ length: count }, (_, index) => index);
  const offsets = wordBytes(indexes.map((index) => headerBytes + index * rowsPerStrip * rowBytes));
  const lengths = wordBytes(indexes.map((index) => rows(index) * rowBytes));
  const isSingle = count === 1;
  const depths = channels === 1 ? 8 : 8 + 8 * 2 ** 16 + 8 * 2 ** 32;
  const entries: readonly Entry[] = [
    [256, long, 1, width],
    [257, long, 1, height],
    [258, short, channels, depths],
    [259, short, 1, 1],
    [262, short, 1, channels === 3 ? 2 : 1],
    [273, long8, count, isSingle ? headerBytes : end],
    [277, short, 1, channels],
    [278, long, 1, rowsPerStrip],
    [279, long8, count, isSingle ? height * rowBytes : end + offsets.length],
  ];
  return Buffer.concat([offsets, lengths, wordBytes([entries.length]), ...entries.map(entryBytes), wordBytes([0])]);
}

function header(directoryOffset: number): Buffer {
  const bytes = Buffer.alloc(headerBytes);
  bytes.write('II+\0', 'latin1');
  bytes.writeUInt16LE(8, 4);
  bytes.writeBigUInt64LE(BigInt(directoryOffset), 8);
  return bytes;
}

/** A part of an image and its samples, row by row. */
export interface ImagePart {
  readonly rect: Rect;
  readonly samples: Buffer;
}

/** Writes all of the bytes. Throws where the disk fails. */
function writeAll(descriptor: number, bytes: Buffer, position: number): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
}

/** Whole rows are written at once; of a narrower part each row lies elsewhere. */
function writePart(descriptor: number, { width, channels }: StripedImage, { rect, samples }: ImagePart): void {
  const [imageRowBytes, rowBytes] = [width * channels, rect.width * channels];
  const position = headerBytes + rect.y * imageRowBytes + rect.x * channels;
  if (rowBytes === imageRowBytes) {
    writeAll(descriptor, samples, position);
    return;
  }
  for (let row = 0; row < rect.height; row++)
    writeAll(descriptor, samples.subarray(row * rowBytes, (row + 1) * rowBytes), position + row * imageRowBytes);
}

/** Writes a file of this size; the parts fill the image. Rejects where the disk fails. */
export async function writeParts(file: string, image: StripedImage, parts: AsyncIterable<ImagePart>): Promise<void> {
  const { width, height, channels } = image;
  const end = headerBytes + width * height * channels;
  const handle = await open(file, 'wx', 0o600);
  try {
    writeAll(handle.fd, header(end + Math.ceil(height / rowsPerStrip) * 16), 0);
    for await (const part of parts) writePart(handle.fd, image, part);
    writeAll(handle.fd, tail(image, end), end);
  } finally {
    await handle.close();
  }
}

const orientationTag = 274;

/** A bound that is larger than the number of levels of any pyramid. */
const maxDirectories = 64;

/** The number format of a file. */
interface NumberFormat {
  readonly littleEndian: boolean;
  /** BigTIFF: 64-bit offsets and counts. */
  readonly big: boolean;
}

async function readView(handle: FileHandle, offset: number, length: number): Promise<DataView> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
  if (bytesRead < length) throw new Error('The TIFF file that was written is cut short.');
  return new DataView(buffer.buffer, buffer.byteOffset, length);
}

const readOffset = (view: DataView, offset: number, { littleEndian, big }: NumberFormat): number =>
  big ? Number(view.getBigUint64(offset, littleEndian)) : view.getUint32(offset, littleEndian);

/** Sets the tag in the directory at an offset; resolves to the offset of the next directory, 0 where there is none. */
async function setInDirectory(handle: FileHandle, offset: number, form: NumberFormat): Promise<number> {
  const { littleEndian, big } = form;
  const [countBytes, entryBytes, valueOffset] = big ? [8, 20, 12] : [2, 12, 8];
  const counter = await readView(handle, offset, countBytes);
  const count = big ? Number(counter.getBigUint64(0, littleEndian)) : counter.getUint16(0, littleEndian);
  const length = count * entryBytes + (big ? 8 : 4);
  const entries = await readView(handle, offset + countBytes, length);
  for (let entry = 0; entry < count * entryBytes; entry += entryBytes) {
    if (entries.getUint16(entry, littleEndian) !== orientationTag) continue;
    const one = littleEndian ? Buffer.from([1, 0]) : Buffer.from([0, 1]);
    await handle.write(one, 0, one.length, offset + countBytes + entry + valueOffset);
  }
  return readOffset(entries, count * entryBytes, form);
}

/** Sets the tag in every directory of a TIFF file to upright. Rejects where the file is no TIFF. */
export async function setUpright(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    const header = await readView(handle, 0, 16);
    const littleEndian = header.getUint16(0) === 0x4949;
    const form: NumberFormat = { littleEndian, big: header.getUint16(2, littleEndian) === 43 };
    let next = readOffset(header, form.big ? 8 : 4, form);
    for (let count = 0; next !== 0 && count < maxDirectories; count++) next = await setInDirectory(handle, next, form);
  } finally {
    await handle.close();
  }
}
