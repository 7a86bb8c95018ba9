/** Marks and regions as rows of a table, with numbers that are not formatted for a language. */
import type { Size } from '../../../src/core/image/model/geometry.ts';
import { tagsCell } from './measure-table.ts';
import type { AddressNotes } from './notes.ts';

/** The names of the columns; places and sizes are in pixels of the upright image, and a mark has no size. */
export const noteColumns = ['image', 'kind', 'number', 'text', 'tags', 'color', 'x', 'y', 'width', 'height'] as const;

type Cell = string | number | null;

const pixels = (fraction: number, side: number): number => Math.round(fraction * side * 10) / 10;

/** One row for each mark and each region, in the order of `noteColumns`. `path` is that of the image. */
export function noteRows(
  { marks, rectangles }: AddressNotes,
  { path, size: { width, height } }: { readonly path: string; readonly size: Size },
): readonly (readonly Cell[])[] {
  const markRows = marks.map((mark, at) => [
    ...[path, 'mark', at + 1, mark.text ?? '', tagsCell(mark), mark.color ?? ''],
    ...[pixels(mark.x, width), pixels(mark.y, height), null, null],
  ]);
  const regionRows = rectangles.map((one, at) => [
    ...[path, 'region', at + 1, one.text ?? '', tagsCell(one), one.color ?? ''],
    ...[pixels(one.x, width), pixels(one.y, height), pixels(one.width, width), pixels(one.height, height)],
  ]);
  return [...markRows, ...regionRows];
}
