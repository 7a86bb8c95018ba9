import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clipToImage,
  extentShown,
  fitRegion,
  keepOnImage,
  pixelScale,
  regionAtScale,
  regionShown,
  trueScale,
  zoomSteps,
} from '../../../../../web/src/model/view/framing.ts';
import {
  cssOf,
  matrixOf,
  matrixOfPart,
  type Placement,
  toImage,
  toScreen,
  turnOf,
} from '../../../../../web/src/model/view/geometry.ts';
import { type Point, plainView, type Rect, wholeImage } from '../../../../../web/src/model/view-state.ts';

const upright = { horizontal: false, vertical: false };
const leftRight = { horizontal: true, vertical: false };
const topBottom = { horizontal: false, vertical: true };
const image = { width: 2000, height: 1000 };
const window = { width: 800, height: 600 };

const close = (actual: object, expected: object, digits = 6) => {
  for (const [name, value] of Object.entries(expected)) {
    expect((actual as Record<string, number>)[name], name).toBeCloseTo(value, digits);
  }
};

const numbers = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const mirrors = fc.record({ horizontal: fc.boolean(), vertical: fc.boolean() });
const sizes = fc.record({ width: fc.integer({ min: 50, max: 20_000 }), height: fc.integer({ min: 50, max: 20_000 }) });
const degrees = fc.oneof(fc.constantFrom(0, 45, 90, 135, 180, 270), numbers(0, 359.9));
const placements: fc.Arbitrary<Placement> = fc.record({
  center: fc.record({ x: numbers(-0.5, 1.5), y: numbers(-0.5, 1.5) }),
  scale: numbers(0.01, 20),
  rotation: degrees,
  mirror: mirrors,
});

describe('the left top corner of an image', () => {
  const [left, right, top, bottom] = [0, 800, 100, 500];
  it.each([
    [0, upright, { x: left, y: top }],
    [0, leftRight, { x: right, y: top }],
    [0, topBottom, { x: left, y: bottom }],
    [180, upright, { x: right, y: bottom }],
    [180, leftRight, { x: left, y: bottom }],
    [90, upright, { x: 550, y: 0 }],
    [90, leftRight, { x: 550, y: 600 }],
    [270, upright, { x: 250, y: 600 }],
    [90, topBottom, { x: 250, y: 0 }],
  ])('has the right position after %d° and mirroring %j', (rotation, mirror, corner) => {
    const matrix = matrixOf(fitRegion({ ...plainView('a'), rotation, mirror }, image, window), image, window);
    close(toScreen(matrix, { x: 0, y: 0 }), corner);
    close(toImage(matrix, corner), { x: 0, y: 0 });
  });
});

it('maps each point of the screen back to the image', () => {
  fc.assert(
    fc.property(placements, sizes, sizes, numbers(-1, 2), numbers(-1, 2), (placement, picture, frame, x, y) => {
      const matrix = matrixOf(placement, picture, frame);
      close(toImage(matrix, toScreen(matrix, { x, y })), { x, y });
    }),
  );
});

it('fits every region into the window, touching two edges', () => {
  const regions = fc.record({
    x: numbers(0, 0.9),
    y: numbers(0, 0.9),
    width: numbers(0.01, 1),
    height: numbers(0.01, 1),
  });
  fc.assert(
    fc.property(regions, degrees, mirrors, sizes, sizes, (region, rotation, mirror, picture, frame) => {
      const matrix = matrixOf(fitRegion({ region, rotation, mirror }, picture, frame), picture, frame);
      const corners = [0, 1].flatMap((right) =>
        [0, 1].map((down) =>
          toScreen(matrix, { x: region.x + right * region.width, y: region.y + down * region.height }),
        ),
      );
      const spare = Math.min(
        ...corners.flatMap(({ x, y }: Point) => [
          x / frame.width,
          1 - x / frame.width,
          y / frame.height,
          1 - y / frame.height,
        ]),
      );
      expect(spare).toBeCloseTo(0, 6);
    }),
  );
});

describe('the region that a window shows', () => {
  it('results in the same placement', () => {
    fc.assert(
      fc.property(placements, sizes, sizes, (placement, picture, frame) => {
        const { rotation, mirror } = placement;
        const again = fitRegion({ region: regionShown(placement, picture, frame), rotation, mirror }, picture, frame);
        const was = matrixOf(placement, picture, frame);
        const is = matrixOf(again, picture, frame);
        const middle = toImage(was, { x: frame.width / 2, y: frame.height / 2 });
        const moved = toScreen(is, middle);
        expect(Math.hypot(moved.x - frame.width / 2, moved.y - frame.height / 2)).toBeLessThan(0.5);
        expect(Math.abs(again.scale / placement.scale - 1) * Math.max(frame.width, frame.height)).toBeLessThan(0.5);
      }),
    );
  });

  const whole = (rotation: number) => fitRegion({ region: wholeImage, rotation, mirror: upright }, image, window);
  it.each([
    ['a whole image', whole(0), wholeImage],
    ['a whole image on its side', whole(90), wholeImage],
    ['a whole image at an angle', whole(20), wholeImage],
    ['a middle', { ...whole(0), scale: 1 }, { x: 0.3, y: 0.2, width: 0.4, height: 0.6 }],
    ['a middle on its side', { ...whole(90), scale: 1 }, { x: 0.35, y: 0.1, width: 0.3, height: 0.8 }],
    [
      'beyond the left edge',
      { ...whole(0), scale: 1, center: { x: 0, y: 0.5 } },
      { x: -0.2, y: 0.2, width: 0.4, height: 0.6 },
    ],
  ])('is right for %s', (_, placement, region: Rect) => close(regionShown(placement, image, window), region));
});

