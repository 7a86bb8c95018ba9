/** The bare sharp call, with the kernel and the encoder settings that Lectern uses for IIIF. */
import sharp from 'sharp';

sharp.cache(false);
sharp.concurrency(1);

/** Reads a level, or a part of it, and scales it; resolves to a JPEG. */
export function render({ file, page, part, width, height }) {
  // By path and without a region libvips shrinks on load, which is the fastest way.
  const source = sharp(file, { page, limitInputPixels: false });
  const read = part ? source.extract(part) : source;
  return read
    .resize(width, height, { fit: 'fill', kernel: 'lanczos3' })
    .jpeg({ quality: 85, optimiseCoding: false })
    .toBuffer();
}
