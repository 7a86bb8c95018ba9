import { expect, it } from 'vitest';
import { csvText } from '../../../../web/src/model/measure/csv-tables.ts';

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
