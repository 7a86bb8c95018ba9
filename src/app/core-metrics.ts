/** The metrics of each part, by name. */

import type { Derivatives, DerivativesStats } from '../core/cache/derivatives.ts';
import type { Connections } from '../core/http/connections/connections.ts';
import type { MetricRow } from '../core/http/request-metrics.ts';
import type { SizeLoad } from '../core/render/schedule/scheduler.ts';
import { rootName } from './core-readiness.ts';
import type { PictureResources as Resources } from './picture-resources.ts';

type Rows = readonly MetricRow[];

function renderRows({ renderer }: Resources): Rows {
  const bySize = (value: (load: SizeLoad) => number) => () => {
    const { small, large } = renderer.load();
    return [[value(small), { size: 'small' }] as const, [value(large), { size: 'large' }] as const];
  };
  return [
    {
      name: 'render_running',
      help: 'Renderings that run.',
      labels: ['size'],
      read: bySize(({ running }) => running),
    },
    {
      name: 'render_waiting',
      help: 'Renderings that wait for a turn.',
      labels: ['size'],
      read: bySize(({ waiting }) => waiting),
    },
    {
      name: 'render_refusals_total',
      help: 'Renderings that were refused, since they would not have been done in time, or too many waited.',
      labels: ['reason'],
      read: () => Object.entries(renderer.stats().refusals).map(([reason, count]) => [count, { reason }]),
    },
    {
      name: 'render_processes',
      help: 'Render processes that are alive.',
      read: () => [[renderer.stats().processes.running]],
    },
    {
      name: 'render_processes_ended_total',
      help: 'Render processes that ended: by a crash, a deadline, the bound of their memory, or from outside.',
      labels: ['reason'],
      read: () => Object.entries(renderer.stats().processes.ended).map(([reason, count]) => [count, { reason }]),
    },
  ];
}

function cacheRows(derivatives: Derivatives): Rows {
  /** Values of both tiers; there may be none on disk. */
  const byTier =
    (value: (tier: DerivativesStats['memory'] | NonNullable<DerivativesStats['disk']>) => number) => () => {
      const { memory, disk } = derivatives.stats();
      const onDisk = disk === undefined ? [] : [[value(disk), { tier: 'disk' }] as const];
      return [[value(memory), { tier: 'memory' }] as const, ...onDisk];
    };
  const labels = ['tier'];
  return [
    {
      name: 'cache_hits_total',
      help: 'Pictures from the cache; joined: another request was making or reading the same one.',
      labels: ['from'],
      read: () => Object.entries(derivatives.stats().hits).map(([from, count]) => [count, { from }]),
    },
    { name: 'cache_misses_total', help: 'Pictures that had to be made.', read: () => [[derivatives.stats().misses]] },
    { name: 'cache_bytes', help: 'Bytes of the cached pictures.', labels, read: byTier(({ bytes }) => bytes) },
    { name: 'cache_max_bytes', help: 'The bound of these bytes.', labels, read: byTier(({ maxBytes }) => maxBytes) },
    { name: 'cache_entries', help: 'Cached pictures.', labels, read: byTier(({ entries }) => entries) },
    {
      name: 'cache_evictions_total',
      help: 'Pictures that made room for others.',
      labels,
      read: byTier(({ evictions }) => evictions),
    },
    {
      name: 'cache_faults_total',
      help: 'Damaged files and failed operations of the cache on disk.',
      read: () => [[derivatives.stats().faults]],
    },
    {
      name: 'cache_dropped_total',
      help: 'Pictures that were not written to disk, since it failed or was too slow, or they were too long.',
      read: () => [[derivatives.stats().disk?.dropped ?? 0]],
    },
  ];
}

