import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { largestWithin } from '../../../../../src/core/image/model/answer-limits.ts';
import type { Size } from '../../../../../src/core/image/model/geometry.ts';
import { frameRegion, resolveRegion } from '../../../../../src/core/image/plan/region-framing.ts';
import { reduced, tilingOf } from '../../../../../src/features/iiif-image/image-information.ts';
import { parseRegion, parseSize } from '../../../../../src/features/iiif-image/image-path.ts';
import type { Version } from '../../../../../src/features/iiif-image/version.ts';
import { imageOf } from '../image-builder.ts';

const largest = (shape: Size, enlarge: boolean): Size =>
  largestWithin(shape, { degrees: 0, enlarge }, 'jpeg', { maxArea: 100_000_000 });

/** The frame of a region and a size, as text: `x,y,width,height of resolution width -> output`. */
function frame(
  region: string,
  size: string,
  version: Version = 3,
  image = imageOf({ width: 1201, height: 799 }),
): string {
  const framing = { by: 'region', region: parseRegion(region, version), ...parseSize(size, version) } as const;
  const { resolution, source, output } = frameRegion(resolveRegion(framing, image.resolutions[0], largest), image);
  return `${source.x},${source.y},${source.width},${source.height} of ${resolution.width} -> ${output.width}x${output.height}`;
}

describe('IIIF regions and sizes of an image of 1201 x 799 pixels', () => {
  test.each([
    ['full', 'max', '0,0,1201,799 of 1201 -> 1201x799'],
    ['full', '300,', '0,0,1201,799 of 1201 -> 300x200'],
    ['full', ',300', '0,0,1201,799 of 1201 -> 451x300'],
    ['full', '300,300', '0,0,1201,799 of 1201 -> 300x300'],
    ['full', '!300,100', '0,0,1201,799 of 1201 -> 150x100'],
    ['full', '!300,300', '0,0,1201,799 of 1201 -> 300x200'],
    ['full', '!3000,3000', '0,0,1201,799 of 1201 -> 1201x799'],
    ['full', '^!3000,3000', '0,0,1201,799 of 1201 -> 3000x1996'],
    ['full', '^1500,', '0,0,1201,799 of 1201 -> 1500x998'],
    ['full', 'pct:50', '0,0,1201,799 of 1201 -> 601x400'],
    ['full', '^pct:200', '0,0,1201,799 of 1201 -> 2402x1598'],
    ['full', 'pct:0.01', '0,0,1201,799 of 1201 -> 1x1'],
    ['square', '200,', '201,0,799,799 of 1201 -> 200x200'],
    ['100,100,300,200', 'max', '100,100,300,200 of 1201 -> 300x200'],
    ['1100,700,300,200', 'max', '1100,700,101,99 of 1201 -> 101x99'],
    ['pct:10,10,50,50', '300,', '120,80,601,399 of 1201 -> 300x199'],
    ['pct:50,50,100,100', 'max', '601,400,600,399 of 1201 -> 600x399'],
    ['0,0,512,512', '256,256', '0,0,512,512 of 1201 -> 256x256'],
  ])('%s at %s', (region, size, expected) => expect(frame(region, size)).toBe(expected));

  it('takes a tile at the edge by the letter: its pixels share what there is', () => {
    expect(frame('1024,512,177,287', '89,144')).toBe('1024,512,177,287 of 1201 -> 89x144');
    expect(frame('1024,0,177,512', '23,64')).toBe('1024,0,177,512 of 1201 -> 23x64');
  });

  test.each([
    ['full', '1500,'],
    ['full', '1202,799'],
    ['full', 'pct:101'],
    ['0,0,10,10', '11,11'],
  ])('3.0 needs ^ to enlarge %s to %s', (region, size) => {
    expect(() => frame(region, size)).toThrow('larger than the region');
    expect(frame(region, size, 2)).toContain('->');
  });

  test.each(['1201,0,10,10', '0,799,10,10', '5000,5000,10,10', 'pct:100,0,10,10'])('region %s lies outside', (region) =>
    expect(() => frame(region, 'max')).toThrow('outside the image'),
  );

  it('shrinks max to the limits', () => {
    const huge = imageOf({ width: 40_000, height: 30_000 });
    expect(frame('full', 'max', 3, huge)).toMatch(/-> 11547x8660$/);
    expect(frame('full', 'full', 2, huge)).toMatch(/-> 11547x8660$/);
  });
});

describe('the resolution that is read', () => {
  const image = imageOf({ width: 3000, height: 2000 }, { width: 1500, height: 1000 }, { width: 200, height: 200 });

  test.each([
    ['full', 'pct:50', 1500],
    ['full', '1501,', 3000],
    ['full', '100,', 1500],
    ['0,0,1024,1024', '512,512', 1500],
    ['0,0,1024,1024', '513,513', 3000],
  ])('%s at %s reads the one %d pixels wide, never one of another shape', (region, size, width) =>
    expect(frame(region, size, 3, image)).toContain(` of ${width} -> `),
  );
});

describe('tilings', () => {
  const side = fc.oneof(
    fc.integer({ min: 1, max: 20_000 }),
    fc.constantFrom(1, 2, 255, 256, 257, 512, 3073, 4096, 7919),
  );

  /** Each tile as a viewer asks for it: its region of the full image and its size, for a tiling of info.json. */
  function* tilesOf(full: { width: number; height: number }, tile: { width: number; height: number }, factor: number) {
    const level = reduced(full, factor);
    for (let y = 0; y * tile.height < level.height; y++) {
      for (let x = 0; x * tile.width < level.width; x++) {
        const left = x * tile.width * factor;
        const top = y * tile.height * factor;
        const region = {
          left,
          top,
          width: Math.min(tile.width * factor, full.width - left),
          height: Math.min(tile.height * factor, full.height - top),
        };
        const output = {
          width: Math.min(tile.width, level.width - x * tile.width),
          height: Math.min(tile.height, level.height - y * tile.height),
        };
        yield { x, y, region, output };
      }
    }
  }

  it('cover the image exactly at every scale factor, none a pixel off', { tags: 'sampled' }, () => {
    const tileSide = fc.constantFrom(undefined, 64, 128, 256, 240, 1024);
    fc.assert(
      fc.property(side, side, tileSide, (width, height, tileSize) => {
        const image = imageOf({ width, height, format: 'tiff', ...(tileSize ? { tile: tileSize } : {}) });
        const { tile, scaleFactors } = tilingOf(image);
        expect(tile.width).toBe(tileSize ?? 512);
        expect(scaleFactors[0]).toBe(1);
        const last = scaleFactors.at(-1) ?? 1;
        expect(reduced({ width, height }, last).width).toBeLessThanOrEqual(tile.width);
        for (const factor of scaleFactors.filter((one) => width * height < 3e6 * one * one)) {
          const level = reduced({ width, height }, factor);
          let [coveredRegion, coveredOutput] = [0, 0];
          for (const { region, output, x, y } of tilesOf({ width, height }, tile, factor)) {
            coveredRegion += region.width * region.height;
            coveredOutput += output.width * output.height;
            const size = `${output.width},${output.height}`;
            const path = `${region.left},${region.top},${region.width},${region.height}`;
            const got = frame(path, size, 3, image);
            expect(got, `tile ${x},${y} of ${width}x${height} by ${factor}`).toBe(
              `${path} of ${width} -> ${output.width}x${output.height}`,
            );
          }
          expect(coveredRegion).toBe(width * height);
          expect(coveredOutput).toBe(level.width * level.height);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
