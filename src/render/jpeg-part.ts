/**
 * Has libvips decode a part of a JPEG file from a smaller JPEG, which is made of the file's coded data without decoding them. libvips alone
 * decodes all pixels above a part and beside it.
 */
import { LRUCache } from 'lru-cache';
import type { Rect } from '../image/model/geometry.ts';
import { cropJpeg, type JpegHeader, pixelsOf, unitsAround } from './jpeg/jpeg-crop.ts';
import { scanOf } from './jpeg/jpeg-scan.ts';
import { ScanRows } from './jpeg/scan-rows.ts';
import type { OpenedFile, OpenedRender } from './opened-file.ts';
import { openBytes } from './source.ts';
import type { OpenedPart } from './tiled-source.ts';
import { readBytes } from './tiles/read-steps.ts';

/** A file whose parts can be cut out. */
interface CroppableFile {
  readonly header: JpegHeader;
  readonly rows: ScanRows;
}

/** The numbers of bytes that are read for the header, until it is whole: few have a profile, and fewer a large preview. */
const headerBytes = [64 * 1024, 1024 * 1024, 16 * 1024 * 1024];

/** The memory for headers and the places of rows: 200 bytes for a row of a large scan, and a header of a few KB. */
const maxCachedBytes = 8 * 1024 * 1024;

const overheadBytes = 500;

const unfit = 'unfit';

const files = new LRUCache<string, CroppableFile | typeof unfit>({
  maxSize: maxCachedBytes,
  sizeCalculation: (file) => overheadBytes + (file === unfit ? 0 : file.header.bytes.length + file.rows.bytes),
});

const readPart = (file: OpenedFile, at: number, length: number): Promise<Buffer | undefined> =>
  readBytes(file.handle, { at, bytes: Math.min(length, file.bytes - at) });

async function readHeader(file: OpenedFile): Promise<JpegHeader | undefined> {
  for (const length of headerBytes) {
    const start = await readPart(file, 0, length);
    const scan = start && scanOf(start);
    if (start === undefined) return undefined;
    if (typeof scan === 'object') return { bytes: Buffer.from(start.subarray(0, scan.dataAt)), scan };
    if (file.bytes <= length) return undefined;
  }
  return undefined;
}

async function describe({ file, level }: OpenedRender): Promise<CroppableFile | typeof unfit> {
  const header = await readHeader(file);
  if (header === undefined) return unfit;
  const { size } = header.scan;
  return size.width === level.width && size.height === level.height
    ? { header, rows: new ScanRows(header.scan) }
    : unfit;
}

async function croppable(plan: OpenedRender): Promise<CroppableFile | typeof unfit> {
  const key = `${plan.file.fingerprint} ${plan.file.path}`;
  const known = files.get(key) ?? (await describe(plan));
  files.set(key, known);
  return known;
}

/** Whether less than half of what libvips would decode is needed: it decodes all rows down to the last one of a part. */
const isSmallPart = ({ level }: OpenedRender, { y, width, height }: Rect): boolean =>
  2 * width * height <= level.width * (y + height);

/**
 * The pixels around a region; undefined where libvips has to read the file: it is no JPEG that is coded in one sequential scan with Huffman
 * codes, its data are damaged, or the region is most of it.
 */
export async function openJpegPart(plan: OpenedRender, region: Rect): Promise<OpenedPart | undefined> {
  const { sourceFormat, truncated, parts, file, samples } = plan;
  if (sourceFormat !== 'jpeg' || truncated || parts || !isSmallPart(plan, region)) return undefined;
  const known = await croppable(plan);
  if (known === unfit) return undefined;
  const { header, rows } = known;
  const units = unitsAround(header.scan, region);
  const read = (at: number, length: number) => readPart(file, at, length);
  const end = await rows.find(units.y + units.height, read);
  const place = await rows.find(units.y, read);
  if (end === undefined || place === undefined) return undefined;
  // The last byte may be one of 255, which has a 0 behind it.
  const bytes = await readPart(file, place.at, end.at - place.at + 2);
  const jpeg = bytes && cropJpeg(header, { bytes, place }, units);
  if (jpeg === undefined) return undefined;
  const { x, y } = pixelsOf(header.scan, units);
  return { image: openBytes(jpeg, plan, samples.profile === 'ignore'), x, y };
}
