/** Which images are slow to cut, and which tile their pyramid has. */
import { describe, expect, it, test } from 'vitest';
import type { Resolution } from '../../../../../src/core/image/model/image-set.ts';
import { pyramidTile, slownessOf } from '../../../../../src/core/image/plan/slow-sources.ts';
import { imageOf, jpegTiles, type Sketch } from '../image-builder.ts';

const large = { width: 5000, height: 4000 } as const;
const tiled = { ...large, format: 'tiff', reductions: 4, tile: 256, stored: jpegTiles } as const;

const resolutionOf = (sketch: Sketch, more: Partial<Resolution> = {}): Resolution => ({
  ...imageOf(sketch).resolutions[0],
  ...more,
});

describe('slow to cut', () => {
  test.each<[string, Sketch, Partial<Resolution>, string]>([
    ['a large JPEG', large, {}, 'it is a JPEG of 20 megapixels without tiles'],
    [
      'a PNG above 3 megapixels',
      { width: 2000, height: 1600, format: 'png' },
      {},
      'it is a PNG of 3.2 megapixels without tiles',
    ],
    ['a TIFF in strips', { ...large, format: 'tiff' }, {}, 'it is a TIFF of 20 megapixels without tiles'],
    ['a turned JPEG', { ...large, orientation: 6 }, {}, 'it is a JPEG of 20 megapixels without tiles'],
    [
      'tiles without JPEG',
      { ...tiled, stored: { kind: 'opaque', reason: 'its tiles are stored with LZW compression' } },
      {},
      'its tiles are stored with LZW compression',
    ],
    ['tiles with another profile', tiled, { profile: true }, 'its tiles have to be converted to sRGB'],
    ['turned tiles', { ...tiled, orientation: 8 }, {}, 'its tiles are stored turned or mirrored'],
    ['deep tiles', tiled, { bits: 16 }, 'its samples have to be brought to 8 bits'],
    [
      'a JPEG 2000 above 1 megapixel',
      { width: 1200, height: 900, format: 'jp2' },
      {},
      'it is a JPEG 2000 of 1.1 megapixels without tiles',
    ],
    [
      'a JPEG 2000 in tiles',
      {
        ...tiled,
        format: 'jp2',
        stored: { kind: 'opaque', reason: 'its tiles are stored with JPEG 2000 compression' },
      },
      {},
      'its tiles are stored with JPEG 2000 compression',
    ],
    ['tiles without smaller levels', { ...tiled, reductions: 0 }, {}, 'its smallest level has 20 megapixels'],
  ])('is %s', (_, sketch, more, reason) => {
    expect(slownessOf(resolutionOf(sketch, more))).toEqual({ kind: 'slow', reason });
  });
});

describe('quick is', () => {
  test.each<[string, Sketch, Partial<Resolution>]>([
    ['a JPEG of 8 megapixels', { width: 4000, height: 2000 }, {}],
    ['a PNG of 3 megapixels', { width: 2000, height: 1500, format: 'png' }, {}],
    ['a JPEG 2000 of 1 megapixel', { width: 1250, height: 800, format: 'jp2' }, {}],
    ['a pyramid', tiled, {}],
    ['a pyramid with an sRGB profile', tiled, { profile: true, profileSpace: 'srgb' }],
    ['a small image with transparency', { width: 200, height: 100, format: 'png' }, { alpha: true }],
  ])('%s', (_, sketch, more) => expect(slownessOf(resolutionOf(sketch, more)).kind).toBe('quick'));
});

describe('no pyramid is possible for', () => {
  test.each<[string, Sketch, Partial<Resolution>, RegExp]>([
    ['transparency', { ...large, format: 'png' }, { alpha: true }, /transparency/],
    ['transparency in JPEG 2000', { ...large, format: 'jp2' }, { alpha: true }, /transparency/],
    ['very long sides', { width: 70_000, height: 1000 }, {}, /at most 65535 pixels/],
  ])('%s', (_, sketch, more, reason) => {
    const slowness = slownessOf(resolutionOf(sketch, more));
    expect(slowness.kind).toBe('unfit');
    expect(slowness.reason).toMatch(reason);
  });
});

describe('the tile of a pyramid', () => {
  const withTile = (width: number, height: number, orientation: Sketch['orientation'] = 1): Resolution => {
    const resolution = resolutionOf({ ...tiled, orientation });
    const [full, ...levels] = resolution.levels;
    return { ...resolution, levels: [{ ...full, tile: { width, height } }, ...levels] };
  };
  test.each([
    ['the file’s own', withTile(256, 128), 256, 128],
    ['the file’s own, upright', withTile(256, 128, 6), 128, 256],
    ['512 where TIFF can’t have it', withTile(250, 250), 512, 512],
    ['512 where it is tiny', withTile(16, 16), 512, 512],
    ['512 where it is huge', withTile(8192, 8192), 512, 512],
    ['512 of a file without tiles', resolutionOf(large), 512, 512],
  ])('is %s', (_, source, width, height) => expect(pyramidTile(source)).toEqual({ width, height }));

  it('is that of info.json wherever possible', async () => {
    const { tilingOf } = await import('../../../../../src/features/iiif-image/image-information.ts');
    const image = imageOf(tiled);
    expect(tilingOf(image).tile).toEqual(pyramidTile(image.resolutions[0]));
  });
});
