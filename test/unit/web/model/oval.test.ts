import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureOf } from '../../../../web/src/model/measure/measure.ts';
import { type Oval, ovalCenterLines, ovalOf, ovalPoints } from '../../../../web/src/model/measure/oval.ts';
import type { Point } from '../../../../web/src/model/view-state.ts';

const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);

/** A rectangle from 0, 0 to 400, 1000, with small circles of this radius. */
function upright(small: number): Oval {
  const oval = ovalOf([
    { x: 0, y: 0 },
    { x: 400, y: 0 },
    { x: 123, y: 1000 },
    { x: 0, y: 1000 - 2 * small },
  ]);
  if (oval === undefined) throw new Error('no oval');
  return oval;
}

describe('an oval', () => {
  it('lies in its rectangle, with small arcs at the ends of the long axis', () => {
    const oval = upright(120);
    expect(oval.center).toEqual({ x: 200, y: 500 });
    expect(oval.small).toBeCloseTo(120);
    // (500 - 120)² + (R - 200)² = (R - 120)².
    expect(oval.large).toBeCloseTo(200 + (380 ** 2 - 80 ** 2) / 160);
    const points = ovalPoints(oval, 400);
    expect(points).toHaveLength(400);
    expect(Math.min(...points.map(({ x }) => x))).toBeCloseTo(0);
    expect(Math.max(...points.map(({ x }) => x))).toBeCloseTo(400);
    expect(Math.min(...points.map(({ y }) => y))).toBeCloseTo(0);
    expect(Math.max(...points.map(({ y }) => y))).toBeCloseTo(1000);
  });

  it('has its long axis along the first side where that is longer', () => {
    const oval = ovalOf([
      { x: 0, y: 0 },
      { x: 1000, y: 0 },
      { x: 0, y: 400 },
      { x: 760, y: 50 },
    ]);
    expect(oval?.long).toEqual({ x: 500, y: 0 });
    expect(oval?.small).toBeCloseTo(120);
  });

  it('is a stadium where the small circles are as wide as the rectangle, and never wider', () => {
    expect(upright(200).large).toBe(Number.POSITIVE_INFINITY);
    expect(upright(350)).toMatchObject({ small: 200, large: Number.POSITIVE_INFINITY });
    const measured = measureOf(
      {
        kind: 'oval',
        points: [
          { x: 0, y: 0 },
          { x: 0.4, y: 0 },
          { x: 0, y: 1 },
          { x: 0, y: 0 },
        ],
      },
      { width: 1000, height: 1000 },
    );
    expect((measured?.pixels.area ?? 0) / (Math.PI * 200 ** 2 + 400 * 600)).toBeCloseTo(1, 4);
    expect((measured?.pixels.length ?? 0) / (2 * Math.PI * 200 + 2 * 600)).toBeCloseTo(1, 4);
  });

  it('has arcs whose points are at their radius from their center, and that meet without a bend', () => {
    const oval = upright(120);
    const points = ovalPoints(oval, 1440);
    const ends = ovalCenterLines(oval);
    expect(ends).toHaveLength(4);
    for (const [center, end] of ends) {
      expect(distance(center, end)).toBeCloseTo(oval.large);
      expect(Math.min(...points.map((point) => distance(point, end)))).toBeLessThan(1);
    }
    const bends = points.map((point, at) => {
      const [before = point, after = point] = [points.at(at - 1), points[(at + 1) % points.length]];
      const turn =
        Math.atan2(after.y - point.y, after.x - point.x) - Math.atan2(point.y - before.y, point.x - before.x);
      return Math.abs(Math.atan2(Math.sin(turn), Math.cos(turn)));
    });
    expect(Math.max(...bends)).toBeLessThan(0.02);
  });

  it('is none without extent', () => {
    const point = { x: 5, y: 5 };
    expect(ovalOf([point, point, { x: 9, y: 9 }, point])).toBeUndefined();
    expect(ovalOf([point, { x: 9, y: 5 }, { x: 7, y: 5 }, point])).toBeUndefined();
    expect(ovalOf([point, { x: 9, y: 5 }, { x: 7, y: 9 }])).toBeUndefined();
  });

  it('keeps its size when it is moved and turned', () => {
    const angles = fc.double({ min: 0, max: 6, noNaN: true });
    const points: readonly Point[] = [
      { x: 0, y: 0 },
      { x: 400, y: 0 },
      { x: 123, y: 1000 },
      { x: 0, y: 700 },
    ];
    const still = ovalOf(points);
    fc.assert(
      fc.property(angles, angles, (angle, shift) => {
        const turned = points.map(({ x, y }) => ({
          x: x * Math.cos(angle) - y * Math.sin(angle) + shift * 100,
          y: x * Math.sin(angle) + y * Math.cos(angle) - shift,
        }));
        expect(ovalOf(turned)?.small).toBeCloseTo(still?.small ?? 0, 6);
        expect(ovalOf(turned)?.large).toBeCloseTo(still?.large ?? 0, 6);
      }),
    );
  });
});
