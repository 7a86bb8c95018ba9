import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Oval, ovalCenterLines, ovalOf, ovalPoints } from '../../../../../web/src/model/measure/curves.ts';
import {
  measureOf,
  scaleFromDpi,
  scaleFromLength,
  templeTypeOf,
} from '../../../../../web/src/model/measure/extents.ts';
import {
  grainOf,
  isComplete,
  type Measure,
  type MeasureKind,
  outlinesOf,
} from '../../../../../web/src/model/measure/measure.ts';
import type { Point } from '../../../../../web/src/model/view-state.ts';

const image = { width: 1000, height: 500 };

/** A measurement with points in pixels of the image. */
const measure = (kind: MeasureKind, ...pixels: readonly (readonly [number, number])[]): Measure => ({
  kind,
  points: pixels.map(([x, y]) => ({ x: x / image.width, y: y / image.height })),
});

/** 100 pixels per meter horizontally, 50 vertically: a pixel is twice as high as wide. */
const oblong = { x: 100, y: 50 };

const triangle = [
  [0, 0],
  [300, 0],
  [0, 400],
] as const;

function closeTo(actual: readonly number[] | undefined, expected: readonly number[]): void {
  expect(actual).toHaveLength(expected.length);
  for (const [at, value] of expected.entries()) expect(actual?.[at]).toBeCloseTo(value, 6);
}

interface Row {
  readonly what: string;
  readonly measure: Measure;
  readonly pixels: readonly [length: number, area: number, ...parts: number[]];
  readonly meters: readonly [length: number, area: number, ...parts: number[]];
}

const rows: readonly Row[] = [
  {
    what: 'a line',
    measure: measure('line', [0, 0], [300, 400]),
    pixels: [500, 0, 500],
    meters: [Math.hypot(3, 8), 0, Math.hypot(3, 8)],
  },
  {
    what: 'a path',
    measure: measure('path', [0, 0], [100, 0], [100, 100]),
    pixels: [200, 0, 100, 100],
    meters: [3, 0, 1, 2],
  },
  {
    what: 'a polygon',
    measure: measure('polygon', ...triangle),
    pixels: [1200, 60_000, 300, 500, 400],
    meters: [11 + Math.hypot(3, 8), 12, 3, Math.hypot(3, 8), 8],
  },
  {
    what: 'a rectangle',
    measure: measure('rectangle', [300, 400], [100, 100]),
    pixels: [1000, 60_000, 200, 300],
    meters: [16, 12, 2, 6],
  },
  {
    what: 'a proportion',
    measure: measure('proportion', [0, 0], [200, 0], [0, 0], [0, 100]),
    pixels: [0, 0, 200, 100],
    meters: [0, 0, 2, 2],
  },
  {
    what: 'an angle',
    measure: measure('angle', [100, 0], [0, 0], [100, 100]),
    pixels: [0, 0, 100, Math.hypot(100, 100)],
    meters: [0, 0, 1, Math.hypot(1, 2)],
  },
];

describe.each(rows)('$what', ({ measure: given, pixels, meters }) => {
  const measured = measureOf(given, image, oblong);

  it('has its extent in pixels', () => {
    const [length, area, ...parts] = pixels;
    expect(measured?.pixels.length).toBeCloseTo(length, 6);
    expect(measured?.pixels.area).toBeCloseTo(area, 6);
    closeTo(measured?.pixels.parts, parts);
  });

  it('has its extent in meters, with pixels that are not square', () => {
    const [length, area, ...parts] = meters;
    expect(measured?.meters?.length).toBeCloseTo(length, 6);
    expect(measured?.meters?.area).toBeCloseTo(area, 6);
    closeTo(measured?.meters?.parts, parts);
  });

  it('has no meters without a scale', () => expect(measureOf(given, image)?.meters).toBeUndefined());

  it('has no values while a point is missing', () => {
    expect(measureOf({ ...given, points: given.points.slice(0, 1) }, image)).toBeUndefined();
  });
});

describe('round figures', () => {
  const circle = measure('circle', [500, 250], [600, 250]);
  const ellipse = measure('ellipse', [500, 250], [500, 50], [600, 400]);

  it('have perimeter, area and axes', () => {
    const { pixels } = measureOf(circle, image) ?? {};
    expect(pixels?.length).toBeCloseTo(2 * Math.PI * 100, 2);
    expect((pixels?.area ?? 0) / (Math.PI * 100 ** 2)).toBeCloseTo(1, 5);
    expect(pixels?.parts).toEqual([200, 200]);
  });

  it('have a second axis as long as the distance of the third point from the first', () => {
    const { pixels } = measureOf(ellipse, image) ?? {};
    expect(pixels?.parts[0]).toBeCloseTo(400);
    expect(pixels?.parts[1]).toBeCloseTo(200);
    expect((pixels?.area ?? 0) / (Math.PI * 200 * 100)).toBeCloseTo(1, 5);
    // Ramanujan's second approximation.
    expect(pixels?.length).toBeCloseTo(968.845, 2);
  });

  it('become ellipses if pixels are not square', () => {
    const meters = measureOf(circle, image, oblong)?.meters;
    expect(meters?.parts).toEqual([2, 4]);
    expect((meters?.area ?? 0) / (Math.PI * 1 * 2)).toBeCloseTo(1, 5);
    expect(meters?.length).toBeCloseTo(9.68845, 4);
  });

  it('have no extent without a first axis', () => {
    expect(measureOf(measure('ellipse', [5, 5], [5, 5], [9, 9]), image)?.pixels).toMatchObject({ length: 0, area: 0 });
  });
});

