/** Search in names, metadata and texts: for the reading room, and as the IIIF Content Search APIs. */
import { type Feature, routeGroup } from '../../core/feature.ts';
import type { ReadinessCheck } from '../../core/http/readiness.ts';
import type { NumberRow } from '../../core/http/request-metrics.ts';
import { noTexts } from '../../core/ports.ts';
import { searchMember } from './content-search/services.ts';
import { contentSearchRoutes } from './content-search-routes.ts';
import {
  type BackgroundIndexing,
  createBackgroundIndexing,
  type IndexingState,
} from './indexing/background-indexing.ts';
import { createLibrarySearch } from './library-search.ts';
import { searchRoute } from './search-route.ts';
import { type SearchSettings, searchSettings } from './search-settings.ts';
import { createTextSearchOf, openSearchReader } from './search-setup.ts';

/** The metrics of the index of texts. */
export const indexingRows = (
  indexing: Pick<BackgroundIndexing, 'state'>,
  { maxBytes, openSearch }: Partial<SearchSettings['search']> = {},
): readonly NumberRow[] => [
  {
    name: 'search_indexing',
    help: 'Whether the index of texts is being brought up to date: 1, or else 0.',
    read: () => [[indexing.state().state === 'indexing' ? 1 : 0]],
  },
  {
    name: 'search_files',
    help: 'Image files with a text that the current or last run of indexing has seen.',
    read: () => [[indexing.state().files]],
  },
  {
    name: 'search_pages',
    help: 'Pages in the index of texts after the last run.',
    read: () => [[indexing.state().pages]],
  },
  {
    name: 'search_bytes',
    help: 'Bytes of the index of texts after the last run.',
    read: () => [[indexing.state().bytes]],
  },
  {
    name: 'search_max_bytes',
    help: 'The bound of these bytes; absent where OpenSearch has the index.',
    read: () => (maxBytes === undefined || openSearch !== undefined ? [] : [[maxBytes]]),
  },
  {
    name: 'search_full',
    help: 'Whether the last run of indexing found the index of texts as large as it may be: 1, or else 0.',
    read: () => [[indexing.state().isFull ? 1 : 0]],
  },
  {
    name: 'search_changes_total',
    help: 'Pages that were written into the index of texts, and deleted from it, since the server began.',
    labels: ['kind'],
    read: () => [
      [indexing.state().written, { kind: 'written' }],
      [indexing.state().removed, { kind: 'removed' }],
    ],
  },
];

/** Without a current index, searches in texts find less; everything else is answered. */
export function searchCheck({ state, isFull }: IndexingState): readonly ReadinessCheck[] {
  if (state === 'off') return [];
  return [{ name: 'search', isOptional: true, isReady: state !== 'failed' && !isFull, state: isFull ? 'full' : state }];
}

export const feature: Feature<SearchSettings> = {
  name: 'search',
  settings: searchSettings,
  open({ settings: opened, resources, logger }) {
    const engine = openSearchReader(opened);
    const indexing = createBackgroundIndexing(opened, resources.library, logger);
    return {
      metricRows: indexingRows(indexing, opened.search),
      readiness: () => searchCheck(indexing.state()),
      start: () => indexing.start(),
      async close() {
        await indexing.close();
        await engine?.close();
      },
      add(core) {
        const { admission, cards, settings } = core;
        const metadata = resources.library;
        const { pageTexts = noTexts } = core.ports;
        const textSearch = createTextSearchOf(
          settings,
          { search: engine },
          { admission, texts: pageTexts, metadata },
          logger,
        );
        const search = createLibrarySearch({ admission, metadata, cards, texts: textSearch });
        return {
          routes: [
            routeGroup('folder', searchRoute, { ...core, search }),
            routeGroup('manifest', contentSearchRoutes, { ...core, textSearch }),
          ],
          describe: async () => (await import('./search-openapi.ts')).apiPart(),
          ports: { searchMember: textSearch && searchMember },
        };
      },
    };
  },
};
