/** Which of many marks are drawn, and which one is taken. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawnMarks, markNear } from '../../../../web/src/model/notes/overlay-layout.ts';
import type { Matrix } from '../../../../web/src/model/view/geometry.ts';

const window = { width: 800, height: 600 };
/** An image of 1000 x 1000 CSS pixels, moved by some. */
const moved = (x: number, y: number): Matrix => [1000, 0, 0, 1000, x, y];
const point = fc.record({
  x: fc.double({ min: 0, max: 1, noNaN: true }),
  y: fc.double({ min: 0, max: 1, noNaN: true }),
});

describe('the marks that are drawn', () => {
  it('are those in the window and at its edge', () => {
    const marks = [0.1, 0.805, 0.82].map((x) => ({ x, y: 0.5 }));
    expect(drawnMarks(marks, moved(0, 0), window, 12).map(({ x }) => x)).toEqual([100, 805]);
  });

  it('are one of those that lie over one another, and all that lie apart', () => {
    const marks = [0.1, 0.1005, 0.2].map((x) => ({ x, y: 0.5 }));
    expect(drawnMarks(marks, moved(0, 0), window, 12).map(({ x }) => Math.round(x))).toEqual([100, 200]);
  });

  it('stay the same while the image is moved', () =>
    fc.assert(
      fc.property(fc.array(point, { maxLength: 60 }), fc.nat(30), fc.nat(30), (marks, x, y) => {
        const inside = { width: 2000, height: 2000 };
        const drawn = drawnMarks(marks, moved(0, 0), inside, 0).map((at) => ({ x: at.x + x, y: at.y + y }));
        const after = drawnMarks(marks, moved(x, y), inside, 0);
        expect(after.length).toBe(drawn.length);
        for (const [index, at] of after.entries()) {
          expect(at.x).toBeCloseTo(drawn[index]?.x ?? Number.NaN, 6);
          expect(at.y).toBeCloseTo(drawn[index]?.y ?? Number.NaN, 6);
        }
      }),
    ));
});

describe('the mark near a point', () => {
  const marks = [
    { x: 0.1, y: 0.1 },
    { x: 0.105, y: 0.1 },
  ];

  it('is the nearest one within reach', () => {
    expect(markNear(marks, moved(0, 0), { x: 103, y: 100 }, 12)).toBe(1);
    expect(markNear(marks, moved(0, 0), { x: 101, y: 100 }, 12)).toBe(0);
  });

  it('is none where all are farther away', () =>
    expect(markNear(marks, moved(0, 0), { x: 130, y: 100 }, 12)).toBeUndefined());
});
