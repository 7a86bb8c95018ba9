/** Decodes a region of a JPEG 2000 file to the samples that a picture is made of (ISO 15444-1, section I.5.3). */

import type { ReadAt } from './bytes.ts';
import { componentBox, type Plane, readComponents, StreamCache, type StreamFile } from './components.ts';
import { Jpeg2000Error, requireSound } from './error.ts';
import { type Box, boxOf, contains, intersectBoxes } from './geometry.ts';
import {
  type Channel,
  finestStep,
  type Jpeg2000,
  type Jpeg2000Color,
  type Palette,
  type Rect,
  reducedRect,
  type StoredBytes,
} from './model.ts';
import type { NativeDecoder } from './native.ts';
import { dropDecoder } from './openjpeg.ts';

/** How many samples of the finest component one of a component is wide and high. */
export interface Spacing {
  readonly x: number;
  readonly y: number;
}

/** A channel before its samples are put into the picture. */
export interface ChannelSource {
  readonly plane: Plane;
  readonly spacing: Spacing;
  /** For each value of a sample, that of the picture. */
  readonly table: Uint16Array;
}

/** The samples of a picture, interleaved. */
export type Samples = Uint8Array | Uint16Array;

const largest = (bits: number): number => 2 ** bits - 1;

const scaleTables = new Map<string, Uint16Array>();

/** For each value of `bits` bits, up to 16, the nearest of the picture’s. */
export function scaleTable(bits: number, outputBits: 8 | 16): Uint16Array {
  const key = `${bits} ${outputBits}`;
  const known = scaleTables.get(key);
  if (known) return known;
  const table = Uint16Array.from({ length: 2 ** bits }, (_, value) =>
    Math.round((value * largest(outputBits)) / largest(bits)),
  );
  scaleTables.set(key, table);
  return table;
}

/** For each value of a component of `bits` bits, that of a palette’s column. Values beyond the palette are its last entry. */
export function paletteTable(
  { entries, columns }: Palette,
  values: Uint8Array,
  column: number,
  { bits, outputBits }: { readonly bits: number; readonly outputBits: 8 | 16 },
): Uint16Array {
  const sizes = columns.map((each) => Math.ceil(each.bits / 8));
  const rowBytes = sizes.reduce((sum, size) => sum + size, 0);
  const first = sizes.slice(0, column).reduce((sum, size) => sum + size, 0);
  const { bits: columnBits = 8, signed = false } = columns[column] ?? {};
  return Uint16Array.from({ length: 2 ** bits }, (_, index) => {
    const at = Math.min(index, entries - 1) * rowBytes + first;
    let value = 0;
    for (let byte = 0; byte < (sizes[column] ?? 1); byte++) value = value * 256 + (values[at + byte] ?? 0);
    const lifted = (value + (signed ? 2 ** (columnBits - 1) : 0)) % 2 ** columnBits;
    return Math.round((lifted * largest(outputBits)) / largest(columnBits));
  });
}

/**
 * Puts a channel into a picture. Samples that are wider or higher than a pixel are repeated, counted from the origin of the
 * grid; `box` is the picture’s in samples of the finest component.
 */
export function fillChannel(
  source: ChannelSource,
  picture: Samples,
  box: Box,
  channel: number,
  channels: number,
): void {
  const { plane, spacing, table } = source;
  const { samples, box: own, first, step } = plane;
  const width = own.right - own.left;
  const isFull = spacing.x === 1;
  const columns = Uint32Array.from({ length: isFull ? 0 : box.right - box.left }, (_, x) =>
    clampTo(Math.floor((box.left + x) / spacing.x), own.left, own.right),
  );
  const count = box.right - box.left;
  let to = channel;
  for (let y = box.top; y < box.bottom; y++) {
    const row = clampTo(Math.floor(y / spacing.y), own.top, own.bottom) * width * step + first;
    if (isFull) {
      let from = row + (box.left - own.left) * step;
      for (const end = to + count * channels; to < end; to += channels, from += step)
        picture[to] = table[samples[from] as number] as number;
    } else {
      for (let x = 0; x < count; x++, to += channels)
        picture[to] = table[samples[row + (columns[x] as number) * step] as number] as number;
    }
  }
}

const clampTo = (value: number, start: number, end: number): number =>
  Math.min(Math.max(value, start), end - 1) - start;

const clip = (value: number, white: number): number => (value < 0 ? 0 : value > white ? white : Math.round(value));

/** Converts YCbCr to RGB, in place (IEC 61966-2-1, amendment 1). */
export function convertYcc(picture: Samples, channels: number, bits: 8 | 16): void {
  const white = largest(bits);
  const half = 2 ** (bits - 1);
  for (let at = 0; at + 2 < picture.length; at += channels) {
    const y = picture[at] ?? 0;
    const cb = (picture[at + 1] ?? 0) - half;
    const cr = (picture[at + 2] ?? 0) - half;
    picture[at] = clip(y + 1.402 * cr, white);
    picture[at + 1] = clip(y - 0.344136 * cb - 0.714136 * cr, white);
    picture[at + 2] = clip(y + 1.772 * cb, white);
  }
}

