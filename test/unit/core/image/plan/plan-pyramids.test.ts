/** When a picture is rendered from the derived pyramid, and the reasons against it. */
import { describe, expect, it, test } from 'vitest';
import type { Admitted, ImageSet, Resolution } from '../../../../../src/core/image/model/image-set.ts';
import type { Profiles } from '../../../../../src/core/image/model/stored-samples.ts';
import { keyOf } from '../../../../../src/core/image/plan/cost.ts';
import { explain } from '../../../../../src/core/image/plan/explanation.ts';
import { planImage } from '../../../../../src/core/image/plan/plan.ts';
import type { Decision } from '../../../../../src/core/image/plan/plan-types.ts';
import { parseQuery } from '../../../../../src/features/digilib/parameters.ts';
import { toImageRequest } from '../../../../../src/features/digilib/scaler-request.ts';
import { parseImagePath } from '../../../../../src/features/iiif-image/image-path.ts';
import { imageOf, jpegTiles, type Sketch } from '../image-builder.ts';

const size = { width: 8000, height: 6000 } as const;
const derivedFile = { path: '/cache/lectern-x.tif', bytes: 5000, modifiedMs: 0, fingerprint: 'd' } as const;

function derivedOf(image: ImageSet): Resolution {
  const { width, height } = image.resolutions[0];
  const sketch = { width, height, format: 'tiff', reductions: 4, tile: 512, stored: jpegTiles } as const;
  return { ...imageOf(sketch).resolutions[0], file: derivedFile };
}

/** An image with its pyramid, and with what else is said of its highest resolution. */
function withPyramid(first: Sketch, more: Partial<Resolution> = {}, ...others: readonly Sketch[]): Admitted<ImageSet> {
  const image = imageOf(first, ...others);
  const [full, ...rest] = image.resolutions;
  return { ...image, resolutions: [{ ...full, ...more }, ...rest], derived: derivedOf(image) };
}

const photo = withPyramid(size);

function iiif(path: string, image = photo, profiles: Profiles = 'convert'): Decision {
  const [region = '', size = '', rotation = '', qualityAndFormat = ''] = path.split('/');
  const request = parseImagePath({ region, size, rotation, qualityAndFormat }, 3);
  return planImage(request, image, { limits: { maxArea: 100_000_000 }, sendFile: true, profiles });
}

const scaler = (query: string, image = photo): Decision =>
  planImage(toImageRequest(parseQuery(query)), image, { limits: { maxArea: 100_000_000 }, sendFile: true });

const reasonOf = ({ passedOver }: Decision): string | undefined =>
  passedOver.find(({ kind }) => kind === 'use-pyramid')?.reason;

describe('the pyramid is read for', () => {
  test.each([
    ['a tile', iiif('512,1024,512,512/512,512/0/default.jpg'), 'send-tile', 0],
    ['a reduced tile', iiif('1024,1024,1024,1024/512,512/0/default.jpg'), 'send-tile', 1],
    ['a part', iiif('100,100,700,500/350,250/0/default.jpg'), 'render', 1],
    ['a WebP', iiif('512,1024,512,512/512,512/0/default.webp'), 'render', 0],
    ['a turned gray part', iiif('100,100,700,500/700,/22.5/gray.jpg'), 'render', 0],
    ['the whole, reduced', iiif('full/400,/0/default.jpg'), 'render', 4],
    ['a part in the Scaler’s words', scaler('dw=400&wx=0.2&wy=0.2&ww=0.1&wh=0.1'), 'render', 1],
  ])('%s', (_, { plan, inPyramid }, kind, page) => {
    expect(plan).toMatchObject({ kind, file: derivedFile, location: { kind: 'page', page } });
    expect(inPyramid).toBeDefined();
  });
});

