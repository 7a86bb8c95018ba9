/** Where the page beside another one lies: how large, and how high. */
import type { Size } from '../../../src/core/image/model/geometry.ts';
import { type Rect, wholeImage } from './view-state.ts';

export type Side = 'left' | 'right';

/** The gap between two pages, as a fraction of the main one's height. */
const gap = 0.011;

/** How much the proportions of two scans may differ that show leaves of the same size. */
const likeness = 1.15;

const ratioOf = ({ width, height }: Size): number => width / height;

const areAlike = (one: number, other: number): boolean => Math.max(one / other, other / one) <= likeness;

/** Whether a scan is smaller than another both ways, and shows another shape: a slip, or the page beside a foldout. */
const isSmaller = (one: Size, other: Size): boolean =>
  one.width < other.width && one.height * likeness < other.height && !areAlike(ratioOf(one), ratioOf(other));

/**
 * The position of the page beside the main one, in fractions of the main one. Pages have the same height, whatever their
 * resolutions; a foldout or a slip keeps its own size beside them, with its top edge at theirs. Sizes are pixels.
 */
export function rectBeside(main: Size, beside: Size, side: Side): Rect {
  const isOwnSize = isSmaller(main, beside) || isSmaller(beside, main);
  const scale = isOwnSize ? 1 : main.height / beside.height;
  const width = (beside.width * scale) / main.width;
  const space = (gap * main.height) / main.width;
  return {
    x: side === 'right' ? 1 + space : -space - width,
    y: 0,
    width,
    height: (beside.height * scale) / main.height,
  };
}

/** The extent of the main page together with the one beside it, in fractions of the main one. */
export function spreadOf(beside: Rect | undefined): Rect {
  if (beside === undefined) return wholeImage;
  const [left, right] = [Math.min(0, beside.x), Math.max(1, beside.x + beside.width)];
  return { x: left, y: 0, width: right - left, height: Math.max(1, beside.height) };
}
