/** The window of a map: OpenSeadragon moves it and loads the tiles of the base map, and images are drawn over these as they are warped. */
import { type ReadonlySignal, signal } from '@preact/signals';
import OpenSeadragon from 'openseadragon';
import type { Size } from '../../../src/core/image/model/geometry.ts';
import type { InfoJson } from '../data/images.ts';
import type { BaseMap } from '../data/page-settings.ts';
import { formatAngle, gridOf } from '../model/map/measures.ts';
import { type Camera, cameraOf, sidePixels, toGeo, toWorld, zoomRange } from '../model/map/mercator.ts';
import type { Point, Rect } from '../model/view-state.ts';
import { nameVersion } from './stage-items.ts';
import { TilePictures } from './tile-pictures.ts';
import { openViewer } from './viewer.ts';
import { type SheetMap, WarpedSheet } from './warped-sheet.ts';

/** What the window shows in one animation frame. */
export interface MapFrame {
  readonly camera: Camera;
  /** The part of the square of Web Mercator. */
  readonly seen: Rect;
  /** CSS pixels. */
  readonly window: Size;
}

export interface MapEvents {
  /** A click or tap, in fractions of the square. */
  readonly onClick: (at: Point) => void;
  /** The window has come to rest. */
  readonly onRest: (camera: Camera) => void;
}

/** Between two meridians, in CSS pixels, about. */
const betweenLines = 150;

/** A layer of the square that is as wide as the viewer's unit; without a base map it stays empty. */
const worldSource = (base: BaseMap | undefined): object => {
  const maxZoom = base?.maxZoom ?? 19;
  const side = sidePixels(maxZoom);
  return {
    width: side,
    height: side,
    tileSize: 256,
    tileOverlap: 0,
    minLevel: 8,
    maxLevel: maxZoom + 8,
    getTileUrl: (level: number, x: number, y: number) =>
      (base?.tiles ?? '')
        .replace('{z}', String(level - 8))
        .replace('{x}', String(x))
        .replace('{y}', String(y)),
  };
};

const canvasIn = (element: HTMLElement, name: string): CanvasRenderingContext2D | null => {
  const canvas = document.createElement('canvas');
  canvas.className = name;
  canvas.setAttribute('aria-hidden', 'true');
  element.append(canvas);
  return canvas.getContext('2d');
};

export class MapStage {
  readonly #viewer: OpenSeadragon.Viewer;
  readonly #frame = signal<MapFrame | undefined>(undefined);
  /** Whether all that is in sight has been drawn. */
  readonly isSharp = signal(false);
  readonly #grid: CanvasRenderingContext2D | null;
  readonly #sheet: CanvasRenderingContext2D | null;
  readonly #hasBase: boolean;
  readonly #pictures = new TilePictures(() => this.redraw());
  readonly #sources = new Map<string, Promise<OpenSeadragon.TileSource | undefined>>();
  #sheets: readonly WarpedSheet[] = [];
  /** Counts what was to be shown: an image that loads later than the next one is shown no more. */
  #shown = 0;
  #asked: number | undefined;
  #wanted: Camera | undefined;
  #closed = false;

