/** When a request is answered by a stored tile, or by several that are joined, and the reasons against it. */
import { describe, expect, it, test } from 'vitest';
import type { Admitted, ImageSet } from '../../../../../src/core/image/model/image-set.ts';
import type { Profiles } from '../../../../../src/core/image/model/stored-samples.ts';
import { keyOf, mediaTypeOf } from '../../../../../src/core/image/plan/cost.ts';
import { planImage } from '../../../../../src/core/image/plan/plan.ts';
import type { Decision } from '../../../../../src/core/image/plan/plan-types.ts';
import { parseQuery } from '../../../../../src/features/digilib/parameters.ts';
import { toImageRequest } from '../../../../../src/features/digilib/scaler-request.ts';
import { parseImagePath } from '../../../../../src/features/iiif-image/image-path.ts';
import { imageOf, jpegTiles, type Sketch } from '../image-builder.ts';

const sketch = { width: 4001, height: 3001, format: 'tiff', reductions: 3, tile: 256, stored: jpegTiles } as const;
const pyramid = imageOf(sketch);
const like = (more: Partial<Sketch>): Admitted<ImageSet> => imageOf({ ...sketch, ...more });

const limits = { maxArea: 100_000_000 };

function iiif(path: string, image = pyramid, profiles: Profiles = 'convert'): Decision {
  const [region = '', size = '', rotation = '', qualityAndFormat = ''] = path.split('/');
  const request = parseImagePath({ region, size, rotation, qualityAndFormat }, 3);
  return planImage(request, image, { limits, sendFile: true, profiles });
}

const scaler = (query: string, image = pyramid): Decision =>
  planImage(toImageRequest(parseQuery(query)), image, { limits, sendFile: true });

