/** The parts that hold files, processes and memory: opened once, and kept when the configuration is read again. */
import type { Logger } from 'pino';
import type { Settings } from '../config/settings.ts';
import { openDocumentStore } from '../features/documents/open-documents.ts';
import { openSearchReader } from '../features/search/open-search.ts';
import { closePictureResources, openPictureResources } from './picture-resources.ts';

export type Resources = ReturnType<typeof openResources>;

/** Throws where a folder does not exist. */
export function openResources(settings: Settings, logger: Logger) {
  return {
    ...openPictureResources(settings, logger, false),
    search: openSearchReader(settings),
    documentStore: openDocumentStore(settings, logger),
  };
}

/** Ends processes and pending writes. */
export async function closeResources({ documentStore, search, ...pictures }: Resources): Promise<void> {
  await documentStore.close();
  await closePictureResources(pictures);
  await search?.close();
}