/** RGB of inks: cyan, magenta, yellow, black, of which more is darker. `channels` is 3, or 4 with alpha after the inks. */
export function convertCmyk(inks: Samples, picture: Samples, channels: number, bits: 8 | 16): void {
  const white = largest(bits);
  for (let from = 0, to = 0; from + 3 < inks.length; from += 4, to += channels) {
    const light = white - (inks[from + 3] ?? 0);
    for (let color = 0; color < 3; color++)
      picture[to + color] = clip(((white - (inks[from + color] ?? 0)) * light) / white, white);
  }
}

/** Divides colors by the alpha that they were multiplied by, in place. Alpha is the last channel. */
export function divideByAlpha(picture: Samples, channels: number, bits: 8 | 16): void {
  const white = largest(bits);
  for (let at = 0; at < picture.length; at += channels) {
    const alpha = picture[at + channels - 1] ?? 0;
    if (alpha === 0 || alpha === white) continue;
    for (let color = 0; color < channels - 1; color++)
      picture[at + color] = clip(((picture[at + color] ?? 0) * white) / alpha, white);
  }
}

/** All channels that a picture is made of: colors, then alpha. */
export const channelsOf = ({ colors, alpha }: Jpeg2000Color): readonly Channel[] => [
  ...colors,
  ...(alpha ? [alpha] : []),
];

/** A file whose header was read. */
export interface Jpeg2000File extends Omit<StreamFile, 'codeStream'> {
  readonly header: Pick<Jpeg2000, 'codeStream' | 'color'>;
}

type Header = Jpeg2000File['header'];

export interface RegionPlace {
  /** How often the image is halved. */
  readonly reduction: number;
  /** In pixels of the reduced image. */
  readonly region: Rect;
}

export interface RegionRead extends RegionPlace {
  /** Whether a file that ends early yields what it has. */
  readonly lenient: boolean;
  /** Of the samples that are returned. */
  readonly bits: 8 | 16;
}

/** Gray, gray and alpha, RGB or RGBA; unsigned, interleaved. */
export interface RegionPixels {
  readonly samples: Samples;
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
}

/** Bytes that the decoder may have for one part of an image; libvips comes after it. */
const maxDecoderBytes = 1536 * 1024 * 1024;

/** What the decoder’s interface yields. */
const maxBits = 16;

/** Bytes of a file, such as its ICC profile. Throws Jpeg2000Error where the file ends before. */
export function readStored(readAt: ReadAt, { at, bytes }: StoredBytes): Uint8Array {
  const buffer = new Uint8Array(bytes);
  requireSound(readAt(buffer, at) === bytes, 'a box is cut short');
  return buffer;
}

function spacingOf({ codeStream }: Header, component: number): Spacing {
  const finest = finestStep(codeStream);
  const { dx, dy } = codeStream.components[component] ?? finest;
  return { x: dx / finest.dx, y: dy / finest.dy };
}

/** What of a component is needed for pixels; at the image’s edges its nearest samples. */
function neededOf(header: Header, component: number, reduction: number, pixels: Box): Box {
  const { x, y } = spacingOf(header, component);
  const whole = componentBox(header.codeStream, component, reduction);
  const left = Math.min(Math.max(Math.floor(pixels.left / x), whole.left), whole.right - 1);
  const top = Math.min(Math.max(Math.floor(pixels.top / y), whole.top), whole.bottom - 1);
  const right = Math.max(Math.floor((pixels.right - 1) / x) + 1, left + 1);
  const bottom = Math.max(Math.floor((pixels.bottom - 1) / y) + 1, top + 1);
  return intersectBoxes({ left, top, right, bottom }, whole);
}

/** What is read, in samples of the finest component. */
function pixelsOf({ codeStream }: Header, { reduction, region }: RegionPlace): Box {
  const level = reducedRect(codeStream.area, finestStep(codeStream), reduction);
  return boxOf({ ...region, x: level.x + region.x, y: level.y + region.y });
}

/** What of each component is needed for a region. */
export function neededBoxesOf(header: Header, read: RegionPlace): ReadonlyMap<number, Box> {
  const pixels = pixelsOf(header, read);
  return new Map(
    channelsOf(header.color).map(({ component }) => [component, neededOf(header, component, read.reduction, pixels)]),
  );
}

function tableOf(
  { component, column }: Channel,
  { codeStream, color }: Header,
  values: Uint8Array | undefined,
  outputBits: 8 | 16,
): Uint16Array {
  const bits = codeStream.components[component]?.bits ?? 8;
  const { palette } = color;
  if (column === undefined || palette === undefined || values === undefined) return scaleTable(bits, outputBits);
  return paletteTable(palette, values, column, { bits, outputBits });
}

