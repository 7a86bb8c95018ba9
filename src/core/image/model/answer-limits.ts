/** The bounds of a single derivative, the same for every dialect; info.json names them. */
import { badRequest } from './errors.ts';
import { type OutputFormat, outputFormats } from './formats.ts';
import { rotatedBounds, type Size } from './geometry.ts';

export interface Limits {
  /** The largest derivative, in pixels of its area. */
  readonly maxArea: number;
  /** The maximum width and height of a derivative, in pixels; absent for no bound but the format's. */
  readonly maxWidth?: number | undefined;
  readonly maxHeight?: number | undefined;
  /** How many times the image's sides those of a derivative may have where it is framed by region (IIIF's `^`); absent for no bound. */
  readonly maxUpscale?: number | undefined;
  /** The same where it is framed by area, as the Scaler does. */
  readonly maxScalerUpscale?: number | undefined;
  /** The bytes of memory that making one derivative may take; absent for no bound. */
  readonly renderBytes?: number | undefined;
}

function boundsOf(format: OutputFormat, limits: Limits): { area: number; width: number; height: number } {
  const { side, area } = outputFormats[format].max;
  return {
    area: Math.min(limits.maxArea, area),
    width: Math.min(limits.maxWidth ?? side, side),
    height: Math.min(limits.maxHeight ?? limits.maxWidth ?? side, side),
  };
}

/** Throws ImageError `bad-request` when a derivative of `size` would exceed the limits or the bounds of `format`. */
export function requireWithinLimits(size: Size, format: OutputFormat, limits: Limits): void {
  const { area, width, height } = boundsOf(format, limits);
  const { extension } = outputFormats[format];
  if (size.width * size.height > area) {
    throw badRequest(
      `The result would have ${size.width} x ${size.height} pixels; at most ${area} pixels are allowed for ${extension}.`,
    );
  }
  if (size.width > width || size.height > height) {
    throw badRequest(
      `The result would have ${size.width} x ${size.height} pixels; a ${extension} can have at most ${width} x ${height} here.`,
    );
  }
}

/**
 * The largest size of this shape that is within the limits, also when it is rotated by `degrees`: at most the shape's own
 * size, or with `enlarge` as large as the limits of the configuration allow (Image API 3.0, section 4.2, `^max`).
 */
export function largestWithin(
  shape: Size,
  { degrees, enlarge }: { readonly degrees: number; readonly enlarge: boolean },
  format: OutputFormat,
  limits: Limits,
): Size {
  const bounds = boundsOf(format, limits);
  const fits = (size: Size): boolean =>
    size.width * size.height <= bounds.area && size.width <= bounds.width && size.height <= bounds.height;
  const isAllowed = (size: Size): boolean => fits(size) && fits(rotatedBounds(size, degrees));
  if (!enlarge && isAllowed(shape)) return { width: shape.width, height: shape.height };
  const turned = rotatedBounds(shape, degrees);
  const area = Math.max(shape.width * shape.height, turned.width * turned.height);
  const width = Math.max(shape.width, turned.width);
  const height = Math.max(shape.height, turned.height);
  const allowed = Math.min(Math.sqrt(bounds.area / area), bounds.width / width, bounds.height / height);
  let factor = Math.min(allowed, enlarge ? allowed : 1);
  const scaled = (): Size => ({
    width: Math.max(1, Math.floor(shape.width * factor + rounding)),
    height: Math.max(1, Math.floor(shape.height * factor + rounding)),
  });
  // The rotated bounds can exceed the limits by a pixel when they are rounded.
  for (let step = 0; step < 16 && !isAllowed(scaled()); step++) factor *= 0.999;
  return scaled();
}

/** Rounding error of multiplications. */
const rounding = 1e-9;
