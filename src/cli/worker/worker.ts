/** Runs `lectern worker`. */
import { type Logger, pino } from 'pino';
import { openSharedQueue } from '../../app/open-build-queue.ts';
import { buildOptionsOf, openStore, pyramidsIdentity } from '../../app/open-pyramids.ts';
import { openStoragesOf } from '../../app/open-storages.ts';
import { openTracing } from '../../app/open-tracing.ts';
import type { Settings } from '../../app/settings/settings.ts';
import { type BuildOptions, buildPyramid } from '../../core/pyramids/build.ts';
import { canMake } from '../../core/pyramids/maker.ts';
import type { PyramidStore } from '../../core/pyramids/pyramid-store.ts';
import type { Build } from '../../core/pyramids/queue/build-queue.ts';
import type { Storages } from '../../core/storage/storages.ts';
import { configurationOf } from '../common/command-configuration.ts';
import { originOnThisMachine } from '../common/option-values.ts';
import { bytesText, durationText, printable } from '../common/text.ts';
import { UsageError, withUsageErrors } from '../common/usage-error.ts';
import { requireRedis } from '../queue/with-link.ts';
import { serveHealth } from './worker-health.ts';

export interface WorkerFlags {
  readonly config?: string;
  readonly digilibConfig?: string;
  readonly jobs: number;
  /** Where health and metrics are; nowhere by default. */
  readonly port?: number;
}

function requireStore(settings: Settings, storages: Storages, logger: Logger): PyramidStore {
  const store = openStore(settings, storages, (message, err) => logger.warn({ err }, message));
  if (store === undefined) throw new UsageError('pyramids.maxBytes is 0: the settings allow no pyramids');
  if (!canMake()) throw new UsageError('the program that makes pyramids has to be built first: npm run build');
  return store;
}

/** Builds a pyramid, and prints and tells what was made. */
const printingBuild =
  (options: Omit<BuildOptions, 'onStage'>, onMade: () => void): Build =>
  async (source, onStage) => {
    const begunMs = performance.now();
    const outcome = await buildPyramid(source, { ...options, onStage });
    if (outcome.kind === 'made') {
      onMade();
      const took = durationText((performance.now() - begunMs) / 1000);
      console.log(`made ${outcome.name} of ${printable(source.file.path)}: ${bytesText(outcome.bytes)}, in ${took}`);
    }
    return outcome;
  };

/** Resolves at the first SIGTERM or SIGINT; the second ends the process at once. */
const stopRequested = (): Promise<void> =>
  new Promise((resolve) => {
    let isStopping = false;
    const stop = (): void => {
      if (isStopping) process.exit(1);
      isStopping = true;
      resolve();
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });

/** What listens at a port, or an error that says why it can’t. */
async function listenAt<T>(port: number, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    throw new UsageError(`the port ${port} can’t be had: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function run(folders: readonly string[], { jobs, port, ...flags }: WorkerFlags): Promise<number> {
  const { settings } = await configurationOf(folders, flags);
  const redis = requireRedis(settings);
  const logger = pino({ level: settings.logLevel }, pino.destination(2));
  const closeTracing = await openTracing(settings, 'lectern-worker', logger);
  const { storages, activity } = await openStoragesOf(settings, logger);
  const store = requireStore(settings, storages, logger);
  const ending = new AbortController();
  const { signal } = ending;
  await store.sweep().catch(() => undefined);
  let made = 0;
  const queue = openSharedQueue(
    { ...settings, redis },
    storages,
    {
      identity: () => pyramidsIdentity(settings),
      build: printingBuild({ ...buildOptionsOf(settings, storages), store, signal }, () => made++),
      signal,
      onFault: (message, file) => logger.warn(file === undefined ? {} : { path: file }, message),
    },
    jobs,
  );
  const watched = { queue, activity, jobs, made: () => made, isEnding: () => signal.aborted };
  const health =
    port === undefined ? undefined : await listenAt(port, () => serveHealth(port, settings, watched, logger));
  if (health !== undefined) console.log(`Health and metrics: ${originOnThisMachine(settings.http.host, health.port)}`);
  console.log(`Builds pyramids of the queue in ${printable(redis.address)}, ${jobs} at once. Stop with Ctrl-C.`);
  // The queue itself keeps no process alive while Redis is lost.
  const alive = setInterval(() => undefined, 60_000);
  await stopRequested();
  clearInterval(alive);
  ending.abort();
  await queue.close();
  await storages.close();
  await health?.close();
  await closeTracing();
  return 0;
}

/** Runs the command until it is ended by a signal. */
export const work = (folders: readonly string[], flags: WorkerFlags): Promise<number> =>
  withUsageErrors(() => run(folders, flags));
