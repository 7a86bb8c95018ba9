/** Mirroring and quarter turns as one small group, and how EXIF orientation maps upright pixels to stored ones. */
import { type Rect, type Size, transpose } from './geometry.ts';
import type { Orientation } from './image-set.ts';

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
