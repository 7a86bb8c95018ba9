/** The placement of an image in a window as maps between both, and as OpenSeadragon has it. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { normalizedDegrees } from '../address/view-query.ts';
import type { Point, Rect, ViewState } from '../view-state.ts';

export interface Placement {
  /** The point in the center of the window, in fractions of the image. */
  readonly center: Point;
  /** CSS pixels per pixel of the image. */
  readonly scale: number;
  /** Degrees clockwise, after mirroring. */
  readonly rotation: number;
  readonly mirror: ViewState['mirror'];
}

/** An affine map as CSS writes it: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** Cosine and sine of degrees, exact for quarter turns, so that straight edges stay straight. */
export function cosineAndSine(degrees: number): readonly [cosine: number, sine: number] {
  const quarters = degrees / 90;
  if (Number.isInteger(quarters)) {
    const turn = ((quarters % 4) + 4) % 4;
    return [[1, 0, -1, 0][turn] ?? 1, [0, 1, 0, -1][turn] ?? 0];
  }
  const radians = (degrees * Math.PI) / 180;
  return [Math.cos(radians), Math.sin(radians)];
}

export function turnToScreen({ scale, rotation, mirror }: Placement, { x, y }: Point): Point {
  const [cosine, sine] = cosineAndSine(rotation);
  const right = scale * (mirror.horizontal ? -x : x);
  const down = scale * (mirror.vertical ? -y : y);
  return { x: cosine * right - sine * down, y: sine * right + cosine * down };
}

/** The map from fractions of an image to CSS pixels of the window. */
export function matrixOf(placement: Placement, image: Size, window: Size): Matrix {
  const across = turnToScreen(placement, { x: image.width, y: 0 });
  const down = turnToScreen(placement, { x: 0, y: image.height });
  const { center } = placement;
  const left = window.width / 2 - across.x * center.x - down.x * center.y;
  const top = window.height / 2 - across.y * center.x - down.y * center.y;
  return [across.x, across.y, down.x, down.y, left, top];
}

export const toScreen = ([a, b, c, d, e, f]: Matrix, { x, y }: Point): Point => ({
  x: a * x + c * y + e,
  y: b * x + d * y + f,
});

export function toImage([a, b, c, d, e, f]: Matrix, { x, y }: Point): Point {
  const determinant = a * d - b * c;
  const [right, down] = [x - e, y - f];
  return { x: (d * right - c * down) / determinant, y: (a * down - b * right) / determinant };
}

/** A point in fractions of an image as one in pixels of it. */
export const inPixels = ({ x, y }: Point, { width, height }: Size): Point => ({ x: x * width, y: y * height });

/** A point in pixels of an image as one in fractions of it. */
export const inFractions = ({ x, y }: Point, { width, height }: Size): Point => ({ x: x / width, y: y / height });

export const boxInPixels = (box: Rect, size: Size): Rect => ({
  ...inPixels(box, size),
  width: box.width * size.width,
  height: box.height * size.height,
});

export const boxInFractions = (box: Rect, size: Size): Rect => ({
  ...inFractions(box, size),
  width: box.width / size.width,
  height: box.height / size.height,
});

export const centerOf = ({ x, y, width, height }: Rect): Point => ({ x: x + width / 2, y: y + height / 2 });

/** The rectangle of a size around a point. */
export const around = ({ x, y }: Point, { width, height }: Size): Rect => ({
  x: x - width / 2,
  y: y - height / 2,
  width,
  height,
});

/** The rectangle with sides of at least this length, around the same center. */
export const atLeast = (box: Rect, side: number): Rect =>
  around(centerOf(box), { width: Math.max(box.width, side), height: Math.max(box.height, side) });

/** The corners of an upright rectangle, clockwise from the left, top one. */
export const cornersOf = ({ x, y, width, height }: Rect): readonly Point[] => [
  { x, y },
  { x: x + width, y },
  { x: x + width, y: y + height },
  { x, y: y + height },
];

/**
 * The map from pixels of a picture to CSS pixels of the window, where the picture covers a part of the image: `matrix` maps
 * fractions of the image, of which `part` is a rectangle, and `size` counts the pixels of the picture.
 */
export function matrixOfPart([a, b, c, d, e, f]: Matrix, part: Rect, size: Size): Matrix {
  const [across, down] = [part.width / size.width, part.height / size.height];
  const corner = toScreen([a, b, c, d, e, f], part);
  return [a * across, b * across, c * down, d * down, corner.x, corner.y];
}

/** The point of an image that lies at a point of the canvas that it is painted on, and has a place on; both in fractions. */
export const pointOnImage = ({ x, y }: Point, place: Rect): Point => ({
  x: (x - place.x) / place.width,
  y: (y - place.y) / place.height,
});

export const partOnImage = (part: Rect, place: Rect): Rect => ({
  ...pointOnImage(part, place),
  width: part.width / place.width,
  height: part.height / place.height,
});

/** The point of the canvas that a point of the image lies at. */
export const pointOnCanvas = ({ x, y }: Point, place: Rect): Point => ({
  x: place.x + x * place.width,
  y: place.y + y * place.height,
});

export const partOnCanvas = (part: Rect, place: Rect): Rect => ({
  ...pointOnCanvas(part, place),
  width: part.width * place.width,
  height: part.height * place.height,
});

export const cssOf = (matrix: Matrix): string => `matrix(${matrix.join(',')})`;

/** The upright rectangle around points; undefined for none. */
export function boxAround(points: readonly Point[]): Rect | undefined {
  const [first] = points;
  if (first === undefined) return undefined;
  let [left, top, right, bottom] = [first.x, first.y, first.x, first.y];
  for (const { x, y } of points) {
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

type Mirror = ViewState['mirror'];

/** Rotated clockwise, then flipped left to right. */
interface Turn {
  readonly flipped: boolean;
  readonly degrees: number;
}

/** Mirroring top to bottom is left to right with another 180°; after a flip, rotation is counterclockwise. */
export function turnOf(rotation: number, mirror: Mirror): Turn {
  const flipped = mirror.horizontal !== mirror.vertical;
  const clockwise = rotation + (mirror.vertical ? 180 : 0);
  return { flipped, degrees: normalizedDegrees(flipped ? -clockwise : clockwise) };
}
