import { describe, expect, it, test } from 'vitest';
import type { Admitted, ImageSet } from '../../../../../src/core/image/model/image-set.ts';
import { keyOf, mediaTypeOf } from '../../../../../src/core/image/plan/cost.ts';
import { planImage } from '../../../../../src/core/image/plan/plan.ts';
import { planPart } from '../../../../../src/core/image/plan/plan-render.ts';
import type { Plan, Render, SendFile } from '../../../../../src/core/image/plan/plan-types.ts';
import { parseQuery } from '../../../../../src/features/digilib/parameters.ts';
import { toImageRequest } from '../../../../../src/features/digilib/scaler-request.ts';
import { parseImagePath } from '../../../../../src/features/iiif-image/image-path.ts';
import { imageOf } from '../image-builder.ts';

const rules = { limits: { maxArea: 100_000_000 }, sendFile: true };

const scaler = (query: string, image: Admitted<ImageSet>, sendFile = true): Plan =>
  planImage(toImageRequest(parseQuery(query)), image, { ...rules, sendFile }).plan;

function iiif(path: string, image: Admitted<ImageSet>): Plan {
  const [region = '', size = '', rotation = '', qualityAndFormat = ''] = path.split('/');
  return planImage(parseImagePath({ region, size, rotation, qualityAndFormat }, 3), image, rules).plan;
}

function render(plan: Plan): Render {
  if (plan.kind !== 'render') throw new Error(`a rendering was expected, not ${plan.kind}`);
  return plan;
}

describe('sending the file', () => {
  const image = imageOf({ width: 800, height: 600 }, { width: 400, height: 300 });

  test.each([
    ['mo=file', 1, 'image/jpeg', false],
    ['mo=file&dw=700', 0, 'image/jpeg', false],
    ['mo=file,hires', 0, 'image/jpeg', false],
    ['mo=rawfile,file,hires', 0, 'application/octet-stream', true],
    ['dw=800', 0, 'image/jpeg', false],
    ['dw=400', 1, 'image/jpeg', false],
    ['mo=clip&dw=800&dh=600', 0, 'image/jpeg', false],
  ])('%s sends resolution %d', (query, index, mediaType, attachment) => {
    const { check, ...plan } = scaler(query, image) as SendFile;
    expect(plan).toEqual({ kind: 'send-file', file: image.resolutions[index]?.file, mediaType, attachment });
    // What is sent in place of a picture is decoded to its last pixel before.
    const { width = 0, height = 0 } = image.resolutions[index] ?? {};
    const lastPixel = { x: width - 1, y: height - 1, width: 1, height: 1 };
    expect(check?.read).toEqual(query.includes('file') ? undefined : lastPixel);
  });

  test.each([
    'dw=399',
    'dw=400&mo=png',
    'dw=400&mo=hmir',
    'dw=400&rot=90',
    'dw=400&brgt=1',
    'dw=400&wx=0.1',
    'dw=400&colop=invert',
  ])('%s has to be rendered', (query) => expect(scaler(query, image).kind).toBe('render'));

  it('happens for IIIF too where nothing is changed', () => {
    expect(iiif('full/max/0/default.jpg', image)).toMatchObject({ kind: 'send-file', file: { fingerprint: 'f0' } });
    expect(iiif('full/400,/0/default.jpg', image)).toMatchObject({ kind: 'send-file', file: { fingerprint: 'f1' } });
    expect(iiif('full/400,/0/gray.jpg', image).kind).toBe('render');
  });

  it('does not happen when the file is truncated or turned', () => {
    expect(scaler('dw=800', imageOf({ width: 800, height: 600, complete: false })).kind).toBe('render');
    expect(scaler('dw=600', imageOf({ width: 800, height: 600, orientation: 6 })).kind).toBe('render');
  });

  it('of which a part is missing happens for the original alone', () => {
    const truncated = imageOf({ width: 800, height: 600, truncated: true });
    expect(scaler('mo=file', truncated).kind).toBe('send-file');
    for (const query of ['dw=800', 'dw=80', 'dw=80&wx=0&ww=0.1&wh=0.1']) {
      expect(() => scaler(query, truncated)).toThrow('cut short');
    }
  });

  it('is answered as a clip where the configuration forbids it', () => {
    expect(render(scaler('mo=file&dw=100&dh=50', image, false))).toMatchObject({
      read: { x: 0, y: 0, width: 100, height: 50 },
    });
    expect(() => scaler('mo=file', image, false)).toThrow('empty');
  });
});

