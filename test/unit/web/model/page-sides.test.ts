import { expect, it } from 'vitest';
import { sideAt } from '../../../../web/src/model/view/page-order.ts';

it.each([
  [0, 1000, 'left'],
  [119, 1000, 'left'],
  [120, 1000, undefined],
  [879, 1000, undefined],
  [880, 1000, 'right'],
  [139, 3000, 'left'],
  [140, 3000, undefined],
  [39, 200, 'left'],
  [40, 200, undefined],
  [29, 90, 'left'],
  [30, 90, undefined],
])('at %d of %d pixels is the side %s', (x, width, side) => expect(sideAt(x, width)).toBe(side));
