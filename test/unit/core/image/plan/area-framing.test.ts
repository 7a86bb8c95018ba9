import { describe, expect, it, test } from 'vitest';
import { frameArea } from '../../../../../src/core/image/plan/area-framing.ts';
import { parseQuery } from '../../../../../src/features/digilib/parameters.ts';
import { toImageRequest } from '../../../../../src/features/digilib/scaler-request.ts';
import { imageOf } from '../image-builder.ts';

/** The frame of a query, as text: `x,y,width,height of resolution width -> output`. */
function frame(query: string, image = imageOf({ width: 1201, height: 799 })): string {
  const { framing } = toImageRequest(parseQuery(query));
  if (framing.by !== 'area') throw new Error('a digilib request frames an area');
  const { resolution, source, output } = frameArea(framing, image);
  const { x, y, width, height } = source;
  return `${x},${y},${width},${height} of ${resolution.width} -> ${output.width}x${output.height}`;
}

describe('digilib’s modes on an image of 1201 x 799 pixels', () => {
  test.each([
    ['dw=150', '0,0,1201,799 of 1201 -> 150x100'],
    ['dh=333', '0,0,1201,799 of 1201 -> 501x333'],
    ['dw=150&dh=150', '0,0,1201,799 of 1201 -> 150x100'],
    ['dw=333&dh=5000', '0,0,1201,799 of 1201 -> 333x222'],
    ['dw=75&ws=2', '0,0,1201,799 of 1201 -> 150x100'],
    ['wx=0.5&wy=0.5&ww=0.5&wh=0.5&dw=200', '601,400,600,399 of 1201 -> 200x133'],
    ['wx=0.9&wy=0.9&ww=0.2&wh=0.2&dw=200&dh=200', '1081,719,120,80 of 1201 -> 100x67'],
    ['ww=2&dw=200', '0,0,1201,799 of 1201 -> 100x67'],
    ['wx=0.1&dw=200', '120,0,1081,799 of 1201 -> 180x133'],
    ['wx=-0.5&dw=200', '0,0,601,799 of 1201 -> 100x133'],
    ['ww=0.001&wh=0.001&dw=200', '0,0,1,1 of 1201 -> 200x200'],
    ['mo=squeeze&dw=200&dh=300', '0,0,1201,799 of 1201 -> 200x300'],
    ['mo=crop&dw=301&dh=299', '198,0,804,799 of 1201 -> 301x299'],
    ['mo=crop&dw=250', '0,0,1201,799 of 1201 -> 250x166'],
    ['mo=fill&dw=301&dh=299', '0,0,1201,799 of 1201 -> 301x200'],
    ['mo=fill&wx=0.4&wy=0.4&ww=0.2&wh=0.2&dw=100&dh=100', '480,280,240,240 of 1201 -> 100x100'],
    ['mo=clip&wx=0.5&dw=100&dh=90', '601,0,100,90 of 1201 -> 100x90'],
    ['mo=clip&wx=0.99&wy=0.99&dw=100&dh=100', '1189,791,12,8 of 1201 -> 12x8'],
    ['mo=pxarea,clip&wx=101&wy=203&dw=100&dh=90', '101,203,100,90 of 1201 -> 100x90'],
    ['mo=pxarea,squeeze&wx=100&wy=100&ww=300&wh=100&dw=100&dh=100', '100,100,300,100 of 1201 -> 100x100'],
    ['mo=sqarea&dw=150', '201,0,799,799 of 1201 -> 150x150'],
    ['mo=sqarea,pxarea&ww=100&wh=100&dw=150', '0,0,100,100 of 1201 -> 150x150'],
    ['mo=ascale&scale=0.5', '0,0,1201,799 of 1201 -> 601x400'],
    ['mo=ascale&scale=0.333&wx=0.1&wy=0.2&ww=0.5&wh=0.5', '120,160,1081,639 of 1201 -> 360x213'],
    ['mo=ascale&wx=0.2&wy=0.3&ww=0.4&wh=0.4&dw=240&dh=240', '240,240,240,240 of 1201 -> 240x240'],
    ['mo=ascale&scale=2', '0,0,601,400 of 1201 -> 1202x800'],
    ['mo=fit,clip,squeeze&dw=150', '0,0,1201,799 of 1201 -> 150x100'],
  ])('%s', (query, expected) => expect(frame(query)).toBe(expected));

  test.each([
    ['', 'smaller than 2 pixels'],
    ['dw=1', 'smaller than 2 pixels'],
    ['dw=2', 'smaller than 2 pixels'],
    ['dw=-1', 'smaller than 2 pixels'],
    ['dw=150&dh=-5', 'smaller than 2 pixels'],
    ['dw=100&ws=0', 'smaller than 2 pixels'],
    ['ww=0&dw=200', 'smaller than a pixel'],
    ['ww=-0.5&dw=200', 'smaller than a pixel'],
    ['wx=2&dw=100', 'outside'],
    ['mo=squeeze&dw=250', 'smaller than 2 pixels'],
    ['mo=clip&dw=250', 'empty'],
    ['mo=ascale&scale=0', 'smaller than 2 pixels'],
    ['mo=ascale&dw=100', 'empty'],
    ['mo=osize&dw=300&dh=200&ddpi=72', 'does not say it'],
    ['mo=deny_upscale&dw=2000', 'deny_upscale'],
  ])('%s is refused', (query, reason) => expect(() => frame(query)).toThrow(reason));
});

