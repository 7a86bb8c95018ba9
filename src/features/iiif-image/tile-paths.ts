/** The addresses by which viewers request the tiles of an image (Image API 3.0, 5.4 and the implementation notes). */
import type { Size } from '../../core/image/model/geometry.ts';
import { reduced, type Tiling } from './info.ts';

/** The region, in pixels of the full image, and the size of one tile, as they stand in its address. */
export interface TilePath {
  readonly region: string;
  readonly size: string;
}

/** The tiles of the image reduced by this factor, row by row. */
export function tilePaths(full: Size, tile: Tiling['tile'], factor: number): readonly TilePath[] {
  const level = reduced(full, factor);
  const [columns, rows] = [Math.ceil(level.width / tile.width), Math.ceil(level.height / tile.height)];
  return Array.from({ length: columns * rows }, (_, index) => {
    const [x, y] = [(index % columns) * tile.width * factor, Math.floor(index / columns) * tile.height * factor];
    const width = Math.min(tile.width * factor, full.width - x);
    const height = Math.min(tile.height * factor, full.height - y);
    const size = reduced({ width, height }, factor);
    return { region: `${x},${y},${width},${height}`, size: `${size.width},${size.height}` };
  });
}
