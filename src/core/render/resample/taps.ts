/** The pixels that contribute to each pixel of a resampled row or column, and their weights. */
import { LRUCache } from 'lru-cache';
import type { Kernel } from '../../image/model/image-request.ts';

interface Weighting {
  /** Pixels on each side that contribute. */
  readonly reach: number;
  /** The weight of a pixel at a distance in pixels. */
  readonly weight: (distance: number) => number;
}

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

/** Values of the kernel on this many places for each pixel, between which weights are interpolated: their error is below 10^-5. */
const lanczosSteps = 1024;
const lanczosReach = 3;
const lanczos = Float64Array.from({ length: lanczosReach * lanczosSteps + 2 }, (_, at) => {
  const x = at / lanczosSteps;
  return x < lanczosReach ? sinc(x) * sinc(x / lanczosReach) : 0;
});

/** The kernels as libvips defines them; cubic is Catmull-Rom. */
const weightings: Readonly<Record<Kernel, Weighting>> = {
  nearest: { reach: 0.5, weight: () => 1 },
  linear: { reach: 1, weight: (x) => 1 - Math.abs(x) },
  cubic: {
    reach: 2,
    weight: (signed) => {
      const x = Math.abs(signed);
      return x < 1 ? (1.5 * x - 2.5) * x * x + 1 : ((-0.5 * x + 2.5) * x - 4) * x + 2;
    },
  },
  lanczos3: {
    reach: lanczosReach,
    weight: (x) => {
      const place = Math.abs(x) * lanczosSteps;
      const at = Math.floor(place);
      const before = lanczos[at] ?? 0;
      return before + (place - at) * ((lanczos[at + 1] ?? 0) - before);
    },
  },
};

/** One axis of what is resampled. */
export interface TapAxis {
  /** Where the part begins and how long it is, in stored pixels, with fractions. */
  readonly from: number;
  readonly length: number;
  /** The number of pixels that are computed, and of those that are stored. */
  readonly output: number;
  readonly stored: number;
  readonly kernel: Kernel;
}

/** Of each pixel of an axis: the first that contributes to it, and the weights of this and the following ones. */
export interface Taps {
  readonly firsts: Int32Array;
  /** `count` for each pixel, which sum up to 1. */
  readonly weights: Float64Array;
  readonly count: number;
}

/**
 * Pixels beyond an edge are those within, reflected at the outermost in place and value, so that slopes continue: what of a
 * part lies there is less than a pixel.
 */
export function tapsOf({ from, length, output, stored, kernel }: TapAxis): Taps {
  const step = length / output;
  const { reach, weight } = weightings[kernel];
  const width = kernel === 'nearest' ? 1 : Math.max(1, step);
  const count = Math.min(stored, Math.ceil(2 * reach * width));
  const firsts = new Int32Array(output);
  const weights = new Float64Array(output * count);
  for (let at = 0; at < output; at++) {
    const center = from + (at + 0.5) * step;
    const begin = Math.ceil(center - reach * width - 0.5);
    const first = Math.min(Math.max(begin, 0), stored - count);
    firsts[at] = first;
    let sum = 0;
    const add = (pixel: number, share: number): void => {
      const slot = at * count + Math.min(Math.max(pixel, first), first + count - 1) - first;
      weights[slot] = (weights[slot] ?? 0) + share;
    };
    for (let pixel = begin; pixel + 0.5 < center + reach * width; pixel++) {
      const share = weight((pixel + 0.5 - center) / width);
      const inside = Math.min(Math.max(pixel, 0), stored - 1);
      add(inside, pixel === inside ? share : 2 * share);
      if (pixel !== inside) add(2 * inside - pixel, -share);
      sum += share;
    }
    for (let slot = at * count; slot < (at + 1) * count; slot++) weights[slot] = (weights[slot] ?? 0) / sum;
  }
  return { firsts, weights, count };
}

/** The weight 1 as an integer of 16 bits. */
const weightOfOne = 2 ** 14;

const mostWeight = 2 ** 15 - 1;

/** The same with weights as integers, `count` of them for each pixel, those at the end 0. */
export interface IntegerTaps {
  readonly firsts: Int32Array;
  readonly weights: Int16Array;
  readonly count: number;
}

/** Rounds weights so that their sum stays: the error of each goes to the next one. `count` becomes a multiple of `group`. */
export function rounded({ firsts, weights, count }: Taps, group: number): IntegerTaps {
  const slots = Math.ceil(count / group) * group;
  const integers = new Int16Array(firsts.length * slots);
  for (let at = 0; at < firsts.length; at++) {
    let error = 0;
    for (let tap = 0; tap < count; tap++) {
      const exact = (weights[at * count + tap] ?? 0) * weightOfOne;
      if (exact === 0) continue;
      const integer = Math.min(mostWeight, Math.max(-mostWeight, Math.round(exact + error)));
      error += exact - integer;
      integers[at * slots + tap] = integer;
    }
  }
  return { firsts, weights: integers, count: slots };
}

/** Pages of one book are shown at few sizes. */
const cache = new LRUCache<string, IntegerTaps>({ max: 32 });

/** The taps of an axis as integers, of which the last ones are cached. */
export function integerTapsOf(axis: TapAxis, group: number): IntegerTaps {
  const { from, length, output, stored, kernel } = axis;
  const key = `${from} ${length} ${output} ${stored} ${kernel} ${group}`;
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const made = rounded(tapsOf(axis), group);
  cache.set(key, made);
  return made;
}
