/** The deep-zoom stage: OpenSeadragon with the server's tiles; its input and output are placements of the image. */
import { type ReadonlySignal, signal } from '@preact/signals';
import OpenSeadragon from 'openseadragon';
import { type ColorSteps, isNeutral } from '../../../src/core/image/model/color.ts';
import type { Size } from '../../../src/core/image/model/geometry.ts';
import type { InfoJson } from '../data/image-info.ts';
import { isSamePlace } from '../model/view/framing.ts';
import { type Matrix, matrixOf, type Placement, turnOf } from '../model/view/geometry.ts';
import { tilesOfFirstSight } from '../model/view/image-service.ts';
import { rectBeside, type Side, spreadOf } from '../model/view/page-order.ts';
import type { Rect, ViewState } from '../model/view-state.ts';
import { createColorLayer } from './color-layer.ts';
import { drawOnPaper, listenToPointer, openViewer, type StagePointer } from './viewer.ts';

/** The position of the image in one animation frame. All that is drawn above the image uses it. */
export interface Frame {
  /** Maps fractions of the image to CSS pixels of the stage. */
  readonly matrix: Matrix;
  readonly placement: Placement;
  /** Upright pixels of the image. */
  readonly image: Size;
  /** CSS pixels of the stage. */
  readonly window: Size;
}

/** Gives the addresses of tiles the version of their image: none is requested before the next frame. */
function nameVersion(source: OpenSeadragon.TileSource, version: string): void {
  const addressOf = source.getTileUrl.bind(source);
  source.getTileUrl = (level, x, y) => `${addressOf(level, x, y)}?v=${version}`;
}

export interface StageImage {
  readonly path: string;
  readonly info: InfoJson;
}

/** The second of two pages, beside the main image. */
export interface Companion extends StageImage {
  readonly side: Side;
}

export interface StageEvents {
  /** The image has come to rest after the reader moved it. */
  readonly onRest?: (placement: Placement) => void;
  /** The reader moves the image: in every frame until it comes to rest. */
  readonly onMove?: (placement: Placement) => void;
  /** The size of the stage has changed, so that the image must be placed again. */
  readonly onResize?: () => void;
  readonly onPointer?: (pointer: StagePointer) => void;
  /** A tile of a visible image failed to load, also after retries. */
  readonly onTileFailed?: (path: string) => void;
}

export class Stage {
  readonly #viewer: OpenSeadragon.Viewer;
  readonly #events: StageEvents;
  readonly #frame = signal<Frame | undefined>(undefined);
  readonly #colors = createColorLayer();
  readonly #items = new Map<string, Promise<OpenSeadragon.TiledImage | undefined>>();
  #steps: ColorSteps = {};
  #main: StageImage | undefined;
  #companion: Companion | undefined;
  #turn: Pick<ViewState, 'rotation' | 'mirror'> = { rotation: 0, mirror: { horizontal: false, vertical: false } };
  /** Whether the reader has moved the image since it was last placed. */
  #moved = false;
  #closed = false;

  constructor(element: HTMLElement, events: StageEvents = {}) {
    this.#events = events;
    this.#viewer = openViewer(element);
    this.#viewer.canvas.append(this.#colors.element);
    this.#viewer.addHandler('update-viewport', () => this.#drawn());
    this.#viewer.addHandler('animation-finish', () => this.#report(this.#placement()));
    // OpenSeadragon adapts the viewport to the new size itself, after this event.
    this.#viewer.addHandler('after-resize', () => queueMicrotask(() => this.#closed || events.onResize?.()));
    this.#viewer.addHandler('tile-load-failed', (event) => void this.#tileFailed(event));
    drawOnPaper(this.#viewer);
    if (events.onPointer !== undefined) listenToPointer(this.#viewer, events.onPointer);
    for (const name of ['canvas-drag', 'canvas-scroll', 'canvas-pinch', 'canvas-double-click'] as const) {
      this.#viewer.addHandler(name, () => {
        this.#moved = true;
      });
    }
  }

  /** Changes with every animation frame while the image moves. */
  get frame(): ReadonlySignal<Frame | undefined> {
    return this.#frame;
  }

  /** The size of the stage in CSS pixels. */
  get window(): Size {
    const { x, y } = this.#viewer.viewport.getContainerSize();
    return { width: x, height: y };
  }

  get focusElement(): HTMLElement {
    return this.#viewer.canvas as HTMLElement;
  }

