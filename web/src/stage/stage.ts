/** The deep-zoom stage: OpenSeadragon with the server's tiles; its input and output are placements of the image. */
import { type ReadonlySignal, signal } from '@preact/signals';
import OpenSeadragon from 'openseadragon';
import type { Size } from '../../../src/core/image/model/geometry.ts';
import { isSamePlace } from '../model/view/framing.ts';
import { type Matrix, matrixOf, type Placement, turnOf } from '../model/view/geometry.ts';
import { rectBeside, type Side, spreadOf } from '../model/view/page-order.ts';
import { type Rect, type ViewState, wholeImage } from '../model/view-state.ts';
import type { StageLook } from './color-layer.ts';
import { type LayerStack, type StageImage, singleLayer } from './layer-drawing.ts';
import { StageColors } from './stage-colors.ts';
import { type LoadedLayer, StageItems } from './stage-items.ts';
import { drawOnPaper, listenToPointer, openViewer, type StagePointer, setPace } from './viewer.ts';

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
  readonly #colors: StageColors;
  readonly #items: StageItems;
  #main: StageImage | undefined;
  #companion: Companion | undefined;
  #stack: LayerStack | undefined;
  #turn: Pick<ViewState, 'rotation' | 'mirror'> = { rotation: 0, mirror: { horizontal: false, vertical: false } };
  /** Whether the reader has moved the image since it was last placed. */
  #moved = false;
  #closed = false;

  constructor(element: HTMLElement, events: StageEvents = {}) {
    this.#events = events;
    this.#viewer = openViewer(element);
    this.#items = new StageItems(this.#viewer);
    this.#colors = new StageColors(this.#viewer);
    this.#viewer.addHandler('update-viewport', () => this.#drawn());
    // Before the frame is drawn.
    this.#viewer.addHandler('viewport-change', () => this.#cut());
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

  /**
   * Shows an image, or other layers in its place, and an image beside it where there are two pages. False where it fails to load, or is
   * no longer wanted when it has loaded.
   */
  async show(
    main: StageImage,
    companion?: Companion,
    isWanted = (): boolean => true,
    stack = singleLayer(main),
  ): Promise<boolean> {
    const [layers, beside] = await Promise.all([
      this.#items.loadLayers(stack, main),
      companion && this.#items.load(companion),
    ]);
    if (layers === undefined || this.#closed || !isWanted()) return false;
    this.#main = main;
    this.#companion = beside && companion;
    if (beside && companion) this.#putBeside(beside, companion, main);
    await this.#showStack(stack, layers);
    return true;
  }

  /** Shows other layers of an image, if it is shown and until others are wanted. */
  async setLayers(path: string, stack: LayerStack): Promise<void> {
    const main = this.#main;
    if (main?.path !== path) return;
    this.#stack = stack;
    const layers = await this.#items.loadLayers(stack, main);
    if (layers === undefined || this.#closed || this.#stack !== stack || this.#main !== main) return;
    await this.#showStack(stack, layers);
  }

  async #showStack(stack: LayerStack, layers: readonly LoadedLayer[]): Promise<void> {
    this.#stack = stack;
    this.#items.drawLayers(layers);
    this.#cut();
    await this.#items.hideOthers(this.#shown, stack.paths);
    this.#viewer.forceRedraw();
  }

  /** Cuts the layers that have an edge, which stands still in the window. */
  #cut(): void {
    const [stack, main] = [this.#stack, this.#main];
    const placement = stack?.layers.some(({ isCut }) => isCut) ? this.#placement() : undefined;
    if (stack === undefined || main === undefined || placement === undefined) return;
    const { window } = this;
    this.#items.cut(stack, { matrix: matrixOf(placement, main.info, window), window });
  }

  #putBeside(item: OpenSeadragon.TiledImage, { info, side }: Companion, main: StageImage): void {
    const { x, width } = rectBeside(main.info, info, side);
    item.setWidth(width, true);
    item.setPosition(new OpenSeadragon.Point(x, 0), true);
    item.setOpacity(1);
    item.setPreload(false);
  }

  /** The paths of the images that are shown. */
  get #shown(): readonly string[] {
    const paths = (this.#stack?.layers ?? []).map(({ path }) => path);
    return this.#companion === undefined ? paths : [this.#companion.path, ...paths];
  }

  async #tileFailed({ tiledImage, maxReached }: OpenSeadragon.TileLoadFailedEvent): Promise<void> {
    if (maxReached === false) return;
    const path = await this.#items.pathOf(tiledImage);
    if (path === undefined) return;
    if (this.#shown.includes(path)) this.#events.onTileFailed?.(path);
    // OpenSeadragon never requests the tile again, which would be missing when the image is shown.
    else await this.forget(path);
  }

  /** Removes an image, so that all of it is requested again when it is shown again. */
  async forget(path: string): Promise<void> {
    await this.#items.forget(path);
  }

  /** Preloads these images, hidden, and removes all others that are not shown. */
  async keepReady(images: readonly StageImage[]): Promise<void> {
    await this.#items.keepReady(images, { shown: this.#shown, hidden: this.#stack?.paths ?? [] });
  }

  /** The extent of the main page in fractions of its image: more or less than this where images lie at parts of it. */
  get extent(): Rect {
    return this.#stack?.extent ?? wholeImage;
  }

  /** The extent of both pages in fractions of the main image; of the main one alone where there is no other. */
  get spread(): Rect {
    const [main, beside] = [this.#main, this.#companion];
    return main && beside ? spreadOf(rectBeside(main.info, beside.info, beside.side)) : this.extent;
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

  /** How long the image moves, in seconds; without a number as usual. Where the reader wants no motion, it never moves. */
  setPace(seconds?: number): void {
    if (!this.#closed) setPace(this.#viewer, seconds);
  }

  /** Rotates and mirrors the image around the center of the window, and returns its placement; undefined without an image. */
  turn(orientation: Pick<ViewState, 'rotation' | 'mirror'>): Placement | undefined {
    const now = this.#placement('at-rest');
    const turned = now && { ...now, ...orientation };
    if (turned !== undefined) this.place(turned, 'at-once');
    return turned;
  }

  /** Resolves when all visible tiles of the main page have loaded. */
  async becomesSharp(): Promise<void> {
    const paths = (this.#stack?.layers ?? []).map(({ path }) => path);
    // OpenSeadragon determines the visible tiles in the next frame.
    await new Promise(requestAnimationFrame);
    await this.#items.fullyLoaded(paths);
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

  setLook(look: StageLook): void {
    this.#colors.setLook(look);
  }

  /** What is visible, in the image's own colors: device pixels of the stage. */
  get source(): HTMLCanvasElement {
    return this.#colors.source;
  }

  /** The same with the colors of the view. */
  get canvas(): HTMLCanvasElement {
    return this.#colors.shown;
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
    this.#colors.paint();
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

  /** The layers that are shown. */
  get layers(): LayerStack | undefined {
    return this.#stack;
  }

  close(): void {
    this.#closed = true;
    this.#items.close();
    this.#colors.close();
    this.#viewer.destroy();
  }
}
