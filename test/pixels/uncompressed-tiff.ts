/** Writes uncompressed TIFF files of any kind of sample, also of those that sharp can't write. */
import {
  buildTiff,
  type Directory,
  dataOffset,
  long,
  short,
  type Tag,
  undefinedBytes,
} from '../fixtures/files/tiff.mjs';
import type { Rgb } from './pictures.ts';

export interface SampleKind {
  readonly bits: 1 | 8 | 16 | 32;
  /** Tag 339: 1 unsigned, 2 signed, 3 float. */
  readonly format: 1 | 2 | 3;
}

export interface StoredLevel {
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
}

export interface TiffKind extends SampleKind {
  /** 0 and 1 gray, 2 RGB, 5 CMYK. */
  readonly photometric: 0 | 1 | 2 | 5;
  readonly alpha?: boolean;
  /** 256 values of 16 bits of red, then of green and of blue: makes the samples indices. */
  readonly palette?: readonly number[];
  readonly profile?: Buffer;
}

/** A TIFF with one strip for each level, little-endian; all levels but the first are marked as reduced. */
export function uncompressedTiff(levels: readonly StoredLevel[], kind: TiffKind): Buffer {
  const strips = levels.map(({ bytes }) => evenLength(bytes));
  let offset = dataOffset();
  const directories = levels.map((level, index): Directory => {
    const tags = tagsOf(level, kind, offset, index > 0);
    offset += strips[index]?.length ?? 0;
    return { tags };
  });
  return buildTiff(directories, { data: strips });
}

const evenLength = (bytes: Buffer): Buffer =>
  bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)]);

function tagsOf(level: StoredLevel, kind: TiffKind, offset: number, isReduced: boolean): readonly Tag[] {
  const channels = channelsOf(kind);
  const each = (value: number): number[] => Array.from({ length: channels }, () => value);
  return [
    [254, long, [isReduced ? 1 : 0]],
    [256, long, [level.width]],
    [257, long, [level.height]],
    [258, short, each(kind.bits)],
    [259, short, [1]],
    [262, short, [kind.palette ? 3 : kind.photometric]],
    [273, long, [offset]],
    [277, short, [channels]],
    [278, long, [level.height]],
    [279, long, [level.bytes.length]],
    [284, short, [1]],
    ...(kind.palette ? [[320, short, kind.palette] as const] : []),
    ...(kind.alpha ? [[338, short, [2]] as const] : []),
    [339, short, each(kind.format)],
    ...(kind.profile ? [[34675, undefinedBytes, kind.profile] as const] : []),
  ];
}

const colorChannels: Readonly<Record<number, number>> = { 2: 3, 5: 4 };

export const channelsOf = ({ photometric, alpha }: TiffKind): number =>
  (colorChannels[photometric] ?? 1) + (alpha ? 1 : 0);

/** The samples of a level, from the value of each channel of each pixel. */
export function levelOf(
  width: number,
  height: number,
  kind: TiffKind,
  value: (x: number, y: number, channel: number) => number,
): StoredLevel {
  const channels = channelsOf(kind);
  const length = width * height * channels;
  const samples = arrayOf(kind, length);
  for (let at = 0; at < length; at++) {
    const pixel = Math.floor(at / channels);
    samples[at] = value(pixel % width, Math.floor(pixel / width), at % channels);
  }
  return { width, height, bytes: Buffer.from(samples.buffer) };
}

function arrayOf({ bits, format }: SampleKind, length: number) {
  if (format === 3) return new Float32Array(length);
  if (bits === 32) return format === 2 ? new Int32Array(length) : new Uint32Array(length);
  if (bits === 16) return format === 2 ? new Int16Array(length) : new Uint16Array(length);
  return format === 2 ? new Int8Array(length) : new Uint8Array(length);
}

/** Four quarters of the given colors; `store` converts an 8-bit value to a stored one, and alpha is `opaque`. */
export function quarteredLevel(
  width: number,
  height: number,
  kind: TiffKind,
  colors: readonly Rgb[],
  store: (value: number) => number,
  opaque = store(255),
): StoredLevel {
  const ofColor = channelsOf(kind) - (kind.alpha ? 1 : 0);
  return levelOf(width, height, kind, (x, y, channel) => {
    const quarter = (y * 2 >= height ? 2 : 0) + (x * 2 >= width ? 1 : 0);
    return channel < ofColor ? store(colors[quarter]?.[channel] ?? 0) : opaque;
  });
}
