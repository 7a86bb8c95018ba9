/** Which pixels of which stored level a rendering reads, so that each pixel of the result shows its part of the image. */

import { finestStep, reducedRect } from '@lectern/jpeg2000/model';
import type { Rect, Size } from '../model/geometry.ts';
import { type Level, type Resolution, statedReduction } from '../model/image-set.ts';
import type { Resample } from './plan-types.ts';

/** One axis of a level: the pixel of the full image at `x` lies at `x / step + phase` in the level. */
export interface AxisGrid {
  /** Pixels of the full image that a pixel of the level stands for. */
  readonly step: number;
  /** In pixels of the level. */
  readonly phase: number;
}

export interface LevelGrid {
  readonly across: AxisGrid;
  readonly down: AxisGrid;
}

/**
 * A wavelet's low-pass samples lie on the even samples of the reference grid: their centers are half a pixel of the full image
 * after a multiple of the step, not in the middle between two (ISO 15444-1, section F.3). `origin` is the image's first
 * pixel on the full grid, `reducedOrigin` that on the reduced one.
 */
const waveletAxis = (step: number, origin: number, reducedOrigin: number): AxisGrid => ({
  step,
  phase: 0.5 - (reducedOrigin * step - origin + 0.5) / step,
});

function waveletGrid(reduction: number, { jpeg2000 }: Resolution): LevelGrid {
  const step = 2 ** reduction;
  if (jpeg2000 === undefined) return { across: waveletAxis(step, 0, 0), down: waveletAxis(step, 0, 0) };
  const { area } = jpeg2000.codeStream;
  const finest = finestStep(jpeg2000.codeStream);
  const full = reducedRect(area, finest, 0);
  const reduced = reducedRect(area, finest, reduction);
  return { across: waveletAxis(step, full.x, reduced.x), down: waveletAxis(step, full.y, reduced.y) };
}

/** Whether a side is the full one, halved `halvings` times and rounded down each time. */
const isHalved = (side: number, full: number, halvings: number): boolean =>
  side === Math.max(1, Math.floor(full / 2 ** halvings));

/** The number of halvings, each rounded down, that lead from the full size to the level; undefined where none do. */
function halvingsOf(level: Level, full: Level): number | undefined {
  if (level.showsWhole) return undefined;
  const isWide = full.width >= full.height;
  const halvings = Math.floor(Math.log2(isWide ? full.width / level.width : full.height / level.height));
  const isSo = isHalved(level.width, full.width, halvings) && isHalved(level.height, full.height, halvings);
  return isSo ? halvings : undefined;
}

/** The grid of a level. One that is not known to be halved shows the whole image. */
export function gridOf(level: Level, resolution: Resolution): LevelGrid {
  const reduction = statedReduction(level);
  if (reduction !== undefined && reduction > 1) return waveletGrid(Math.log2(reduction), resolution);
  const [full] = resolution.levels;
  const halvings = halvingsOf(level, full);
  const axis = (side: number, whole: number): AxisGrid => ({
    // A side of one pixel shows all there is.
    step: halvings === undefined || side === 1 ? whole / side : 2 ** halvings,
    phase: 0,
  });
  return { across: axis(level.width, full.width), down: axis(level.height, full.height) };
}

/**
 * How far a pixel of the result may lie from its place, in pixels of the result, for the sake of whole pixels that are read.
 * Half of what the Image API's letter leaves (docs/decisions/0003): the rest is for what decoders do.
 */
export const maxShift = 1 / 8;

/** Margins that shift the result by at most this are not improved. */
const smallShift = 1 / 32;

/** Rounding error of divisions. */
const rounding = 1e-6;

/** Removes rounding errors of divisions, so that a position on whole pixels stays on them. */
const snap = (value: number): number => {
  const rounded = Math.round(value);
  return Math.abs(value - rounded) < rounding ? rounded : value;
};

/** One axis of what is read; all lengths are pixels of the level, but for `scaled` and `margin`. */
interface AxisWindow {
  readonly start: number;
  readonly length: number;
  /** The length in the result, margins included. */
  readonly scaled: number;
  /** The margin before the part, in pixels of the result. */
  readonly margin: number;
  /** How far a pixel of the part lies from its place at most, in pixels of the result. */
  readonly shift: number;
}

/** One axis of a part of an image: where it lies in a level. */
interface PartAxis {
  /** In pixels of the level, with fractions. */
  readonly from: number;
  readonly to: number;
  /** The level's length. */
  readonly stored: number;
  /** The part's length in the result. */
  readonly output: number;
}

