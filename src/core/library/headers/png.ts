/** Reads the header of a PNG file: the chunks before the first one with pixels. */

import type { Dpi } from '../../image/model/geometry.ts';
import { type Decoding, type ImageHeader, pixelBytesOf, type StoredColor } from '../../image/model/image-set.ts';
import { type ByteSource, HeaderError, readExactly, required, sliceSource } from './byte-source.ts';
import {
  dpiOf,
  type ExifFacts,
  grayOf,
  type ImageFacts,
  imageHeader,
  inchesPerMeter,
  readExif,
} from './image-facts.ts';

const maxChunks = 4096;

interface ColorType {
  readonly bits: readonly number[];
  readonly color: StoredColor;
  readonly alpha: boolean;
}

/** The color types and their bit depths (PNG 3rd edition, section 11.2.1). */
const colorTypes: ReadonlyMap<number, ColorType> = new Map([
  [0, { bits: [1, 2, 4, 8, 16], color: 'gray', alpha: false }],
  [2, { bits: [8, 16], color: 'rgb', alpha: false }],
  [3, { bits: [1, 2, 4, 8], color: 'palette', alpha: false }],
  [4, { bits: [8, 16], color: 'gray', alpha: true }],
  [6, { bits: [8, 16], color: 'rgb', alpha: true }],
]);

interface Chunk {
  readonly type: string;
  readonly data: ByteSource;
}

interface Found {
  transparent: boolean;
  profile: boolean;
  dpi?: Dpi | undefined;
  exif?: ExifFacts | undefined;
}

export async function readPng(source: ByteSource): Promise<ImageHeader> {
  const image = await readImageChunk(source);
  const found: Found = { transparent: false, profile: false };
  for await (const chunk of chunksAfter(source, 33)) await addChunk(chunk, found);
  const alpha = image.alpha || found.transparent;
  return imageHeader('png', { ...image, ...found, alpha, decoding: decodingOf(image, alpha) });
}

type ImageChunk = Pick<ImageFacts, 'size' | 'color' | 'bits'> & {
  readonly alpha: boolean;
  readonly interlaced: boolean;
};

/** Palettes are decoded to RGB. Interlaced pixels can't be decoded row by row. */
function decodingOf({ color, bits, interlaced }: ImageChunk, alpha: boolean): Decoding {
  const colors = color === 'rgb' || color === 'palette' ? 3 : 1;
  const pixelBytes = pixelBytesOf(alpha ? colors + 1 : colors, bits);
  return interlaced ? { pixelBytes, heldBytes: pixelBytes } : { pixelBytes };
}

/** IHDR, which must be the first chunk. */
async function readImageChunk(source: ByteSource): Promise<ImageChunk> {
  const head = required(await readExactly(source, 8, 25), 'The PNG header is cut short.');
  if (head.readUInt32BE(0) !== 13 || head.toString('latin1', 4, 8) !== 'IHDR') {
    throw new HeaderError('The PNG file does not begin with its header chunk.');
  }
  const size = { width: head.readUInt32BE(8), height: head.readUInt32BE(12) };
  const bits = head.readUInt8(16);
  const colorType = colorTypes.get(head.readUInt8(17));
  if (!colorType?.bits.includes(bits)) throw new HeaderError('The PNG header says an unknown color type or bit depth.');
  const { color, alpha } = colorType;
  const interlaced = head.readUInt8(20) !== 0;
  return { size, bits, alpha, interlaced, color: color === 'gray' ? grayOf(bits) : color };
}

/** The chunks from `start` up to the first one with pixels, or to the first damaged one. */
async function* chunksAfter(source: ByteSource, start: number): AsyncGenerator<Chunk> {
  let offset = start;
  for (let count = 0; count < maxChunks; count++) {
    const head = await readExactly(source, offset, 8);
    if (!head) return;
    const length = head.readUInt32BE(0);
    const type = head.toString('latin1', 4, 8);
    if (type === 'IDAT' || type === 'IEND') return;
    yield { type, data: sliceSource(source, offset + 8, length) };
    offset += length + 12;
  }
}

async function addChunk({ type, data }: Chunk, found: Found): Promise<void> {
  if (type === 'tRNS') found.transparent = true;
  else if (type === 'iCCP') found.profile = true;
  else if (type === 'pHYs') found.dpi ??= await readPhysicalSize(data);
  else if (type === 'eXIf') found.exif ??= await readExif(data);
}

/** Pixels per meter as dpi; the other unit gives an aspect ratio only. */
async function readPhysicalSize(data: ByteSource): Promise<Dpi | undefined> {
  const bytes = await readExactly(data, 0, 9);
  if (bytes?.readUInt8(8) !== 1) return undefined;
  return dpiOf(bytes.readUInt32BE(0), bytes.readUInt32BE(4), inchesPerMeter);
}