it('returns the requested region until the placement changes', () => {
  const region = { x: 0.1, y: 0.1, width: 0.2, height: 0.2 };
  const placement = fitRegion({ region, rotation: 30, mirror: leftRight }, image, window);
  expect(regionShown(placement, image, window, region)).toBe(region);
  expect(regionShown({ ...placement, scale: placement.scale * 1.1 }, image, window, region)).not.toBe(region);
});

describe('a fixed scale', () => {
  it.each([
    [1, { width: 0.4, height: 0.6 }, 0],
    [2, { width: 0.8, height: 1.2 }, 0],
    [1, { width: 0.3, height: 0.8 }, 90],
  ])('at %d device pixels shows %j', (ratio, extent, rotation) => {
    const region = regionAtScale(
      { ...plainView('a'), region: { ...wholeImage, x: 0.1 }, rotation },
      pixelScale(ratio),
      image,
      window,
    );
    close(region, { x: 0.1, y: 0, ...extent });
  });

  it('shows an inch of the image as an inch of the screen', () => {
    expect(trueScale(96, { x: 300, y: 300 })).toBeCloseTo(0.32);
    expect(trueScale(96, { x: 400, y: 100 })).toBeCloseTo(0.48);
  });

  it('is the one at which its extent fits', () => {
    fc.assert(
      fc.property(numbers(0.01, 20), degrees, sizes, sizes, (scale, rotation, picture, frame) => {
        const region = { x: 0, y: 0, ...extentShown(scale, rotation, picture, frame) };
        expect(fitRegion({ region, rotation, mirror: upright }, picture, frame).scale / scale).toBeCloseTo(1, 9);
      }),
    );
  });
});

describe('zooming', () => {
  const quarter = { x: 0.25, y: 0.25, width: 0.5, height: 0.5 };

  it('uses digilib’s factors', () => expect(zoomSteps).toEqual({ in: 1.4, out: 0.7 }));

  it.each([
    ['what is inside', quarter, quarter],
    ['what is beyond the left', { ...quarter, x: -0.3 }, { ...quarter, x: 0 }],
    ['what is beyond the bottom', { ...quarter, y: 0.8 }, { ...quarter, y: 0.5 }],
    ['what is larger', { x: 0, y: 0, width: 2, height: 1 }, { x: -0.5, y: 0, width: 2, height: 1 }],
  ])('moves %s onto the image', (_, region, moved) => close(keepOnImage(region), moved));

  it.each([
    ['a part', { x: -0.5, y: 0.5, width: 1, height: 1 }, { x: 0, y: 0.5, width: 0.5, height: 0.5 }],
    ['nothing', { x: 2, y: 0, width: 1, height: 1 }, wholeImage],
  ])('clips %s to the image', (_, region, clipped) => close(clipToImage(region), clipped));
});

describe('a viewer that rotates before it flips', () => {
  it('shows the same picture', () => {
    fc.assert(
      fc.property(placements, sizes, sizes, (placement, picture, frame) => {
        const { flipped, degrees: turned } = turnOf(placement.rotation, placement.mirror);
        const ours = matrixOf(placement, picture, frame);
        const rotated = matrixOf({ ...placement, rotation: turned, mirror: upright }, picture, frame);
        for (const point of [
          { x: 0, y: 0 },
          { x: 1, y: 0 },
          { x: 0, y: 1 },
        ]) {
          const { x, y } = toScreen(rotated, point);
          close(toScreen(ours, point), { x: flipped ? frame.width - x : x, y }, 4);
        }
      }),
    );
  });
});

describe('the map of a part of the image', () => {
  it('is that of the image, for each point of a picture in the part', () => {
    const size = { width: 400, height: 900 };
    const part = { x: 1.02, y: 0, width: 0.7, height: 0.9 };
    fc.assert(
      fc.property(placements, numbers(0, 1), numbers(0, 1), (placement, across, down) => {
        const matrix = matrixOf(placement, image, window);
        const direct = toScreen(matrix, { x: part.x + across * part.width, y: part.y + down * part.height });
        const inPart = toScreen(matrixOfPart(matrix, part, size), { x: across * size.width, y: down * size.height });
        close(inPart, direct, 3);
      }),
    );
  });

  it('is written as CSS', () => expect(cssOf([1, 2, 3, 4, 5, 6])).toBe('matrix(1,2,3,4,5,6)'));
});
