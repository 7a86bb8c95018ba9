/** What a single derivative may cost at most; the same for every dialect, and said in info.json. */
import { badRequest } from './errors.ts';
import { type OutputFormat, outputFormats } from './formats.ts';
import type { Size } from './geometry.ts';

export interface Limits {
  /** The largest derivative, in pixels of its area. */
  readonly maxArea: number;
  /** The largest factor by which an image may be enlarged; absent for no bound. */
  readonly maxUpscale?: number | undefined;
}

/** Throws when a derivative of `size` would be beyond the limits or beyond what `format` can hold. */
export function requireWithinLimits(size: Size, format: OutputFormat, limits: Limits): void {
  const { maxSide, extension } = outputFormats[format];
  if (size.width * size.height > limits.maxArea) {
    throw badRequest(
      `The result would have ${size.width} x ${size.height} pixels; at most ${limits.maxArea} pixels are allowed.`,
    );
  }
  if (Math.max(size.width, size.height) > maxSide) {
    throw badRequest(`A ${extension} can have at most ${maxSide} pixels a side; ask for a smaller size.`);
  }
}
