import { describe, expect, it } from 'vitest';
import { leastSquares, solve } from '../../../../../web/src/model/map/equations.ts';
import {
  cameraOf,
  metersBetween,
  sideMeters,
  sidePixels,
  toGeo,
  toWorld,
} from '../../../../../web/src/model/map/mercator.ts';
import {
  type ControlPoint,
  fitTransformation,
  leastPoints,
  residualsOf,
  type TransformationKind,
  transformationKinds,
} from '../../../../../web/src/model/map/transformations.ts';
import type { Point } from '../../../../../web/src/model/view-state.ts';

const equator = 2 * Math.PI * 6_378_137;

describe('Web Mercator', () => {
  it('has the point of the example of EPSG (Guidance Note 7-2, Popular Visualisation Pseudo Mercator)', () => {
    const { x, y } = toWorld({ lon: -(100 + 20 / 60), lat: 24 + 22 / 60 + 54.433 / 3600 });
    expect((x - 0.5) * equator).toBeCloseTo(-11_169_055.58, 1);
    expect((0.5 - y) * equator).toBeCloseTo(2_800_000, 1);
  });

  it.each([
    [0, 0],
    [13.3777, 52.5163],
    [-179.9, -80],
    [180, 85.05],
  ])('leads back from %d, %d', (lon, lat) => {
    const back = toGeo(toWorld({ lon, lat }));
    expect(back.lon).toBeCloseTo(lon, 9);
    expect(back.lat).toBeCloseTo(lat, 9);
  });

  it('ends at the poles’ side of its square, and is half as long at 60°', () => {
    expect(toWorld({ lon: 0, lat: 90 }).y).toBeCloseTo(0, 9);
    expect(sideMeters(60)).toBeCloseTo(equator / 2, 3);
  });

  it('knows the way along a meridian and around the equator', () => {
    expect(metersBetween({ lon: 7, lat: 10 }, { lon: 7, lat: 11 })).toBeCloseTo(111_195.08, 1);
    expect(metersBetween({ lon: 0, lat: 0 }, { lon: 180, lat: 0 })).toBeCloseTo(Math.PI * 6_371_008.8, 1);
  });

  it('puts a part of the square into a window', () => {
    const { center, zoom } = cameraOf({ x: 0.5, y: 0.25, width: 0.01, height: 0.01 }, { width: 800, height: 500 });
    expect(toWorld(center).x).toBeCloseTo(0.505, 9);
    expect(sidePixels(zoom) * 0.01).toBeCloseTo(430, 6);
  });
});

describe('linear equations', () => {
  it('are solved, also where a pivot is zero', () =>
    expect(
      solve(
        [
          [0, 2],
          [3, 1],
        ],
        [[4], [5]],
      ),
    ).toEqual([[1], [2]]));

  it('have no answer where they say the same twice', () =>
    expect(
      solve(
        [
          [1, 2],
          [2, 4],
        ],
        [[1], [2]],
      ),
    ).toBeUndefined());

  it('that contradict each other get the answer of least squares', () => {
    // The line through (0, 1), (1, 3), (2, 4), (3, 4): y = 1.5 + x.
    const found = leastSquares(
      [0, 1, 2, 3].map((x) => [1, x]),
      [[1], [3], [4], [4]],
    );
    expect(found?.[0]?.[0]).toBeCloseTo(1.5, 12);
    expect(found?.[1]?.[0]).toBeCloseTo(1, 12);
  });
});

/** Points of an image of 4000 by 3000 pixels, placed by a map to the square around Berlin. */
const origin = toWorld({ lon: 13.3, lat: 52.55 });
const unit = 1e-9;
const grid: readonly Point[] = [0, 900, 2100, 4000].flatMap((x) => [0, 1100, 2000, 3000].map((y) => ({ x, y })));

const placed = (points: readonly Point[], map: (point: Point) => Point): readonly ControlPoint[] =>
  points.map((point) => {
    const { x, y } = map(point);
    return { ...point, ...toGeo({ x: origin.x + x * unit, y: origin.y + y * unit }) };
  });

