/** What a single derivative may cost at most; the same for every dialect, and said in info.json. */
import { badRequest } from './errors.ts';
import { type OutputFormat, outputFormats } from './formats.ts';
import { rotatedBounds, type Size } from './geometry.ts';

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

/** The largest size of this shape that is within the limits, also when it is rotated by `degrees`. */
export function largestWithin(shape: Size, degrees: number, format: OutputFormat, limits: Limits): Size {
  const { maxSide } = outputFormats[format];
  const fits = (size: Size): boolean =>
    size.width * size.height <= limits.maxArea && Math.max(size.width, size.height) <= maxSide;
  const isAllowed = (size: Size): boolean => fits(size) && fits(rotatedBounds(size, degrees));
  if (isAllowed(shape)) return { width: shape.width, height: shape.height };
  const bounds = rotatedBounds(shape, degrees);
  const area = Math.max(shape.width * shape.height, bounds.width * bounds.height);
  const side = Math.max(shape.width, shape.height, bounds.width, bounds.height);
  let factor = Math.min(1, Math.sqrt(limits.maxArea / area), maxSide / side);
  const reduce = (): Size => ({
    width: Math.max(1, Math.floor(shape.width * factor)),
    height: Math.max(1, Math.floor(shape.height * factor)),
  });
  // Rounding the rotated bounds can end a pixel beyond the limits.
  for (let step = 0; step < 16 && !isAllowed(reduce()); step++) factor *= 0.999;
  return reduce();
}
