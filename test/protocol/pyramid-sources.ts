/** Images that are slow to cut, as libraries have them, made quickly. */
import sharp, { type Sharp } from 'sharp';

/** Soft blobs of many colors: no tile looks like another one. */
export function blobs(width: number, height: number): Sharp {
  const [columns, rows] = [Math.ceil(width / 100), Math.ceil(height / 100)];
  const pixels = Buffer.alloc(columns * rows * 3);
  let state = 11;
  for (let at = 0; at < pixels.length; at++) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    pixels[at] = 30 + ((state >> 16) % 190);
  }
  const small = sharp(pixels, { raw: { width: columns, height: rows, channels: 3 } });
  return small.resize(width, height, { fit: 'fill', kernel: 'cubic' });
}
