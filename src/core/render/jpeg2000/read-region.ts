/** Decodes a region of a JPEG 2000 file to the samples that a picture is made of. */

import { ImageError } from '../../image/model/errors.ts';
import type { Rect } from '../../image/model/geometry.ts';
import { type Channel, finestStep, type Jpeg2000, type Palette, reducedRect } from '../../image/model/jpeg2000.ts';
import type { StoredBytes } from '../../image/model/stored-tiles.ts';
import type { ReadHandle } from '../tiles/read-handle.ts';
import {
  type ChannelSource,
  channelsOf,
  convertCmyk,
  convertYcc,
  copyInterleaved,
  divideByAlpha,
  fillChannel,
  paletteTable,
  type Samples,
  type Spacing,
  scaleTable,
} from './channels.ts';
import { CodeStreamDamage } from './damage.ts';
import type { Plane } from './planes.ts';
import { componentBox, readComponents } from './read-components.ts';
import { type Box, boxOf, intersectBoxes } from './tile-geometry.ts';

export interface RegionRead {
  readonly handle: ReadHandle;
  /** Length of the file in bytes. */
  readonly fileBytes: number;
  /** Unique for this version of the file. */
  readonly key: string;
  readonly jpeg2000: Jpeg2000;
  /** How often the image is halved. */
  readonly reduction: number;
  /** In pixels of the reduced image. */
  readonly region: Rect;
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

export async function readStoredBytes(handle: ReadHandle, { at, bytes }: StoredBytes): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes);
  const { bytesRead } = await handle.read(buffer, 0, bytes, at);
  if (bytesRead < bytes) throw new CodeStreamDamage('a box is cut short');
  return buffer;
}

function spacingOf({ codeStream }: Jpeg2000, component: number): Spacing {
  const finest = finestStep(codeStream);
  const { dx, dy } = codeStream.components[component] ?? finest;
  return { x: dx / finest.dx, y: dy / finest.dy };
}

/** What of a component is needed for pixels; at the image’s edges its nearest samples. */
function neededOf(jpeg2000: Jpeg2000, component: number, reduction: number, pixels: Box): Box {
  const { x, y } = spacingOf(jpeg2000, component);
  const whole = componentBox(jpeg2000.codeStream, component, reduction);
  const left = Math.min(Math.max(Math.floor(pixels.left / x), whole.left), whole.right - 1);
  const top = Math.min(Math.max(Math.floor(pixels.top / y), whole.top), whole.bottom - 1);
  const right = Math.max(Math.floor((pixels.right - 1) / x) + 1, left + 1);
  const bottom = Math.max(Math.floor((pixels.bottom - 1) / y) + 1, top + 1);
  return intersectBoxes({ left, top, right, bottom }, whole);
}

function tableOf(
  { component, column }: Channel,
  { codeStream, color }: Jpeg2000,
  values: Uint8Array | undefined,
  outputBits: 8 | 16,
): Uint16Array {
  const bits = codeStream.components[component]?.bits ?? 8;
  const { palette } = color;
  if (column === undefined || palette === undefined || values === undefined) return scaleTable(bits, outputBits);
  return paletteTable(palette, values, column, { bits, outputBits });
}

function sourceOf(
  read: RegionRead,
  channel: Channel,
  planes: ReadonlyMap<number, Plane>,
  values?: Uint8Array,
): ChannelSource {
  const plane = planes.get(channel.component);
  if (plane === undefined) throw new TypeError('a channel without its component');
  const { jpeg2000, bits } = read;
  return { plane, spacing: spacingOf(jpeg2000, channel.component), table: tableOf(channel, jpeg2000, values, bits) };
}

const readPalette = (handle: ReadHandle, palette: Palette | undefined): Promise<Buffer> | undefined =>
  palette && readStoredBytes(handle, palette.values);

function requireReadable({ codeStream, color }: Jpeg2000): void {
  const isDeep = channelsOf(color).some(({ component }) => (codeStream.components[component]?.bits ?? 0) > maxBits);
  if (!isDeep && color.space !== 'lab') return;
  const reason = isDeep ? 'samples of more than 16 bits' : 'colors in Lab';
  throw new ImageError('unsupported', `JPEG 2000 files with ${reason} are not rendered.`);
}

/** The components of a region that its colors are made of. */
async function readPlanes(read: RegionRead, pixels: Box): Promise<ReadonlyMap<number, Plane>> {
  const { handle, fileBytes, key, jpeg2000, reduction, lenient } = read;
  const components = new Set(channelsOf(jpeg2000.color).map(({ component }) => component));
  const boxes = new Map([...components].map((each) => [each, neededOf(jpeg2000, each, reduction, pixels)] as const));
  const file = { descriptor: handle.fd, fileBytes, key, codeStream: jpeg2000.codeStream };
  return readComponents(file, { reduction, boxes, lenient, maxBytes: maxDecoderBytes });
}

const createSamples = (count: number, bits: 8 | 16): Samples =>
  bits === 16 ? new Uint16Array(count) : new Uint8Array(count);

function inksOf(sources: readonly ChannelSource[], pixels: Box, bits: 8 | 16): Samples {
  const inks = createSamples((pixels.right - pixels.left) * (pixels.bottom - pixels.top) * 4, bits);
  for (const [index, source] of sources.slice(0, 4).entries()) fillChannel(source, inks, pixels, index, 4);
  return inks;
}

/**
 * Reads a region. Rejects with ImageError `unsupported` and `too-large`, with CodeStreamDamage, DecoderMemoryError, and the errors
 * of the disk.
 */
export async function readRegion(read: RegionRead): Promise<RegionPixels> {
  const { handle, jpeg2000, reduction, region, bits } = read;
  const { codeStream, color } = jpeg2000;
  requireReadable(jpeg2000);
  const level = reducedRect(codeStream.area, finestStep(codeStream), reduction);
  const pixels = boxOf({ ...region, x: level.x + region.x, y: level.y + region.y });
  const values = await readPalette(handle, color.palette);
  const planes = await readPlanes(read, pixels);
  const sources = channelsOf(color).map((channel) => sourceOf(read, channel, planes, values));
  const { width, height } = region;
  const channels = ((color.colors.length === 1 ? 1 : 3) + (color.alpha ? 1 : 0)) as RegionPixels['channels'];
  const samples = createSamples(width * height * channels, bits);
  const isCmyk = color.colors.length === 4;
  const isCopied = sources.length === channels && copyInterleaved(sources, samples, pixels);
  for (const [index, source] of isCopied ? [] : sources.entries()) {
    // Inks take four channels of their own.
    if (!isCmyk || index > 3) fillChannel(source, samples, pixels, isCmyk ? channels - 1 : index, channels);
  }
  if (isCmyk) convertCmyk(inksOf(sources, pixels, bits), samples, channels, bits);
  if (color.space === 'sycc' || color.space === 'esycc') convertYcc(samples, channels, bits);
  if (color.alpha?.premultiplied) divideByAlpha(samples, channels, bits);
  return { samples, width, height, channels };
}