describe('angles', () => {
  it.each([
    [[100, 0], [0, 0], [0, 100], 90],
    [[100, 0], [0, 0], [0, -100], 90],
    [[100, 0], [0, 0], [100, 100], 45],
    [[100, 0], [0, 0], [-100, 0], 180],
    [[100, 0], [0, 0], [50, 0], 0],
    [[0, 0], [0, 0], [50, 0], 0],
  ] as const)('between %j, %j and %j are %d degrees', (arm, vertex, other, degrees) => {
    expect(measureOf(measure('angle', arm, vertex, other), image)?.degrees).toBeCloseTo(degrees, 9);
  });

  it('are those of the object, with pixels that are not square', () => {
    const angle = measure('angle', [100, 0], [0, 0], [100, 50]);
    expect(measureOf(angle, image, oblong)?.degrees).toBeCloseTo(45, 9);
  });
});

describe('proportions', () => {
  const lines = measure('proportion', [0, 0], [200, 0], [0, 0], [0, 100]);
  it('compare pixels without a scale', () => expect(measureOf(lines, image)?.ratio).toBe(2));
  it('compare lengths with a scale', () => expect(measureOf(lines, image, oblong)?.ratio).toBe(1));
  it('are undefined if the second line has no length', () => {
    const nothing = measure('proportion', [0, 0], [200, 0], [5, 5], [5, 5]);
    expect(measureOf(nothing, image)?.ratio).toBeUndefined();
  });
});

describe('scales', () => {
  it('follow from the resolution', () => expect(scaleFromDpi({ x: 254, y: 127 }).x).toBeCloseTo(10_000));

  const ends: readonly [Point, Point] = [
    { x: 0, y: 0 },
    { x: 0.3, y: 0.8 },
  ];
  it('follow from a reference length', () => expect(scaleFromLength(ends, image, 2)).toEqual({ x: 250, y: 250 }));

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('do not follow from a length of %d', (meters) => {
    expect(scaleFromLength(ends, image, meters)).toBeUndefined();
  });

  it('do not follow from a point', () => expect(scaleFromLength([ends[0], ends[0]], image, 2)).toBeUndefined());

  it('reproduce the reference length, whatever the shape of pixels', () => {
    const numbers = fc.double({ min: 0.01, max: 100, noNaN: true });
    fc.assert(
      fc.property(numbers, numbers, numbers, (meters, x, y) => {
        const scale = scaleFromLength(ends, image, meters, { x, y });
        expect((scale?.x ?? 0) / (scale?.y ?? 1)).toBeCloseTo(x / y, 6);
        const length = measureOf({ kind: 'line', points: ends }, image, scale)?.meters?.length ?? 0;
        expect(length / meters).toBeCloseTo(1, 9);
      }),
    );
  });
});

it('finds out which measurements are complete', () => {
  expect(isComplete(measure('polygon', ...triangle))).toBe(true);
  expect(isComplete(measure('polygon', [0, 0], [1, 1]))).toBe(false);
  expect(isComplete(measure('line', ...triangle))).toBe(false);
});

it('preserves areas and lengths when a figure is moved', () => {
  const numbers = fc.double({ min: -0.5, max: 0.5, noNaN: true });
  const points = fc.array(fc.record({ x: numbers, y: numbers }), { minLength: 3, maxLength: 8 });
  fc.assert(
    fc.property(points, numbers, numbers, (corners, x, y) => {
      const moved = corners.map((corner) => ({ x: corner.x + x, y: corner.y + y }));
      const before = measureOf({ kind: 'polygon', points: corners }, image, oblong)?.meters;
      const after = measureOf({ kind: 'polygon', points: moved }, image, oblong)?.meters;
      expect(after?.area).toBeCloseTo(before?.area ?? 0, 6);
      expect(after?.length).toBeCloseTo(before?.length ?? 0, 6);
    }),
  );
});

describe('the precision of a measurement', () => {
  it.each([
    [[{}, {}], 0.5],
    [[{ grain: 0.1 }, { grain: 0.2 }], 0.5],
    [[{ grain: 6.25 }, { grain: 1 }], 6.25],
  ])('with points of %j is %d pixels', (grains, expected) => {
    const points = grains.map((grain) => ({ x: 0.5, y: 0.5, ...grain }));
    expect(grainOf({ kind: 'line', points })).toBe(expected);
  });
});

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
