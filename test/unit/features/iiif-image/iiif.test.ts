import { describe, expect, it, test } from 'vitest';
import { parseAddress } from '../../../../src/features/iiif-image/image-address.ts';
import { imageInformation } from '../../../../src/features/iiif-image/image-information.ts';
import {
  parseImagePath,
  parseQualityAndFormat,
  parseRegion,
  parseRotation,
  parseSize,
} from '../../../../src/features/iiif-image/image-path.ts';
import { imageOf } from '../../core/image/image-builder.ts';

describe('addresses', () => {
  test.each([
    ['book!page', { kind: 'base', identifiers: ['book/page', 'book!page'] }],
    ['book!page/', { kind: 'base', rawIdentifier: 'book!page' }],
    ['book%2Fpage/info.json', { kind: 'info', identifiers: ['book/page'] }],
    ['book%21who%21.jpg/info.json', { kind: 'info', identifiers: ['book/who/.jpg', 'book/who!.jpg', 'book!who!.jpg'] }],
    ['a%20b!%C3%BC/info.json', { kind: 'info', identifiers: ['a b/ü', 'a b!ü'] }],
    ['x/full/%5E1500,/0/default.jpg', { kind: 'image', identifiers: ['x'], path: { size: '^1500,' } }],
    ['x/pct%3A1,2,3,4/max/!0/default.jpg', { kind: 'image', path: { region: 'pct:1,2,3,4', rotation: '!0' } }],
  ])('%s', (path, expected) => expect(parseAddress(path, false)).toMatchObject(expected));

  test.each([
    ['a/b/info.json', { kind: 'info', identifiers: ['a/b'], rawIdentifier: 'a/b' }],
    ['a/b/c', { kind: 'base', identifiers: ['a/b/c'] }],
    ['a/b/c/d/e', { kind: 'base', identifiers: ['a/b/c/d/e'] }],
    ['a/b/full/max/0/default.jpg', { kind: 'image', identifiers: ['a/b'], path: { region: 'full' } }],
  ])('%s, where raw slashes are allowed', (path, expected) => expect(parseAddress(path, true)).toMatchObject(expected));

  test.each([
    '',
    '/info.json',
    'info.json',
    'a/b',
    'a/b/info.json',
    'a/full/max/0/default.jpg/x',
    'a/full/max/0',
    '%zz/info.json',
    '%C3/info.json',
    'x/%zz/max/0/default.jpg',
  ])('%j is none', (path) => expect(parseAddress(path, false)).toBeUndefined());

  it('takes many exclamation marks for slashes', () => {
    expect(parseAddress('a!b!c!d!e!f!g!h!i!j', false)).toMatchObject({ identifiers: ['a/b/c/d/e/f/g/h/i/j'] });
  });
});

