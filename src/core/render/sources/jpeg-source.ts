/** Opens parts of JPEG files without decoding what they do not need. */

import { openSequentialJpeg, type ReadBytes, type SequentialJpeg } from '@lectern/jpeg';
import { LRUCache } from 'lru-cache';
import type { Rect } from '../../image/model/geometry.ts';
import { readBytes } from '../../storage/read-steps.ts';
import { openBytes } from './libvips-source.ts';
import type { OpenedFile, OpenedRender } from './opened-file.ts';
import type { OpenedPart } from './tiled-source.ts';

/** The memory for headers and places of units. */
const maxCachedBytes = 8 * 1024 * 1024;

const overheadBytes = 500;

const unfit = 'unfit';

const files = new LRUCache<string, SequentialJpeg | typeof unfit>({
  maxSize: maxCachedBytes,
  sizeCalculation: (file) => overheadBytes + (file === unfit ? 0 : file.memoryBytes),
});

const readerOf =
  ({ handle }: OpenedFile): ReadBytes =>
  (at, bytes) =>
    readBytes(handle, { at, bytes });

async function sequentialFile({ file, level }: OpenedRender): Promise<SequentialJpeg | typeof unfit> {
  const key = `${file.fingerprint} ${file.path}`;
  const known = files.get(key);
  if (known !== undefined) return known;
  const jpeg = await openSequentialJpeg(file.bytes, readerOf(file));
  const isFit = jpeg?.size.width === level.width && jpeg.size.height === level.height;
  const found = isFit ? jpeg : unfit;
  files.set(key, found);
  return found;
}

/** Whether less than half of what libvips would decode is needed: it decodes all rows down to the last one of a part. */
const isSmallPart = ({ level }: OpenedRender, { y, width, height }: Rect): boolean =>
  2 * width * height <= level.width * (y + height);

/**
 * The pixels around a region, which libvips decodes from a JPEG of these alone: of the file, it decodes all that lies above and beside them.
 * Undefined where libvips has to read the file: it is no JPEG that is coded in one sequential scan with Huffman
 * codes, its data are damaged, or the region is most of it.
 */
export async function openJpegPart(plan: OpenedRender, region: Rect): Promise<OpenedPart | undefined> {
  const { sourceFormat, truncated, parts, file, samples } = plan;
  if (sourceFormat !== 'jpeg' || truncated || parts || !isSmallPart(plan, region)) return undefined;
  const known = await sequentialFile(plan);
  const crop = known === unfit ? undefined : await known.crop(region, readerOf(file));
  return crop && { image: openBytes(crop.bytes, plan, samples.profile === 'ignore'), x: crop.x, y: crop.y };
}
