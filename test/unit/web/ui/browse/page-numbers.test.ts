import { expect, it } from 'vitest';
import { numbersAround } from '../../../../../web/src/ui/browse/page-numbers.ts';

it.each([
  [1, 1, '1'],
  [1, 3, '1 2 3'],
  [1, 10, '1 2 3 … 10'],
  [4, 10, '1 2 3 4 5 6 … 10'],
  [5, 10, '1 2 3 4 5 6 7 … 10'],
  [6, 12, '1 … 4 5 6 7 8 … 12'],
  [10, 10, '1 … 8 9 10'],
])('shows page %i of %i as %s', (current, last, expected) => {
  expect(
    numbersAround(current, last)
      .map((number) => number ?? '…')
      .join(' '),
  ).toBe(expected);
});
