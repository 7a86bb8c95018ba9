/** Reads the header of a JPEG file: its frame, JFIF, EXIF and ICC segments. */

import type { Dpi } from '../../image/model/geometry.ts';
import type { Decoding, ImageHeader, StoredColor } from '../../image/model/image-set.ts';
import { type ByteSource, HeaderError, readExactly, required, sliceSource } from './byte-source.ts';
import { dpiOf, type ExifFacts, type ImageFacts, imageHeader, inchesPerCentimeter, readExif } from './image-facts.ts';

/** A segment has at most 64 KiB, so this also bounds how far into the file segments are read. */
const maxSegments = 4096;
/** The largest number of bytes between segments that are skipped in total. */
const maxStrayBytes = 64 * 1024;

const marker = { start: 0xd8, end: 0xd9, scan: 0xda, app0: 0xe0, app1: 0xe1, app2: 0xe2 } as const;

const colors: ReadonlyMap<number, StoredColor> = new Map([
  [1, 'gray'],
  [3, 'rgb'],
  [4, 'cmyk'],
]);

interface Segment {
  readonly marker: number;
  /** The body, without marker and length. */
  readonly body: ByteSource;
}

interface Frame extends Pick<ImageFacts, 'size' | 'color' | 'bits'> {
  readonly progressive: boolean;
  readonly arithmetic: boolean;
  readonly components: number;
  /** Samples of all components for each pixel: 3 without subsampling, 1.5 where the colors have a quarter of the pixels. */
  readonly samplesPerPixel: number;
}

interface Found {
  frame?: Frame;
  /** Number of components in the first scan. */
  scanned?: number;
  /** From JFIF. */
  dpi?: Dpi | undefined;
  exif?: ExifFacts | undefined;
  profile: boolean;
}

export async function readJpeg(source: ByteSource): Promise<ImageHeader> {
  const found: Found = { profile: false };
  for await (const segment of segments(source)) await addSegment(segment, found);
  const frame = required(found.frame, 'The JPEG file ends or breaks before its frame header.');
  return imageHeader('jpeg', { ...frame, ...found, decoding: decodingOf(frame, found.scanned) });
}

/**
 * Where one scan does not hold everything, libjpeg holds the coefficients of all: 2 bytes for each sample. With arithmetic coding it does so for a
 * component more when it is asked whether data are missing.
 */
function decodingOf(frame: Frame, scanned: number | undefined): Decoding {
  const { progressive, arithmetic, components, samplesPerPixel } = frame;
  const decoding = { pixelBytes: components };
  if (arithmetic) return { ...decoding, heldBytes: 2 * (samplesPerPixel + 1) };
  return progressive || scanned !== components ? { ...decoding, heldBytes: 2 * samplesPerPixel } : decoding;
}

/** The segments up to the header of the first scan, or to the first damaged one. */
async function* segments(source: ByteSource): AsyncGenerator<Segment> {
  let offset = 2;
  let strayBytes = maxStrayBytes;
  for (let count = 0; count < maxSegments; count++) {
    const at = await findMarker(source, offset, offset + strayBytes);
    const head = at === undefined ? undefined : await readExactly(source, at, 3);
    if (at === undefined || !head) return;
    const code = head.readUInt8(0);
    const length = head.readUInt16BE(1);
    if (code === marker.end || length < 2) return;
    yield { marker: code, body: sliceSource(source, at + 3, length - 2) };
    if (code === marker.scan) return;
    strayBytes -= at - 1 - offset;
    offset = at + 1 + length;
  }
}

/** The offset of the code of the next marker. Fill bytes and, as in libjpeg, stray bytes before it are skipped. */
async function findMarker(source: ByteSource, offset: number, end: number): Promise<number | undefined> {
  const chunkBytes = 256;
  for (let start = offset; start <= end; start += chunkBytes) {
    // One byte more than the step, so that a marker across two chunks is found.
    const bytes = await source.read(start, chunkBytes + 1);
    for (let index = 0; index + 1 < bytes.length; index++) {
      if (bytes[index] === 0xff && isSegment(bytes.readUInt8(index + 1))) return start + index + 1;
    }
    if (bytes.length <= chunkBytes) return undefined;
  }
  return undefined;
}

/** Whether a marker is followed by a length; 0 and 0xFF are no markers, and restarts, TEM and SOI have no length. */
const isSegment = (code: number): boolean => code > 0x01 && code < 0xff && !(code >= 0xd0 && code <= marker.start);

/** SOF0 to SOF15; DHT, JPG and DAC have codes between them. */
const isFrame = (code: number): boolean => code >= 0xc0 && code <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(code);

const isArithmetic = (code: number): boolean => code > 0xc8;

const isProgressive = (code: number): boolean => [0xc2, 0xc6, 0xca, 0xce].includes(code);

async function addSegment(segment: Segment, found: Found): Promise<void> {
  if (isFrame(segment.marker)) found.frame ??= await readFrame(segment);
  else if (segment.marker === marker.scan) found.scanned = (await segment.body.read(0, 1))[0] ?? 0;
  else if (segment.marker === marker.app0) found.dpi ??= await readJfif(segment.body);
  else if (segment.marker === marker.app1 && (await isNamed(segment, 'Exif\0\0'))) {
    found.exif ??= await readExif(segment.body);
  } else if (segment.marker === marker.app2 && (await isNamed(segment, 'ICC_PROFILE\0'))) found.profile = true;
}

async function isNamed(segment: Segment, name: string): Promise<boolean> {
  return (await readExactly(segment.body, 0, name.length))?.toString('latin1') === name;
}

async function readFrame({ marker: code, body }: Segment): Promise<Frame> {
  const head = required(await readExactly(body, 0, 6), 'The JPEG frame header is cut short.');
  const bits = head.readUInt8(0);
  const components = head.readUInt8(5);
  if (bits < 1 || bits > 16 || components < 1) throw new HeaderError('The JPEG frame header is damaged.');
  const size = { width: head.readUInt16BE(3), height: head.readUInt16BE(1) };
  const samplesPerPixel = samplesOf(await body.read(6, 3 * components));
  return {
    size,
    bits,
    color: colors.get(components) ?? 'other',
    progressive: isProgressive(code),
    arithmetic: isArithmetic(code),
    components,
    samplesPerPixel,
  };
}

/** From the components' sampling factors, in 4 bits each for the horizontal and the vertical one. */
function samplesOf(table: Buffer): number {
  const factors = Array.from({ length: Math.floor(table.length / 3) }, (_, index) => table.readUInt8(index * 3 + 1));
  const [columns, rows] = [factors.map((each) => each >> 4), factors.map((each) => each & 0x0f)];
  const samples = columns.reduce((sum, each, index) => sum + each * (rows[index] ?? 0), 0);
  return samples / Math.max(1, Math.max(...columns) * Math.max(...rows));
}

/** The density of a JFIF segment; units other than dots per inch and per centimeter give an aspect ratio only. */
async function readJfif(body: ByteSource): Promise<Dpi | undefined> {
  const head = await readExactly(body, 0, 12);
  if (head?.toString('latin1', 0, 5) !== 'JFIF\0') return undefined;
  const units = head.readUInt8(7);
  if (units !== 1 && units !== 2) return undefined;
  return dpiOf(head.readUInt16BE(8), head.readUInt16BE(10), units === 2 ? inchesPerCentimeter : 1);
}
