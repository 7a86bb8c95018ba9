/** The bare sharp call, with the kernel and the encoder’s settings that Lectern uses for IIIF. */
import sharp from 'sharp';

sharp.cache(false);
sharp.concurrency(1);

/** Reads the part of the level, if one is named, and scales it; the bytes are those of a JPEG. */
export function render({ file, page, part, width, height }) {
  // Plain and by path, with whole images, is the fastest form: libvips shrinks while it loads.
  const source = sharp(file, { page, limitInputPixels: false });
  const read = part ? source.extract(part) : source;
  return read
    .resize(width, height, { fit: 'fill', kernel: 'lanczos3' })
    .jpeg({ quality: 85, optimiseCoding: false })
    .toBuffer();
}
