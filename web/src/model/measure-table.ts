/** Measurements as rows of a table, one for each quantity, with numbers that are not formatted for a language. */
import type { Size } from '../../../src/core/image/model/geometry.ts';
import type { Unit } from '../../../src/core/image/model/units.ts';
import { type ImageScale, type Measure, type Measured, measureOf } from './measure.ts';
import { type Quantity, quantities } from './measure-quantities.ts';
import { withPlace } from './place-names.ts';
import type { NoteContent } from './view-state.ts';

export interface MeasuredImage {
  readonly path: string;
  /** Upright pixels. */
  readonly size: Size;
  /** Undefined where lengths are in pixels only. */
  readonly scale: ImageScale | undefined;
  /** The unit of all lengths, and with `²` of all areas. */
  readonly unit: Unit;
}

type Cell = string | number | null;

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

/** All tags in one cell. */
export const tagsCell = ({ tags = [] }: NoteContent): string => tags.join('; ');

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
