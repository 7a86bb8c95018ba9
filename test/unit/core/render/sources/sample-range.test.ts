/** Which stored values are shown as black and white (docs/decisions/0004-sample-ranges.md). */
import { expect, test } from 'vitest';
import { rangeOf } from '../../../../../src/core/render/sources/eight-bits.ts';

type Row = readonly [
  kind: 'unsigned' | 'signed' | 'float',
  bits: number,
  least: number,
  greatest: number,
  black: number,
  white: number,
];

test.each<Row>([
  ['unsigned', 16, 0, 65_535, 0, 65_535],
  ['unsigned', 16, 3000, 20_000, 0, 65_535],
  ['unsigned', 16, 0, 4500, 0, 65_535],
  ['unsigned', 16, 0, 4095, 0, 4095],
  ['unsigned', 16, 100, 2000, 0, 4095],
  ['unsigned', 16, 0, 4200, 0, 4095],
  ['unsigned', 16, 0, 1000, 0, 1023],
  ['unsigned', 16, 0, 255, 0, 255],
  ['unsigned', 16, 0, 0, 0, 65_535],
  ['unsigned', 32, 1000, 5000, 1000, 5000],
  ['unsigned', 32, 0, 0, 0, 1],
  ['signed', 8, -128, 127, -128, 127],
  ['signed', 16, -300, 1000, -300, 1000],
  ['signed', 16, 7, 7, 0, 7],
  ['signed', 16, -7, -7, -7, -6],
  ['float', 32, 0, 1, 0, 1],
  ['float', 32, 0.2, 0.4, 0, 1],
  ['float', 32, -0.03, 1.04, 0, 1],
  ['float', 32, 0, 255, 0, 255],
  ['float', 32, 12.5, 180.25, 0, 255],
  ['float', 32, 0, 1.5, 0, 1.5],
  ['float', 32, 0, 12, 0, 12],
  ['float', 32, 0, 60_000, 0, 60_000],
  ['float', 32, -40, 200, -40, 200],
])('%s of %i bits, %d to %d: black is %d, white %d', (kind, bits, least, greatest, black, white) => {
  expect(rangeOf(kind, bits, { least, greatest })).toEqual({ black, white });
});
