/** Draws each tile at its exact pixels on a canvas; OpenSeadragon's own drawer enlarges every tile by a pixel. */
import OpenSeadragon from 'openseadragon';
import { putOnPaper } from './paper.ts';

/** Members of OpenSeadragon's canvas drawer that its types lack. */
interface CanvasDrawing {
  /** Draws the tiles of one image. */
  _drawTiles(image: OpenSeadragon.TiledImage): void;
  /** Whether OpenSeadragon enlarges every tile by a pixel. */
  minimumOverlapRequired(image: OpenSeadragon.TiledImage): boolean;
}

interface DrawnTile {
  /** CSS pixels. */
  position: OpenSeadragon.Point;
  size: OpenSeadragon.Point;
  hasTransparency: boolean;
}

const CanvasDrawer = OpenSeadragon.CanvasDrawer as unknown as new (
  options: OpenSeadragon.DrawerConstructorParameters,
) => OpenSeadragon.DrawerBase & CanvasDrawing;

/** Rounds the edges of a tile to device pixels: neighbors share them, so that they have no gap and no overlap. */
function snap(tile: DrawnTile): void {
  const ratio = OpenSeadragon.pixelDensityRatio;
  const onPixel = (value: number): number => Math.round(value * ratio) / ratio;
  const { position, size } = tile;
  const [left, top] = [onPixel(position.x), onPixel(position.y)];
  const [right, bottom] = [onPixel(position.x + size.x), onPixel(position.y + size.y)];
  tile.position = new OpenSeadragon.Point(left, top);
  tile.size = new OpenSeadragon.Point(right - left, bottom - top);
}

/** Enlargement of the tiles that are drawn below, in CSS pixels. */
const underlay = new OpenSeadragon.Point(1, 1);

const tilesOf = (image: OpenSeadragon.TiledImage): readonly DrawnTile[] =>
  (image.getTilesToDraw() as unknown as readonly { readonly tile: DrawnTile }[]).map(({ tile }) => tile);

class ExactCanvasDrawer extends CanvasDrawer {
  override minimumOverlapRequired(): boolean {
    return false;
  }

  override _drawTiles(image: OpenSeadragon.TiledImage): void {
    const tiles = tilesOf(image);
    putOnPaper(tiles);
    if (this.viewport.getRotation(true) % 180 === 0) {
      for (const tile of tiles) snap(tile);
    } else {
      // Rotated edges cross device pixels, and the background would show through: enlarged tiles are drawn below.
      const sizes = tiles.map(({ size }) => size);
      for (const tile of tiles) tile.size = tile.size.plus(underlay);
      super._drawTiles(image);
      for (const [index, tile] of tiles.entries()) tile.size = sizes[index] ?? tile.size;
    }
    super._drawTiles(image);
  }
}

/**
 * The drawer of the stage, the same on all machines, so that all show the same pixels. (OpenSeadragon's WebGL drawer shows
 * torn tiles where WebGL is emulated in software.)
 */
export const drawer = ExactCanvasDrawer as unknown as NonNullable<OpenSeadragon.Options['drawer']>;