describe('the source is read', () => {
  const deep = withPyramid({ ...size, format: 'tiff' }, { bits: 16 });
  test.each([
    ['for a PNG', iiif('512,1024,512,512/512,512/0/default.png'), /without loss/],
    [
      'for a TIFF’s default format, PNG',
      scaler('dw=400&wx=0.2&ww=0.1', withPyramid({ ...size, format: 'tiff' })),
      /without loss/,
    ],
    ['for the whole at full size', iiif('full/max/90/default.jpg'), /at its full size/],
    ['where profiles are kept', iiif('0,0,512,512/512,512/0/default.jpg', photo, 'keep'), /keep ICC profiles/],
    ['where shades of 16 bits are opened', iiif('0,0,512,512/512,512/0/gray.jpg', deep), /all bits/],
  ])('%s', (_, decision, reason) => {
    expect(decision.plan.file).not.toEqual(derivedFile);
    expect(reasonOf(decision)).toMatch(reason);
  });

  test.each(['mo=file', 'mo=rawfile', 'dw=8000'])('for %s, which is the file itself', (query) => {
    const { plan } = scaler(query);
    expect(plan.kind).toBe('send-file');
    expect(plan.file).toEqual(photo.resolutions[0].file);
  });

  it('as before where colors of 8 bits change', () => {
    expect(iiif('0,0,512,512/512,512/0/gray.jpg').plan.file).toEqual(derivedFile);
  });
});

describe('beside prescaled versions', () => {
  const image = withPyramid(size, {}, { width: 4000, height: 3000 }, { width: 800, height: 600 });
  const [, middle, small] = image.resolutions;

  it('a small one that costs less is read', () => {
    const decision = iiif('full/700,/0/default.jpg', image);
    expect(decision.plan.file).toEqual(small?.file);
    expect(reasonOf(decision)).toBe('the prescaled version is smaller');
  });

  it('the pyramid is read where the version would be read almost whole for a tile', () => {
    expect(iiif('6144,4096,1024,1024/512,512/0/default.jpg', image).plan).toMatchObject({
      kind: 'send-tile',
      file: derivedFile,
    });
  });

  it('mo=lores reads the version that it names', () => {
    const decision = scaler('dw=400&mo=lores&wx=0.9&wy=0.9&ww=0.1&wh=0.1', image);
    expect(decision.plan.file).toEqual(middle?.file);
    expect(reasonOf(decision)).toBe('a prescaled version is asked for');
  });
});

describe('without a pyramid', () => {
  it('a slow image is mentioned', () => {
    expect(reasonOf(iiif('0,0,512,512/512,512/0/default.jpg', imageOf(size)))).toBe(
      'there is none yet, though it is a JPEG of 48 megapixels without tiles',
    );
  });

  it('a fast one is not mentioned', () => {
    expect(reasonOf(iiif('0,0,512,512/256,256/0/default.jpg', imageOf({ width: 800, height: 600 })))).toBeUndefined();
  });
});

it('has a key of its own, which changes with the pyramid', () => {
  const path = '512,1024,512,512/512,512/0/default.jpg';
  const remade = { ...photo, derived: { ...derivedOf(photo), file: { ...derivedFile, fingerprint: 'e' } } };
  const keys = [imageOf(size), photo, remade].map((image) => keyOf(iiif(path, image).plan));
  expect(new Set(keys).size).toBe(3);
});

it('is explained without its path on the disk', () => {
  const lines = explain(iiif('512,1024,512,512/512,512/0/default.jpg'), { image: photo, key: 'k' });
  expect(lines.map(({ name, text }) => `${name}: ${text}`)).toEqual([
    'image: book/image, 8000 x 6000 pixels, jpeg',
    'file: derived pyramid of book/image.jpeg, 5000 bytes',
    'send the file: no: a part of the image is asked for',
    'splice a stored tile: no: the file has no stored tiles',
    'read a derived pyramid: yes',
    'splice a stored tile: yes',
    'level: 1 of 5: 8000 x 6000 pixels, tiles of 512 x 512, directory 0 of the file',
    'read: the tile in column 1 of 16, row 2 of 12, counted from 0',
    'step: put its head of JPEG markers before the tile’s bytes, as they are stored (ycbcr)',
    'result: 512 x 512 pixels, image/jpeg',
    'cache key: k',
  ]);
});
