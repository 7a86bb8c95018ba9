/** The parts of which pictures are made: the library, its caches and the renderer. */
import type { Logger } from 'pino';
import { imageFolders } from '../config/groups/library-settings.ts';
import { createOutgoingBytes } from '../core/answers/outgoing-bytes.ts';
import { Quarantine } from '../core/library/quarantine.ts';
import { openRenderer } from '../core/render/renderer.ts';
import { createTileReader } from '../core/render/tiles/tile-reader.ts';
import { openDerivatives, openIndex, openLibrary, rootRules } from './open-library.ts';
import { buildJobsOf, openPyramids } from './open-pyramids.ts';
import type { OpenedStorages } from './open-storages.ts';
import type { Settings } from './settings/settings.ts';

export type PictureResources = ReturnType<typeof openPictureResources>;

/** Throws where a folder does not exist. `isBrief` is for a command that may make no picture at all. */
export function openPictureResources(
  settings: Settings,
  { storages, catalogue, activity }: Pick<OpenedStorages, 'storages' | 'catalogue' | 'activity'>,
  logger: Logger,
  isBrief: boolean,
) {
  const pyramids = openPyramids(settings, storages, logger);
  const index = openIndex(settings.index, logger);
  const library = openLibrary(settings, logger, { storages, index, catalogue, derived: pyramids });
  return {
    activity,
    catalogue,
    pyramids,
    buildJobs: buildJobsOf(settings),
    index,
    library,
    tiles: createTileReader((file) => library.handle(file)),
    renderer: openRenderer({
      ...settings.render,
      requestMs: settings.limits.deadlineMs,
      ...rootRules(imageFolders(settings.library), library, storages),
    }),
    quarantine: new Quarantine(index),
    derivatives: openDerivatives(settings, logger, { activity, isBrief }),
    outgoing: createOutgoingBytes({ maxBytes: settings.limits.outgoingBytes }),
  };
}

/** Ends processes and pending writes. */
export async function closePictureResources({
  renderer,
  derivatives,
  pyramids,
  index,
}: PictureResources): Promise<void> {
  for (const part of [renderer, derivatives, pyramids, index]) await part?.close();
}
