import { expect, it } from 'vitest';
import { measureColumns, measureRows } from '../../../../web/src/model/measure/csv-tables.ts';
import { type Measure, scaleFromDpi } from '../../../../web/src/model/measure/measure.ts';
import { metricUnits } from '../../../../web/src/model/measure/unit-table.ts';

const millimeter = metricUnits.find(({ symbol }) => symbol === 'mm') ?? { name: 'millimeter', meters: 0.001 };

const measures: readonly Measure[] = [
  {
    kind: 'line',
    points: [
      { x: 0, y: 0 },
      { x: 0.3, y: 0.4 },
    ],
    text: 'the "mast"',
    tags: ['rig', 'oak'],
    color: '#d5303e',
  },
  {
    kind: 'rectangle',
    points: [
      { x: 0.1, y: 0.1 },
      { x: 0.3, y: 0.2 },
    ],
  },
  {
    kind: 'angle',
    points: [
      { x: 1, y: 0 },
      { x: 0, y: 0 },
      { x: 0, y: 1 },
    ],
  },
  { kind: 'line', points: [{ x: 0, y: 0 }] },
];

const image = { path: 'maps/a.tif', size: { width: 1000, height: 1000 }, unit: millimeter };

it('has a row for each quantity, in one unit', () => {
  const rows = measureRows(measures, { ...image, scale: scaleFromDpi({ x: 254, y: 254 }) });
  expect(rows).toEqual([
    ['maps/a.tif', 1, 'line', 'the "mast"', 'length', 500, 50, 'mm', '0.0 0.0; 300.0 400.0', 'rig; oak', '#d5303e'],
    ['maps/a.tif', 2, 'rectangle', '', 'area', 20_000, 200, 'mm²', '100.0 100.0; 300.0 200.0', '', ''],
    ['maps/a.tif', 2, 'rectangle', '', 'width', 200, 20, 'mm', '100.0 100.0; 300.0 200.0', '', ''],
    ['maps/a.tif', 2, 'rectangle', '', 'height', 100, 10, 'mm', '100.0 100.0; 300.0 200.0', '', ''],
    ['maps/a.tif', 3, 'angle', '', 'angle', null, 90, '°', '1000.0 0.0; 0.0 0.0; 0.0 1000.0', '', ''],
  ]);
  for (const row of rows) expect(row.length).toBe(measureColumns.length);
});

it('is in pixels where the image has no scale', () => {
  const [row] = measureRows(measures, { ...image, scale: undefined });
  expect(row?.slice(4, 8)).toEqual(['length', 500, 500, 'px']);
});

it('names a unit with its place', () => {
  const foot = { name: 'Foot', place: 'Exampleton', meters: 0.3 };
  const [row] = measureRows(measures, { ...image, unit: foot, scale: scaleFromDpi({ x: 254, y: 254 }) });
  expect(row?.slice(6, 8)).toEqual([0.1666667, 'Foot (Exampleton)']);
});
