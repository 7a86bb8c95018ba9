/** The bare calls of sharp and OpenJPEG, with the kernel and the encoder settings that Lectern uses for IIIF. */
import { readFileSync } from 'node:fs';
import { findNativeDecoder } from '@lectern/jpeg2000';
import sharp from 'sharp';

sharp.cache(false);
sharp.concurrency(1);

const encode = (image, { width, height }) =>
  image
    .resize(width, height, { fit: 'fill', kernel: 'lanczos3' })
    .jpeg({ quality: 85, optimiseCoding: false })
    .toBuffer();

/** Reads a level, or a part of it, and scales it; resolves to a JPEG. */
export function render({ file, page, part, width, height }) {
  // By path and without a region libvips shrinks on load, which is the fastest way.
  const source = sharp(file, { page, limitInputPixels: false });
  return encode(part ? source.extract(part) : source, { width, height });
}

/** The file that was decoded last: the same one is decoded many times. */
let last = { file: '', bytes: Buffer.alloc(0) };

function bytesOf(file) {
  if (last.file !== file) last = { file, bytes: readFileSync(file) };
  return last.bytes;
}

const maxBytes = 2 ** 31;

/** Decodes a part, in pixels of the full size, after `reduction` halvings; all of the image without one. Resolves to a JPEG. */
export function renderJpeg2000({ file, part, reduction, width, height }) {
  const [left, top, right, bottom] = part ? [part.x, part.y, part.x + part.width, part.y + part.height] : [0, 0, 0, 0];
  const components = findNativeDecoder().decode(bytesOf(file), left, top, right, bottom, reduction, maxBytes);
  const [{ samples, width: columns, height: rows }] = components;
  const raw = { width: columns, height: rows, channels: components.length };
  return encode(sharp(samples, { raw }), { width, height });
}
