/** Converts samples of other depths to 8 bits, where libvips alone would change brightness or colors. */
import type { Sharp } from 'sharp';
import { fromPixels, type Profile, readPixels } from './libvips-source.ts';
import type { OpenedRender } from './opened-file.ts';
import { type Range, readSamples, type SampleScale, sampleScale } from './sample-range.ts';

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
  const scale = range && (await sampleScale(plan, range, bits));
  if (scale) {
    const convert = async (image: Sharp) => {
      const { samples, info } = await readSamples(image, scale);
      return fromPixels(scaleSamples(samples, info.channels, scale), info, profile);
    };
    return { convert, beforeScaling: scale.hasAlpha || (bits > 16 && range.kind !== 'float') };
  }
  const { sourceColor } = plan;
  if (bits !== 16 || profile?.use !== 'convert' || (sourceColor !== 'rgb' && sourceColor !== 'gray')) return undefined;
  const space = sourceColor === 'gray' ? 'b-w' : 'srgb';
  const convert = async (image: Sharp) => {
    const { data, info } = await readPixels(image.keepIccProfile(), { space, depth: 'uchar', alpha });
    return fromPixels(data, info, profile);
  };
  return { convert, beforeScaling: false };
}
