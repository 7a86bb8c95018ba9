/** A large scan as a TIFF with tiles and smaller levels, for tests of buckets. */
import sharp from 'sharp';

/** JPEG tiles of 256 pixels; its pixels are enlarged noise, made quickly. */
export async function pyramidOf(width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const;
  const create = { width: width >> 2, height: height >> 2, channels: 3, background: 'gray', noise } as const;
  const small = await sharp({ create }).png().toBuffer();
  return sharp(small)
    .resize(width, height)
    .tiff({ tile: true, pyramid: true, tileWidth: 256, tileHeight: 256, compression: 'jpeg', quality: 85 })
    .toBuffer();
}
