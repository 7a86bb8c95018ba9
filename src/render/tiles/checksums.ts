/** Verifies the checksums of derived pyramids before their bytes are used: of single tiles, and of everything else. */
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { ImageError } from '../../image/model/errors.ts';
import type { Checksums, JpegTiles, StoredBytes } from '../../image/model/stored-tiles.ts';
import type { OpenedFile } from '../opened-file.ts';
import { type Chunks, readBytes, readNumber } from './stored-values.ts';

/** The checksum of parts of a file, one after the other; undefined where the file ends before. */
export async function checksumOf(handle: FileHandle, parts: readonly StoredBytes[]): Promise<number | undefined> {
  let sum = 0;
  for (const { at, bytes } of parts) {
    const part = await readBytes(handle, at, bytes);
    if (part === undefined) return undefined;
    sum = crc32(part, sum);
  }
  return sum;
}

/** Whether everything in a file but its tiles is as it was written. */
export const areOtherPartsIntact = async (
  handle: FileHandle,
  { otherParts, otherCrc32 }: Omit<Checksums, 'tiles'>,
): Promise<boolean> => (await checksumOf(handle, otherParts)) === otherCrc32;

/** Whether the bytes of a tile, by its index from 0, are as they were written; true where the file has no checksums. */
export async function isTileIntact(
  handle: FileHandle,
  chunks: Chunks,
  { tiles, index, bytes }: { readonly tiles: JpegTiles; readonly index: number; readonly bytes: Buffer },
): Promise<boolean> {
  if (tiles.checksums === undefined) return true;
  return (await readNumber(handle, chunks, tiles.checksums.tiles, index)) === crc32(bytes);
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
