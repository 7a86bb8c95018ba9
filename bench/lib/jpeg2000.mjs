/** Writes JPEG 2000 files by opj_compress, since libvips as sharp has it can’t. */
import { execFile } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { promisify } from 'node:util';

/** The pixels as a PPM file, which opj_compress reads. */
async function writePpm(image, { width, height }, file) {
  const handle = await open(file, 'w');
  try {
    await handle.write(`P6\n${width} ${height}\n255\n`);
    await handle.writeFile(await image.raw().toBuffer());
  } finally {
    await handle.close();
  }
}

/** As sharp’s pipelines: `toFile` writes the image, in RGB; `options` are those of opj_compress. */
export const writeJpeg2000 = (image, size, options) => ({
  toFile: async (file) => {
    const pixels = `${file}.ppm`;
    try {
      await writePpm(image, size, pixels);
      await promisify(execFile)('opj_compress', ['-i', pixels, '-o', file, '-threads', 'ALL_CPUS', ...options]);
    } finally {
      await rm(pixels, { force: true });
    }
  },
});
