import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { ImageError } from '../../../../src/core/image/model/errors.ts';
import { keyOf } from '../../../../src/core/image/plan/cost.ts';
import { planImage } from '../../../../src/core/image/plan/plan.ts';
import { canonicalPath, type ImagePath, parseImagePath } from '../../../../src/features/iiif-image/image-path.ts';
import type { Version } from '../../../../src/features/iiif-image/version.ts';
import { imageOf } from '../../core/image/image-builder.ts';

const limits = { maxArea: 100_000_000 };
const image = imageOf({ width: 1201, height: 799 });

function toPath(text: string): ImagePath {
  const [region = '', size = '', rotation = '', qualityAndFormat = ''] = text.split('/');
  return { region, size, rotation, qualityAndFormat };
}

const decisionOf = (text: string, version: Version) =>
  planImage(parseImagePath(toPath(text), version), image, { limits, sendFile: true, profiles: 'convert' });

function canonical(text: string, version: Version): string {
  const { resolved } = decisionOf(text, version);
  if (resolved === undefined) throw new Error('a request of IIIF has a region');
  return canonicalPath(parseImagePath(toPath(text), version), toPath(text), resolved, version);
}

const keyFor = (text: string, version: Version): string => keyOf(decisionOf(text, version).plan);

describe('the canonical form', () => {
  test.each([
    ['0,0,1201,799/300,/360/default.jpg', 3, 'full/300,200/0/default.jpg'],
    ['full/1201,799/0.0/default.jpg', 3, 'full/max/0/default.jpg'],
    ['full/^1500,/!90.0/gray.png', 3, 'full/^1500,998/!90/gray.png'],
    ['pct:0,0,50,100/!100,900/0/default.jpg', 3, '0,0,601,799/100,133/0/default.jpg'],
    ['square/max/22.50/default.jpg', 3, '201,0,799,799/max/22.5/default.jpg'],
    ['full/full/0/default.jpg', 2, 'full/full/0/default.jpg'],
    ['full/300,200/0/default.jpg', 2, 'full/300,/0/default.jpg'],
    ['full/300,300/0/default.jpg', 2, 'full/300,300/0/default.jpg'],
  ] as const)('of %s in version %d is %s', (text, version, expected) =>
    expect(canonical(text, version)).toBe(expected),
  );

  it('is its own canonical form and plans the same picture, for random requests', () => {
    const side = fc.integer({ min: 0, max: 1300 });
    const region = fc.oneof(
      fc.constantFrom('full', 'square'),
      fc.tuple(side, side, side, side).map((numbers) => numbers.join(',')),
      fc.tuple(side, side, side, side).map((numbers) => `pct:${numbers.map((n) => n / 13).join(',')}`),
    );
    const size = fc.oneof(
      fc.constantFrom('max', '^max'),
      fc.tuple(fc.constantFrom('', '^', '!', '^!'), side, side).map(([mark, w, h]) => `${mark}${w},${h}`),
      fc.tuple(fc.constantFrom('', '^'), side).map(([mark, w]) => `${mark}${w},`),
      fc.tuple(fc.constantFrom('', '^'), side).map(([mark, n]) => `${mark}pct:${n / 10}`),
    );
    const rotation = fc.constantFrom('0', '90', '!0', '!22.5', '360', '45.0');
    fc.assert(
      fc.property(region, size, rotation, fc.constantFrom(2, 3) as fc.Arbitrary<Version>, (r, s, turn, version) => {
        const text = `${r}/${version === 2 ? s.replace('^', '') : s}/${turn}/default.png`;
        let once: string;
        let key: string;
        try {
          once = canonical(text, version);
          key = keyFor(text, version);
        } catch (error) {
          expect(error).toBeInstanceOf(ImageError);
          return;
        }
        expect(canonical(once, version)).toBe(once);
        expect(keyFor(once, version)).toBe(key);
      }),
      { numRuns: 3000 },
    );
  });
});
