/** Connects the use case of pictures with the parts that make them. */
import type { Settings } from '../config/settings.ts';
import type { KnownDamage } from '../core/access/known-damage.ts';
import { createImages, type Images } from '../core/answers/images.ts';
import type { Render } from '../core/image/plan/plan-types.ts';
import { readParts as readRemoteParts } from '../core/render/remote-parts.ts';
import { remoteStorageOf } from '../core/storage/storage.ts';
import { limitsOf } from './limits.ts';
import type { PictureResources } from './picture-resources.ts';

/** The parts of a file that a plan needs where it is in an object store, which sends parts. */
async function readParts(plan: Render): Promise<Render['parts']> {
  const remote = remoteStorageOf(plan.file.path);
  return remote && readRemoteParts(plan, remote);
}

/** Pictures as the settings allow them. */
export function imagesOf(settings: Settings, resources: PictureResources, damage: KnownDamage): Images {
  const { library, tiles, renderer, derivatives, outgoing, pyramids, putAside } = resources;
  const { digilib, render } = settings;
  return createImages({
    renderer,
    sources: {
      requireCurrent: (file) => library.requireCurrent(file),
      requireAnswer: (file) => library.requireAnswer(file),
      readParts,
      localCopy: (file) => library.localCopy(file),
      openCurrent: (file) => library.openCurrent(file),
      readTile: (plan) => library.runRead(plan.file.path, () => tiles.read(plan)),
      readTileAtOnce: (plan) => (library.isSurelyLocal(plan.file) ? tiles.readAtOnce(plan) : undefined),
    },
    derivatives,
    outgoing,
    pyramids,
    putAside,
    rules: {
      limits: limitsOf(settings),
      sendFile: digilib.sendFile,
      profiles: render.profiles,
      truncated: render.truncated,
    },
    damage,
  });
}
