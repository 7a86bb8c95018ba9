import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distanceOf, heightOf, indexAt, placeAt, topsOf } from '../../../../../web/src/model/contents/column.ts';

describe('a column of pages', () => {
  it('has pages as wide as it is, and those of an opening as high as each other', () => {
    expect(heightOf([{ width: 300, height: 400 }], 600)).toBe(800);
    expect(
      heightOf(
        [
          { width: 300, height: 400 },
          { width: 600, height: 800 },
        ],
        600,
      ),
    ).toBe(400);
  });

  it('has them below each other', () => expect(topsOf([100, 200])).toEqual([0, 116, 332]));

  it.each([
    [0, 0],
    [115, 0],
    [116, 1],
    [331, 1],
    [5000, 1],
    [-20, 0],
  ])('at %d has the one with index %d', (distance, index) => expect(indexAt(topsOf([100, 200]), distance)).toBe(index));

  it('has a place at each distance, which leads back to it', () =>
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 4000 }), { minLength: 1, maxLength: 50 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (heights, fraction) => {
          const tops = topsOf(heights);
          const distance = fraction * (tops.at(-1) ?? 0);
          expect(distanceOf(tops, placeAt(tops, distance))).toBeCloseTo(distance, 6);
        },
      ),
    ));
});