describe('a stored tile is sent', () => {
  test.each([
    ['0,0,256,256/256,256/0/default.jpg', 0, 0, 0],
    ['256,512,256,256/256,/0/default.jpg', 0, 1, 2],
    ['256,512,256,256/max/0/default.jpg', 0, 1, 2],
    ['256,512,256,256/max/360/color.jpg', 0, 1, 2],
    ['3584,2560,256,256/256,256/0/default.jpg', 0, 14, 10],
    ['512,1024,512,512/256,256/0/default.jpg', 1, 1, 2],
    ['1024,0,1024,1024/256,256/0/default.jpg', 2, 1, 0],
    ['0,0,2048,2048/256,256/0/default.jpg', 3, 0, 0],
  ])('%s: level %d, column %d, row %d', (path, level, column, row) => {
    const { plan } = iiif(path);
    expect(plan).toMatchObject({ kind: 'send-tile', location: { page: level }, column, row, profile: 'none' });
    const size = { width: 256, height: 256 };
    expect(plan).toMatchObject({ tile: size, size, fallback: { kind: 'render' } });
    expect(mediaTypeOf(plan)).toBe('image/jpeg');
  });

  // The full size is 4001 x 3001, the next 2000 x 1500, then 1000 x 750, 500 x 375.
  test.each([
    ['3840,512,161,256/161,256/0/default.jpg', 0, 15, 2, 161, 256],
    ['3840,512,256,256/161,256/0/default.jpg', 0, 15, 2, 161, 256],
    ['3840,512,256,256/max/0/default.jpg', 0, 15, 2, 161, 256],
    ['256,2816,256,185/256,185/0/default.jpg', 0, 1, 11, 256, 185],
    ['3840,2816,161,185/max/0/default.jpg', 0, 15, 11, 161, 185],
  ])('without its padding: %s: level %d, column %d, row %d, %d x %d', (path, level, column, row, width, height) => {
    const { plan } = iiif(path);
    expect(plan).toMatchObject({ kind: 'send-tile', location: { page: level }, column, row, size: { width, height } });
    expect(plan).toMatchObject({ tile: { width: 256, height: 256 }, fallback: { size: { width, height } } });
  });

  test.each([
    ['512,256,512,512/512,512/0/default.jpg', 0, 2, 1, 512, 512],
    ['0,0,512,256/512,256/0/default.jpg', 0, 0, 0, 512, 256],
    ['0,0,1024,1024/1024,1024/0/default.jpg', 0, 0, 0, 1024, 1024],
    ['1024,1024,1024,1024/512,512/0/default.jpg', 1, 2, 2, 512, 512],
    ['512,2560,512,441/512,441/0/default.jpg', 0, 2, 10, 512, 441],
    ['512,2816,512,185/512,185/0/default.jpg', 0, 2, 11, 512, 185],
    ['3584,2560,417,441/417,441/0/default.jpg', 0, 14, 10, 417, 441],
    ['full/500,375/0/default.jpg', 3, 0, 0, 500, 375],
  ])('joined with others: %s: level %d, column %d, row %d, %d x %d', (path, level, column, row, width, height) => {
    const { plan } = iiif(path);
    expect(plan).toMatchObject({ kind: 'send-tile', location: { page: level }, column, row, size: { width, height } });
    expect(plan).toMatchObject({ tile: { width: 256, height: 256 }, fallback: { size: { width, height } } });
  });

  it('without its padding from a reduced level, or where it is all there is', () => {
    const even = like({ width: 4000, height: 3000 });
    expect(iiif('3584,2560,416,440/208,220/0/default.jpg', even).plan).toMatchObject({
      kind: 'send-tile',
      location: { page: 1 },
      column: 7,
      row: 5,
      size: { width: 208, height: 220 },
    });
    const small = like({ width: 200, height: 100, reductions: 0 });
    expect(iiif('full/max/0/default.jpg', small).plan).toMatchObject({
      kind: 'send-tile',
      column: 0,
      row: 0,
      size: { width: 200, height: 100 },
    });
  });

  it('without its padding to the Scaler too', () => {
    const { plan } = scaler('wx=3840&wy=2816&ww=161&wh=185&dw=161&dh=185&mo=pxarea,jpg');
    expect(plan).toMatchObject({ kind: 'send-tile', column: 15, row: 11, size: { width: 161, height: 185 } });
  });

  test.each([
    ['wx=256&wy=512&ww=256&wh=256&dw=256&mo=pxarea,jpg', 0, 1, 2],
    ['wx=256&wy=512&dw=256&dh=256&mo=pxarea,clip,jpg', 0, 1, 2],
    ['wx=512&wy=1024&ww=512&wh=512&dw=256&dh=256&mo=pxarea,jpg,q0', 1, 1, 2],
  ])('%s: level %d, column %d, row %d', (query, level, column, row) => {
    expect(scaler(query).plan).toMatchObject({ kind: 'send-tile', location: { page: level }, column, row });
  });

  it('where a tile ends exactly at the edge, or is all there is', () => {
    const exact = like({ width: 1024, height: 512, reductions: 1 });
    expect(iiif('768,256,256,256/max/0/default.jpg', exact).plan).toMatchObject({
      kind: 'send-tile',
      column: 3,
      row: 1,
    });
    const single = like({ width: 256, height: 256, reductions: 0 });
    expect(iiif('full/max/0/default.jpg', single).plan).toMatchObject({ kind: 'send-tile', column: 0, row: 0 });
  });

  it('of an image that needs no turn, whatever its header says', () => {
    const turned = like({ orientation: 3 });
    expect(iiif('0,0,256,256/256,256/0/default.jpg', turned).plan.kind).toBe('render');
    expect(iiif('3745,2745,256,256/256,256/180/default.jpg', turned).plan).toMatchObject({ column: 0, row: 0 });
  });
});

