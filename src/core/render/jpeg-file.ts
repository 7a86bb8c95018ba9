/** Opens parts and small versions of JPEG files without decoding what they do not need. */

import {
  codedPartOf,
  cropJpeg,
  eighthSteps,
  type JpegHeader,
  pixelsOf,
  readSlices,
  ScanPlaces,
  scanOf,
  unitsAround,
} from '@lectern/jpeg';
import { LRUCache } from 'lru-cache';
import type { Sharp } from 'sharp';
import type { Rect } from '../image/model/geometry.ts';
import { arePlain } from '../image/model/stored-samples.ts';
import { jpegReduction } from '../image/plan/load-size.ts';
import type { OpenedFile, OpenedRender } from './opened-file.ts';
import { openBytes, openLevel, openPixels, readMetadata } from './source.ts';
import type { OpenedPart } from './tiled-source.ts';
import { readBytes } from './tiles/read-steps.ts';

/** A file that is coded in one sequential scan with Huffman codes. */
interface SequentialFile {
  readonly header: JpegHeader;
  readonly places: ScanPlaces;
}

/** The numbers of bytes that are read for the header, until it is whole: few have a profile, and fewer a large preview. */
const headerBytes = [64 * 1024, 1024 * 1024, 16 * 1024 * 1024];

/** The memory for headers and places of units: 200 KB for a scan of 80 MP. */
const maxCachedBytes = 8 * 1024 * 1024;

const overheadBytes = 500;

const unfit = 'unfit';

const files = new LRUCache<string, SequentialFile | typeof unfit>({
  maxSize: maxCachedBytes,
  sizeCalculation: (file) => overheadBytes + (file === unfit ? 0 : file.header.bytes.length + file.places.bytes),
});

const readPart = (file: OpenedFile, at: number, length: number): Promise<Buffer | undefined> =>
  readBytes(file.handle, { at, bytes: Math.min(length, file.bytes - at) });

async function readHeader(file: OpenedFile): Promise<JpegHeader | undefined> {
  for (const length of headerBytes) {
    const start = await readPart(file, 0, length);
    if (start === undefined) return undefined;
    const scan = scanOf(start);
    if (typeof scan === 'object') return { bytes: Buffer.from(start.subarray(0, scan.dataAt)), scan };
    if (file.bytes <= length) return undefined;
  }
  return undefined;
}

async function describe({ file, level }: OpenedRender): Promise<SequentialFile | typeof unfit> {
  const header = await readHeader(file);
  if (header === undefined) return unfit;
  const { size } = header.scan;
  return size.width === level.width && size.height === level.height
    ? { header, places: new ScanPlaces(header.scan, file.bytes) }
    : unfit;
}

async function sequentialFile(plan: OpenedRender): Promise<SequentialFile | typeof unfit> {
  const key = `${plan.file.fingerprint} ${plan.file.path}`;
  const known = files.get(key) ?? (await describe(plan));
  files.set(key, known);
  return known;
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
  if (known === unfit) return undefined;
  const { header, places } = known;
  const units = unitsAround(header.scan, region);
  if (!(await places.findUpTo(units.y + units.height, (at, bytes) => readPart(file, at, bytes)))) return undefined;
  const part = codedPartOf(places, units);
  const bytes = await readPart(file, part.at, part.bytes);
  const jpeg = bytes && cropJpeg(header, places, { at: part.at, bytes }, units);
  if (jpeg === undefined) return undefined;
  const { x, y } = pixelsOf(header.scan, units);
  return { image: openBytes(jpeg, plan, samples.profile === 'ignore'), x, y };
}

/**
 * The whole image at an eighth of its size, for plans that libvips would have decoded so; undefined where it does so itself, as it does where
 * colors are converted.
 */
export async function openJpegEighth(plan: OpenedRender): Promise<Sharp | undefined> {
  const { sourceFormat, sourceColor, samples, truncated, parts, file } = plan;
  if (sourceFormat !== 'jpeg' || truncated || parts) return undefined;
  if (!arePlain(sourceColor, samples) || jpegReduction(plan) !== 8) return undefined;
  const known = await sequentialFile(plan);
  const pixels =
    known === unfit
      ? undefined
      : await readSlices((at, bytes) => readPart(file, at, bytes), eighthSteps(known.header, file.bytes));
  if (pixels === undefined) return undefined;
  const { density, resolutionUnit } = await readMetadata(await openLevel(plan));
  const resolution = density === undefined ? {} : { resolution: { perInch: density, unit: resolutionUnit ?? 'inch' } };
  return openPixels(pixels.data, pixels, resolution);
}
