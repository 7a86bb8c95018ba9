import { describe, expect, it } from 'vitest';
import { hitTest, movementOnImage, nearestOnImage } from '../../../../web/src/model/notes/mark-edits.ts';

const alone = { x: 0, y: 0, width: 1, height: 1 };
const onTheRight = { x: 0, y: 0, width: 1.9, height: 1 };
const onTheLeft = { x: -0.9, y: 0, width: 1.9, height: 1 };
/** The page beside is higher than the main one. */
const foldout = { x: 0, y: 0, width: 3, height: 2 };
const slack = { x: 0.01, y: 0.02 };

describe('a hit test', () => {
  it.each([
    [0.5, 0.5, alone, 'image'],
    [0, 1, alone, 'image'],
    [-0.009, 1.019, alone, 'image'],
    [-0.02, 0.5, alone, 'nowhere'],
    [0.5, 1.03, alone, 'nowhere'],
    [1.2, 0.5, alone, 'nowhere'],
    [1.2, 0.5, onTheRight, 'beside'],
    [1.2, 1.5, onTheRight, 'nowhere'],
    [1.2, 1.5, foldout, 'beside'],
    [0.5, 1.5, foldout, 'nowhere'],
    [-0.2, 0.5, onTheRight, 'nowhere'],
    [-0.2, 0.5, onTheLeft, 'beside'],
  ] as const)('at %d, %d with pages over %o is on: %s', (x, y, spread, aim) => {
    expect(hitTest({ x, y }, spread, slack)).toBe(aim);
  });

  it('moves a point beside the edge to the edge', () =>
    expect(nearestOnImage({ x: -0.01, y: 1.01 })).toEqual({ x: 0, y: 1 }));
});

describe('a limited movement', () => {
  it.each([
    [0.1, 0.1, 0.1, 0.1],
    [-0.5, 0.5, -0.2, 0.3],
    [0.9, -0.9, 0.4, -0.1],
  ])('of %d, %d keeps all points on the image: %d, %d', (x, y, right, down) => {
    const points = [
      { x: 0.2, y: 0.1 },
      { x: 0.6, y: 0.7 },
    ];
    const moved = movementOnImage(points, { x, y });
    expect(moved.x).toBeCloseTo(right);
    expect(moved.y).toBeCloseTo(down);
  });
});
