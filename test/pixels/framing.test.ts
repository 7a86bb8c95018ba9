import path from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { createRenderer, nameOf, quartered, quartersOf, temporaryFolder } from './pictures.ts';

const hires = temporaryFolder();
const scaled = temporaryFolder();
const { scaler, iiif } = createRenderer(hires, scaled);
const file = (name: string): string => path.join(hires, name);

beforeAll(async () => {
  await quartered(401, 301).png().toFile(file('plain.png'));
  await quartered(401, 301).jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toFile(file('plain-photo.jpg'));
  await quartered(60, 40).png().toFile(file('odd [page=1].png'));
  await quartered(1000, 600).png().toFile(file('versions.png'));
  await quartered(500, 300, [
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
    [255, 255, 255],
  ])
    .jpeg()
    .toFile(path.join(scaled, 'versions.jpg'));
});

describe('the region and the size of the result', () => {
  test.each([
    ['dw=200', '200x150', 'red green blue yellow'],
    ['wx=0.5&ww=0.5&dw=100', '100x150', 'green green yellow yellow'],
    ['wy=0.5&wh=0.5&dw=200&mo=squeeze&dh=20', '200x20', 'blue yellow blue yellow'],
    ['mo=hmir&dw=200', '200x150', 'green red yellow blue'],
    ['mo=vmir&dw=200', '200x150', 'blue yellow red green'],
    ['mo=hmir,vmir&dw=200', '200x150', 'yellow blue green red'],
    ['rot=90&dw=200', '150x200', 'blue red yellow green'],
    ['rot=180&dw=200', '200x150', 'yellow blue green red'],
    ['rot=270&dw=200', '150x200', 'green yellow red blue'],
    ['rot=90&mo=hmir&dw=200', '150x200', 'yellow green blue red'],
    ['mo=clip&wx=0.25&wy=0.25&dw=200&dh=150', '200x150', 'red green blue yellow'],
    ['dw=800', '800x600', 'red green blue yellow'],
  ])('%s', async (query, size, colors) => {
    for (const name of ['plain.png', 'plain-photo.jpg']) {
      const picture = await scaler(name, query);
      expect(`${picture.width}x${picture.height}`).toBe(size);
      expect(quartersOf(picture)).toBe(colors);
    }
  });

  it('takes brackets in a file’s name literally', async () => {
    expect(quartersOf(await scaler('odd [page=1].png', 'dw=30'))).toBe('red green blue yellow');
  });

  it('reads the prescaled version if it suffices', async () => {
    expect(quartersOf(await scaler('versions', 'dw=400'))).toBe('black black black white');
    expect(quartersOf(await scaler('versions', 'dw=400&mo=hires'))).toBe('red green blue yellow');
    expect(quartersOf(await scaler('versions', 'dw=501'))).toBe('red green blue yellow');
    expect(quartersOf(await iiif('versions', '500,300,500,300/250,150/0/default.png'))).toBe('white white white white');
    expect(quartersOf(await iiif('versions', '500,300,500,300/251,151/0/default.png'))).toBe(
      'yellow yellow yellow yellow',
    );
  });
});

describe('rotations by other angles', () => {
  it('make corners white in JPEG where IIIF asks for them', async () => {
    const picture = await iiif('plain.png', 'full/200,/45/default.jpg');
    expect(nameOf(picture.at(0.02, 0.02), 20)).toBe('white');
    expect(nameOf(picture.at(0.98, 0.98), 20)).toBe('white');
    const older = await iiif('plain.png', 'full/200,/45/default.jpg', 2);
    expect(nameOf(older.at(0.02, 0.02), 20)).toBe('black');
  });

  it('make corners transparent in PNG and WebP, black in JPEG', async () => {
    for (const [format, corner] of [
      ['png', 'clear'],
      ['webp', 'clear'],
      ['jpg', 'black'],
    ] as const) {
      const picture = await scaler('plain.png', `rot=45&dw=200&mo=${format}`);
      expect(Math.abs(picture.width - 247)).toBeLessThanOrEqual(1);
      expect(nameOf(picture.at(0.02, 0.02), 20)).toBe(corner);
      expect(nameOf(picture.at(0.98, 0.98), 20)).toBe(corner);
      expect(
        ['top', 'right', 'bottom', 'left'].map((_, i) =>
          nameOf(picture.at([0.5, 0.8, 0.5, 0.2][i] ?? 0, [0.2, 0.5, 0.8, 0.5][i] ?? 0), 30),
        ),
      ).toEqual(['red', 'green', 'yellow', 'blue']);
    }
  });

  it('come after mirroring', async () => {
    const picture = await scaler('plain.png', 'rot=45&dw=200&mo=hmir');
    expect(nameOf(picture.at(0.5, 0.2), 30)).toBe('green');
    expect(nameOf(picture.at(0.8, 0.5), 30)).toBe('red');
  });
});

