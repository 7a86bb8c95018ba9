/** Where the pixels of a stored level lie in the full image, by the ways of those who write levels (docs/decisions/0003). */

import { finestStep, reducedRect } from '@lectern/jpeg2000/model';
import { type Level, type Resolution, statedReduction } from '../model/image-set.ts';

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