/** What each kind follows exactly. */
const maps: Readonly<Record<TransformationKind, (point: Point) => Point>> = {
  helmert: ({ x, y }) => ({ x: 2 * x - 0.5 * y + 70, y: 0.5 * x + 2 * y - 30 }),
  polynomial1: ({ x, y }) => ({ x: 2 * x - 0.3 * y + 70, y: 0.1 * x + 1.5 * y - 30 }),
  polynomial2: ({ x, y }) => ({ x: 2 * x + 3e-5 * x * x - 1e-5 * x * y, y: 1.5 * y + 2e-5 * y * y + 1e-5 * x * x }),
  polynomial3: ({ x, y }) => ({
    x: 2 * x + 4e-9 * x ** 3 - 3e-9 * x * x * y,
    y: 1.5 * y + 5e-9 * y ** 3 + 1e-9 * x * y * y,
  }),
  thinPlateSpline: ({ x, y }) => ({
    x: 2 * x + 200 * Math.sin(x / 900),
    y: 1.5 * y + 150 * Math.cos(y / 700 + x / 2000),
  }),
};

describe.each(transformationKinds)('%s', (kind) => {
  const points = placed(grid, maps[kind]);
  const fitted = fitTransformation(kind, points);

  it('puts each control point on its place', () => {
    expect(fitted?.kind).toBe(kind);
    expect(fitted && residualsOf(points, fitted).rms).toBeLessThan(0.001);
  });

  it('leads back to the pixel', () => {
    for (const point of [...grid, { x: 1500, y: 1500 }]) {
      const back = fitted?.toImage(fitted.toWorld(point));
      expect(back?.x).toBeCloseTo(point.x, 1);
      expect(back?.y).toBeCloseTo(point.y, 1);
    }
  });

  it('needs as many points as it has unknowns', () => {
    const least = leastPoints[kind];
    // Of a grid in general position: a helmert needs two, and any three that are on no line give an affine map.
    const few = placed(
      [
        [0, 0],
        [4000, 100],
        [150, 3000],
        [3900, 2900],
        [2000, 1400],
        [900, 2200],
        [3100, 700],
        [1300, 300],
        [2600, 2500],
        [600, 1200],
      ]
        .slice(0, least)
        .map(([x = 0, y = 0]) => ({ x, y })),
      maps[kind],
    );
    expect(fitTransformation(kind, few)).toBeDefined();
    expect(fitTransformation(kind, few.slice(0, -1))).toBeUndefined();
  });

  it('is none where all points are one', () => {
    const same = placed(
      Array.from({ length: 12 }, () => ({ x: 5, y: 5 })),
      maps[kind],
    );
    expect(fitTransformation(kind, same)).toBeUndefined();
  });
});

describe('a transformation', () => {
  it.each(['polynomial1', 'polynomial2', 'thinPlateSpline'] as const)('%s is none by points on one line', (kind) => {
    const line = placed(
      Array.from({ length: 9 }, (_, at) => ({ x: at * 100, y: at * 50 })),
      maps.polynomial1,
    );
    expect(fitTransformation(kind, line)).toBeUndefined();
  });

  it('that can’t follow a point says how far it is from it: by hand, a quarter of the error at each of four', () => {
    const square = [
      [0, 0],
      [1000, 0],
      [1000, 1000],
      [0, 1000],
    ].map(([x = 0, y = 0]) => ({ x, y }));
    const points = placed(square, ({ x, y }) => ({ x: x + (x === 0 && y === 0 ? 40 : 0), y }));
    const affine = fitTransformation('polynomial1', points);
    const { meters, rms } = residualsOf(points, affine ?? expect.fail());
    // 10 units of the square each, in meters of that latitude.
    const wanted = 10 * unit * equator * Math.cos((52.55 * Math.PI) / 180) * (6_371_008.8 / 6_378_137);
    for (const one of meters) expect(one).toBeCloseTo(wanted, 4);
    expect(rms).toBeCloseTo(wanted, 4);
  });

  it('by a thin plate spline bends only where points say so, and is affine where they are', () => {
    const spline = fitTransformation('thinPlateSpline', placed(grid, maps.polynomial1));
    const affine = fitTransformation('polynomial1', placed(grid, maps.polynomial1));
    const probe = { x: 1234, y: 2345 };
    expect(spline?.toWorld(probe).x).toBeCloseTo(affine?.toWorld(probe).x ?? 0, 12);
    expect(spline?.toWorld(probe).y).toBeCloseTo(affine?.toWorld(probe).y ?? 0, 12);
  });
});