const pyramidRows = ({ pyramids }: Resources): Rows => [
  { name: 'pyramids', help: 'Derived pyramids in the store.', read: () => [[pyramids.load().count]] },
  { name: 'pyramid_bytes', help: 'Their bytes.', read: () => [[pyramids.load().bytes]] },
  {
    name: 'pyramids_waiting',
    help: 'Images whose pyramid is being built or waits to be built.',
    read: () => [[pyramids.load().waiting]],
  },
  {
    name: 'pyramids_building',
    help: 'Pyramids that are being built; like those that wait, of all servers that share the queue.',
    read: () => [[pyramids.load().building]],
  },
  {
    name: 'pyramids_failed',
    help: 'Images whose pyramid could not be built, and is not tried again by itself (lectern queue lists them).',
    read: () => [[pyramids.load().failed]],
  },
  {
    name: 'pyramids_made_total',
    help: 'Pyramids that this server has built.',
    read: () => [[pyramids.load().made]],
  },
  {
    name: 'pyramid_queue_shared',
    help: 'With a redis setting: whether the queue of pyramids is shared through Redis now: 1, or 0 while Redis is lost.',
    read: () => {
      const { isShared } = pyramids.load();
      return isShared === undefined ? [] : [[isShared ? 1 : 0]];
    },
  },
  {
    name: 'pyramids_damaged_total',
    help: 'Derived pyramids that were deleted because they were damaged: the disk may be failing.',
    read: () => [[pyramids.load().damaged]],
  },
];

const libraryRows = ({ library }: Resources): Rows => [
  {
    name: 'root_answers',
    help: 'Whether the disk of a root answers: 1, or 0 while it hangs or its folder is missing.',
    labels: ['root'],
    read: () =>
      library.roots().map((root, index) => [root.state === 'answers' ? 1 : 0, { root: rootName(root, index) }]),
  },
  { name: 'known_folders', help: 'Folder lists in memory.', read: () => [[library.load().folders.folders]] },
  { name: 'known_images', help: 'Images whose facts are in memory.', read: () => [[library.load().files.files]] },
];

export interface Reloads {
  readonly taken: number;
  readonly refused: number;
}

/** The metrics of connections and of the configuration. */
export const serverRows = (connections: Pick<Connections, 'load'>, reloads: () => Reloads): Rows => [
  { name: 'connections', help: 'Open connections.', read: () => [[connections.load().open]] },
  {
    name: 'connections_closed_total',
    help: 'Connections that were closed: more than http.maxConnections (limit), or their clients did not read (stalled).',
    labels: ['reason'],
    read: () => {
      const { dropped, stalled } = connections.load();
      return [
        [dropped, { reason: 'limit' }],
        [stalled, { reason: 'stalled' }],
      ];
    },
  },
  {
    name: 'configuration_reloads_total',
    help: 'How often SIGHUP read the configuration again: taken, or refused since it can’t be used.',
    labels: ['outcome'],
    read: () => Object.entries(reloads()).map(([outcome, count]) => [count, { outcome }]),
  },
];

const outgoingRows = ({ outgoing }: Resources): Rows => [
  { name: 'outgoing_bytes', help: 'Bytes in memory that wait to be sent.', read: () => [[outgoing.load().bytes]] },
  { name: 'outgoing_max_bytes', help: 'Their bound.', read: () => [[outgoing.load().maxBytes]] },
  { name: 'outgoing_waiting', help: 'Answers that wait for room.', read: () => [[outgoing.load().waiting]] },
  {
    name: 'outgoing_refusals_total',
    help: 'Answers that were refused, since there was no room in time.',
    read: () => [[outgoing.load().refusals]],
  },
];

const fileRows = ({ quarantine }: Resources): Rows => [
  {
    name: 'files_put_aside',
    help: 'Files that are not tried again until they change, since they ended a render process.',
    read: () => [[quarantine.size()]],
  },
];

/** The metrics of all parts that stay open. */
export const coreMetricRows = (resources: Resources): Rows => [
  ...renderRows(resources),
  ...cacheRows(resources.derivatives),
  ...pyramidRows(resources),
  ...libraryRows(resources),
  ...outgoingRows(resources),
  ...fileRows(resources),
];