describe('mo=lores', () => {
  const image = imageOf({ width: 1201, height: 799 });
  const [{ file }] = image.resolutions;
  const withLores = (query: string): string => `${query}${query.includes('mo=') ? ',' : '&mo='}lores`;
  const whole = { kind: 'send-file', file, mediaType: 'image/jpeg', attachment: false };

  test.each([
    'dw=1800',
    'dw=1800&dh=1800',
    'dw=1202',
    'dw=1800&dh=1000&mo=crop',
    'dw=1500&dh=1500&mo=crop',
    'dw=1800&dh=1000&mo=squeeze',
    'dw=1800&dh=300&mo=squeeze',
    'dw=1800&dh=1800&mo=fill',
    'dw=1800&wx=0&ww=1',
    'dw=1800&ww=1201&wh=799&mo=pxarea',
    'dw=1800&mo=jpg',
    'dw=1800&rot=360',
  ])('%s sends the whole image instead of enlarging it, which happens without', (query) => {
    expect(scaler(withLores(query), image)).toMatchObject(whole);
    expect(scaler(query, image).kind).toBe('render');
  });

  it('renders an image that is not shown as it is stored at its own size', () => {
    const turned = imageOf({ width: 799, height: 1201, orientation: 6 });
    expect(render(scaler('dw=1800&mo=lores', turned)).size).toEqual({ width: 1201, height: 799 });
  });

  test.each([
    ['dw=600', 600],
    ['dw=1201', 1201],
    ['dw=1800&wx=0.25&ww=0.5&wh=0.5', 1800],
    ['dw=1800&mo=hmir', 1800],
    ['dw=1800&mo=png', 1800],
    ['dw=1800&rot=180', 1800],
    ['dw=1800&brgt=1', 1800],
  ])('changes nothing about the size of %s', (query, width) => {
    const plan = scaler(withLores(query), image);
    expect(plan.kind === 'render' ? plan.size.width : image.resolutions[0].width).toBe(width);
  });

  it('refuses to enlarge where mo=deny_upscale does', () => {
    expect(() => scaler('dw=1800&mo=lores,deny_upscale', image)).toThrow('deny_upscale');
  });
});

