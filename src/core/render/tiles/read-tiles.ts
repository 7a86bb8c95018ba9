/** Reads stored tiles of an opened file, a rectangle of a level's grid at once, and verifies the checksums that they have. */
import type { Rect, Size } from '../../image/model/geometry.ts';
import type { PlacedTiles, StoredBytes } from '../../image/model/image-set.ts';
import { readBytes, readInTurns } from '../../storage/read-steps.ts';
import type { OpenedFile } from '../sources/opened-file.ts';
import { damagedPyramid, intactSteps, readNumber } from './tile-checksums.ts';

/** More tiles and bytes than these are left to libvips, which decodes them from the file row by row. */
export const maxTiles = 64;
export const maxTileBytes = 8 * 1024 * 1024;

/** A rectangle of tiles in columns and rows of a level's grid, from 0. */
export type TileRect = Rect;

/** A tile by its index from 0, and where it lies. */
export interface PlacedTile extends StoredBytes {
  readonly index: number;
}

/** The tiles that pixels of a level lie in. */
export function tilesAround({ x, y, width, height }: Rect, tile: Size): TileRect {
  const [column, row] = [Math.floor(x / tile.width), Math.floor(y / tile.height)];
  const columns = Math.floor((x + width - 1) / tile.width) - column + 1;
  return { x: column, y: row, width: columns, height: Math.floor((y + height - 1) / tile.height) - row + 1 };
}

/** Where tiles lie, row by row; undefined where one is not stored, or lies outside the file. */
export async function placesOf(
  { handle, chunks, bytes: fileBytes }: OpenedFile,
  { offsets, lengths, columns }: PlacedTiles,
  { x, y, width, height }: TileRect,
): Promise<readonly PlacedTile[] | undefined> {
  const places: PlacedTile[] = [];
  for (let row = y; row < y + height; row++) {
    for (let index = row * columns + x; index < row * columns + x + width; index++) {
      const at = await readNumber(handle, chunks, offsets, index);
      const bytes = await readNumber(handle, chunks, lengths, index);
      if (!at || !bytes || at + bytes > fileBytes) return undefined;
      places.push({ index, at, bytes });
    }
  }
  return places;
}

/** The length of tiles in all, in bytes. */
export const bytesOf = (places: readonly PlacedTile[]): number => places.reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * Tiles that lie one behind the other in the file, in that order, so that one read is enough for them: libvips writes those of a row from right to
 * left, others from left to right.
 */
export function runsOf(places: readonly PlacedTile[]): readonly (readonly PlacedTile[])[] {
  const runs: PlacedTile[][] = [];
  for (const place of places.toSorted((one, other) => one.at - other.at)) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    if (run && before && before.at + before.bytes === place.at) run.push(place);
    else runs.push([place]);
  }
  return runs;
}

/** The bytes of each tile of a run, by its index, out of those of all. */
export const partsOfRun = (run: readonly PlacedTile[], all: Buffer): readonly (readonly [number, Buffer])[] =>
  run.map(({ index, at, bytes }) => {
    const from = at - (run[0]?.at ?? 0);
    return [index, all.subarray(from, from + bytes)];
  });

async function readRun(
  { handle, chunks }: OpenedFile,
  tiles: PlacedTiles,
  run: readonly PlacedTile[],
): Promise<readonly (readonly [number, Buffer])[] | undefined> {
  const all = await readBytes(handle, { at: run[0]?.at ?? 0, bytes: bytesOf(run) });
  if (all === undefined) return undefined;
  const parts = partsOfRun(run, all);
  for (const [index, bytes] of parts) {
    if (!(await readInTurns(handle, intactSteps(chunks, { tiles, index, bytes })))) throw damagedPyramid();
  }
  return parts;
}

/**
 * The bytes of tiles, in the order of their places; undefined where the file ends before. Throws ImageError `damaged` where
 * they have another checksum than the file says.
 */
export async function readTiles(
  file: OpenedFile,
  tiles: PlacedTiles,
  places: readonly PlacedTile[],
): Promise<readonly Buffer[] | undefined> {
  const runs = await Promise.all(runsOf(places).map((run) => readRun(file, tiles, run)));
  const parts = new Map(runs.flatMap((run) => run ?? []));
  return parts.size === places.length ? places.flatMap(({ index }) => parts.get(index) ?? []) : undefined;
}
