import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Arrangement, plainArrangement } from '../../../../../web/src/model/address/comparison.ts';
import { fitRegion, isSamePlace } from '../../../../../web/src/model/view/framing.ts';
import { matrixOf, type Placement, toImage, toScreen } from '../../../../../web/src/model/view/geometry.ts';
import {
  alignAll,
  aligned,
  exactRegion,
  follow,
  moved,
  type Placed,
} from '../../../../../web/src/model/view/linked-placements.ts';
import type { Point } from '../../../../../web/src/model/view-state.ts';

const window = { width: 800, height: 600 };

const between = (min: number, max: number) => fc.double({ min, max, noNaN: true, noDefaultInfinity: true });

const placements: fc.Arbitrary<Placement> = fc.record({
  center: fc.record({ x: between(-1, 2), y: between(-1, 2) }),
  scale: between(0.01, 16),
  rotation: fc.oneof(fc.constantFrom(0, 90, 180, 270), between(0, 359.9)),
  mirror: fc.record({ horizontal: fc.boolean(), vertical: fc.boolean() }),
});

const sizes = fc.record({ width: fc.integer({ min: 50, max: 20_000 }), height: fc.integer({ min: 50, max: 20_000 }) });
const placed: fc.Arbitrary<Placed> = fc.record({ placement: placements, image: sizes });

/** Two points that are far enough from each other. */
const pairs: fc.Arbitrary<readonly [Point, Point]> = fc
  .tuple(between(0, 0.4), between(0, 1), between(0.6, 1), between(0, 1))
  .map(([x, y, u, v]) => [
    { x, y },
    { x: u, y: v },
  ]);

const onScreen = ({ placement, image }: Placed, point: Point): Point =>
  toScreen(matrixOf(placement, image, window), point);

const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);

describe('an image that is aligned by two points', () => {
  it('has both where those of the other image are, in less than a thousandth of their distance', () => {
    fc.assert(
      fc.property(placed, pairs, placed, pairs, (lead, leadPoints, own, points) => {
        const placement = aligned(lead, leadPoints, own, points);
        if (placement === undefined) throw new Error('not aligned');
        const length = distance(onScreen(lead, leadPoints[0]), onScreen(lead, leadPoints[1]));
        for (const at of [0, 1] as const) {
          const there = onScreen({ placement, image: own.image }, points[at]);
          expect(distance(there, onScreen(lead, leadPoints[at]))).toBeLessThan(1e-3 + length * 1e-6);
        }
        expect(placement.mirror).toBe(own.placement.mirror);
      }),
    );
  });

  it('stays as it is where its points coincide', () => {
    const image = { width: 100, height: 100 };
    const placement: Placement = {
      center: { x: 0.5, y: 0.5 },
      scale: 1,
      rotation: 0,
      mirror: { horizontal: false, vertical: false },
    };
    const point = { x: 0.5, y: 0.5 };
    const lead = { placement, image };
    expect(
      aligned(
        lead,
        [
          { x: 0, y: 0 },
          { x: 1, y: 1 },
        ],
        lead,
        [point, point],
      ),
    ).toBeUndefined();
    expect(
      aligned(lead, [point, point], lead, [
        { x: 0, y: 0 },
        { x: 1, y: 1 },
      ]),
    ).toBeUndefined();
  });
});

describe('an image that is moved with another one', () => {
  it('shows what has moved by the same way on the screen', () => {
    fc.assert(
      fc.property(placed, placements, placed, between(0, 1), between(0, 1), (before, to, own, x, y) => {
        const { rotation, mirror } = before.placement;
        const now = { ...to, rotation, mirror };
        const follows = { placement: moved(before, now, own), image: own.image };
        const after = { placement: now, image: before.image };
        // The same screen position in both, before and after.
        const start = onScreen(own, { x, y });
        const point = toImage(matrixOf(before.placement, before.image, window), start);
        const far = 1 + distance(onScreen(after, point), { x: 0, y: 0 });
        expect(distance(onScreen(follows, { x, y }), onScreen(after, point)) / far).toBeLessThan(1e-6);
      }),
    );
  });

  it('is not turned with it', () => {
    fc.assert(
      fc.property(placed, placed, (before, own) => {
        const now = { ...before.placement, rotation: (before.placement.rotation + 30) % 360, scale: 2 };
        expect(moved(before, now, own)).toBe(own.placement);
      }),
    );
  });
});

it('the exact region leads back to its placement, also beyond the edges', () => {
  fc.assert(
    fc.property(placed, ({ placement, image }) => {
      const region = exactRegion({ placement, image }, window);
      const back = fitRegion({ region, rotation: placement.rotation, mirror: placement.mirror }, image, window);
      expect(isSamePlace(back, placement, image, window)).toBe(true);
    }),
  );
});

describe('linked images', () => {
  const arrangement = (points: Arrangement['points'], together = true): Arrangement => ({
    ...plainArrangement,
    points,
    together,
  });

  it('stay aligned, whichever of them is moved, turned or mirrored', () => {
    fc.assert(
      fc.property(
        placed,
        placed,
        pairs,
        pairs,
        placements,
        fc.constantFrom(0, 1),
        (one, two, first, second, now, index) => {
          const linked = arrangement([first, second]);
          const after = follow(alignAll([one, two], linked), linked, index, now);
          const [a, b] = after;
          if (a === undefined || b === undefined) throw new Error('not placed');
          const length = distance(onScreen(a, first[0]), onScreen(a, first[1]));
          for (const at of [0, 1] as const) {
            expect(distance(onScreen(a, first[at]), onScreen(b, second[at]))).toBeLessThan(1e-3 + length * 1e-6);
          }
          expect(after[index]?.placement).toBe(now);
        },
      ),
    );
  });

  it('are moved alone when they are apart', () => {
    fc.assert(
      fc.property(placed, placed, pairs, pairs, placements, (one, two, first, second, now) => {
        const apart = arrangement([first, second], false);
        expect(alignAll([one, two], apart)).toEqual([one, two]);
        expect(follow([one, two], apart, 0, now)[1]).toBe(two);
      }),
    );
  });

  it('wait for those that have not loaded', () => {
    const all = [undefined, { placement: {} as Placement, image: { width: 1, height: 1 } }];
    expect(alignAll(all, plainArrangement)).toEqual(all);
    expect(follow(all, plainArrangement, 0, {} as Placement)).toBe(all);
  });
});