describe('EXIF orientation', () => {
  /** The stored picture for each value, such that all are equal when upright. */
  const stored: Readonly<Record<number, (upright: Sharp) => Sharp>> = {
    1: (p) => p,
    2: (p) => p.flop(),
    3: (p) => p.rotate(180),
    4: (p) => p.flip(),
    5: (p) => p.flop().rotate(270),
    6: (p) => p.rotate(270),
    7: (p) => p.flop().rotate(90),
    8: (p) => p.rotate(90),
  };

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('%d is shown upright, whole, cut, mirrored and turned', async (orientation) => {
    const upright = await quartered(400, 200).png().toBuffer();
    const turned = await (stored[orientation] ?? ((p) => p))(sharp(upright)).png().toBuffer();
    const name = `oriented-${orientation}.jpg`;
    await sharp(turned)
      .withMetadata({ orientation })
      .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
      .toFile(file(name));
    const whole = await scaler(name, 'dw=200');
    expect([whole.width, whole.height]).toEqual([200, 100]);
    expect(quartersOf(whole)).toBe('red green blue yellow');
    const right = await scaler(name, 'wx=0.5&ww=0.5&dw=100');
    expect([right.width, right.height]).toEqual([100, 100]);
    expect(quartersOf(right)).toBe('green green yellow yellow');
    expect(quartersOf(await iiif(name, '0,100,400,100/200,50/0/default.jpg'))).toBe('blue yellow blue yellow');
    expect(quartersOf(await scaler(name, 'dw=200&mo=hmir&rot=90'))).toBe('yellow green blue red');
    const odd = await scaler(name, 'dw=200&rot=45&mo=png');
    expect(nameOf(odd.at(0.5, 0.25), 30)).toBe('red');
  });
});

describe('pyramids', () => {
  /** A smooth ramp along both axes, on which any shift or seam is visible. */
  function ramp(width: number, height: number): Sharp {
    const pixels = Buffer.alloc(width * height * 3);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++)
        pixels.set([(x * 255) / width, (y * 255) / height, 128].map(Math.round), (y * width + x) * 3);
    }
    return sharp(pixels, { raw: { width, height, channels: 3 } });
  }

  beforeAll(async () => {
    await ramp(1501, 1003)
      .tiff({ compression: 'lzw', tile: true, tileWidth: 256, tileHeight: 256, pyramid: true })
      .toFile(file('pyramid.tif'));
    await ramp(1501, 1003).png().toFile(file('ramp.png'));
  });

  test.each(['pyramid.tif', 'ramp.png'])(
    '%s: a reduced image put together from its tiles has no seam',
    async (name) => {
      for (const factor of [1, 2, 4]) {
        const [width, height] = [Math.ceil(1501 / factor), Math.ceil(1003 / factor)];
        for (let y = 0; y < height; y += 256) {
          for (let x = 0; x < width; x += 256) {
            const [w, h] = [Math.min(256, width - x), Math.min(256, height - y)];
            const region = [
              x * factor,
              y * factor,
              Math.min(w * factor, 1501 - x * factor),
              Math.min(h * factor, 1003 - y * factor),
            ];
            const tile = await iiif(name, `${region.join(',')}/${w},${h}/0/default.png`);
            expect([tile.width, tile.height]).toEqual([w, h]);
            for (const [column, row] of [
              [0, 0],
              [w - 1, 0],
              [0, h - 1],
              [w - 1, h - 1],
            ] as const) {
              const [r = 0, g = 0] = tile.pixels.subarray((row * w + column) * 4);
              const center = (at: number, whole: number): number =>
                (Math.min((at + 0.5) * factor - 0.5, whole - 1) * 255) / whole;
              expect(
                Math.abs(r - center(x + column, 1501)),
                `red at ${x + column},${y + row} by ${factor}`,
              ).toBeLessThanOrEqual(2);
              expect(
                Math.abs(g - center(y + row, 1003)),
                `green at ${x + column},${y + row} by ${factor}`,
              ).toBeLessThanOrEqual(2);
            }
          }
        }
      }
    },
  );
});
