/** The metrics of each part, by name. */

import { availableMemory } from '../config/groups/limits-settings.ts';
import type { Derivatives, DerivativesStats } from '../core/cache/derivatives.ts';
import type { Connections } from '../core/http/connections/connections.ts';
import type { Readiness } from '../core/http/readiness.ts';
import type { MetricRow } from '../core/http/request-metrics.ts';
import type { QueueLoad, SharedQueueLoad } from '../core/pyramids/queue/build-queue.ts';
import type { SizeLoad } from '../core/render/schedule/scheduler.ts';
import { rootName } from './core-readiness.ts';
import type { PictureResources as Resources } from './picture-resources.ts';
import { storeRows } from './store-metrics.ts';

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
      name: 'render_memory_bytes',
      help: 'Bytes of memory that the render processes have to themselves.',
      read: () => [[renderer.stats().processes.residentBytes]],
    },
    {
      name: 'memory_limit_bytes',
      help: 'Bytes of memory that the server and its render processes may take together, by the cgroup or the machine.',
      read: () => [[availableMemory()]],
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

/** What this process has by itself, beside the queue that it shares. */
const ownQueue = ({ pyramids }: Resources) => {
  const { waiting, building, failed, shared } = pyramids.load();
  if (shared === undefined) return { waiting, building, failed };
  return {
    waiting: waiting - shared.waiting - shared.building,
    building: building - shared.building,
    failed: failed - shared.failed,
  };
};

const pyramidRows = (resources: Resources): Rows => [
  ...storedPyramidRows(resources),
  {
    name: 'pyramids_waiting',
    help: 'Images whose pyramid this server builds or will build by itself; those of a shared queue are in lectern_build_queue_waiting.',
    read: () => [[ownQueue(resources).waiting]],
  },
  {
    name: 'pyramids_building',
    help: 'Pyramids that this server builds by itself, without a shared queue.',
    read: () => [[ownQueue(resources).building]],
  },
  {
    name: 'pyramids_failed',
    help: 'Images whose pyramid this server could not build, and does not try again by itself.',
    read: () => [[ownQueue(resources).failed]],
  },
  ...queueRows(resources.pyramids, resources.buildJobs),
];

/** The queue that servers and workers share through Redis: each of them tells the same numbers. */
export function queueRows(queue: { readonly load: () => QueueLoad }, jobs: number): Rows {
  const read = (value: (shared: SharedQueueLoad) => number) => () => {
    const { shared } = queue.load();
    return shared === undefined ? [] : [[value(shared), { queue: shared.queue }] as const];
  };
  const labels = ['queue'];
  const same = 'Each server and worker tells the same number: sum(max by (queue) (…)).';
  return [
    {
      name: 'build_jobs',
      help: 'Pyramids of the shared queue that this process builds at once; 0 where it leaves them to workers.',
      read: () => [[jobs]],
    },
    {
      name: 'build_queue_waiting',
      help: `Images that wait in the shared queue of pyramids. ${same}`,
      labels,
      read: read(({ waiting }) => waiting),
    },
    {
      name: 'build_queue_building',
      help: `Pyramids of the shared queue that are being built. ${same}`,
      labels,
      read: read(({ building }) => building),
    },
    {
      name: 'build_queue_failed',
      help: `Pyramids of the shared queue that could not be built and are not tried again by themselves (lectern queue lists them). ${same}`,
      labels,
      read: read(({ failed }) => failed),
    },
    {
      name: 'pyramid_queue_shared',
      help: 'With a redis setting: whether the queue of pyramids is shared through Redis now: 1, or 0 while Redis is lost.',
      read: () => {
        const { isShared } = queue.load();
        return isShared === undefined ? [] : [[isShared ? 1 : 0]];
      },
    },
  ];
}

const storedPyramidRows = ({ pyramids }: Resources): Rows => [
  { name: 'pyramids', help: 'Derived pyramids in the store.', read: () => [[pyramids.load().count]] },
  { name: 'pyramid_bytes', help: 'Their bytes.', read: () => [[pyramids.load().bytes]] },
  {
    name: 'pyramids_made_total',
    help: 'Pyramids that this server has built.',
    read: () => [[pyramids.load().made]],
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

/** The parts that `/readyz` has. */
export const degradedRow = (readiness: Pick<Readiness, 'known'>): MetricRow => ({
  name: 'degraded',
  help: 'Whether a part is not ready, as /readyz tells it: 1, or else 0.',
  labels: ['part'],
  read: () => readiness.known().map(({ name, isReady }) => [isReady ? 0 : 1, { part: name }]),
});

/** The metrics of all parts that stay open. */
export const coreMetricRows = (resources: Resources): Rows => [
  ...renderRows(resources),
  ...cacheRows(resources.derivatives),
  ...pyramidRows(resources),
  ...libraryRows(resources),
  ...outgoingRows(resources),
  ...fileRows(resources),
  ...storeRows(resources.activity),
];
