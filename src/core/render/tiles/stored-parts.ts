/** Decodes the parts of JPEG tiles that a region lies in, without libvips: of each tile, no more than these. */
import { decodeJpegPart, jpegHeader, whyUnusable } from '@lectern/jpeg';
import { intersect, type Rect } from '../../image/model/geometry.ts';
import type { OpenedRender } from '../sources/opened-file.ts';
import { readStored } from '../sources/tiled-source.ts';
import type { DecodedTile } from './decoded-pixels.ts';

/** A larger region is left to libvips, which has only some rows of it in memory at a time. */
const maxPixels = 4_000_000;

/**
 * The parts of tiles, row by row; undefined where libvips has to decode them: the level has no JPEG tiles of gray or YCbCr, or one of them is
 * damaged or coded in an unusual way. Throws ImageError `damaged` where the file has checksums, and what is read of it has others.
 */
export async function decodeStored(plan: OpenedRender, region: Rect): Promise<readonly DecodedTile[] | undefined> {
  if (plan.tiles?.samples === 'rgb' || region.width * region.height > maxPixels) return undefined;
  const stored = await readStored(plan, region);
  if (stored === undefined) return undefined;
  const { tiles, tile, around, tables, parts } = stored;
  const header = jpegHeader(tiles.samples, tables);
  const decoded: DecodedTile[] = [];
  for (const [index, bytes] of parts.entries()) {
    if (whyUnusable(bytes, tile, tiles.samples) !== undefined) return undefined;
    const left = (around.x + (index % around.width)) * tile.width;
    const top = (around.y + Math.floor(index / around.width)) * tile.height;
    const part = intersect({ ...region, x: region.x - left, y: region.y - top }, tile);
    // The tile's own start marker is left out.
    const data = part && decodeJpegPart(Buffer.concat([header, bytes.subarray(2)]), part);
    if (part === undefined || data === undefined) return undefined;
    decoded.push({ data, rect: { ...part, x: left + part.x, y: top + part.y } });
  }
  return decoded;
}