  #tileSourceOf({ info }: StageImage): object {
    const { width, height } = this.window;
    const ratio = OpenSeadragon.pixelDensityRatio;
    const tiles = tilesOfFirstSight(info, { width: width * ratio, height: height * ratio });
    return tiles === undefined ? info : { ...info, tiles };
  }

  /** Adds an image, hidden until it is shown; it preloads the tiles of the current viewport. */
  #load(image: StageImage): Promise<OpenSeadragon.TiledImage | undefined> {
    const existing = this.#items.get(image.path);
    if (existing !== undefined) return existing;
    const item = new Promise<OpenSeadragon.TiledImage | undefined>((resolve) => {
      this.#viewer.addTiledImage({
        tileSource: image.info.tileSource ?? this.#tileSourceOf(image),
        ...(image.info.isReadable === true && { crossOriginPolicy: 'Anonymous' }),
        x: 0,
        y: 0,
        width: 1,
        opacity: 0,
        preload: true,
        success: (event: Event) => {
          const { item } = event as unknown as { item: OpenSeadragon.TiledImage };
          if (image.info.pictureVersion !== undefined) nameVersion(item.source, image.info.pictureVersion);
          resolve(item);
        },
        error: () => resolve(undefined),
      });
    });
    this.#items.set(image.path, item);
    return item;
  }

  /**
   * Shows an image, and one beside it where there are two pages. False where it fails to load, or is no longer wanted
   * when it has loaded.
   */
  async show(main: StageImage, companion?: Companion, isWanted = (): boolean => true): Promise<boolean> {
    const [item, beside] = await Promise.all([this.#load(main), companion && this.#load(companion)]);
    if (item === undefined || this.#closed || !isWanted()) return false;
    this.#main = main;
    this.#companion = beside && companion;
    item.setPosition(new OpenSeadragon.Point(0, 0), true);
    item.setWidth(1, true);
    if (beside && companion) this.#putBeside(beside, companion, main);
    for (const shown of [item, beside]) {
      shown?.setOpacity(1);
      shown?.setPreload(false);
    }
    await this.#hideOthers();
    this.#viewer.forceRedraw();
    return true;
  }

  #putBeside(item: OpenSeadragon.TiledImage, { info, side }: Companion, main: StageImage): void {
    const { x, width } = rectBeside(main.info, info, side);
    item.setWidth(width, true);
    item.setPosition(new OpenSeadragon.Point(x, 0), true);
  }

  async #hideOthers(): Promise<void> {
    const shown = [this.#main?.path, this.#companion?.path];
    for (const [path, loading] of this.#items) {
      if (shown.includes(path)) continue;
      const item = await loading;
      item?.setOpacity(0);
    }
  }

  async #tileFailed({ tiledImage, maxReached }: OpenSeadragon.TileLoadFailedEvent): Promise<void> {
    if (maxReached === false) return;
    for (const [path, loading] of this.#items) {
      if ((await loading) !== tiledImage) continue;
      if (path === this.#main?.path || path === this.#companion?.path) this.#events.onTileFailed?.(path);
      // OpenSeadragon never requests the tile again, which would be missing when the image is shown.
      else await this.forget(path);
    }
  }

  /** Removes an image, so that all of it is requested again when it is shown again. */
  async forget(path: string): Promise<void> {
    const loading = this.#items.get(path);
    this.#items.delete(path);
    const item = await loading;
    if (item !== undefined && !this.#closed) this.#viewer.world.removeItem(item);
  }

  /** Preloads these images, hidden, and removes all others that are not shown. */
  async keepReady(images: readonly StageImage[]): Promise<void> {
    const wanted = new Set([this.#main?.path, this.#companion?.path, ...images.map(({ path }) => path)]);
    for (const path of this.#items.keys()) if (!wanted.has(path)) await this.forget(path);
    for (const image of images) {
      const item = await this.#load(image);
      if (image.path !== this.#main?.path && image.path !== this.#companion?.path) item?.setPreload(true);
    }
  }

  /** The extent of both pages in fractions of the main image; of that alone where there is no other. */
  get spread(): Rect {
    const [main, beside] = [this.#main, this.#companion];
    return spreadOf(main && beside && rectBeside(main.info, beside.info, beside.side));
  }

  /** Moves the image to a placement, at once or animated. */
  place(placement: Placement, how: 'at-once' | 'moving'): void {
    const main = this.#main;
    if (main === undefined) return;
    const { viewport } = this.#viewer;
    const { width, height } = main.info;
    const { flipped, degrees } = turnOf(placement.rotation, placement.mirror);
    const atOnce = how === 'at-once';
    this.#moved = false;
    this.#turn = { rotation: placement.rotation, mirror: placement.mirror };
    if (viewport.getFlip() !== flipped) viewport.setFlip(flipped);
    viewport.setRotation(degrees, true);
    viewport.zoomTo((placement.scale * width) / this.window.width, undefined, atOnce);
    viewport.panTo(new OpenSeadragon.Point(placement.center.x, (placement.center.y * height) / width), atOnce);
    this.#viewer.forceRedraw();
    this.#drawn();
  }

  /** Rotates and mirrors the image around the center of the window, and returns its placement; undefined without an image. */
  turn(orientation: Pick<ViewState, 'rotation' | 'mirror'>): Placement | undefined {
    const now = this.#placement('at-rest');
    const turned = now && { ...now, ...orientation };
    if (turned !== undefined) this.place(turned, 'at-once');
    return turned;
  }

  /** Resolves when all visible tiles of the main image have loaded. */
  async becomesSharp(): Promise<void> {
    const item = await (this.#main && this.#items.get(this.#main.path));
    // OpenSeadragon determines the visible tiles in the next frame.
    await new Promise(requestAnimationFrame);
    if (item !== undefined && !this.#closed) {
      await new Promise<void>((resolve) => item.whenFullyLoaded(() => resolve()));
    }
  }

  zoomBy(factor: number): void {
    const { viewport } = this.#viewer;
    this.#moved = true;
    viewport.zoomBy(factor);
    viewport.applyConstraints();
  }

  /** Pans by fractions of the window: (1, 0) shows what is beyond the right edge. */
  panBy(x: number, y: number): void {
    const { viewport } = this.#viewer;
    this.#moved = true;
    const { width, height } = this.window;
    const pixels = new OpenSeadragon.Point((viewport.getFlip() ? -x : x) * width, y * height);
    viewport.panBy(viewport.deltaPointsFromPixels(pixels, true));
    viewport.applyConstraints();
  }

  setColors(steps: ColorSteps): void {
    this.#steps = steps;
    this.#paintColors();
  }

  #paintColors(): void {
    const source = this.#viewer.drawer.canvas as HTMLCanvasElement;
    const changes = !isNeutral(this.#steps) && this.#colors.paint(source, this.#steps);
    this.#colors.element.classList.toggle('on', changes);
    source.classList.toggle('replaced', changes);
  }

  /** What is visible, with its colors: device pixels of the stage. */
  get canvas(): HTMLCanvasElement {
    return isNeutral(this.#steps) ? (this.#viewer.drawer.canvas as HTMLCanvasElement) : this.#colors.element;
  }

  #placement(when: 'now' | 'at-rest' = 'now'): Placement | undefined {
    const main = this.#main;
    if (main === undefined) return undefined;
    const { viewport } = this.#viewer;
    const isNow = when === 'now';
    const { x, y } = viewport.getCenter(isNow);
    const { width, height } = main.info;
    return {
      center: { x, y: (y * width) / height },
      scale: (viewport.getZoom(isNow) * this.window.width) / width,
      ...this.#turn,
    };
  }

  #drawn(): void {
    this.#paintColors();
    const placement = this.#placement();
    if (placement === undefined || this.#main === undefined) return;
    const { width, height } = this.#main.info;
    const image = { width, height };
    const { window } = this;
    this.#frame.value = { matrix: matrixOf(placement, image, window), placement, image, window };
    if (this.#moved) this.#events.onMove?.(placement);
  }

  /** Movements by `place` or by a resize are not reported. */
  #report(placement: Placement | undefined): void {
    if (!this.#moved || placement === undefined) return;
    this.#moved = false;
    this.#events.onRest?.(placement);
  }

  /** Reports the target of a movement by the reader without waiting for its end. */
  endMovement(): void {
    this.#report(this.#placement('at-rest'));
  }

  /** Whether the image is at a placement, or on its way there. */
  isBoundFor(placement: Placement): boolean {
    const target = this.#placement('at-rest');
    return (
      target !== undefined && this.#main !== undefined && isSamePlace(target, placement, this.#main.info, this.window)
    );
  }

  get image(): StageImage | undefined {
    return this.#main;
  }

  close(): void {
    this.#closed = true;
    this.#viewer.destroy();
  }
}
