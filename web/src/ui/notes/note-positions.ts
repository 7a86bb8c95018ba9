/** Where a note is, as text: in fractions as addresses have it, and in pixels. */
import type { Size } from '../../../../src/image/model/geometry.ts';
import { message } from '../../messages/message.ts';
import { formatNumber } from '../../model/number-text.ts';
import type { Point, Rect } from '../../model/view-state.ts';

const fractions = ({ x, y }: Point): string =>
  message('note-place-fractions', { x: formatNumber(x), y: formatNumber(y) });

const pixels = ({ x, y }: Point, { width, height }: Size): string =>
  message('note-place-pixels', { x: Math.round(x * width), y: Math.round(y * height) });

/** The lines that say where a point is. */
export const placeOfPoint = (point: Point, image: Size): readonly string[] => [fractions(point), pixels(point, image)];

/** The lines that say where a rectangle is and how large. */
export const placeOfRectangle = (rectangle: Rect, image: Size): readonly string[] => [
  `${fractions(rectangle)} · ${formatNumber(rectangle.width)} × ${formatNumber(rectangle.height)}`,
  `${pixels(rectangle, image)} · ${message('note-size-pixels', {
    width: Math.round(rectangle.width * image.width),
    height: Math.round(rectangle.height * image.height),
  })}`,
];

/** Whether a text that is searched for is in a note's text or in where it is; spaces don't count. */
export function holds(query: string, parts: readonly string[]): boolean {
  const plain = (text: string): string => text.toLocaleLowerCase().replace(/\s+/g, '');
  return parts.some((part) => plain(part).includes(plain(query)));
}
