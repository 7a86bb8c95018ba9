/** Decodes the parts of TIFF tiles that a rendering reads. */

import { decodeJpegPart, jpegHeader, whyUnusable } from '@lectern/jpeg';
import type { Pixels } from '@lectern/tiff';
import { intersect, type Rect, type Size } from '../../image/model/geometry.ts';
import type { DeflateTiles, JpegTiles } from '../../image/model/image-set.ts';
import { arePlain } from '../../image/model/stored-samples.ts';
import type { OpenedRender } from '../sources/opened-file.ts';
import { readStored, type StoredRegion } from '../sources/tiled-source.ts';
import { inflateTile } from './inflate-tile.ts';

/** A larger region is left to libvips, which has only some rows of it in memory at a time. */
const maxPixels = 4_000_000;

/** Whether libvips alone decodes tiles: those of RGB in JPEG, and Deflate tiles that are too large to be in memory as a whole. */
const areOfLibvips = (tiles: JpegTiles | DeflateTiles, tile: Size): boolean =>
  tiles.kind === 'jpeg' ? tiles.samples === 'rgb' : tile.width * tile.height > maxPixels;

/** Interleaved samples, and what of a tile they are. */
interface DecodedPart {
  readonly data: Buffer;
  readonly rect: Rect;
}

/** Returns a function that decodes a part of a stored tile at least; it returns undefined for one that is damaged or coded in an unusual way. */
function decoderOf(tiles: JpegTiles | DeflateTiles, { tile, tables }: StoredRegion) {
  const decoded = (data: Buffer | undefined, rect: Rect): DecodedPart | undefined => data && { data, rect };
  if (tiles.kind === 'deflate') {
    const whole = { x: 0, y: 0, ...tile };
    return (bytes: Buffer, part: Rect) => decoded(inflateTile(bytes, tile, part, tiles), whole);
  }
  const header = jpegHeader(tiles.samples, tables);
  return (bytes: Buffer, part: Rect) => {
    if (whyUnusable(bytes, tile, tiles.samples) !== undefined) return undefined;
    // The tile's own start marker is left out.
    return decoded(decodeJpegPart(Buffer.concat([header, bytes.subarray(2)]), part), part);
  };
}

/** Copies a part of some samples, both in pixels of the tile, to where the part is in what is read; `read` is in pixels of the tile, too. */
function copyPart({ data, rect }: DecodedPart, part: Rect, to: Buffer, read: Rect, channels: number): void {
  for (let y = part.y; y < part.y + part.height; y++) {
    const start = ((y - rect.y) * rect.width + part.x - rect.x) * channels;
    const target = ((y - read.y) * read.width + part.x - read.x) * channels;
    data.copy(to, target, start, start + part.width * channels);
  }
}

/** What a plan reads of tiles that are decoded here. */
interface TiledRead {
  readonly plan: OpenedRender;
  /** In pixels of the level. */
  readonly read: Rect;
  readonly tiles: JpegTiles | DeflateTiles;
  readonly tile: Size;
  readonly channels: 1 | 3;
}

/** What a plan reads; undefined where libvips decodes it: other tiles and depths, alpha, profiles to convert, and more pixels. */
function tiledReadOf(plan: OpenedRender): TiledRead | undefined {
  const { tiles, tile, samples, sourceColor, level } = plan;
  if (!tiles || !tile || areOfLibvips(tiles, tile) || !arePlain(sourceColor, samples)) return undefined;
  const read = plan.read ?? { x: 0, y: 0, width: level.width, height: level.height };
  if (read.width * read.height > maxPixels) return undefined;
  return { plan, read, tiles, tile, channels: sourceColor === 'rgb' ? 3 : 1 };
}

/** The samples of what is read; undefined where a tile is damaged or coded in an unusual way. */
async function decodeStored({ plan, read, tiles, tile, channels }: TiledRead): Promise<Buffer | undefined> {
  const stored = await readStored(plan, read);
  if (stored === undefined) return undefined;
  const { around, parts } = stored;
  const decodePart = decoderOf(tiles, stored);
  let samples: Buffer | undefined;
  for (const [index, bytes] of parts.entries()) {
    const left = (around.x + (index % around.width)) * tile.width;
    const top = (around.y + Math.floor(index / around.width)) * tile.height;
    const inTile = { ...read, x: read.x - left, y: read.y - top };
    const part = intersect(inTile, tile);
    const decoded = part && decodePart(bytes, part);
    if (part === undefined || decoded === undefined) return undefined;
    const { data, rect } = decoded;
    if (parts.length === 1 && rect.width === read.width && rect.height === read.height) return data;
    samples ??= Buffer.allocUnsafeSlow(read.width * read.height * channels);
    copyPart(decoded, part, samples, inTile, channels);
  }
  return samples;
}

/**
 * The pixels that the plan reads, gray or RGB of 8 bits; undefined where libvips has to decode them. Throws ImageError `damaged` where the
 * file has checksums, and what is read of it has others.
 */
export async function readDecoded(plan: OpenedRender): Promise<Pixels | undefined> {
  const tiled = tiledReadOf(plan);
  const data = tiled && (await decodeStored(tiled));
  return data && { data, width: tiled.read.width, height: tiled.read.height, channels: tiled.channels };
}
