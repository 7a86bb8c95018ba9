/** Sizes and rectangles in pixels, and the arithmetic that all dialects share. */

/** Width and height in pixels of the resolution that the context names. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A rectangle in pixels of the resolution that the context names; `x`, `y` are its left, top corner. */
export interface Rect extends Size {
  readonly x: number;
  readonly y: number;
}

/** Pixels an inch along each axis. */
export interface Dpi {
  readonly x: number;
  readonly y: number;
}

/** Rounds half up, as Java's Math.round does: 2.5 is 3, -2.5 is -2. */
export const roundHalfUp = (value: number): number => Math.floor(value + 0.5);

/** The rectangle with each coordinate computed from it and from the factor or length of its axis. */
export const mapRect = (rect: Rect, axes: Size, compute: (value: number, ofAxis: number) => number): Rect => ({
  x: compute(rect.x, axes.width),
  y: compute(rect.y, axes.height),
  width: compute(rect.width, axes.width),
  height: compute(rect.height, axes.height),
});

/** The part of `rect` that lies within an image of `size`, or undefined when they share no area. */
export function intersect(rect: Rect, size: Size): Rect | undefined {
  const left = Math.max(rect.x, 0);
  const top = Math.max(rect.y, 0);
  const right = Math.min(rect.x + rect.width, size.width);
  const bottom = Math.min(rect.y + rect.height, size.height);
  if (right <= left || bottom <= top) return undefined;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Whether `rect` is the whole of an image of `size`. */
export const isWhole = (rect: Rect, size: Size): boolean =>
  rect.x === 0 && rect.y === 0 && rect.width === size.width && rect.height === size.height;

/** The smallest rectangle on whole pixels around `rect`. */
export function outward(rect: Rect): Rect {
  const x = Math.floor(rect.x);
  const y = Math.floor(rect.y);
  return { x, y, width: Math.ceil(rect.x + rect.width) - x, height: Math.ceil(rect.y + rect.height) - y };
}

/** Width and height exchanged, as a quarter turn leaves them. */
export const transpose = (size: Size): Size => ({ width: size.height, height: size.width });

/** The bounds of a `size` turned by `degrees` about its center, in whole pixels. */
export function rotatedBounds(size: Size, degrees: number): Size {
  const quarterTurns = degrees / 90;
  if (Number.isInteger(quarterTurns)) return quarterTurns % 2 === 0 ? size : transpose(size);
  const radians = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.abs(Math.cos(radians)), Math.abs(Math.sin(radians))];
  return {
    width: Math.max(1, Math.round(size.width * cos + size.height * sin)),
    height: Math.max(1, Math.round(size.width * sin + size.height * cos)),
  };
}
