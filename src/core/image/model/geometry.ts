/** Sizes and rectangles in pixels, quarter turns and mirroring, and the arithmetic that all dialects share. */

/** EXIF orientation: how the stored rows and columns have to be turned to be seen upright (1 = as stored). */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** Whether an orientation exchanges width and height. */
export const isTransposed = (orientation: Orientation): boolean => orientation >= 5;

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

/** First mirrored left to right when `flop`, then turned clockwise by `turns` quarters. */
export interface Turn {
  readonly flop: boolean;
  readonly turns: 0 | 1 | 2 | 3;
}

const quarter = (turns: number): Turn['turns'] => (((turns % 4) + 4) % 4) as Turn['turns'];

export const noTurn: Turn = { flop: false, turns: 0 };
export const mirrorHorizontally: Turn = { flop: true, turns: 0 };
export const mirrorVertically: Turn = { flop: true, turns: 2 };

/** A clockwise turn by quarters. */
export const turnBy = (quarters: number): Turn => ({ flop: false, turns: quarter(quarters) });

/** The turn that has the effect of `first` and then `second`: mirroring after a turn reverses that turn. */
export const compose = (first: Turn, second: Turn): Turn => ({
  flop: first.flop !== second.flop,
  turns: quarter((second.flop ? -first.turns : first.turns) + second.turns),
});

const uprighting: Readonly<Record<Orientation, Turn>> = {
  1: noTurn,
  2: mirrorHorizontally,
  3: turnBy(2),
  4: mirrorVertically,
  5: { flop: true, turns: 3 },
  6: turnBy(1),
  7: { flop: true, turns: 1 },
  8: turnBy(3),
};

/** The turn that shows stored pixels of this EXIF orientation upright. */
export const upright = (orientation: Orientation): Turn => uprighting[orientation];

/** Converts a rectangle of the upright image to the stored image, whose size is given as stored. */
export function toStored(rect: Rect, stored: Size, orientation: Orientation): Rect {
  const { flop, turns } = upright(orientation);
  const unturned = unturn(rect, stored, turns);
  return flop ? { ...unturned, x: stored.width - unturned.x - unturned.width } : unturned;
}

/** Undoes clockwise quarter turns of an image that was `size` before them. */
function unturn(rect: Rect, size: Size, turns: Turn['turns']): Rect {
  const { x, y, width, height } = rect;
  switch (turns) {
    case 0:
      return rect;
    case 1:
      return { x: y, y: size.height - x - width, width: height, height: width };
    case 2:
      return { x: size.width - x - width, y: size.height - y - height, width, height };
    case 3:
      return { x: size.width - y - height, y: x, width: height, height: width };
  }
}

/** The position of a rectangle of an image of `size` after a turn. */
export function turned(rect: Rect, size: Size, { flop, turns }: Turn): Rect {
  const mirrored = flop ? { ...rect, x: size.width - rect.x - rect.width } : rect;
  return unturn(mirrored, turns % 2 === 0 ? size : transpose(size), quarter(-turns));
}

/** The smallest rectangle around two. */
export function union(a: Rect, b: Rect): Rect {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}
