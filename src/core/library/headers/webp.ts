/** Reads the header of a WebP file: lossy, lossless or extended. */

import type { Size } from '../../image/model/geometry.ts';
import type { Decoding, ImageHeader } from '../../image/model/image-set.ts';
import { type ByteSource, HeaderError, readExactly, required, sliceSource } from './byte-source.ts';
import { type ExifFacts, imageHeader, readExif } from './image-facts.ts';

const maxChunks = 4096;
const firstChunk = 12;
/** A chunk begins with its type and its length. */
const chunkHead = 8;

const cut = 'The WebP header is cut short.';
const flags = { profile: 0x20, alpha: 0x10, exif: 0x08, animation: 0x02 } as const;

/** The decoder of the lossless form holds all pixels, that of the lossy one only their alpha, that of animations the canvas too. */
const heldBytes = { lossy: 0, alpha: 1, lossless: 4, animation: 8 } as const;

function decodingOf(form: 'lossy' | 'lossless' | 'animation', alpha: boolean): Decoding {
  const held = heldBytes[form === 'lossy' && alpha ? 'alpha' : form];
  return { pixelBytes: alpha ? 4 : 3, ...(held > 0 && { heldBytes: held }) };
}

/** More zeros than the coded pixels of a picture end in. */
const reservedBytes = 256;

/** Whether the pixels end in zeros, as a copy does that reserved its space first and was not finished: decoders take them for plain pixels. */
async function endsInZeros(source: ByteSource): Promise<boolean> {
  for await (const { type, body } of chunks(source)) {
    if (type !== 'VP8 ' && type !== 'VP8L') continue;
    const tail = await body.read(Math.max(0, body.size - reservedBytes), reservedBytes);
    return tail.length === reservedBytes && tail.every((byte) => byte === 0);
  }
  return false;
}

export async function readWebp(source: ByteSource, isAtHand: boolean): Promise<ImageHeader> {
  const header = await readForm(source);
  return isAtHand && (await endsInZeros(source)) ? { ...header, truncated: true } : header;
}

async function readForm(source: ByteSource): Promise<ImageHeader> {
  const type = required(await readExactly(source, firstChunk, 4), cut).toString('latin1');
  const body = sliceSource(source, firstChunk + chunkHead, source.size);
  if (type === 'VP8 ') return readLossy(body);
  if (type === 'VP8L') return readLossless(body);
  if (type === 'VP8X') return readExtended(source, body);
  throw new HeaderError('The WebP file begins with an unknown chunk.');
}

/** A VP8 key frame (RFC 6386, section 9.1): the upper two bits of each side are a display scale. */
async function readLossy(body: ByteSource): Promise<ImageHeader> {
  const head = required(await readExactly(body, 0, 10), cut);
  if (head.toString('latin1', 3, 6) !== '\x9d\x01\x2a') throw new HeaderError('The WebP file has no key frame.');
  const size = { width: head.readUInt16LE(6) & 0x3fff, height: head.readUInt16LE(8) & 0x3fff };
  return imageHeader('webp', { size, color: 'rgb', bits: 8, decoding: decodingOf('lossy', false) });
}

/** A VP8L header (RFC 9649, section 3.4): width - 1 and height - 1 in 14 bits each, then the alpha bit. */
async function readLossless(body: ByteSource): Promise<ImageHeader> {
  const head = required(await readExactly(body, 0, 5), cut);
  if (head.readUInt8(0) !== 0x2f) throw new HeaderError('The WebP file has no lossless signature.');
  const packed = head.readUInt32LE(1);
  const size: Size = { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
  const alpha = ((packed >>> 28) & 1) === 1;
  return imageHeader('webp', { size, color: 'rgb', bits: 8, alpha, decoding: decodingOf('lossless', alpha) });
}

/** A VP8X chunk (RFC 9649, section 2.7): flags, then the canvas in 24 bits each. */
async function readExtended(source: ByteSource, body: ByteSource): Promise<ImageHeader> {
  const head = required(await readExactly(body, 0, 10), cut);
  const has = (flag: number): boolean => (head.readUInt8(0) & flag) !== 0;
  const size = { width: head.readUIntLE(4, 3) + 1, height: head.readUIntLE(7, 3) + 1 };
  const exif = has(flags.exif) ? await findExif(source) : undefined;
  const [alpha, profile] = [has(flags.alpha), has(flags.profile)];
  const form = has(flags.animation) ? 'animation' : (await isLossless(source)) ? 'lossless' : 'lossy';
  return imageHeader('webp', { size, color: 'rgb', bits: 8, alpha, profile, exif, decoding: decodingOf(form, alpha) });
}

interface Chunk {
  readonly type: string;
  readonly body: ByteSource;
}

async function* chunks(source: ByteSource): AsyncGenerator<Chunk> {
  let offset = firstChunk;
  for (let count = 0; count < maxChunks; count++) {
    const head = await readExactly(source, offset, chunkHead);
    if (!head) return;
    const length = head.readUInt32LE(4);
    yield { type: head.toString('latin1', 0, 4), body: sliceSource(source, offset + chunkHead, length) };
    // Chunks are padded to an even length.
    offset += chunkHead + length + (length % 2);
  }
}

/** The EXIF chunk follows the pixels. */
async function findExif(source: ByteSource): Promise<ExifFacts | undefined> {
  for await (const { type, body } of chunks(source)) if (type === 'EXIF') return readExif(body);
  return undefined;
}

/** Whether the pixels are in the lossless form; that is assumed where none are found. */
async function isLossless(source: ByteSource): Promise<boolean> {
  for await (const { type } of chunks(source)) if (type === 'VP8 ') return false;
  return true;
}