describe('regions, sizes, rotations, qualities', () => {
  test.each([
    '',
    'FULL',
    '1,2,3',
    '1,2,3,4,5',
    '-1,0,10,10',
    '0,0,1.5,2',
    '0,0,0,5',
    'pct:0,0,0,5',
    'pct:a,b,c,d',
    '0,0,99999999999,1',
    ' 0,0,1,1',
  ])('%j is no region', (text) => expect(() => parseRegion(text, 3)).toThrow(/region/));

  test.each([
    '',
    ',',
    '!5,',
    '!,5',
    '0,',
    ',0',
    '0,5',
    'pct:',
    'pct:0',
    'pct:-5',
    '1.5,',
    'full',
    '^',
    '^^5,',
    '5',
    'MAX',
    '99999999999,',
  ])('%j is no size of 3.0', (text) => expect(() => parseSize(text, 3)).toThrow(/size/));

  it('knows full in 2.1, ^ in 3.0 only', () => {
    expect(parseSize('full', 2)).toEqual({ size: { kind: 'max', enlarge: false }, upscaling: 'allow' });
    expect(parseSize('^5,', 3)).toEqual({ size: { kind: 'width', width: 5 }, upscaling: 'allow' });
    expect(parseSize('5,', 3)).toEqual({ size: { kind: 'width', width: 5 }, upscaling: 'deny' });
    expect(() => parseSize('^5,', 2)).toThrow();
    expect(() => parseRegion('square', 1)).toThrow();
  });

  test.each([
    ['0', 0, false],
    ['!22.5', 22.5, true],
    ['360', 360, false],
    ['.5', 0.5, false],
  ])('rotation %s', (text, rotation, horizontal) =>
    expect(parseRotation(text)).toEqual({ rotation, mirror: { horizontal, vertical: false } }),
  );

  test.each(['', '!', '361', '-1', '1e2', 'NaN', '!!1', '0x10', ' 1'])('%j is no rotation', (text) =>
    expect(() => parseRotation(text)).toThrow(/rotation/),
  );

  test.each([
    ['default.jpg', 3, 'jpeg', undefined],
    ['gray.png', 2, 'png', 'GRAYSCALE'],
    ['bitonal.webp', 3, 'webp', 'BITONAL'],
    ['native.jpg', 1, 'jpeg', undefined],
    ['grey.jpg', 1, 'jpeg', 'GRAYSCALE'],
  ] as const)('%s of version %d', (text, version, format, operator) =>
    expect(parseQualityAndFormat(text, version)).toEqual({ format, color: operator ? { operator } : {} }),
  );

  test.each([
    'default',
    'default.',
    'default.jpeg',
    '.jpg',
    'native.jpg',
    'constructor.jpg',
    'default.constructor',
    'default.jpg.png',
  ])('%j is no quality and format of 3.0', (text) =>
    expect(() => parseQualityAndFormat(text, 3)).toThrow(/quality|format/),
  );

  it('makes one request of them', () => {
    const path = { region: 'square', size: '^!10,20', rotation: '!90', qualityAndFormat: 'default.png' };
    expect(parseImagePath(path, 3)).toMatchObject({
      framing: {
        by: 'region',
        region: { kind: 'square' },
        size: { kind: 'confined', width: 10, height: 20 },
        upscaling: 'allow',
      },
      rotation: 90,
      format: 'png',
      delivery: 'picture',
    });
  });
});

describe('info.json', () => {
  const limits = { maxArea: 100_000_000 };
  const pyramid = imageOf({ width: 4001, height: 3001, format: 'tiff', reductions: 3, tile: 256 });

  it('offers the file’s own tiles and levels', () => {
    expect(imageInformation[3](pyramid, { id: 'http://h/x', limits })).toMatchObject({
      '@context': 'http://iiif.io/api/image/3/context.json',
      id: 'http://h/x',
      type: 'ImageService3',
      protocol: 'http://iiif.io/api/image',
      profile: 'level2',
      width: 4001,
      height: 3001,
      tiles: [{ width: 256, height: 256, scaleFactors: [1, 2, 4, 8, 16] }],
      sizes: [
        { width: 501, height: 376 },
        { width: 1001, height: 751 },
        { width: 2001, height: 1501 },
        { width: 4001, height: 3001 },
      ],
    });
  });

  it('offers tiles of 512 where the file has none, and upright sizes', () => {
    expect(
      imageInformation[2](imageOf({ width: 900, height: 500, orientation: 8 }), { id: 'i', limits }),
    ).toMatchObject({
      '@id': 'i',
      width: 500,
      height: 900,
      tiles: [{ width: 512, height: 512, scaleFactors: [1, 2] }],
    });
  });

  it('has the members of 1.1 under their old names', () => {
    expect(imageInformation[1](pyramid, { id: 'i', limits })).toMatchObject({
      '@id': 'i',
      tile_width: 256,
      scale_factors: [1, 2, 4, 8, 16],
      formats: ['jpg', 'png', 'webp', 'tif', 'gif', 'avif'],
      qualities: ['native', 'color', 'grey', 'bitonal'],
    });
  });
});
