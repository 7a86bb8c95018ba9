/** The images that OpenSeadragon has loaded for a stage: those that are shown, the hidden layers, and those in advance. */
import OpenSeadragon from 'openseadragon';
import type { Size } from '../../../src/core/image/model/geometry.ts';
import type { Matrix } from '../model/view/geometry.ts';
import { tilesOfFirstSight } from '../model/view/image-service.ts';
import { boundsOf, cutAtEdge, drawLayer, type LayerStack, type StageImage, type StageLayer } from './layer-drawing.ts';

/** Gives the addresses of tiles the version of their image: none is requested before the next frame. */
export function nameVersion(source: OpenSeadragon.TileSource, version: string): void {
  const addressOf = source.getTileUrl.bind(source);
  source.getTileUrl = (level, x, y) => `${addressOf(level, x, y)}?v=${version}`;
}

/** Where an image lies until it is shown: the main one is a unit wide. */
const firstPlace = { x: 0, y: 0, width: 1 };

export interface LoadedLayer {
  readonly layer: StageLayer;
  readonly item: OpenSeadragon.TiledImage;
  readonly bounds: Pick<OpenSeadragon.Rect, 'x' | 'y' | 'width'>;
}

export class StageItems {
  readonly #viewer: OpenSeadragon.Viewer;
  readonly #loading = new Map<string, Promise<OpenSeadragon.TiledImage | undefined>>();
  /** Those of them that have been added. */
  readonly #added = new Map<string, OpenSeadragon.TiledImage>();
  #closed = false;

  constructor(viewer: OpenSeadragon.Viewer) {
    this.#viewer = viewer;
  }

  #tileSourceOf({ info }: StageImage): object {
    const { x: width, y: height } = this.#viewer.viewport.getContainerSize();
    const ratio = OpenSeadragon.pixelDensityRatio;
    const tiles = tilesOfFirstSight(info, { width: width * ratio, height: height * ratio });
    return tiles === undefined ? info : { ...info, tiles };
  }

  /** Adds an image, hidden until it is shown; it preloads the tiles of the current viewport. */
  load(image: StageImage, { x, y, width } = firstPlace): Promise<OpenSeadragon.TiledImage | undefined> {
    const existing = this.#loading.get(image.path);
    if (existing !== undefined) return existing;
    const item = new Promise<OpenSeadragon.TiledImage | undefined>((resolve) => {
      this.#viewer.addTiledImage({
        tileSource: image.info.tileSource ?? this.#tileSourceOf(image),
        ...(image.info.isReadable === true && { crossOriginPolicy: 'Anonymous' }),
        ...{ x, y, width, opacity: 0, preload: true },
        success: (event: Event) => {
          const { item } = event as unknown as { item: OpenSeadragon.TiledImage };
          if (image.info.pictureVersion !== undefined) nameVersion(item.source, image.info.pictureVersion);
          if (this.#loading.has(image.path)) this.#added.set(image.path, item);
          resolve(item);
        },
        error: () => resolve(undefined),
      });
    });
    this.#loading.set(image.path, item);
    return item;
  }

  /** The layers that can be loaded; undefined where there are layers, of which none can be. */
  async loadLayers({ layers }: LayerStack, main: StageImage): Promise<readonly LoadedLayer[] | undefined> {
    const loaded = await Promise.all(
      layers.map(async (layer): Promise<LoadedLayer | undefined> => {
        const bounds = boundsOf(layer, main.info);
        const item = await this.load(layer, bounds);
        return item && { layer, item, bounds };
      }),
    );
    const found = loaded.filter((one) => one !== undefined);
    return layers.length > 0 && found.length === 0 ? undefined : found;
  }

  drawLayers(layers: readonly LoadedLayer[]): void {
    const { world } = this.#viewer;
    for (const [index, { layer, item, bounds }] of layers.entries()) {
      item.setPosition(new OpenSeadragon.Point(bounds.x, bounds.y), true);
      item.setWidth(bounds.width, true);
      drawLayer(item, layer, index === 0);
      if (layers.length > 1) world.setItemIndex(item, world.getItemCount() - 1);
    }
  }

  cut({ layers, edge }: LayerStack, at: { readonly matrix: Matrix; readonly window: Size }): void {
    for (const layer of layers) {
      const item = layer.isCut ? this.#added.get(layer.path) : undefined;
      if (item !== undefined) cutAtEdge(item, layer, { ...at, edge });
    }
  }

  /** Hides all but those that are shown; hidden layers need no tiles. */
  async hideOthers(shown: readonly string[], layers: readonly string[]): Promise<void> {
    for (const [path, loading] of this.#loading) {
      if (shown.includes(path)) continue;
      const item = await loading;
      item?.setOpacity(0);
      if (layers.includes(path)) item?.setPreload(false);
    }
  }

  async pathOf(wanted: OpenSeadragon.TiledImage | undefined): Promise<string | undefined> {
    for (const [path, loading] of this.#loading) if ((await loading) === wanted) return path;
    return undefined;
  }

  /** Whether an image lies in the window; of others OpenSeadragon never says that they are loaded. */
  #isInSight(item: OpenSeadragon.TiledImage): boolean {
    const window = this.#viewer.viewport.getBounds(true).getBoundingBox();
    return window.intersection(item.getClippedBounds(true).getBoundingBox()) !== null;
  }

  async fullyLoaded(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const item = this.#added.get(path);
      if (item === undefined || this.#closed || !this.#isInSight(item)) continue;
      await new Promise<void>((resolve) => item.whenFullyLoaded(() => resolve()));
    }
  }

  /** Removes an image, so that all of it is requested again when it is shown again. */
  async forget(path: string): Promise<void> {
    const loading = this.#loading.get(path);
    this.#loading.delete(path);
    this.#added.delete(path);
    const item = await loading;
    if (item !== undefined && !this.#closed) this.#viewer.world.removeItem(item);
  }

  /** Preloads these images, hidden, and removes all others that are neither shown nor hidden layers. */
  async keepReady(
    images: readonly StageImage[],
    { shown, hidden }: { readonly shown: readonly string[]; readonly hidden: readonly string[] },
  ): Promise<void> {
    const wanted = new Set([...shown, ...hidden, ...images.map(({ path }) => path)]);
    for (const path of this.#loading.keys()) if (!wanted.has(path)) await this.forget(path);
    for (const image of images) {
      const item = await this.load(image);
      if (!shown.includes(image.path)) item?.setPreload(true);
    }
  }

  close(): void {
    this.#closed = true;
  }
}
