/** Which of many marks are drawn, and which one is taken. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  drawnMarks,
  type Label,
  markNear,
  overlap,
  placeLabels,
} from '../../../../../web/src/model/notes/overlay-layout.ts';
import type { Matrix } from '../../../../../web/src/model/view/geometry.ts';

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

const size = { width: 80, height: 24 };

describe('labels', () => {
  it('stand on their anchor, or below it by their gap, where there is space', () => {
    expect(placeLabels([{ anchor: { x: 100, y: 100 }, size }])).toEqual([{ x: 60, y: 88, width: 80, height: 24 }]);
    expect(placeLabels([{ anchor: { x: 100, y: 100 }, size, gap: 14 }])).toEqual([
      { x: 60, y: 114, width: 80, height: 24 },
    ]);
  });

  it('never overlap one another, nor what is there already', () => {
    const position = fc.integer({ min: 0, max: 200 });
    const label = fc.record({
      anchor: fc.record({ x: position, y: position }),
      size: fc.record({ width: fc.integer({ min: 24, max: 160 }), height: fc.constant(24) }),
      gap: fc.constantFrom(14, undefined),
    });
    fc.assert(
      fc.property(fc.array(label, { maxLength: 40 }), position, (labels, at) => {
        const taken = [{ x: at, y: at, width: 60, height: 60 }];
        const boxes = [...taken, ...placeLabels(labels as readonly Label[], taken)];
        for (const [index, box] of boxes.entries())
          for (const other of boxes.slice(index + 1)) expect(overlap(box, other)).toBe(false);
      }),
    );
  });

  it('keep their distance from their anchors when all are moved', () => {
    const labels = [0, 5, 9, 200].map((x) => ({ anchor: { x, y: 50 }, size, gap: 14 }));
    const moved = labels.map((label) => ({ ...label, anchor: { x: label.anchor.x - 777, y: label.anchor.y + 333 } }));
    const boxes = placeLabels(moved);
    for (const [at, { x, y }] of placeLabels(labels).entries())
      expect([boxes[at]?.x, boxes[at]?.y]).toEqual([x - 777, y + 333]);
  });
});
