/** Connects the use case of pictures with the parts that make them, and gives it its limits. */
import { availableParallelism } from 'node:os';
import type { KnownDamage } from '../core/access/known-damage.ts';
import { createImages, type Images } from '../core/answers/images.ts';
import type { Limits } from '../core/image/model/answer-limits.ts';
import { renderBudget } from '../core/render/render-budget.ts';
import { createExcerptReader } from '../core/render/tiles/remote-excerpt.ts';
import { readParts } from '../core/render/tiles/remote-parts.ts';
import type { PictureResources } from './picture-resources.ts';
import type { Settings } from './settings/settings.ts';

/** Pictures as the settings allow them. */
export function imagesOf(settings: Settings, resources: PictureResources, damage: KnownDamage): Images {
  const { library, tiles, renderer, derivatives, outgoing, pyramids, quarantine } = resources;
  const { digilib, render } = settings;
  const excerpts = createExcerptReader();
  return createImages({
    renderer,
    sources: {
      handle: (file) => library.handle(file),
      async readParts(plan) {
        const source = library.handle(plan.file);
        const parts = await readParts(plan, source);
        return parts ? { ...plan, parts } : excerpts.read(plan, source);
      },
      keepScale: excerpts.keepScale,
      readTile: (plan) => tiles.read(plan),
      readTileAtOnce: (plan) => tiles.readAtOnce(plan),
    },
    derivatives,
    outgoing,
    pyramids,
    quarantine,
    rules: {
      limits: limitsOf(settings),
      sendFile: digilib.sendFile,
      profiles: render.profiles,
      truncated: render.truncated,
    },
    damage,
  });
}

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
