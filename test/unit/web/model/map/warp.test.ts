import { describe, expect, it } from 'vitest';
import { toGeo } from '../../../../../web/src/model/map/mercator.ts';
import { fitTransformation } from '../../../../../web/src/model/map/transformations.ts';
import {
  cellsFor,
  cornersOfCell,
  isInSight,
  matrixBetween,
  meshOf,
  seenExactly,
  seenPart,
  widened,
} from '../../../../../web/src/model/map/warp.ts';

const whole = { x: 0, y: 0, width: 4000, height: 3000 };

/** One pixel is 1e-6 of the square. */
const plain = ({ x, y }: { readonly x: number; readonly y: number }) => ({ x: 0.5 + x * 1e-6, y: 0.3 + y * 1e-6 });

describe('a mesh', () => {
  it('has its points in rows', () => {
    const mesh = meshOf(whole, 2, plain);
    expect(mesh.world).toHaveLength(9);
    expect(cornersOfCell(mesh, 1, 0).map(({ x }) => x.toFixed(6))).toEqual([
      '0.502000',
      '0.504000',
      '0.502000',
      '0.504000',
    ]);
    expect(isInSight(mesh, { x: 0.503, y: 0.302, width: 0.01, height: 0.01 })).toBe(true);
    expect(isInSight(mesh, { x: 0.505, y: 0.302, width: 0.01, height: 0.01 })).toBe(false);
  });

  it('tells which part of the image is in sight, and how large a pixel is there', () => {
    const mesh = meshOf(whole, 8, plain);
    const seen = seenPart(mesh, { x: 0.5011, y: 0.3001, width: 0.0003, height: 0.0002 });
    expect(seen?.part).toEqual({ x: 1000, y: 0, width: 500, height: 375 });
    expect(seen?.pixel).toBeCloseTo(1e-6, 12);
    expect(seenPart(mesh, { x: 0.6, y: 0.6, width: 0.1, height: 0.1 })).toBeUndefined();
  });

  it('finds the part of a very large image that a small window shows', () => {
    const large = { x: 0, y: 0, width: 400_000, height: 300_000 };
    const window = { x: 0.5 + 0.123, y: 0.3 + 0.1, width: 0.0012, height: 0.0008 };
    const seen = seenExactly(meshOf(large, 8, plain), window, plain);
    expect(seen?.part.x).toBeLessThanOrEqual(123_000);
    expect(seen?.part.y).toBeLessThanOrEqual(100_000);
    expect((seen?.part.x ?? 0) + (seen?.part.width ?? 0)).toBeGreaterThanOrEqual(124_200);
    expect((seen?.part.y ?? 0) + (seen?.part.height ?? 0)).toBeGreaterThanOrEqual(100_800);
    expect(seen?.part.width).toBeLessThan(1700);
    expect(seen?.part.height).toBeLessThan(1200);
  });

  it('needs one cell where the map is affine or nearly, and more where it bends', () => {
    const bent = (by: number) =>
      [0, 1000, 2000, 3000, 4000]
        .flatMap((x) => [0, 1500, 3000].map((y) => ({ x, y })))
        .map((point) => ({
          ...point,
          ...toGeo({ x: plain(point).x, y: plain(point).y + by * 1e-6 * Math.sin(point.x / 600) }),
        }));
    const cells = (kind: 'polynomial1' | 'thinPlateSpline', by: number): number => {
      const fitted = fitTransformation(kind, bent(by));
      return fitted === undefined ? Number.NaN : cellsFor(whole, fitted);
    };
    expect(cells('polynomial1', 300)).toBe(1);
    expect(cells('thinPlateSpline', 0)).toBe(1);
    expect(cells('thinPlateSpline', 300)).toBeGreaterThan(4);
  });
});

describe('triangles', () => {
  const from = [
    { x: 0, y: 0 },
    { x: 10, y: 0 },
    { x: 0, y: 20 },
  ] as const;
  const to = [
    { x: 5, y: 7 },
    { x: 25, y: 9 },
    { x: 1, y: 67 },
  ] as const;

  it('are mapped on each other', () => {
    const [a, b, c, d, e, f] = matrixBetween(from, to) ?? expect.fail();
    for (const [index, { x, y }] of from.entries()) {
      expect(a * x + c * y + e).toBeCloseTo(to[index]?.x ?? 0, 9);
      expect(b * x + d * y + f).toBeCloseTo(to[index]?.y ?? 0, 9);
    }
    expect(matrixBetween([from[0], from[0], from[1]], to)).toBeUndefined();
  });

  it('grow away from their middle', () => {
    const wide = widened(from, 1);
    for (const [index, corner] of wide.entries()) {
      expect(Math.hypot(corner.x - (from[index]?.x ?? 0), corner.y - (from[index]?.y ?? 0))).toBeCloseTo(1, 9);
    }
    expect(wide[0].x).toBeLessThan(0);
  });
});
