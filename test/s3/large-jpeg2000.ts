/** Large scans as JPEG 2000, made by opj_compress (Debian’s libopenjp2-tools), for tests of buckets. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import type { Size } from '../../src/core/image/model/geometry.ts';

/** The pixels are enlarged noise, made quickly. */
async function pixelsOf({ width, height }: Size): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 25 } as const;
  const create = { width: width >> 1, height: height >> 1, channels: 3, background: 'gray', noise } as const;
  const small = await sharp({ create }).png().toBuffer();
  const pixels = await sharp(small).resize(width, height, { fit: 'fill' }).toColourspace('srgb').raw().toBuffer();
  return Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), pixels]);
}

/** Encodes by the options of opj_compress. */
export type Encoder = (extension: string, options: string) => Buffer;

/** The result of work with an encoder of one picture of this size. */
export async function encodeLarge<T>(size: Size, work: (encode: Encoder) => T): Promise<T> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'lectern-jpeg2000-'));
  try {
    const input = path.join(scratch, 'scan.ppm');
    writeFileSync(input, await pixelsOf(size));
    return work((extension, options) => {
      const output = path.join(scratch, `scan${extension}`);
      execFileSync('opj_compress', ['-i', input, '-o', output, ...options.split(' ')], { stdio: 'ignore' });
      return readFileSync(output);
    });
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
