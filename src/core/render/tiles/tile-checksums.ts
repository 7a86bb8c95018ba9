/** Reads where a TIFF file's tiles lie, and verifies the checksums of derived pyramids before their bytes are used. */
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { ImageError } from '../../image/model/errors.ts';
import type { Checksums, PlacedTiles, SourceFile, StoredBytes, StoredNumbers } from '../../image/model/image-set.ts';
import { type ReadHandle, type ReadSteps, readInTurns } from '../../storage/read-steps.ts';

/** Number of values in a chunk: those of the neighboring tiles are requested next. */
const chunkCount = 1024;

/** Chunks by their offsets in the file. */
export type Chunks = LRUCache<number, Buffer>;

/** A cache for one file: 512 KiB at most. */
export const createChunks = (): Chunks => new LRUCache({ max: 64 });

function decode(chunk: Buffer, at: number, { bytesEach, littleEndian }: StoredNumbers): number {
  switch (bytesEach) {
    case 2:
      return littleEndian ? chunk.readUInt16LE(at) : chunk.readUInt16BE(at);
    case 4:
      return littleEndian ? chunk.readUInt32LE(at) : chunk.readUInt32BE(at);
    case 8:
      return Number(littleEndian ? chunk.readBigUInt64LE(at) : chunk.readBigUInt64BE(at));
  }
}

/** The steps to one of the numbers, by its index from 0; undefined where the file ends before it. */
export function* numberSteps(chunks: Chunks, numbers: StoredNumbers, index: number): ReadSteps<number | undefined> {
  const first = index - (index % chunkCount);
  const at = numbers.at + first * numbers.bytesEach;
  const bytes = Math.min(chunkCount, numbers.count - first) * numbers.bytesEach;
  const cached = chunks.get(at);
  // The lists of a malicious file can overlap.
  const chunk = cached?.length === bytes ? cached : yield { at, bytes };
  if (chunk === undefined) return undefined;
  if (chunk !== cached) chunks.set(at, chunk);
  return decode(chunk, (index - first) * numbers.bytesEach, numbers);
}

/** One of the numbers, by its index from 0; undefined where the file ends before it. */
export const readNumber = (
  handle: ReadHandle,
  chunks: Chunks,
  numbers: StoredNumbers,
  index: number,
): Promise<number | undefined> => readInTurns(handle, numberSteps(chunks, numbers, index));

/** The steps to the checksum of parts of a file, one after the other; undefined where the file ends before. */
function* checksumSteps(parts: readonly StoredBytes[]): ReadSteps<number | undefined> {
  let sum = 0;
  for (const place of parts) {
    const part = yield place;
    if (part === undefined) return undefined;
    sum = crc32(part, sum);
  }
  return sum;
}

/** The checksum of parts of a file, one after the other; undefined where the file ends before. */
export const checksumOf = (handle: ReadHandle, parts: readonly StoredBytes[]): Promise<number | undefined> =>
  readInTurns(handle, checksumSteps(parts));

type OtherParts = Omit<Checksums, 'tiles'>;

/** The steps that find out whether everything in a file but its tiles is as it was written. */
export function* otherPartsSteps({ otherParts, otherCrc32 }: OtherParts): ReadSteps<boolean> {
  return (yield* checksumSteps(otherParts)) === otherCrc32;
}

/** Whether everything in a file but its tiles is as it was written. */
export const areOtherPartsIntact = (handle: ReadHandle, parts: OtherParts): Promise<boolean> =>
  readInTurns(handle, otherPartsSteps(parts));

/** A tile, by its index from 0, and its bytes. */
export interface IndexedTile {
  readonly tiles: PlacedTiles;
  readonly index: number;
  readonly bytes: Buffer;
}

/** The steps that find out whether the bytes of a tile are as they were written; true where the file has no checksums. */
export function* intactSteps(chunks: Chunks, { tiles, index, bytes }: IndexedTile): ReadSteps<boolean> {
  if (tiles.checksums === undefined) return true;
  return (yield* numberSteps(chunks, tiles.checksums.tiles, index)) === crc32(bytes);
}

/** The other parts of a file are verified again after this time, in ms. */
const otherPartsTtlMs = 10_000;

/** The files whose other parts were intact just now. */
const intact = new LRUCache<string, true>({ max: 128, ttl: otherPartsTtlMs });

export const damagedPyramid = (): ImageError =>
  new ImageError(
    'damaged',
    'The image’s file is damaged: its bytes have another checksum than when they were written.',
  );

/**
 * Makes sure that everything in a file but its tiles is as it was written; that is verified every 10 s. Throws ImageError
 * `damaged`.
 */
export async function requireOtherPartsIntact(
  { handle, path, fingerprint }: SourceFile & { readonly handle: ReadHandle },
  checksums: Checksums,
): Promise<void> {
  const key = `${fingerprint} ${path}`;
  if (intact.has(key)) return;
  if (!(await areOtherPartsIntact(handle, checksums))) throw damagedPyramid();
  intact.set(key, true);
}
