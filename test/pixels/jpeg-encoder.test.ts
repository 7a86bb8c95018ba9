/** Our encoder writes the same bytes as libvips does with the settings of derivatives. */
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { outputFormats } from '../../src/core/image/model/formats.ts';
import { encodeJpeg, type PlainPicture } from '../../src/core/render/encode-jpeg.ts';
import { randomNumbers } from '../fixtures/files/random.mjs';

function encodeByLibvips({ data, width, height, channels }: PlainPicture): Promise<Buffer> {
  return sharp(data, { raw: { width, height, channels } })
    .toColourspace(channels === 1 ? 'b-w' : 'srgb')
    .toFormat('jpeg', outputFormats.jpeg.encoder)
    .toBuffer();
}

async function expectSameBytes(picture: PlainPicture): Promise<void> {
  const expected = await encodeByLibvips(picture);
  expect(encodeJpeg(picture).equals(expected)).toBe(true);
}

/** A sample by its column, row and channel, from 0 to 255, and a random number below 1. */
type Pattern = (x: number, y: number, channel: number, random: number) => number;

const patterns: Readonly<Record<string, Pattern>> = {
  black: () => 0,
  white: () => 255,
  flat: (_x, _y, channel) => 40 + 60 * channel,
  gradient: (x, y, channel) => (channel === 1 ? x * 3 + y : y * 5 + x) & 255,
  noise: (_x, _y, _channel, random) => random * 256,
  'black and white noise': (_x, _y, _channel, random) => (random < 0.5 ? 0 : 255),
  'single white dots': (_x, _y, _channel, random) => (random < 0.02 ? 255 : 0),
  'a chessboard of pixels': (x, y) => ((x + y) & 1) * 255,
  'a chessboard of blocks': (x, y) => (((x >> 3) + (y >> 3)) & 1) * 255,
  'stripes across': (x) => (x & 1) * 255,
  'stripes down': (_x, y) => (y & 1) * 255,
  waves: (x, y, channel, random) => 128 + 100 * Math.sin(x * (0.1 + channel / 9) + y * y * 0.01) + 20 * (random - 0.5),
  'dark waves': (x, y, channel, random) => 9 + 8 * Math.sin(x / 7 + channel) * Math.cos(y / 5) + 2 * random,
};

function draw(width: number, height: number, channels: 1 | 3, pattern: Pattern, seed = 1): PlainPicture {
  const random = randomNumbers(seed);
  const data = Buffer.alloc(width * height * channels);
  for (let at = 0; at < data.length; at++) {
    const pixel = Math.floor(at / channels);
    data[at] = Math.min(
      255,
      Math.max(0, Math.floor(pattern(pixel % width, Math.floor(pixel / width), at % channels, random()))),
    );
  }
  return { data, width, height, channels };
}

describe.each([1, 3] as const)('of %d channels', (channels) => {
  test.each(Object.entries(patterns))('%s', async (_name, pattern) => {
    await expectSameBytes(draw(203, 131, channels, pattern));
  });

  test('600 x 450 pixels, then small ones', async () => {
    await expectSameBytes(draw(600, 450, channels, patterns['black and white noise'] ?? (() => 0)));
    await expectSameBytes(draw(8, 8, channels, patterns['waves'] ?? (() => 0)));
  });

  test.each([
    [65_500, 3],
    [3, 65_500],
  ])('%d x %d pixels', async (width, height) => {
    await expectSameBytes(draw(width, height, channels, patterns['noise'] ?? (() => 0)));
  });

  test('noise of all strengths', async () => {
    for (let seed = 1; seed <= 200; seed++) {
      const noise: Pattern = (x, y, channel, random) =>
        128 + seed * (random - 0.5) * Math.sin(x + channel) + seed * Math.cos((y * seed) / 300);
      await expectSameBytes(draw(48, 48, channels, noise, seed));
    }
  });

  test('all widths and heights from 1 to 40', async () => {
    for (let width = 1; width <= 40; width++) {
      for (let height = 1; height <= 40; height++) {
        await expectSameBytes(draw(width, height, channels, patterns['waves'] ?? (() => 0), width));
      }
    }
  });
});

test('the settings of derivatives are those that the encoder has', () => {
  expect(Object.keys(outputFormats.jpeg.encoder)).toEqual(['quality', 'optimiseCoding']);
  expect(outputFormats.jpeg.encoder['optimiseCoding']).toBe(false);
  // From 90 on, libvips stores chroma at full size.
  expect(outputFormats.jpeg.encoder['quality']).toBeLessThan(90);
});
