/** Draws tiles on a canvas each where it belongs, to the pixel; OpenSeadragon's own canvas makes every tile a pixel larger. */
import OpenSeadragon from 'openseadragon';

/** What OpenSeadragon's drawers have and its types don't tell. */
interface CanvasDrawing {
  draw(images: readonly OpenSeadragon.TiledImage[]): void;
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

class ExactCanvasDrawer extends CanvasDrawer {
  /** Turned edges lie across the screen's pixels: there tiles must overlap, or gaps would show. */
  override minimumOverlapRequired(): boolean {
    return this.viewport.getRotation(true) % 180 !== 0;
  }

  override draw(images: readonly OpenSeadragon.TiledImage[]): void {
    if (!this.minimumOverlapRequired()) {
      const tiles = images.flatMap((image) => image.getTilesToDraw() as unknown as readonly { tile: DrawnTile }[]);
      for (const { tile } of tiles) snap(tile);
    }
    super.draw(images);
  }
}

/**
 * What draws the stage. One way for all machines, since what is seen must be the same on all; browsers let the graphics card
 * draw a canvas too. (OpenSeadragon's WebGL shows torn tiles where the processor does the card's work.)
 */
export const drawer = ExactCanvasDrawer as unknown as NonNullable<OpenSeadragon.Options['drawer']>;
