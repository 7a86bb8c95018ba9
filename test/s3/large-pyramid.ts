/** Large scans as TIFF with tiles, for tests of buckets. */
import { directoryOf, headerBytes, headerOf, tags, type WrittenEntry } from '@lectern/tiff';
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

const [short, long] = [3, 4] as const;

/** A scan of one level with 8 x 8 JPEG tiles of 256 pixels, of some 25 kB each, whose directory precedes them. */
export async function frontDirectoryTiff(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const tile = await sharp({ create: { width: 256, height: 256, channels: 3, background: 'gray', noise } })
    .jpeg({ quality: 85 })
    .toBuffer();
  const lengths = Array.from({ length: 64 }, () => tile.length);
  const entries = (first: number): WrittenEntry[] => [
    [tags.width, long, [2048]],
    [tags.height, long, [2048]],
    [tags.bits, short, [8, 8, 8]],
    [tags.compression, short, [7]],
    [tags.photometric, short, [6]],
    [tags.samples, short, [3]],
    [tags.planar, short, [1]],
    [tags.tileWidth, long, [256]],
    [tags.tileHeight, long, [256]],
    [tags.tileOffsets, long, lengths.map((length, index) => first + index * length)],
    [tags.tileLengths, long, lengths],
  ];
  const at = headerBytes.tiff;
  const { length } = directoryOf(entries(0), at, 'tiff');
  return Buffer.concat([
    headerOf(at, 'tiff'),
    directoryOf(entries(at + length), at, 'tiff'),
    ...lengths.map(() => tile),
  ]);
}
