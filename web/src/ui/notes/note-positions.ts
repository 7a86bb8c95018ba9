/** Positions of notes as text: in fractions, as in addresses, and in pixels. */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import { message } from '../../messages/message.ts';
import type { Point, Rect } from '../../model/view-state.ts';
import { formatCount, formatFraction } from '../common/counts.ts';

const fractions = ({ x, y }: Point): string =>
  message('note-position-fractions', { x: formatFraction(x), y: formatFraction(y) });

const wholePixels = (fraction: number, side: number): string => formatCount(Math.round(fraction * side));

const pixels = ({ x, y }: Point, { width, height }: Size): string =>
  message('note-position-pixels', { x: wholePixels(x, width), y: wholePixels(y, height) });

/** The position of a point. */
export const pointLines = (point: Point, image: Size): readonly string[] => [fractions(point), pixels(point, image)];

/** The position and size of a rectangle. */
export const rectangleLines = (rectangle: Rect, image: Size): readonly string[] => [
  `${fractions(rectangle)} · ${formatFraction(rectangle.width)} × ${formatFraction(rectangle.height)}`,
  `${pixels(rectangle, image)} · ${message('note-size-pixels', {
    width: wholePixels(rectangle.width, image.width),
    height: wholePixels(rectangle.height, image.height),
  })}`,
];

/** Whether any of the texts includes the query, regardless of case and spaces. */
export function includesText(query: string, parts: readonly string[]): boolean {
  const plain = (text: string): string => text.toLocaleLowerCase().replace(/\s+/g, '');
  return parts.some((part) => plain(part).includes(plain(query)));
}
