/** Reads the boxes around a JPEG 2000 code-stream: colors, palette, channels, resolution (ISO 15444-1, annex I). */

import { type ByteSource, readExactly, required, sliceSource } from './bytes.ts';
import { damaged } from './error.ts';
import type { Palette, StoredBytes } from './model.ts';

/** The largest number of boxes in total: they nest, so a bound for each level would not bound the file. */
const maxBoxes = 1024;

/** The boxes that hold other boxes with facts of the image; those of JPX can be outside of the JP2 header (ISO 15444-2, annex M). */
const containers: ReadonlySet<string> = new Set(['jp2h', 'jpch', 'jplh', 'cgrp', 'res ']);

/** The names by which UUID boxes with an EXIF block are known: that of the JPEG and TIFF converters, and Photoshop’s. */
const exifNames: ReadonlySet<string> = new Set([
  Buffer.from('JpgTiffExif->JP2', 'latin1').toString('hex'),
  '0537cdab9d0c4431a72afa561f2a113e',
]);

/** The color space of a file, of the first color specification that can be used. */
export interface ColorSpace {
  readonly enumerated?: number;
  /** Four characters such as `RGB `. */
  readonly profileSpace?: string;
  readonly profile?: StoredBytes;
}

/** A resolution: samples per meter along each axis. */
export interface SamplesPerMeter {
  readonly x: number;
  readonly y: number;
}

/** A channel definition (section I.5.3.6). */
export interface ChannelDefinition {
  readonly channel: number;
  /** 0 for a color, 1 for opacity, 2 for opacity by which the colors are multiplied. */
  readonly type: number;
  /** 0 for the whole image, else the number of the color, from 1. */
  readonly association: number;
}

/** A component mapping (section I.5.3.5): channels are numbered in the order of the mappings. */
export interface ComponentMapping {
  readonly component: number;
  /** Absent where the component is used as it is. */
  readonly column?: number;
}

/** A box by its body. */
export interface Box {
  readonly type: string;
  readonly body: ByteSource;
  /** Offset of the body in the file. */
  readonly at: number;
  /** Whether the file ends before the box. */
  readonly isCutOff: boolean;
  /** Whether it extends to the end of the file, without a length of its own. */
  readonly isOpen: boolean;
}

/** The facts of all boxes together; of each kind the first one counts. */
export interface Boxes {
  count: number;
  /** Four characters such as `jpx `, of the file type box. */
  brand?: string | undefined;
  codeStream?: Box;
  color?: ColorSpace | undefined;
  palette?: Palette;
  mappings?: readonly ComponentMapping[];
  definitions?: readonly ChannelDefinition[];
  capture?: SamplesPerMeter | undefined;
  display?: SamplesPerMeter | undefined;
  exif?: StoredBytes | undefined;
}

/** The facts of the boxes of a file. Throws Jpeg2000Error where a palette is damaged, without which there are no colors. */
export async function readBoxes(source: ByteSource): Promise<Boxes> {
  const found: Boxes = { count: 0 };
  await addBoxes(source, 0, found);
  return found;
}

async function addBoxes(source: ByteSource, at: number, found: Boxes): Promise<void> {
  for await (const box of boxes(source, at, found)) await addBox(box, found);
}

/** The boxes of a file, or of a box that contains others, up to the first damaged one. */
async function* boxes(source: ByteSource, at: number, found: Boxes): AsyncGenerator<Box> {
  let offset = 0;
  while (found.count < maxBoxes) {
    found.count += 1;
    const head = await readExactly(source, offset, 8);
    if (!head) return;
    const short = head.readUInt32BE(0);
    const long = short === 1 ? await readExactly(source, offset + 8, 8) : undefined;
    const headBytes = long ? 16 : 8;
    // A length of 0 means that the box extends to the end of the file.
    const length = long ? Number(long.readBigUInt64BE(0)) : short === 0 ? source.size - offset : short;
    if (length < headBytes) return;
    const body = sliceSource(source, offset + headBytes, length - headBytes);
    const isCutOff = offset + length > source.size;
    const isOpen = short === 0;
    yield { type: head.toString('latin1', 4, 8), body, at: at + offset + headBytes, isCutOff, isOpen };
    offset += length;
  }
}

async function addBox(box: Box, found: Boxes): Promise<void> {
  const { type, body, at } = box;
  if (containers.has(type)) await addBoxes(body, at, found);
  else if (type === 'ftyp') found.brand ??= (await readExactly(body, 0, 4))?.toString('latin1');
  else if (type === 'jp2c') found.codeStream ??= box;
  else if (type === 'colr') found.color ??= await readColor(body, at);
  else if (type === 'pclr') found.palette ??= await readPalette(body, at);
  else if (type === 'cmap') found.mappings ??= await readMappings(body);
  else if (type === 'cdef') found.definitions ??= await readDefinitions(body);
  else if (type === 'resc') found.capture ??= await readResolution(body);
  else if (type === 'resd') found.display ??= await readResolution(body);
  else if (type === 'uuid') found.exif ??= await readUuid(body, at);
}

