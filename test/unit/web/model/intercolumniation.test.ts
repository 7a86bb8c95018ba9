import { describe, expect, it } from 'vitest';
import { measureOf } from '../../../../web/src/model/measure/measure.ts';
import { outlinesOf } from '../../../../web/src/model/measure/outlines.ts';
import { templeTypeOf } from '../../../../web/src/model/measure/quantities.ts';

describe('an intercolumniation', () => {
  it.each([
    [0.4, undefined],
    [1.5, 'pycnostyle'],
    [1.9, 'systyle'],
    [2.25, 'eustyle'],
    [2.3, 'eustyle'],
    [3, 'diastyle'],
    [4.5, 'araeostyle'],
    [Number.NaN, undefined],
  ])('of %d column diameters is %s', (diameters, name) => expect(templeTypeOf(diameters)).toBe(name));

  const points = [
    { x: 0.1, y: 0.5 },
    { x: 0.55, y: 0.5 },
    { x: 0.75, y: 0.5 },
  ];
  const image = { width: 1000, height: 500 };

  it('is the gap divided by the diameter of the column', () => {
    const measured = measureOf({ kind: 'intercolumniation', points }, image);
    expect(measured?.ratio).toBeCloseTo(2.25);
    expect(measured?.pixels.parts[0]).toBeCloseTo(450);
    expect(measured?.pixels.parts[1]).toBeCloseTo(200);
  });

  it('is drawn with both columns, which touch the gap', () => {
    const [, second, first] = outlinesOf('intercolumniation', points, image);
    const xs = (outline: typeof first) => (outline?.points ?? []).map(({ x }) => x);
    expect(Math.min(...xs(second))).toBeCloseTo(0.55, 2);
    expect(Math.max(...xs(second))).toBeCloseTo(0.75, 2);
    expect(Math.max(...xs(first))).toBeCloseTo(0.1, 2);
    expect(Math.min(...xs(first))).toBeCloseTo(-0.1, 2);
  });
});

describe('a grid', () => {
  it('has ten square cells along each side, also in an oblong image, of which the line drawn is a side', () => {
    const image = { width: 1000, height: 500 };
    const line = [
      { x: 0.4, y: 0.4 },
      { x: 0.43, y: 0.48 },
    ];
    const [first, ...lines] = outlinesOf('grid', line, image);
    expect(first?.points).toEqual(line);
    expect(lines).toHaveLength(22);
    const lengths = lines.map(({ points: [from, to] }) =>
      Math.hypot(((to?.x ?? 0) - (from?.x ?? 0)) * 1000, ((to?.y ?? 0) - (from?.y ?? 0)) * 500),
    );
    for (const length of lengths) expect(length).toBeCloseTo(500);
    expect(measureOf({ kind: 'grid', points: line }, image)?.pixels.parts[0]).toBeCloseTo(50);
  });
});
