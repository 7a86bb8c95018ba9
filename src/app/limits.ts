/** The limits of pictures: those of the settings, and the memory that one rendering may take. */
import { availableParallelism } from 'node:os';
import type { Settings } from '../config/settings.ts';
import type { Limits } from '../core/image/model/answer-limits.ts';
import { renderBudget } from '../core/render/render-budget.ts';

/** IIIF's `^` may enlarge this much by default. The Scaler has no bound by default, as digilib has none. */
const defaultUpscale = 4;

export function limitsOf({ limits, render }: Pick<Settings, 'limits' | 'render'>): Limits {
  const { largestBytes } = renderBudget({ ...render, processes: render.processes || availableParallelism() });
  const { maxUpscale } = limits;
  return {
    ...limits,
    maxUpscale: maxUpscale ?? defaultUpscale,
    maxScalerUpscale: maxUpscale,
    renderBytes: largestBytes,
  };
}
