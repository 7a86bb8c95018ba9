/** What transparent parts of an image stand on: white paper with a faint grid, the same in the light and the dark theme. */
import OpenSeadragon from 'openseadragon';

/** The side of a square of the grid, in device pixels. */
const square = 12;

const [white, gray] = ['#ffffff', '#ecebe8'] as const;

function gridOf(context: CanvasRenderingContext2D): CanvasPattern | undefined {
  const canvas = document.createElement('canvas');
  canvas.width = 2 * square;
  canvas.height = 2 * square;
  const grid = canvas.getContext('2d');
  if (grid === null) return undefined;
  grid.fillStyle = white;
  grid.fillRect(0, 0, 2 * square, 2 * square);
  grid.fillStyle = gray;
  grid.fillRect(0, 0, square, square);
  grid.fillRect(square, square, square, square);
  return context.createPattern(canvas, 'repeat') ?? undefined;
}

/** Members of OpenSeadragon's tile that its types lack. */
interface DrawnTile {
  /** CSS pixels. */
  readonly position: OpenSeadragon.Point;
  readonly size: OpenSeadragon.Point;
}

interface TileDrawing {
  readonly context: CanvasRenderingContext2D;
  readonly tile: DrawnTile;
  readonly tiledImage: OpenSeadragon.TiledImage;
}

/** The tiles that may be transparent: those in PNG, and those of images in PNG. */
const transparent = new WeakSet<object>();

/**
 * Says of tiles that are about to be drawn that they are opaque, since the grid is below them: the drawer would clear the
 * places of transparent ones, and with them the edges of their neighbors where the image is turned.
 */
export function putOnPaper(tiles: readonly { hasTransparency: boolean }[]): void {
  for (const tile of tiles) {
    if (!tile.hasTransparency) continue;
    transparent.add(tile);
    tile.hasTransparency = false;
  }
}

/** Draws the grid below each tile that may be transparent, in squares that move with the image. */
export function drawOnPaper(viewer: OpenSeadragon.Viewer): void {
  let grid: CanvasPattern | undefined;
  viewer.addHandler('tile-drawing', (event) => {
    const { context, tile, tiledImage } = event as unknown as TileDrawing;
    if (!transparent.has(tile)) return;
    grid ??= gridOf(context);
    const ratio = OpenSeadragon.pixelDensityRatio;
    const corner = viewer.viewport.pixelFromPointNoRotate(tiledImage.getBoundsNoRotate(true).getTopLeft(), true);
    grid?.setTransform(new DOMMatrix().translate(Math.round(corner.x * ratio), Math.round(corner.y * ratio)));
    const [from, size] = [tile.position.times(ratio), tile.size.times(ratio)];
    context.fillStyle = grid ?? white;
    context.fillRect(from.x, from.y, size.x, size.y);
  });
}
