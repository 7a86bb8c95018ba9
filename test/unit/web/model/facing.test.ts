import { describe, expect, it } from 'vitest';
import { rectBeside, spreadOf } from '../../../../web/src/model/view/page-order.ts';

const page = { width: 2000, height: 3000 };

describe('the page beside another', () => {
  it.each([
    ['of the same size', { width: 2000, height: 3000 }, 1, 1],
    ['cut a little lower', { width: 2000, height: 2800 }, 3000 / 2800, 1],
    ['at half the resolution', { width: 1000, height: 1500 }, 1, 1],
    ['that folds out to the side', { width: 6000, height: 3000 }, 3, 1],
    ['that folds out to the side, at half the resolution', { width: 3000, height: 1500 }, 3, 1],
    ['that folds out to the side and down', { width: 6000, height: 6000 }, 3, 2],
    ['that is a slip', { width: 1800, height: 900 }, 0.9, 0.3],
  ])('%s', (_, beside, width, height) => {
    const rect = rectBeside(page, beside, 'right');
    expect(rect.width).toBeCloseTo(width, 10);
    expect(rect.height).toBeCloseTo(height, 10);
    expect(rect.y).toBe(0);
    // The same picture results from the other page as the main one.
    const turned = rectBeside(beside, page, 'left');
    expect(turned.width * rect.width).toBeCloseTo(1, 10);
    expect(turned.height * rect.height).toBeCloseTo(1, 10);
  });

  it('has a gap before it, at either side', () => {
    const [right, left] = [rectBeside(page, page, 'right'), rectBeside(page, page, 'left')];
    expect(right.x).toBeCloseTo(1.0165, 10);
    expect(left.x + left.width).toBeCloseTo(-0.0165, 10);
  });
});

describe('the extent of an opening', () => {
  it('is that of the page alone, or of both', () => {
    expect(spreadOf(undefined)).toEqual({ x: 0, y: 0, width: 1, height: 1 });
    expect(spreadOf({ x: 1.1, y: 0, width: 2, height: 0.5 })).toEqual({ x: 0, y: 0, width: 3.1, height: 1 });
    expect(spreadOf({ x: -1.1, y: 0, width: 1, height: 2 })).toEqual({ x: -1.1, y: 0, width: 2.1, height: 2 });
  });
});
