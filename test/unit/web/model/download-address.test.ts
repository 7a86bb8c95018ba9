/** The address of a download. */
import { describe, expect, it } from 'vitest';
import { downloadAddress, planDownload } from '../../../../web/src/model/cite/download.ts';
import { plainColor, plainView, type ViewState } from '../../../../web/src/model/view-state.ts';

const image = { width: 4000, height: 3000 };
const noLimits = { maxArea: null, maxWidth: null, maxHeight: null };

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
