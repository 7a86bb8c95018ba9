/** Which pixels of which stored level a rendering reads, with what belongs to its edges. */
import { mapRect, outward, type Rect, type Size } from '../model/geometry.ts';
import { type Level, type Resolution, statedReduction } from '../model/image-set.ts';
import type { Extend } from './plan-types.ts';

/** The factor between a resolution and one of its levels: a power of two wherever the sizes allow it. */
function reductionOf(level: Level, resolution: Resolution): Size {
  const stated = statedReduction(level);
  if (stated !== undefined) return { width: stated, height: stated };
  const full = resolution.levels[0];
  const exact = (whole: number, part: number): number => {
    const rounded = Math.round(whole / part);
    return Math.abs(whole / rounded - part) < 1 ? rounded : whole / part;
  };
  return { width: exact(full.width, level.width), height: exact(full.height, level.height) };
}

/** Rounding error of divisions. */
const rounding = 1e-6;

/** One axis of a part of an image. */
interface PartAxis {
  readonly start: number;
  readonly length: number;
  /** The part’s length in the result. */
  readonly scaled: number;
  /** The length of the image. */
  readonly full: number;
}

/**
 * Whether a part covers whole pixels of a level of `stored` pixels, as the tiles of a viewer do. At the edge of the image the
 * level’s last pixel counts as whole where the level has it: where its size is rounded up.
 */
function isWholePixels({ start, length, full }: PartAxis, stored: number, factor: number): boolean {
  const end = start + length;
  const isAtEdge = end === full && Math.ceil(full / factor) <= stored;
  return Number.isInteger(start / factor) && (isAtEdge || Number.isInteger(end / factor));
}

/** In a result with fewer pixels, the share of the last one, which is shown as large as the others, is seen. */
const fewPixels = 16;

/** Whether a level of `stored` pixels, which is reduced by `factor`, has enough pixels of a part for the result. */
function hasEnough(axis: PartAxis, stored: number, factor: number): boolean {
  const { length, scaled } = axis;
  if (factor <= length / scaled + rounding) return true;
  return scaled >= fewPixels && Math.ceil(length / factor) >= scaled && isWholePixels(axis, stored, factor);
}

/** The levels with at least as many pixels as the result, smallest first; the full size is one in any case. */
function sufficientLevels(resolution: Resolution, source: Rect, scaled: Size): readonly Level[] {
  const [full, ...reduced] = resolution.levels;
  const across = { start: source.x, length: source.width, scaled: scaled.width, full: full.width };
  const down = { start: source.y, length: source.height, scaled: scaled.height, full: full.height };
  const suffices = (level: Level): boolean => {
    const { width, height } = reductionOf(level, resolution);
    return hasEnough(across, level.width, width) && hasEnough(down, level.height, height);
  };
  return [...reduced.filter(suffices).reverse(), full];
}

/** What a rendering reads of a level, and the size that it is scaled to. */
export interface ReadWindow {
  readonly level: Level;
  /** Pixels of the level. */
  readonly read: Rect;
  readonly extend?: Extend;
  /** The size that it is scaled to, margins included. */
  readonly scaled: Size;
  /** The part of the scaled pixels that is kept; the rest is margin. */
  readonly keep: Rect;
}

/** The window on one level; the level's edge is repeated where the tiling reaches beyond it. */
function windowOn(level: Level, reduction: Size, source: Rect, output: Size): ReadWindow {
  const window = outward(mapRect(source, reduction, (length, factor) => snap(length / factor)));
  const inTwoSteps = window.width * window.height > largeRead;
  const horizontal = windowAxis(window.x, window.width, level.width, output.width, inTwoSteps);
  const vertical = windowAxis(window.y, window.height, level.height, output.height, inTwoSteps);
  const read = { x: horizontal.start, y: vertical.start, width: horizontal.length, height: vertical.length };
  const scaled = { width: horizontal.scaled, height: vertical.scaled };
  const keep = { x: horizontal.margin, y: vertical.margin, ...output };
  if (!horizontal.reachesBeyond && !vertical.reachesBeyond) return { level, read, scaled, keep };
  const { before: width, leading: left, trailing: right } = horizontal;
  const { before: height, leading: top, trailing: bottom } = vertical;
  return { level, read, scaled, keep, extend: { before: { width, height }, left, top, right, bottom } };
}

/** Number of pixels of the result beyond its edge that contribute to it: the reach of the widest kernel. */
const kernelReach = 3;

/**
 * The margins of a part that is reduced by an integer, in pixels of the result: with these neighbors its edge is the same
 * as if the whole had been reduced, and tiles meet without a seam.
 */
function marginsOf(start: number, length: number, stored: number, output: number): [number, number] {
  const factor = length / output;
  if (factor <= 1 || !Number.isInteger(factor)) return [0, 0];
  const fitting = (free: number): number => Math.max(0, Math.min(kernelReach, Math.floor(free / factor)));
  return [fitting(start), fitting(stored - start - length)];
}

/** The edge of an image is repeated at up to this multiple of the result's size: then an eighth of a pixel is exact. */
const edgeScale = 4;

/** Above this number of pixels a strong reduction is made in two steps, so that a decoder can shrink while it loads. */
const largeRead = 4_000_000;

/** One axis of a window; all lengths are pixels of the level or of the result. */
function windowAxis(from: number, length: number, stored: number, output: number, inTwoSteps: boolean) {
  const [margin, marginAfter] = marginsOf(from, length, stored, output);
  const factor = length / output;
  const windowStart = from - margin * factor;
  const windowLength = length + (margin + marginAfter) * factor;
  const scaled = output + margin + marginAfter;
  const start = Math.min(Math.max(windowStart, 0), stored - 1);
  const end = Math.max(start + 1, Math.min(windowStart + windowLength, stored));
  const perPixel = Math.max(1, inTwoSteps ? Math.min(edgeScale, windowLength / scaled) : windowLength / scaled);
  const scale = (scaled * perPixel) / windowLength;
  const before = Math.max(1, Math.round((end - start) * scale));
  const leading = Math.round((start - windowStart) * scale);
  return {
    start,
    length: end - start,
    scaled,
    margin,
    reachesBeyond: start > windowStart || end < windowStart + windowLength,
    before,
    leading,
    trailing: Math.max(0, Math.round(scaled * perPixel) - before - leading),
  };
}

/** Removes rounding errors of divisions, so that a rectangle on whole pixels stays on them. */
const snap = (value: number): number => {
  const rounded = Math.round(value);
  return Math.abs(value - rounded) < rounding ? rounded : value;
};

/** Maximum number of pixels that are read of a larger level for the sake of an edge that a smaller one lacks. */
const cheapRead = 600_000;

/**
 * Plans what is read of a resolution for the part `source` at the size `output`, both as stored: pixels of the smallest
 * level that suffices. Writers round the sizes of levels down, so that a level can lack its last pixel; where that would be
 * visible and a larger level is cheap to read, the larger one is read.
 */
export function planRead(resolution: Resolution, source: Rect, output: Size): ReadWindow {
  let chosen: ReadWindow | undefined;
  for (const level of sufficientLevels(resolution, source, output)) {
    const next = windowOn(level, reductionOf(level, resolution), source, output);
    if (chosen !== undefined && next.read.width * next.read.height > cheapRead) break;
    chosen = next;
    if (next.extend === undefined) break;
  }
  if (chosen === undefined) throw new TypeError('a resolution without levels');
  return chosen;
}
