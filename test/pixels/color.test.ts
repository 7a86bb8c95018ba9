import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { createRenderer, nameOf, quartered, quartersOf, type Rgb, temporaryFolder } from './pictures.ts';

const folder = temporaryFolder();
const { scaler, iiif } = createRenderer(folder);
const file = (name: string): string => path.join(folder, name);

const grays: readonly Rgb[] = [
  [0, 0, 0],
  [255, 255, 255],
  [100, 100, 100],
  [200, 200, 200],
];

beforeAll(async () => {
  await quartered(80, 60).png().toFile(file('color.png'));
  await quartered(80, 60).toColourspace('rgb16').tiff({ compression: 'deflate' }).toFile(file('sixteen.tif'));
  await quartered(80, 60).png({ palette: true }).toFile(file('palette.png'));
  await quartered(80, 60).gif().toFile(file('animation.gif'));
  await quartered(80, 60).webp({ lossless: true }).toFile(file('lossless.webp'));
  await quartered(80, 60, grays).toColourspace('b-w').png().toFile(file('gray.png'));
  await quartered(80, 60, grays).toColourspace('b-w').jpeg({ quality: 95 }).toFile(file('gray-photo.jpg'));
  await quartered(80, 60, grays)
    .toColourspace('b-w')
    .tiff({ bitdepth: 1, compression: 'ccittfax4' })
    .toFile(file('bilevel.tif'));
  await quartered(80, 60, grays).toColourspace('grey16').png().toFile(file('gray-sixteen.png'));
  await quartered(80, 60, grays).ensureAlpha(0.5).toColourspace('b-w').png().toFile(file('gray-clear.png'));
  await quartered(80, 60).ensureAlpha(0).png().toFile(file('clear.png'));
  await quartered(80, 60).ensureAlpha(0.5).png().toFile(file('half.png'));
});

describe('sources of every kind are rendered in their colors', () => {
  test.each(['color.png', 'sixteen.tif', 'palette.png', 'animation.gif', 'lossless.webp'])('%s', async (name) => {
    for (const format of ['png', 'webp', 'jpg']) {
      expect(quartersOf(await scaler(name, `dw=40&mo=${format}`))).toBe('red green blue yellow');
    }
  });

  test.each(['gray.png', 'gray-photo.jpg', 'gray-sixteen.png'])('%s', async (name) => {
    for (const query of ['dw=40&mo=png', 'dw=40&mo=jpg', 'dw=40&mo=webp', 'dw=40&rot=90&mo=png']) {
      const picture = await scaler(name, query);
      const values = query.includes('rot') ? [100, 0, 200, 255] : [0, 255, 100, 200];
      const seen = [picture.at(0.25, 0.25), picture.at(0.75, 0.25), picture.at(0.25, 0.75), picture.at(0.75, 0.75)];
      seen.forEach(([r, g, b], i) => {
        expect(Math.abs(r - (values[i] ?? 0)), `${query}, quarter ${i}`).toBeLessThanOrEqual(4);
        expect([g, b]).toEqual([r, r]);
      });
    }
  });

  it('bilevel', async () => {
    expect(quartersOf(await scaler('bilevel.tif', 'dw=40'))).toBe('black white black white');
  });
});

describe('transparency', () => {
  it('stays in PNG and WebP, and becomes white in JPEG', async () => {
    expect(quartersOf(await scaler('clear.png', 'dw=40&mo=png'))).toBe('clear clear clear clear');
    expect(quartersOf(await scaler('clear.png', 'dw=40&mo=webp'))).toBe('clear clear clear clear');
    expect(quartersOf(await scaler('clear.png', 'dw=40&mo=jpg'))).toBe('white white white white');
    expect((await scaler('half.png', 'dw=40')).at(0.25, 0.25)[3]).toBeCloseTo(128, -1);
  });

  it('is white inside and black in the corners of a rotated JPEG', async () => {
    const picture = await scaler('clear.png', 'dw=40&rot=45&mo=jpg');
    expect(nameOf(picture.at(0.5, 0.5))).toBe('white');
    expect(nameOf(picture.at(0.03, 0.03), 25)).toBe('black');
  });
});

describe('color operations', () => {
  test.each([
    ['colop=INVERT', [35, 225, 225]],
    ['colop=grayscale', [70, 70, 70]],
    ['colop=NTSC_GRAY', [87, 87, 87]],
    ['colop=BITONAL', [0, 0, 0]],
    ['colop=MAP_GRAY_BGR', [12, 255, 243]],
    ['colop=bogus', [220, 30, 30]],
    ['brgt=20', [240, 50, 50]],
    ['brgt=-50', [170, 0, 0]],
    ['cont=1', [255, 60, 60]],
    ['cont=-1', [110, 15, 15]],
    ['rgbm=-1/0/1', [110, 30, 60]],
    ['rgba=10/20/30', [230, 50, 60]],
    ['rgbm=1/0/0&brgt=-100', [155, 0, 0]],
    ['rgba=0/0/200&cont=-1&colop=invert', [145, 240, 140]],
    ['rgbm=a/b/c', [220, 30, 30]],
    ['rgba=', [220, 30, 30]],
  ])('%s', async (query, expected) => {
    const [r, g, b] = (await scaler('color.png', `dw=40&${query}`)).at(0.25, 0.25);
    for (const [i, value] of [r, g, b].entries()) expect(Math.abs(value - (expected[i] ?? 0))).toBeLessThanOrEqual(1);
  });

  it('leave alpha alone and come after rotation, also on the new corners', async () => {
    expect((await scaler('half.png', 'dw=40&colop=invert')).at(0.25, 0.25)[3]).toBeCloseTo(128, -1);
    const [r, g, b] = (await scaler('color.png', 'dw=80&rot=45&brgt=50&mo=jpg')).at(0.02, 0.02);
    for (const value of [r, g, b]) expect(Math.abs(value - 50)).toBeLessThanOrEqual(20);
  });

  /** Scaling with alpha premultiplies and divides, which can add another rounding error of 1 of 255. */
  test.each([
    ['gray.png', 1],
    ['gray-sixteen.png', 1],
    ['gray-clear.png', 2],
  ])('work on gray sources too: %s', async (name, tolerance) => {
    const [r, g, b] = (await scaler(name, 'dw=40&rgba=50/0/0')).at(0.25, 0.75);
    for (const [i, value] of [r, g, b].entries())
      expect(Math.abs(value - (i === 0 ? 150 : 100))).toBeLessThanOrEqual(tolerance);
  });

  it('serve IIIF’s qualities', async () => {
    expect((await iiif('color.png', 'full/40,/0/gray.png')).at(0.25, 0.25).slice(0, 3)).toEqual([70, 70, 70]);
    expect(quartersOf(await iiif('color.png', 'full/40,/0/bitonal.png'))).toBe('black white black white');
  });
});

it('reports that a damaged file can’t be decoded', async () => {
  const whole = await quartered(800, 600).jpeg().toBuffer();
  await writeFile(file('cut.jpg'), whole.subarray(0, whole.length / 3));
  await expect(scaler('cut.jpg', 'dw=100')).rejects.toThrow('damaged');
});