describe('the reasons against a stored tile', () => {
  const reasonOf = ({ plan, passedOver }: Decision): string | undefined => {
    expect(plan.kind).toBe('render');
    return passedOver.find(({ kind }) => kind === 'send-tile')?.reason;
  };

  test.each([
    [
      '100,0,256,256/256,256/0/default.jpg',
      'the region begins at column 100 of the level, which is no multiple of the tile’s width, 256',
    ],
    [
      '0,100,256,256/256,256/0/default.jpg',
      'the region begins at row 100 of the level, which is no multiple of the tile’s height, 256',
    ],
    ['0,0,512,250/512,250/0/default.jpg', 'the region has 512 x 250 pixels of the level, a stored tile 256 x 256'],
    ['0,0,500,512/500,512/0/default.jpg', 'the region has 500 x 512 pixels of the level, a stored tile 256 x 256'],
    [
      '0,0,1280,1024/1280,1024/0/default.jpg',
      'the region has 1280 x 1024 pixels of the level, a stored tile 256 x 256',
    ],
    ['0,0,100,100/100,100/0/default.jpg', 'the region has 100 x 100 pixels of the level, a stored tile 256 x 256'],
    ['0,0,256,256/200,200/0/default.jpg', '256 x 256 pixels of the level are scaled to 200 x 200'],
    ['0,0,256,256/^300,300/0/default.jpg', '256 x 256 pixels of the level are scaled to 300 x 300'],
    ['3840,0,160,256/160,256/0/default.jpg', 'the region has 160 x 256 pixels of the level, a stored tile 256 x 256'],
    [
      '3840,2816,161,184/161,184/0/default.jpg',
      'the region has 161 x 184 pixels of the level, a stored tile 256 x 256',
    ],
    [
      '3841,0,160,256/160,256/0/default.jpg',
      'the region begins at column 3841 of the level, which is no multiple of the tile’s width, 256',
    ],
    ['3584,0,416,256/416,256/0/default.jpg', 'the region has 416 x 256 pixels of the level, a stored tile 256 x 256'],
    ['3840,0,161,256/161,256/90/default.jpg', 'the picture has to be mirrored or turned'],
    ['3840,0,161,256/^256,256/0/default.jpg', '161 x 256 pixels of the level are scaled to 256 x 256'],
    ['full/63,47/0/default.jpg', '500 x 375 pixels of the level are scaled to 63 x 47'],
    [
      '1024,0,1600,1600/200,200/0/default.jpg',
      'the region begins at column 128 of the level, which is no multiple of the tile’s width, 256',
    ],
    ['full/2001,1501/0/default.jpg', '4001 x 3001 pixels of the level are scaled to 2001 x 1501'],
    ['full/1001,751/0/default.jpg', '1000 x 750 pixels of the level are scaled to 1001 x 751'],
    ['full/1000,750/0/default.jpg', 'the region begins or ends within pixels of the level'],
    ['0,0,256,256/256,256/0/default.png', 'the picture is to be PNG, stored tiles are JPEG'],
    ['0,0,256,256/256,256/90/default.jpg', 'the picture has to be mirrored or turned'],
    ['0,0,256,256/256,256/!0/default.jpg', 'the picture has to be mirrored or turned'],
    ['0,0,256,256/256,256/0.5/default.jpg', 'the picture has to be mirrored or turned'],
    ['0,0,256,256/256,256/0/gray.jpg', 'its colors are to be changed'],
  ])('%s: %s', (path, reason) => expect(reasonOf(iiif(path))).toBe(reason));

  const tile = '256,512,256,256/256,256/0/default.jpg';

  it('can be that of the file', () => {
    const reason = 'its tiles are stored with deflate compression';
    expect(reasonOf(iiif(tile, like({ stored: { kind: 'opaque', reason } })))).toBe(reason);
    expect(reasonOf(iiif(tile, imageOf({ width: 4001, height: 3001 })))).toBe('the file has no stored tiles');
  });

  it('can be that of the profile', () => {
    const withProfile = (more: Partial<Sketch>) => like({ profile: { profile: true }, ...more });
    expect(reasonOf(iiif(tile, withProfile({})))).toBe(
      'its colors have to be converted to sRGB from those of its ICC profile',
    );
    expect(reasonOf(iiif(tile, withProfile({}), 'keep'))).toBe('its ICC profile is too large, or none for its colors');
    const srgb = withProfile({ profile: { profile: true, profileSpace: 'srgb' } });
    expect(iiif(tile, srgb).plan).toMatchObject({
      kind: 'send-tile',
      profile: 'none',
      fallback: { samples: { profile: 'ignore' } },
    });
    const stored = jpegTiles.kind === 'jpeg' ? { ...jpegTiles, profile: { at: 8, bytes: 500 } } : jpegTiles;
    expect(iiif(tile, withProfile({ stored }), 'keep').plan).toMatchObject({ kind: 'send-tile', profile: 'keep' });
  });

  it('do not replace limits', () => {
    const request = parseImagePath(
      { region: '0,0,256,256', size: '256,256', rotation: '0', qualityAndFormat: 'default.jpg' },
      3,
    );
    const small = { limits: { maxArea: 256 * 255 }, sendFile: true };
    expect(() => planImage(request, pyramid, small)).toThrow('at most 65280 pixels');
  });
});

