/** Writes TIFF files of any kind of sample, also of those that sharp can't write. */
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

type Entry = readonly [tag: number, type: 3 | 4 | 7, values: readonly number[]];

/** A TIFF of one strip a level, little-endian; all levels but the first are flagged as reduced. */
export function storedTiff(levels: readonly StoredLevel[], kind: TiffKind): Buffer {
  const parts: Buffer[] = [Buffer.from('II*\0\0\0\0\0', 'latin1')];
  let position = 8;
  const push = (bytes: Buffer): number => {
    const at = position;
    const even = bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)]);
    parts.push(even);
    position += even.length;
    return at;
  };
  let pointer = { bytes: parts[0] ?? Buffer.alloc(8), at: 4 };
  for (const [index, level] of levels.entries()) {
    const entries = entriesOf(level, kind, push(level.bytes), index > 0).map((entry) => entryBytes(entry, push));
    const directory = Buffer.concat([Buffer.from([entries.length, 0]), ...entries, Buffer.alloc(4)]);
    pointer.bytes.writeUInt32LE(position, pointer.at);
    push(directory);
    pointer = { bytes: directory, at: directory.length - 4 };
  }
  return Buffer.concat(parts);
}

function entriesOf(level: StoredLevel, kind: TiffKind, data: number, reduced: boolean): readonly Entry[] {
  const channels = channelsOf(kind);
  const each = (value: number): number[] => Array.from({ length: channels }, () => value);
  return [
    [254, 4, [reduced ? 1 : 0]],
    [256, 4, [level.width]],
    [257, 4, [level.height]],
    [258, 3, each(kind.bits)],
    [259, 3, [1]],
    [262, 3, [kind.palette ? 3 : kind.photometric]],
    [273, 4, [data]],
    [277, 3, [channels]],
    [278, 4, [level.height]],
    [279, 4, [level.bytes.length]],
    [284, 3, [1]],
    ...(kind.palette ? [[320, 3, kind.palette] as const] : []),
    ...(kind.alpha ? [[338, 3, [2]] as const] : []),
    [339, 3, each(kind.format)],
    ...(kind.profile ? [[34675, 7, [...kind.profile]] as const] : []),
  ];
}

function entryBytes([tag, type, values]: Entry, push: (bytes: Buffer) => number): Buffer {
  const size = { 3: 2, 4: 4, 7: 1 }[type];
  const body = Buffer.alloc(values.length * size);
  for (const [index, value] of values.entries()) body.writeUIntLE(value, index * size, size);
  const bytes = Buffer.alloc(12);
  bytes.writeUInt16LE(tag, 0);
  bytes.writeUInt16LE(type, 2);
  bytes.writeUInt32LE(values.length, 4);
  if (body.length <= 4) body.copy(bytes, 8);
  else bytes.writeUInt32LE(push(body), 8);
  return bytes;
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

/** Quarters of known colors, each 8-bit value stored as `store` says; alpha is `opaque`. */
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
