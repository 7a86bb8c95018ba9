/** Converts samples of other depths to 8 bits, where libvips alone would change brightness or colors. */

import { LRUCache } from 'lru-cache';
import type { Sharp } from 'sharp';
import type { Range, SampleScale, UnknownRange } from '../../image/model/stored-samples.ts';
import { fromPixels, openLevel, type Profile, readMetadata, readPixels, type StoredLevel } from './libvips-source.ts';
import type { OpenedRender } from './opened-file.ts';

/** The least and the greatest measured value. */
export interface Extent {
  readonly least: number;
  readonly greatest: number;
}

/** A level of a pyramid can slightly exceed the range of the image where its writer sharpened edges; a share of white. */
const tolerance = 0.05;

const fits = ({ least, greatest }: Extent, white: number): boolean =>
  least >= -tolerance * white && greatest <= (1 + tolerance) * white;

/** Share of white that the brightest value has to reach; else white has to be another value, as the image would look black. */
const visible = 1 / 16;

const unsignedWhites = [255, 1023, 4095] as const;

/** The rules of decision 4, by the kind of the samples. */
export function rangeOf(kind: UnknownRange['kind'], bits: number, found: Extent): Range {
  if (kind === 'unsigned' && bits <= 16) {
    const nominal = 2 ** bits - 1;
    const white = unsignedWhites.find((candidate) => fits(found, candidate)) ?? nominal;
    return { black: 0, white: found.greatest === 0 ? nominal : white };
  }
  if (kind === 'float' && fits(found, 1)) return { black: 0, white: 1 };
  if (kind === 'float' && fits(found, 255) && found.greatest >= 255 * visible) return { black: 0, white: 255 };
  const { least, greatest } = found;
  if (greatest > least) return { black: least, white: greatest };
  return greatest > 0 ? { black: 0, white: greatest } : { black: least, white: least + 1 };
}

/** The range of alpha begins at zero, so that a picture that is half transparent everywhere stays so. */
function alphaRangeOf(kind: UnknownRange['kind'], bits: number, found: Extent): Range {
  const { white } = rangeOf(kind, bits, { least: Math.min(0, found.least), greatest: found.greatest });
  return { black: 0, white: Math.max(white, Number.MIN_VALUE) };
}

const isNominal = (kind: UnknownRange['kind'], bits: number, { black, white }: Range): boolean =>
  kind === 'unsigned' && black === 0 && white === 2 ** bits - 1;

/** Side of the square grid of pixels that are measured. */
const sampledSide = 1000;

/** Values beyond this are markers for missing data. */
const noData = 1e30;

function extentOf(samples: ArrayLike<number>, first: number, last: number, step: number): Extent {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let pixel = 0; pixel < samples.length; pixel += step) {
    for (let at = pixel + first; at <= pixel + last; at++) {
      const value = samples[at] ?? 0;
      if (!(Math.abs(value) < noData)) continue;
      if (value < least) least = value;
      if (value > greatest) greatest = value;
    }
  }
  return least <= greatest ? { least, greatest } : { least: 0, greatest: 0 };
}

/**
 * A sample of a level's pixels without averaging. With alpha it is the middle of the level, since libvips multiplies by
 * alpha when it scales, in a range that may not be the file's.
 */
function sampled(image: Sharp, { width, height }: UnknownRange['size'], alpha: boolean): Sharp {
  if (!alpha) {
    const [columns, rows] = [Math.min(width, sampledSide), Math.min(height, sampledSide)];
    return image.resize(columns, rows, { fit: 'fill', kernel: 'nearest' });
  }
  const [columns, rows] = [Math.min(width, 2 * sampledSide), Math.min(height, 2 * sampledSide)];
  const [left, top] = [Math.floor((width - columns) / 2), Math.floor((height - rows) / 2)];
  return image.extract({ left, top, width: columns, height: rows });
}

type SampleForm = Pick<SampleScale, 'space' | 'offset' | 'depth' | 'hasAlpha'>;

/** The samples that a pipeline yields as they are stored, plus the offset; no color management. */
export async function readSamples(image: Sharp, { space, offset, depth, hasAlpha }: SampleForm) {
  const shifted = offset === 0 ? image : image.linear(1, offset);
  const { data, ...size } = await readPixels(shifted.keepIccProfile(), { space, depth, alpha: hasAlpha });
  const { buffer, byteOffset, length } = data;
  const samples =
    depth === 'ushort'
      ? new Uint16Array(buffer, byteOffset, length / 2)
      : new Float32Array(buffer, byteOffset, length / 4);
  return { samples, ...size };
}