describe('the key of a stored tile', () => {
  const key = (path: string, image = pyramid, profiles: Profiles = 'convert'): string =>
    keyOf(iiif(path, image, profiles).plan);

  it('differs by level, column, row and file', () => {
    const keys = [
      '0,0,256,256/256,256/0/default.jpg',
      '256,0,256,256/256,256/0/default.jpg',
      '0,256,256,256/256,256/0/default.jpg',
      '0,0,512,512/256,256/0/default.jpg',
      '0,0,512,256/512,256/0/default.jpg',
      '0,0,512,512/512,512/0/default.jpg',
    ].map((path) => key(path));
    const [first] = pyramid.resolutions;
    const replaced = { ...pyramid, resolutions: [{ ...first, file: { ...first.file, fingerprint: 'new' } }] as const };
    keys.push(key('0,0,256,256/256,256/0/default.jpg', replaced as unknown as Admitted<ImageSet>));
    expect(new Set(keys).size).toBe(7);
  });

  it('differs where the tile is cut, by its size', () => {
    const keys = ['0,0,256,256/256,256', '0,0,200,256/200,256', '0,0,200,100/200,100'].map((path, index) => {
      const image = like({ reductions: 0, ...(index > 0 && { width: 200 }), ...(index > 1 && { height: 100 }) });
      return key(`${path}/0/default.jpg`, image);
    });
    expect(new Set(keys).size).toBe(3);
  });

  it('is the same for all requests of the tile', () => {
    const one = keyOf(scaler('wx=256&wy=512&ww=256&wh=256&dw=256&mo=pxarea,jpg,q3').plan);
    expect(one).toBe(key('256,512,256,256/max/0/default.jpg'));
  });

  it('differs where the profile goes with it', () => {
    const stored = jpegTiles.kind === 'jpeg' ? { ...jpegTiles, profile: { at: 8, bytes: 500 } } : jpegTiles;
    const image = like({ stored, profile: { profile: true, profileSpace: 'srgb' } });
    const path = '0,0,256,256/256,256/0/default.jpg';
    expect(key(path, image, 'keep')).not.toBe(key(path, image));
  });
});

describe('the reason against the file itself', () => {
  const reasonOf = ({ passedOver }: Decision): string | undefined =>
    passedOver.find(({ kind }) => kind === 'send-file')?.reason;
  const jpeg = imageOf({ width: 800, height: 600 });

  test.each<[Decision, string]>([
    [iiif('0,0,256,256/256,256/0/default.jpg'), 'the picture is to be JPEG, the file is TIFF'],
    [iiif('0,0,256,256/256,256/0/default.jpg', jpeg), 'a part of the image is asked for'],
    [iiif('full/400,/0/default.jpg', jpeg), 'the picture is to have another size than the file’s'],
    [iiif('full/max/90/default.jpg', jpeg), 'the picture has to be mirrored or turned'],
    [iiif('full/max/0/gray.jpg', jpeg), 'its colors are to be changed'],
    [iiif('full/max/0/default.jpg', imageOf({ width: 800, height: 600, complete: false })), 'the file is cut short'],
    [
      iiif('full/max/0/default.jpg', imageOf({ width: 800, height: 600, profile: { profile: true } })),
      'its colors have to be converted to sRGB from those of its ICC profile',
    ],
  ])('%#: %s', (decision, reason) => expect(reasonOf(decision)).toBe(reason));

  it('can be the settings', () => {
    const request = toImageRequest(parseQuery('mo=file&dw=100&dh=50'));
    const { plan, passedOver } = planImage(request, jpeg, { limits, sendFile: false });
    expect(plan.kind).toBe('render');
    expect(passedOver.map(({ reason }) => reason)).toEqual([
      'the settings forbid to send original files',
      'a part of the image is asked for',
      'the file has no stored tiles',
    ]);
  });
});
