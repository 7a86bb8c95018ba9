/** Makes colors of the samples of components: palette, subsampling, depth, YCbCr and CMYK (ISO 15444-1, section I.5.3). */
import type { Channel, Jpeg2000Color, Palette } from '../../image/model/jpeg2000.ts';
import type { Plane } from './planes.ts';
import { type Box, contains } from './tile-geometry.ts';

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

const isIdentity = (table: Uint16Array): boolean => table.every((value, index) => value === index);

/**
 * Puts all channels into a picture at once, where they are decoded as the picture has them: its samples, interleaved in its order. Whether
 * that was so; the picture is otherwise as it was.
 */
export function copyInterleaved(sources: readonly ChannelSource[], picture: Samples, box: Box): boolean {
  const [source] = sources;
  const channels = sources.length;
  if (source === undefined || source.plane.samples.BYTES_PER_ELEMENT !== picture.BYTES_PER_ELEMENT) return false;
  const { samples, box: own } = source.plane;
  const areInterleaved = sources.every(
    ({ plane, spacing, table }, index) =>
      plane.samples === samples &&
      plane.first === index &&
      plane.step === channels &&
      spacing.x === 1 &&
      spacing.y === 1 &&
      (table === source.table || isIdentity(table)),
  );
  if (!areInterleaved || !contains(own, box) || !isIdentity(source.table)) return false;
  const rowLength = (box.right - box.left) * channels;
  const width = own.right - own.left;
  for (let y = box.top; y < box.bottom; y++) {
    const from = ((y - own.top) * width + box.left - own.left) * channels;
    picture.set(samples.subarray(from, from + rowLength), (y - box.top) * rowLength);
  }
  return true;
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