  constructor(element: HTMLElement, base: BaseMap | undefined, { onClick, onRest }: MapEvents) {
    this.#hasBase = base !== undefined;
    this.#viewer = openViewer(element, {
      visibilityRatio: 0,
      constrainDuringPan: false,
      preserveViewport: true,
      maxZoomPixelRatio: 64,
      minZoomImageRatio: 0.1,
      zoomPerClick: 1,
    });
    this.#grid = canvasIn(element, 'map-grid');
    this.#sheet = canvasIn(element, 'map-sheet');
    this.#viewer.addTiledImage({
      tileSource: worldSource(base),
      ...{ x: 0, y: 0, width: 1, opacity: this.#hasBase ? 1 : 0 },
      // Until then the viewer has no place to be moved to.
      success: () => this.#moveTo(this.#wanted),
    });
    this.#viewer.addHandler('update-viewport', () => this.redraw());
    this.#viewer.addHandler('viewport-change', () => this.redraw());
    this.#viewer.addHandler('animation-finish', () => {
      // Before it is placed, the window is nowhere that anybody chose.
      if (this.#wanted !== undefined) onRest(this.camera);
    });
    this.#viewer.addHandler('after-resize', () => queueMicrotask(() => this.redraw()));
    this.#viewer.addHandler('canvas-click', (event) => {
      if (!event.quick) return;
      const { x, y } = this.#viewer.viewport.pointFromPixel(event.position, true);
      onClick({ x, y });
    });
  }

  get focusElement(): HTMLElement {
    return this.#viewer.canvas as HTMLElement;
  }

  /** Changes with every animation frame while the map moves. */
  get frame(): ReadonlySignal<MapFrame | undefined> {
    return this.#frame;
  }

  get window(): Size {
    const { x, y } = this.#viewer.viewport.getContainerSize();
    return { width: x, height: y };
  }

  /** Where the window is, or is on its way to. */
  get camera(): Camera {
    const { viewport } = this.#viewer;
    const { x, y } = viewport.getCenter(false);
    return { center: toGeo({ x, y }), zoom: Math.log2((viewport.getZoom(false) * this.window.width) / 256) };
  }

  #moveTo(camera: Camera | undefined, how: 'at-once' | 'moving' = 'at-once'): void {
    if (camera === undefined || this.#closed || this.window.width === 0) return;
    const { viewport } = this.#viewer;
    const { x, y } = toWorld(camera.center);
    const zoom = Math.min(Math.max(camera.zoom, zoomRange.least), zoomRange.most);
    const isAtOnce = how === 'at-once';
    viewport.zoomTo(sidePixels(zoom) / this.window.width, undefined, isAtOnce);
    viewport.panTo(new OpenSeadragon.Point(x, y), isAtOnce);
    this.redraw();
  }

  place(camera: Camera, how: 'at-once' | 'moving' = 'moving'): void {
    this.#wanted = camera;
    this.#moveTo(camera, how);
  }

  /** Shows a part of the square. */
  fit(box: Rect, how: 'at-once' | 'moving' = 'moving'): void {
    this.place(cameraOf(box, this.window), how);
  }

  /** Moves by fractions of the window. */
  panBy(x: number, y: number): void {
    const { viewport } = this.#viewer;
    const { width, height } = viewport.getBounds(false);
    viewport.panBy(new OpenSeadragon.Point(x * width, y * height));
  }

  zoomBy(steps: number): void {
    const { center, zoom } = this.camera;
    this.place({ center, zoom: zoom + steps });
  }

  /** Shows an image with its maps in place of what was shown. */
  async show(info: InfoJson, maps: readonly SheetMap[]): Promise<void> {
    this.#shown += 1;
    const number = this.#shown;
    const source = await this.#sourceOf(info);
    if (this.#closed || source === undefined || number !== this.#shown) return;
    const image = { width: info.width, height: info.height };
    this.#sheets = maps.map((map) => new WarpedSheet(source, image, map));
    this.redraw();
  }

  /** How OpenSeadragon asks for the tiles of an image: it reads all that services say. */
  #sourceOf(info: InfoJson): Promise<OpenSeadragon.TileSource | undefined> {
    const known = this.#sources.get(info.id);
    if (known !== undefined) return known;
    const source = new Promise<OpenSeadragon.TileSource | undefined>((resolve) => {
      this.#viewer.addTiledImage({
        tileSource: info.tileSource ?? info,
        ...{ x: 0, y: 0, width: 0.001, opacity: 0, preload: false },
        success: (event: Event) => {
          const { item } = event as unknown as { item: OpenSeadragon.TiledImage };
          if (info.pictureVersion !== undefined) nameVersion(item.source, info.pictureVersion);
          this.#viewer.world.removeItem(item);
          resolve(item.source);
        },
        error: () => resolve(undefined),
      });
    });
    this.#sources.set(info.id, source);
    return source;
  }

  /** Draws in the next animation frame. */
  redraw(): void {
    if (this.#closed || this.#asked !== undefined) return;
    this.#asked = requestAnimationFrame(() => {
      this.#asked = undefined;
      this.#draw();
    });
  }

  #draw(): void {
    const { window } = this;
    if (this.#closed || window.width === 0) return;
    const { x, y, width, height } = this.#viewer.viewport.getBounds(true);
    const seen = { x, y, width, height };
    const zoom = Math.log2(window.width / width / 256);
    this.#frame.value = { camera: { center: toGeo({ x: x + width / 2, y: y + height / 2 }), zoom }, seen, window };
    if (!this.#hasBase) this.#drawGrid(seen);
    const context = this.#cleared(this.#sheet);
    if (context === undefined) return;
    const pixels = { width: context.canvas.width, height: context.canvas.height };
    const pictureAt = (address: string): HTMLImageElement | undefined => this.#pictures.loaded(address);
    const wanted = this.#sheets.flatMap((sheet) => sheet.draw(context, { seen, pixels }, pictureAt));
    const hasAll = this.#pictures.want(wanted);
    this.isSharp.value = hasAll && wanted.length > 0;
  }

  /** A canvas as large as the window, and empty. */
  #cleared(context: CanvasRenderingContext2D | null): CanvasRenderingContext2D | undefined {
    if (context === null) return undefined;
    const { canvas } = context;
    const ratio = Math.min(devicePixelRatio, 2);
    const [width, height] = [Math.round(this.window.width * ratio), Math.round(this.window.height * ratio)];
    context.setTransform(1, 0, 0, 1, 0, 0);
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    else context.clearRect(0, 0, width, height);
    return context;
  }

  #drawGrid(seen: Rect): void {
    const context = this.#cleared(this.#grid);
    if (context === undefined) return;
    const { canvas } = context;
    const ratio = canvas.width / this.window.width;
    const perWorld = canvas.width / seen.width;
    const grid = gridOf(seen, this.window.width / betweenLines);
    const { color, fontFamily } = getComputedStyle(canvas);
    Object.assign(context, {
      strokeStyle: color,
      fillStyle: color,
      lineWidth: ratio,
      font: `${11 * ratio}px ${fontFamily}`,
    });
    const line = (from: Point, to: Point): void => {
      context.globalAlpha = 0.35;
      context.beginPath();
      context.moveTo(from.x, from.y);
      context.lineTo(to.x, to.y);
      context.stroke();
      context.globalAlpha = 1;
    };
    for (const { at, world } of grid.meridians) {
      const x = Math.round((world - seen.x) * perWorld) + ratio / 2;
      line({ x, y: 0 }, { x, y: canvas.height });
      // Beyond the date line the square begins anew.
      const east = ((((at + 180) % 360) + 360) % 360) - 180;
      context.fillText(`${formatAngle(east, grid.step)} ${east < 0 ? 'W' : 'E'}`, x + 4 * ratio, 14 * ratio);
    }
    for (const { at, world } of grid.parallels) {
      const y = Math.round((world - seen.y) * perWorld) + ratio / 2;
      line({ x: 0, y }, { x: canvas.width, y });
      context.fillText(`${formatAngle(at, grid.step)} ${at < 0 ? 'S' : 'N'}`, 6 * ratio, y - 4 * ratio);
    }
  }

  close(): void {
    this.#closed = true;
    if (this.#asked !== undefined) cancelAnimationFrame(this.#asked);
    this.#pictures.close();
    this.#viewer.destroy();
  }
}
