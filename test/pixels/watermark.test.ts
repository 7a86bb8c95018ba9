/** Watermarks: the same pixels whichever tile shows them, at the same place at all scales, and turned with the picture. */
import path from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { beforeAll, describe, expect, it, test } from 'vitest';
import type { Watermark, WatermarkPlace } from '../../src/core/image/model/covers.ts';
import { parseQuery } from '../../src/features/digilib/parameters.ts';
import { toImageRequest } from '../../src/features/digilib/scaler-request.ts';
import { parseImagePath } from '../../src/features/iiif-image/image-path.ts';
import { createAnswers } from './covered-images.ts';
import { flatMark, svgMark } from './marks.ts';
import { decode, type Picture, temporaryFolder } from './pictures.ts';
import { tilesOf } from './tiled-ramps.ts';

const folder = temporaryFolder();
const [width, height] = [1201, 903];

/** Nothing of it is the same after a turn, and its edges are no whole pixels. */
const mark = svgMark(
  300,
  110,
  '<path d="M5 5H290L200 100Z" fill="#c03"/><circle cx="60" cy="75" r="25" fill="#fff" stroke="#024" stroke-width="7"/>',
);

beforeAll(async () => {
  const flat = { width, height, channels: 3, background: '#707070' } as const;
  await sharp({ create: flat }).png().toFile(path.join(folder, 'flat.png'));
  await sharp({ create: flat })
    .tiff({ compression: 'deflate', tile: true, tileWidth: 128, tileHeight: 128, pyramid: true })
    .toFile(path.join(folder, 'flat.tif'));
  await sharp({ create: flat }).toColourspace('b-w').png().toFile(path.join(folder, 'gray.png'));
  await sharp({ create: { ...flat, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
    .png()
    .toFile(path.join(folder, 'clear.png'));
});

function answersFor(watermark: Partial<Watermark>) {
  const whole: Watermark = { mark, place: 'center', opacity: 0.6, width: 0.37, minSide: 1, ...watermark };
  const answers = createAnswers([folder], (image) => ({
    ...image,
    covers: { redactions: [], watermark: whole, key: JSON.stringify({ ...watermark, mark: mark.hash }) },
  }));
  return {
    iiif: async (name: string, address: string): Promise<Picture> => {
      const [region = '', size = '', rotation = '', qualityAndFormat = ''] = address.split('/');
      const request = parseImagePath({ region, size, rotation, qualityAndFormat }, 3);
      return decode((await answers.answer(name, request)).bytes);
    },
    scaler: async (name: string, query: string): Promise<Picture> =>
      decode((await answers.answer(name, toImageRequest(parseQuery(query)))).bytes),
  };
}

const pixelAt = ({ pixels, width: columns }: Picture, x: number, y: number): readonly number[] => [
  ...pixels.subarray((y * columns + x) * 4, (y * columns + x) * 4 + 4),
];

/** The pixels that differ from the color of the first. */
function marked({ pixels, width: columns }: Picture): {
  count: number;
  left: number;
  top: number;
  right: number;
  bottom: number;
} {
  const box = { count: 0, left: Infinity, top: Infinity, right: -1, bottom: -1 };
  for (let at = 0; at < pixels.length; at += 4) {
    if ([0, 1, 2, 3].every((channel) => Math.abs((pixels[at + channel] ?? 0) - (channel === 3 ? 255 : 0x70)) < 3))
      continue;
    const [x, y] = [(at / 4) % columns, Math.floor(at / 4 / columns)];
    box.count++;
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  }
  return box;
}

const places: readonly WatermarkPlace[] = ['center', 'tiled', 'top-left', 'top-right', 'bottom-left', 'bottom-right'];

describe('tiles show the same pixels of it as the whole level does', () => {
  const cases = places.flatMap((place) => (['flat.png', 'flat.tif'] as const).map((name) => [place, name] as const));
  test.each(cases)('%s, %s', async (place, name) => {
    const { iiif } = answersFor({ place });
    for (const [factor, side] of [
      [1, 128],
      [2, 128],
      [4, 101],
      [8, 60],
    ] as const) {
      const level = { width: Math.ceil(width / factor), height: Math.ceil(height / factor) };
      const whole = await iiif(name, `full/${level.width},${level.height}/0/default.png`);
      expect(marked(whole).count).toBeGreaterThan(50);
      let different = 0;
      for (const { left, top, picture } of await tilesOf(iiif, name, { width, height, factor, side })) {
        for (let y = 0; y < picture.height; y++) {
          const from = ((top / factor + y) * whole.width + left / factor) * 4;
          const row = whole.pixels.subarray(from, from + picture.width * 4);
          if (!row.equals(picture.pixels.subarray(y * picture.width * 4, (y + 1) * picture.width * 4))) different++;
        }
      }
      expect(different, `factor ${factor}`).toBe(0);
    }
  });
});

describe('where it lies', () => {
  test.each<[WatermarkPlace, (box: ReturnType<typeof marked>) => boolean]>([
    ['top-left', ({ right, bottom }) => right < width / 2 && bottom < height / 2],
    ['top-right', ({ left, bottom }) => left > width / 2 && bottom < height / 2],
    ['bottom-left', ({ right, top }) => right < width / 2 && top > height / 2],
    ['bottom-right', ({ left, top }) => left > width / 2 && top > height / 2],
    [
      'center',
      ({ left, top, right, bottom }) => Math.abs(left + right - width) < 30 && Math.abs(top + bottom - height) < 30,
    ],
    [
      'tiled',
      ({ left, top, right, bottom }) => left < 130 && top < 130 && right > width - 130 && bottom > height - 130,
    ],
  ])('%s, at every scale', async (place, lies) => {
    const { iiif } = answersFor({ place, mark: flatMark(300, 100, '#c03'), width: 0.2 });
    for (const scale of [1, 0.5, 0.31, 0.11]) {
      const picture = await iiif('flat.png', `full/${Math.round(width * scale)},/0/default.png`);
      const box = marked(picture);
      const inImage = {
        ...box,
        left: box.left / scale,
        right: box.right / scale,
        top: box.top / scale,
        bottom: box.bottom / scale,
      };
      expect(lies(inImage), `${scale}: ${JSON.stringify(inImage)}`).toBe(true);
    }
  });

  it('has the width that is asked for, and is never higher than the image', async () => {
    const box = marked(
      await answersFor({ width: 0.25, mark: flatMark(40, 20, '#c03') }).iiif('flat.png', 'full/max/0/default.png'),
    );
    expect(Math.abs(box.right - box.left + 1 - 0.25 * width)).toBeLessThanOrEqual(1);
    expect(Math.abs(box.bottom - box.top + 1 - 0.125 * width)).toBeLessThanOrEqual(1);
    const high = marked(
      await answersFor({ width: 1, mark: flatMark(20, 400, '#c03') }).iiif('flat.png', 'full/max/0/default.png'),
    );
    expect([high.top <= 1, high.bottom >= height - 2]).toEqual([true, true]);
  });

  it('is left out of pictures whose whole image would be smaller than is said', async () => {
    const { iiif } = answersFor({ minSide: 400 });
    expect(marked(await iiif('flat.png', 'full/399,/0/default.png')).count).toBe(0);
    expect(marked(await iiif('flat.png', 'full/400,/0/default.png')).count).toBeGreaterThan(0);
    // A small part of the image at a large scale has it.
    expect(marked(await iiif('flat.png', '500,400,200,100/max/0/default.png')).count).toBeGreaterThan(0);
  });
});

describe('it goes with the picture', () => {
  const whole = (rotation: string) =>
    answersFor({ place: 'top-left' }).iiif('flat.png', `full/600,/${rotation}/default.png`);

  test.each([
    ['90', (image: Sharp) => image.rotate(90)],
    ['180', (image: Sharp) => image.rotate(180)],
    ['270', (image: Sharp) => image.rotate(270)],
    ['!0', (image: Sharp) => image.flop()],
  ] as const)('turned by %s', async (rotation, turn) => {
    const [upright, turned] = [await whole('0'), await whole(rotation)];
    const raw = { width: upright.width, height: upright.height, channels: 4 } as const;
    expect(turned.pixels.equals(await turn(sharp(upright.pixels, { raw })).raw().toBuffer())).toBe(true);
  });

  it('mirrored and turned', async () => {
    const [upright, turned] = [await whole('0'), await whole('!90')];
    const raw = { width: upright.width, height: upright.height, channels: 4 } as const;
    const flopped = await sharp(upright.pixels, { raw }).flop().raw().toBuffer();
    expect(turned.pixels.equals(await sharp(flopped, { raw }).rotate(90).raw().toBuffer())).toBe(true);
  });

  it('turned by an odd angle', async () => {
    const answers = answersFor({ place: 'center', mark: flatMark(300, 40, '#c03'), opacity: 1 });
    const picture = await answers.iiif('flat.png', 'full/600,/45/default.png');
    const [x, y] = [Math.floor(picture.width / 2), Math.floor(picture.height / 2)];
    for (const along of [-60, 0, 60]) expect(pixelAt(picture, x + along, y + along)).toEqual([0xcc, 0, 0x33, 255]);
    expect(pixelAt(picture, x + 60, y - 60)).toEqual([0x70, 0x70, 0x70, 255]);
  });
});

describe('how it is drawn', () => {
  const half = { mark: flatMark(300, 200, '#ff0000'), opacity: 0.5, width: 0.5 };
  const [x, y] = [600, 450];

  it('with its opacity', async () => {
    expect(pixelAt(await answersFor(half).iiif('flat.png', 'full/max/0/default.png'), x, y)).toEqual([
      184, 56, 56, 255,
    ]);
    expect(marked(await answersFor({ ...half, opacity: 0 }).iiif('flat.png', 'full/max/0/default.png')).count).toBe(0);
  });

  it('in its colors on gray images, as JPEG too', async () => {
    const [r = 0, g = 0, b = 0] = pixelAt(await answersFor(half).iiif('gray.png', 'full/max/0/default.jpg'), x, y);
    expect([Math.abs(r - 184) < 6, Math.abs(g - 56) < 6, Math.abs(b - 56) < 6]).toEqual([true, true, true]);
  });

  it('on what is transparent', async () => {
    const picture = await answersFor(half).iiif('clear.png', 'full/max/0/default.png');
    expect(pixelAt(picture, x, y)).toEqual([255, 0, 0, 128]);
    expect(pixelAt(picture, 5, 5)[3]).toBe(0);
  });

  it('before colors are changed', async () => {
    const picture = await answersFor(half).scaler('flat.png', `dw=${width}&colop=invert&mo=png`);
    expect(pixelAt(picture, x, y)).toEqual([71, 199, 199, 255]);
  });

  it('larger than it is made, where little of the image is shown enlarged', async () => {
    const picture = await answersFor({ ...half, width: 1, opacity: 1 }).iiif(
      'flat.png',
      '600,450,8,8/^800,800/0/default.png',
    );
    expect(pixelAt(picture, 3, 790)).toEqual([255, 0, 0, 255]);
  });

  it('below nothing, but redactions are black on it', async () => {
    const watermark: Watermark = { ...half, place: 'center', minSide: 1 };
    const redactions = [{ x: 500, y: 400, width: 90, height: 80 }];
    const answers = createAnswers([folder], (image) => ({ ...image, covers: { redactions, watermark, key: 'both' } }));
    const request = toImageRequest(parseQuery(`dw=${width}&mo=png`));
    const picture = await decode((await answers.answer('flat.png', request)).bytes);
    expect(pixelAt(picture, 500, 400)).toEqual([0, 0, 0, 255]);
    expect(pixelAt(picture, 499, 400)).toEqual([184, 56, 56, 255]);
  });
});

describe('a mark that can’t be drawn', () => {
  it('is no fault of the image', async () => {
    const broken = { bytes: Buffer.from('no picture'), hash: 'broken', width: 10, height: 10 };
    await expect(answersFor({ mark: broken }).iiif('flat.png', 'full/max/0/default.png')).rejects.toMatchObject({
      code: 'failed',
    });
  });
});
