import { expect, it } from 'vitest';
import { allOrNone, inOrder, noSelection, toggled, withRange } from '../../../../../web/src/ui/table/layout.ts';

it('selects and deselects cells, ranges and all', () => {
  const some = withRange(toggled(noSelection, 9), 4, 2);
  expect(inOrder(some)).toEqual([2, 3, 4, 9]);
  expect(inOrder(toggled(some, 3))).toEqual([2, 4, 9]);
  expect(allOrNone(some, 12).size).toBe(12);
  expect(allOrNone(allOrNone(some, 12), 12).size).toBe(0);
  expect(inOrder(some), 'the first selection is unchanged').toEqual([2, 3, 4, 9]);
});