/** sharp clips what libvips calls gray of 16 bits to unsigned ones, so signed ones are lifted first. */
const signedLift = 32_768;

type MeasuredPlan = StoredLevel & Pick<OpenedRender, 'measured'>;

async function measure(plan: MeasuredPlan, range: UnknownRange, bits: number): Promise<SampleScale | undefined> {
  const { kind, location, size } = range;
  const { excerpt: _, measured, ...stored } = plan;
  const level = { ...stored, location, ...(measured && { excerpt: measured }) };
  const { space = 'srgb', hasAlpha = false } = await readMetadata(await openLevel(level));
  const isSixteen = space === 'rgb16' || space === 'grey16';
  const offset = kind === 'signed' && space === 'grey16' ? signedLift : 0;
  const form: SampleForm = { space, offset, depth: isSixteen ? 'ushort' : 'float', hasAlpha };
  const { samples, channels } = await readSamples(sampled(await openLevel(level), size, hasAlpha), form);
  const colors = hasAlpha ? channels - 1 : channels;
  const extent = extentOf(samples, 0, colors - 1, channels);
  const found = { least: extent.least - offset, greatest: extent.greatest - offset };
  const color = rangeOf(kind, bits, found);
  const alpha = hasAlpha ? alphaRangeOf(kind, bits, extentOf(samples, colors, colors, channels)) : color;
  return isNominal(kind, bits, color) && isNominal(kind, bits, alpha) ? undefined : { ...form, color, alpha };
}

const cache = new LRUCache<string, Promise<SampleScale | undefined>>({ max: 1000 });

/**
 * How the samples of an image are scaled, measured once, so that all its tiles are scaled alike; undefined where they use
 * all of their range, as most do.
 */
export function sampleScale(plan: MeasuredPlan, range: UnknownRange, bits: number): Promise<SampleScale | undefined> {
  const { file, truncated } = plan;
  const key = JSON.stringify([file.path, file.fingerprint, range.location, truncated]);
  const cached = cache.get(key);
  if (cached) return cached;
  const measured = measure(plan, range, bits);
  cache.set(key, measured);
  measured.catch(() => cache.delete(key));
  return measured;
}

export interface EightBits {
  /** Continues with 8-bit samples. */
  readonly convert: (image: Sharp) => Promise<Sharp>;
  /**
   * Whether samples are converted before scaling instead of after it, when there are fewer: necessary with alpha, by which
   * libvips multiplies in a range that may not be theirs, and for 32-bit integers, which overflow.
   */
  readonly beforeScaling: boolean;
}

/** Scales samples to unsigned bytes, rounded and clipped; NaN becomes black. */
function scaleSamples(samples: ArrayLike<number>, channels: number, { color, alpha, offset }: SampleScale): Buffer {
  const bytes = new Uint8ClampedArray(samples.length);
  const alphaChannel = channels === 2 || channels === 4 ? channels - 1 : channels;
  const fill = (channel: number, { black, white }: Range, shift: number): void => {
    const factor = 255 / (white - black);
    for (let at = channel; at < samples.length; at += channels) {
      bytes[at] = ((samples[at] ?? 0) - shift - black) * factor;
    }
  };
  for (let channel = 0; channel < alphaChannel; channel++) fill(channel, color, offset);
  if (alphaChannel < channels) fill(alphaChannel, alpha, 0);
  return Buffer.from(bytes.buffer);
}

/**
 * How the plan's samples are converted to 8 bits; undefined where libvips does so correctly. It does not where the range
 * has to be measured, nor for 16 bits with a profile: sharp converts RGB to P3 and leaves it there, and gray unconverted.
 */
export async function openEightBits(plan: OpenedRender, profile: Profile | undefined): Promise<EightBits | undefined> {
  const { bits, alpha, range } = plan.samples;
  const scale = range && (plan.scale ?? (await sampleScale(plan, range, bits)));
  if (scale && scale !== 'none') {
    const convert = async (image: Sharp) => {
      const { samples, ...size } = await readSamples(image, scale);
      return fromPixels({ ...size, data: scaleSamples(samples, size.channels, scale) }, profile);
    };
    return { convert, beforeScaling: scale.hasAlpha || (bits > 16 && range.kind !== 'float') };
  }
  const { sourceColor } = plan;
  if (bits !== 16 || profile?.use !== 'convert' || (sourceColor !== 'rgb' && sourceColor !== 'gray')) return undefined;
  const space = sourceColor === 'gray' ? 'b-w' : 'srgb';
  const convert = async (image: Sharp) =>
    fromPixels(await readPixels(image.keepIccProfile(), { space, depth: 'uchar', alpha }), profile);
  return { convert, beforeScaling: false };
}
