/** IIIF Change Discovery 1.0: all manifests that everyone may see, and what has changed of them. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { userCacheDirectory } from '../../config/cache-directory.ts';
import { imageFolders } from '../../config/groups/library-settings.ts';
import { createCountedFolders } from '../../core/access/counted-folders.ts';
import { anyone } from '../../core/access/policy.ts';
import { type Feature, routeGroup } from '../../core/feature.ts';
import type { MetricRow } from '../../core/http/request-metrics.ts';
import type { Ports } from '../../core/ports.ts';
import { changesPath } from './activities.ts';
import { Changes } from './changes.ts';
import { discoveryRoutes } from './discovery-routes.ts';
import { type DiscoverySettings, discoverySettings } from './discovery-settings.ts';
import { createPublicManifests } from './public-manifests.ts';

/** Changes of a page: about 300 kB. */
const pageSize = 1000;

/** By default another one for each library, since the list has the paths of its folders. */
function fileOf({ changes: { directory }, library }: DiscoverySettings): string {
  const name = createHash('sha256')
    .update(JSON.stringify(imageFolders(library)))
    .digest('hex')
    .slice(0, 16);
  return path.join(directory ?? path.join(userCacheDirectory(), 'changes', name), 'changes.sqlite');
}

const metricRowsOf = (changes: Changes): readonly MetricRow[] => [
  {
    name: 'changes_total',
    help: 'Changes of manifests that were put into the list of changes since the server began, and new manifests that a full list refused, at each walk.',
    labels: ['kind'],
    read: () => Object.entries(changes.totals()).map(([kind, count]) => [count, { kind }]),
  },
];

export const feature: Feature<DiscoverySettings> = {
  name: 'discovery',
  settings: discoverySettings,
  open({ settings, resources, logger }) {
    const { refreshMinutes, maxBytes } = settings.changes;
    const now = () => Date.now();
    let allPorts: () => Ports = () => ({});
    const changes = new Changes({
      // The database is loaded with the first walk or request.
      async open() {
        const { SqliteChangeList } = await import('./sqlite-change-list.ts');
        const onChanged = (changed: string): void => allPorts().libraryChanged?.({ paths: [changed] });
        return new SqliteChangeList({ file: fileOf(settings), maxBytes, pageSize, now, onChanged });
      },
      refreshMs: refreshMinutes * 60_000,
      now,
      isWatched: () => allPorts().watchesLibrary === true,
      onFault: (message, err) => logger.warn({ err }, message),
    });
    return {
      metricRows: metricRowsOf(changes),
      start: () => changes.start(),
      close: () => changes.close(),
      add(core) {
        const { admission, access, ports } = core;
        ({ allPorts } = core);
        // Without manifests there are no changes of them.
        if (ports.manifests === undefined) return {};
        const countedFolders = createCountedFolders(resources.library, access, anyone);
        changes.use(createPublicManifests({ admission, access, manifests: ports.manifests, countedFolders }));
        return {
          routes: [routeGroup('manifest', discoveryRoutes, { ...core, changes })],
          describe: async () => (await import('./discovery-openapi.ts')).apiPart(),
          ports: { changesPath },
        };
      },
    };
  },
};
