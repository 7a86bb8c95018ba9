/** Samples of a region in the tiles, or parts of tiles, that they were decoded in. */
import type { Rect } from '../../image/model/geometry.ts';
import type { PixelStrip, PixelStrips } from '../resample/vector-rows.ts';

/** Copies the intersection of two rectangles from the samples of one to those of the other. */
export function copyShared(from: Buffer, fromRect: Rect, to: Buffer, toRect: Rect, channels: number): void {
  const left = Math.max(fromRect.x, toRect.x);
  const right = Math.min(fromRect.x + fromRect.width, toRect.x + toRect.width);
  const top = Math.max(fromRect.y, toRect.y);
  const bottom = Math.min(fromRect.y + fromRect.height, toRect.y + toRect.height);
  if (fromRect.x === toRect.x && fromRect.width === toRect.width) {
    const rowBytes = fromRect.width * channels;
    from.copy(to, (top - toRect.y) * rowBytes, (top - fromRect.y) * rowBytes, (bottom - fromRect.y) * rowBytes);
    return;
  }
  for (let y = top; y < bottom; y++) {
    const start = ((y - fromRect.y) * fromRect.width + left - fromRect.x) * channels;
    const target = ((y - toRect.y) * toRect.width + left - toRect.x) * channels;
    from.copy(to, target, start, start + (right - left) * channels);
  }
}

/** The samples of a tile, and its pixels of the level. */
export interface DecodedTile {
  readonly data: Buffer;
  readonly rect: Rect;
}

/** Pixels that were decoded before. */
export interface DecodedPixels extends PixelStrips {
  /** The samples of the whole, interleaved. */
  samples(): Buffer;
}

/** The tiles of a column, from top to bottom. */
function stripOf(tiles: readonly DecodedTile[], read: Rect, channels: number): PixelStrip {
  const [
    {
      rect: { x, width },
    } = { rect: read },
  ] = tiles;
  const rowBytes = width * channels;
  const left = Math.max(read.x, x) - x;
  const used = Math.min(read.x + read.width, x + width) - x - left;
  return {
    width,
    left,
    used,
    copyRows(first, last, to) {
      for (const { data, rect } of tiles) {
        const top = Math.max(read.y + first, rect.y);
        const bottom = Math.min(read.y + last, rect.y + rect.height);
        if (bottom <= top) continue;
        const rows = data.subarray((top - rect.y) * rowBytes, (bottom - rect.y) * rowBytes);
        to.set(rows, (top - read.y - first) * rowBytes);
      }
    },
  };
}

/** What is read, in the tiles that have it, row by row. */
export function pixelsIn(tiles: readonly DecodedTile[], read: Rect, channels: 1 | 3): DecodedPixels {
  const columns = tiles.filter(({ rect }) => rect.y === tiles[0]?.rect.y).length;
  const { width, height } = read;
  const strips = Array.from({ length: columns }, (_, column) =>
    stripOf(
      tiles.filter((_tile, at) => at % columns === column),
      read,
      channels,
    ),
  );
  const samples = (): Buffer => {
    const bytes = width * height * channels;
    const [only] = tiles;
    if (tiles.length === 1 && only?.data.length === bytes) return only.data;
    const data = Buffer.allocUnsafe(bytes);
    for (const tile of tiles) copyShared(tile.data, tile.rect, data, read, channels);
    return data;
  };
  return { width, height, channels, strips, samples };
}
