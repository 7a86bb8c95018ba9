/** Health and metrics of a worker, at the addresses of the server and by the same code, for those who watch it. */
import Fastify from 'fastify';
import type { Logger } from 'pino';
import { degradedRow, queueRows } from '../../app/core-metrics.ts';
import type { Settings } from '../../app/settings/settings.ts';
import { storeRows } from '../../app/store-metrics.ts';
import { createFailureLog } from '../../core/http/failure-log.ts';
import { trustProxies } from '../../core/http/origin.ts';
import type { Readiness, ReadinessCheck } from '../../core/http/readiness.ts';
import { createMeasures, type MetricRow } from '../../core/http/request-metrics.ts';
import type { BuildQueue } from '../../core/pyramids/queue/build-queue.ts';
import type { StoreActivity } from '../../core/storage/store-activity.ts';
import { createMetricsPage } from '../../features/operations/metrics.ts';
import { createMetricsAccess, healthRoutes } from '../../features/operations/operations-routes.ts';

interface WorkerParts {
  readonly queue: Pick<BuildQueue, 'load'>;
  readonly activity: StoreActivity;
  readonly jobs: number;
  /** Pyramids that were built since the start. */
  readonly made: () => number;
  readonly isEnding: () => boolean;
}

/** What a worker does is in the background: it is ready as long as it does not end, and degraded without Redis or a bucket. */
function readinessOf({ queue, activity, isEnding }: WorkerParts): Readiness {
  const known = (): readonly ReadinessCheck[] => {
    const isShared = queue.load().isShared === true;
    return [
      { name: 'worker', isReady: !isEnding(), state: isEnding() ? 'ends' : 'builds' },
      { name: 'queue', isOptional: true, isReady: isShared, state: isShared ? 'is shared' : 'does not answer' },
      ...activity.buckets().map(({ bucket, isFailing }) => ({
        ...({ name: `bucket ${bucket}`, isOptional: true } as const),
        ...{ isReady: !isFailing, state: isFailing ? 'fails' : 'answers' },
      })),
    ];
  };
  return { known, ask: async () => known() };
}

/** Listens at the host of the settings. Rejects where the port can’t be had. */
export async function serveHealth(
  port: number,
  { http }: Pick<Settings, 'http'>,
  parts: WorkerParts,
  logger: Logger,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const readiness = readinessOf(parts);
  const rows: readonly MetricRow[] = [
    ...queueRows(parts.queue, parts.jobs),
    { name: 'pyramids_made_total', help: 'Pyramids that this worker has built.', read: () => [[parts.made()]] },
    ...storeRows(parts.activity),
    degradedRow(readiness),
  ];
  const failures = createFailureLog(logger);
  const server = Fastify({ logger: false });
  server.decorate('failures', failures);
  server.decorateRequest('imageName', undefined);
  server.register(healthRoutes, {
    metrics: createMetricsPage(createMeasures(), () => rows),
    metricsAccess: createMetricsAccess(http.metricsFrom, trustProxies(http.trustedProxies)),
    readiness,
  });
  await server.listen({ host: http.host, port });
  const address = server.server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async close() {
      server.server.closeAllConnections();
      await server.close();
      failures.close();
    },
  };
}
