/** How a resolution's samples become colors that every screen shows alike: decided by the header, as data of the plan. */
import type { OutputFormat } from './formats.ts';
import type { Size } from './geometry.ts';
import type { LevelLocation, Resolution } from './image-set.ts';

/** Whether pictures come in sRGB, or as stored with their ICC profile beside them. */
export type Profiles = 'convert' | 'keep';

/** Samples that only the pixels tell the range of, and the level on which it is measured for all requests alike. */
export interface UnknownRange {
  readonly kind: 'unsigned' | 'signed' | 'float';
  readonly location: LevelLocation;
  readonly size: Size;
}

export interface StoredSamples {
  readonly bits: number;
  readonly alpha: boolean;
  /** What becomes of the file's ICC profile; `ignore`: it says sRGB, and pixels are that without being converted. */
  readonly profile: 'none' | 'ignore' | Profiles;
  /** Absent where the format settles which values are black and white. */
  readonly range?: UnknownRange;
}

/** What an answer does with the samples, beside encoding them. */
export interface SampleUse {
  readonly profiles: Profiles;
  readonly format: OutputFormat;
  readonly neutral: boolean;
  readonly rotation: number;
}

export function samplesOf(resolution: Resolution, use: SampleUse): StoredSamples {
  const { bits, alpha } = resolution;
  const range = rangeToMeasure(resolution);
  return { bits, alpha, profile: profileOf(resolution, use), ...(range && { range }) };
}

/**
 * A profile is kept with the pixels that it describes: CMYK and Lab are always converted, as are gray pictures that
 * leave as RGB. WebP and AVIF have no gray, GIF no profile.
 */
function profileOf({ profile, profileSpace, color }: Resolution, use: SampleUse): StoredSamples['profile'] {
  if (!profile) return 'none';
  const converted = profileSpace === 'srgb' ? 'ignore' : 'convert';
  if (use.profiles === 'convert' || use.format === 'gif') return converted;
  if (color === 'gray' || color === 'bilevel') {
    const staysGray = use.neutral && use.rotation === 0 && use.format !== 'webp' && use.format !== 'avif';
    return staysGray ? 'keep' : converted;
  }
  return color === 'rgb' || color === 'palette' ? 'keep' : converted;
}

/** What a range is measured on: enough pixels for a small bright spot to be among them. */
const measurableArea = 1_000_000;

/** TIFF alone leaves the range open: 16-bit PNG and the 8-bit formats always use all of theirs (decision 4). */
function rangeToMeasure({ format, color, bits, samples, levels }: Resolution): UnknownRange | undefined {
  const plain = color === 'rgb' || color === 'gray';
  if (format !== 'tiff' || !plain || (bits <= 8 && !samples)) return undefined;
  const { location, width, height } =
    levels.findLast((level) => level.width * level.height >= measurableArea) ?? levels[0];
  return { kind: samples ?? 'unsigned', location, size: { width, height } };
}
