import { describe, expect, it, test } from 'vitest';
import type { Rect, Size } from '../../../../../src/core/image/model/geometry.ts';
import type { Resolution } from '../../../../../src/core/image/model/image-set.ts';
import { planPart } from '../../../../../src/core/image/plan/plan-render.ts';
import type { Render } from '../../../../../src/core/image/plan/plan-types.ts';
import { imageOf, type Sketch } from '../image-builder.ts';

const scan: Sketch = { width: 10_000, height: 8000 };

function planOf(sketch: Sketch, source: Rect, output: Size, more: Partial<Resolution> = {}): Render {
  return planPart({ ...imageOf(sketch).resolutions[0], ...more }, source, output, 'jpeg');
}

const tile: Rect = { x: 4096, y: 4096, width: 4096, height: 3904 };
const reduced: Size = { width: 512, height: 488 };
const overviewOf = ({ resample }: Render): Size | undefined => (resample?.isOverview ? resample.before : undefined);

describe('a much reduced part of a large image without tiles', () => {
  it('is cut out of the overview, of which all such parts are', () => {
    const plan = planOf(scan, tile, reduced);
    expect(plan.read).toBeUndefined();
    expect(plan.resample).toEqual({
      before: { width: 1250, height: 1000 },
      isOverview: true,
      from: { x: 512, y: 512, width: 512, height: 488 },
      to: reduced,
    });
    expect(plan.scaled).toEqual(reduced);
    const smaller = planOf(scan, { ...tile, x: 0, y: 0 }, { width: 256, height: 244 });
    expect(smaller.resample).toMatchObject({ before: { width: 1250, height: 1000 }, to: { width: 256, height: 244 } });
  });

  test.each<[string, Sketch, Size]>([
    ['of 80 megapixels', scan, { width: 1250, height: 1000 }],
    ['of 9 megapixels', { width: 3000, height: 3000 }, { width: 750, height: 750 }],
    ['of 4 megapixels as PNG', { width: 2000, height: 2000, format: 'png' }, { width: 1000, height: 1000 }],
    ['of a strip', { width: 3, height: 4_000_000 }, { width: 1, height: 1_000_000 }],
  ])('%s has at most two megapixels', (_name, sketch, size) => {
    const half: Rect = { x: 0, y: 0, width: sketch.width, height: sketch.height / 2 };
    expect(overviewOf(planOf(sketch, half, { width: 1, height: 100 }))).toEqual(size);
  });

  it('includes the last tile, whose picture has a fraction of a pixel more', () => {
    const last: Rect = { x: 8192, y: 0, width: 1809, height: 4096 };
    const plan = planOf({ width: 10_001, height: 8000 }, last, { width: 227, height: 512 });
    expect(overviewOf(plan)).toEqual({ width: 1251, height: 1000 });
  });

  it('leaves less of the decoding to libjpeg where this would leave out too much of the edge', () => {
    const plan = planOf({ width: 10_003, height: 8000 }, { ...tile, x: 0 }, reduced);
    expect([overviewOf(plan), plan.shrink]).toEqual([{ width: 1251, height: 1000 }, 'less']);
    expect(planOf(scan, tile, reduced).shrink).toBeUndefined();
  });
});

describe('what is read from the file itself', () => {
  test.each<[string, Sketch, Rect, Size, Partial<Resolution>]>([
    ['the whole', scan, { x: 0, y: 0, width: 10_000, height: 8000 }, { width: 625, height: 500 }, {}],
    ['a part that is reduced less', scan, tile, { width: 1024, height: 976 }, {}],
    ['a part that is reduced less in one direction', scan, tile, { width: 1024, height: 488 }, {}],
    [
      'a part of a small image',
      { width: 3000, height: 2000 },
      { ...tile, x: 0, y: 0 },
      { width: 100, height: 100 },
      {},
    ],
    ['a part of a TIFF', { ...scan, format: 'tiff' }, tile, reduced, {}],
    ['a part of an image with alpha', { ...scan, format: 'png' }, tile, reduced, { alpha: true }],
    ['a part of an image with 16 bits', { ...scan, format: 'png' }, tile, reduced, { bits: 16 }],
  ])('%s', (_name, sketch, source, output, more) => {
    expect(overviewOf(planOf(sketch, source, output, more))).toBeUndefined();
  });

  it('a part that is covered', () => {
    const [resolution] = imageOf(scan).resolutions;
    const covers = { covers: { redactions: [tile], key: 'k' }, stored: resolution, shown: scan };
    expect(overviewOf(planPart(resolution, tile, reduced, 'jpeg', covers))).toBeUndefined();
  });
});
