/** Pictures in which the color of a pixel identifies its position. */
import sharp, { type Sharp } from 'sharp';
import { randomIntegers } from '../fixtures/files/random.mjs';

/** Red grows to the right, green downward, blue along the diagonal: distant pixels have different colors. */
export function gradient(width: number, height: number): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < width * height; at++) {
    const right = (at % width) / width;
    const down = Math.floor(at / width) / height;
    pixels[at * 3] = 20 + 210 * right;
    pixels[at * 3 + 1] = 20 + 210 * down;
    pixels[at * 3 + 2] = 120 + 100 * Math.sin(3 * (right + down));
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** Pixels of random colors, so that all combinations of values occur. */
export function manyColors(width: number, height: number): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  const random = randomIntegers(1);
  for (let at = 0; at < pixels.length; at++) pixels[at] = random() & 0xff;
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}
