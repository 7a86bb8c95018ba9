import { describe, expect, it } from 'vitest';
import {
  type DownloadChoice,
  downloadAddress,
  downloadName,
  planDownload,
} from '../../../../../web/src/model/cite/picture-address.ts';
import { partsOfView } from '../../../../../web/src/model/view/color.ts';
import { plainColor, plainView, type ViewState } from '../../../../../web/src/model/view-state.ts';

const image = { width: 4000, height: 3000 };
const noLimits = { maxArea: null, maxWidth: null, maxHeight: null };
const quarter = { x: 0.25, y: 0.25, width: 0.5, height: 0.5 };
const view = (changes: Partial<ViewState> = {}): ViewState => ({ ...plainView('maps/a.tif'), ...changes });

describe('a download', () => {
  it.each<[string, ViewState, DownloadChoice, typeof noLimits | { maxArea: number }, object]>([
    [
      'all pixels',
      view(),
      { size: 'full', format: 'jpg' },
      noLimits,
      { requested: { format: 'jpg' }, pixels: image, reduced: false },
    ],
    [
      'half of a region',
      view({ region: quarter }),
      { size: 'half', format: 'png' },
      noLimits,
      { requested: { width: 1000, height: 750, format: 'png' }, pixels: { width: 1000, height: 750 }, reduced: false },
    ],
    [
      'what is turned',
      view({ rotation: 90 }),
      { size: 'screen', format: 'webp' },
      noLimits,
      { requested: { width: 1200, height: 900, format: 'webp' }, pixels: { width: 900, height: 1200 }, reduced: false },
    ],
    [
      'as much as is allowed',
      view(),
      { size: 'full', format: 'jpg' },
      { ...noLimits, maxArea: 3_000_000 },
      { requested: { width: 2000, height: 1500, format: 'jpg' }, pixels: { width: 2000, height: 1500 }, reduced: true },
    ],
    [
      'half, which is allowed where the whole is not',
      view(),
      { size: 'half', format: 'jpg' },
      { ...noLimits, maxArea: 3_000_000 },
      {
        requested: { width: 2000, height: 1500, format: 'jpg' },
        pixels: { width: 2000, height: 1500 },
        reduced: false,
      },
    ],
  ])('has %s', (_name, state, choice, limits, plan) =>
    expect(planDownload(state, image, choice, 0.3, { ...noLimits, ...limits })).toEqual(plan),
  );

  it('is not enlarged, however large the image is on the screen', () => {
    const { pixels } = planDownload(view(), image, { size: 'screen', format: 'jpg' }, 4, noLimits);
    expect(pixels).toEqual(image);
  });

  it.each([
    ['maps/a.b.tif', 'maps_a.b-40x30.jpg'],
    ['shelf/kitab-k/003.tif', 'kitab-k_003-40x30.jpg'],
    ['sh:elf/a.tif', 'sh-elf_a-40x30.jpg'],
    ['a', 'a-40x30.jpg'],
    ['book.tif;12', 'book-12-40x30.jpg'],
    ['a:b?.tif', 'a-b--40x30.jpg'],
  ])('of %s has the file name %s', (fn, name) => {
    const plan = { requested: {}, pixels: { width: 40, height: 30 }, reduced: false };
    expect(downloadName(fn, plan, 'jpg')).toBe(name);
  });
});

describe('the parts of a view', () => {
  it.each<[string, Partial<ViewState>, readonly object[]]>([
    ['nothing', { region: { x: 0.00001, y: 0, width: 1, height: 1 }, rotation: 0.00001 }, []],
    ['a region', { region: quarter }, [{ name: 'region' }]],
    ['a corner at one pixel to a pixel', { mode: 'pixels' }, [{ name: 'pixels' }]],
    [
      'a turn',
      { rotation: 12.34567, mirror: { horizontal: true, vertical: false } },
      [{ name: 'mirrored' }, { name: 'rotation', degrees: 12.3457 }],
    ],
    [
      'colors',
      { color: { ...plainColor, contrast: 1, brightness: -127, add: [0, 1, 0], operation: 'INVERT' } },
      [{ name: 'contrast' }, { name: 'brightness' }, { name: 'channels' }, { name: 'operation', operator: 'INVERT' }],
    ],
    [
      'what is drawn',
      { marks: [{ x: 0, y: 0 }], rectangles: [quarter, quarter], twoPages: true },
      [{ name: 'marks', count: 1 }, { name: 'rectangles', count: 2 }, { name: 'two-pages' }],
    ],
  ])('%s', (_name, changes, parts) => expect(partsOfView(view(changes))).toEqual(parts));
});

function addressOf(changes: Partial<ViewState>, size: 'full' | 'half', format: 'jpg' | 'png' | 'webp') {
  const state = { ...plainView('maps/a.tif'), ...changes };
  const plan = planDownload(state, image, { size, format }, 1, noLimits);
  return downloadAddress(state, image, plan, format, '!');
}

describe('the address of a download', () => {
  it('is the Scaler’s for upright pictures and quarter turns, in every format', () => {
    expect(addressOf({}, 'half', 'jpg').path).toBe('Scaler?fn=maps/a.tif&dw=2000&dh=1500&mo=jpg');
    expect(addressOf({ rotation: 90 }, 'full', 'jpg').path).toMatch(/^Scaler\?.*rot=90/);
  });

  it('is the Scaler’s for other turns in PNG and WebP, which have transparent corners', () => {
    expect(addressOf({ rotation: 12 }, 'full', 'png')).toEqual({
      path: 'Scaler?fn=maps/a.tif&rot=12&mo=ascale,png',
      format: 'png',
    });
    expect(addressOf({ rotation: 12 }, 'full', 'webp').format).toBe('webp');
  });

  it('is IIIF’s for other turns in JPEG, which has white corners there', () => {
    expect(addressOf({ rotation: 12 }, 'half', 'jpg')).toEqual({
      path: 'iiif/3/maps!a.tif/full/2000,1500/12/default.jpg',
      format: 'jpg',
    });
    expect(addressOf({ rotation: 12.5 }, 'full', 'jpg').path).toBe('iiif/3/maps!a.tif/full/max/12.5/default.jpg');
  });

  it('is the Scaler’s in PNG where the colors can’t be expressed by IIIF', () =>
    expect(addressOf({ rotation: 12, color: { ...plainColor, contrast: 1 } }, 'full', 'jpg')).toMatchObject({
      path: expect.stringMatching(/^Scaler\?.*png/),
      format: 'png',
    }));
});
