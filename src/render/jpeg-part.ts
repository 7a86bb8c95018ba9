/**
 * Has libvips decode a part of a JPEG file from a smaller JPEG, which is made of the file's coded data without decoding them. libvips alone
 * decodes all pixels above a part and beside it.
 */
import { LRUCache } from 'lru-cache';
import type { Rect } from '../image/model/geometry.ts';
import { codedPartOf, cropJpeg, type JpegHeader, pixelsOf, unitsAround } from './jpeg/jpeg-crop.ts';
import { scanOf } from './jpeg/jpeg-scan.ts';
import { ScanPlaces } from './jpeg/scan-places.ts';
import type { OpenedFile, OpenedRender } from './opened-file.ts';
import { openBytes } from './source.ts';
import type { OpenedPart } from './tiled-source.ts';
import { readBytes } from './tiles/read-steps.ts';

/** A file whose parts can be cut out. */
interface CroppableFile {
  readonly header: JpegHeader;
  readonly places: ScanPlaces;
}

/** The numbers of bytes that are read for the header, until it is whole: few have a profile, and fewer a large preview. */
const headerBytes = [64 * 1024, 1024 * 1024, 16 * 1024 * 1024];

/** The memory for headers and places of units: 200 KB for a scan of 80 MP. */
const maxCachedBytes = 8 * 1024 * 1024;

const overheadBytes = 500;

const unfit = 'unfit';

const files = new LRUCache<string, CroppableFile | typeof unfit>({
  maxSize: maxCachedBytes,
  sizeCalculation: (file) => overheadBytes + (file === unfit ? 0 : file.header.bytes.length + file.places.bytes),
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
    ? { header, places: new ScanPlaces(header.scan, file.bytes) }
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
  const { header, places } = known;
  const units = unitsAround(header.scan, region);
  if (!(await places.findUpTo(units.y + units.height, file.handle))) return undefined;
  const part = codedPartOf(places, units);
  const bytes = await readPart(file, part.at, part.bytes);
  const jpeg = bytes && cropJpeg(header, places, { at: part.at, bytes }, units);
  if (jpeg === undefined) return undefined;
  const { x, y } = pixelsOf(header.scan, units);
  return { image: openBytes(jpeg, plan, samples.profile === 'ignore'), x, y };
}