describe('the level that is read', () => {
  const pyramid = imageOf({ width: 4001, height: 3001, format: 'tiff', reductions: 3, tile: 256 });

  test.each([
    ['full/4001,/0/default.jpg', 0, 4001],
    ['full/2001,/0/default.jpg', 0, 2001],
    ['full/2000,/0/default.jpg', 0, 2000],
    ['full/2002,/0/default.jpg', 0, 2002],
    ['full/1000,/0/default.jpg', 2, 1000],
    ['full/300,/0/default.jpg', 3, 300],
    ['0,0,2048,2048/512,512/0/default.jpg', 2, 512],
    ['0,0,2048,2048/513,513/0/default.jpg', 1, 513],
    ['1024,1024,256,256/256,256/0/default.jpg', 0, 256],
  ])('%s reads level %d', (path, level, width) => {
    const plan = render(iiif(path, pyramid));
    expect(plan.location).toEqual({ kind: 'page', page: level });
    expect(plan.size.width).toBe(width);
  });

  it('reads whole stored tiles without scaling', () => {
    const plan = render(iiif('1024,1024,1024,1024/256,256/0/default.jpg', pyramid));
    expect(plan).toMatchObject({ location: { page: 2 }, read: { x: 256, y: 256, width: 256, height: 256 } });
    expect(plan.scaled).toEqual({ width: 256, height: 256 });
    expect([plan.resample, plan.keep]).toEqual([undefined, undefined]);
  });

  it('reads a larger level where a small one lacks the last column or row', () => {
    // The levels show 3000 of the 3001 rows: a quarter of the last row of the result would be missing.
    expect(render(iiif('1024,2048,1024,953/256,239/0/default.jpg', pyramid))).toMatchObject({
      location: { page: 0 },
      read: { x: 1012, y: 2036, width: 1048, height: 965 },
      resample: { from: { x: 12, y: 12, width: 1024, height: 953 }, to: { width: 256, height: 239 } },
      scaled: { width: 256, height: 239 },
    });
  });

  const large = { width: 8000, height: 6000, format: 'tiff', tile: 256 } as const;

  it('resamples tiles of gray and RGB samples of 8 bits, without a margin, also where libvips could scale them', () => {
    const plan = render(iiif('1000,1000,3000,1200/500,200/0/default.jpg', imageOf(large)));
    expect(plan.resample).toEqual({
      from: { x: 18, y: 18, width: 3000, height: 1200 },
      to: { width: 500, height: 200 },
    });
    expect([plan.scaled, plan.keep]).toEqual([{ width: 500, height: 200 }, undefined]);
  });

  it.each([
    ['more than 4 megapixels', { width: 3000, height: 1500 }, {}],
    ['transparent pixels', { width: 3000, height: 1200 }, { alpha: true }],
    ['samples of 16 bits', { width: 3000, height: 1200 }, { bits: 16 }],
    ['pixels with a profile', { width: 3000, height: 1200 }, { profile: true }],
    ['palettes', { width: 3000, height: 1200 }, { color: 'palette' }],
  ] as const)('lets libvips scale %s', (_what, size, facts) => {
    const [resolution] = imageOf(large).resolutions;
    const output = { width: 500, height: size.height / 6 };
    const plan = planPart({ ...resolution, ...facts }, { x: 1000, y: 1000, ...size }, output, 'jpeg');
    expect(plan).not.toHaveProperty('resample');
  });

  it('does without a little of the last row where the larger level has many pixels, and shifts nothing for it', () => {
    const plan = render(iiif('full/1001,751/0/default.jpg', pyramid));
    expect(plan).toMatchObject({
      location: { page: 2 },
      resample: { from: { x: 0, y: 0, width: 1000.25, height: 750.25 }, to: { width: 1001, height: 751 } },
    });
  });

  it('knows levels that show the whole image in fewer pixels than its halves', () => {
    const [first] = imageOf({ width: 1001, height: 1001, format: 'tiff', reductions: 1, tile: 256 }).resolutions;
    const [full, half] = first.levels;
    const whole = { ...first, levels: [full, { ...half, showsWhole: true }] } as typeof first;
    const tile = { x: 512, y: 0, width: 489, height: 512 };
    const read = (resolution: typeof first) => planPart(resolution, tile, { width: 245, height: 256 }, 'png');
    expect(read(first)).toMatchObject({ location: { page: 0 } });
    const { location, resample } = read(whole);
    expect(location).toMatchObject({ page: 1 });
    expect(resample?.from.width).toBeCloseTo(489 / 2.002, 6);
  });

  it('resamples a part that begins within pixels of the level', () => {
    const even = imageOf({ width: 4000, height: 3000, format: 'tiff', reductions: 3, tile: 256 });
    expect(render(iiif('101,51,1000,1000/500,500/0/default.jpg', even))).toMatchObject({
      location: { page: 1 },
      read: { x: 47, y: 22, width: 507, height: 507 },
      resample: { from: { x: 3.5, y: 3.5, width: 500, height: 500 }, to: { width: 500, height: 500 } },
      scaled: { width: 500, height: 500 },
    });
  });

  it('reads neighbors of a part that is reduced by an integer, for the sake of its edges', () => {
    const plan = render(iiif('1024,0,1024,1024/512,512/0/default.jpg', imageOf({ width: 4000, height: 3000 })));
    expect(plan).toMatchObject({
      read: { x: 1018, y: 0, width: 1036, height: 1030 },
      scaled: { width: 518, height: 515 },
      keep: { x: 3, y: 0, width: 512, height: 512 },
    });
  });

  // Of a JPEG that is shrunk by 8, libvips leaves out the last pixels that are no whole 8, and stretches the others.
  test.each([
    [4000, 3000, 300, { whole: true }],
    [4003, 3000, 300, { whole: true, resampled: 300.225 }],
    [3999, 3000, 370, { whole: true, shrink: 'less', resampled: 370.278 }],
    [999, 999, 100, { whole: false }],
  ])(
    'a JPEG of %d x %d at %d pixels may be shrunk on load as far as that shifts nothing',
    (width, height, to, expected) => {
      const { read, shrink, resample } = render(iiif(`full/${to},/0/default.png`, imageOf({ width, height })));
      const resampled = resample && { resampled: Math.round(resample.from.width * 1000) / 1000 };
      expect({ whole: read === undefined, ...(shrink && { shrink }), ...resampled }).toEqual(expected);
    },
  );

  it('reads all of a level without naming its pixels, so that decoders may shrink on load', () => {
    expect(render(iiif('full/300,/0/default.jpg', imageOf({ width: 4000, height: 3000 }))).read).toBeUndefined();
    expect(render(scaler('dw=300', imageOf({ width: 4000, height: 3000 }))).read).toBeUndefined();
  });
});

