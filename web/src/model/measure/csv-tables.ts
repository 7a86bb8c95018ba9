/** Notes and measurements as rows of tables, with numbers that are not formatted for a language, and tables as CSV (RFC 4180). */
import type { Size } from '../../../../src/core/image/model/geometry.ts';
import type { Unit } from '../../../../src/core/image/model/units.ts';
import type { AddressNotes } from '../notes/own-notes.ts';
import type { NoteContent } from '../view-state.ts';
import { type Measured, measureOf, type Quantity, quantities } from './extents.ts';
import type { ImageScale, Measure } from './measure.ts';
import { withPlace } from './units.ts';

type Cell = string | number | null;

/** Beginnings of formulas, also after spaces; an apostrophe before them makes a text of it. */
const formula = /^[\s]*[=+\-@]|^[\t\r]/;

function cellText(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const text = formula.test(cell ?? '') ? `'${cell}` : (cell ?? '');
  return /[",;\r\n\t']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The first row has the names of the columns. The byte order mark declares UTF-8 to spreadsheet programs. */
export const csvText = (rows: readonly (readonly Cell[])[]): string =>
  `\ufeff${rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('')}`;

interface MeasuredImage {
  readonly path: string;
  /** Upright pixels. */
  readonly size: Size;
  /** Undefined where lengths are in pixels only. */
  readonly scale: ImageScale | undefined;
  /** The unit of all lengths, and with `²` of all areas. */
  readonly unit: Unit;
}

/** The names of the columns; `pixels` and `value` are null where a quantity has none. */
export const measureColumns = [
  'image',
  'number',
  'kind',
  'text',
  'quantity',
  'pixels',
  'value',
  'unit',
  'points',
  'tags',
  'color',
] as const;

/** More digits than any measurement is precise to. */
const significant = 7;

const numberCell = (value: number): number | null =>
  Number.isFinite(value) ? Number(value.toPrecision(significant)) : null;

/** The name of a unit in English, as the names of columns. */
const nameOf = ({ symbol, name, place }: Unit): string => withPlace(symbol ?? name, place, 'en');

type Values = readonly [quantity: string, pixels: Cell, value: Cell, unit: string];

function extentValues({ name, dimension, pick }: Quantity, { pixels, meters }: Measured, unit: Unit): Values {
  const [power, sign] = dimension === 'area' ? [2, '²'] : [1, ''];
  const counted = numberCell(pick(pixels) ?? 0);
  if (meters === undefined) return [name, counted, counted, `px${sign}`];
  return [name, counted, numberCell((pick(meters) ?? 0) / unit.meters ** power), `${nameOf(unit)}${sign}`];
}

const otherValues = ({ degrees, ratio }: Measured): readonly Values[] => [
  ...(degrees === undefined ? [] : [['angle', null, numberCell(degrees), '°'] as const]),
  ...(ratio === undefined ? [] : [['ratio', null, numberCell(ratio), ''] as const]),
];

const tagsCell = ({ tags = [] }: NoteContent): string => tags.join('; ');

/** In pixels of the image: `x y; x y`. */
const pointsCell = ({ points }: Measure, { width, height }: Size): string =>
  points.map(({ x, y }) => `${(x * width).toFixed(1)} ${(y * height).toFixed(1)}`).join('; ');

/** One row for each quantity of each measurement, in the order of `measureColumns`. */
export function measureRows(measures: readonly Measure[], image: MeasuredImage): readonly (readonly Cell[])[] {
  return measures.flatMap((measure, at) => {
    const measured = measureOf(measure, image.size, image.scale);
    if (measured === undefined) return [];
    const extents = quantities[measure.kind].map((quantity) => extentValues(quantity, measured, image.unit));
    return [...otherValues(measured), ...extents].map((values) => [
      image.path,
      at + 1,
      measure.kind,
      measure.text ?? '',
      ...values,
      pointsCell(measure, image.size),
      tagsCell(measure),
      measure.color ?? '',
    ]);
  });
}

/** The names of the columns; places and sizes are in pixels of the upright image, and a mark has no size. */
export const noteColumns = ['image', 'kind', 'number', 'text', 'tags', 'color', 'x', 'y', 'width', 'height'] as const;

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
