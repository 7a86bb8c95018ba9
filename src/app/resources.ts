/** The parts that hold files, processes and memory: opened once, and kept when the configuration is read again. */
import type { Logger } from 'pino';
import type { Settings } from '../config/settings.ts';
import { PutAside } from '../library/put-aside.ts';
import { openRenderer } from '../render/renderer.ts';
import { createTileReader } from '../render/tiles/tile-reader.ts';
import { createOutgoingBytes } from '../service/outgoing-bytes.ts';
import { fingerprintOf } from '../storage/fingerprint.ts';
import { localDevices } from '../storage/local-disk.ts';
import { openDocumentStore } from './open-documents.ts';
import { imageFolders, openDerivatives, openIndex, openLibrary, rootRules } from './open-library.ts';
import { openPyramids, pyramidFolder } from './open-pyramids.ts';
import { openSearchReader } from './open-search.ts';

export type Resources = ReturnType<typeof openResources>;

/** Throws where a folder does not exist. */
export function openResources(settings: Settings, logger: Logger) {
  const pyramids = openPyramids(settings, logger);
  const index = openIndex(settings.index, logger);
  const library = openLibrary(settings, index, pyramids, logger);
  const folders = [...imageFolders(settings.library), pyramidFolder(settings)];
  return {
    pyramids,
    index,
    library,
    tiles: createTileReader({ fingerprintOf, localDevices: localDevices(folders) }),
    renderer: openRenderer({
      ...settings.render,
      requestMs: settings.limits.deadlineMs,
      ...rootRules(imageFolders(settings.library), library),
    }),
    putAside: new PutAside(index),
    derivatives: openDerivatives(settings.cache, logger),
    search: openSearchReader(settings),
    documentStore: openDocumentStore(settings, logger),
    outgoing: createOutgoingBytes({ maxBytes: settings.limits.outgoingBytes }),
  };
}

/** Ends processes and pending writes. */
export async function closeResources({
  documentStore,
  tiles,
  renderer,
  derivatives,
  pyramids,
  index,
  search,
}: Resources): Promise<void> {
  for (const part of [documentStore, tiles, renderer, derivatives, pyramids, index, search]) await part?.close();
}
