import { describe, expect, it } from 'vitest';
import type { Orientation } from '../../../../../src/core/image/model/geometry.ts';
import { dpiOf, type ImageSet, mergeMetadata, noImageMetadata } from '../../../../../src/core/image/model/image-set.ts';
import { infoObject } from '../../../../../src/features/digilib/info-object.ts';
import { defaultValues } from '../../../../../src/features/digilib/parameters.ts';
import { imageOf } from '../image-builder.ts';

const scan = (orientation: Orientation, metadata?: ImageSet['metadata']): ImageSet => ({
  ...imageOf({ width: 30, height: 20, dpi: { x: 300, y: 150 }, orientation }),
  ...(metadata === undefined ? {} : { metadata }),
});

describe('the dpi of an image', () => {
  it.each<[Orientation, number, number]>([
    [1, 300, 150],
    [3, 300, 150],
    [5, 150, 300],
    [6, 150, 300],
    [8, 150, 300],
  ])('is the header’s, turned upright as orientation %i says', (orientation, x, y) => {
    expect(dpiOf(scan(orientation))).toEqual({ x, y });
  });

  it.each<[Orientation]>([[1], [6]])('is that of its metadata as it stands, with orientation %i', (orientation) => {
    const image = scan(orientation, { contexts: [], dpi: { x: 7, y: 8 } });
    expect(dpiOf(image)).toEqual({ x: 7, y: 8 });
    expect(infoObject(defaultValues, { method: 'GET', address: '', id: '' }, image)).toMatchObject({
      'img.dpix': '7',
      'img.dpiy': '8',
    });
  });

  it('is that of the highest resolution alone', () => {
    const [first, second] = [
      { width: 40, height: 40 },
      { width: 20, height: 20, dpi: { x: 72, y: 72 } },
    ];
    expect(dpiOf(imageOf(first, second))).toBeUndefined();
  });
});

describe('what several places say', () => {
  it('is the first of each field', () => {
    const text = { kind: 'text', text: 'a' } as const;
    expect(
      mergeMetadata([
        noImageMetadata,
        { contexts: [], title: 'a' },
        { contexts: [text], title: 'b', dpi: { x: 1, y: 2 } },
        { contexts: [text, text], access: 'free', dpi: { x: 3, y: 4 } },
      ]),
    ).toEqual({ title: 'a', contexts: [text], dpi: { x: 1, y: 2 }, access: 'free' });
    expect(mergeMetadata([])).toEqual(noImageMetadata);
  });
});
