import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Label, overlap, placeLabels } from '../../../../web/src/model/notes/overlay-layout.ts';

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