const partOn = (
  start: number,
  length: number,
  { step, phase }: AxisGrid,
  stored: number,
  output: number,
): PartAxis => ({
  from: snap(start / step + phase),
  to: snap((start + length) / step + phase),
  stored,
  output,
});

/** The pixels as they are stored, where as many of them as the result has lie in its places; undefined elsewhere. */
function unscaled({ from, to, stored, output }: PartAxis): AxisWindow | undefined {
  const start = Math.max(0, Math.round(from));
  if (start + output > stored) return undefined;
  const shift = Math.max(Math.abs(start - from), Math.abs(start + output - to));
  return shift <= maxShift ? { start, length: output, scaled: output, margin: 0, shift } : undefined;
}

/**
 * Margins in pixels of the result, best first: the widest kernel reaches over 3, and with these neighbors the edge of a part
 * is the same as if the whole had been reduced, so that tiles meet without a seam.
 */
const margins = [3, 4, 5, 6, 7, 8, 2, 1, 0] as const;

/** The margin at which an edge of the part comes closest to whole pixels; `free` is what the level has beyond the edge. */
function bestMargin(
  edge: number,
  direction: -1 | 1,
  free: number,
  perPixel: number,
): { margin: number; at: number; shift: number } {
  let best = { margin: 0, at: 0, shift: Number.POSITIVE_INFINITY };
  for (const margin of margins) {
    const exact = edge + direction * margin * perPixel;
    if (margin > 0 && margin * perPixel > free + 0.5) continue;
    const at = Math.round(exact);
    const shift = Math.abs(at - exact) / perPixel;
    if (shift < best.shift) best = { margin, at, shift };
    if (best.shift <= smallShift) break;
  }
  return best;
}

/** A part on whole pixels with margins, which is scaled. */
function scaledWindow({ from, to, stored, output }: PartAxis): AxisWindow {
  const perPixel = (to - from) / output;
  const before = bestMargin(from, -1, from, perPixel);
  const after = bestMargin(to, 1, stored - to, perPixel);
  const start = Math.min(Math.max(0, before.at), stored - 1);
  const end = Math.max(start + 1, Math.min(stored, after.at));
  const shift = Math.max(
    Math.abs(start - (from - before.margin * perPixel)),
    Math.abs(end - (to + after.margin * perPixel)),
  );
  const scaled = output + before.margin + after.margin;
  return { start, length: end - start, scaled, margin: before.margin, shift: shift / perPixel };
}

/** Whether the pixels are gray or RGB of 8 bits that need no conversion. */
export type StoredPixels = 'plain' | 'converted';

/** What a rendering reads of a level, and the size that it is scaled to. */
export interface ReadWindow {
  readonly level: Level;
  /** Pixels of the level. */
  readonly read: Rect;
  /** Present where the part begins or ends within pixels of the level. */
  readonly resample?: Resample;
  /** How far the decoder may reduce the whole of the level for it, where this is decided. */
  readonly shrink?: 'most' | 'less';
  /** The size that it is scaled to, margins included. */
  readonly scaled: Size;
  /** The part of the scaled pixels that is kept; the rest is margin. */
  readonly keep: Rect;
}

/** Pixels of the result beyond its edge that contribute to it: the reach of the widest kernel. */
const kernelReach = 3;

/**
 * One axis of a part that is resampled: with the neighbors that a kernel needs. Of a wavelet's level, whose samples all lie
 * beside their places, only its own samples are read, since neighbors can triple what has to be decoded.
 */
function spanOf({ from, to, stored, output }: PartAxis, { phase }: AxisGrid): readonly [start: number, length: number] {
  const reach = phase === 0 ? kernelReach * Math.max(1, (to - from) / output) : -phase;
  const start = Math.min(Math.max(0, Math.floor(snap(from - Math.abs(reach)))), stored - 1);
  const end = Math.max(start + 1, Math.min(stored, Math.ceil(snap(to + reach))));
  return [start, end - start];
}

/** The window on a part that begins or ends within pixels, to be resampled. */
function resampledWindow(level: Level, across: PartAxis, down: PartAxis, grid: LevelGrid): ReadWindow {
  const [x, width] = spanOf(across, grid.across);
  const [y, height] = spanOf(down, grid.down);
  const to = { width: across.output, height: down.output };
  const from = {
    x: across.from - x,
    y: down.from - y,
    width: across.to - across.from,
    height: down.to - down.from,
  };
  return { level, read: { x, y, width, height }, resample: { from, to }, scaled: to, keep: { x: 0, y: 0, ...to } };
}

