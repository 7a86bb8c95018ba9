/** Draws tiles on a canvas each where it belongs, to the pixel; OpenSeadragon's own canvas makes every tile a pixel larger. */
import OpenSeadragon from 'openseadragon';

/** What OpenSeadragon's canvas drawer has and its types don't tell. */
interface CanvasDrawing {
  /** Draws the tiles of one image onto what is there. */
  _drawTiles(image: OpenSeadragon.TiledImage): void;
  /** Whether OpenSeadragon is to enlarge every tile by a pixel. */
  minimumOverlapRequired(image: OpenSeadragon.TiledImage): boolean;
}

interface DrawnTile {
  /** CSS pixels. */
  position: OpenSeadragon.Point;
  size: OpenSeadragon.Point;
}

const CanvasDrawer = OpenSeadragon.CanvasDrawer as unknown as new (
  options: OpenSeadragon.DrawerConstructorParameters,
) => OpenSeadragon.DrawerBase & CanvasDrawing;

/** Puts a tile's edges onto pixels of the screen: neighbors share theirs, so that no gap opens, and none covers another. */
function snap(tile: DrawnTile): void {
  const ratio = OpenSeadragon.pixelDensityRatio;
  const onPixel = (value: number): number => Math.round(value * ratio) / ratio;
  const { position, size } = tile;
  const [left, top] = [onPixel(position.x), onPixel(position.y)];
  const [right, bottom] = [onPixel(position.x + size.x), onPixel(position.y + size.y)];
  tile.position = new OpenSeadragon.Point(left, top);
  tile.size = new OpenSeadragon.Point(right - left, bottom - top);
}

/** So much larger a tile is drawn below its neighbors' edges, in CSS pixels. */
const underlay = new OpenSeadragon.Point(1, 1);

const tilesOf = (image: OpenSeadragon.TiledImage): readonly DrawnTile[] =>
  (image.getTilesToDraw() as unknown as readonly { readonly tile: DrawnTile }[]).map(({ tile }) => tile);

class ExactCanvasDrawer extends CanvasDrawer {
  override minimumOverlapRequired(): boolean {
    return false;
  }

  override _drawTiles(image: OpenSeadragon.TiledImage): void {
    const tiles = tilesOf(image);
    if (this.viewport.getRotation(true) % 180 === 0) {
      for (const tile of tiles) snap(tile);
    } else {
      // Turned edges lie across the screen's pixels, and the ground would show through. What shows is a larger tile.
      const sizes = tiles.map(({ size }) => size);
      for (const tile of tiles) tile.size = tile.size.plus(underlay);
      super._drawTiles(image);
      for (const [index, tile] of tiles.entries()) tile.size = sizes[index] ?? tile.size;
    }
    super._drawTiles(image);
  }
}

/**
 * What draws the stage. One way for all machines, since what is seen must be the same on all; browsers let the graphics card
 * draw a canvas too. (OpenSeadragon's WebGL shows torn tiles where the processor does the card's work.)
 */
export const drawer = ExactCanvasDrawer as unknown as NonNullable<OpenSeadragon.Options['drawer']>;
