/** Opens the pixels that a plan reads, whatever decodes them. */

import { readSync } from 'node:fs';
import { openSequentialJpeg, type ReadBytes, type SequentialJpeg } from '@lectern/jpeg';
import {
  findNativeDecoder,
  type Jpeg2000File,
  type ReadAt,
  RegionReader,
  readerOfParts,
  readStored,
} from '@lectern/jpeg2000';
import type { Jpeg2000 } from '@lectern/jpeg2000/model';
import { LRUCache } from 'lru-cache';
import type { Sharp } from 'sharp';
import type { Rect } from '../../image/model/geometry.ts';
import type { Excerpt } from '../../image/plan/plan-types.ts';
import { dropWhenIdle } from '../../storage/drop-when-idle.ts';
import { readBytes } from '../../storage/read-steps.ts';
import { libvips, withWarnings } from './libvips.ts';
import { fromPixels, openBytes, openLevel, type Profile, readMetadata } from './libvips-source.ts';
import type { OpenedFile, OpenedRender } from './opened-file.ts';
import { type OpenedPart, openTiles } from './tiled-source.ts';

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

/** The file of a plan as one of which parts can be read without the rest; `unfit` where it is coded in another way. */
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

/** Whether the data of a JPEG reach to its last row; undefined where only a decoder can tell. It takes 4 ns for each byte, once. */
export async function reachesEnd(plan: OpenedRender): Promise<boolean | undefined> {
  const known = await sequentialFile(plan);
  return known === unfit ? undefined : known.reachesEnd(readerOf(plan.file));
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

const reader = new RegionReader(findNativeDecoder());
const noteUse = dropWhenIdle(() => reader.clear());

/** Reads are synchronous: a render process does nothing else meanwhile, and is ended at its deadline where a disk does not answer. */
const diskReaderOf =
  ({ handle }: OpenedFile): ReadAt =>
  (buffer, position) => {
    let done = 0;
    while (done < buffer.length) {
      const count = readSync(handle.fd, buffer, done, buffer.length - done, position + done);
      if (count === 0) break;
      done += count;
    }
    return done;
  };

const syncReaderOf = ({ file, parts }: OpenedRender): ReadAt => (parts ? readerOfParts(parts) : diskReaderOf(file));

/** The file of a plan as the decoder reads it: on a disk, or in parts, which a short file is one of. */
function jpeg2000FileOf(plan: OpenedRender, header: Jpeg2000): Jpeg2000File {
  const { file, parts } = plan;
  const isPartial = parts !== undefined && parts[0]?.bytes.length !== file.bytes;
  const key = `${isPartial ? 'parts of ' : ''}${file.fingerprint} ${file.path}`;
  return { readAt: syncReaderOf(plan), bytes: file.bytes, key, header, isPartial };
}

/** The file's ICC profile; undefined where it has none, and for inks, which are converted without it. */
export function readJpeg2000Profile(plan: OpenedRender, { color }: Jpeg2000): Buffer | undefined {
  const { profile, colors } = color;
  return profile && colors.length < 4 ? Buffer.from(readStored(syncReaderOf(plan), profile).buffer) : undefined;
}

/** The profile that libvips has to convert with, or to keep; with 16 bits the conversion comes after the scaling. */
function embeddedProfile(plan: OpenedRender, jpeg2000: Jpeg2000) {
  const { profile: use, bits } = plan.samples;
  if (use !== 'keep' && (use !== 'convert' || bits > 8)) return undefined;
  const icc = readJpeg2000Profile(plan, jpeg2000);
  return icc && { icc, use };
}

/** A pipeline that starts with a region of the plan’s level. Rejects with Jpeg2000Error, and the errors of the disk. */
export async function openJpeg2000(plan: OpenedRender, header: Jpeg2000, region: Rect): Promise<Sharp> {
  noteUse();
  const { location, samples } = plan;
  const profile = embeddedProfile(plan, header);
  const pixels = await reader.readRegion(jpeg2000FileOf(plan, header), {
    reduction: location.kind === 'reduction' ? location.reduction : 0,
    region,
    lenient: plan.truncated === true,
    // libvips takes samples with their profile in 8 bits only.
    bits: samples.bits > 8 && !profile ? 16 : 8,
  });
  const { width, height, channels } = pixels;
  if (pixels.samples instanceof Uint8Array) {
    const { buffer, byteOffset, length } = pixels.samples;
    return fromPixels({ data: Buffer.from(buffer, byteOffset, length), width, height, channels }, profile);
  }
  return withWarnings(libvips()(pixels.samples, { raw: { width, height, channels }, limitInputPixels: false }));
}

const openExcerpt = async (plan: OpenedRender, { x, y }: Excerpt): Promise<OpenedPart> => ({
  image: await openLevel(plan, plan.samples.profile === 'ignore'),
  x,
  y,
});

/** A pipeline that starts with a region of the plan’s level, or with all of it. */
export async function openRegion(plan: OpenedRender, region: Rect | undefined): Promise<Sharp> {
  const { jpeg2000, samples, level, excerpt } = plan;
  const pixels = region ?? { x: 0, y: 0, ...level };
  if (jpeg2000) return openJpeg2000(plan, jpeg2000, pixels);
  const part = excerpt
    ? await openExcerpt(plan, excerpt)
    : ((await openTiles(plan, pixels)) ?? (await openJpegPart(plan, pixels)));
  const source = part?.image ?? (await openLevel(plan, samples.profile === 'ignore'));
  const image = samples.profile === 'keep' ? source.keepIccProfile() : source;
  if (region === undefined && !part) return image;
  const { width, height } = pixels;
  return image.extract({ left: pixels.x - (part?.x ?? 0), top: pixels.y - (part?.y ?? 0), width, height });
}

/** The profile that has to be handled here; undefined where there is none, or where libvips converts the colors. */
export async function readProfile(plan: OpenedRender): Promise<Profile | undefined> {
  const { profile: use, bits, range } = plan.samples;
  if (use === 'none' || use === 'ignore' || (use === 'convert' && bits !== 16 && !range)) return undefined;
  const icc = plan.jpeg2000
    ? await readJpeg2000Profile(plan, plan.jpeg2000)
    : (await readMetadata(await openLevel(plan))).icc;
  return icc && { icc, use };
}
