/** How a resolution's samples become 8-bit sRGB: decided from the header, as data of the plan. */
import { type OutputFormat, outputFormats, sourceFormats } from './formats.ts';
import type { Size } from './geometry.ts';
import type { LevelLocation, Resolution, StoredColor } from './image-set.ts';

/** Whether pictures come in sRGB, or as stored with their ICC profile beside them. */
export type Profiles = 'convert' | 'keep';

/** Samples whose range only the pixels show, and the level on which it is measured for all requests alike. */
export interface UnknownRange {
  readonly kind: 'unsigned' | 'signed' | 'float';
  readonly location: LevelLocation;
  readonly size: Size;
}

/** The values shown as 0 and as 255. */
export interface Range {
  readonly black: number;
  readonly white: number;
}

/** How the samples of an image are read and scaled. */
export interface SampleScale {
  /** libvips' name of the samples' color space, in which it leaves them unchanged. */
  readonly space: string;
  /** Added to all samples while they are read. */
  readonly offset: number;
  readonly depth: 'ushort' | 'float';
  readonly hasAlpha: boolean;
  readonly color: Range;
  readonly alpha: Range;
}

export interface StoredSamples {
  /** Bits of a sample as its decoder yields it. */
  readonly bits: number;
  readonly alpha: boolean;
  /** The use of the file's ICC profile; `ignore`: it is sRGB, so that the pixels need no conversion. */
  readonly profile: 'none' | 'ignore' | Profiles;
  /** Absent where the format defines which values are black and white. */
  readonly range?: UnknownRange;
}

/** Whether the samples are gray or RGB of 8 bits that are shown as they are stored. */
export const arePlain = (color: StoredColor, { bits, alpha, range, profile }: StoredSamples): boolean =>
  (color === 'rgb' || color === 'gray') &&
  bits === 8 &&
  !alpha &&
  range === undefined &&
  (profile === 'none' || profile === 'ignore');

/** What a picture does with the samples, beside encoding them. */
interface SampleUse {
  readonly profiles: Profiles;
  readonly format: OutputFormat;
  /** Whether no color is changed. */
  readonly neutral: boolean;
  readonly rotation: number;
}

/** The samples of a resolution as a plan describes them. */
export function samplesOf(resolution: Resolution, use: SampleUse): StoredSamples {
  const { alpha } = resolution;
  const range = rangeToMeasure(resolution);
  return { bits: decodedBits(resolution), alpha, profile: profileOf(resolution, use), ...(range && { range }) };
}

/** JPEG 2000 has samples of any number of bits, which its decoder brings to 8 or 16. */
const decodedBits = ({ jpeg2000, bits }: Resolution): number => (jpeg2000 ? (bits > 8 ? 16 : 8) : bits);

/**
 * A profile is kept with the pixels that it describes: CMYK and Lab are always converted, as are gray pictures that
 * leave as RGB.
 */
function profileOf({ profile, profileSpace, color }: Resolution, use: SampleUse): StoredSamples['profile'] {
  if (!profile) return 'none';
  const converted = profileSpace === 'srgb' ? 'ignore' : 'convert';
  const { holds } = outputFormats[use.format];
  if (use.profiles === 'convert' || !holds.profile) return converted;
  if (color === 'gray' || color === 'bilevel') {
    return use.neutral && use.rotation === 0 && holds.gray ? 'keep' : converted;
  }
  return color === 'rgb' || color === 'palette' ? 'keep' : converted;
}

/** Minimum area of the level that a range is measured on: a small bright spot is then among its pixels. */
const measurableArea = 1_000_000;

/** The level to measure the range on, where the format leaves it open. */
function rangeToMeasure({ format, color, bits, samples, levels }: Resolution): UnknownRange | undefined {
  const plain = color === 'rgb' || color === 'gray';
  if (!sourceFormats[format].openRange || !plain || (bits <= 8 && !samples)) return undefined;
  const { location, width, height } =
    levels.findLast((level) => level.width * level.height >= measurableArea) ?? levels[0];
  return { kind: samples ?? 'unsigned', location, size: { width, height } };
}