/** libvips shifts what it enlarges by half a pixel of the result, along both axes. */
const isEnlarged = ({ length, scaled }: AxisWindow): boolean => scaled > length;

/** The most pixels that are resampled where libvips could scale them, which never holds all of them. */
const mostResampled = 4_000_000;

/**
 * Whether a part is resampled although libvips could scale it: where the pixels come as tiles of 8 bits, that takes half of
 * the time, and no margin.
 */
const isSooner = (across: PartAxis, down: PartAxis, level: Level, pixels: StoredPixels): boolean =>
  pixels === 'plain' && level.tile !== undefined && (across.to - across.from) * (down.to - down.from) <= mostResampled;

/** The window on one level. */
function windowOn(level: Level, across: PartAxis, down: PartAxis, grid: LevelGrid, pixels: StoredPixels): ReadWindow {
  const [columns, rows] = [unscaled(across), unscaled(down)];
  if (!(columns && rows) && isSooner(across, down, level, pixels)) return resampledWindow(level, across, down, grid);
  const horizontal = columns ?? scaledWindow(across);
  const vertical = rows ?? scaledWindow(down);
  const isInPlace = Math.max(horizontal.shift, vertical.shift) <= maxShift;
  if (!isInPlace || isEnlarged(horizontal) || isEnlarged(vertical)) return resampledWindow(level, across, down, grid);
  return {
    level,
    read: { x: horizontal.start, y: vertical.start, width: horizontal.length, height: vertical.length },
    scaled: { width: horizontal.scaled, height: vertical.scaled },
    keep: { x: horizontal.margin, y: vertical.margin, width: across.output, height: down.output },
  };
}

/** In a result with fewer pixels, the share of the last one, which is shown as large as the others, is seen. */
const fewPixels = 16;

/**
 * Whether a level has enough pixels of a part: as many as the result, or a fraction of one less, as the last tile of a row has
 * and as those of levels that were rounded down.
 */
export const hasEnough = (length: number, output: number): boolean =>
  output <= length * (1 + rounding) || (output >= fewPixels && output < length + 1);

/** How much of a part a level lacks that was rounded down, in pixels of the result. */
const lackOn = ({ from, to, stored, output }: PartAxis, { phase }: AxisGrid): number =>
  ((to - phase - stored) * output) / (to - from);

/** How much of the last pixel of the result a level may lack where the rest is expensive to read. */
export const maxLack = 0.3;

/** Maximum number of pixels that are read of a larger level for the sake of a rest that a smaller one lacks. */
const mostForRest = 16_000_000;

/** The same where the smaller one lacks at most `maxLack`. */
const mostForSmallRest = 1_000_000;

/**
 * Plans what is read of a resolution for the part `source` at the size `output`, both as stored: pixels of the smallest
 * level that has enough of them. Writers round the sizes of levels down, so that a level can lack the image's last column or
 * row; where that would be visible, a larger level is read.
 */
export function planRead(resolution: Resolution, source: Rect, output: Size, stored: StoredPixels): ReadWindow {
  const { levels } = resolution;
  const [full] = levels;
  let acceptable: ReadWindow | undefined;
  let last: ReadWindow | undefined;
  for (let index = levels.length - 1; index >= 0; index--) {
    const level = levels[index] ?? full;
    const grid = gridOf(level, resolution);
    const across = partOn(source.x, source.width, grid.across, level.width, output.width);
    const down = partOn(source.y, source.height, grid.down, level.height, output.height);
    const isSufficient = [across, down].every(({ from, to, output: pixels }) => hasEnough(to - from, pixels));
    if (!isSufficient && index > 0) continue;
    const pixels = (across.to - across.from) * (down.to - down.from);
    if (last && pixels > (acceptable ? mostForSmallRest : mostForRest)) break;
    const window = windowOn(level, across, down, grid, stored);
    const lack = Math.max(lackOn(across, grid.across), lackOn(down, grid.down));
    if (lack <= maxShift || index === 0) return window;
    if (lack <= maxLack) acceptable ??= window;
    last = window;
  }
  const window = acceptable ?? last;
  if (window === undefined) throw new TypeError('a resolution without levels');
  return window;
}
