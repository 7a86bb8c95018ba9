/** Converts between the region of the image that a window shows and the placement of the image in the window. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { type Rect, type ViewState, wholeImage } from '../view-state.ts';
import {
  around,
  centerOf,
  cosineAndSine,
  inPixels,
  type Matrix,
  type Placement,
  toScreen,
  turnToScreen,
} from './geometry.ts';

/** Maximum scale, in CSS pixels per pixel of the image: more shows nothing new. */
export const maxScale = 16;

/** Zoom factors of the buttons, as in digilib's viewer. */
export const zoomSteps = { in: 1.4, out: 0.7 } as const;

type Oriented = Pick<ViewState, 'region' | 'rotation' | 'mirror'>;

const pixelsOf = (region: Rect, image: Size): Size => ({
  width: region.width * image.width,
  height: region.height * image.height,
});

export function boundsOfRotated({ width, height }: Size, degrees: number): Size {
  const [cosine, sine] = cosineAndSine(degrees).map(Math.abs) as [number, number];
  return { width: width * cosine + height * sine, height: width * sine + height * cosine };
}

function fittingFactor(shape: Size, degrees: number, window: Size): number {
  const bounds = boundsOfRotated(shape, degrees);
  return Math.min(window.width / bounds.width, window.height / bounds.height);
}

/** The placement at which a view's region, mirrored and rotated about its center, fits a window. */
export const fitRegion = (view: Oriented, image: Size, window: Size): Placement => ({
  center: centerOf(view.region),
  scale: fittingFactor(pixelsOf(view.region, image), view.rotation, window),
  rotation: view.rotation,
  mirror: view.mirror,
});

/**
 * The extent of the region at a scale, in fractions of the upright image: all that is visible for multiples of 90°, else
 * the largest visible rectangle with the aspect ratio of the window. Fitting it results in the same scale.
 */
export function extentShown(scale: number, rotation: number, image: Size, window: Size): Size {
  const [cosine, sine] = cosineAndSine(rotation).map(Math.abs) as [number, number];
  const shape = cosine >= sine ? window : { width: window.height, height: window.width };
  const factor = fittingFactor(shape, rotation, window) / scale;
  return { width: (shape.width * factor) / image.width, height: (shape.height * factor) / image.height };
}

/** The part of a region on the image, or on another extent; the whole image if they do not overlap. */
export function clipToImage({ x, y, width, height }: Rect, extent: Rect = wholeImage): Rect {
  const [left, top] = [Math.max(x, extent.x), Math.max(y, extent.y)];
  const [right, bottom] = [
    Math.min(x + width, extent.x + extent.width),
    Math.min(y + height, extent.y + extent.height),
  ];
  return right > left && bottom > top ? { x: left, y: top, width: right - left, height: bottom - top } : wholeImage;
}

export const hasSameTurn = (one: Placement, other: Placement): boolean =>
  one.rotation === other.rotation &&
  one.mirror.horizontal === other.mirror.horizontal &&
  one.mirror.vertical === other.mirror.vertical;

/** How much two placements of the same turn differ in the center and at the window's edges, in CSS pixels. */
function difference(one: Placement, other: Placement, image: Size, window: Size): number {
  const apart = { x: one.center.x - other.center.x, y: one.center.y - other.center.y };
  const moved = turnToScreen(one, inPixels(apart, image));
  const grown = Math.abs(one.scale / other.scale - 1) * Math.max(window.width, window.height);
  return Math.hypot(moved.x, moved.y) + grown;
}

/** Whether two placements differ by less than a hundredth of a CSS pixel in the window. */
export const isSamePlace = (one: Placement, other: Placement, image: Size, window: Size): boolean =>
  hasSameTurn(one, other) && difference(one, other, image, window) < 0.01;

/**
 * The region of the upright image that a window shows; `fitRegion` results in the same placement. If several regions do,
 * `requested` is preferred, then the whole image, then the part of the visible region on the image.
 */
export function regionShown(placement: Placement, image: Size, window: Size, requested: Rect = wholeImage): Rect {
  const { center, scale, rotation, mirror } = placement;
  const seen = around(center, extentShown(scale, rotation, image, window));
  const hasSamePlacement = (region: Rect): boolean =>
    difference(placement, fitRegion({ region, rotation, mirror }, image, window), image, window) < 0.5;
  return [requested, wholeImage, clipToImage(seen)].find(hasSamePlacement) ?? seen;
}

/** The scale at which one pixel of the image is one device pixel. */
export const pixelScale = (devicePixelRatio: number): number => 1 / devicePixelRatio;

/** Pixels per inch along both sides of the image. */
export interface Resolution {
  readonly x: number;
  readonly y: number;
}

/**
 * The scale at which the image has its true size: CSS pixels per inch of the screen divided by pixels per inch of the
 * image. If the resolutions of both sides differ, their geometric mean preserves areas.
 */
export const trueScale = (cssPixelsPerInch: number, dpi: Resolution): number =>
  cssPixelsPerInch / Math.sqrt(dpi.x * dpi.y);

/** The region with the corner of the view's region that a window shows at a fixed scale (`mo=clip` and `osize`). */
export function regionAtScale(view: Oriented, scale: number, image: Size, window: Size): Rect {
  const { x, y } = view.region;
  return { x, y, ...extentShown(scale, view.rotation, image, window) };
}

const keepInside = (start: number, extent: number): number =>
  extent >= 1 ? (1 - extent) / 2 : Math.min(Math.max(start, 0), 1 - extent);

/** The region moved onto the image; a larger one is centered. */
export const keepOnImage = ({ x, y, width, height }: Rect): Rect => ({
  x: keepInside(x, width),
  y: keepInside(y, height),
  width,
  height,
});

/** The bounding box of a region that is rotated about its center, in CSS pixels of the stage. `scale`: CSS pixels per pixel of the image. */
export function boxOfRegion(
  { region, rotation }: Pick<ViewState, 'region' | 'rotation'>,
  image: Size,
  scale: number,
  matrix: Matrix,
): Rect {
  const { x, y } = toScreen(matrix, centerOf(region));
  const upright = { width: region.width * image.width * scale, height: region.height * image.height * scale };
  const { width, height } = boundsOfRotated(upright, rotation);
  return { x: x - width / 2, y: y - height / 2, width, height };
}

/** The map from fractions of the image to the box, which is enlarged to `width`. */
export function matrixInBox([a, b, c, d, e, f]: Matrix, box: Rect, width: number): Matrix {
  const factor = width / box.width;
  return [a * factor, b * factor, c * factor, d * factor, (e - box.x) * factor, (f - box.y) * factor];
}

interface ScaleBar {
  readonly meters: number;
  /** Of the length that was available, from 0 to 1. */
  readonly share: number;
}

/** The longest of 1, 2 and 5 times a power of ten units that is at most `available` meters; undefined without length. */
export function scaleBarWithin(available: number, metersPerUnit: number): ScaleBar | undefined {
  const units = available / metersPerUnit;
  if (!(units > 0) || !Number.isFinite(units)) return undefined;
  const power = 10 ** Math.floor(Math.log10(units));
  const round = [5, 2, 1].find((factor) => factor * power <= units * (1 + 1e-9)) ?? 1;
  return { meters: round * power * metersPerUnit, share: (round * power) / units };
}