describe('true size', () => {
  const image = imageOf({ width: 1201, height: 799, dpi: { x: 300, y: 150 } });

  it('scales by display dpi over image dpi on each axis, from where the area starts', () => {
    expect(frame('mo=osize&ddpi=75&dw=200&dh=200', image)).toBe('0,0,800,400 of 1201 -> 200x200');
    expect(frame('mo=osize&ddpix=75&ddpiy=75&dw=200&dh=200&wx=0.5', image)).toBe('601,0,600,400 of 1201 -> 150x200');
    expect(frame('mo=osize&ddpi=75&ddpix=300&dw=200&dh=200', image)).toBe('0,0,800,400 of 1201 -> 200x200');
  });

  it('needs the display’s resolution', () => {
    expect(() => frame('mo=osize&dw=200&dh=200', image)).toThrow('give ddpi');
    expect(() => frame('mo=osize&dw=200&dh=200&ddpix=72', image)).toThrow('give ddpi');
  });
});

describe('the resolution that is read', () => {
  const image = imageOf({ width: 3000, height: 2000 }, { width: 1500, height: 1000 }, { width: 300, height: 200 });

  test.each([
    ['dw=300', 300],
    ['dw=301', 1500],
    ['dw=1500', 1500],
    ['dw=1501', 3000],
    ['dw=5000', 3000],
    ['dh=200', 300],
    ['dw=300&dh=1000', 300],
    ['dw=100&ww=0.25', 1500],
    ['dw=100&mo=hires', 3000],
    ['dw=100&dh=100&mo=clip', 3000],
    ['dw=1501&mo=lores', 1500],
    ['dw=1500&mo=lores', 1500],
    ['dw=299&mo=lores', 300],
    ['dw=400&dh=150&mo=lores', 300],
    ['mo=ascale&scale=0.1', 300],
    ['mo=ascale&scale=0.5', 1500],
    ['mo=ascale&scale=0.6', 3000],
    ['dw=600&dh=400&mo=pxarea&ww=3000&wh=2000', 1500],
  ])('%s reads the one %d pixels wide', (query, width) => expect(frame(query, image)).toContain(` of ${width} -> `));

  it('gives the same picture of mo=ascale from whichever resolution', () => {
    expect(frame('mo=ascale&scale=0.5', image)).toBe('0,0,1500,1000 of 1500 -> 1500x1000');
    expect(frame('mo=ascale&scale=0.05', image)).toBe('0,0,300,200 of 300 -> 150x100');
    expect(frame('mo=ascale&scale=0.05&wx=0.5&dw=50&dh=50', image)).toBe('150,0,100,100 of 300 -> 50x50');
  });
});
