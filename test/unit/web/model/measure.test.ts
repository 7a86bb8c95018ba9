import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  grainOf,
  isComplete,
  type Measure,
  type MeasureKind,
  measureOf,
  scaleFromDpi,
  scaleFromLength,
} from '../../../../web/src/model/measure/measure.ts';
import type { Point } from '../../../../web/src/model/view-state.ts';

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
