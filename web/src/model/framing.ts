/** Which region of the image a window shows, and how the image must lie for a window to show a region. */
import type { Size } from '../../../src/image/model/geometry.ts';
import { cosineAndSine, type Matrix, matrixOf, type Placement, turnToScreen } from './geometry.ts';
import { type Point, type Rect, type ViewState, wholeImage } from './view-state.ts';

/** The steps of the buttons, as digilib's viewer has them. */
export const zoomSteps = { in: 1.4, out: 0.7 } as const;

type Turned = Pick<ViewState, 'region' | 'rotation' | 'mirror'>;

const centerOf = ({ x, y, width, height }: Rect): Point => ({ x: x + width / 2, y: y + height / 2 });

const pixelsOf = (region: Rect, image: Size): Size => ({
  width: region.width * image.width,
  height: region.height * image.height,
});

/** The bounds of a rectangle that is turned about its center. */
function turnedBounds({ width, height }: Size, degrees: number): Size {
  const [cosine, sine] = cosineAndSine(degrees).map(Math.abs) as [number, number];
  return { width: width * cosine + height * sine, height: width * sine + height * cosine };
}

/** The largest factor by which `shape`, turned, still fits a window. */
function fittingFactor(shape: Size, degrees: number, window: Size): number {
  const bounds = turnedBounds(shape, degrees);
  return Math.min(window.width / bounds.width, window.height / bounds.height);
}

/** How an image lies when a view's region, mirrored and turned about its center, fits a window. */
export const fitRegion = (view: Turned, image: Size, window: Size): Placement => ({
  center: centerOf(view.region),
  scale: fittingFactor(pixelsOf(view.region, image), view.rotation, window),
  rotation: view.rotation,
  mirror: view.mirror,
});

/** The map from fractions of the image to CSS pixels of a window that the view's region fits. */
export const viewMatrix = (view: Turned, image: Size, window: Size): Matrix =>
  matrixOf(fitRegion(view, image, window), image, window);

/**
 * How much of the upright image a window shows at a scale, in fractions: for quarter turns all that is seen, else the
 * largest rectangle of the window's shape that is seen whole. Fitting it gives the scale again.
 */
export function extentShown(scale: number, rotation: number, image: Size, window: Size): Size {
  const [cosine, sine] = cosineAndSine(rotation).map(Math.abs) as [number, number];
  const shape = cosine >= sine ? window : { width: window.height, height: window.width };
  const factor = fittingFactor(shape, rotation, window) / scale;
  return { width: (shape.width * factor) / image.width, height: (shape.height * factor) / image.height };
}

/** The region of a size with its middle at a point. */
export const around = ({ x, y }: Point, { width, height }: Size): Rect => ({
  x: x - width / 2,
  y: y - height / 2,
  width,
  height,
});

/** The part of a region that lies on the image; the whole image where none does. */
export function clipToImage({ x, y, width, height }: Rect): Rect {
  const [left, top] = [Math.max(x, 0), Math.max(y, 0)];
  const [right, bottom] = [Math.min(x + width, 1), Math.min(y + height, 1)];
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : wholeImage;
}

/** Whether two placements differ by less than half a pixel of the screen, here and at the window's edges. */
function isSamePlacement(one: Placement, other: Placement, image: Size, window: Size): boolean {
  const moved = turnToScreen(one, {
    x: (one.center.x - other.center.x) * image.width,
    y: (one.center.y - other.center.y) * image.height,
  });
  const grown = Math.abs(one.scale / other.scale - 1) * Math.max(window.width, window.height);
  return Math.hypot(moved.x, moved.y) + grown < 0.5;
}

/**
 * The region of the upright image that a window shows; `fitRegion` places it as it was. Where several regions lead to
 * the same picture, the one that was asked for stays, else it is the whole image, else what lies on the image.
 */
export function regionShown(placement: Placement, image: Size, window: Size, asked: Rect = wholeImage): Rect {
  const { center, scale, rotation, mirror } = placement;
  const seen = around(center, extentShown(scale, rotation, image, window));
  const leadsHere = (region: Rect): boolean =>
    isSamePlacement(placement, fitRegion({ region, rotation, mirror }, image, window), image, window);
  return [asked, wholeImage, clipToImage(seen)].find(leadsHere) ?? seen;
}

/** The scale at which one pixel of the image is one of the screen. */
export const pixelScale = (devicePixelRatio: number): number => 1 / devicePixelRatio;

/** Pixels for an inch, along the image's two sides. */
export interface Resolution {
  readonly x: number;
  readonly y: number;
}

/**
 * The scale at which the image has its true size: CSS pixels for an inch of the screen to pixels for an inch of the
 * image. A picture on the screen has one scale; of two resolutions the geometric mean keeps areas true.
 */
export const trueScale = (cssPixelsPerInch: number, dpi: Resolution): number =>
  cssPixelsPerInch / Math.sqrt(dpi.x * dpi.y);

/** The region that a window shows at a fixed scale from the corner of a view's region on (modes `clip` and `osize`). */
export function regionAtScale(view: Turned, scale: number, image: Size, window: Size): Rect {
  const { x, y } = view.region;
  return { x, y, ...extentShown(scale, view.rotation, image, window) };
}

const keepInside = (start: number, extent: number): number =>
  extent >= 1 ? (1 - extent) / 2 : Math.min(Math.max(start, 0), 1 - extent);

/** The region moved onto the image; what is larger than the image is centered. */
export const keepOnImage = ({ x, y, width, height }: Rect): Rect => ({
  x: keepInside(x, width),
  y: keepInside(y, height),
  width,
  height,
});
