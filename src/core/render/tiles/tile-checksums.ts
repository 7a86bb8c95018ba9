/** Verifies the checksums of derived pyramids before their bytes are used: of single tiles, and of everything else. */

import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { ImageError } from '../../image/model/errors.ts';
import type { Checksums, JpegTiles, StoredBytes } from '../../image/model/stored-tiles.ts';
import type { ReadHandle } from '../../storage/read-steps.ts';
import { type ReadSteps, readInTurns } from '../../storage/read-steps.ts';
import type { OpenedFile } from '../sources/opened-file.ts';
import { type Chunks, numberSteps } from './stored-values.ts';

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
  readonly tiles: JpegTiles;
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
  { handle, path, fingerprint }: OpenedFile,
  checksums: Checksums,
): Promise<void> {
  const key = `${fingerprint} ${path}`;
  if (intact.has(key)) return;
  if (!(await areOtherPartsIntact(handle, checksums))) throw damagedPyramid();
  intact.set(key, true);
}
