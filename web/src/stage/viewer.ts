/** OpenSeadragon as the stage uses it: exact pixels, the color of the paper, pointer events. */
import OpenSeadragon from 'openseadragon';
import { maxScale } from '../model/view/framing.ts';
import type { LayerTint, Point } from '../model/view-state.ts';

/**
 * OpenSeadragon adds an inline style unless it finds one of this name. The page's Content-Security-Policy refuses and
 * reports it. An element of another namespace is found too, and has no effect.
 */
function withoutInlineStyle(): void {
  const name = 'data-openseadragon-mobile-css';
  if (document.querySelector(`style[${name}]`) !== null) return;
  const style = document.createElementNS('urn:lectern:none', 'style');
  style.setAttribute(name, 'true');
  document.head.append(style);
}

const wantsNoMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** In seconds. */
const usualPace = 0.35;

/** Without controls: the page has its own. */
const options = (element: HTMLElement): OpenSeadragon.Options => ({
  element,
  drawer,
  // Tiles share their edges exactly, so that none needs smoothing.
  smoothTileEdgesMinZoom: Number.POSITIVE_INFINITY,
  showNavigationControl: false,
  keyboardNavEnabled: false,
  animationTime: wantsNoMotion() ? 0 : usualPace,
  springStiffness: 9,
  blendTime: 0,
  immediateRender: true,
  gestureSettingsMouse: { clickToZoom: false, dblClickToZoom: true },
  gestureSettingsTouch: { clickToZoom: false, dblClickToZoom: true, flickEnabled: true },
  gestureSettingsPen: { clickToZoom: false, dblClickToZoom: true },
  // Aiming takes time between press and release.
  clickTimeThreshold: 1500,
  zoomPerScroll: 1.25,
  minZoomImageRatio: 0.4,
  maxZoomPixelRatio: maxScale,
  visibilityRatio: 0.15,
  constrainDuringPan: true,
  imageLoaderLimit: 8,
  // Retries reach a busy server; few of them, so that a failure is reported soon.
  tileRetryMax: 2,
  tileRetryDelay: 1500,
  maxImageCacheCount: 600,
  silenceMultiImageWarnings: true,
  crossOriginPolicy: false,
});

/** `more` is what is other than on the stage of an image. */
export function openViewer(element: HTMLElement, more: OpenSeadragon.Options = {}): OpenSeadragon.Viewer {
  withoutInlineStyle();
  return OpenSeadragon({ ...options(element), ...more });
}

/** Members of OpenSeadragon's viewport that its types lack. */
type Springs = Readonly<Record<'centerSpringX' | 'centerSpringY' | 'zoomSpring', { animationTime: number }>>;

/** How long movements take, in seconds; none where the reader wants no motion. */
export function setPace({ viewport }: OpenSeadragon.Viewer, seconds = usualPace): void {
  const { centerSpringX, centerSpringY, zoomSpring } = viewport as unknown as Springs;
  for (const spring of [centerSpringX, centerSpringY, zoomSpring]) spring.animationTime = wantsNoMotion() ? 0 : seconds;
}

/** Members of OpenSeadragon's canvas drawer that its types lack. */
interface CanvasDrawing {
  _drawTiles(image: OpenSeadragon.TiledImage): void;
  _drawTile(tile: DrawnTile, image: OpenSeadragon.TiledImage, useSketch: boolean, ...rest: readonly unknown[]): void;
  _getContext(useSketch: boolean): CanvasRenderingContext2D;
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

/** How an image is drawn that lies over others, or below them. */
interface LayerDrawing {
  readonly tint: LayerTint | undefined;
  readonly isLowest: boolean;
}

const layerDrawings = new WeakMap<OpenSeadragon.TiledImage, LayerDrawing>();

export function setLayerDrawing(image: OpenSeadragon.TiledImage, drawing: LayerDrawing): void {
  layerDrawings.set(image, drawing);
}

/** Upper layers show what is below them where they are transparent. */
const isOnPaper = (image: OpenSeadragon.TiledImage): boolean => layerDrawings.get(image)?.isLowest !== false;

const tintColors: Readonly<Record<LayerTint, string>> = { red: '#f00', green: '#0f0', blue: '#00f' };

/** Makes a rectangle that has just been drawn gray, and of this gray one channel. */
function tintRectangle(context: CanvasRenderingContext2D, { position, size }: DrawnTile, tint: LayerTint): void {
  const ratio = OpenSeadragon.pixelDensityRatio;
  context.save();
  for (const [operation, color] of [
    ['saturation', '#808080'],
    ['multiply', tintColors[tint]],
  ] as const) {
    context.globalCompositeOperation = operation;
    context.fillStyle = color;
    context.fillRect(position.x * ratio, position.y * ratio, size.x * ratio, size.y * ratio);
  }
  context.restore();
}

/** Whether what is below an image shows through it, so that it must not be drawn twice. */
const showsThrough = (image: OpenSeadragon.TiledImage): boolean =>
  image.getOpacity() < 1 || (image.getCompositeOperation() ?? 'source-over') !== 'source-over';

class ExactCanvasDrawer extends CanvasDrawer {
  override minimumOverlapRequired(): boolean {
    return false;
  }

