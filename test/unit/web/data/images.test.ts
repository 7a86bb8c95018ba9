import { expect, it } from 'vitest';
import { sizeInside } from '../../../../web/src/data/images.ts';

it.each([
  [
    { width: 1200, height: 1700 },
    { width: 152, height: 216 },
  ],
  [
    { width: 4000, height: 1000 },
    { width: 176, height: 44 },
  ],
  [
    { width: 60, height: 80 },
    { width: 60, height: 80 },
  ],
  [
    { width: 90_000, height: 10 },
    { width: 176, height: 1 },
  ],
])('shows an image of %o whole and never enlarged', (image, expected) => {
  expect(sizeInside(image, { width: 176, height: 216 })).toEqual(expected);
});
