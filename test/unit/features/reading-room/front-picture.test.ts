/** The wide picture of the start page: its usual detail, and the one of the settings. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frontRegion, parseFrontPicture } from '../../../../src/core/image/folder/front-picture.ts';

describe('the usual detail', () => {
  it('lies in the image, is wide, and is no more than a part of a large one', () => {
    const side = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(side, side, (width, height) => {
        const region = frontRegion({ width, height });
        expect(region.x).toBeGreaterThanOrEqual(0);
        expect(region.y).toBeGreaterThanOrEqual(0);
        expect(region.x + region.width).toBeLessThanOrEqual(1 + 1e-9);
        expect(region.y + region.height).toBeLessThanOrEqual(1 + 1e-9);
        expect((region.width * width) / (region.height * height)).toBeCloseTo(2.5, 6);
        if (width >= 6000) expect(region.width).toBeLessThanOrEqual(0.4 + 1e-9);
      }),
    );
  });
});

describe('a setting of it', () => {
  it.each([
    ['maps/coast.tif', { path: 'maps/coast.tif', region: undefined }],
    [
      'maps/coast.tif?wx=0.1&wy=0.2&ww=0.5&wh=0.25',
      { path: 'maps/coast.tif', region: { x: 0.1, y: 0.2, width: 0.5, height: 0.25 } },
    ],
    ['a%20b.jpg?wx=0.75', { path: 'a b.jpg', region: undefined }],
    ['a.jpg?wx=0.75&ww=0.5', { path: 'a.jpg', region: { x: 0.75, y: 0, width: 0.25, height: 1 } }],
    [
      'https://library.example/books/view/maps/coast.tif?ww=0.5',
      { path: 'maps/coast.tif', region: { x: 0, y: 0, width: 0.5, height: 1 } },
    ],
    ['a.jpg?rot=90&ww=0.5', { path: 'a.jpg', region: { x: 0, y: 0, width: 0.5, height: 1 } }],
  ])('%s', (text, choice) => expect(parseFrontPicture(text)).toEqual(choice));

  it.each(['', '?wx=0.1', 'a.jpg?wx=2', 'a.jpg?ww=0', 'a.jpg?ww=x', 'a%ff.jpg'])('“%s” is none', (text) =>
    expect(parseFrontPicture(text)).toBeUndefined(),
  );
});
