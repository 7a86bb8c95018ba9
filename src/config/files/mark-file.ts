/** Reads the picture of a watermark: an SVG or a PNG, small enough to be drawn on every tile. */
import { readLogo } from './logo-file.ts';
import type { PictureFile } from './picture-file.ts';

/** The longest side of a PNG, in pixels. */
const maxSide = 4096;

/** The picture, or a sentence on why it can't be used. */
export function readMark(file: string): PictureFile | { readonly problem: string } {
  const found = readLogo(file);
  if ('problem' in found || found.mediaType === 'image/svg+xml') return found;
  if (found.mediaType !== 'image/png') return { problem: `${file} is no SVG or PNG picture` };
  // The first chunk holds the size (PNG, section 11.2.2).
  if (found.bytes.length < 24) return { problem: `${file} is no complete PNG picture` };
  const [width, height] = [found.bytes.readUInt32BE(16), found.bytes.readUInt32BE(20)];
  if (width < 1 || height < 1 || Math.max(width, height) > maxSide)
    return { problem: `${file} has ${width} x ${height} pixels; a watermark has up to ${maxSide} on each side` };
  return found;
}
