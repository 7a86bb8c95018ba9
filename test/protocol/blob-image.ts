/** Large images without a pyramid, which are slow to cut, made quickly. */
import sharp, { type Sharp } from 'sharp';
import { randomIntegers } from '../fixtures/files/random.mjs';

/** Smooth blobs of many colors: no two tiles are alike. */
export function blobs(width: number, height: number): Sharp {
  const [columns, rows] = [Math.ceil(width / 100), Math.ceil(height / 100)];
  const pixels = Buffer.alloc(columns * rows * 3);
  const random = randomIntegers(11);
  for (let at = 0; at < pixels.length; at++) pixels[at] = 30 + (random() % 190);
  const small = sharp(pixels, { raw: { width: columns, height: rows, channels: 3 } });
  return small.resize(width, height, { fit: 'fill', kernel: 'cubic' });
}
