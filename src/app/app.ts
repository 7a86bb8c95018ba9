/** Opens the core and the features as the settings say and connects them: for the command line and for tests. */
import type { FastifyInstance } from 'fastify';
import { type Logger, pino } from 'pino';
import type { Admission } from '../core/access/admit.ts';
import type { Access } from '../core/access/policy.ts';
import type { Images } from '../core/answers/images.ts';
import type { Derivatives } from '../core/cache/derivatives.ts';
import type { Opening } from '../core/feature.ts';
import { createExampleImage, type ExampleImage } from '../core/folder-descriptions/example-image.ts';
import { type Connections, createConnections } from '../core/http/connections/connections.ts';
import { createFaultLog } from '../core/http/failure-log.ts';
import type { ImageAddresses } from '../core/http/image-queries.ts';
import { createMeasures } from '../core/http/request-metrics.ts';
import { createServer } from '../core/http/server.ts';
import type { Library } from '../core/library/library.ts';
import { coreMetricRows, degradedRow, type Reloads, serverRows } from './core-metrics.ts';
import { createReadiness } from './core-readiness.ts';
import { loadFeatures } from './features.ts';
import { assemble, type NamedFeature } from './make-core.ts';
import { openAccessLog } from './open-access-log.ts';
import { openStoragesOf } from './open-storages.ts';
import { closePictureResources, openPictureResources } from './picture-resources.ts';
import { planReload } from './settings/reload.ts';
import type { Settings } from './settings/settings.ts';

export interface App {
  /** Ready to listen; closing it closes all parts. */
  readonly server: FastifyInstance;
  /** The path of an image for examples of addresses. */
  readonly example: ExampleImage;
  /** The rules of access at the start. */
  readonly access: Access;
  readonly admission: Admission;
  readonly library: Library;
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
  /** Loads the modules that requests load on demand. */
  loadAhead(): Promise<unknown>;
  /** Begins the background jobs of features. */
  start(): void;
  /** Opens the access log anew, after a rotation has moved it. */
  reopenLogs(): void;
  /** Counts for the metrics how a reload ended. */
  countReload(outcome: keyof Reloads): void;
}

/** The app for these settings. Rejects where a folder does not exist. */
export async function createApp(settings: Settings, logger: Logger = pino({ level: settings.logLevel })): Promise<App> {
  const opened = await openStoragesOf(settings, logger);
  const { storages, forRequest } = opened;
  const resources = openPictureResources(settings, opened, logger, false);
  const { maxConnections, drainMs } = settings.http;
  const cuts = createFaultLog(logger);
  const connections = createConnections({ maxConnections, onCut: (reason) => cuts.report(reason) });
  const accessLog = openAccessLog(settings.accessLog, logger);
  const reloads = { taken: 0, refused: 0 };
  const open: NamedFeature[] = [];
  const readiness = createReadiness(
    resources,
    () => open.flatMap((feature) => feature.readiness?.() ?? []),
    () => connections.load().isDraining,
  );
  const opening: Opening<Settings> = {
    settings,
    logger,
    resources,
    measures: createMeasures(),
    metricRows: () => [
      ...coreMetricRows(resources),
      ...serverRows(connections, () => reloads),
      degradedRow(readiness),
      ...open.flatMap(({ metricRows = [] }) => metricRows),
    ],
    readiness,
  };
  for (const feature of await loadFeatures(settings.withoutFeatures))
    open.push({ name: feature.name, ...feature.open(opening) });
  const kept = { resources, features: open, measures: opening.measures };
  const { core, addresses, serverParts, describe } = await assemble(settings, kept, logger);
  const { server, replace } = createServer(serverParts, connections, logger, {
    observe: open.find(({ shares }) => shares !== undefined)?.shares?.observe,
    accessLog,
    onEnd: open.find(({ onEnd }) => onEnd !== undefined)?.onEnd,
    forRequest,
  });
  server.addHook('preClose', async () => connections.drain(drainMs));
  server.addHook('onClose', async () => cuts.close());
  server.addHook('onClose', async () => accessLog?.close());
  server.addHook('onClose', async () => {
    for (const feature of open) await feature.close?.();
    await closePictureResources(resources);
    await storages.close();
  });
  let running = settings;
  const { access, admission, images, cards } = core;
  return {
    server,
    example: createExampleImage(admission, cards),
    access,
    admission,
    library: resources.library,
    images,
    addresses,
    derivatives: resources.derivatives,
    connections,
    loadAhead: () =>
      Promise.all([
        import('../core/http/openapi/api-document.ts'),
        import('../core/library/metadata/yaml.ts'),
        import('../core/library/metadata/parse-meta-file.ts'),
        ...open.map((feature) => feature.loadAhead?.()),
        ...describe.map((describeFor) => describeFor({ image: 'herbal/page-001.jpg', folder: 'herbal', slash: '!' })),
      ]),
    start: () => {
      for (const feature of open) feature.start?.();
    },
    readsFiles: () => resources.library.load().disk.some(({ running }) => running > 0),
    async reload(wanted) {
      const plan = planReload(running, wanted);
      await replace((await assemble(plan.settings, kept, logger)).serverParts);
      running = plan.settings;
      logger.level = running.logLevel;
      return plan.needsStart;
    },
    reopenLogs: () => accessLog?.reopen(),
    countReload: (outcome) => void reloads[outcome]++,
  };
}
