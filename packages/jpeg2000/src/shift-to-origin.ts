/** Moves parts of tiles to the origin of the reference grid: a decoder takes memory for all that is left of and above an image. */
import type { ComponentCoding } from './coding.ts';
import { type Box, ceilDiv } from './geometry.ts';

type Axis = 'x' | 'y';

/** The ends of a box along an axis. */
interface Span {
  readonly start: number;
  readonly end: number;
}

const spanOf = ({ left, top, right, bottom }: Box, axis: Axis): Span =>
  axis === 'x' ? { start: left, end: right } : { start: top, end: bottom };

const moveSpan = ({ start, end }: Span, by: number): Span => ({ start: start - by, end: end - by });

export const moveBox = ({ left, top, right, bottom }: Box, { x, y }: Readonly<Record<Axis, number>>): Box => ({
  left: left - x,
  top: top - y,
  right: right - x,
  bottom: bottom - y,
});

/** The length of a span, and where it is first divided by multiples of 2^exponent. */
function divisionOf({ start, end }: Span, exponent: number): readonly number[] {
  const size = 2 ** exponent;
  return [end - start, Math.min((Math.floor(start / size) + 1) * size, end) - start];
}

/** What the low or high frequencies of a span are after a number of halvings (equation B-15). */
function subbandOf({ start, end }: Span, halvings: number, isHigh: boolean): Span {
  const by = isHigh ? 2 ** (halvings - 1) : 0;
  return { start: ceilDiv(start - by, 2 ** halvings), end: ceilDiv(end - by, 2 ** halvings) };
}

/** The lengths of all resolutions and subbands along an axis, and how precincts and code-blocks divide them. */
function layoutOf(span: Span, axis: Axis, coding: ComponentCoding): readonly number[] {
  const side = axis === 'x' ? 'width' : 'height';
  const blockSide = axis === 'x' ? coding.blockWidth : coding.blockHeight;
  return coding.precincts.flatMap((precinct, resolution) => {
    const isSmallest = resolution === 0;
    const halvings = coding.levels - Math.max(0, resolution - 1);
    const block = Math.min(blockSide, precinct[side] - (isSmallest ? 0 : 1));
    return [
      ...divisionOf(subbandOf(span, coding.levels - resolution, false), precinct[side]),
      ...divisionOf(subbandOf(span, halvings, false), block),
      ...(isSmallest ? [] : divisionOf(subbandOf(span, halvings, true), block)),
    ];
  });
}

const isEqual = (one: readonly number[], other: readonly number[]): boolean =>
  one.every((value, index) => value === other[index]);

/** Shifts by a multiple of this leave all spans that can be divided as they are. */
const maxExponent = 31;

function shiftAlong(axis: Axis, corner: Box, boxes: readonly Box[], codings: readonly ComponentCoding[]): number {
  const from = spanOf(corner, axis).start;
  const spans = [...new Map(boxes.map((box) => [spanOf(box, axis).start, spanOf(box, axis)])).values()];
  const layouts = spans.flatMap((span) =>
    codings.map((coding) => ({ span, coding, own: layoutOf(span, axis, coding) })),
  );
  // A multiple of this keeps which samples of each resolution are low and which are high frequencies.
  const levels = Math.max(...codings.map((coding) => coding.levels));
  for (let exponent = levels; exponent < maxExponent; exponent++) {
    const by = Math.floor(from / 2 ** exponent) * 2 ** exponent;
    if (layouts.every(({ span, coding, own }) => isEqual(own, layoutOf(moveSpan(span, by), axis, coding)))) return by;
  }
  return 0;
}

/**
 * How far boxes can be moved to the left and up, at most to `corner`, without a change of how their subbands are divided into precincts and
 * code-blocks. All are in samples of components with these codings.
 */
export const shiftToOrigin = (
  corner: Box,
  boxes: readonly Box[],
  codings: readonly ComponentCoding[],
): Readonly<Record<Axis, number>> => ({
  x: shiftAlong('x', corner, boxes, codings),
  y: shiftAlong('y', corner, boxes, codings),
});