/** The largest profile that is used, in bytes: those of inks have some MB. It is read for each picture. */
const maxProfileBytes = 16 * 1024 * 1024;

/** The color of a specification; undefined for methods and profiles that can't be used, after which another may follow. */
async function readColor(body: ByteSource, at: number): Promise<ColorSpace | undefined> {
  const [enumerated, restrictedProfile, anyProfile] = [1, 2, 3];
  const headBytes = 3;
  const method = (await readExactly(body, 0, headBytes))?.readUInt8(0);
  if (method === enumerated) {
    const space = (await readExactly(body, headBytes, 4))?.readUInt32BE(0);
    return space === undefined ? undefined : { enumerated: space };
  }
  if (method !== restrictedProfile && method !== anyProfile) return undefined;
  const profile = sliceSource(body, headBytes, body.size);
  if (profile.size > maxProfileBytes) return undefined;
  const head = await profile.read(0, 128);
  // ICC.1:2010, section 7.2: the signature of a profile, and the color space of its samples.
  const isProfile = head.length === 128 && head.toString('latin1', 36, 40) === 'acsp';
  const space = isProfile ? head.toString('latin1', 16, 20) : undefined;
  return space === undefined
    ? undefined
    : { profileSpace: space, profile: { at: at + headBytes, bytes: profile.size } };
}

const damagedPalette = 'The JPEG 2000 palette is damaged.';

/** Numbers of rows and columns, the bits of each column, then the values, each in whole bytes. */
async function readPalette(body: ByteSource, at: number): Promise<Palette> {
  const maxEntries = 1024;
  const head = required(await readExactly(body, 0, 3), damagedPalette);
  const [entries, count] = [head.readUInt16BE(0), head.readUInt8(2)];
  if (entries < 1 || entries > maxEntries || count < 1) throw damaged(damagedPalette);
  const depths = required(await readExactly(body, 3, count), damagedPalette);
  const columns = [...depths].map((each) => ({ bits: (each & 0x7f) + 1, signed: each >= 0x80 }));
  const bytes = entries * columns.reduce((sum, { bits }) => sum + Math.ceil(bits / 8), 0);
  if (body.size < 3 + count + bytes) throw damaged(damagedPalette);
  return { entries, columns, values: { at: at + 3 + count, bytes } };
}

/** More channels than any picture has. */
const maxChannels = 256;

async function readMappings(body: ByteSource): Promise<readonly ComponentMapping[]> {
  const bytes = await body.read(0, maxChannels * 4);
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => {
    const [component, isLookedUp] = [bytes.readUInt16BE(index * 4), bytes.readUInt8(index * 4 + 2) === 1];
    return isLookedUp ? { component, column: bytes.readUInt8(index * 4 + 3) } : { component };
  });
}

async function readDefinitions(body: ByteSource): Promise<readonly ChannelDefinition[]> {
  const count = (await readExactly(body, 0, 2))?.readUInt16BE(0) ?? 0;
  const bytes = await body.read(2, Math.min(count, maxChannels) * 6);
  return Array.from({ length: Math.floor(bytes.length / 6) }, (_, index) => ({
    channel: bytes.readUInt16BE(index * 6),
    type: bytes.readUInt16BE(index * 6 + 2),
    association: bytes.readUInt16BE(index * 6 + 4),
  }));
}

/** Numerator, denominator and decimal exponent, vertical ones first (section I.5.3.7). */
async function readResolution(body: ByteSource): Promise<SamplesPerMeter | undefined> {
  const bytes = await readExactly(body, 0, 10);
  if (!bytes) return undefined;
  const y = (bytes.readUInt16BE(0) / bytes.readUInt16BE(2)) * 10 ** bytes.readInt8(8);
  const x = (bytes.readUInt16BE(4) / bytes.readUInt16BE(6)) * 10 ** bytes.readInt8(9);
  const isUsable = [x, y].every((each) => Number.isFinite(each) && each > 0);
  return isUsable ? { x, y } : undefined;
}

/** Where the EXIF block of a UUID box is. */
async function readUuid(body: ByteSource, at: number): Promise<StoredBytes | undefined> {
  const name = (await readExactly(body, 0, 16))?.toString('hex');
  return name !== undefined && exifNames.has(name) ? { at: at + 16, bytes: body.size - 16 } : undefined;
}
