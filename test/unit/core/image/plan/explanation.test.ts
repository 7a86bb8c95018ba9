/** What is said of a decision, where files and commands don't reach: profiles, edges, margins, pages, tiles that fail. */
import { describe, expect, it, test } from 'vitest';
import type { Admitted, ImageSet } from '../../../../../src/core/image/model/image-set.ts';
import type { Profiles } from '../../../../../src/core/image/model/stored-samples.ts';
import { explain } from '../../../../../src/core/image/plan/explanation.ts';
import { planImage } from '../../../../../src/core/image/plan/plan.ts';
import { parseQuery } from '../../../../../src/features/digilib/parameters.ts';
import { toImageRequest } from '../../../../../src/features/digilib/scaler-request.ts';
import { parseImagePath } from '../../../../../src/features/iiif-image/image-path.ts';
import { imageOf, jpegTiles, type Sketch } from '../image-builder.ts';

const pyramid: Sketch = { width: 4001, height: 3001, format: 'tiff', reductions: 3, tile: 256, stored: jpegTiles };
const tile = '256,512,256,256/256,256/0/default.jpg';

function linesOf(path: string, sketch: Sketch = pyramid, profiles: Profiles = 'convert', more = {}) {
  const [region = '', size = '', rotation = '', qualityAndFormat = ''] = path.split('/');
  const image = imageOf(sketch);
  const rules = { limits: { maxArea: 1e8 }, sendFile: true, profiles };
  const decision = planImage(parseImagePath({ region, size, rotation, qualityAndFormat }, 3), image, rules);
  return explain(decision, { image, key: 'key', ...more });
}

const texts = (lines: ReturnType<typeof linesOf>, name: string): readonly string[] =>
  lines.filter((line) => line.name === name).map(({ text }) => text);

describe('the steps', () => {
  const profile = { profile: true } as const;
  const srgb = { profile: true, profileSpace: 'srgb' } as const;

  test.each<[string, Sketch, Profiles, readonly string[]]>([
    [
      'full/200,/0/default.png',
      pyramid,
      'convert',
      ['resample 500.125 x 375.125 pixels from 0, 0 to 200 x 150 (lanczos3)', 'encode as image/png'],
    ],
    [
      'full/500,/0/default.png',
      { ...pyramid, reductions: 0, width: 500, height: 400 },
      'convert',
      ['encode as image/png'],
    ],
    [
      '0,0,4000,4000/500,500/0/default.jpg',
      { width: 8000, height: 6000 },
      'convert',
      [
        'make an overview of the whole, which other parts are cut out of as well',
        'scale to 1000 x 750 (lanczos3)',
        'resample 500 x 500 pixels from 0, 0 to 500 x 500 (lanczos3)',
        'encode as image/jpeg',
      ],
    ],
    [tile, { ...pyramid, profile }, 'convert', ['convert colors to sRGB by the ICC profile', 'encode as image/jpeg']],
    [tile, { ...pyramid, profile }, 'keep', ['keep the ICC profile', 'encode as image/jpeg']],
    [
      '0,0,99,99/99,99/0/default.jpg',
      { ...pyramid, profile: srgb },
      'convert',
      ['leave out the ICC profile: it says sRGB', 'encode as image/jpeg'],
    ],
    [
      'full/1001,751/!90/default.jpg',
      pyramid,
      'convert',
      [
        'resample 1000.25 x 750.25 pixels from 0, 0 to 1001 x 751 (lanczos3)',
        'mirror left to right',
        'turn by 90° clockwise',
        'encode as image/jpeg',
      ],
    ],
    [
      '1024,0,1024,1024/512,512/0/default.webp',
      { width: 4000, height: 3000 },
      'convert',
      [
        'scale to 518 x 515 (lanczos3)',
        'cut off the margin that was read for the sake of the edges',
        'encode as image/webp',
      ],
    ],
  ])('%s of %j, %s', (path, sketch, profiles, steps) => {
    expect(texts(linesOf(path, sketch, profiles), 'step')).toEqual(steps);
  });

  it('of a stored tile are its head, with the profile where that is kept', () => {
    const stored = jpegTiles.kind === 'jpeg' ? { ...jpegTiles, profile: { at: 8, bytes: 500 } } : jpegTiles;
    const step = (profiles: Profiles) => texts(linesOf(tile, { ...pyramid, stored, profile: srgb }, profiles), 'step');
    expect(step('convert')).toEqual([
      'put its head of JPEG markers before the tile’s bytes, as they are stored (ycbcr)',
    ]);
    expect(step('keep')).toEqual([
      'put its head of JPEG markers and the ICC profile before the tile’s bytes, as they are stored (ycbcr)',
    ]);
  });

  it('of a stored tile at the edge are its head and the cut', () => {
    const lines = linesOf('3840,2816,161,185/161,185/0/default.jpg');
    expect(texts(lines, 'step')).toEqual([
      'put its head of JPEG markers before the tile’s bytes, as they are stored (ycbcr)',
      'cut off the padding of the tile, 256 x 256, without decoding it',
    ]);
    expect(texts(lines, 'result')).toEqual(['161 x 185 pixels, image/jpeg']);
  });
});

it('says that a tile that was planned can’t be sent, and what is done instead', () => {
  const lines = linesOf(tile, pyramid, 'convert', { tileFault: 'the tile’s bytes are damaged' });
  expect(lines.map(({ name, text }) => `${name}: ${text}`)).toEqual([
    'image: book/image, 4001 x 3001 pixels, tiff',
    'file: book/image.tiff, 1000 bytes',
    'send the file: no: the picture is to be JPEG, the file is TIFF',
    'splice a stored tile: no: the tile’s bytes are damaged',
    'render: yes',
    'level: 1 of 4: 4001 x 3001 pixels, tiles of 256 x 256, directory 0 of the file',
    'read: 256 x 256 pixels from 256, 512',
    'step: encode as image/jpeg',
    'result: 256 x 256 pixels, image/jpeg',
    'cache key: key',
  ]);
});

it('names a prescaled version by its size and a page by its number, and no folder of the host', () => {
  const image = { ...imageOf({ width: 800, height: 600 }, { width: 400, height: 300 }), page: 2, pageCount: 5 };
  const request = toImageRequest(parseQuery('dw=400'));
  const decision = planImage(request, image as Admitted<ImageSet>, { limits: { maxArea: 1e8 }, sendFile: true });
  const lines = explain(decision, { image, key: 'key' });
  expect(lines.map(({ name, text }) => `${name}: ${text}`)).toEqual([
    'image: book/image, 800 x 600 pixels, jpeg, page 2 of 5',
    'file: book/image.jpeg, 1000 bytes, resolution 2 of 2: 400 x 300 pixels',
    'send the file: yes',
    'result: the file’s own bytes, image/jpeg',
    'cache key: key',
  ]);
});
