/**
 * Has libvips decode the JPEG tiles of a region from memory, as a TIFF file of these alone: only their bytes are read, once, and libvips
 * neither opens the file nor reads its directories.
 */
import { tiledTiff } from '@lectern/tiff';
import type { Sharp } from 'sharp';
import type { Rect, Size } from '../../image/model/geometry.ts';
import type { JpegTiles, PlacedTiles } from '../../image/model/image-set.ts';
import { readBytes } from '../../storage/read-steps.ts';
import {
  bytesOf,
  maxTileBytes,
  maxTiles,
  type PlacedTile,
  placesOf,
  readTiles,
  type TileRect,
  tilesAround,
} from '../tiles/read-tiles.ts';
import { damagedPyramid, requireOtherPartsIntact } from '../tiles/tile-checksums.ts';
import { openBytes } from './libvips-source.ts';
import type { OpenedFile, OpenedRender } from './opened-file.ts';

/** A pipeline whose pixels include a region of a level, and maybe others, so that the region has to be extracted. */
export interface OpenedPart {
  readonly image: Sharp;
  /** The first pixel of the level that the pipeline has. */
  readonly x: number;
  readonly y: number;
}

/** The profile that libvips has to find in the file; `unknown` where it may find one that can't be read here. */
async function profileOf({ samples, file }: OpenedRender, tiles: JpegTiles): Promise<Buffer | 'unknown' | undefined> {
  if (samples.profile === 'none' || samples.profile === 'ignore') return undefined;
  return (tiles.profile && (await readBytes(file.handle, tiles.profile))) ?? 'unknown';
}

/** Verifies rows of tiles one after the other, without keeping their bytes. */
async function requireIntact(file: OpenedFile, tiles: PlacedTiles, places: readonly PlacedTile[]): Promise<void> {
  if (tiles.checksums === undefined) return;
  for (let at = 0; at < places.length; at += maxTiles) {
    if ((await readTiles(file, tiles, places.slice(at, at + maxTiles))) === undefined) throw damagedPyramid();
  }
}

/** The bytes of the tiles around a region. */
export interface StoredRegion {
  /** The size of a tile in pixels. */
  readonly tile: Size;
  readonly around: TileRect;
  /** What JPEG tiles share. */
  readonly tables?: Buffer;
  /** Row by row. */
  readonly parts: readonly Buffer[];
}

/**
 * Reads the tiles around a region of the plan's level; undefined where libvips has to read the file. Throws ImageError `damaged`
 * where the file has checksums, and what is read of it has others.
 */
export async function readStored(plan: OpenedRender, region: Rect): Promise<StoredRegion | undefined> {
  const { tiles, tile, file, truncated } = plan;
  if (tiles === undefined || tile === undefined || truncated) return undefined;
  if (tiles.checksums) await requireOtherPartsIntact(file, tiles.checksums);
  const around = tilesAround(region, tile);
  const places = await placesOf(file, tiles, around);
  if (places === undefined) {
    if (tiles.checksums) throw damagedPyramid();
    return undefined;
  }
  if (places.length > maxTiles || bytesOf(places) > maxTileBytes) {
    await requireIntact(file, tiles, places);
    return undefined;
  }
  const tablesAt = tiles.kind === 'jpeg' ? tiles.tables : undefined;
  const [tables, parts] = await Promise.all([
    tablesAt && readBytes(file.handle, tablesAt),
    readTiles(file, tiles, places),
  ]);
  if ((tablesAt && !tables) || !parts) return undefined;
  return { tile, around, ...(tables && { tables }), parts };
}

/** The JPEG tiles around a region of the plan's level; undefined where libvips has to read the file. Throws as `readStored` does. */
export async function openTiles(plan: OpenedRender, region: Rect): Promise<OpenedPart | undefined> {
  const { tiles } = plan;
  if (tiles?.kind !== 'jpeg') return undefined;
  const stored = await readStored(plan, region);
  if (stored === undefined) return undefined;
  const { tile, around, tables, parts } = stored;
  const profile = await profileOf(plan, tiles);
  if (profile === 'unknown') return undefined;
  const [x, y] = [around.x * tile.width, around.y * tile.height];
  const bytes = tiledTiff({
    // Whole tiles, also where the level ends within them: libvips refuses tiles that are much larger than the picture.
    width: around.width * tile.width,
    height: around.height * tile.height,
    tile,
    samples: tiles.samples,
    ...(tables && { tables }),
    ...(profile && { profile }),
    tiles: parts,
  });
  return { image: openBytes(bytes, plan), x, y };
}