describe('turning', () => {
  it('maps the region to stored pixels and turns what was read upright', () => {
    const image = imageOf({ width: 300, height: 200, orientation: 6 });
    const plan = render(iiif('0,0,50,100/50,100/0/default.jpg', image));
    expect(plan).toMatchObject({
      read: { x: 0, y: 150, width: 100, height: 50 },
      scaled: { width: 100, height: 50 },
      turn: { flop: false, turns: 1 },
      size: { width: 50, height: 100 },
    });
  });

  test.each([
    ['rot=90', { flop: false, turns: 1 }, 0, '133x200'],
    ['rot=-90', { flop: false, turns: 3 }, 0, '133x200'],
    ['rot=450', { flop: false, turns: 1 }, 0, '133x200'],
    ['rot=360', { flop: false, turns: 0 }, 0, '200x133'],
    ['mo=hmir', { flop: true, turns: 0 }, 0, '200x133'],
    ['mo=vmir', { flop: true, turns: 2 }, 0, '200x133'],
    ['mo=hmir,vmir', { flop: false, turns: 2 }, 0, '200x133'],
    ['rot=90&mo=hmir', { flop: true, turns: 1 }, 0, '133x200'],
    ['rot=45', { flop: false, turns: 0 }, 45, '235x235'],
    ['rot=45&mo=hmir', { flop: true, turns: 0 }, 45, '235x235'],
    ['rot=1e9', { flop: false, turns: 0 }, 280, '166x220'],
  ])('%s', (query, turn, rotation, size) => {
    const plan = render(scaler(`dw=200&${query}`, imageOf({ width: 1201, height: 799 })));
    expect(plan).toMatchObject({ turn, rotation });
    expect(`${plan.size.width}x${plan.size.height}`).toBe(size);
  });
});

describe('limits', () => {
  const image = imageOf({ width: 10_000, height: 10_000 });

  test.each([
    ['dw=10001', '100000000 pixels'],
    ['dw=1000000000', 'pixels'],
    ['dw=70000&wh=0.01&mo=png,squeeze&dh=2000', 'pixels'],
    ['dw=70000&dh=100&mo=squeeze,jpg', 'at most 65500 x 65500'],
    ['dw=17000&dh=100&mo=squeeze,webp', 'at most 16383 x 16383'],
    ['dw=9000&rot=45', 'pixels'],
  ])('%s is refused', (query, reason) => expect(() => scaler(query, image)).toThrow(reason));

  it('bound enlargement where the configuration says so', () => {
    const small = imageOf({ width: 1000, height: 1000 });
    const bounded = { limits: { maxArea: 100_000_000, maxScalerUpscale: 2 }, sendFile: true };
    const planOf = (width: number): Plan =>
      planImage(toImageRequest(parseQuery(`dw=${width}&ww=0.01&wh=0.01`)), small, bounded).plan;
    expect(planOf(2000).kind).toBe('render');
    expect(() => planOf(2001)).toThrow('more than 2 times');
  });
});

describe('formats', () => {
  test.each([
    ['jpeg', '', 'image/jpeg'],
    ['png', '', 'image/png'],
    ['tiff', '', 'image/png'],
    ['gif', '', 'image/png'],
    ['webp', '', 'image/png'],
    ['jpeg', '&mo=webp', 'image/webp'],
    ['png', '&mo=jpg,png', 'image/jpeg'],
  ] as const)('a %s requested with “%s” becomes %s', (format, more, mediaType) => {
    expect(mediaTypeOf(scaler(`dw=100${more}`, imageOf({ width: 500, height: 400, format })))).toBe(mediaType);
  });

  it('a JPEG 2000 becomes JPEG, and is sent as what it is', () => {
    const image = imageOf({ width: 500, height: 400, format: 'jp2' });
    expect(mediaTypeOf(scaler('dw=100', image))).toBe('image/jpeg');
    expect(mediaTypeOf(scaler('mo=file', image))).toBe('image/jp2');
  });
});

it('gives different plans different keys, and a changed file too', () => {
  const image = imageOf({ width: 500, height: 400 });
  const first = image.resolutions[0];
  const changed = { ...image, resolutions: [{ ...first, file: { ...first.file, fingerprint: 'new' } }] } as const;
  const keys = [
    scaler('dw=100', image),
    scaler('dw=101', image),
    scaler('dw=100&brgt=1', image),
    scaler('dw=100', changed as unknown as typeof image),
  ].map(keyOf);
  expect(new Set(keys).size).toBe(4);
  expect(keyOf(scaler('dw=100', image))).toBe(keys[0]);
});
