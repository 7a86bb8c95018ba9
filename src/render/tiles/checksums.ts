/** Verifies the checksums of derived pyramids before their bytes are used: of single tiles, and of everything else. */
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { ImageError } from '../../image/model/errors.ts';
import type { Rect } from '../../image/model/geometry.ts';
import type { Checksums, JpegTiles, StoredBytes } from '../../image/model/stored-tiles.ts';
import type { OpenedFile, OpenedRender } from '../opened-file.ts';
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

/** A tile by its index from 0, and where it lies. */
interface PlacedTile extends StoredBytes {
  readonly index: number;
}

/** Where the tiles from one index to another lie; undefined where one lies outside the file. */
async function placesOf(
  { handle, chunks, bytes: fileBytes }: OpenedFile,
  { offsets, lengths }: JpegTiles,
  [first, last]: readonly [number, number],
): Promise<readonly PlacedTile[] | undefined> {
  const places: PlacedTile[] = [];
  for (let index = first; index <= last; index++) {
    const at = await readNumber(handle, chunks, offsets, index);
    const bytes = await readNumber(handle, chunks, lengths, index);
    if (at === undefined || bytes === undefined || at + bytes > fileBytes) return undefined;
    places.push({ index, at, bytes });
  }
  return places;
}

/** Neighbors in a row lie one after the other in a file that libvips wrote, so that one read is enough for them. */
function runsOf(places: readonly PlacedTile[]): readonly (readonly PlacedTile[])[] {
  const runs: PlacedTile[][] = [];
  for (const place of places) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run && before && before.at + before.bytes === place.at) run.push(place);
    else runs.push([place]);
  }
  return runs;
}

async function isRunIntact(
  { handle, chunks }: OpenedFile,
  tiles: JpegTiles,
  run: readonly PlacedTile[],
): Promise<boolean> {
  const [{ at: start } = { at: 0 }] = run;
  const bytes = await readBytes(
    handle,
    start,
    run.reduce((sum, tile) => sum + tile.bytes, 0),
  );
  if (bytes === undefined) return false;
  for (const { index, at, bytes: length } of run) {
    const tile = { tiles, index, bytes: bytes.subarray(at - start, at - start + length) };
    if (!(await isTileIntact(handle, chunks, tile))) return false;
  }
  return true;
}

async function areTilesIntact(file: OpenedFile, tiles: JpegTiles, range: readonly [number, number]): Promise<boolean> {
  const places = await placesOf(file, tiles, range);
  if (places === undefined) return false;
  const intactRuns = await Promise.all(runsOf(places).map((run) => isRunIntact(file, tiles, run)));
  return !intactRuns.includes(false);
}

/** The other parts of a file are verified again after this time, in ms. */
const otherPartsTtlMs = 10_000;

/** The files whose other parts were intact just now. */
const intact = new LRUCache<string, true>({ max: 128, ttl: otherPartsTtlMs });

async function requireOtherPartsIntact({ handle, path, fingerprint }: OpenedFile, checksums: Checksums) {
  const key = `${fingerprint} ${path}`;
  if (intact.has(key)) return;
  if (!(await areOtherPartsIntact(handle, checksums))) throw damagedPyramid();
  intact.set(key, true);
}

const damagedPyramid = (): ImageError =>
  new ImageError(
    'damaged',
    'The image’s file is damaged: its bytes have another checksum than when they were written.',
  );

/**
 * Reads what libvips will read for these pixels of the plan's level, and verifies it. Does nothing for files without checksums.
 * Throws ImageError `damaged`.
 */
export async function requireIntact({ file, checked, tile }: OpenedRender, pixels: Rect): Promise<void> {
  if (checked?.checksums === undefined || tile === undefined) return;
  await requireOtherPartsIntact(file, checked.checksums);
  const { columns } = checked;
  const lastRow = Math.floor((pixels.y + pixels.height - 1) / tile.height);
  const lastColumn = Math.floor((pixels.x + pixels.width - 1) / tile.width);
  const firstColumn = Math.floor(pixels.x / tile.width);
  for (let row = Math.floor(pixels.y / tile.height); row <= lastRow; row++) {
    const start = row * columns;
    if (!(await areTilesIntact(file, checked, [start + firstColumn, start + lastColumn]))) throw damagedPyramid();
  }
}