function requireReadable({ codeStream, color }: Header): void {
  const isDeep = channelsOf(color).some(({ component }) => (codeStream.components[component]?.bits ?? 0) > maxBits);
  if (!isDeep && color.space !== 'lab') return;
  const reason = isDeep ? 'samples of more than 16 bits' : 'colors in Lab';
  throw new Jpeg2000Error('unsupported', `JPEG 2000 files with ${reason} are not rendered.`);
}

const createSamples = (count: number, bits: 8 | 16): Samples =>
  bits === 16 ? new Uint16Array(count) : new Uint8Array(count);

function inksOf(sources: readonly ChannelSource[], pixels: Box, bits: 8 | 16): Samples {
  const inks = createSamples((pixels.right - pixels.left) * (pixels.bottom - pixels.top) * 4, bits);
  for (const [index, source] of sources.slice(0, 4).entries()) fillChannel(source, inks, pixels, index, 4);
  return inks;
}

/** Reads regions of files, and caches where in the last ones their parts are. */
export class RegionReader {
  readonly #cache = new StreamCache();
  readonly #native: NativeDecoder | undefined;

  /** Decodes in WebAssembly where there is no native decoder. */
  constructor(native?: NativeDecoder) {
    this.#native = native;
  }

  /** Drops what is cached, and the decoder with its memory. */
  clear(): void {
    this.#cache.clear();
    dropDecoder();
  }

  /** Reads a region. Rejects with Jpeg2000Error, and the errors of the reader. */
  async readRegion(file: Jpeg2000File, read: RegionRead): Promise<RegionPixels> {
    const { header, readAt } = file;
    const { codeStream, color } = header;
    const { reduction, region, lenient, bits } = read;
    requireReadable(header);
    const pixels = pixelsOf(header, read);
    const values = color.palette && readStored(readAt, color.palette.values);
    const all = channelsOf(color);
    const asked = {
      reduction,
      boxes: neededBoxesOf(header, read),
      lenient,
      maxBytes: maxDecoderBytes,
      native: this.#native,
    };
    const planes = await readComponents(this.#cache, { ...file, codeStream }, asked).catch((error: unknown) => {
      // What was read of a packet before its bytes could not be read can’t be read again.
      if (!(error instanceof Jpeg2000Error)) this.#cache.clear();
      throw error;
    });
    const sources = all.map((channel): ChannelSource => {
      const plane = planes.get(channel.component);
      if (plane === undefined) throw new TypeError('a channel without its component');
      return { plane, spacing: spacingOf(header, channel.component), table: tableOf(channel, header, values, bits) };
    });
    return { ...picture(sources, pixels, color, bits), width: region.width, height: region.height };
  }
}

/** The plane that has all samples of a picture beside each other, as the picture has them; undefined where none has. */
function interleavedPlane(sources: readonly ChannelSource[], pixels: Box, channels: number, bits: 8 | 16) {
  const plane = sources[0]?.plane;
  const isIn = (source: ChannelSource, channel: number): boolean =>
    source.plane.samples === plane?.samples &&
    source.plane.first === channel &&
    source.plane.step === channels &&
    source.spacing.x === 1 &&
    source.spacing.y === 1 &&
    source.table === scaleTable(bits, bits) &&
    contains(source.plane.box, pixels);
  return sources.length === channels && sources.every(isIn) ? plane : undefined;
}

/** Copies the rows of a picture out of a plane in which its samples are beside each other. */
function copyRows({ box, samples, step }: Plane, picture: Samples, pixels: Box): void {
  const count = (pixels.right - pixels.left) * step;
  for (let y = pixels.top, to = 0; y < pixels.bottom; y++, to += count) {
    const from = ((y - box.top) * (box.right - box.left) + pixels.left - box.left) * step;
    picture.set(samples.subarray(from, from + count), to);
  }
}

/** Makes a picture of the channels of its colors. */
function picture(sources: readonly ChannelSource[], pixels: Box, color: Jpeg2000Color, bits: 8 | 16) {
  const channels = ((color.colors.length === 1 ? 1 : 3) + (color.alpha ? 1 : 0)) as RegionPixels['channels'];
  const samples = createSamples((pixels.right - pixels.left) * (pixels.bottom - pixels.top) * channels, bits);
  const isCmyk = color.colors.length === 4;
  const plane = interleavedPlane(sources, pixels, channels, bits);
  // Inks take four channels of their own.
  const isFilled = (index: number): boolean => plane === undefined && (!isCmyk || index > 3);
  if (plane) copyRows(plane, samples, pixels);
  for (const [index, source] of sources.entries())
    if (isFilled(index)) fillChannel(source, samples, pixels, isCmyk ? channels - 1 : index, channels);
  if (isCmyk) convertCmyk(inksOf(sources, pixels, bits), samples, channels, bits);
  if (color.space === 'sycc' || color.space === 'esycc') convertYcc(samples, channels, bits);
  if (color.alpha?.premultiplied) divideByAlpha(samples, channels, bits);
  return { samples, channels };
}
