/** Encodes pixels with which nothing else is left to do, without libvips. */

import type { PixelSize } from '@lectern/tiff';
import { isNeutral } from '../image/model/color.ts';
import type { Render } from '../image/plan/plan-types.ts';
import { encodeJpeg, maxEncodedPixels } from './encode-jpeg.ts';

/** Interleaved samples of 8 bits. */
export interface SamplesInMemory extends PixelSize {
  samples(): Buffer;
}

/** What a plan does with pixels of its scaled size, beside encoding them. */
const hasSteps = ({ turn, keep, rotation, color }: Render): boolean =>
  turn.flop || turn.turns !== 0 || keep !== undefined || rotation !== 0 || !isNeutral(color);

/**
 * A picture as a JPEG, which is gray where it has one channel; undefined where libvips has to do more, or the picture is large. What is
 * encoded are the samples alone, without a profile.
 */
export function finishedJpeg(pixels: SamplesInMemory, plan: Render, channels: 1 | 3): Buffer | undefined {
  const { width, height } = pixels;
  const isScaled = width === plan.scaled.width && height === plan.scaled.height;
  if (plan.format !== 'jpeg' || !isScaled || hasSteps(plan)) return undefined;
  if (pixels.channels !== channels || width * height > maxEncodedPixels) return undefined;
  return encodeJpeg({ data: pixels.samples(), width, height, channels });
}
