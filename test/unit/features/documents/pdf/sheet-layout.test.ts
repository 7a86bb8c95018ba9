import { describe, expect, it } from 'vitest';
import { layoutOf, trueDpi } from '../../../../../src/features/documents/pdf/document.ts';

const scan = { width: 2480, height: 3508 };

describe('the resolution of a sheet', () => {
  it.each([
    ['what somebody has said', { x: 72, y: 72 }, { x: 300, y: 300 }, { x: 72, y: 72 }],
    ['what the file says', undefined, { x: 400, y: 200 }, { x: 400, y: 200 }],
    ['that of most scans where nobody says one', undefined, undefined, { x: 300, y: 300 }],
    ['that of most scans where a camera wrote 72', undefined, { x: 72, y: 72 }, { x: 300, y: 300 }],
  ])('is %s', (_what, stated, stored, dpi) => expect(trueDpi(stated, stored, scan)).toEqual(dpi));

  it('is 72 for a picture of a screen', () => {
    expect(trueDpi(undefined, { x: 72, y: 72 }, { width: 800, height: 600 })).toEqual({ x: 72, y: 72 });
  });
});

describe('a sheet', () => {
  it('is as large as the original', () => {
    const { sheet, image } = layoutOf(scan, { kind: 'original', dpi: { x: 300, y: 300 } });
    expect(sheet.width).toBeCloseTo((2480 / 300) * 72, 2);
    expect(sheet.height).toBeCloseTo((3508 / 300) * 72, 2);
    expect(image).toEqual({ x: 0, y: 0, ...sheet });
  });

  it.each([
    [{ width: 100_000, height: 1000 }, 10],
    [{ width: 1, height: 50 }, 2400],
  ])('of %j at %d dpi has a size that readers show', (size, dpi) => {
    const { sheet } = layoutOf(size, { kind: 'original', dpi: { x: dpi, y: dpi } });
    for (const side of [sheet.width, sheet.height]) {
      expect(side).toBeGreaterThanOrEqual(3);
      expect(side).toBeLessThanOrEqual(14_400);
    }
  });

  it.each([
    [scan, 595.28, 841.89],
    [{ width: 3508, height: 2480 }, 841.89, 595.28],
  ])('of A4 lies as the image %j does, with the image in its middle', (size, width, height) => {
    const { sheet, image } = layoutOf(size, { kind: 'a4' });
    expect(sheet).toEqual({ width, height });
    expect(image.width / image.height).toBeCloseTo(size.width / size.height, 3);
    expect(image.x).toBeCloseTo((width - image.width) / 2, 2);
    expect(image.y).toBeCloseTo((height - image.height) / 2, 2);
  });
});
