import { expect, it } from 'vitest';
import { noteColumns, noteRows } from '../../../../web/src/model/measure/csv-tables.ts';

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
