/** Smooth pictures whose colors tell every place on them. */
import sharp, { type Sharp } from 'sharp';

/** Red grows to the right, green downward, blue along the diagonal: no two places that are far apart look alike. */
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

/** Every pixel of its own color: all combinations of values show how colors are computed. */
export function manyColors(width: number, height: number): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  let state = 12_345;
  for (let at = 0; at < pixels.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    pixels[at] = state >>> 16;
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}
