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
import { bytesText, durationText, printable } from '../common/text.ts';
import { UsageError, withUsageErrors } from '../common/usage-error.ts';
import { requireRedis } from '../queue/with-link.ts';

export interface WorkerFlags {
  readonly config?: string;
  readonly digilibConfig?: string;
  readonly jobs: number;
}

function requireStore(settings: Settings, storages: Storages, logger: Logger): PyramidStore {
  const store = openStore(settings, storages, (message, err) => logger.warn({ err }, message));
  if (store === undefined) throw new UsageError('pyramids.maxBytes is 0: the settings allow no pyramids');
  if (!canMake()) throw new UsageError('the program that makes pyramids has to be built first: npm run build');
  return store;
}

/** Builds a pyramid, and prints what was made. */
const printingBuild =
  (options: Omit<BuildOptions, 'onStage'>): Build =>
  async (source, onStage) => {
    const begunMs = performance.now();
    const outcome = await buildPyramid(source, { ...options, onStage });
    if (outcome.kind === 'made') {
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

async function run(folders: readonly string[], { jobs, ...flags }: WorkerFlags): Promise<number> {
  const { settings } = await configurationOf(folders, flags);
  const redis = requireRedis(settings);
  const logger = pino({ level: settings.logLevel }, pino.destination(2));
  const closeTracing = await openTracing(settings, 'lectern-worker', logger);
  const { storages } = await openStoragesOf(settings, logger);
  const store = requireStore(settings, storages, logger);
  const ending = new AbortController();
  const { signal } = ending;
  await store.sweep().catch(() => undefined);
  const queue = openSharedQueue(
    { ...settings, redis },
    storages,
    {
      identity: () => pyramidsIdentity(settings),
      build: printingBuild({ ...buildOptionsOf(settings, storages), store, signal }),
      signal,
      onFault: (message, file) => logger.warn(file === undefined ? {} : { path: file }, message),
    },
    jobs,
  );
  console.log(`Builds pyramids of the queue in ${printable(redis.address)}, ${jobs} at once. Stop with Ctrl-C.`);
  // The queue itself keeps no process alive while Redis is lost.
  const alive = setInterval(() => undefined, 60_000);
  await stopRequested();
  clearInterval(alive);
  ending.abort();
  await queue.close();
  await storages.close();
  await closeTracing();
  return 0;
}

/** Runs the command until it is ended by a signal. */
export const work = (folders: readonly string[], flags: WorkerFlags): Promise<number> =>
  withUsageErrors(() => run(folders, flags));
