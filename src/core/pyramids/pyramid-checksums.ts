/**
 * The checksums at the end of a pyramid's file, behind the TIFF, where TIFF readers read nothing: those of the tiles, level by
 * level; the description of the rest, as JSON; its length in bytes and its checksum; a mark. All numbers are unsigned 32-bit
 * little-endian ones.
 */
import { appendFile, type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { Checksums, JpegTiles, Level, Resolution, StoredBytes } from '../image/model/image-set.ts';
import { checksumOf, createChunks, otherPartsSteps, readNumber } from '../render/tiles/tile-checksums.ts';
import type { ReadSteps } from '../storage/read-steps.ts';
import type { Storages } from '../storage/storages.ts';

/** What the checksums of the tiles don't say. */
interface Description extends Pick<Checksums, 'otherParts' | 'otherCrc32'> {
  /** Length of the TIFF in bytes. */
  readonly tiffBytes: number;
}

const mark = Buffer.from('LecternC', 'latin1');
const endBytes = 8 + mark.length;
const checksumBytes = 4;

/** A TIFF of libvips has one part between the tiles of two levels. */
const maxDescriptionBytes = 1024 * 1024;

const countOf = ({ columns, rows }: JpegTiles): number => columns * rows;

function jpegTilesOf({ stored }: Level): JpegTiles {
  if (stored?.kind !== 'jpeg') throw new TypeError('a level of a pyramid without JPEG tiles');
  return stored;
}

/** Where each tile lies, row by row. */
async function positionsOf(handle: FileHandle, tiles: JpegTiles): Promise<readonly StoredBytes[]> {
  const chunks = createChunks();
  const positions: StoredBytes[] = [];
  for (let index = 0; index < countOf(tiles); index++) {
    const at = await readNumber(handle, chunks, tiles.offsets, index);
    const bytes = await readNumber(handle, chunks, tiles.lengths, index);
    if (!at || !bytes) throw new Error('The pyramid that was written lacks a tile.');
    positions.push({ at, bytes });
  }
  return positions;
}

/** The parts of the first `length` bytes of a file that lie between these. */
function partsBetween(taken: readonly StoredBytes[], length: number): readonly StoredBytes[] {
  const parts: StoredBytes[] = [];
  let end = 0;
  for (const { at, bytes } of [...taken, { at: length, bytes: 0 }].sort((one, other) => one.at - other.at)) {
    if (at > end) parts.push({ at: end, bytes: at - end });
    end = Math.max(end, at + bytes);
  }
  return parts;
}

/** Appends the checksums to the file of a pyramid with these levels. Rejects where the disk fails or a tile is missing. */
export async function appendChecksums(file: string, levels: Resolution['levels']): Promise<void> {
  const handle = await open(file);
  try {
    const { size: tiffBytes } = await handle.stat();
    const positions = (await Promise.all(levels.map((level) => positionsOf(handle, jpegTilesOf(level))))).flat();
    const sums = Buffer.alloc(positions.length * checksumBytes);
    for (const [index, position] of positions.entries()) sums.writeUInt32LE(await sumOf(handle, [position]), index * 4);
    const otherParts = partsBetween(positions, tiffBytes);
    const description: Description = { tiffBytes, otherParts, otherCrc32: await sumOf(handle, otherParts) };
    const text = Buffer.from(JSON.stringify(description));
    const end = Buffer.alloc(endBytes);
    end.writeUInt32LE(text.length, 0);
    end.writeUInt32LE(crc32(text), 4);
    mark.copy(end, 8);
    await appendFile(file, Buffer.concat([sums, text, end]));
  } finally {
    await handle.close();
  }
}

async function sumOf(handle: FileHandle, parts: readonly StoredBytes[]): Promise<number> {
  const sum = await checksumOf(handle, parts);
  if (sum === undefined) throw new Error('The pyramid that was written is cut short.');
  return sum;
}

/** The steps to the description at the end of a file, and where it begins; undefined where there is none, or it is damaged. */
function* descriptionSteps(fileBytes: number): ReadSteps<(Description & { readonly at: number }) | undefined> {
  const end = fileBytes >= endBytes ? yield { at: fileBytes - endBytes, bytes: endBytes } : undefined;
  if (end === undefined || !end.subarray(8).equals(mark)) return undefined;
  const length = end.readUInt32LE(0);
  const at = fileBytes - endBytes - length;
  if (length > maxDescriptionBytes || at < 0) return undefined;
  const text = yield { at, bytes: length };
  if (text === undefined || crc32(text) !== end.readUInt32LE(4)) return undefined;
  return { at, ...(JSON.parse(text.toString()) as Description) };
}

function withChecksums(level: Level, at: number, others: Omit<Checksums, 'tiles'>): Level {
  const stored = jpegTilesOf(level);
  const tiles = { at, count: countOf(stored), bytesEach: checksumBytes, littleEndian: true } as const;
  return { ...level, stored: { ...stored, checksums: { tiles, ...others } } };
}

/**
 * The steps to the pyramid with the positions of its checksums; to undefined where it has none, or where anything in it but its
 * tiles is damaged.
 */
function* pyramidSteps(pyramid: Resolution): ReadSteps<Resolution | undefined> {
  const description = yield* descriptionSteps(pyramid.file.bytes);
  if (description === undefined) return undefined;
  const { tiffBytes, at: end, otherParts, otherCrc32 } = description;
  let at = tiffBytes;
  const [first, ...more] = pyramid.levels.map((level) => {
    const withOwn = withChecksums(level, at, { otherParts, otherCrc32 });
    at += countOf(jpegTilesOf(level)) * checksumBytes;
    return withOwn;
  });
  const isIntact = first && at === end && (yield* otherPartsSteps(description));
  return isIntact ? { ...pyramid, levels: [first, ...more] } : undefined;
}

/** The same, read from its storage. All levels have JPEG tiles. Rejects where the storage fails. */
export const readChecksums = (pyramid: Resolution, storages: Storages): Promise<Resolution | undefined> =>
  storages.handle(pyramid.file).readSteps(() => pyramidSteps(pyramid));
