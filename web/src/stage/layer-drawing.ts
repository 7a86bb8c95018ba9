/** How the layers of a page are drawn by OpenSeadragon: their places, opacity, colors and edges. */
import OpenSeadragon from 'openseadragon';
import type { Size } from '../../../src/core/image/model/geometry.ts';
import type { InfoJson } from '../data/image-info.ts';
import { boxInPixels, cornersOf, inPixels, type Matrix, pointOnImage, toImage } from '../model/view/geometry.ts';
import type { DrawnLayer } from '../model/view/layers.ts';
import { type Point, type Rect, wholeImage } from '../model/view-state.ts';
import { setLayerDrawing } from './viewer.ts';

export interface StageImage {
  readonly path: string;
  readonly info: InfoJson;
}

/** A layer over the main image, with its place in fractions of that. */
export interface StageLayer extends StageImage, Omit<DrawnLayer, 'number'> {
  readonly place: Rect;
  /** The part of it that is seen, in fractions of it; undefined for the whole. */
  readonly part: Rect | undefined;
}

/** The layers that are shown of a page, from the lowest. */
export interface LayerStack {
  readonly layers: readonly StageLayer[];
  /** What all layers of the page cover together, in fractions of the main image. */
  readonly extent: Rect;
  /** Where layers are cut, in fractions of the width of the window. */
  readonly edge: number;
  /** All layers of the page: those that have been shown are kept while they are hidden. */
  readonly paths: readonly string[];
}

/** The image alone, as most pages show it. */
export const singleLayer = (image: StageImage): LayerStack => ({
  layers: [
    {
      ...image,
      place: wholeImage,
      part: undefined,
      opacity: 1,
      tint: undefined,
      composite: 'source-over',
      isCut: false,
    },
  ],
  extent: wholeImage,
  edge: 0,
  paths: [],
});

/** The place of a layer as OpenSeadragon has it, where the main image is one unit wide. An image of another shape is centered in it. */
export function boundsOf({ place, info }: StageLayer, main: Size): Rect {
  const unit = main.height / main.width;
  const [width, height] = [place.width, place.height * unit];
  const fitting = Math.min(width / info.width, height / info.height);
  const own = { width: info.width * fitting, height: info.height * fitting };
  return { x: place.x + (width - own.width) / 2, y: place.y * unit + (height - own.height) / 2, ...own };
}

export function drawLayer(item: OpenSeadragon.TiledImage, layer: StageLayer, isLowest: boolean): void {
  item.setOpacity(layer.opacity);
  item.setPreload(false);
  // The types lack that none is allowed.
  item.setCompositeOperation((layer.composite === 'source-over' ? null : layer.composite) as string);
  const { x: width, y: height } = item.source.dimensions;
  const box = layer.part && boxInPixels(layer.part, { width, height });
  item.setClip(box === undefined ? null : new OpenSeadragon.Rect(box.x, box.y, box.width, box.height));
  if (!layer.isCut) item.resetCroppingPolygons();
  setLayerDrawing(item, { tint: layer.tint, isLowest });
}

/** Cuts a layer at the left of the edge; `matrix` maps fractions of the main image to CSS pixels of the window. */
export function cutAtEdge(
  item: OpenSeadragon.TiledImage,
  { place }: StageLayer,
  { matrix, window, edge }: { readonly matrix: Matrix; readonly window: Size; readonly edge: number },
): void {
  const { x: width, y: height } = item.source.dimensions;
  const left = edge * window.width;
  const seen = { x: left, y: 0, width: Math.max(window.width - left, 0), height: window.height };
  const onLayer = (corner: Point): Point => inPixels(pointOnImage(toImage(matrix, corner), place), { width, height });
  item.setCroppingPolygons([
    cornersOf(seen)
      .map(onLayer)
      .map(({ x, y }) => new OpenSeadragon.Point(x, y)),
  ]);
}
