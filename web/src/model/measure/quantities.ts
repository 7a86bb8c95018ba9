/** The quantities of each kind of measurement, and Vitruvius’ names of the gaps between columns (De architectura 3.3). */
import type { Extent, MeasureKind } from './measure.ts';

export interface Quantity {
  readonly name:
    | 'length'
    | 'area'
    | 'perimeter'
    | 'width'
    | 'height'
    | 'diameter'
    | 'first-axis'
    | 'second-axis'
    | 'small-radius'
    | 'large-radius'
    | 'spacing'
    | 'gap'
    | 'column'
    | 'first-line'
    | 'second-line';
  readonly dimension: 'length' | 'area';
  readonly pick: (extent: Extent) => number | undefined;
}

/** The first is the label of the measurement on the image. Angles and ratios are no extents. */
export const quantities: Readonly<Record<MeasureKind, readonly Quantity[]>> = {
  line: [{ name: 'length', dimension: 'length', pick: ({ length }) => length }],
  path: [{ name: 'length', dimension: 'length', pick: ({ length }) => length }],
  angle: [],
  polygon: [
    { name: 'area', dimension: 'area', pick: ({ area }) => area },
    { name: 'perimeter', dimension: 'length', pick: ({ length }) => length },
  ],
  rectangle: [
    { name: 'area', dimension: 'area', pick: ({ area }) => area },
    { name: 'width', dimension: 'length', pick: ({ parts }) => parts[0] },
    { name: 'height', dimension: 'length', pick: ({ parts }) => parts[1] },
  ],
  circle: [
    { name: 'diameter', dimension: 'length', pick: ({ parts }) => parts[0] },
    { name: 'perimeter', dimension: 'length', pick: ({ length }) => length },
    { name: 'area', dimension: 'area', pick: ({ area }) => area },
  ],
  ellipse: [
    { name: 'area', dimension: 'area', pick: ({ area }) => area },
    { name: 'first-axis', dimension: 'length', pick: ({ parts }) => parts[0] },
    { name: 'second-axis', dimension: 'length', pick: ({ parts }) => parts[1] },
    { name: 'perimeter', dimension: 'length', pick: ({ length }) => length },
  ],
  oval: [
    { name: 'area', dimension: 'area', pick: ({ area }) => area },
    { name: 'first-axis', dimension: 'length', pick: ({ parts }) => parts[0] },
    { name: 'second-axis', dimension: 'length', pick: ({ parts }) => parts[1] },
    { name: 'small-radius', dimension: 'length', pick: ({ parts }) => parts[2] },
    { name: 'large-radius', dimension: 'length', pick: ({ parts }) => parts[3] },
    { name: 'perimeter', dimension: 'length', pick: ({ length }) => length },
  ],
  grid: [{ name: 'spacing', dimension: 'length', pick: ({ parts }) => parts[0] }],
  intercolumniation: [
    { name: 'gap', dimension: 'length', pick: ({ parts }) => parts[0] },
    { name: 'column', dimension: 'length', pick: ({ parts }) => parts[1] },
  ],
  proportion: [
    { name: 'first-line', dimension: 'length', pick: ({ parts }) => parts[0] },
    { name: 'second-line', dimension: 'length', pick: ({ parts }) => parts[1] },
  ],
};

/** Temple types by the gap in column diameters; araeostyle is everything wider than diastyle. */
const types = [
  { name: 'pycnostyle', diameters: 1.5 },
  { name: 'systyle', diameters: 2 },
  { name: 'eustyle', diameters: 2.25 },
  { name: 'diastyle', diameters: 3 },
  { name: 'araeostyle', diameters: 3.5 },
] as const;

export type TempleType = (typeof types)[number]['name'];

/** The narrowest gap that is given a name, in column diameters. */
const narrowest = 1.25;

/** The type whose gap is nearest; undefined for gaps much narrower than Vitruvius' narrowest. */
export function templeTypeOf(diameters: number): TempleType | undefined {
  if (!(diameters >= narrowest)) return undefined;
  return types.reduce((best, one) =>
    Math.abs(one.diameters - diameters) < Math.abs(best.diameters - diameters) ? one : best,
  ).name;
}
