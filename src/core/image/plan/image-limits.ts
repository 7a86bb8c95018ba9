/** The limits of the derivatives of one image: those of the configuration, its sides, and the memory that it takes. */

import { type Limits, largestWithin } from '../model/answer-limits.ts';
import { ImageError } from '../model/errors.ts';
import type { Size } from '../model/geometry.ts';
import { highest, type ImageSet, type Resolution } from '../model/image-set.ts';
import { costOf } from './cost.ts';
import { imageCoversOf } from './covers/image-covers.ts';
import { planPart } from './plan-render.ts';
import type { Plan } from './plan-types.ts';

/** The bytes of memory for the whole image at a size. */
function bytesAt({ width, height }: Size, image: ImageSet): number {
  const source = image.derived ?? highest(image);
  const whole = { x: 0, y: 0, width: source.width, height: source.height };
  return costOf(planPart(source, whole, { width, height }, 'jpeg', imageCoversOf(image))).bytes;
}

const bisections = 12;

/** The largest area of the whole image that the memory allows; undefined where it does not bound it, or allows no size. */
function affordableArea(image: ImageSet, limits: Limits): number | undefined {
  const { renderBytes } = limits;
  const full = largestWithin(highest(image), { degrees: 0, enlarge: false }, 'jpeg', limits);
  if (renderBytes === undefined || bytesAt(full, image) <= renderBytes) return undefined;
  const reduced = (factor: number): Size => ({
    width: Math.max(1, Math.floor(full.width * factor)),
    height: Math.max(1, Math.floor(full.height * factor)),
  });
  let [possible, impossible] = [0, 1];
  for (let step = 0; step < bisections; step++) {
    const factor = (possible + impossible) / 2;
    if (bytesAt(reduced(factor), image) <= renderBytes) possible = factor;
    else impossible = factor;
  }
  const { width, height } = reduced(possible);
  return possible > 0 ? width * height : undefined;
}

function makeLimits(image: ImageSet, limits: Limits): Limits {
  const { maxUpscale, maxWidth, maxHeight = maxWidth } = limits;
  const area = affordableArea(image, limits);
  const { width, height } = highest(image);
  const bounded = (side: number, most = Number.POSITIVE_INFINITY): number =>
    Math.max(1, Math.min(most, Math.floor(side * (maxUpscale ?? 1))));
  return {
    ...limits,
    ...(area !== undefined && { maxArea: area }),
    ...(maxUpscale !== undefined && { maxWidth: bounded(width, maxWidth), maxHeight: bounded(height, maxHeight) }),
  };
}

interface Made {
  readonly derived: Resolution | undefined;
  /** Of what lies on the image, which takes memory to draw. */
  readonly covers: string | undefined;
  readonly limits: Limits;
}

/** By the limits of the configuration and the highest resolution, which is cached with its file, unlike the image set of a request. */
const made = new WeakMap<Limits, WeakMap<Resolution, Made>>();

/** The limits that info.json names for an image, and to which the size `max` is reduced. */
export function limitsFor(image: ImageSet, limits: Limits): Limits {
  const known = made.get(limits) ?? new WeakMap<Resolution, Made>();
  made.set(limits, known);
  const { derived } = image;
  const covers = image.covers?.key;
  const found = known.get(highest(image));
  if (found !== undefined && found.derived === derived && found.covers === covers) return found.limits;
  const added = { derived, covers, limits: makeLimits(image, limits) };
  known.set(highest(image), added);
  return added.limits;
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1e6);

/** Throws ImageError `too-large` where making a picture would take more memory than one may. */
export function requireAffordable(plan: Plan, { renderBytes }: Limits): void {
  if (renderBytes === undefined || plan.kind !== 'render') return;
  const { bytes } = costOf(plan);
  if (bytes <= renderBytes) return;
  throw new ImageError(
    'too-large',
    `Making this picture would take about ${megabytes(bytes)} MB of memory; at most ${megabytes(renderBytes)} MB are allowed for one.`,
  );
}
