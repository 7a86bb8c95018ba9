/** Purging: proxies and CDNs are told which images and folders have changed, so that they can keep them for long. */
import { isDeepStrictEqual } from 'node:util';
import pMap from 'p-map';
import { type Feature, routeGroup } from '../../core/feature.ts';
import type { MetricRow } from '../../core/http/request-metrics.ts';
import { PurgeQueue } from './purge-queue.ts';
import { createPurgeRequests, sendPurge } from './purge-requests.ts';
import { purgeRoute } from './purge-route.ts';
import { type PurgeSettings, type PurgeTarget, purgeSettings } from './purge-settings.ts';
import { allPathsOf, documentAddresses, pathsOfStored } from './purged-paths.ts';
import { createSeenImages } from './seen-images.ts';

/** Requests to one target at the same time. */
const atOnce = { concurrency: 4 } as const;

/** Purges paths from one target. Rejects where one request does not succeed. */
export function createPurge(target: PurgeTarget, { http, iiif }: Pick<PurgeSettings, 'http' | 'iiif'>) {
  const addresses = { contextPath: http.contextPath, slash: iiif.slash };
  const requestsFor = createPurgeRequests(target, (path) => documentAddresses(path, addresses));
  return async (paths: readonly string[], signal: AbortSignal): Promise<void> => {
    await pMap(await requestsFor(paths), (request) => sendPurge(request, signal), atOnce);
  };
}

const metricRowsOf = (queues: readonly PurgeQueue[]): readonly MetricRow[] => {
  const of = (read: (stats: ReturnType<PurgeQueue['stats']>) => number) => () =>
    queues.map((queue) => [read(queue.stats()), { target: queue.name }] as const);
  return [
    {
      name: 'purge_waiting',
      help: 'Paths that wait to be purged from a proxy or CDN.',
      labels: ['target'],
      read: of(({ waiting }) => waiting),
    },
    {
      name: 'purged_total',
      help: 'Paths that were purged from a proxy or CDN.',
      labels: ['target'],
      read: of(({ purged }) => purged),
    },
    {
      name: 'purge_failures_total',
      help: 'Attempts to purge that a proxy or CDN refused or did not answer.',
      labels: ['target'],
      read: of(({ failed }) => failed),
    },
    {
      name: 'purge_overflows_total',
      help: 'How often too many paths were waiting, so that everything is purged.',
      labels: ['target'],
      read: of(({ overflowed }) => overflowed),
    },
  ];
};

export const feature: Feature<PurgeSettings> = {
  name: 'purge',
  settings: purgeSettings,
  open({ settings, resources: { library }, logger }) {
    const { targets, maxWaiting, watch } = settings.purge;
    if (targets.length === 0) return { add: () => ({}) };
    const queues = targets.map(
      (target) =>
        new PurgeQueue({
          name: target.name,
          maxWaiting,
          purge: createPurge(target, settings),
          onFault: (message, err) => logger.warn({ err, target: target.name }, message),
          onRecovery: () => logger.info({ target: target.name }, 'what has changed is purged again'),
        }),
    );
    const add = (paths: readonly string[]): void => {
      for (const queue of queues) queue.add(paths);
    };
    const purge = async (paths: readonly string[]): Promise<void> => {
      for (const path of paths) add(await allPathsOf(library, path));
    };
    let rules: PurgeSettings['access'] | undefined;
    let isFirst = true;
    return {
      metricRows: metricRowsOf(queues),
      sawImage: createSeenImages((path) => add([path])),
      add({ settings: current, callers }) {
        // What was open may be closed by other rules.
        if (!isFirst && !isDeepStrictEqual(rules, current.access)) add(['']);
        [rules, isFirst] = [current.access, false];
        return {
          routes: [routeGroup('server', purgeRoute, { callers, purge, targets: queues.map(({ name }) => name) })],
          describe: async () => (await import('./purge-openapi.ts')).purgeApi(),
          ports: {
            watchesLibrary: watch,
            libraryChanged({ paths = [], stored = [] }) {
              void purge([...paths, ...stored.flatMap((one) => pathsOfStored(one, current.library))]);
            },
          },
        };
      },
      close: async () => {
        for (const queue of queues) await queue.close();
      },
    };
  },
};
