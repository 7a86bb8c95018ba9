import { expect, it } from 'vitest';
import {
  csvText,
  measureColumns,
  measureRows,
  noteColumns,
  noteRows,
} from '../../../../../web/src/model/measure/csv-tables.ts';
import { scaleFromDpi } from '../../../../../web/src/model/measure/extents.ts';
import type { Measure } from '../../../../../web/src/model/measure/measure.ts';
import { metricUnits } from '../../../../../web/src/model/measure/units.ts';

it.each([
  ['plain', 'plain'],
  [12, '12'],
  [-12, '-12'],
  [null, ''],
  ['a, b', '"a, b"'],
  ['say "a"', '"say ""a"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+2', `"'=1+2"`],
  ['+49', `"'+49"`],
  ['-cmd', `"'-cmd"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  [' =1', `"' =1"`],
  ['1=1', '1=1'],
])('the cell %j is written as %j', (cell, text) => expect(csvText([[cell]])).toBe(`\ufeff${text}\r\n`));

it('cells stand in lines', () =>
  expect(
    csvText([
      ['a', 'b'],
      [1, null],
    ]),
  ).toBe('\ufeffa,b\r\n1,\r\n'));

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

it('has a row for each mark and each region, in pixels, with tags and colors', () => {
  const marks = [{ x: 0.25, y: 0.5, text: 'a “dot”', tags: ['ink', 'gold'], color: '#d5303e' }];
  const rectangles = [{ x: 0.1, y: 0.2, width: 0.3, height: 0.40005 }];
  const rows = noteRows({ marks, rectangles }, { path: 'maps/a.tif', size: { width: 1000, height: 2000 } });
  expect(rows).toEqual([
    ['maps/a.tif', 'mark', 1, 'a “dot”', 'ink; gold', '#d5303e', 250, 1000, null, null],
    ['maps/a.tif', 'region', 1, '', '', '', 100, 400, 300, 800.1],
  ]);
  for (const row of rows) expect(row.length).toBe(noteColumns.length);
});