  override _drawTiles(image: OpenSeadragon.TiledImage): void {
    const tiles = tilesOf(image);
    if (isOnPaper(image)) putOnPaper(tiles);
    if (this.viewport.getRotation(true) % 180 === 0) {
      for (const tile of tiles) snap(tile);
    } else {
      // Rotated edges cross device pixels, and the background would show through: enlarged tiles are drawn below.
      const sizes = tiles.map(({ size }) => size);
      for (const tile of tiles) tile.size = tile.size.plus(underlay);
      super._drawTiles(image);
      if (showsThrough(image)) return;
      for (const [index, tile] of tiles.entries()) tile.size = sizes[index] ?? tile.size;
    }
    super._drawTiles(image);
  }

  override _drawTile(
    tile: DrawnTile,
    image: OpenSeadragon.TiledImage,
    useSketch: boolean,
    ...rest: readonly unknown[]
  ): void {
    super._drawTile(tile, image, useSketch, ...rest);
    const tint = layerDrawings.get(image)?.tint;
    if (tint !== undefined) tintRectangle(this._getContext(useSketch), tile, tint);
  }
}

/**
 * The drawer of the stage, the same on all machines, so that all show the same pixels. (OpenSeadragon's WebGL drawer shows
 * torn tiles where WebGL is emulated in software.)
 */
export const drawer = ExactCanvasDrawer as unknown as NonNullable<OpenSeadragon.Options['drawer']>;

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
interface PaintedTile {
  /** CSS pixels. */
  readonly position: OpenSeadragon.Point;
  readonly size: OpenSeadragon.Point;
}

interface TileDrawing {
  readonly context: CanvasRenderingContext2D;
  readonly tile: PaintedTile;
  readonly tiledImage: OpenSeadragon.TiledImage;
}

/** The tiles that may be transparent: those in PNG, and those of images in PNG. */
const transparent = new WeakSet<object>();

/**
 * Says of tiles that are about to be drawn that they are opaque, since the grid is below them: the drawer would clear the
 * places of transparent ones, and with them the edges of their neighbors where the image is turned.
 */
function putOnPaper(tiles: readonly { hasTransparency: boolean }[]): void {
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
    if (!transparent.has(tile) || !isOnPaper(tiledImage)) return;
    grid ??= gridOf(context);
    const ratio = OpenSeadragon.pixelDensityRatio;
    const corner = viewer.viewport.pixelFromPointNoRotate(tiledImage.getBoundsNoRotate(true).getTopLeft(), true);
    grid?.setTransform(new DOMMatrix().translate(Math.round(corner.x * ratio), Math.round(corner.y * ratio)));
    const [from, size] = [tile.position.times(ratio), tile.size.times(ratio)];
    context.fillStyle = grid ?? white;
    context.fillRect(from.x, from.y, size.x, size.y);
  });
}

/** A pointer event. A tool that uses it keeps it from moving the image. */
export interface StagePointer {
  readonly kind: 'click' | 'double-click' | 'press' | 'drag' | 'release';
  /** CSS pixels of the stage. */
  readonly at: Point;
  readonly shift: boolean;
  /** When it happened, in ms since the page was opened. */
  readonly timeMs: number;
  /** Prevents the default action of the stage. */
  use(): void;
}

export function listenToPointer(viewer: OpenSeadragon.Viewer, onPointer: (pointer: StagePointer) => void): void {
  const emit =
    (kind: StagePointer['kind']) =>
    (event: OpenSeadragon.CanvasDragEvent | OpenSeadragon.CanvasClickEvent): void => {
      // OpenSeadragon reports a click also at the end of a drag.
      if (kind === 'click' && 'quick' in event && !event.quick) return;
      const { x, y } = event.position;
      // In a mirrored viewport, OpenSeadragon mirrors the position of clicks, and of no other event.
      const isMirrored = kind === 'click' && viewer.viewport.getFlip();
      onPointer({
        kind,
        at: { x: isMirrored ? viewer.viewport.getContainerSize().x - x : x, y },
        shift: event.shift,
        timeMs: event.originalEvent.timeStamp,
        use: () => {
          event.preventDefaultAction = true;
        },
      });
    };
  const names = {
    'canvas-click': 'click',
    'canvas-double-click': 'double-click',
    'canvas-press': 'press',
    'canvas-drag': 'drag',
    'canvas-drag-end': 'release',
  } as const;
  for (const [name, kind] of Object.entries(names)) {
    viewer.addHandler(name as 'canvas-click', emit(kind) as OpenSeadragon.EventHandler<OpenSeadragon.CanvasClickEvent>);
  }
}
