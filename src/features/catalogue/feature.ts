/** The catalogue of buckets in PostgreSQL, which servers share: it is told of changes, and says how it is. */
import type { Logger } from 'pino';
import { accessOf } from '../../config/store-access.ts';
import { type Feature, routeGroup } from '../../core/feature.ts';
import type { ReadinessCheck } from '../../core/http/readiness.ts';
import type { MetricRow } from '../../core/http/request-metrics.ts';
import { type CatalogueSettings, catalogueSettings } from './catalogue-settings.ts';
import { eventsRoute } from './events-route.ts';
import { PostgresCatalogue } from './postgres/postgres-catalogue.ts';

const metricRowsOf = (catalogue: PostgresCatalogue): readonly MetricRow[] => [
  {
    name: 'catalogue_up',
    help: 'Whether the database of the catalogue answers: 1, or else 0.',
    read: () => [[catalogue.database.stats().isAnswering ? 1 : 0]],
  },
  {
    name: 'catalogue_queries_total',
    help: 'Queries of the catalogue for answers.',
    read: () => [[catalogue.database.stats().queries]],
  },
  {
    name: 'catalogue_failures_total',
    help: 'Queries of the catalogue that failed or took too long.',
    read: () => [[catalogue.database.stats().failures]],
  },
  {
    name: 'catalogue_facts_total',
    help: 'Headers of images and formats of texts that were found in the catalogue, missing, written to it, or lost.',
    labels: ['outcome'],
    read: () => Object.entries(catalogue.facts.stats()).map(([outcome, facts]) => [facts, { outcome }]),
  },
  {
    name: 'catalogue_changes_total',
    help: 'Changes of objects that this server was told or found, and took into the catalogue.',
    read: () => [[catalogue.changes()]],
  },
  {
    name: 'catalogue_objects',
    help: 'Objects in the catalogue after the last filling, by bucket and prefix.',
    labels: ['area'],
    read: () => catalogue.areas().map(({ path, objects }) => [objects, { area: path }]),
  },
  {
    name: 'catalogue_filled_timestamp_seconds',
    help: 'When the last filling ended, by bucket and prefix.',
    labels: ['area'],
    read: () => catalogue.areas().map(({ path, filledMs }) => [filledMs / 1000, { area: path }]),
  },
];

/** Without it buckets are asked instead, which is slower. */
const readinessOf = ({ database }: PostgresCatalogue): readonly ReadinessCheck[] => {
  const { isAnswering } = database.stats();
  return [
    { name: 'catalogue', isOptional: true, isReady: isAnswering, state: isAnswering ? 'answers' : 'does not answer' },
  ];
};

async function openFolders(settings: CatalogueSettings, { database }: PostgresCatalogue, logger: Logger) {
  const { ChangedFolders } = await import('./changed-folders.ts');
  const { BucketReader } = await import('./bucket-reader.ts');
  const onFault = (message: string, err: unknown): void => logger.warn({ err }, message);
  return new ChangedFolders({ database, reader: new BucketReader(accessOf(settings)), onFault });
}

export const feature: Feature<CatalogueSettings> = {
  name: 'catalogue',
  settings: catalogueSettings,
  open({ settings, resources, logger }) {
    const { catalogue } = resources;
    // It was opened with the buckets, and is closed with them.
    if (!(catalogue instanceof PostgresCatalogue)) return { add: () => ({}) };
    const { eventsTokenFile: tokenFile } = settings.catalogue;
    // Reads objects, whose client is loaded only where the store tells changes.
    const opening = tokenFile === undefined ? undefined : openFolders(settings, catalogue, logger);
    return {
      metricRows: metricRowsOf(catalogue),
      readiness: () => readinessOf(catalogue),
      async add({ allPorts }) {
        const folders = await opening;
        if (tokenFile === undefined || folders === undefined) return {};
        const onChanged = (stored: readonly string[]): void => allPorts().libraryChanged?.({ stored });
        return { routes: [routeGroup('server', eventsRoute, { catalogue, folders, tokenFile, onChanged, logger })] };
      },
      close: async () => (await opening)?.close(),
    };
  },
};
