/** Opens the parts as the settings say and connects them: for the command line and for tests. */
import type { FastifyInstance } from 'fastify';
import { type Logger, pino } from 'pino';
import { planReload } from '../config/reload.ts';
import type { Settings } from '../config/settings.ts';
import type { Admission } from '../core/access/admit.ts';
import type { Images } from '../core/answers/images.ts';
import type { Derivatives } from '../core/cache/derivatives.ts';
import { type Connections, createConnections } from '../core/http/connections/connections.ts';
import type { ImageAddresses } from '../core/http/image-address.ts';
import { createRepeatLog } from '../core/http/repeat-log.ts';
import { createServer } from '../core/http/server.ts';
import { indexingRows, metricRowsOf, type Reloads, serverRows } from '../features/operations/metric-rows.ts';
import { createMetrics } from '../features/operations/metrics.ts';
import { createReadiness } from '../features/operations/readiness.ts';
import type { Browsing } from '../features/reading-room/browse.ts';
import { type BackgroundIndexing, createBackgroundIndexing } from '../features/search/indexing/background-indexing.ts';
import { openAccessLog } from './open-access-log.ts';
import { openBuckets } from './open-buckets.ts';
import { closeResources, openResources } from './resources.ts';
import { createUseCases } from './use-cases.ts';

export interface App {
  /** Ready to listen; closing it closes all parts. */
  readonly server: FastifyInstance;
  readonly browsing: Browsing;
  readonly admission: Admission;
  readonly images: Images;
  readonly addresses: ImageAddresses;
  readonly derivatives: Derivatives;
  readonly connections: Connections;
  /** Whether operations on the library's disks are under way. */
  readsFiles(): boolean;
  /**
   * Takes on the settings that a running server can take on, for all requests that begin from then on; resolves to the names
   * of changed settings that hold from the next start. Rejects and changes nothing where the settings can't be used.
   */
  reload(settings: Settings): Promise<readonly string[]>;
  /** Keeps the index of texts up to date, once it is started. */
  readonly indexing: BackgroundIndexing;
  /** Opens the access log anew, after a rotation has moved it. */
  reopenLogs(): void;
  /** Counts for the metrics how a reload ended. */
  countReload(outcome: keyof Reloads): void;
}

/** How often connections were cut for the same reason is logged at these intervals, in ms. */
const cutsIntervalMs = 60_000;

/** The app for these settings. Rejects where a folder does not exist. */
export async function createApp(settings: Settings, logger: Logger = pino({ level: settings.logLevel })): Promise<App> {
  const buckets = await openBuckets(settings, logger);
  const resources = openResources(settings, logger);
  const { maxConnections, drainMs } = settings.http;
  const cuts = createRepeatLog<string>({
    logFirst: (reason) => logger.warn(reason),
    logRepeats: (reason, repeats) => logger.warn({ repeats }, `again: ${reason}`),
    intervalMs: cutsIntervalMs,
  });
  const connections = createConnections({ maxConnections, onCut: (reason) => cuts.report(reason, reason) });
  const accessLog = openAccessLog(settings.accessLog, logger);
  const reloads = { taken: 0, refused: 0 };
  const indexing = createBackgroundIndexing(settings, resources.library, logger);
  const kept = {
    resources,
    metrics: createMetrics([
      ...metricRowsOf(resources),
      ...serverRows(connections, () => reloads),
      ...indexingRows(indexing),
    ]),
    readiness: createReadiness(resources, indexing, () => connections.load().isDraining),
  };
  const useCases = await createUseCases(settings, kept, logger);
  const { server, replace } = createServer(useCases, connections, logger, {
    accessLog,
    forRequest: buckets.forRequest,
  });
  server.addHook('preClose', async () => connections.drain(drainMs));
  server.addHook('onClose', async () => cuts.close());
  server.addHook('onClose', async () => accessLog?.close());
  server.addHook('onClose', () => indexing.close());
  server.addHook('onClose', () => closeResources(resources));
  server.addHook('onClose', () => buckets.close());
  let running = settings;
  const { browsing, admission, images, addresses } = useCases;
  return {
    server,
    browsing,
    admission,
    images,
    addresses,
    derivatives: resources.derivatives,
    connections,
    indexing,
    readsFiles: () => resources.library.load().disk.some(({ running }) => running > 0),
    async reload(wanted) {
      const plan = planReload(running, wanted);
      await replace(await createUseCases(plan.settings, kept, logger));
      running = plan.settings;
      logger.level = running.logLevel;
      return plan.needsStart;
    },
    reopenLogs: () => accessLog?.reopen(),
    countReload: (outcome) => void reloads[outcome]++,
  };
}
