/** Writes samples, stripe by stripe, as one uncompressed BigTIFF, so that a whole image is never in memory. */
import { writeFile } from 'node:fs/promises';

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

/** Writes a file of this size; the stripes are whole rows from top to bottom. Rejects where the disk fails. */
export async function writeStripes(file: string, image: StripedImage, stripes: AsyncIterable<Buffer>): Promise<void> {
  const { width, height, channels } = image;
  const end = headerBytes + width * height * channels;
  async function* parts(): AsyncGenerator<Buffer> {
    yield header(end + Math.ceil(height / rowsPerStrip) * 16);
    yield* stripes;
    yield tail(image, end);
  }
  await writeFile(file, parts(), { flag: 'wx', mode: 0o600 });
}
